"""633c.6 with plain ifs."""

from __future__ import annotations

from .four_cards import Card, combination


def outcome(dealer: list[Card], player: list[Card], chosen: str) -> str:
    """The outcome by 633c.6(a): pairs go by suit and rank, and the house chose the suit of the best royal flush."""
    found = combination(dealer, player, chosen, pairs_by_suit=True)
    return {"best_royal": "royal_flush_chosen_suit", "other_royal": "royal_flush_other_suit"}.get(found, found)
