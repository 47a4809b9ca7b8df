"""What a paytable pays for the outcomes of its wager: which ones, at which odds, and whether the wager comes back."""

from __future__ import annotations

from shoetool.rules.odds import Odds
from shoetool.rules.paytable import Paytable, Row

from .view import Choices
from .wager import Outcome, Wager


def paid_outcomes(wager: Wager, table: Paytable) -> tuple[Outcome, ...]:
    """The outcomes that this paytable pays, in the order of the declaration: the first one that fits is paid.

    A paytable may lack a row (suited pairs with one deck) or call it a loss: the next outcome that fits is paid. One
    without any row gives the wager back.
    """
    return tuple(
        one
        for one in wager.outcomes
        if one.unpaid or (all(map(table.has, one.rows)) and any(table.row(key).odds.kind != "loss" for key in one.rows))
    )


def rows_of(outcome: Outcome, table: Paytable) -> tuple[Row, ...]:
    """The rows that are paid for an outcome."""
    return tuple(table.row(key) for key in outcome.rows)


def joined(rows: tuple[Row, ...]) -> Odds:
    """The odds of one row, or of two rows paid together (both cards match)."""
    odds = rows[0].odds
    for row in rows[1:]:
        text = f"{odds.text} twice" if row.odds == odds else f"{odds.text} and {row.odds.text}"
        odds = Odds(text, odds.kind, odds.ratio + row.odds.ratio)
    return odds


def returning(wager: Wager, rules: Choices) -> frozenset[str]:
    """The kinds of odds that give the wager back beside the payout: "to", unless the house reads it otherwise (T4)."""
    words = {
        "to": "back" if wager.to_one is None else wager.to_one.of(rules),
        "sum": "kept" if wager.beside_sum is None else wager.beside_sum.of(rules),
    }
    return frozenset(kind for kind, word in words.items() if word == "back")
