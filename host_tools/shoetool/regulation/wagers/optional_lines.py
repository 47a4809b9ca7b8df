"""The lines of a round's optional wagers: one for each, with its reason in words, in the order of settling."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from shoetool.model.money import dollars
from shoetool.regulation.round import STAGES, Box, Line, Note, Stage, TableRound
from shoetool.regulation.submission.rules import LEAST_METER

from .catalogue import WAGERS
from .entry import Entry, fraction_note
from .resolution import Resolution, reason

Plain = tuple[Box, Sequence[Resolution]]
"""A box, and what wagers of which some may lie in it became."""

_STAGE_ORDER: Final = {stage: number for number, stage in enumerate(STAGES)}


def optional_lines(
    table_round: TableRound,
    plain: Iterable[Plain],
    entries: Iterable[Entry],
    returned: Iterable[tuple[Box, str]],
    reset: Mapping[str, int],
) -> list[Line]:
    """Lines by stage, in each from the dealer's right, in each position in the order of the text.

    A share of a meter that has a stake beside it is a second line, without a stake. The reset of a meter is a line
    without a position: the house pays it into the meter.
    """
    made: list[tuple[tuple[int, int, int, int], Line]] = []
    dealer = table_round.dealer
    for box, found in plain:
        for resolution in found:
            if resolution.wager in box.side:
                line = _plain_line(box, resolution, box.side[resolution.wager], dealer)
                made.append((_place(resolution, box), line))
    for entry in entries:
        made += [(_place(entry.resolution, entry.box), line) for line in _entry_lines(entry, dealer)]
    made.sort(key=lambda item: item[0])
    lines = [line for _, line in made]
    lines += [_reset_line(key, amount) for key, amount in reset.items()]
    return [line for box, clause in returned for line in _returned_lines(box, clause)] + lines


def _place(resolution: Resolution, box: Box) -> tuple[int, int, int, int]:
    return _STAGE_ORDER[resolution.stage], -box.position, resolution.order, resolution.is_bonus


def _plain_line(box: Box, resolution: Resolution, staked: int, dealer: tuple[int, ...]) -> Line:
    won, rest = resolution.paid[staked]
    notes = resolution.notes
    if rest:
        notes = (*notes, fraction_note(resolution, rest))
    if resolution.key == "house_money" and resolution.wins and box.house_money_added:
        notes = (*notes, _pressed(box))
    return Line(
        box.position,
        None,
        resolution.key,
        resolution.at_risk(staked),
        resolution.outcome,
        reason(WAGERS[resolution.wager], resolution, box, dealer),
        resolution.clause,
        resolution.odds,
        resolution.returned(staked),
        won,
        resolution.source,
        resolution.stage,
        notes,
    )


def _pressed(box: Box) -> Note:
    """The note on winnings that went to the main wager."""
    return "633a.7(g)(10)(ii)(A)", f"${dollars(box.house_money_added)} of it was added to the Blackjack Wager"


def _entry_lines(entry: Entry, dealer: tuple[int, ...]) -> list[Line]:
    resolution = entry.resolution
    words = reason(WAGERS[resolution.wager], resolution, entry.box, dealer) + entry.said
    meter = entry.meter
    # A stake that the tray keeps and a payout that is all from the meter fit into one line.
    alone = meter is not None and not entry.won and resolution.source == "tray"
    lines = [
        Line(
            entry.box.position,
            None,
            resolution.key,
            entry.staked,
            resolution.outcome,
            words,
            resolution.clause,
            resolution.odds,
            resolution.returned(entry.staked),
            (meter or 0) if alone else entry.won,
            entry.meter_source if alone else entry.source,
            resolution.stage,
            tuple(entry.notes),
        )
    ]
    if meter is not None and not alone:
        share = Line(
            entry.box.position,
            None,
            resolution.key,
            0,
            resolution.outcome,
            f"{words}; ${dollars(meter)} of it by the meter",
            resolution.clause,
            resolution.odds,
            0,
            meter,
            entry.meter_source,
            resolution.stage,
            tuple(entry.notes),
        )
        lines.append(share)
    return lines


def _reset_line(key: str, amount: int) -> Line:
    words = f"the meter was won: the house sets it back to ${dollars(amount)}"
    return Line(
        None, None, key, 0, "meter_reset", words, LEAST_METER[key][1], None, 0, amount, "house", Stage.AFTER_ALL
    )


def _returned_lines(box: Box, clause: str) -> list[Line]:
    """Every optional wager of the box handed back."""
    return [
        Line(
            box.position,
            None,
            key,
            staked,
            "returned",
            "the wager is returned",
            clause,
            None,
            staked,
            0,
            "house" if WAGERS[key].electronic else "tray",
            Stage.AFTER_DEAL,
        )
        for key, staked in box.side.items()
    ]
