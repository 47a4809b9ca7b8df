"""The card reader device, 633a.7(h), .8(b), .14(j) and twins: its answers are judged by the cards, not by its word."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from shoetool.judge import registry as reg
from shoetool.judge import registry_reader as checks
from shoetool.judge.finding import CANNOT_TELL, HANDLED, Objection
from shoetool.model.cards import card_name, is_blackjack
from shoetool.model.protocol_table import FaultCode, HandEnd, IrregularityCode, Misuse, Peek, ReaderStep
from shoetool.rules.games import Game, game_of
from shoetool.table.actions import Cleared, Faulted, Insured, Peeked, ReaderTested, Reported
from shoetool.table.card import DrawnCard
from shoetool.table.play import dealt_after_blackjack, first_play, for_a_wager, said_blackjack
from shoetool.table.round import Round
from shoetool.table.table import EXTRA_CARD, Table

READER: Final = 64
"""Bit of the options: the table has a card reader device."""
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
_ANSWERS: Final = (int(Peek.NO_BLACKJACK), int(Peek.BLACKJACK))


def answers_in_round(table: Table, round_: Round) -> Iterator[Objection]:
    """Judge a round that is over, all but the cards after Blackjack only if its up card is known."""
    yield from _after_blackjack(table, round_)
    rules = game_of(table.game)
    up = round_.up_card
    if not table.options & READER or up is None or not up.known:
        return
    peeks = [peeked for peeked in round_.peeked if peeked.result in _ANSWERS]
    told = {report.code: report for report in round_.irregularities}
    wrong = [report for report in round_.irregularities if report.code == IrregularityCode.READER_WRONG_UP_CARD]
    if not rules.asks_reader(up.card):
        yield from _other_up_card(round_, up, peeks, wrong)
        return
    for report in wrong:
        yield from _unexplained(report)
    yield from _in_time(round_, up, peeks, told.get(IrregularityCode.PEEK_MISSED))
    if peeks:
        yield from _said_right(rules, round_, up, peeks[-1])


def _other_up_card(round_: Round, up: DrawnCard, peeks: list[Peeked], told: list[Reported]) -> Iterator[Objection]:
    name = card_name(up.card)
    for peek in peeks:
        text = f"the card reader device answered with {name} up."
        yield Objection(checks.OTHER_UP_CARD, text, (up.record, peek.record), (up,))
    for report in told if not peeks else ():
        went = "the round was voided" if round_.void else "play went on"
        text = f"the card reader device was used with {name} up; it showed nothing and {went}."
        yield Objection(checks.OTHER_UP_CARD, text, (up.record, report.record), (up,), verdict=HANDLED)


def _in_time(round_: Round, up: DrawnCard, peeks: list[Peeked], told: Reported | None) -> Iterator[Objection]:
    """The peek after insurance and before anybody decides or draws."""
    name = card_name(up.card)
    played = first_play(round_)
    if played < 0 and round_.settled and any(hand.ended != HandEnd.DEAD for hand in round_.hands.values()):
        played = round_.closed
    if played >= 0 and not any(peek.record < played for peek in peeks):
        records = (up.record, played, *(peek.record for peek in peeks), -1 if told is None else told.record)
        text = f"play went on with {name} up before the card reader device was used."
        yield Objection(checks.PEEK, text, records, (up,))
    elif told is not None:
        yield from _unexplained(told)
    if up.card % 13 == 0 and peeks and not any(closed.record < peeks[0].record for closed in round_.of(Insured)):
        text = f"the card reader device was used with {name} up before insurance was offered and closed."
        yield Objection(checks.PEEK, text, (up.record, peeks[0].record), (up,), "633a.8(b) timing")


def _said_right(rules: Game, round_: Round, up: DrawnCard, peek: Peeked) -> Iterator[Objection]:
    hole = round_.hole
    said = peek.result == Peek.BLACKJACK
    if hole is None or not hole.known:
        return
    if said != (is_blackjack([up.card, hole.card]) and rules.asks_reader(hole.card)):
        shown = f"{card_name(up.card)} and {card_name(hole.card)}"
        text = f"the card reader device said {'Blackjack' if said else 'no Blackjack'}; the dealer had {shown}."
        yield Objection(checks.ANSWER, text, (up.record, hole.record, peek.record), (up, hole))


def _after_blackjack(table: Table, round_: Round) -> Iterator[Objection]:
    for card in dealt_after_blackjack(round_):
        if table.options & EXTRA_CARD and for_a_wager(round_, card):
            continue
        said = said_blackjack(round_)[0].record
        text = "a card was dealt after the card reader device had said Blackjack."
        yield Objection(checks.ANSWER, text, (said, card.record), (card,))


def _unexplained(report: Reported) -> Iterator[Objection]:
    text = "the shoe reported a wrong use of the card reader device but its records do not show it."
    yield Objection(reg.UNEXPLAINED, text, (report.record,), verdict=CANNOT_TELL)


class Reader:
    """The device itself, 633a.2(f), .14(k) and twins: its inspections, faults and refusals."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self._inspected = -1
        self._said = False
        self._failed = -1
        self._passed = -1

    def shoe_opened(self) -> None:
        """Each history says for itself whether the reader was inspected."""
        self._inspected = -1
        self._said = False

    def tested(self, test: ReaderTested) -> None:
        """One step of the inspection."""
        step, record = test
        self._inspected = record if step in _INSPECTED else -1
        if step == ReaderStep.PASSED:
            self._passed = record

    def fault(self, fault: Faulted) -> Iterator[Objection]:
        """The reader failed, or another card than the hole card lay in it."""
        if fault.code == FaultCode.READER:
            self._inspected = -1
            self._failed = fault.record
        elif fault.code == FaultCode.HOLE_CARD:
            text = "a card that is not the hole card dealt from the shoe was put into the card reader device."
            yield Objection(checks.OTHER_CARD, text, (fault.record,))

    def cleared(self, cleared: Cleared) -> Iterator[Objection]:
        """633a.14(k): the table goes on when the reader has passed its inspection."""
        if cleared.code != FaultCode.READER or self._failed < 0:
            return
        records = (self._failed, self._passed, cleared.record)
        if self._passed > self._failed:
            text = "the card reader device failed; the table stopped until it passed its inspection."
            yield Objection(checks.FAILED, text, records, verdict=HANDLED)
        else:
            text = "the card reader device failed and the table went on without an inspection."
            yield Objection(checks.FAILED, text, records)
        self._failed = -1

    def round_opened(self, round_: Round) -> Iterator[Objection]:
        """633a.2(f) second sentence; said once a history."""
        if self._inspected >= 0 or self._said or not self.table.options & READER or self.table.gap:
            return
        self._said = True
        text = "a round was opened although the card reader device was not inspected on this gaming day."
        yield Objection(checks.INSPECTION, text, (round_.record,))

    def misused(self, report: Reported) -> Iterator[Objection]:
        """The reader's own refusals."""
        why = report.detail
        when = _MISUSES[Misuse(why)] if why in set(Misuse) else "at the wrong time"
        clause = "633a.8(b) timing" if why == Misuse.BEFORE_INSURANCE else None
        text = f"the card reader device was used {when}; it showed nothing."
        yield Objection(checks.PEEK, text, (report.record,), (), clause, HANDLED)
