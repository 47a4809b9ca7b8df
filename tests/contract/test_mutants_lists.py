"""The lists of `make mutants` fit the tree: each equivalent mutant's line is still there, each pattern names files."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
LISTS = ROOT / "tests" / "mutants"
EQUIVALENT: list[dict[str, str]] = tomllib.loads((LISTS / "equivalent.toml").read_text(encoding="utf-8"))["mutant"]
TARGETS: dict[str, Any] = tomllib.loads((LISTS / "targets.toml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("one", EQUIVALENT, ids=lambda one: f"{one['file']} {one['now']}")
def test_an_equivalent_mutant_has_its_line_and_a_reason(one: dict[str, str]) -> None:
    lines = [" ".join(line.split()) for line in (ROOT / one["file"]).read_text(encoding="utf-8").splitlines()]
    assert one["was"] in lines
    assert one["was"] != one["now"] and len(one["why"]) > 20


@pytest.mark.parametrize("name", TARGETS)
def test_a_target_names_modules_and_tests_that_exist(name: str) -> None:
    tests = TARGETS[name]["tests"]
    for pattern in (*TARGETS[name]["modules"], *(tests if isinstance(tests, list) else TARGETS[tests]["tests"])):
        assert any(ROOT.glob(pattern)), pattern
