"""The pages for technician, analyst and integrator: their commands can be typed as they stand, their links lead on."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import click
import pytest
from shoetool.cli import build

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "host_tools" / f"{name}.md" for name in ("TECHNICIAN", "ANALYST", "INTEGRATOR")]
TYPED = [
    (page.stem, line.split("  #")[0].strip())
    for page in PAGES
    for block in re.findall(r"^```sh\n(.*?)^```", page.read_text(encoding="utf-8"), re.M | re.S)
    for line in block.splitlines()
] + [
    (page.stem, f"shoetool {words}")
    for page in PAGES
    for words in re.findall(r"`shoetool ([a-z]+(?: [^`]*)?)`", page.read_text(encoding="utf-8"))
]


@pytest.mark.parametrize(("page", "line"), TYPED)
def test_a_command_of_the_page_can_be_typed(
    page: str, line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    program, name, *words = shlex.split(line)
    assert program == "shoetool"
    group = build()
    found = group.get_command(click.Context(group), name)
    assert found is not None, name
    found.make_context(name, words).close()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_every_link_of_the_page_leads_to_a_file(page: Path) -> None:
    links = re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8"))
    assert links and all((page.parent / link).exists() for link in links)
