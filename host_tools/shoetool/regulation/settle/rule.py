"""What becomes of hands that are alike against dealers that are alike, whatever their wagers: settled once and kept."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Final

from shoetool.regulation.round import Hand, Line, Stage
from shoetool.regulation.settle.hand import Apart, hand_lines
from shoetool.regulation.settle.table import DealerHand, SettleTable

_UNIT: Final = 1_20
"""Cents for which the hand that stands for all others is settled; anything that halves."""
_AMOUNTS: Final = 10_000


class Nets(dict[int, int]):
    """Cents at risk to net result in cents, worked out when first asked for."""

    __slots__ = ("_net",)

    def __init__(self, net: Callable[[int], int]) -> None:
        """Keep how a result is worked out."""
        self._net = net

    def __missing__(self, amount: int) -> int:
        if len(self) > _AMOUNTS:
            self.clear()
        net = self[amount] = self._net(amount)
        return net


_NOTHING: Final = Nets(lambda amount: 0)
_LOST: Final = Nets(lambda amount: -amount)
_HALF: Final = Nets(lambda amount: amount // 2 - amount)
_WON: Final[dict[Fraction, Nets]] = {}


def _won(ratio: Fraction) -> Nets:
    found = _WON.get(ratio)
    if found is None:
        over, under = ratio.numerator, ratio.denominator
        found = _WON[ratio] = Nets(lambda amount: amount * over // under)
    return found


def _nets(line: Line) -> Nets:
    """How a line's net depends on its amount."""
    if line.odds is not None:
        return _won(line.odds.ratio)
    if line.returned == line.staked:
        return _NOTHING
    return _HALF if line.returned else _LOST


class HandRule:
    """The result of a hand by its amounts.

    main, double: net by cents of real money. lammer: net by cents that a lammer stands for.
    """

    __slots__ = ("_apart", "_bonus", "_dealer", "_table", "double", "lammer", "main")

    def __init__(self, table: SettleTable, dealer: DealerHand, hand: Hand, bonus: str, apart: Apart) -> None:
        """Take a hand that stands for all that are like it; bonus and apart as `hand_lines` has them."""
        self._table = table
        self._dealer = dealer
        self._bonus = bonus
        self._apart: Apart = apart
        unit = replace(
            hand,
            stake=_UNIT if hand.stake else 0,
            double=_UNIT if hand.double else 0,
            lammer=_UNIT if hand.lammer else 0,
            free_double=_UNIT if hand.free_double else 0,
        )
        by_wager: dict[str, list[Nets]] = {"main": [], "double": [], "lammer": []}
        for line in self.lines(1, unit)[1]:
            by_wager[line.wager].append(_nets(line))
        self.main = (by_wager["main"] or [_NOTHING])[0]
        self.double = (by_wager["double"] or [_NOTHING])[0]
        self.lammer = (by_wager["lammer"] or [_NOTHING])[0]

    def lines(self, position: int, hand: Hand) -> tuple[Stage, tuple[Line, ...]]:
        """Stage and lines of a hand like this one, with its own amounts."""
        return hand_lines(self._table, self._dealer, position, hand, self._bonus, self._apart)
