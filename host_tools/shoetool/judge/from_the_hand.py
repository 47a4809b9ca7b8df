"""Blackjack dealt from the hand, 633a.12(b): players' two cards lie face down until something turns them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from shoetool.judge import registry_variations as reg
from shoetool.judge.finding import CANNOT_TELL, Objection
from shoetool.model.cards import VALUES
from shoetool.model.protocol_table import HandEnd, Role
from shoetool.table.actions import CardPlaced, Doubled, HandEnded, Split
from shoetool.table.card import FACE_DOWN, DrawnCard
from shoetool.table.hand import Hand
from shoetool.table.round import Round

_EXTRA: Final = (Role.DRAW, Role.DOUBLE_DRAW, Role.SPLIT_SECOND)


def from_the_hand(round_: Round) -> Iterator[Objection]:
    """633a.12(b)(5)(i)-(iv), (b)(6)(i), (b)(6)(ii), (b)(7), (b)(9) on a round that is over."""
    for hand in round_.hands.values():
        yield from _face_down(hand)
    yield from _turned_for_a_decision(round_)
    for hand in round_.hands.values():
        yield from _over_21(hand)
        left = [card for card in hand.cards if card.card == FACE_DOWN]
        if left and round_.settled:
            text = f"the cards of {hand.name} were never turned."
            yield Objection(reg.TURNED_AT_THE_END, text, [card.record for card in left], verdict=CANNOT_TELL)


def _face_down(hand: Hand) -> Iterator[Objection]:
    for card in hand.cards:
        if card.record != card.placed:
            continue  # drawn in error, or moved: it lies as it came
        if card.role == Role.OPENING and not card.sealed:
            text = f"a card of the opening deal was dealt face up to {hand.name}."
            yield Objection(reg.FACE_DOWN_CARDS, text, (card.record,), (card,))
        elif card.role in _EXTRA and card.sealed:
            text = f"an extra card was dealt face down to {hand.name}."
            yield Objection(reg.EXTRA_CARDS, text, (card.record,), (card,))


def _turned_for_a_decision(round_: Round) -> Iterator[Objection]:
    """A surrender, a double or a split comes after the two cards were turned over."""
    lies: dict[int, tuple[DrawnCard, int]] = {}
    for action in round_.actions:
        match action:
            case CardPlaced(card=drawn, role=role, box=box, hand=hand):
                if drawn.sealed and role in (Role.OPENING, Role.LATE):
                    lies[drawn.record] = (drawn, box << 8 | hand)
                continue
            case Doubled(box=box, hand=hand):
                what = "doubled"
            case Split(box=box, hand=hand):
                what = "split"
            case HandEnded(box=box, hand=hand, why=HandEnd.SURRENDERED):
                what = "surrendered"
            case _:
                continue
        place = box << 8 | hand
        down = [card for card, lay in lies.values() if lay == place and not 0 <= card.opened < action.record]
        if down:
            text = f"position {box} {what} before its cards were turned over."
            yield Objection(reg.TURNED_OVER, text, (action.record, *(card.record for card in down)))


def _over_21(hand: Hand) -> Iterator[Objection]:
    """A hand that goes over 21 is out at once: its cards are shown, and it does not stand or get another card."""
    if not hand.known or hand.ended not in (HandEnd.STAND, HandEnd.BUST) or not hand.cards:
        return
    hard = 0
    for at, card in enumerate(hand.cards):
        hard += VALUES[card.card]
        if hard <= 21:
            continue
        if card.role == Role.LATE:
            return  # a missed card ends the hand, 633a.14(i)
        if hand.ended == HandEnd.STAND or at < len(hand.cards) - 1:
            text = f"{hand.name} was over 21 with {hard} and did not discard its cards at once."
            records = (card.record, hand.end_record, *(card.opened for card in hand.cards))
            yield Objection(reg.OVER_21, text, records, hand.cards)
        return
