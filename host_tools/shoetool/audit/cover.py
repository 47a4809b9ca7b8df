"""The cut and the cover card, 633a.5(d), as far as histories tell of them."""

from __future__ import annotations

from typing import Final

from shoetool.audit.line import Farthest, Line, Member
from shoetool.audit.told import Load, Told

CLAUSE: Final = "633a.5(d)"
LEAST_CUT: Final = 10
"""Cards from either end."""


class Cover:
    """Where the cover cards lay."""

    def __init__(self) -> None:
        self.told = self.missing = 0
        self._least: float | None = None
        self._most = 0.0
        self._sum = 0.0
        self._low = Farthest()
        self.cuts = self.bad_lines = 0
        self._shallow = Farthest()

    def add_cuts(self, told: Told, device: str) -> None:
        """Take the cuts that the table record of a history tells."""
        self.bad_lines += told.bad_lines
        for depth, size in told.cuts:
            self.cuts += 1
            end = min(depth, size - depth)
            if end < LEAST_CUT:
                name = f"{device} shoe {told.shoes[0] if told.shoes else 0}"
                self._shallow.add(Member(0.0, name, end, LEAST_CUT, None))

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
        """The test of the cover card; and that of the cut, which only table records tell."""
        what = f"cover cards with less than a quarter of the batch behind them, {CLAUSE} place"
        cut = self._cut()
        if self._least is None:
            return [Line("cover card", what, note="no cover card came in play"), cut]
        note = (
            f"behind it {self._least:.0%} to {self._most:.0%} of the batch, {self._sum / self.told:.0%} on average; "
            f"{self.missing} batches without a cover card in play, or with records missing"
        )
        members = self._low.members()
        line = Line(
            "cover card", what, "batches", self._low.of, 0, None, 0.0 if members else 1.0, "certain", note, self.told,
            members,
        )  # fmt: skip
        return [line, cut]

    def _cut(self) -> Line:
        what = f"cuts with fewer than {LEAST_CUT} cards from an end of the stack, {CLAUSE} cut"
        if not self.cuts:
            return Line("cut", what, note="no table record tells where a stack was cut")
        note = f"of {self.told + self.missing:,} batches"
        if self.bad_lines:
            note += f"; {self.bad_lines:,} lines of table records could not be read"
        members = self._shallow.members()
        p = 0.0 if members else 1.0
        return Line("cut", what, "cuts", self._shallow.of, 0, None, p, "certain", note, self.cuts, members)
