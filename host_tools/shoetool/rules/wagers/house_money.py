"""House Money: two cards in sequence, a pair or ace-king suited; the winnings may be pressed into the main wager."""

from __future__ import annotations

from typing import Final

from shoetool.rules.round import Stage

from .choice import Choice
from .two_cards import ACE_RANK, KING_RANK, pair, ranks, suited
from .view import TEN_OR_ACE, View
from .wager import InSwitch, Outcome, Press, Wager, Wait

_ACE_BESIDE: Final = {"both": (1, KING_RANK), "high": (KING_RANK,), "low": (1,)}
"""Ranks that the ace is next to, by setting: the 2, the king, or both (reading 18)."""

_ACE: Final = Choice(
    "house_money_ace",
    "633a.1 Two-card straight",
    "the ace is next to the king, the 2 or both (reading 18)",
    tuple(_ACE_BESIDE),
)
_PORTION: Final = Choice(
    "house_money_portion", "633a.7(g)(10)(ii)(A)", "how much of a House Money payout may be added to the main wager"
)


def consecutive(view: View) -> bool:
    """633a.1 Two-card straight: adjacent in rank, suits ignored."""
    low, high = sorted((view.first % 13, view.second % 13))
    if low == ACE_RANK:
        return high in _ACE_BESIDE[_ACE.of(view.rules)]
    return high - low == 1


def ace_king_suited(view: View) -> bool:
    """633a.1 Ace-king suited."""
    return suited(view) and ranks(view) == {ACE_RANK, KING_RANK}


def two_card_straight_flush(view: View) -> bool:
    """633a.1 Two-card straight flush: adjacent in rank and of one suit."""
    return consecutive(view) and suited(view)


def _waits(view: View, outcome: Outcome | None) -> Wait | None:
    """A winner against an ace or ten-value card waits for the reader (633a.7(g)(10)(i))."""
    if outcome is None:
        return None
    if view.up % 13 not in TEN_OR_ACE:
        return Wait(Stage.AFTER_DEAL, "633a.7(g)(10)(ii)")
    return Wait(Stage.AFTER_READER, "633a.7(g)(10)(i)(A)" if view.dealer_blackjack else "633a.7(g)(10)(i)(B)")


HOUSE_MONEY: Final = Wager(
    key="house_money",
    title="House Money",
    offered="633a.6(e)(12)",
    settles="633a.7(g)(10)(ii)",
    collects="633a.7(g)(10)",
    pays="633a.13(n)",
    stage=Stage.AFTER_DEAL,
    subject="two_cards",
    nothing="no two-card straight, pair or ace-king suited",
    outcomes=(
        Outcome("ace_king_suited", ace_king_suited),
        Outcome("two_card_straight_flush", two_card_straight_flush),
        Outcome("pair", pair),
        Outcome("two_card_straight", consecutive),
    ),
    waits=_waits,
    waiting="633a.7(g)(10)(i)",
    before_main=True,
    press=Press(
        clause="633a.7(g)(10)(ii)",
        portion=_PORTION,
        most="633a.7(g)(10)(ii)(A)",
        paid_out="633a.7(g)(10)(i)(A)",
        two_hands="633a.12(a)(1)",  # the two main wagers are equal, and no text says to which it would be added
        double="633a.7(g)(10)(ii)(C)",
    ),
    switch=InSwitch("all"),
    choices=(_PORTION, _ACE),
)
