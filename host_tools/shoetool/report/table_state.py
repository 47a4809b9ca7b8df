"""What lies on a table now, with JSON types only: the live drawing for a browser and for other programs.

It has cards that were dealt, how many were drawn from each side, and lamps; never what remains. A card that lies face
down has no face.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from shoetool.model.cards import card_words, is_playing_card
from shoetool.model.naming import side_letter
from shoetool.model.protocol_table import Lamp, RecordKind, ShoeKind
from shoetool.model.records import Record
from shoetool.report import faces
from shoetool.report.live import PEEKS
from shoetool.report.sentences import fault_sentence, game_name, hand_end
from shoetool.report.table_view import TableView
from shoetool.table.card import DrawnCard
from shoetool.table.hand import SWITCH_HAND, Hand


def table_state(view: TableView) -> dict[str, Any]:
    """Return the table after the last record. `live.schema.json` has its form."""
    table, round_ = view.table, view.round
    return {
        "game": game_name(table.game) if table.shoes else None,
        "decks": table.decks or None,
        "double": table.shoe_kind == ShoeKind.DOUBLE,
        "number": table.number or None,
        "shoe_open": table.shoe_open,
        "round": None if round_ is None else round_.number,
        "round_open": view.round_open,
        "side": None if round_ is None or round_.side < 0 else side_letter(round_.side),
        "sides": [
            {"side": side_letter(index), "drawn": side.drawn, "loaded": side.loaded or None}
            for index, side in sorted(view.sides.items())
        ],
        "dealer": {**_hand(view.dealer), "reader": PEEKS.get(view.peek)},
        "determinant": None if round_ is None or round_.determinant is None else _card(round_.determinant),
        "positions": [
            {"position": box, "hands": [_players(view, hand) for hand in view.hands_of(box)]} for box in view.boxes
        ],
        "shared": [] if round_ is None else [_card(card) for card in round_.shared],
        "held": [_card(card) for card in view.held],
        "set_aside": [_card(card) for card in view.set_aside],
        "lamps": [lamp.name.lower() for lamp in Lamp if lamp in view.lamps],
        "faults": [fault_sentence(code) for code in sorted(table.faults)],
        "notes": list(view.notes),
    }


def public(record: Record) -> dict[str, Any]:
    """Return a record for live output. For a carried side it tells how many cards were drawn, but never which."""
    document = record.to_json()
    if record.kind == RecordKind.CARRIED:
        dealt = record.values[2]
        out = sum((byte & 15) + (byte >> 4) for byte in dealt) if isinstance(dealt, bytes) else 0
        document.pop("dealt", None)
        document["drawn"] = out + int(document["unknown"])
    return document


def _players(view: TableView, hand: Hand) -> dict[str, Any]:
    return {
        **_hand(hand.cards),
        "ended": hand_end(hand.ended) if hand.ended >= 0 else None,
        "doubled": hand.doubled,
        "turn": hand is view.hand_in_turn,
        "switch_hand": hand.hand == SWITCH_HAND,
    }


def _hand(cards: Iterable[DrawnCard]) -> dict[str, Any]:
    lying = list(cards)
    count = faces.total([card.face for card in lying])
    return {
        "cards": [_card(card) for card in lying],
        "total": None if count is None else count[0],
        "soft": None if count is None else count[1],
    }


def _card(card: DrawnCard) -> dict[str, Any]:
    """A card by its name and in words; a back has neither."""
    if card.face is None:
        return {"card": None, "words": "face down", "record": card.record}
    known = is_playing_card(card.face)
    return {"card": faces.name(card.face) if known else "?", "words": card_words(card.face), "record": card.record}
