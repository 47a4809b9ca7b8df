"""The goldens: what `verify`, `replay`, `settle`, `table`, `monitor --json` and `paytables` say over a corpus, frozen.

    make goldens                                   # freeze anew what is said today
    make goldens-check                             # compare, and show each difference
    python tests/goldens/goldens.py --show CASE    # the frozen outputs of a case
    python tests/goldens/goldens.py --marks        # what is known to be wrong, and what should be said

The corpus follows from seeds. The digest of each of its files is frozen too: when one changes, the simulator or the
firmware's dealing did, and that is told apart from a change of the judge. README.md tells how a golden is changed.
"""

from __future__ import annotations

import argparse
import sys
import textwrap
import time
from collections.abc import Iterable, Iterator
from pathlib import Path

from golden_case import Case, Golden, Group
from golden_compare import Difference, differences
from golden_corpus import GROUPS
from golden_marks import not_yet
from golden_outputs import GoldenCrash, run_case
from golden_store import FROZEN, Frozen, freeze

DIFF_LINES = 40


def chosen(groups: list[str], cases: list[str]) -> Iterator[tuple[Group, list[Case]]]:
    """The groups of these names, all without one, and of their cases those whose name holds one of these texts."""
    for group in GROUPS:
        if groups and group.name not in groups:
            continue
        kept = [case for case in group.cases() if not cases or any(text in case.name for text in cases)]
        if kept:
            yield group, kept


def check(group: Group, cases: Iterable[Case], whole: bool = True, folder: Path = FROZEN) -> list[Difference]:
    """Run cases and compare them with what is frozen; `whole`: these are all cases of the group."""
    frozen = Frozen.read(group, folder)
    found: list[Difference] = []
    ran: set[str] = set()
    kept = frozen.kept()
    for case in cases:
        ran.add(case.name)
        try:
            golden = run_case(case, kept.get(case.name))
        except GoldenCrash as crash:
            found.append(Difference(group.name, case.name, "", f"A CRASH: {crash}"))
            continue
        found += differences(frozen, golden)
        found += not_yet(group, case, golden)
    if whole:
        gone = [name for name in frozen.digests if name not in ran]
        found += [Difference(group.name, name, "", "is frozen, and the corpus has it no more") for name in gone]
    return found


def run_check(groups: list[str], cases: list[str], lines: int) -> int:
    """Compare and print; the exit code."""
    ran = 0
    found: list[Difference] = []
    started = time.process_time()
    for group, some in chosen(groups, cases):
        ran += len(some)
        more = check(group, some, whole=not cases)
        found += more
        for one in more:
            print(one.text(lines))
    wrong = len({(one.group, one.case) for one in found})
    print(f"{ran} cases, {time.process_time() - started:.0f} s of processor: {wrong} not as frozen")
    return 1 if found else 0


def run_freeze(groups: list[str]) -> int:
    """Freeze whole groups; nothing is written for a group in which a command crashes."""
    code = 0
    for group, cases in chosen(groups, []):
        try:
            made: list[Golden] = [run_case(case) for case in cases]
        except GoldenCrash as crash:
            print(f"{group.name}: not frozen: {crash}", file=sys.stderr)
            code = 1
            continue
        print(f"{group.name}: {len(made)} cases, {'changed' if freeze(group, made) else 'as they were'}")
    for name in {path.name.partition(".")[0] for path in FROZEN.iterdir()} - {group.name for group in GROUPS}:
        print(f"{FROZEN.name}/{name}.*: no group has this name; remove it")
    return code


def run_show(groups: list[str], cases: list[str]) -> int:
    """Print the frozen outputs of cases."""
    shown = 0
    for group, some in chosen(groups, cases):
        names = {case.name for case in some}
        for (case, command), text in Frozen.read(group).texts().items():
            if case in names:
                shown += 1
                print(f"=== {group.name}: {case}\n$ shoetool {command}\n{text}")
    return 0 if shown else 1


def run_marks() -> int:
    """Print each mark: what is said wrongly today, and what should be said."""
    for group, cases in chosen([], []):
        for case in cases:
            if case.due is not None:
                print(f"{group.name}: {case.name}\n{textwrap.indent(case.due.text(), '    ')}", end="")
    return 0


def main() -> int:
    """Freeze, compare or show."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="compare with what is frozen; exit code 1 on a difference")
    parser.add_argument("--show", metavar="CASE", help="print the frozen outputs of the cases whose name holds this")
    parser.add_argument("--marks", action="store_true", help="list the goldens that are known to be wrong")
    parser.add_argument("--group", action="append", default=[], help="only this group; may be repeated")
    parser.add_argument("--case", action="append", default=[], help="with --check: only cases whose name holds this")
    parser.add_argument("--lines", type=int, default=DIFF_LINES, help="lines of each difference, 0 for all")
    options = parser.parse_args()
    if unknown := set(options.group) - {group.name for group in GROUPS}:
        parser.error(f"no group {', '.join(sorted(unknown))}; there are {', '.join(group.name for group in GROUPS)}")
    if options.marks:
        return run_marks()
    if options.show is not None:
        return run_show(options.group, [options.show])
    if options.check:
        return run_check(options.group, options.case, options.lines)
    return run_freeze(options.group)


if __name__ == "__main__":
    sys.exit(main())
