"""One thing that a table must have or show for its rules submission."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Need:
    """One thing that a table needs: `where` (layout, sign, terminal, device, cards), what, and the clause that asks for
    it. `payouts` are (outcome, odds) as they must be shown."""

    where: str
    what: str
    clause: str
    payouts: tuple[tuple[str, str], ...] = ()

    def to_json(self) -> dict[str, Any]:
        """JSON types only."""
        rows = [{"outcome": outcome, "odds": odds} for outcome, odds in self.payouts]
        return {"where": self.where, "what": self.what, "clause": self.clause, "payouts": rows}
