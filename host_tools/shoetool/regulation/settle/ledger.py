"""The order of settling: by stages of the chapter, from the dealer's right, losers first or seat by seat."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from shoetool.regulation.games.settling import Settling
from shoetool.regulation.round import STAGES, Line, Stage

_BEFORE_MAIN: Final = frozenset({"royal_match_21", "crown_treasure", "house_money"})
"""Optional wagers that waited for the reader and go before the main wager even where losers are collected first:
633a.7(g)(4) defer, 633a.7(g)(10)(i)(A). The pairs of 633a.7(g)(1)(ii) and (6)(ii) go with it."""

SettledHand = tuple[Stage, tuple[Line, ...]]
"""When a hand's wagers are settled, and their lines."""


def is_loss(line: Line) -> bool:
    """Whether the dealer collects the line's wager or lammer and pays or returns nothing."""
    return line.returned == 0 and line.won == 0


def in_order(
    settling: Settling,
    procedure: int,
    hands: Sequence[Sequence[SettledHand]],
    insurance: Sequence[Line],
    optional: Iterable[Line],
    dealer_blackjack: bool,
) -> list[Line]:
    """Every line of a round in settling order.

    hands: for each box from the dealer's left, its hands from the left. insurance: lines by box, ascending. optional:
    lines of the optional wagers, in their own order within each stage. procedure: 1 collects all losing wagers before
    it pays (633a.7(r)(1)), 2 goes seat by seat (633a.7(r)(2)); both go from the dealer's right.
    """
    side: dict[str, list[Line]] = {stage.value: [] for stage in STAGES}
    for line in optional:
        side[line.stage].append(line)
    main: dict[str, list[tuple[Line, ...]]] = {stage.value: [] for stage in STAGES}
    for box in reversed(hands):
        for stage, settled in reversed(box):
            main[stage].append(settled)
    ordered: list[Line] = []
    for stage in settling.stages:
        groups = main[stage]
        if stage is Stage.IN_TURN:
            groups.reverse()  # players act from the dealer's left
        lines = [line for group in groups for line in group]
        if stage is Stage.AFTER_READER and dealer_blackjack:
            # The round ends here: everything that is left is settled seat by seat, or losers first.
            both = [*insurance, *side[stage], *lines]
            both.sort(key=_seat)
            if procedure == 1:
                ordered += [line for line in both if line.wager in _BEFORE_MAIN]
                both = [line for line in both if line.wager not in _BEFORE_MAIN]
            ordered += _by_procedure(both, procedure)
            continue
        if stage is Stage.AFTER_READER:
            ordered += reversed(insurance)
        ordered += side[stage]
        ordered += _by_procedure(lines, procedure) if stage is Stage.MAIN else lines
    return ordered


def _seat(line: Line) -> int:
    return 0 if line.position is None else -line.position


def _by_procedure(lines: list[Line], procedure: int) -> list[Line]:
    if procedure == 2:
        return lines
    return [line for line in lines if is_loss(line)] + [line for line in lines if not is_loss(line)]
