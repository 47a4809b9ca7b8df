"""What an action changes in a round. Whether it was allowed is asked elsewhere; what happened, happened."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from shoetool.model.naming import many
from shoetool.model.protocol_table import HandEnd, IrregularityCode, Position, RecordKind, Role
from shoetool.model.records import Record
from shoetool.table.card import DrawnCard
from shoetool.table.hand import SWITCH_HAND, Hand
from shoetool.table.round import Round, Step

PLAYER_ROLES: Final = frozenset(
    int(role)
    for role in (
        *(Role.OPENING, Role.DRAW, Role.DOUBLE_DRAW, Role.SPLIT_SECOND, Role.LATE),
        Role.DETERMINANT_FIRST,
    )
)
DEALER_ROLES: Final = frozenset((int(Role.DEALER_UP), int(Role.HOLE), int(Role.DEALER_DRAW)))
DEALT_ROLES: Final = PLAYER_ROLES | DEALER_ROLES
"""Roles of a card in a hand, the dealer's included."""
FURTHER_ROLES: Final = frozenset(
    (int(Role.DRAW), int(Role.DOUBLE_DRAW), int(Role.SPLIT_SECOND), int(Role.LATE), int(Role.DEALER_DRAW))
)
"""Of them those that may come after the opening deal."""
OPENING_ROLES: Final = DEALT_ROLES - FURTHER_ROLES
DETERMINANTS: Final = (int(Role.DETERMINANT_FIRST), int(Role.DETERMINANT_ASIDE))
MOVES: Final = frozenset((int(RecordKind.MOVED), int(RecordKind.OPENED)))
SKIPS: Final = (IrregularityCode.HAND_WITHOUT_CARDS, IrregularityCode.HAND_WITH_ONE_CARD)
"""Reports that a card of the opening deal was missed for a hand."""
MISSES: Final = (IrregularityCode.MISSED_CARD, *SKIPS)
"""Reports that a card for a hand was missed."""
_BY_CARDS: Final = frozenset(int(end) for end in (HandEnd.BUST, HandEnd.TWENTY_ONE, HandEnd.BLACKJACK, HandEnd.DOUBLED))
_HOLE: Final = int(Role.HOLE)
_LATE: Final = int(Role.LATE)
_ASIDE: Final = int(Role.SWITCH_HAND)
_DISCARDED: Final = int(Role.DISCARDED)


def apply(round_: Round, step: Step) -> str | None:
    """Take one action into the round; a sentence when it does not fit what came before."""
    round_.steps.append(step)
    record, drawn, role, box, hand = step
    if drawn is None:
        action = _ACTIONS.get(record[3])
        return None if action is None else action(round_, record, record[4])
    if record[3] in MOVES:
        _take(round_, drawn, role, box)
    return _lay(round_, drawn, role, box, hand, record[0])


def _lay(round_: Round, drawn: DrawnCard, role: int, box: int, hand: int, record: int) -> str | None:
    """Lay a card where its role says."""
    if role in DETERMINANTS:
        round_.determinant = drawn
    if role in PLAYER_ROLES:
        if 0 < box < 9:
            mine = round_.hands.get(box << 8 | hand) or round_.hand(box, hand)
            if role == _LATE:
                if mine.waits and mine.ended == HandEnd.STAND:
                    mine.ended = -1  # it goes on while it counts less than 21
                mine.late = record
            mine.cards.append(drawn)
        elif box == Position.DEALER:
            round_.dealer.append(drawn)
        else:
            return f"a player's card went to position {box}, which is none"
    elif role in DEALER_ROLES:
        round_.dealer.append(drawn)
        if role == _HOLE:
            round_.hole = drawn
    elif role == _ASIDE and 0 < box < 9:
        if hand == SWITCH_HAND:
            round_.asides.setdefault(box, []).append(drawn)
        else:
            round_.hand(box, hand).cards.append(drawn)
    return None


