"""Match the Dealer Progressive, 633c.3(a): how the player's first two cards match the dealer's up card."""

from __future__ import annotations

from typing import Final

from shoetool.model.cards import SUITS
from shoetool.rules.round import Stage

from .matching import matches
from .progressive import MeterReadings, MeterRule, progressive_system, secondary, sharing, sharing_parts, to_one
from .view import View
from .wager import Outcome, Predicate, Wager

_KEY: Final = "match_the_dealer_progressive"
_PAYS: Final = "633c.3(i)"
_METER: Final = "633c.3(j)"
_ACE_OF_SPADES: Final = SUITS.index("♠") * 13


def _aces_of_spades(view: View) -> bool:
    """633c.3(a)(1)."""
    return view.first == view.second == view.up == _ACE_OF_SPADES


def _matches(same: int, other: int) -> Predicate:
    """Whether just so many of the two match the up card by rank and suit, and so many by rank alone.

    Both cards count, so exactly one row fits, also where a lower row pays more (T26).
    """
    return lambda view: matches(view) == (same, other)


MATCH_THE_DEALER_PROGRESSIVE: Final = Wager(
    key=_KEY,
    title="Match the Dealer Progressive",
    offered="633c.3(e)",
    settles="633c.3(g)(2)",
    collects="633c.3(g)(1)",
    pays=_PAYS,
    # Before the reader is used: the dealer's hole card has no part in it (633c.3(g), T27).
    stage=Stage.AFTER_DEAL,
    subject="two_cards_and_up",
    nothing="no card of the up card's rank",
    outcomes=(
        Outcome("two_suited_aces_of_spades", _aces_of_spades),
        Outcome("two_suited", _matches(2, 0)),  # 633c.3(a)(2): of the ace of spades there is the row above
        Outcome("one_suited_one_non_suited", _matches(1, 1)),  # 633c.3(a)(3)
        Outcome("one_suited", _matches(1, 0)),  # 633c.3(a)(4)
        Outcome("two_non_suited", _matches(0, 2)),  # 633c.3(a)(5)
        Outcome("one_non_suited", _matches(0, 1)),  # 633c.3(a)(6)
    ),
    timing="633c.3(g)",
    meter=MeterRule(
        least=0,
        clause=_METER,
        shared="",
        locked_out="633c.3(d)(2)",
        devices=progressive_system("633c.3(d)", "633c.3(d)(1)", "633c.3(d)(2)"),
        apart="633c.3(h)(4)",
        # All match one up card: nobody wins a tenth of the meter while another wins all of it.
        readings=MeterReadings(
            sharing=sharing(_KEY, _PAYS),
            sharing_parts=sharing_parts(_KEY, _PAYS),
            secondary=secondary(_KEY, _METER),
        ),
    ),
    verify_from=0,
    verify_clause="633c.3(h)(3)",
    dealer_verifies="633c.3(h)(1)",
    light="633c.3(h)(2)",
    gathered="633c.3(f)",
    to_one=to_one(_KEY, "633c.3(f)"),
    area="633c.3(c)",
    amounts=(1_00, 5_00),
)
