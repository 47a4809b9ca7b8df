"""What went wrong with the cards, as a round file writes it: section 14 of ch. 633a, 13 of chs. 590 and 635a."""

from __future__ import annotations

from typing import Any, Final

from shoetool.deal.inputs import IN_A_DOUBT, IRREGULARITIES, OF_A_CARD, Irregularity
from shoetool.round_file.fields import MOST_CARDS, MOST_POSITIONS, Fault, Fields, integer, one_of
from shoetool.round_file.json_place import Path
from shoetool.table.hand import SWITCH_HAND

_IRREGULAR: Final = ("kind", "card", "position", "hand", "choice", "missed")
_OF_A_HAND: Final = ("no_cards", "one_card")
_ASIDE: Final = "switch"
"""The `hand` that a position's two switch hands cards are."""


def read_irregular(value: Any, path: Path) -> Irregularity:
    """Read an irregularity. The file counts cards and hands from 1. Fault says what is wrong with it and where."""
    fields = Fields(value, path, _IRREGULAR)
    kind = one_of(fields, "kind", IRREGULARITIES)
    if kind is None:
        raise Fault(path, '"kind" is missing: what happened')
    choices = IN_A_DOUBT.get(kind, ())
    needs = {
        "card": "which of the drawn cards, counted from 1" if kind in OF_A_CARD else "",
        "position": "whose hand it was" if kind in _OF_A_HAND else "",
        "choice": f"one of {', '.join(choices)}" if choices else "",
        "missed": "1 or 2, which card of the hand was missed" if kind == "one_card" else "",
    }
    for key, what in needs.items():
        if what and key not in fields:
            raise Fault(path, f'"{key}" is missing: {what}')
        if not what and key in fields:
            told = "leaves no choice" if key == "choice" else f"has no {key}"
            raise Fault((*path, key), f"{kind} {told}; take it out")
    if "hand" in fields and kind not in _OF_A_HAND:
        raise Fault((*path, "hand"), f"{kind} has no hand; take it out")
    card = integer(fields, "card", 1, MOST_CARDS)
    return Irregularity(
        kind,
        None if card is None else card - 1,
        integer(fields, "position", 1, MOST_POSITIONS),
        _hand(fields),
        one_of(fields, "choice", choices) or "",
        integer(fields, "missed", 1, 2) or 2,
    )


def _hand(fields: Fields) -> int:
    """The hand of a position from 0, or its switch hands cards."""
    if fields.get("hand") == _ASIDE:
        return SWITCH_HAND
    return (integer(fields, "hand", 1, 2) or 1) - 1
