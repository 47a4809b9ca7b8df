"""Whose turn it is in a round that is under way, 633a.7(i): read off the hands as they lie.

And what the actions of a round tell of its play.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from shoetool.model.protocol_table import HandEnd, Peek, Role
from shoetool.table.actions import FURTHER_ROLES, CardPlaced, Doubled, HandEnded, Peeked, Revealed, Split
from shoetool.table.card import DrawnCard
from shoetool.table.hand import Hand
from shoetool.table.round import Round


def hand_in_turn(round_: Round) -> Hand | None:
    """The hand that decides next: clockwise, the leftmost of a split first; late cards after all others. None: no hand
    is left."""
    hands = list(hands_in_order(round_))
    late = [hand for hand in hands if waits_for_a_late_card(hand)]
    open_ = (hand for hand in hands if hand not in late and (hand.ended < 0 or hand.missed > hand.end_record))
    return next(open_, late[0] if late else None)


def waits_for_a_late_card(hand: Hand) -> bool:
    """Whether a card for this hand was missed and neither came nor was declined, 633a.14(i)."""
    return hand.waits and hand.missed > hand.end_record


def hands_in_order(round_: Round) -> Iterator[Hand]:
    """The hands as they are in turn: positions clockwise from the dealer's far left, in each from its left."""
    for box in sorted(round_.boxes):
        yield from round_.boxes[box]


_PLAYS: Final = FURTHER_ROLES - {int(Role.LATE)}
_ENDS: Final = (int(HandEnd.STAND), int(HandEnd.SURRENDERED))


def said_blackjack(round_: Round) -> list[Peeked]:
    """The answers Blackjack of the card reader device."""
    return [peeked for peeked in round_.of(Peeked) if peeked.result == Peek.BLACKJACK]


def dealt_after_blackjack(round_: Round) -> list[DrawnCard]:
    """633a.7(h) result: cards that were dealt although the reader had said Blackjack, whatever became of them."""
    said = said_blackjack(round_)
    if not said:
        return []
    since = said[0].record
    drawn = {one.card.record: one.card for one in round_.placed if one.record > since and one.role in _PLAYS}
    return [card for record, card in drawn.items() if record > since]


def first_play(round_: Round) -> int:
    """Record of the first decision, of the first card beside the opening deal, or of the turned hole card; -1 none."""
    for action in round_.actions:
        match action:
            case CardPlaced(role=role) if role in _PLAYS:
                return action.record
            case Doubled() | Split() | Revealed():
                return action.record
            case HandEnded(why=why) if why in _ENDS:
                return action.record
    return -1
