"""The order of settling: by stages of the chapter, from the dealer's right, losers first or seat by seat."""

from __future__ import annotations

from collections.abc import Sequence

from shoetool.rules.games.settling import Settling
from shoetool.rules.round import Line, Stage
from shoetool.rules.wagers import BONUSES, WAGERS


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
    ordered: list[Line] = []
    for stage in settling.stages:
        # In their turn the players act from the dealer's left.
        groups = hands if stage is Stage.IN_TURN else reversed(hands)
        lines = [line for group in groups for line in group if line.stage is stage]
        side = beside[stage]
        if stage is Stage.AFTER_READER and dealer_blackjack:
            # The round ends here: all other wagers are settled seat by seat, or losers first.
            both = sorted([*insurance, *side, *lines], key=_seat)
            if procedure == 1:
                ordered += [line for line in both if _before_main(line)]
                both = [line for line in both if not _before_main(line)]
            ordered += _by_procedure(both, procedure)
            continue
        if stage is Stage.AFTER_READER:
            ordered += reversed(insurance)
        ordered += side
        ordered += _by_procedure(lines, procedure) if stage is Stage.MAIN else lines
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
    return [line for line in lines if is_loss(line)] + [line for line in lines if not is_loss(line)]
