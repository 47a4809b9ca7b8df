"""What the declarations and the paytables say about the meters of progressive wagers."""

from __future__ import annotations

from shoetool.rules.paytable import paytables

from .catalogue import WAGERS
from .wager import MeterRule


def meter_rule(key: str) -> MeterRule:
    """The rule of a progressive wager's meter."""
    rule = WAGERS[key].meter
    assert rule is not None, f"{key} is progressive"
    return rule


def partly_won(key: str) -> bool:
    """Whether part of the meter can be won, so that it may be below its start amount."""
    return any(0 < row.odds.meter_share < 1 for table in paytables(key) for row in table.rows)
