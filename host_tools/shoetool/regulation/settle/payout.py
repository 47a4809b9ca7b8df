"""A payout in whole cents and in words, with the note that names what of it cannot be paid."""

from __future__ import annotations

from shoetool.model.money import whole_cents
from shoetool.regulation.paytable import Row
from shoetool.regulation.round import Note


def payout(row: Row, staked: int) -> tuple[int, tuple[Note, ...]]:
    """Whole cents that a row pays on `staked` cents beside the returned stake, and notes.

    Nothing in the texts names a unit of payment; part of a cent is not paid, and a note says so.
    """
    paid, rest = whole_cents(row.odds.paid(staked))
    if rest:
        return paid, ((row.clause, f"{rest} of a cent of the payout cannot be paid"),)
    return paid, ()


def odds_words(row: Row, settled_by: str) -> str:
    """What a row pays, with the clause that says so unless the wager is settled by the same."""
    return f"pays {row.odds.text}" + ("" if row.clause == settled_by else f" ({row.clause})")
