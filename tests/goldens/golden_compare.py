"""Compares what a case gives with what is frozen: a change of the corpus apart from a change of what is said of it."""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from dataclasses import dataclass

from golden_case import Golden
from golden_outputs import MARK
from golden_store import Frozen, readable, rows

FILE = "file "


@dataclass(frozen=True, slots=True)
class Difference:
    """Something that is not as frozen: of a command (empty: of the case), in a sentence, with the lines that differ."""

    group: str
    case: str
    command: str
    what: str
    lines: tuple[str, ...] = ()

    def text(self, most: int = 0) -> str:
        """The difference for people, at most so many of its lines; 0 for all."""
        where = f"{self.group}: {self.case}"
        if self.command:
            where += f": {self.command}" if self.command == MARK else f": shoetool {self.command}"
        shown = self.lines[:most] if most else self.lines
        more = len(self.lines) - len(shown)
        rest = [f"    ... {more} more lines (--lines 0 shows all)"] if more else []
        return "\n".join([f"{where}: {self.what}", *(f"    {line}" for line in shown), *rest])


def differences(frozen: Frozen, golden: Golden) -> list[Difference]:
    """Everything in which a case is not as frozen."""
    before = frozen.digests.get(golden.case)
    if before is None:
        return [Difference(frozen.group.name, golden.case, "", "was never frozen: make goldens")]
    now = dict(rows(golden))
    if before == now:
        return []
    return list(_of_the_corpus(frozen, golden, before, now)) + list(_of_outputs(frozen, golden, before, now))


def _of_the_corpus(frozen: Frozen, golden: Golden, before: dict[str, str], now: dict[str, str]) -> Iterator[Difference]:
    files = {what for what in before | now if what.startswith(FILE)}
    changed = sorted(what.removeprefix(FILE) for what in files if before.get(what) != now.get(what))
    if changed:
        what = f"THE CORPUS CHANGED ({', '.join(changed)}): what makes it is not what it was; "
        if set(changed) <= set(golden.replaced):
            what += "the commands were run on the frozen files, so what differs below is what they say"
        else:
            what += "what differs below may come of that alone"
        yield Difference(frozen.group.name, golden.case, "", what)


def _of_outputs(frozen: Frozen, golden: Golden, before: dict[str, str], now: dict[str, str]) -> Iterator[Difference]:
    texts: dict[tuple[str, str], str] | None = None
    for command in dict.fromkeys([*before, *now]):
        if command.startswith(FILE) or before.get(command) == now.get(command):
            continue
        if command not in before or command not in now:
            what = "is no more run" if command in before else "was never frozen"
            yield Difference(frozen.group.name, golden.case, command, what)
            continue
        texts = frozen.texts() if texts is None else texts
        old, new = texts.get((golden.case, command), ""), readable(golden.outputs[command])
        lines = difflib.unified_diff(old.splitlines(), new.splitlines(), "frozen", "now", lineterm="", n=2)
        what = "differs" if old != new else "differs only in commitments or nonces, which the frozen text leaves out"
        yield Difference(frozen.group.name, golden.case, command, what, tuple(lines))
