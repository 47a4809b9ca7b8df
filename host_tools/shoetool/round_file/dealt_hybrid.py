"""The choices of a hybrid table's terminals in a round of a history, 633c.5, in the order in which they were made."""

from __future__ import annotations

from collections import Counter
from typing import Final

from shoetool.model.protocol_table import HandEnd
from shoetool.table.actions import CountdownOver, Doubled, HandEnded, Hit, Split
from shoetool.table.round import Round

_CHOSEN: Final = {int(HandEnd.STAND): "stand", int(HandEnd.SURRENDERED): "surrender"}


def choices(round_: Round, split_aces_stand: bool) -> dict[int, list[str]]:
    """The words of each terminal, as `deal.hybrid` takes them. What the shoe did for a hand without a choice is
    `no_choice`, and a hand that its cards end has no word. split_aces_stand: 633c.5(aa)(3)(i)."""
    found: dict[int, list[str]] = {}
    timed: Counter[int] = Counter()
    for action in round_.actions:
        word = ""
        match action:
            case CountdownOver(boxes=boxes):
                timed = Counter({box: 99 for box in range(1, 8) if boxes >> (box - 1) & 1})
                continue
            case Hit(box=box):
                word = "hit"
            case Doubled(box=box):
                word = "double"
            case Split(box=box):
                word = "split"
            case HandEnded(box=box, hand=number, why=why) if why in _CHOSEN:
                hand = round_.hands.get(box << 8 | number)
                aces = hand is not None and hand.split and len(hand.cards) > 1 and hand.ids[0] % 13 == 0
                if aces and split_aces_stand:
                    continue
                word = _CHOSEN[why]
            case _:
                timed = Counter() if not isinstance(action, HandEnded) else timed
                continue
        found.setdefault(box, []).append("no_choice" if timed[box] else word)
    return found
