"""Payouts of the size for which a casino issues IRS Form W-2G. The regulation of the game says nothing of it.

The Instructions for Forms W-2G and 5754 have one rule for all winnings but those of bingo, slot machines, keno and
poker tournaments: they reach a least amount, and they are at least 300 times the wager. The least amount was $600. For
payments in 2026 it is $2,000, and after that it is adjusted for inflation. Winnings are taken here without the wager,
which the instructions leave to the payer. A main wager never wins 300 times as much; optional wagers and mystery
bonuses can. Whether a form is due, and for whom, is not decided here.
"""

from __future__ import annotations

from typing import Final

from shoetool.rules.paytable import Row, paytables
from shoetool.rules.submission.rules import RulesSubmission

FORM: Final = "IRS Form W-2G"
"""What a note names in place of a clause."""

TIMES: Final = 300
"""How many times the wager the winnings are, at least."""


def is_of_size(won: int, staked: int, rules: RulesSubmission) -> bool:
    """Whether cents won by a wager of so many cents are of that size at this table."""
    return won >= rules.w2g_from and won >= TIMES * staked


def may_be_won(rules: RulesSubmission) -> bool:
    """Whether an optional wager or mystery bonus of this table can win 300 times the wager.

    Where a submission that cannot be used names no paytable, each one is looked at.
    """
    return bool(rules.mysteries) or any(
        _of(row, offer.minimum) >= TIMES * offer.minimum
        for key, offer in rules.wagers.items()
        for table in paytables(key)
        if offer.paytable in ("", table.name)
        for row in table.rows
    )


def _of(row: Row, staked: int) -> int:
    """The most cents that a row is known to pay; those of a meter are not, so they are taken as enough."""
    if row.odds.progressive:
        return TIMES * staked
    return max(int(row.odds.paid(staked)), row.envy_for(staked))
