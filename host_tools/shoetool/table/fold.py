"""What an action changes in a round. Whether it was allowed is asked elsewhere; what happened, happened."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from shoetool.model.naming import many
from shoetool.model.protocol_table import HandEnd, Position, Role
from shoetool.table import community
from shoetool.table.actions import (
    DEALER_ROLES,
    DEALT_ROLES,
    DETERMINANTS,
    DRAWN,
    MISSES,
    PLAYER_ROLES,
    Action,
    CardPlaced,
    CoverCame,
    Doubled,
    HandChosen,
    HandEnded,
    Hit,
    Peeked,
    Reported,
    Revealed,
    RoundClosed,
    SideChosen,
    Split,
    Switched,
)
from shoetool.table.card import DrawnCard
from shoetool.table.hand import SWITCH_HAND, Hand
from shoetool.table.round import Round

_BY_CARDS: Final = frozenset(int(end) for end in (HandEnd.BUST, HandEnd.TWENTY_ONE, HandEnd.BLACKJACK, HandEnd.DOUBLED))
# Plain integers: to look up an enumeration's member takes five times as long, and each card comes here twice.
_PLAYER_1: Final = int(Position.PLAYER_1)
_COMMUNITY: Final = int(Position.COMMUNITY)
_HOLE: Final = int(Role.HOLE)
_LATE: Final = int(Role.LATE)
_ASIDE: Final = int(Role.SWITCH_HAND)
_DISCARDED: Final = int(Role.DISCARDED)


def apply(round_: Round, action: Action) -> str | None:
    """Take one action into the round; a sentence when it does not fit what came before."""
    round_.actions.append(action)
    change = _CHANGES.get(type(action))
    return None if change is None else change(round_, action)


def place(round_: Round, placed: CardPlaced) -> str | None:
    """As `apply`, of a card that gets a place: nothing else happens as often."""
    round_.actions.append(placed)
    return _placed(round_, placed)


def take(round_: Round, action: Callable[..., Action], *values: int) -> None:
    """Take an action that no record tells of, with these fields: its number in the round stands for the record's."""
    odd = apply(round_, action(*values, len(round_.actions)))
    assert odd is None, odd


def lay(round_: Round, card: DrawnCard, how: int = DRAWN) -> None:
    """A card gets the place that it names; no record tells of it."""
    place(round_, CardPlaced(card, card.role, card.box, card.hand, len(round_.actions), how))


def _placed(round_: Round, action: CardPlaced) -> str | None:
    """Lay a card where its role says, and take it from where it lay."""
    round_.placed.append(action)
    drawn, role, box, hand, record, how = action
    if how:
        _take(round_, drawn, role, box)
    if _PLAYER_1 <= box <= _COMMUNITY and role in DEALT_ROLES:
        community.lay(round_, drawn, role, box)
        return None
    if role in DETERMINANTS:
        round_.determinant = drawn
    if role in PLAYER_ROLES:
        if 0 < box < 8:
            mine = round_.hands.get(box << 8 | hand) or round_.hand(box, hand)
            if role == _LATE:
                if mine.waits and mine.ended == HandEnd.STAND:
                    mine.ended = -1  # it goes on while it counts less than 21
                mine.late, mine.queued = record, 0
            mine.cards.append(drawn)
        elif box == Position.DEALER:
            round_.dealer.append(drawn)
        else:
            return f"a player's card went to position {box}, which is none"
    elif role in DEALER_ROLES:
        round_.dealer.append(drawn)
        if role == _HOLE:
            round_.hole = drawn
    elif role == _ASIDE and 0 < box < 8:
        if hand == SWITCH_HAND:
            round_.switch_cards.setdefault(box, []).append(drawn)
        else:
            round_.hand(box, hand).cards.append(drawn)
    return None


def _take(round_: Round, drawn: DrawnCard, role: int, box: int) -> None:
    """A card goes elsewhere, to `box` with `role`: take it from where it lies."""
    if drawn in round_.dealer:
        round_.dealer.remove(drawn)
    if drawn in round_.shared:
        community.take(round_, drawn)
    if round_.hole is drawn:
        round_.hole = None
    for hand in round_.hands.values():
        if drawn in hand.cards:
            hand.cards.remove(drawn)
            if hand.ended in _BY_CARDS:
                hand.ended = -1  # the card that ended it was not its own
    to_rack = role == _DISCARDED and box == Position.RACK
    for position, aside in round_.switch_cards.items():
        # What was chosen or went to the rack stays told, all else was another's.
        if drawn in aside and not to_rack and position not in round_.chosen:
            aside.remove(drawn)


