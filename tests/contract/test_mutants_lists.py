"""The lists of `make mutants` fit the tree: equivalent mutants have their line and function, patterns name files."""

from __future__ import annotations

import ast
import tomllib
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
LISTS = ROOT / "tests" / "mutants"
EQUIVALENT: list[dict[str, str]] = tomllib.loads((LISTS / "equivalent.toml").read_text(encoding="utf-8"))["mutant"]
TARGETS: dict[str, Any] = tomllib.loads((LISTS / "targets.toml").read_text(encoding="utf-8"))


def first_line(node: Any) -> int:
    """The first line of a function or class, or of its first decorator."""
    return int(min(part.lineno for part in (node, *node.decorator_list)))


@pytest.mark.parametrize("one", EQUIVALENT, ids=lambda one: f"{one['file']} {one['now']}")
def test_an_equivalent_mutant_has_its_line_and_a_reason(one: dict[str, str]) -> None:
    source = (ROOT / one["file"]).read_text(encoding="utf-8")
    lines = [" ".join(line.split()) for line in source.splitlines()]
    assert one["was"] in lines
    if one["function"]:
        named = [node for node in ast.walk(ast.parse(source)) if getattr(node, "name", None) == one["function"]]
        assert any(one["was"] in lines[first_line(node) - 1 : node.end_lineno] for node in named)
    assert one["was"] != one["now"] and len(one["why"]) > 20


@pytest.mark.parametrize("name", TARGETS)
def test_a_target_names_modules_and_tests_that_exist(name: str) -> None:
    tests = TARGETS[name]["tests"]
    for pattern in (*TARGETS[name]["modules"], *(tests if isinstance(tests, list) else TARGETS[tests]["tests"])):
        assert any(ROOT.glob(pattern)), pattern
