"""The order of settling: by stages of the chapter, from the dealer's right, losers first or seat by seat."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from shoetool.rules.games.settling import Settling
from shoetool.rules.round import Line, Stage
from shoetool.rules.wagers import BONUSES, WAGERS

# To look up an enumeration's member takes ten times as long, and this is done for every line.
_IN_TURN: Final = Stage.IN_TURN
_AFTER_READER: Final = Stage.AFTER_READER
_MAIN: Final = Stage.MAIN


def is_loss(line: Line) -> bool:
    """Whether the dealer collects the line's wager or lammer, and pays and returns nothing."""
    return line.returned == 0 and line.won == 0


def in_order(
    settling: Settling,
    procedure: int,
    hands: Sequence[Sequence[Line]],
    insurance: Sequence[Line],
    optional: Sequence[Line],
    dealer_blackjack: bool,
) -> list[Line]:
    """Return every line of a round in settling order.

    hands: the lines of each hand, from the dealer's left. insurance: lines by box, from the dealer's left. optional:
    lines of the optional wagers, in their own order within each stage. procedure: 1 collects all losing wagers before
    it pays (633a.7(r)(1)), 2 goes seat by seat (633a.7(r)(2)); both go from the dealer's right.
    dealer_blackjack: the reader told of one.
    """
    beside: dict[Stage, list[Line]] = {stage: [] for stage in settling.stages}
    for line in optional:
        beside[line.stage].append(line)
    of_hands: dict[Stage, list[Line]] = {stage: [] for stage in settling.stages}
    for group in reversed(hands):
        for line in group:
            of_hands[line.stage].append(line)
    # In their turn the players act from the dealer's left.
    of_hands[_IN_TURN] = [line for group in hands for line in group if line.stage is _IN_TURN]
    ordered: list[Line] = []
    for stage in settling.stages:
        lines, side = of_hands[stage], beside[stage]
        if stage is _AFTER_READER and dealer_blackjack:
            # The round ends here: all other wagers are settled seat by seat, or losers first.
            both = sorted([*insurance, *side, *lines], key=_seat)
            if procedure == 1:
                ordered += [line for line in both if _before_main(line)]
                both = [line for line in both if not _before_main(line)]
            ordered += _by_procedure(both, procedure)
            continue
        if stage is _AFTER_READER:
            ordered += reversed(insurance)
        ordered += side
        ordered += _by_procedure(lines, procedure) if stage is _MAIN else lines
    every = sum(map(len, hands)) + len(insurance) + len(optional)
    assert len(ordered) == every, "each line has its place in the order"
    return ordered


def _seat(line: Line) -> int:
    return 0 if line.position is None else -line.position


def _before_main(line: Line) -> bool:
    """Whether it is an optional wager that waited for the reader and goes before the main wager, or a bonus of one.

    633a.7(g)(4) defer, 633a.7(g)(10)(i)(A). The pairs of 633a.7(g)(1)(ii) and (6)(ii) go with the main wager.
    """
    bonus = BONUSES.get(line.wager)
    wager = WAGERS.get(line.wager if bonus is None else bonus.of)
    return wager is not None and wager.before_main


def _by_procedure(lines: list[Line], procedure: int) -> list[Line]:
    if procedure == 2:
        return lines
    losses: list[Line] = []
    others: list[Line] = []
    for line in lines:
        (losses if is_loss(line) else others).append(line)
    return losses + others
