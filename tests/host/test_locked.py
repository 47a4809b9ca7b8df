"""What is installed is what was looked at: each package has a version and hashes, and the locks fit pyproject.toml."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[2]
LOCKED = ROOT / "host_tools" / "locked"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
NEEDS = PROJECT["project"]["dependencies"]
EXTRAS = PROJECT["project"]["optional-dependencies"]
USERS = [need for extra in ("sim", "print", "flash", "board") for need in EXTRAS[extra]]
SETS = {
    "user": NEEDS + USERS,
    "developer": NEEDS + USERS + EXTRAS["dev"],
    "fuzzer": NEEDS + USERS + EXTRAS["dev"] + EXTRAS["fuzz"],
}


def locked(name: str) -> dict[str, str]:
    """Return the version of each package of a lock. AssertionError when one has no hash."""
    versions = {}
    for entry in re.split(r"\n(?=\S)", (LOCKED / f"{name}.txt").read_text(encoding="utf-8")):
        if entry.startswith("#"):
            continue
        pin = re.match(r"([\w.-]+)==(\S+)", entry)
        assert pin is not None, entry
        assert re.search(r"--hash=sha256:[0-9a-f]{64}", entry), f"{pin[1]} has no hash"
        versions[canonicalize_name(pin[1])] = pin[2]
    return versions


@pytest.mark.parametrize("name", SETS)
def test_each_package_asked_for_is_locked_within_its_bounds(name: str) -> None:
    versions = locked(name)
    for text in SETS[name]:
        asked = Requirement(text)
        if asked.name != PROJECT["project"]["name"]:
            assert asked.specifier.contains(versions[canonicalize_name(asked.name)]), text


def test_the_locks_agree_on_each_version() -> None:
    user, developer, fuzzer = (locked(name) for name in SETS)
    assert user.items() <= developer.items() <= fuzzer.items()


def test_what_builds_the_project_is_locked() -> None:
    """The build is not isolated: it takes what the user's lock installed."""
    assert {Requirement(text).name for text in PROJECT["build-system"]["requires"]} <= locked("user").keys()
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for line in makefile.splitlines():
        if "$(INSTALL)" in line or "pip install" in line.replace("INSTALL = ", ""):
            assert (
                "--require-hashes" in line or "--no-deps --no-build-isolation" in line or line.startswith("INSTALL")
            ), line
