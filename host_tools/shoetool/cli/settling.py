"""Settle the rounds of a file one by one: their rules, their cards (also from a history), what was paid."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

from shoetool.case.settled import Dealt, Settled, settle_at
from shoetool.cli.reading import opened, widened
from shoetool.history.readings import Basis
from shoetool.history.start_clock import Moment
from shoetool.model.errors import BadInput
from shoetool.model.text_file import as_text, read_text
from shoetool.report.time_of_day import round_moments
from shoetool.round_file.file import LARGEST_FILE, BadLine, Entry, parse_each
from shoetool.round_file.tables import Rules
from shoetool.table.replay import rounds_at_tables

STANDARD_INPUT: Final = "-"
_TOO_LONG: Final = "settle a table record in parts"


def read_rounds(file: str) -> tuple[Entry | BadLine, ...]:
    """Return the rounds of a file, or of standard input for `-`. A line that is no round is a BadLine in its place.

    BadInput names what cannot be read at all, and where.
    """
    if file == STANDARD_INPUT:
        name = "standard input"
        text = as_text(sys.stdin.buffer.read(LARGEST_FILE + 1), name, LARGEST_FILE, _TOO_LONG, "surrogateescape")
    else:
        name, text = file, read_text(Path(file), LARGEST_FILE, _TOO_LONG, "surrogateescape")
    entries = tuple(parse_each(text, name))
    if not entries:
        raise BadInput(f"{name}: holds no round")
    return entries


class HistoryRounds:
    """The rounds of histories that round files point to, by the device's number of the shoe and the round's number."""

    def __init__(self, files: Iterable[Path], wanted: Iterable[Entry]) -> None:
        """Read the histories and keep the wanted rounds. BadInput when a file is no history."""
        numbers = {entry.round for entry in wanted}
        self._found: list[Dealt] = []
        self.span: tuple[int, int] | None = None
        """The first and the last known time of all rounds of the histories, in Unix ms."""
        self._files = [str(file) for file in files]
        for file in self._files:
            with opened(Path(file)) as reader:
                for one, state in rounds_at_tables(reader.records()):
                    when = round_moments(one, reader.moment)
                    for moment in when:
                        self.span = widened(self.span, moment)
                    if one.number in numbers:
                        self._found.append(Dealt.at(state, one, reader.chain.shoe, *when))

    def find(self, entry: Entry) -> Dealt:
        """Return the round that an entry points to. BadInput when there is none, or more than one."""
        asked = f"round {entry.round}" + (f" of shoe {entry.shoe}" if entry.shoe is not None else "")
        if not self._files:
            raise BadInput(f"its cards are in a history ({asked}); give it with --history")
        found = [
            one
            for one in self._found
            if one.round.number == entry.round and (entry.shoe is None or one.shoe == entry.shoe)
        ]
        if not found:
            raise BadInput(f"there is no {asked} in {', '.join(self._files)}")
        if len(found) > 1:
            how = "give one" if entry.shoe is not None else 'write "shoe" beside "round", or give one history'
            raise BadInput(f"{asked} is there {len(found)} times; {how}")
        return found[0]

    def clock_notes(self, documents: Iterable[dict[str, Any]]) -> list[str]:
        """Return a line on what the times of day in these documents of rounds rest on."""
        words = {one[at]["basis"] for one in documents for at in ("began_at", "ended_at") if one.get(at)}
        return [f"times of day are {basis.sentence}" for basis in Basis if basis.word in words]

    def when(self, entry: Entry) -> tuple[Moment | None, Moment | None]:
        """Return when the round of an entry began and ended. None for an unknown time, or without a history."""
        if entry.round is None:
            return None, None
        try:
            found = self.find(entry)
        except BadInput:
            return None, None
        return found.began, found.ended


def settle_entry(entry: Entry, rules: Rules, histories: HistoryRounds, where: str) -> Settled:
    """Settle one round. BadInput, with the clause if there is one, when the rules do not allow the round."""
    return settle_at(entry, rules.find(entry.table, where), histories.find, where)
