"""633c.2 with plain ifs."""

from __future__ import annotations

from .four_cards import Card, combination


def outcome(dealer: list[Card], player: list[Card]) -> str:
    """The outcome by 633c.2(a): pairs go by rank alone, and diamonds are the best royal flush."""
    found = combination(dealer, player, "d", pairs_by_suit=False)
    return {"best_royal": "royal_flush_diamonds", "other_royal": "royal_flush_other"}.get(found, found)
