"""Jackpot Party Progressive, 633c.2(a): the player's two cards and the dealer's, one to five meters, an envy bonus."""

from __future__ import annotations

from typing import Final

from shoetool.model.cards import SUIT_WORDS
from shoetool.rules.round import Stage

from .choice import Choice
from .four_cards import (
    dealer_ace_up,
    dealer_blackjack,
    flush,
    pair_by_rank,
    royal_flush,
    same_color,
    straight,
    three_of_a_kind,
    two_pair_by_rank,
)
from .progressive import Envy, MeterReadings, MeterRule, progressive_system, secondary, sharing, sharing_parts, to_one
from .view import View
from .wager import Outcome, Wager

_KEY: Final = "jackpot_party"
_PAYS: Final = "633c.2(i)"
_DIAMONDS: Final = SUIT_WORDS.index("diamonds")


def _royal_of_diamonds(view: View) -> bool:
    """633c.2(a)(1)."""
    return royal_flush(view) == _DIAMONDS


def _other_royal(view: View) -> bool:
    """633c.2(a)(2): diamonds have a row above this one."""
    return royal_flush(view) is not None


JACKPOT_PARTY: Final = Wager(
    key=_KEY,
    title="Jackpot Party Progressive",
    offered="633c.2(e)",
    settles="633c.2(g)(2)",
    collects="633c.2(g)(1)",
    pays=_PAYS,
    stage=Stage.AFTER_READER,
    subject="two_cards_and_dealer",
    nothing="the dealer has neither an ace up nor a Blackjack",
    outcomes=(
        Outcome("royal_flush_diamonds", _royal_of_diamonds),
        Outcome("royal_flush_other", _other_royal),
        Outcome("three_of_a_kind", three_of_a_kind),  # 633c.2(a)(3)
        Outcome("straight", straight),  # 633c.2(a)(4)
        Outcome("flush", flush),  # 633c.2(a)(5)
        Outcome("two_pair", two_pair_by_rank),  # 633c.2(a)(6)
        Outcome("same_color", same_color),  # 633c.2(a)(7)
        Outcome("pair", pair_by_rank),  # 633c.2(a)(8)
        Outcome("dealer_blackjack", dealer_blackjack),  # 633c.2(a)(9)
        Outcome("dealer_ace_up", dealer_ace_up),  # 633c.2(a)(10)
    ),
    waiting="633c.2(g)",
    before_main=True,
    meter=MeterRule(
        least=0,
        clause=_PAYS,
        shared="",
        locked_out="633c.2(d)(2)",
        devices=progressive_system("633c.2(d)", "633c.2(d)(1)", "633c.2(d)(2)"),
        apart="633c.2(h)(4)",
        # The dealer's cards are of one suit: nobody wins a tenth of the meter while another wins all of it.
        readings=MeterReadings(
            sharing=sharing(_KEY, _PAYS),
            sharing_parts=sharing_parts(_KEY, _PAYS),
            secondary=secondary(_KEY, _PAYS),
        ),
    ),
    verify_from=0,
    verify_clause="633c.2(h)(3)",
    dealer_verifies="633c.2(h)(1)",
    light="633c.2(h)(2)",
    gathered="633c.2(f)",
    to_one=to_one(_KEY, "633c.2(f)"),
    area="633c.2(c)",
    amounts=(1_00, 5_00),
    envy=Envy(
        clause=_PAYS,
        goes_to=Choice(
            f"{_KEY}_envy",
            _PAYS,
            "the envy amount goes to the other players with the wager, or to the winner himself (T22)",
            ("others", "own"),
        ),
        most=Choice(
            f"{_KEY}_envy_most",
            _PAYS,
            'where "Max Envy" is printed, a player gets the largest amount of a round, or one for each hand (T22)',
            ("round", "hand"),
        ),
        amount=Choice(
            f"{_KEY}_envy_amount",
            _PAYS,
            "beside a wager of $1 the envy amount is as printed, or a fifth of it (T22)",
            ("printed", "scaled"),
        ),
        scaled_from=5_00,
        boxes=Choice(
            f"{_KEY}_envy_boxes",
            _PAYS,
            "a player with several positions is one player, or each position is one (T74)",
            ("player", "box"),
        ),
        holder=Choice(
            f"{_KEY}_envy_holder",
            _PAYS,
            "any other player's hand pays an envy amount, or only one beside the wager (T74)",
            ("any", "wager"),
        ),
    ),
)
