"""Bad Beat Progressive: a player's 20 that meets a dealer's 21; with the Magic Card and Lucky Player bonuses."""

from __future__ import annotations

from typing import Final

from shoetool.rules.hands import best_total
from shoetool.rules.round import Stage

from .choice import Choice
from .progressive import MeterRule
from .view import View
from .wager import ON_THE_FIRST_HAND, Bonus, Outcome, Predicate, Wager, at_dealer_blackjack

_KEY: Final = "bad_beat"
_SPLIT: Final = Choice(
    "bad_beat_split", "633a.7(o)(1)(i)", "after a split any hand's 20 counts (reading 22)", ("any", "first")
)
_MATCH: Final = Choice(
    "magic_card_match",
    "633a.1 Magic Card bonus",
    "the Magic Card is matched by rank and suit, or by rank (reading 23)",
    ("card", "rank"),
)
_NOT_SETTLED: Final = frozenset({"surrendered", "rescued", "dead"})


def player_20(view: View) -> bool:
    """Whether a hand that reached its settlement counts 20, in any number of cards (reading 22)."""
    hands = view.hands
    if _SPLIT.of(view.rules) == "first":
        hands = hands[:1]
    for hand in hands:
        if hand.end in _NOT_SETTLED:
            continue
        if best_total(hand.cards) == 20:
            return True
    return False


def _dealer_21(least: int) -> Predicate:
    """Whether the dealer has 21 in so many cards or more; the rows for more cards come first."""
    return lambda view: len(view.dealer) >= least and best_total(view.dealer) == 21 and player_20(view)


def _any_20(view: View) -> bool:
    """The optional row: any 20 that the dealer's rows do not pay, if the rules submission selects it."""
    offer = view.rules.wagers.get(_KEY)
    return offer is not None and "player_20" in offer.options and player_20(view)


def magic_card(view: View) -> bool:
    """633a.1 Magic Card bonus: one of the first two cards is the card picked, by rank and suit (reading 23)."""
    magic = view.magic_card
    if magic is None:
        return False
    if _MATCH.of(view.rules) == "rank":
        return any(card % 13 == magic % 13 for card in view.initial[:2])
    return magic in view.initial[:2]


def lucky_player(view: View) -> bool:
    """633a.1 Lucky Player bonus: the player sits at the position picked."""
    return view.is_lucky_player


BAD_BEAT: Final = Wager(
    key=_KEY,
    title="Bad Beat Progressive",
    offered="633a.6(e)(8)",
    settles="633a.7(o)(1)(i)",
    collects="633a.7(o)",
    pays="633a.13(j)(1)",
    stage=Stage.AFTER_ALL,
    subject="hands_and_dealer",
    nothing="no 20 against a dealer's 21",
    outcomes=(
        Outcome("dealer_21_seven_or_more_cards", _dealer_21(7)),
        Outcome("dealer_21_six_cards", _dealer_21(6)),
        Outcome("dealer_21_five_cards", _dealer_21(5)),
        Outcome("dealer_21_four_cards", _dealer_21(4)),
        Outcome("dealer_21_three_cards", _dealer_21(3)),
        Outcome("dealer_blackjack", lambda view: view.dealer_blackjack and player_20(view)),
        Outcome("player_20", _any_20, option="Bad Beat: any player 20 wins"),
    ),
    waits=at_dealer_blackjack,
    needs_dealer_draw=True,
    hand_decides=True,
    meter=MeterRule(
        least=5_000_00,
        clause="633a.13(j)(2)",
        shared="633a.7(o)(1)(ii)(C)",
        locked_out="633a.2(c)",
        devices=(
            (
                "a progressive system, with an electronic wagering system that locks late wagers out at each position",
                "633a.2(c)",
            ),
        ),
        by_wager=True,
    ),
    verify_from=100,
    verify_clause="633a.7(o)(1)(ii)(B)",
    dealer_verifies="633a.7(o)(1)(ii)(A)",
    electronic="633a.7(o)(1)(ii)(C)",
    switch=ON_THE_FIRST_HAND,
    choices=(_SPLIT, _MATCH),
    bonuses=(
        Bonus(
            key="magic_card",
            title="Magic Card Bonus",
            of=_KEY,
            clause="633a.1 Magic Card bonus",
            predicate=magic_card,
            reason="one of the first two cards is the Magic Card",
            option="Bad Beat: the Magic Card bonus is offered",
            picked='"7♠", the card that the system picked',
        ),
        Bonus(
            key="lucky_player",
            title="Lucky Player Bonus",
            of=_KEY,
            clause="633a.1 Lucky Player bonus",
            predicate=lucky_player,
            reason="the system picked this position",
            option="Bad Beat: the Lucky Player bonus is offered",
            picked="the position that the system picked",
        ),
    ),
)
