"""The evidence itself: commitments against openings, faults that were left, pages and records in sequence."""

from __future__ import annotations

import hashlib
from typing import Final

from shoetool.history.chain import ChainProblem, gap
from shoetool.history.chunks import Scan
from shoetool.judge import registry as reg
from shoetool.judge.finding import BREACH, CANNOT_TELL
from shoetool.model.cards import UNKNOWN
from shoetool.model.protocol_table import FAULTS, FaultCode, Finish
from shoetool.model.records import Record
from shoetool.table.card import FACE_DOWN
from shoetool.table.round import Round
from shoetool.table.table import NOT_SEALED, OUTSIDE_ROUND, ROUND_LEFT_OPEN
from shoetool.verify.context import Context

_CHANGED: Final = frozenset(("chain", "device", "page order"))
# A fresh batch clears these, and their cause is a finding of its own.
_TOLD_ELSEWHERE: Final = (FaultCode.EXTRA_CARD, FaultCode.COUNT_WRONG, FaultCode.DECKS_RETIRED)
_MOST_SEALED: Final = 4096


def opens(commitment: bytes, nonce: bytes, card: int, batch: int) -> bool:
    """Whether nonce, card id and batch are what a sealed card's commitment was made of (protocol.toml)."""
    return hashlib.sha256(nonce + bytes((card, batch))).digest() == commitment


class Commitments:
    """Each opening gives its commitment, and each sealed card is opened once at most."""

    def __init__(self, ctx: Context) -> None:
        self.ctx = ctx
        self._sealed: dict[int, tuple[int, bytes]] = {}

    def sealed(self, record: Record) -> None:
        """Keep the commitment until the card is opened."""
        if len(self._sealed) >= _MOST_SEALED:
            self._sealed.clear()
        self._sealed[record[0]] = record[4][3:]

    def opened(self, record: Record) -> None:
        """Hold an opening against the commitment that it names."""
        number, _, _, _, card, batch, nonce = record[4]
        found = self._sealed.pop(number, None)
        if found is None:
            return
        if card != UNKNOWN and not opens(found[1], nonce, card, batch):
            text = f"the card opened as record {record.number} is not the one that was sealed as record {number}."
            self.ctx.add(reg.COMMITMENT, BREACH, (number, record.number), text, (card,))

    def round_closed(self, round_: Round) -> None:
        """The hole card is turned, or opened, when its round ends at the latest."""
        hole = round_.hole
        if round_.closed < 0 or hole is None or hole.card != FACE_DOWN or self._sealed.pop(hole.record, None) is None:
            return
        text = "the round was closed and the hole card was not opened."
        self.ctx.add(reg.LEFT_SEALED, CANNOT_TELL, (hole.record, round_.closed), text, (), round_)

    def shoe_closed(self, record: Record, double: bool) -> None:
        """Every card that lay face down is open by now; a side of a double shoe that goes on keeps its own closed."""
        if not double or record.values[0] == Finish.DAY_END:
            self._left(record, sorted(self._sealed))

    def loaded(self, record: Record) -> None:
        """The cards that this side held before are all open by now."""
        side = record.values[0]
        before = self.ctx.table.shoe_record
        self._left(record, [n for n, (head, _) in sorted(self._sealed.items()) if head == side and n < before])

    def _left(self, record: Record, left: list[int]) -> None:
        for number in left:
            del self._sealed[number]
        if left and not self.ctx.table.gap:
            what = "a card" if len(left) == 1 else f"{len(left)} cards"
            text = f"the shoe was closed and {what} that lay face down never opened."
            self.ctx.add(reg.LEFT_SEALED, CANNOT_TELL, (*left[:50], record.number), text)


def report_anomaly(ctx: Context, record: Record, first: int) -> None:
    """What does not fit what came before; `first` is the first record of the history."""
    anomaly = ctx.table.anomaly
    assert anomaly is not None
    records = (anomaly.record,)
    if anomaly.sort == OUTSIDE_ROUND:
        card = ctx.table.card
        shown = [card.card] if card is not None else []
        ctx.add(reg.CARD_OUTSIDE, BREACH, records, "a card went to a hand while no round was open.", shown)
    elif anomaly.sort == NOT_SEALED:
        if record.values[0] < first:
            return  # it was sealed in the history before this one
        text = f"record {anomaly.record} opens a card that was not sealed or was opened before."
        ctx.add(reg.COMMITMENT, BREACH, records, text)
    elif anomaly.sort == ROUND_LEFT_OPEN:
        broken = ctx.table.closed_round
        number = "" if broken is None else f"{broken.number} "
        ctx.add(reg.INCOMPLETE, CANNOT_TELL, records, f"round {number}was opened and never closed.", (), broken)
    else:
        ctx.add(reg.SEQUENCE, CANNOT_TELL, records, f"record {anomaly.record} does not fit: {anomaly.text}.")


def report_gap(ctx: Context, before: int, record: int) -> None:
    """Record numbers that do not run on, in a sequence of records without pages."""
    if record > before + 1:
        text = f"{gap('record', before + 1, record - 1)}; what happened there is not proved."
    else:
        text = f"record {record} stands after record {before}."
    ctx.add(reg.SEQUENCE, CANNOT_TELL, (before, record), text)


def report_chain(ctx: Context, problem: ChainProblem) -> None:
    """A place where pages or records do not fit: a breach where something was changed."""
    records = () if problem.record is None else (problem.record,)
    verdict = BREACH if problem.kind in _CHANGED else CANNOT_TELL
    ctx.add(reg.SEQUENCE, verdict, records, problem.text)


def report_cut(ctx: Context, scan: Scan, records: int, last: int | None) -> bool:
    """A file that shows by itself that something of the history is missing; whether it does.

    A file that ends between two chunks shows nothing: a shoe that is still under way is fetched in such parts.
    """
    if scan.truncated:
        text = "the file ends within a chunk; the end of the history is missing."
    elif scan.damaged:
        text = "bytes of the file are damaged; that part of the history is missing."
    elif not records:
        text = "the file holds no record; nothing is proved."
    else:
        return False
    ctx.add(reg.CUT, CANNOT_TELL, () if last is None else (last,), text, of_file=True)
    return True


def report_faults(ctx: Context) -> None:
    """Faults that were still latched when the history ended."""
    for code, record in sorted(ctx.table.faults.items()):
        row = FAULTS.get(code)
        if row is None or code in _TOLD_ELSEWHERE or (not row["stop"] and code != FaultCode.JOURNAL_DAMAGED):
            continue
        clause = "633a.14(k)" if code == FaultCode.READER else None
        text = f"fault {row['name']} was never cleared: {row['means']}"
        ctx.add(reg.FAULT_LEFT, CANNOT_TELL, (record.number,), text, (), None, clause)
