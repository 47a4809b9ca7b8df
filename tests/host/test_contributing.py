"""CONTRIBUTING.md names files, folders and make targets that are there, and says what each folder of tests is for."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TEXT = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
MADE = {"NAME", "KEY.toml"}  # stands for what the reader is about to make


def test_the_files_and_folders_that_it_names_are_there() -> None:
    spans = re.findall(r"`((?:firmware|board|host_tools|tests)/[^`\s(]*)`", TEXT)
    missing = [span for span in spans if not MADE & set(Path(span).parts) and not list(ROOT.glob(span.rstrip("/")))]
    assert len(spans) > 40 and not missing
    assert not [link for link in re.findall(r"\]\(([^)#]+)\)", TEXT) if not (ROOT / link).is_file()]


def test_each_folder_of_tests_has_a_row() -> None:
    told = set(re.findall(r"`tests/(\w+)`", "\n".join(re.findall(r"^\| (`tests/.*?) \|", TEXT, re.M))))
    there = {path.name for path in (ROOT / "tests").iterdir() if path.is_dir() and path.name[0] not in "._"}
    assert told == there


def test_the_make_targets_that_it_names_are_there() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    named = set(re.findall(r"(?:`|^)make ([a-z-]+)", TEXT, re.M))
    assert len(named) > 8 and not [name for name in named if not re.search(rf"^{name}:", makefile, re.M)]
