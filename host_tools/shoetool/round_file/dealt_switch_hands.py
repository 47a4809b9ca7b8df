"""Switch hands in a round of a history, 633c.4: who had a choice between two hands, and the cards he gave up."""

from __future__ import annotations

from typing import Final

from shoetool.model.protocol_table import HandEnd, Role
from shoetool.table.actions import CardPlaced, HandChosen
from shoetool.table.card import DrawnCard
from shoetool.table.hand import SWITCH_HAND
from shoetool.table.round import Round

_FACE_UP: Final = frozenset((int(Role.OPENING), int(Role.DETERMINANT_FIRST), int(Role.LATE)))


def choice_of(round_: Round, box: int) -> bool | None:
    """Whether a position plays its switch hands cards; None when it had no choice between two hands of two cards.

    For a position whose hand was dead from the deal the shoe keeps the hand: nobody was asked.
    """
    switched = round_.chosen.get(box)
    if switched:
        return True
    if switched is None or len(asides(round_, box)) < 2:
        return None
    dead = any(hand.ended == HandEnd.DEAD and len(hand.cards) < 2 for hand in round_.boxes.get(box, []))
    return None if dead else False


def asides(round_: Round, box: int) -> list[DrawnCard]:
    """The switch hands cards of a position, in the order dealt."""
    return round_.switch_cards.get(box, [])


def given_up(round_: Round, box: int) -> list[DrawnCard]:
    """The cards dealt face up to a position that switched, in the order dealt; they went to the rack, 633c.4(f)(2)."""
    if not round_.chosen.get(box):
        return []
    found: dict[int, DrawnCard] = {}
    for action in round_.actions:
        if isinstance(action, HandChosen) and action.box == box:
            break
        if isinstance(action, CardPlaced):
            if action.box == box and action.hand != SWITCH_HAND and action.role in _FACE_UP:
                found[action.card.record] = action.card
            else:
                found.pop(action.card.record, None)
    return list(found.values())


def laid_aside(round_: Round) -> set[int]:
    """The records of all cards that lay aside or were given up: no irregularity put them into the rack."""
    found = {card.record for box in round_.switch_cards for card in asides(round_, box)}
    for box in round_.chosen:
        found.update(card.record for card in given_up(round_, box))
    return found
