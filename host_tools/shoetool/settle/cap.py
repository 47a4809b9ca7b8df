"""The aggregate limit of 633a.13(o): what a house may set for the best rows of Lucky Ladies and King's Bounty.

The text cites subsections (b) and (g) and names Royal Match 21; the hands it describes are those of (c) and (h)
(reading 70).
"""

from __future__ import annotations

from collections.abc import Sequence

from shoetool.model.money import dollars
from shoetool.settle.entry import Entry


def apply_cap(winners: Sequence[Entry], cap: int) -> None:
    """Cut the payouts of these winners to `cap` cents in all, each in proportion to his wager.

    Nothing changes when they do not exceed it. Shares are rounded down; the remainder is not paid.
    """
    if sum(entry.won for entry in winners) <= cap:
        return
    # Both rows pay the same odds, so no share of the cap can be more than the payout itself.
    staked = sum(entry.staked for entry in winners)
    for entry in winners:
        entry.won = cap * entry.staked // staked
        share = "" if len(winners) == 1 else f", shared by {len(winners)} winners in proportion to their wagers"
        entry.said = f"; limited to ${dollars(cap)} a round{share}"
        entry.note("633a.13(o) share", f"payouts of the round are limited to ${dollars(cap)} in all{share}")
