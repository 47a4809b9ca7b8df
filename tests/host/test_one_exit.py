"""Every exit of the process goes through one place: nobody else ends it, so no exit code is one that nobody chose."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
HOST = ROOT / "host_tools"
THE_PLACE = "shoetool/endings.py"
REASON = "# leaves: "
"""Stands behind a line that must end the process elsewhere, with the reason."""
ENDING = {"sys.exit", "os._exit", "os.abort", "exit", "quit", "SystemExit", "ctx.exit", "context.exit", "Exit"}


def ends(source: str) -> list[int]:
    """The lines of a module that end the process, but for those with a reason."""
    lines = source.splitlines()
    found = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call):
            named: ast.AST | None = node.func
        elif isinstance(node, ast.Raise):
            named = node.exc
        elif isinstance(node, ast.ImportFrom) and node.module in ("sys", "os"):
            if any(f"{node.module}.{one.name}" in ENDING for one in node.names):
                found.append(node.lineno)
            continue
        else:
            continue
        if isinstance(named, ast.Name | ast.Attribute):
            dotted = ast.unparse(named)
            if dotted in ENDING or dotted.endswith((".Exit", ".ctx.exit")):
                found.append(named.lineno)
    return sorted({line for line in found if not lines[line - 1].partition(REASON)[2].strip()})


@pytest.mark.parametrize(
    "line",
    [
        *("sys.exit(1)", "os._exit(2)", "exit()", "quit()", "raise SystemExit", "raise SystemExit(2) from None"),
        *("ctx.exit(1)", "self.ctx.exit()", "raise click.exceptions.Exit(1)", "from sys import exit", "os.abort()"),
        "ctx.exit()  # leaves: ",
    ],
)
def test_each_way_to_end_the_process_is_seen(line: str) -> None:
    assert ends(f"import sys\n{line}\n") == [2]


@pytest.mark.parametrize("line", ["self.exit()", "code = run()", "ctx.exit()  # leaves: click's own way"])
def test_other_words_are_not_taken_for_it(line: str) -> None:
    assert ends(line) == []


def test_only_one_place_ends_the_process() -> None:
    found = {}
    for path in sorted(HOST.rglob("*.py")):
        place = path.relative_to(HOST).as_posix()
        lines = ends(path.read_text(encoding="utf-8"))
        if place == THE_PLACE:
            assert len(lines) == 2, "os._exit and SystemExit, once each"
        elif lines:
            found[place] = lines
    assert found == {}


def test_the_place_itself_loads_next_to_nothing() -> None:
    tree = ast.parse((HOST / THE_PLACE).read_text(encoding="utf-8"))
    loaded = {one.name for node in ast.walk(tree) if isinstance(node, ast.Import) for one in node.names}
    loaded |= {str(node.module) for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert loaded == {"os", "signal", "sys", "typing"}
