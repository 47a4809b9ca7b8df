"""The card reader device in a round, 633a.7(h), .8(b), .14(j) and twins: judged by the cards, not by its own word."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from shoetool.judge import registry as reg
from shoetool.judge import registry_reader as checks
from shoetool.judge.finding import CANNOT_TELL, HANDLED, Objection
from shoetool.model.cards import card_name, is_blackjack
from shoetool.model.protocol_table import HandEnd, IrregularityCode, Peek
from shoetool.rules.games import Game, game_of
from shoetool.table.actions import Insured, Peeked, Reported
from shoetool.table.card import DrawnCard
from shoetool.table.play import dealt_after_blackjack, first_play, said_blackjack
from shoetool.table.round import Round
from shoetool.table.table import Table

READER: Final = 64
"""Bit of the options: the table has a card reader device."""
_ANSWERS: Final = (int(Peek.NO_BLACKJACK), int(Peek.BLACKJACK))


def answers_in_round(table: Table, round_: Round) -> Iterator[Objection]:
    """Judge a round that is over, all but the cards after Blackjack only if its up card is known."""
    yield from _after_blackjack(round_)
    rules = game_of(table.game)
    up = round_.up_card
    if not table.options & READER or up is None or not up.known:
        return
    peeks = [peeked for peeked in round_.of(Peeked) if peeked.result in _ANSWERS]
    told = {report.code: report for report in round_.irregularities}
    wrong = [report for report in round_.irregularities if report.code == IrregularityCode.READER_WRONG_UP_CARD]
    if not _asks(rules, up.card):
        yield from _other_up_card(round_, up, peeks, wrong)
        return
    for report in wrong:
        yield from _unexplained(report)
    yield from _in_time(round_, up, peeks, told.get(IrregularityCode.PEEK_MISSED))
    if peeks:
        yield from _said_right(rules, round_, up, peeks[-1])


def _asks(rules: Game, card: int) -> bool:
    return card % 13 in rules.facts.reader_ranks


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
    if said != (is_blackjack([up.card, hole.card]) and _asks(rules, hole.card)):
        shown = f"{card_name(up.card)} and {card_name(hole.card)}"
        text = f"the card reader device said {'Blackjack' if said else 'no Blackjack'}; the dealer had {shown}."
        yield Objection(checks.ANSWER, text, (up.record, hole.record, peek.record), (up, hole))


def _after_blackjack(round_: Round) -> Iterator[Objection]:
    for card in dealt_after_blackjack(round_):
        said = said_blackjack(round_)[0].record
        text = "a card was dealt after the card reader device had said Blackjack."
        yield Objection(checks.ANSWER, text, (said, card.record), (card,))


def _unexplained(report: Reported) -> Iterator[Objection]:
    text = "the shoe reported a wrong use of the card reader device but its records do not show it."
    yield Objection(reg.UNEXPLAINED, text, (report.record,), verdict=CANNOT_TELL)