def _take(round_: Round, drawn: DrawnCard, role: int, box: int) -> None:
    """A card goes elsewhere, to `box` with `role`: take it from where it lies."""
    if drawn in round_.dealer:
        round_.dealer.remove(drawn)
    if round_.hole is drawn:
        round_.hole = None
    for hand in round_.hands.values():
        if drawn in hand.cards:
            hand.cards.remove(drawn)
            if hand.ended in _BY_CARDS:
                hand.ended = -1  # the card that ended it was not its own
    to_rack = role == _DISCARDED and box == Position.RACK
    for position, aside in round_.asides.items():
        # What was chosen or went to the rack stays told, all else was another's.
        if drawn in aside and not to_rack and position not in round_.chosen:
            aside.remove(drawn)


def _hand_ended(round_: Round, record: Record, values: Any) -> None:
    hand = round_.hands.get(values[0] << 8 | values[1]) or round_.hand(values[0], values[1])
    hand.ended = values[2]
    hand.end_record = record[0]


def _doubled(round_: Round, record: Record, values: Any) -> str | None:
    hand = round_.hands.get(values[0] << 8 | values[1])
    if hand is None:
        return f"position {values[0]} has no hand {values[1]} to double"
    hand.double_record = record[0]
    hand.cards_at_double = len(hand.cards)
    return None


def _split(round_: Round, record: Record, values: Any) -> str | None:
    box, number, new_number = values
    hand = round_.hands.get(box << 8 | number)
    if hand is None:
        return f"position {box} has no hand {number} to split"
    if box << 8 | new_number in round_.hands:
        return f"hand {new_number} of position {box} is there already"
    new = round_.hands[box << 8 | new_number] = Hand(box, new_number, split=True)
    row = round_.boxes[box]
    row.insert(row.index(hand) + 1, new)  # to the right of the one it came from, as it lies on the table
    hand.split = True
    count = len(hand.cards)
    if count > 1:
        new.cards.append(hand.cards.pop())
    return None if count == 2 else f"a hand of {many(count, 'card')} was split"


def _switched(round_: Round, record: Record, values: Any) -> str | None:
    box = values[0]
    hands = [round_.hands[key] for key in (box << 8, box << 8 | 1) if key in round_.hands]
    if len(hands) < 2 or any(len(hand.cards) < 2 for hand in hands):
        return f"position {box} has no second cards that could change places"
    first, second = hands
    first.cards[1], second.cards[1] = second.cards[1], first.cards[1]
    for hand in hands:
        hand.switched = True
        hand.ended = hand.end_record = -1
    return None


def _chose(round_: Round, record: Record, values: Any) -> str | None:
    """A position keeps its hand or plays its switch hands cards, 633c.4(f)."""
    box, switched = values
    if box in round_.chosen or not round_.antes << 1 >> box & 1:
        return f"position {box} has no choice between two hands"
    round_.chosen[box] = bool(switched)
    if switched:
        round_.hand(box, 0).switch_hand = True
    return None


def _revealed(round_: Round, record: Record, values: Any) -> str | None:
    round_.revealed = record[0]
    if round_.hole is None or round_.hole.record != values[0]:
        return f"record {values[0]}, which was turned, is not the hole card of this round"
    return None


def _side_chosen(round_: Round, record: Record, values: Any) -> None:
    round_.side = values[0]
    round_.side_record = record[0]


def _irregular(round_: Round, record: Record, values: Any) -> None:
    round_.irregularities.append(record)
    if values[0] in MISSES:
        hand = round_.hands.get(values[1] << 8 | values[2])
        if hand is not None:
            hand.missed = record[0]


_ACTIONS: Final[dict[int, Callable[[Round, Record, Any], str | None]]] = {
    int(RecordKind.HAND_ENDED): _hand_ended,
    int(RecordKind.DOUBLED): _doubled,
    int(RecordKind.SPLIT): _split,
    int(RecordKind.SWITCHED): _switched,
    int(RecordKind.SWITCH_HAND): _chose,
    int(RecordKind.REVEALED): _revealed,
    int(RecordKind.SIDE_CHOSEN): _side_chosen,
    int(RecordKind.IRREGULARITY): _irregular,
    int(RecordKind.COVER_CARD): lambda round_, record, values: round_.covers.append(record),
}
