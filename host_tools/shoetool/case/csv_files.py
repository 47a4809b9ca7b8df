"""The tables of a night as CSV files (RFC 4180, UTF-8): findings, rounds, cards and wagers."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final

from shoetool.case.facts import Night
from shoetool.case.told_night import NightTold
from shoetool.model.durable import write_whole
from shoetool.model.money import dollars, signed
from shoetool.model.printable import clean
from shoetool.rules.round import Line
from shoetool.rules.wagers.catalogue import title_of

_NUMBER: Final = re.compile(r"[+-]?\d+(\.\d+)?")


def write_csv(folder: Path, nights: Sequence[Night], told: NightTold) -> list[Path]:
    """Write the four files and return them. BadInput when one cannot be written."""
    found = []
    for name, head, rows in (
        ("findings.csv", ("id", "state", "verdict", "clause", "round", "time", "what", "proof"), _findings(told)),
        ("rounds.csv", ("history", "round", "began", "ended", "positions", "findings", "totals"), _rounds(told)),
        (
            "cards.csv",
            ("history", "round", "order", "time", "card", "to", "as", "from", "record", "note"),
            _cards(told),
        ),
        (
            "wagers.csv",
            (
                *("history", "shoe", "round", "position", "hand", "wager", "staked", "odds", "due", "clause"),
                *("outcome", "words"),
            ),
            _wagers(nights),
        ),
    ):
        path = folder / name
        write_whole(path, _text([head, *rows]))
        found.append(path)
    return found


def _text(rows: Iterable[Sequence[str]]) -> str:
    out = io.StringIO()
    csv.writer(out).writerows([_safe(cell) for cell in row] for row in rows)
    return out.getvalue()


def _safe(cell: str) -> str:
    """A spreadsheet must not take a text for a formula."""
    return f"'{cell}" if cell[:1] in ("=", "+", "-", "@") and not _NUMBER.fullmatch(cell) else cell


def _findings(told: NightTold) -> Iterator[Sequence[str]]:
    for shoe in told.shoes:
        for one in shoe.findings:
            yield one.name, one.state, one.mark, one.clause, one.round, one.time, one.sentence, one.proof


def _rounds(told: NightTold) -> Iterator[Sequence[str]]:
    for shoe in told.shoes:
        for one in shoe.rounds:
            positions = " ".join(map(str, one.positions))
            yield shoe.file, one.told.title, one.began, one.ended, positions, "; ".join(one.found), one.told.totals


def _cards(told: NightTold) -> Iterator[Sequence[str]]:
    for shoe in told.shoes:
        for one in shoe.rounds:
            for row in one.told.dealt:
                card = row.face.rank + row.face.suit or row.face.spoken
                yield (
                    *(shoe.file, one.told.title, str(row.order), row.time, card, row.where, row.role, row.side),
                    *(str(row.record), row.note),
                )


def _wagers(nights: Sequence[Night]) -> Iterator[Sequence[str]]:
    for night in nights:
        for case in night.cases:
            for line in () if case.settled is None else case.settled.settlement.lines:
                if line.position is not None:
                    shoe = "" if case.shoe is None else str(case.shoe)
                    yield clean(night.source.name), shoe, str(case.number), *_wager(line)


def _wager(line: Line) -> tuple[str, ...]:
    hand = "" if line.hand is None else str(line.hand)
    odds = "" if line.odds is None else line.odds.text
    return (
        *(str(line.position), hand, title_of(line.wager), dollars(line.staked), odds, signed(line.net)),
        *(line.clause, line.outcome, line.words),
    )
