"""firmware/SECURITY.md and the attacks: every row has a test that exists, every attack has a row."""

from __future__ import annotations

import ast
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DOCUMENT = (ROOT / "firmware" / "SECURITY.md").read_text(encoding="utf-8")
ROWS = re.findall(r"^\| (\w+) \| ([^|]+) \| ([^|]+) \| ([^|]+) \| `([\w/]+\.py)::(\w+)` \|$", DOCUMENT, re.MULTILINE)
WHO = {"dealer and partner", "technician", "casino", "thief"}


def functions(path: Path) -> set[str]:
    """Names of the test functions and methods of a file."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}


def test_every_row_of_the_table_is_understood() -> None:
    section = DOCUMENT[DOCUMENT.index("| row | who |") :]
    lines = section[: section.index("\n\n")].splitlines()[2:]
    assert len(lines) == len(ROWS) >= 30
    assert len({row[0] for row in ROWS}) == len(ROWS)
    for name, who, *_ in ROWS:
        assert {one.strip() for one in who.split(",")} <= WHO, name


def test_every_row_names_a_test_that_exists() -> None:
    for name, _, _, _, path, function in ROWS:
        assert (ROOT / path).is_file(), f"{name}: {path}"
        assert function in functions(ROOT / path), f"{name}: {path} has no {function}"


def test_every_attack_is_named_by_a_row() -> None:
    named = {(path, function) for *_, path, function in ROWS}
    for path in sorted((ROOT / "tests" / "attacks").glob("test_*.py")):
        for function in functions(path):
            if function.startswith("test_attack_"):
                assert (str(path.relative_to(ROOT)), function) in named, f"{path.name}::{function} has no row"
    for name, *_, path, function in ROWS:
        if path.startswith("tests/attacks/"):
            assert function == f"test_attack_{name}"


def test_everybody_who_might_cheat_has_rows() -> None:
    assert {one.strip() for _, who, *_ in ROWS for one in who.split(",")} == WHO
