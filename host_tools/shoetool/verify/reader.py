"""The card reader device between the rounds, 633a.2(f), .14(k) and twins: its inspections, faults and refusals."""

from __future__ import annotations

from typing import Final

from shoetool.judge import registry_reader as checks
from shoetool.judge.finding import BREACH, HANDLED
from shoetool.judge.reader import READER
from shoetool.model.protocol_table import FaultCode, IrregularityCode, Misuse, ReaderStep
from shoetool.model.records import Record
from shoetool.verify.context import Context

_INSPECTED: Final = (int(ReaderStep.PASSED), int(ReaderStep.CARRIED))
_MISUSES: Final = {
    Misuse.NO_ROUND: "while no round was open",
    Misuse.DEAL_NOT_OVER: "before the opening deal was over",
    Misuse.BEFORE_INSURANCE: "with an ace up before insurance was offered and closed",
    Misuse.AFTER_DECISION: "after a player had decided or drawn",
    Misuse.ANSWERED: "a second time",
    Misuse.NO_HOLE_CARD: "while no hole card lay face down",
    Misuse.STOPPED: "while the game was stopped",
    Misuse.NOT_CONFIGURED: "although the shoe was set up without the device",
    Misuse.BEFORE_CHOICE: "before every player had chosen between two hands",
    Misuse.UP_CARD_UNKNOWN: "with an up card that is not known",
}


class Reader:
    """What the records say of the reader itself. What it answered in a round is judged by the cards: `judge.reader`."""

    def __init__(self, ctx: Context) -> None:
        self.ctx = ctx
        self._inspected = -1
        self._said = False
        self._failed = -1
        self._passed = -1

    def shoe_opened(self) -> None:
        """Each history says for itself whether the reader was inspected."""
        self._inspected = -1
        self._said = False

    def step(self, record: Record) -> None:
        """One step of the inspection."""
        self._inspected = record.number if record.values[0] in _INSPECTED else -1
        if record.values[0] == ReaderStep.PASSED:
            self._passed = record.number

    def fault(self, record: Record) -> None:
        """The reader failed, or another card than the hole card lay in it."""
        if record.values[0] == FaultCode.READER:
            self._inspected = -1
            self._failed = record.number
        elif record.values[0] == FaultCode.HOLE_CARD:
            text = "a card that is not the hole card dealt from the shoe was put into the card reader device."
            self.ctx.add(checks.OTHER_CARD, BREACH, (record.number,), text)

    def cleared(self, record: Record) -> None:
        """633a.14(k): the table goes on when the reader has passed its inspection."""
        if record.values[0] != FaultCode.READER or self._failed < 0:
            return
        records = (self._failed, self._passed, record.number)
        if self._passed > self._failed:
            text = "the card reader device failed; the table stopped until it passed its inspection."
            self.ctx.add(checks.FAILED, HANDLED, records, text)
        else:
            text = "the card reader device failed and the table went on without an inspection."
            self.ctx.add(checks.FAILED, BREACH, records, text)
        self._failed = -1

    def round_opened(self, record: Record) -> None:
        """633a.2(f) second sentence; said once a history."""
        if self._inspected >= 0 or self._said or not self.ctx.table.options & READER or self.ctx.table.gap:
            return
        self._said = True
        text = "a round was opened although the card reader device was not inspected on this gaming day."
        self.ctx.add(checks.INSPECTION, BREACH, (record.number,), text)

    def irregularity(self, record: Record) -> None:
        """The reader's own refusals."""
        if record.values[0] == IrregularityCode.READER_MISUSED:
            why = record.values[4]
            when = _MISUSES[Misuse(why)] if why in set(Misuse) else "at the wrong time"
            clause = "633a.8(b) timing" if why == Misuse.BEFORE_INSURANCE else None
            text = f"the card reader device was used {when}; it showed nothing."
            self.ctx.add(checks.PEEK, HANDLED, (record.number,), text, clause=clause)
