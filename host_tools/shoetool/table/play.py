"""What the actions of a round tell of its play."""

from __future__ import annotations

from typing import Final

from shoetool.model.protocol_table import HandEnd, Peek, Role
from shoetool.table.actions import FURTHER_ROLES, CardPlaced, Doubled, HandEnded, Hit, Peeked, Revealed, Split, Switched
from shoetool.table.card import DrawnCard
from shoetool.table.round import Round

_PLAYS: Final = FURTHER_ROLES - {int(Role.LATE)}
_SEVEN: Final = 6
_ENDS: Final = (int(HandEnd.STAND), int(HandEnd.SURRENDERED))


def said_blackjack(round_: Round) -> list[Peeked]:
    """The answers Blackjack of the card reader device."""
    return [peeked for peeked in round_.peeked if peeked.result == Peek.BLACKJACK]


def dealt_after_blackjack(round_: Round) -> list[DrawnCard]:
    """633a.7(h) result: cards that were dealt although the reader had said Blackjack, whatever became of them."""
    said = said_blackjack(round_)
    if not said:
        return []
    since = said[0].record
    drawn = {one.card.record: one.card for one in round_.placed if one.role in _PLAYS or one.taken_out}
    return [card for record, card in drawn.items() if record > since]


def for_a_wager(round_: Round, card: DrawnCard) -> bool:
    """Whether a card after the dealer's Blackjack is the one that two 7s get for a wager of theirs, 633c.9(d)(4)."""
    hand = round_.hands.get(card.box << 8 | card.hand)
    if card.role != Role.DRAW or hand is None:
        return False
    return hand.cards[2:3] == [card] and all(first.card % 13 == _SEVEN and first.known for first in hand.cards[:2])


def first_play(round_: Round) -> int:
    """Record of the first decision, of the first card beside the opening deal, or of the turned hole card; -1 none."""
    for action in round_.actions:
        match action:
            case CardPlaced(role=role) if role in _PLAYS:
                return action.record
            case Doubled() | Split() | Hit() | Switched() | Revealed():
                return action.record
            case HandEnded(why=why) if why in _ENDS:
                return action.record
    return -1
