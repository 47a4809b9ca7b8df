"""The tables of a night as CSV files (RFC 4180): findings, rounds, cards and wagers, written as rounds come.

They are UTF-8 with a byte order mark, by which a spreadsheet knows it and shows the suits. Times are RFC 3339.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

from shoetool.case.facts import Case
from shoetool.case.told_night import NightTold, RoundPart, round_part
from shoetool.model.file_kinds import CSV
from shoetool.model.money import dollars, signed
from shoetool.model.output_file import writing_whole
from shoetool.model.printable import clean
from shoetool.rules.round import Line
from shoetool.rules.wagers.catalogue import title_of

_NUMBER: Final = re.compile(r"[+-]?\d+(\.\d+)?")
_HEADS: Final[dict[str, tuple[str, ...]]] = {
    "findings.csv": (
        *("id", "state", "verdict", "clause", "round", "began", "ended", "uncertainty_ms", "time_basis", "what"),
        "proof",
    ),
    "rounds.csv": (
        *("history", "round", "began", "ended", "uncertainty_ms", "time_basis", "positions", "findings", "totals"),
    ),
    "cards.csv": (
        *("history", "round", "order", "time", "uncertainty_ms", "card", "to", "as", "from", "record", "note"),
    ),
    "wagers.csv": (
        *("history", "shoe", "round", "position", "hand", "wager", "staked", "odds", "due", "clause"),
        *("outcome", "words"),
    ),
}


class CsvFiles:
    """The four files, in a `with`: each is there whole once it ends, and none of them when the work inside fails."""

    def __init__(self, folder: Path) -> None:
        """Write into this folder."""
        self.files = [folder / name for name in _HEADS]
        self._open = ExitStack()
        self._write: dict[str, Any] = {}

    def __enter__(self) -> Self:
        """Open them. BadInput when they cannot be written."""
        with ExitStack() as opening:
            for path in self.files:
                file = opening.enter_context(writing_whole(path, CSV))
                text = io.TextIOWrapper(file, encoding="utf-8-sig", newline="")
                opening.callback(text.detach)  # or it would close the file before it is durable
                self._write[path.name] = csv.writer(text)
                self._write[path.name].writerow(_HEADS[path.name])
            self._open = opening.pop_all()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close them. BadInput when one of them could not be written."""
        self._open.__exit__(kind, error, trace)

    def add(self, case: Case) -> None:
        """Write a round, its cards and its wagers."""
        history = clean(case.sources[0].name)
        part = round_part(case, "")
        self._rows("rounds.csv", [_round(history, part)])
        self._rows("cards.csv", _cards(history, part))
        self._rows("wagers.csv", _wagers(history, case))

    def findings(self, told: NightTold) -> None:
        """Write the findings, with their register."""
        for shoe in told.shoes:
            self._rows(
                "findings.csv",
                (
                    (
                        *(one.name, one.state, one.mark, one.clause, one.round, *one.at, one.basis, one.sentence),
                        one.proof,
                    )
                    for one in shoe.findings
                ),
            )

    def _rows(self, name: str, rows: Iterable[Sequence[str]]) -> None:
        self._write[name].writerows([_safe(cell) for cell in row] for row in rows)


def _safe(cell: str) -> str:
    """A spreadsheet must not take a text for a formula."""
    return f"'{cell}" if cell[:1] in ("=", "+", "-", "@") and not _NUMBER.fullmatch(cell) else cell


def _round(history: str, part: RoundPart) -> Sequence[str]:
    positions = " ".join(map(str, part.positions))
    times = part.began, part.ended, part.uncertainty, part.basis
    return history, part.told.title, *times, positions, "; ".join(part.found), part.told.totals


def _cards(history: str, part: RoundPart) -> Iterator[Sequence[str]]:
    for row in part.told.dealt:
        card = row.face.rank + row.face.suit or row.face.spoken
        yield (
            *(history, part.told.title, str(row.order), *row.at, card, row.where, row.role, row.side),
            *(str(row.record), row.note),
        )


def _wagers(history: str, case: Case) -> Iterator[Sequence[str]]:
    for line in () if case.settled is None else case.settled.settlement.lines:
        if line.position is not None:
            shoe = "" if case.shoe is None else str(case.shoe)
            yield history, shoe, str(case.number), *_wager(line)


def _wager(line: Line) -> tuple[str, ...]:
    hand = "" if line.hand is None else str(line.hand)
    odds = "" if line.odds is None else line.odds.text
    return (
        *(str(line.position), hand, title_of(line.wager), dollars(line.staked), odds, signed(line.net)),
        *(line.clause, line.outcome, line.words),
    )
