"""How many rounds of a table record have one thing that they should have."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final

SHUFFLE: Final = "shuffle"
CUT: Final = "cut"
CUT_OFFER: Final = "offer of the cut"
OPENED: Final = "when decks were opened"
OPENING: Final = "opening of new decks"
INSURANCE: Final = "offer of insurance"
IDLE: Final = "cards of an idle table"
UNUSABLE: Final = "unusable shuffler"
HIDDEN_VALUES: Final = "hidden values checked"
SETTLED: Final = "settlement by the rules"
BETWEEN: Final = (OPENED, OPENING, IDLE, UNUSABLE, SHUFFLE, CUT_OFFER, CUT, INSURANCE)


@dataclass(slots=True)
class Recorded:
    """How many of the rounds that should have something (`of`) have it, and the first dozen rounds that do not.

    Of hidden values: how many of those that were committed or opened could be checked.
    """

    what: str
    count: int = 0
    of: int = 0
    missing: list[int] = field(default_factory=list)

    @property
    def words(self) -> str:
        """Such as `payments in 0 of 12 rounds`; a shuffle, a cut and its offer are those of a shoe's first round."""
        unit = "first rounds of a shoe" if self.what in (OPENED, SHUFFLE, CUT, CUT_OFFER) else "rounds"
        unit = "commitments" if self.what == HIDDEN_VALUES else unit
        one = unit.replace("rounds", "round").replace("commitments", "commitment")
        return f"{self.what} in {self.count} of {self.of} {unit if self.of != 1 else one}"

    def to_json(self) -> dict[str, Any]:
        """JSON types only."""
        return {"what": self.what, "recorded": self.count, "of": self.of, "missing": list(self.missing)}
