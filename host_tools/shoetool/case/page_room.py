"""Which rounds go onto the page of a night: a page with very many of them cannot be used."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from shoetool.case.facts import Night

MOST_PLAIN: Final = 2000
MOST_FOUND: Final = 1000
"""So many rounds without and with a finding: some 10 kB each, and a browser has them ready within seconds."""


class PageRoom:
    """Room for the first rounds with a finding, and for the first without one."""

    def __init__(self) -> None:
        """Nothing is on the page yet."""
        self._left = {False: MOST_PLAIN, True: MOST_FOUND}

    def takes(self, found: bool) -> bool:
        """Whether the next round goes onto the page. found: it has a finding."""
        self._left[found] -= 1
        return self._left[found] >= 0


def on_page(nights: Sequence[Night]) -> list[Night]:
    """Return the nights with those of their cases that a page has room for."""
    room = PageRoom()
    return [
        replace(night, cases=tuple(case for case in night.cases if room.takes(bool(case.findings)))) for night in nights
    ]


def left_out(nights: Sequence[Night]) -> str:
    """Return what the page leaves out, and where it is; "" when it has all rounds."""
    rounds, shown = sum(night.rounds for night in nights), sum(len(night.cases) for night in nights)
    if shown == rounds:
        return ""
    found = sum(bool(case.findings) for night in nights for case in night.cases)
    # Beyond so many findings a report keeps none, so a round may have one that nobody can tell.
    every = found < MOST_FOUND and not any(night.report.summary.dropped for night in nights)
    if every and not found:
        which = f"the first {shown:,}; no round has a finding"
    else:
        which = f"{'all' if every else 'the first'} {found:,} with a finding and the first {shown - found:,} others"
    return (
        f"This page has {shown:,} of {rounds:,} rounds: {which}. For others report fewer histories at once, or choose "
        "with --from and --to; --csv writes every round."
    )
