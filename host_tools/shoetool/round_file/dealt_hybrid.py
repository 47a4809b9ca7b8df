"""The choices of a hybrid table's terminals in a round of a history, 633c.5, in the order in which they were made."""

from __future__ import annotations

from typing import Final

from shoetool.model.protocol_table import HandEnd
from shoetool.table.actions import CardPlaced, CountdownOver, Doubled, HandEnded, Hit, Split
from shoetool.table.round import Round

_CHOSEN: Final = {int(HandEnd.STAND): "stand", int(HandEnd.SURRENDERED): "surrender"}


def choices(round_: Round, split_aces_stand: bool) -> dict[int, list[str]]:
    """The words of each terminal, as `deal.hybrid` takes them. What the shoe did for a hand without a choice is
    `no_choice`, and a hand that its cards end has no word. split_aces_stand: 633c.5(aa)(3)(i).

    Split hands choose in any order before a card; their words stand from the left for each card."""
    places = {(box, hand.hand): at for box, row in round_.boxes.items() for at, hand in enumerate(row)}
    found: dict[int, list[tuple[int, int, str]]] = {}  # by terminal: cards dealt before, place of the hand, word
    cards = 0
    timed = 0  # the terminals for which a countdown made the choices that follow, a bit each
    for action in round_.actions:
        match action:
            case CardPlaced():
                cards += 1
                timed = 0
                continue
            case CountdownOver(boxes=boxes):
                timed = boxes
                continue
            case Hit(box=box, hand=number):
                word = "hit"
            case Doubled(box=box, hand=number):
                word = "double"
            case Split(box=box, hand=number):
                word = "split"
            case HandEnded(box=box, hand=number, why=why) if why in _CHOSEN:
                hand = round_.hands.get(box << 8 | number)
                aces = hand is not None and hand.split and len(hand.cards) > 1 and hand.ids[0] % 13 == 0
                if aces and split_aces_stand:
                    continue
                word = _CHOSEN[why]
            case HandEnded():
                continue
            case _:
                timed = 0
                continue
        if timed >> (box - 1) & 1:
            word = "no_choice"
        found.setdefault(box, []).append((cards, places.get((box, number), 0), word))
    return {box: [word for _, _, word in sorted(told, key=lambda one: one[:2])] for box, told in found.items()}
