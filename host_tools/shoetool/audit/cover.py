"""The cut and the cover card, 633a.5(d), as far as histories tell of them."""

from __future__ import annotations

from typing import Final

from shoetool.audit.line import Farthest, Line, Member
from shoetool.audit.told import Load

CLAUSE: Final = "633a.5(d)"


class Cover:
    """Where the cover cards lay."""

    def __init__(self) -> None:
        self.told = self.missing = 0
        self._least: float | None = None
        self._most = 0.0
        self._sum = 0.0
        self._low = Farthest()

    def add(self, load: Load, name: str) -> None:
        """Take one batch."""
        if load.behind < 0:
            self.missing += 1
            return
        self.told += 1
        share = load.behind / load.deck.size
        self._sum += share
        self._least = share if self._least is None else min(self._least, share)
        self._most = max(self._most, share)
        need = -(-load.deck.size // 4)
        if load.behind < need:
            self._low.add(Member(0.0, name, load.behind, need, None))

    def lines(self) -> list[Line]:
        """The test of the cover card; and that of the cut, which no history tells."""
        what = f"cover cards with less than a quarter of the batch behind them, {CLAUSE} place"
        cut = Line(
            "cut", f"the cut, 10 or more cards from either end, {CLAUSE} cut",
            note="no record tells where a stack was cut",
        )  # fmt: skip
        if self._least is None:
            return [Line("cover card", what, note="no cover card came in play"), cut]
        note = (
            f"behind it {self._least:.0%} to {self._most:.0%} of the batch, {self._sum / self.told:.0%} on average; "
            f"{self.missing} batches without a cover card in play"
        )
        members = self._low.members()
        line = Line(
            "cover card", what, "batches", self._low.of, 0, None, 0.0 if members else 1.0, "certain", note, self.told,
            members,
        )  # fmt: skip
        return [line, cut]
