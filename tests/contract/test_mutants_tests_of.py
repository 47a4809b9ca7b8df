"""`make mutants` tries a changed line by the tests that ran it, quickest first; what runs at import by all tests."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).resolve().parents[1] / "mutants"))

from tests_of import Watched, statement_at

SOURCE = """\
LIMIT = 3


def grade(value):
    if (
        value
        > LIMIT
    ):
        return (
            "over"
        )
    for one in (1, 2): value += one
    match value:
        case 4:
            return "four"
    return "under"
"""
# The file's fixture ran line 16 for all tests of b.py.
LINES = {1: [""], 4: [""], 5: ["a.py::slow", "a.py::quick"], 9: ["a.py::slow"], 16: ["b.py"]}
SECONDS = {"a.py::slow": 2.0, "a.py::quick": 1.0, "b.py": 0.5, "b.py::one": 0.1, "b.py::other": 0.2}


@pytest.mark.parametrize(
    ("line", "lines", "at_import"),
    [
        (1, {1}, True),
        (4, {4}, True),
        (7, {5, 6, 7, 8}, False),
        (10, {9, 10, 11}, False),
        (12, {12}, False),
        (14, {13, 14}, False),
        (15, {15}, False),
    ],
)
def test_a_statement_is_found_with_its_lines_and_whether_it_runs_at_import(
    line: int, lines: set[int], at_import: bool
) -> None:
    assert statement_at(SOURCE, line) == (lines, at_import)


@pytest.mark.parametrize(
    ("line", "tests"),
    [
        (7, ["a.py::quick", "a.py::slow"]),
        (10, ["a.py::slow"]),
        (16, ["b.py::one", "b.py::other"]),
        (1, ["b.py::one", "b.py::other", "a.py::quick", "a.py::slow"]),
        (15, []),
    ],
)
def test_a_changed_line_is_tried_by_the_tests_that_ran_it_quickest_first(
    line: int, tests: list[str], tmp_path: Path
) -> None:
    module = tmp_path / "grade.py"
    module.write_text(SOURCE, encoding="utf-8")
    watched = Watched(SECONDS, {module.as_posix(): LINES})
    assert list(watched.tests_of(module, line)) == tests


def test_a_test_takes_as_long_as_the_fixture_that_it_may_have_to_make() -> None:
    assert Watched(SECONDS, {}).every_test() == {
        "b.py::one": 0.5,
        "b.py::other": 0.5,
        "a.py::quick": 1.0,
        "a.py::slow": 2.0,
    }
