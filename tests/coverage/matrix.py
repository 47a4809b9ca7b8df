"""Every clause of the catalogue with what implements it and which tests prove it: writes host_tools/COVERAGE.md.

    python tests/coverage/matrix.py            write the matrix
    python tests/coverage/matrix.py --check    fail when it is stale or a clause has neither code and test nor reason
    python tests/coverage/matrix.py --open     list the clauses that are not covered yet

The clauses are those of shoetool/rules/clauses.toml. A clause is implemented by the modules, declarations and
paytables that name it by its id, and by the checks of `shoetool verify`; it is tested by the tests that carry
`@pytest.mark.clause("<id>", ...)` or name it in their docstring. Of a clause with several duties (`633c.1(f)#2`) code
names the clause, and a test the duty. A test that names a clause of ch. 590 or 635a and does
not play a game of that chapter fails (`tests/chapters_played.py`). reasons.toml has the reason for every other clause.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import sys
import tomllib
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from chapters_played import CLAUSES, Finder, clause_of, finder, named, proven

ROOT = Path(__file__).resolve().parents[2]
JUDGING = tuple(ROOT / "host_tools" / "shoetool" / part for part in ("judge", "verify"))
RULES = CLAUSES.parent
REASONS = RULES / "reasons.toml"
OF_ALL = {CLAUSES, REASONS, RULES / "readings.toml"}
"""Files that name clauses and implement none."""
OUTPUT = ROOT / "host_tools" / "COVERAGE.md"
CODE = (
    "host_tools/shoetool/**/*.py",
    "host_tools/shoetool/**/*.toml",
    "host_tools/shoesim/*.py",
    "firmware/shoe/**/*.py",
    "board/**/*.py",
)
MOST = 4
TITLES = {"633a": "Blackjack", "590": "Free Bet Blackjack", "635a": "Spanish 21", "633c": "Side wagers and variations"}

_HEAD = """# Clauses, what implements them, and which tests prove it

Written by `make coverage-matrix`; `make lint` fails when it is stale or a clause is missing. The clauses are those that
a shoe (S), a card reader device (R) or a host (H) could implement or verify; P are people's duties, of which a tool
can at most keep an attestation. In ch. 633c, `#2` marks the second duty inside one clause: code names the clause, a
test names the duty. Of that chapter there are only the rows that are built; no command uses what there is of 633c.14.
A check is one of `shoetool verify` ([CHECKS.md](CHECKS.md)). A test of a clause of ch. 590 or 635a plays that chapter;
else it fails (`tests/chapters_played.py`). `shoetool clause ID` says what a clause asks.
"""


@dataclass(slots=True)
class Row:
    """One clause of the catalogue."""

    clause: str
    kind: str
    by: str
    code: list[str] = field(default_factory=list)
    tests: list[str] = field(default_factory=list)
    reason: str = ""

    @property
    def covered(self) -> bool:
        """Whether something implements it and a test proves it."""
        return bool(self.code and self.tests)


def catalogue() -> dict[str, Row]:
    """Every clause by its id, in the catalogue's order."""
    chapters = tomllib.loads(CLAUSES.read_text())
    return {clause: Row(clause, kind, by) for chapter in chapters.values() for clause, (kind, by, _) in chapter.items()}


def add_code(rows: dict[str, Row], find: Finder) -> None:
    """Enter the checks of `shoetool verify`, then every source file that names a clause."""
    from shoetool.judge.registry import CHECKS
    from shoetool.model.protocol_table import Game
    from shoetool.rules.games import clause_in

    duties: dict[str, list[Row]] = defaultdict(list)
    for row in rows.values():
        for name in {row.clause, clause_of(row.clause)}:
            duties[name].append(row)

    def add(clauses: set[str], what: str) -> None:
        for row in {row.clause: row for clause in clauses for row in duties.get(clause, ())}.values():
            row.code.append(what)

    for check in CHECKS.values():
        add({clause_in(game, name) for name in (check.clause, *check.also) for game in Game}, f"check `{check.name}`")
    for path in sorted({path for pattern in CODE for path in ROOT.glob(pattern)}):
        if path in OF_ALL or path.name.startswith("registry"):
            continue
        found = find(path.read_text())
        if any(part in path.parents for part in JUDGING):  # a finding names the clause of the game's own chapter
            found |= {clause_in(game, clause) for game in Game for clause in found}
        add(found, f"`{path.relative_to(ROOT)}`")


