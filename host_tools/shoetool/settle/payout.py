"""A payout in whole cents and in words, with a note on the part that cannot be paid."""

from __future__ import annotations

from shoetool.rules.paytable import Row
from shoetool.rules.round import Note


def payout(row: Row, staked: int) -> tuple[int, tuple[Note, ...]]:
    """Return the whole cents that a row pays on `staked` cents, the returned stake not included, and notes.

    The texts name no unit of payment. Part of a cent is not paid, and a note says so.
    """
    paid, rest = row.odds.whole_cents(staked)
    if rest:
        return paid, ((row.clause, f"{rest} of a cent of the payout cannot be paid"),)
    return paid, ()


def odds_words(row: Row, settled_by: str) -> str:
    """Return in words what a row pays, with its clause unless the same clause settles the wager."""
    return f"pays {row.odds.text}" + ("" if row.clause == settled_by else f" ({row.clause})")
