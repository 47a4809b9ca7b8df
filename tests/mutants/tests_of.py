"""The tests that a mutant is tried by, quickest first, from who ran which line without a fault (watch.py).

A line inside of a function is tried by the tests that ran it. A line that runs at import (a constant, a declaration,
the head of a function) may change any test, so all tests of the target try it. They also try what ran while pytest
collected them. What a fixture ran for a whole file is tried by all tests of that file.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
# Who ran each line of each file: tests by their node ids, a file for a fixture of its tests, "" for all.
Lines = dict[str, dict[int, list[str]]]


class Watched:
    """What a run without a fault showed: seconds by test (and by file, for its fixtures), and who ran each line."""

    def __init__(self, seconds: Mapping[str, float], lines: Lines) -> None:
        self._lines = lines
        self._tests: dict[str, set[str]] = defaultdict(set)
        for test in (who for who in seconds if "::" in who):
            for who in (test, test.partition("::")[0], ""):
                self._tests[who].add(test)
        # A fixture shared by a file is made for whichever of its tests comes first.
        self._seconds = {who: max(seconds[who], seconds.get(who.partition("::")[0], 0.0)) for who in self._tests[""]}

    def every_test(self) -> dict[str, float]:
        """All tests of the target with their seconds, quickest first."""
        return self._quickest_first(self._tests[""])

    def tests_of(self, module: Path, line: int) -> dict[str, float]:
        """The tests that a changed line must be tried by, with their seconds, quickest first."""
        ran = self._lines.get(module.as_posix(), {})
        lines, at_import = statement_at(module.read_text(encoding="utf-8"), line)
        whose = {who for at in lines for who in ran.get(at, ())}
        if not at_import and "" not in whose:
            return self._quickest_first(test for who in whose for test in self._tests[who])
        near = {test for whose in ran.values() for who in whose if who for test in self._tests[who]}
        return {**self._quickest_first(near), **self.every_test()}

    def _quickest_first(self, tests: Iterable[str]) -> dict[str, float]:
        return {test: self._seconds[test] for test in sorted(set(tests), key=lambda one: (self._seconds[one], one))}


def statement_at(source: str, line: int) -> tuple[set[int], bool]:
    """The lines of the statement at a line, of `if` and the like those above its body; whether it runs at import."""
    lines, at_import, least = {line}, True, float("inf")
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.stmt) or node.end_lineno is None:
            continue
        body = getattr(node, "body", None) or getattr(node, "cases", None)
        first = body[0].pattern.lineno if isinstance(node, ast.Match) else body[0].lineno if body else 0
        if isinstance(node, FUNCTIONS) and first <= line <= node.end_lineno:
            at_import = False
        if node.lineno <= line <= node.end_lineno and node.end_lineno - node.lineno < least:
            least = node.end_lineno - node.lineno
            lines = {line, *range(node.lineno, max(first, node.lineno + 1) if body else node.end_lineno + 1)}
    return lines, at_import
