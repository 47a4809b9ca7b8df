"""What was dealt, over all rounds and by device, as tests."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from shoetool.audit.line import Farthest, Line, Member, of_farthest, sigma
from shoetool.audit.tails import cells_tail, chi_square, count_tail
from shoetool.audit.told import Cells, Counted, Dealt

_COUNTS: Final[tuple[tuple[str, str, Callable[[Dealt], Counted]], ...]] = (
    ("naturals", "naturals among the players' two-card hands", lambda dealt: dealt.naturals),
    ("dealer naturals", "naturals of the dealer", lambda dealt: dealt.dealer_naturals),
    ("busts", "dealer's hands over 21, of those that he played", lambda dealt: dealt.busts),
)
_LAW: Final = "exact chance of each hand from the cards still to come; law with that mean and variance"
_CHI: Final = "chi-square with the exact covariance, from the cards still to come"
_NONE: Final = "no round that can be looked at"


def dealt_lines(whole: Dealt, devices: dict[str, Dealt]) -> list[Line]:
    """The tests of what was dealt. devices: the same of each device by its name."""
    lines = []
    for key, what, pick in _COUNTS:
        one = pick(whole)
        if not one.trials:
            lines.append(Line(key, what, note=_NONE))
            continue
        p = count_tail(one.seen, one.mean, one.variance)
        off = sigma(one.seen, one.mean, one.variance)
        lines.append(Line(key, what, "hands", one.seen, one.mean, off, p, _LAW, f"of {one.trials} hands"))
        found = Farthest()
        for name, dealt in devices.items():
            own = pick(dealt)
            if own.trials:
                p, off = count_tail(own.seen, own.mean, own.variance), sigma(own.seen, own.mean, own.variance)
                found.add(Member(p, name, own.seen, own.mean, off))
        if len(devices) > 1:
            lines.append(of_farthest(f"{key} by device", f"{what}, by device", "hands", found, _LAW, _NONE))
    return [*lines, *_up_cards(whole, devices), _finals(whole)]


def _up_cards(whole: Dealt, devices: dict[str, Dealt]) -> list[Line]:
    what = "the dealer's up card: its ranks"
    lines = [_cells("up cards", what, whole.up_cards)]
    aces = "aces as the dealer's up card"
    lines.append(_aces("up card aces", aces, whole.up_cards))
    if len(devices) > 1:
        found = Farthest()
        for name, dealt in devices.items():
            own = dealt.up_cards
            if own.seen.sum():
                mean, variance = own.mean[0], own.covariance[0, 0]
                off = sigma(own.seen[0], mean, variance)
                found.add(Member(count_tail(own.seen[0], mean, variance), name, own.seen[0], mean, off))
        lines.append(of_farthest("up card aces by device", f"{aces}, by device", "rounds", found, _LAW, _NONE))
    return lines


def _cells(key: str, what: str, cells: Cells) -> Line:
    tail = cells_tail(cells.seen, cells.mean, cells.covariance)
    if tail is None:
        return Line(key, what, law=_CHI, note=_NONE if not cells.seen.sum() else "too few rounds")
    value, freedom, p = tail
    return Line(key, what, "sum of squares", value, freedom, (value - freedom) / (2 * freedom) ** 0.5, p, _CHI)


def _aces(key: str, what: str, cells: Cells) -> Line:
    number = int(cells.seen.sum())
    if not number:
        return Line(key, what, note=_NONE)
    seen, mean, variance = float(cells.seen[0]), float(cells.mean[0]), float(cells.covariance[0, 0])
    off = sigma(seen, mean, variance)
    return Line(key, what, "rounds", seen, mean, off, count_tail(seen, mean, variance), _LAW, f"of {number} rounds")


def _finals(whole: Dealt) -> Line:
    """All up cards together: their sums of squares add up."""
    what = "the dealer's final hand by his up card"
    value, freedom, hands = 0.0, 0, 0
    for cells in whole.finals.values():
        tail = cells_tail(cells.seen, cells.mean, cells.covariance)
        hands += int(cells.seen.sum())
        if tail is not None:
            value, freedom = value + tail[0], freedom + tail[1]
    if not freedom:
        return Line("dealer's hand", what, law=_CHI, note="too few rounds" if hands else _NONE)
    off = (value - freedom) / (2 * freedom) ** 0.5
    return Line(
        "dealer's hand", what, "sum of squares", value, freedom, off, chi_square(value, freedom), _CHI,
        f"of {hands} hands",
    )  # fmt: skip