def _hand_ended(round_: Round, action: HandEnded) -> None:
    box, number, why, record = action
    hand = round_.hands.get(box << 8 | number) or round_.hand(box, number)
    hand.ended = why
    hand.end_record = record
    hand.queued = 0  # a late card was declined


def _doubled(round_: Round, action: Doubled) -> str | None:
    hand = round_.hands.get(action.box << 8 | action.hand)
    if hand is None:
        return f"position {action.box} has no hand {action.hand} to double"
    hand.wants = True
    hand.double_record = action.record
    hand.cards_at_double = len(hand.cards)
    return None


def _split(round_: Round, action: Split) -> str | None:
    box, number, new_number, _ = action
    hand = round_.hands.get(box << 8 | number)
    if hand is None:
        return f"position {box} has no hand {number} to split"
    if box << 8 | new_number in round_.hands:
        return f"hand {new_number} of position {box} is there already"
    row = round_.boxes[box]
    new = Hand(box, new_number, True, switched=hand.switched, root=hand.root)
    round_.add(new, row.index(hand) + 1)  # to the right of the one it came from, as it lies on the table
    hand.split = hand.of_several = True
    hand.wants = new.wants = True  # at a hybrid table both take the next card (reading 81)
    count = len(hand.cards)
    if count > 1:
        new.cards.append(hand.cards.pop())
    return None if count == 2 else f"a hand of {many(count, 'card')} was split"


def _hit(round_: Round, action: Hit) -> str | None:
    hand = round_.hands.get(action.box << 8 | action.hand)
    if hand is None:
        return f"position {action.box} has no hand {action.hand} to take a card"
    hand.wants = True
    return None


def _switched(round_: Round, action: Switched) -> str | None:
    box = action.box
    hands = [round_.hands[key] for key in (box << 8, box << 8 | 1) if key in round_.hands]
    if len(hands) < 2 or any(len(hand.cards) < 2 for hand in hands):
        return f"position {box} has no second cards that could change places"
    first, second = hands
    first.cards[1], second.cards[1] = second.cards[1], first.cards[1]
    for hand in hands:
        hand.switched = True
        hand.ended = hand.end_record = -1
    return None


def _chose(round_: Round, action: HandChosen) -> str | None:
    """633c.4(f)."""
    box, switched, _ = action
    if box in round_.chosen or not round_.antes << 1 >> box & 1:
        return f"position {box} has no choice between two hands"
    round_.chosen[box] = bool(switched)
    return None


def _revealed(round_: Round, action: Revealed) -> str | None:
    round_.revealed = action.record
    if round_.hole is None or round_.hole.record != action.hole:
        return f"record {action.hole}, which was turned, is not the hole card of this round"
    return None


def _side_chosen(round_: Round, action: SideChosen) -> None:
    round_.side, round_.side_record = action


def _reported(round_: Round, action: Reported) -> None:
    round_.irregularities.append(action)
    if action.code in MISSES:
        hand = round_.hands.get(action.box << 8 | action.hand)
        if hand is not None:
            hand.missed = action.record
            hand.queued = 1 + sum(placed.role == _LATE for placed in round_.placed)


def _peeked(round_: Round, action: Peeked) -> None:
    round_.peeked.append(action)


def _cover_came(round_: Round, action: CoverCame) -> None:
    round_.covers.append(action)


def _closed(round_: Round, action: RoundClosed) -> str | None:
    number, round_.outcome, round_.dealer_total, record = action
    round_.closed = round_.last = record
    return None if number == round_.number else f"round {number} was closed while round {round_.number} was open"


_CHANGES: Final[dict[type[Action], Callable[[Round, Any], str | None]]] = {
    CardPlaced: _placed,
    HandEnded: _hand_ended,
    Doubled: _doubled,
    Split: _split,
    Hit: _hit,
    Switched: _switched,
    HandChosen: _chose,
    Revealed: _revealed,
    SideChosen: _side_chosen,
    Peeked: _peeked,
    Reported: _reported,
    CoverCame: _cover_came,
    RoundClosed: _closed,
}
