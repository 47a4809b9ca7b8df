"""A side of the shoe: what came out of it since it was loaded."""

from __future__ import annotations

from typing import Any

from shoetool.model.cards import card_name
from shoetool.model.records import Record


class Side:
    """One side of the shoe since it was loaded: how many and which known cards came out of it, and its cover card.

    `counts` has one number for each of the 52 cards; `unknown` cards came out unread or face up in the shoe, `sealed`
    ones lie face down; `drawn` counts them all. `loaded` is 0 while nothing is known about the side.
    """

    __slots__ = (
        *("apart", "counting"),
        *(
            "blanks",
            "carried",
            "counted",
            "counts",
            "cover_behind",
            "cover_record",
            "drawn",
            "finish_why",
            "finished",
        ),
        *("from_counts", "load_record", "loaded", "refilled", "sealed", "uncertain", "unknown"),
    )

    def __init__(self, loaded: int = 0, load_record: int = -1) -> None:
        self.loaded = loaded
        self.load_record = load_record
        self.drawn = 0
        self.apart = 0
        """Cards out of it that are none of its batch: of another one, 10s in Spanish 21."""
        self.counting = False
        """A count is under way, in which all cards are drawn."""
        self.counts = [0] * 52
        self.unknown = 0
        self.blanks = 0
        self.sealed = 0
        self.uncertain = 0
        self.carried = False
        self.refilled = False
        self.cover_record = -1
        self.cover_behind = -1
        self.finished = -1
        self.finish_why = -1
        self.counted: Record | None = None
        self.from_counts = 0

    def take(self, card: int) -> None:
        """Count one card that came out face up or was opened."""
        if 0 <= card < 52:
            self.counts[card] += 1
        else:
            self.unknown += 1

    def to_json(self) -> dict[str, Any]:
        """JSON types only; `seen` has only cards that the history shows, by name."""
        return {
            "loaded": self.loaded,
            "drawn": self.drawn,
            "unknown": self.unknown,
            "face_down": self.sealed,
            "cover_card_record": None if self.cover_record < 0 else self.cover_record,
            "cards_behind_cover_card": None if self.cover_behind < 0 else self.cover_behind,
            "seen": {card_name(card): count for card, count in enumerate(self.counts) if count},
        }
