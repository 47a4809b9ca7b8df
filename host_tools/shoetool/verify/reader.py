"""The card reader device, 633a.2(f), .7(h), .8(b), .14(j)-(k) and twins: judged by the cards, not by its own word."""

from __future__ import annotations

from typing import Final

from shoetool.judge import registry as reg
from shoetool.judge import registry_reader as checks
from shoetool.judge.verdicts import BREACH, CANNOT_TELL, HANDLED
from shoetool.model.cards import card_name, is_blackjack
from shoetool.model.protocol_table import (
    FaultCode,
    HandEnd,
    IrregularityCode,
    Misuse,
    Peek,
    ReaderStep,
    RecordKind,
    Role,
)
from shoetool.model.records import Record
from shoetool.table.card import DrawnCard
from shoetool.table.play import dealt_after_blackjack, first_play, said_blackjack
from shoetool.table.round import Round
from shoetool.verify.context import Context, faces

READER: Final = 64
"""Bit of the options: the table has a card reader device."""
_ANSWERS: Final = (int(Peek.NO_BLACKJACK), int(Peek.BLACKJACK))
_INSPECTED: Final = (int(ReaderStep.PASSED), int(ReaderStep.CARRIED))
_MISUSES: Final = {
    Misuse.NO_ROUND: "while no round was open",
    Misuse.DEAL_NOT_OVER: "before the opening deal was over",
    Misuse.BEFORE_INSURANCE: "with an ace up before insurance was offered and closed",
    Misuse.AFTER_DECISION: "after a player had decided or drawn",
    Misuse.ANSWERED: "a second time",
    Misuse.NO_HOLE_CARD: "while no hole card lay face down",
    Misuse.STOPPED: "while the game was stopped",
    Misuse.NOT_CONFIGURED: "although the shoe was set up without one",
    Misuse.BEFORE_CHOICE: "before every player had chosen between two hands",
    Misuse.UP_CARD_UNKNOWN: "with an up card that the history does not know",
}


class Reader:
    """What the records say of the reader, and each round judged by its cards."""

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
        if self._inspected >= 0 or self._said or not self.ctx.table.options & READER or self.ctx.tainted:
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

    # ------------------------------------------------------------------------------------------------ the round
    def round_closed(self, round_: Round) -> None:
        """Judge a round that is over, all but the cards after Blackjack only if its up card is known."""
        self._after_blackjack(round_)
        up = _of_role(round_, Role.DEALER_UP)
        if not self.ctx.table.options & READER or up is None or not up.known:
            return
        peeks = [step[0] for step in round_.steps if step[0].kind == RecordKind.PEEK and step[0].values[0] in _ANSWERS]
        told = {record.values[0]: record for record in round_.irregularities}
        wrong = [r for r in round_.irregularities if r.values[0] == IrregularityCode.READER_WRONG_UP_CARD]
        if not self._asks(up.card):
            self._other_up_card(round_, up, peeks, wrong)
            return
        for record in wrong:
            self._unexplained(record, round_)
        self._in_time(round_, up, peeks, told.get(IrregularityCode.PEEK_MISSED))
        if peeks:
            self._said_right(round_, up, peeks[-1])

    def _asks(self, card: int) -> bool:
        return card % 13 in self.ctx.rules.reader_ranks

    def _other_up_card(self, round_: Round, up: DrawnCard, peeks: list[Record], told: list[Record]) -> None:
        name = card_name(up.card)
        for record in peeks:
            text = f"the card reader device answered with {name} up."
            self.ctx.add(checks.OTHER_UP_CARD, BREACH, (up.record, record.number), text, faces((up,)), round_)
        for record in told if not peeks else ():
            went = "the round was voided" if round_.void else "play went on"
            text = f"the card reader device was used with {name} up; it showed nothing and {went}."
            self.ctx.add(checks.OTHER_UP_CARD, HANDLED, (up.record, record.number), text, faces((up,)), round_)

    def _in_time(self, round_: Round, up: DrawnCard, peeks: list[Record], told: Record | None) -> None:
        """The peek after insurance and before anybody decides or draws."""
        name = card_name(up.card)
        played = first_play(round_)
        if played < 0 and round_.settled and any(hand.ended != HandEnd.DEAD for hand in round_.hands.values()):
            played = round_.closed
        if played >= 0 and not any(record.number < played for record in peeks):
            records = (up.record, played, *(record.number for record in peeks), -1 if told is None else told.number)
            text = f"play went on with {name} up before the card reader device was used."
            self.ctx.add(checks.PEEK, BREACH, records, text, faces((up,)), round_)
        elif told is not None:
            self._unexplained(told, round_)
        if up.card % 13 == 0 and peeks:
            closed = [step[0].number for step in round_.steps if step[0].kind == RecordKind.INSURANCE]
            if not any(number < peeks[0].number for number in closed):
                text = f"the card reader device was used with {name} up before insurance was offered and closed."
                records = (up.record, peeks[0].number)
                self.ctx.add(checks.PEEK, BREACH, records, text, faces((up,)), round_, "633a.8(b) timing")

    def _said_right(self, round_: Round, up: DrawnCard, peek: Record) -> None:
        hole = round_.hole
        said = peek.values[0] == Peek.BLACKJACK
        if hole is None or not hole.known:
            return
        if said != (is_blackjack([up.card, hole.card]) and self._asks(hole.card)):
            shown = f"{card_name(up.card)} and {card_name(hole.card)}"
            text = f"the card reader device said {'Blackjack' if said else 'no Blackjack'}; the dealer had {shown}."
            self.ctx.add(checks.ANSWER, BREACH, (up.record, hole.record, peek.number), text, faces((up, hole)), round_)

    def _after_blackjack(self, round_: Round) -> None:
        drawn = dealt_after_blackjack(round_)
        if drawn:
            text = "a card was dealt after the card reader device had said Blackjack."
            records = [record.number for record in said_blackjack(round_)[:1]] + [card.record for card in drawn]
            self.ctx.add(checks.ANSWER, BREACH, records, text, faces(drawn), round_)

    def _unexplained(self, record: Record, round_: Round) -> None:
        text = "the shoe reported a wrong use of the card reader device and its own records do not show it."
        self.ctx.add(reg.UNEXPLAINED, CANNOT_TELL, (record.number,), text, (), round_)


def _of_role(round_: Round, role: Role) -> DrawnCard | None:
    return next((card for card in round_.dealer if card.role == role), None)
