"""Super 4 Progressive, 633c.6(a): the player's two cards and the dealer's. Its meters are a star and the suits."""

from __future__ import annotations

from typing import Final

from shoetool.model.cards import SUIT_WORDS
from shoetool.rules.round import Stage

from .choice import Choice
from .four_cards import (
    dealer_ace_up,
    dealer_blackjack,
    flush,
    pair_by_card,
    pair_by_rank,
    royal_flush,
    same_color,
    straight,
    three_of_a_kind,
    two_pair_by_card,
    two_pair_by_rank,
)
from .progressive import MeterReadings, MeterRule, beside_sum, progressive_system, sharing
from .view import View
from .wager import Outcome, Predicate, Wager

_KEY: Final = "super_4"
_SUIT: Final = Choice(
    f"{_KEY}_suit", "633c.6(a)(1)", "the suit that the house chose for the best royal flush", SUIT_WORDS, asked=True
)
_PAIR: Final = Choice(
    f"{_KEY}_pair", "633c.6(a)(8)", "cards pair by suit and rank, or by rank (T54)", ("suit_and_rank", "rank")
)
_TEN_UP: Final = Choice(
    f"{_KEY}_ten_up",
    "633c.6(i)",
    "paytable 3-1: its last row restates that nothing wins without a dealer's ace up or Blackjack, or a Blackjack with "
    "the ten-count card up loses too (T15)",
    ("wins", "loses"),
)
_NO_ACE: Final = "no_dealer_ace_up"


def _chosen_royal(view: View) -> bool:
    """633c.6(a)(1)."""
    suit = royal_flush(view)
    return suit is not None and SUIT_WORDS[suit] == _SUIT.of(view.rules)


def _other_royal(view: View) -> bool:
    """633c.6(a)(2): the chosen suit has a row above this one."""
    return royal_flush(view) is not None


def _two_pair(view: View) -> bool:
    """633c.6(a)(6)."""
    return two_pair_by_rank(view) if _PAIR.of(view.rules) == "rank" else two_pair_by_card(view)


def _pair(view: View) -> bool:
    """633c.6(a)(8)."""
    return pair_by_rank(view) if _PAIR.of(view.rules) == "rank" else pair_by_card(view)


def _no_ace_up(view: View) -> bool:
    return view.up % 13 != 0


def _counts(predicate: Predicate) -> Predicate:
    """The outcome of a dealer's Blackjack, unless the house reads the odd row of paytable 3-1 as its loss with a ten
    up."""

    def won(view: View) -> bool:
        if not view.dealer_blackjack or not predicate(view):
            return False
        if _TEN_UP.of(view.rules) == "wins":
            return True
        offer = view.rules.wagers.get(_KEY)
        by_row = offer is not None and offer.paytable == "3-1"
        return not (by_row and _no_ace_up(view))

    return won


SUPER_4: Final = Wager(
    key=_KEY,
    title="Super 4 Progressive",
    offered="633c.6(e)",
    settles="633c.6(g)(2)",
    collects="633c.6(g)(1)",
    pays="633c.6(i)",
    stage=Stage.AFTER_READER,
    subject="two_cards_and_dealer",
    nothing="the dealer has neither an ace up nor a Blackjack",
    outcomes=(
        Outcome("royal_flush_chosen_suit", _counts(_chosen_royal)),  # 633c.6(a)(1)
        Outcome("royal_flush_other_suit", _counts(_other_royal)),  # 633c.6(a)(2)
        Outcome("three_of_a_kind", _counts(three_of_a_kind)),  # 633c.6(a)(3)
        Outcome("straight", _counts(straight)),  # 633c.6(a)(4)
        Outcome("flush", _counts(flush)),  # 633c.6(a)(5)
        Outcome("two_pair", _counts(_two_pair)),
        Outcome("same_color", _counts(same_color)),  # 633c.6(a)(7)
        Outcome("pair", _counts(_pair)),
        Outcome("dealer_blackjack", _counts(dealer_blackjack)),  # 633c.6(a)(9)
        Outcome("dealer_ace_up", dealer_ace_up),  # 633c.6(a)(10)
        Outcome(_NO_ACE, _no_ace_up),
    ),
    waiting="633c.6(g)",
    before_main=True,
    meter=MeterRule(
        least=0,
        clause="633c.6(i)",
        shared="",
        locked_out="633c.6(d)(2)",
        devices=progressive_system("633c.6(d)", "633c.6(d)(1)", "633c.6(d)(2)"),
        apart="633c.6(h)(4)",
        readings=MeterReadings(sharing=sharing(_KEY, "633c.6(i)")),
    ),
    verify_from=0,
    verify_clause="633c.6(h)(3)",
    dealer_verifies="633c.6(h)(1)",
    light="633c.6(h)(2)",
    gathered="633c.6(f)",
    beside_sum=beside_sum(_KEY, "633c.6(f)"),
    area="633c.6(c)",
    amounts=(5_00,),
    choices=(_SUIT, _PAIR, _TEN_UP),
)
