"""A side of the shoe: what came out of it since it was loaded."""

from __future__ import annotations

from dataclasses import dataclass, field

from shoetool.model.records import Record


@dataclass(slots=True, eq=False)
class Side:
    """One side of the shoe since it was loaded: how many and which known cards came out of it, and its cover card.

    `counts` has one number for each of the 52 cards; `unknown` cards came out unread or face up in the shoe, `sealed`
    ones lie face down; `drawn` counts them all. `loaded` is 0 while nothing is known about the side.
    """

    loaded: int = 0
    load_record: int = -1
    drawn: int = 0
    drawn_before: int = 0
    """Cards that had come out of it in this history when it was loaded anew."""
    apart: int = 0
    """Cards out of it that are none of its batch: of another one, 10s in Spanish 21."""
    counting: bool = False
    """A count is under way, in which all cards are drawn."""
    counts: list[int] = field(default_factory=lambda: [0] * 52)
    unknown: int = 0
    blanks: int = 0
    sealed: int = 0
    uncertain: int = 0
    carried: bool = False
    refilled: bool = False
    cover_record: int = -1
    cover_behind: int = -1
    finished: int = -1
    finish_why: int = -1
    counted: Record | None = None

    def take(self, card: int) -> None:
        """Count one card that came out face up or was opened."""
        if 0 <= card < 52:
            self.counts[card] += 1
        else:
            self.unknown += 1
