"""A settled wager whose amounts need more than its odds and stake: a share of a meter, a cap, another purse."""

from __future__ import annotations

from fractions import Fraction

from shoetool.regulation.round import Box, Note, Source

from .resolution import Resolution


class Entry:
    """One settled wager. `staked` is what the odds apply to, `won` what is paid beside a returned stake.

    `meter` is the share of the progressive meter in cents, None when the odds name none; `meter_source` who pays it.
    `said` goes after the reason in words.
    """

    __slots__ = ("box", "meter", "meter_source", "notes", "resolution", "said", "source", "staked", "won")

    def __init__(self, box: Box, resolution: Resolution, staked: int) -> None:
        self.box = box
        self.resolution = resolution
        self.staked = staked
        self.won, rest = resolution.paid[staked]
        self.source: Source = resolution.source
        self.meter: int | None = None
        self.meter_source: Source = "meter"
        self.notes: list[Note] = list(resolution.notes)
        self.said = ""
        if rest:
            self.notes.append(fraction_note(resolution, rest))


def fraction_note(resolution: Resolution, rest: Fraction) -> Note:
    """The part of a cent that is not paid; the texts name no unit of payment."""
    return resolution.rows[0].clause, f"{rest} of a cent is not paid"
