"""Two wagers that no chapter has, each one declaration and one paytable: all that a new wager takes."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from typing import Any, Final

import pytest
from shoetool.rules import paytable
from shoetool.rules.round import Stage
from shoetool.rules.wagers import WAGERS, Outcome, View, Wager
from shoetool.rules.wagers.progressive import MeterRule

KING: Final = 12


def _kings(view: View) -> int:
    return sum(card % 13 == KING for card in view.initial)


PLAIN: Final = Wager(
    key="royal_visit",
    title="Royal Visit",
    offered="633a.6(e)(13)",
    settles="633a.7(g)(11)",
    collects="633a.7(g)",
    pays="633a.13(p)",
    stage=Stage.AFTER_DEAL,
    subject="two_cards",
    nothing="no king",
    outcomes=(
        Outcome("two_kings", lambda view: _kings(view) == 2),
        Outcome("one_king", lambda view: _kings(view) == 1),
    ),
)
PLAIN_TOML: Final = """
wager = "royal_visit"
title = "Royal Visit Wager"
games = ["blackjack"]

[[paytable]]
name = "A"
clause = "633a.13(p)"
rows = [
    { key = "two_kings", outcome = "Two kings", odds = "10 to 1" },
    { key = "one_king", outcome = "A king", odds = "3 to 2" },
]

[[paytable]]
name = "B"
clause = "633a.13(p)"
rows = [
    { key = "two_kings", outcome = "Two kings", odds = "20 to 1" },
    { key = "one_king", outcome = "A king", odds = "1 to 1" },
]
"""

PROGRESSIVE: Final = Wager(
    key="king_hunt",
    title="King Hunt Progressive",
    offered="633a.6(e)(14)",
    settles="633a.7(o)(4)(i)",
    collects="633a.7(o)",
    pays="633a.13(q)(1)",
    stage=Stage.AFTER_ALL,
    subject="dealer",
    nothing="the dealer has no king",
    outcomes=(
        Outcome("king_in_two_cards", lambda view: len(view.dealer) == 2 and view.dealer[1] % 13 == KING),
        Outcome("king", lambda view: any(card % 13 == KING for card in view.dealer)),
    ),
    needs_dealer_draw=True,
    meter=MeterRule(
        least=2_000_00,
        clause="633a.13(q)(2)",
        shared="633a.7(o)(4)(ii)(C)",
        locked_out="633a.2(d)(3)",
        devices=(("a hunter for the {wager}", "633a.2(d)(4)"),),
    ),
    verify_from=100,
    verify_clause="633a.7(o)(4)(ii)(B)",
    dealer_verifies="633a.7(o)(4)(ii)(A)",
)
PROGRESSIVE_TOML: Final = """
wager = "king_hunt"
title = "King Hunt Progressive Wager"
games = ["blackjack"]

[[paytable]]
clause = "633a.13(q)(1)"
rows = [
    { key = "king_in_two_cards", outcome = "Dealer has: a king in two cards", odds = "100% of meter" },
    { key = "king", outcome = "Dealer has: a king", odds = "5 for 1" },
]
"""


@pytest.fixture
def made_up(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """Both wagers stand in the catalogue."""
    for wager, text in ((PLAIN, PLAIN_TOML), (PROGRESSIVE, PROGRESSIVE_TOML)):
        monkeypatch.setitem(WAGERS, wager.key, wager)
        tables = tuple(paytable.parse_paytables(tomllib.loads(text), f"{wager.key}.toml"))
        monkeypatch.setitem(paytable._all_tables(), wager.key, tables)
    yield