class Collected:
    """Pytest plugin: the tests that were collected, by the clauses that they prove."""

    def __init__(self, rows: dict[str, Row]) -> None:
        self.rows = rows
        # A test of a check is named for the whole clause. It proves no duty of it by itself.
        self.whole = {clause_of(clause) for clause in rows}
        self.wrong: list[str] = []

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Read the marks and docstrings of everything that pytest found."""
        tests: dict[str, set[str]] = defaultdict(set)
        said: dict[str, set[str]] = defaultdict(set)
        for item in items:
            name = item.nodeid.split("[")[0]
            said[name] |= named(item)
            for clause in proven(item):
                tests[clause].add(name)
        for name, clauses in sorted(said.items()):
            for clause in sorted(clauses):
                if clause not in self.rows and clause not in self.whole:
                    self.wrong.append(f"{name} is marked with {clause!r}, which is no clause")
                elif clause in self.rows and name not in tests[clause]:
                    self.wrong.append(f"{name} names {clause}, and is run for no game of that chapter")
        for clause, names in tests.items():
            if clause in self.rows:
                self.rows[clause].tests += [f"`{name.removeprefix('tests/')}`" for name in sorted(names)]


def gather() -> tuple[list[Row], list[str]]:
    """All rows with what was found, and what is wrong: unknown ids, needless reasons, clauses without anything."""
    rows = catalogue()
    add_code(rows, finder())
    plugin = Collected(rows)
    told = io.StringIO()
    with contextlib.redirect_stdout(told):
        code = pytest.main(["--collect-only", "-qq", str(ROOT / "tests")], [plugin])
    wrong = plugin.wrong
    if code != pytest.ExitCode.OK:
        wrong.append(f"the tests could not be collected:\n{told.getvalue()}")
    for reason in tomllib.loads(REASONS.read_text()).get("reason", []):
        for clause in reason["clauses"]:
            if clause not in rows:
                wrong.append(f"{REASONS.name} names {clause!r}, which is no clause")
            elif rows[clause].covered:
                wrong.append(f"{clause} is implemented and tested; take it out of {REASONS.name}")
            else:
                rows[clause].reason = reason["why"]
    for row in rows.values():
        if not row.covered and not row.reason:
            missing = " and ".join(what for what, have in (("code", row.code), ("test", row.tests)) if not have)
            wrong.append(f"{row.clause} ({row.kind}, {row.by}) has no {missing} and no reason")
    return list(rows.values()), wrong


def cell(names: list[str]) -> str:
    """At most four names in a cell of the table."""
    more = f" and {len(names) - MOST} more" if len(names) > MOST else ""
    return "<br>".join(names[:MOST]) + more


def document(rows: list[Row]) -> str:
    """The whole of COVERAGE.md."""
    lines = [_HEAD, "| chapter | clauses | implemented and tested | with a reason why not |", "|---|---|---|---|"]
    chapters = {chapter: [row for row in rows if row.clause.split(".")[0] == chapter] for chapter in TITLES}
    for chapter, of_chapter in chapters.items():
        covered = sum(row.covered for row in of_chapter)
        why = sum(bool(row.reason) for row in of_chapter)
        lines.append(f"| {chapter} {TITLES[chapter]} | {len(of_chapter)} | {covered} | {why} |")
    for chapter, of_chapter in chapters.items():
        lines += ["", f"## {chapter} {TITLES[chapter]}", "", "| clause | kind | by | what implements it | tests |"]
        lines.append("|---|---|---|---|---|")
        for row in of_chapter:
            found = f"{cell(row.code)} | {cell(row.tests)}" if row.covered else f"{row.reason or '**open**'} |"
            lines.append(f"| {row.clause} | {row.kind} | {row.by} | {found} |")
    return "\n".join(lines) + "\n"


def main() -> int:
    """Write, check or list; 1 when the check fails."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="write nothing; fail when something is stale or missing")
    parser.add_argument("--open", action="store_true", help="write nothing; list what is not covered")
    options = parser.parse_args()
    rows, wrong = gather()
    text = document(rows)
    if options.open:
        print("\n".join(wrong) or "nothing is open")
        return 0
    if not options.check:
        OUTPUT.write_text(text)
    elif not OUTPUT.exists() or OUTPUT.read_text() != text:
        wrong.append(f"{OUTPUT.relative_to(ROOT)} is stale: run make coverage-matrix")
    for line in wrong:
        print(line, file=sys.stderr)
    covered, why = sum(row.covered for row in rows), sum(bool(row.reason) for row in rows)
    print(f"{len(rows)} clauses: {covered} implemented and tested, {why} with a reason, {len(wrong)} things to mend")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
