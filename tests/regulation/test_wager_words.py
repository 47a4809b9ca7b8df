"""The reason of an optional wager's line names the cards that decided it, and no others."""

from __future__ import annotations

from typing import Any

import pytest
from wager_table import box_of, hand_of, lines_of, one_line, rules_for

_SPLIT = (hand_of("8S 10S", 1, from_split=True), hand_of("8S 3S", 2, from_split=True))


@pytest.mark.parametrize(
    ("wager", "held", "dealer", "more", "words"),
    [
        ("perfect_pairs", "AS AS", "9D 8C", {}, "first two cards A♠ A♠"),
        ("trilux_deluxe", "9S 8S", "10S 8C", {}, "first two cards 9♠ 8♠ and up card 10♠"),
        (
            *("lucky_aces", "AS AH", "9D 8C", {"electronic_table": True}),
            "first two cards A♠ A♥ and dealer's 9♦ 8♣",
        ),
        ("blazing_7s", "7S 7H", "9D 8C", {"drawn": "7D"}, "first two cards 7♠ 7♥, then 7♦, and up card 9♦"),
        ("blazing_7s", "7S 8H", "9D 8C", {}, "first two cards 7♠ 8♥, and up card 9♦"),
        ("buster_blackjack", "7S 8H", "9D 7C KC", {}, "dealer's cards 9♦ 7♣ K♣"),
        ("axman", "7S 8H", "9D 9C KC", {}, "dealer's cards 9♦ 9♣ K♣"),
        ("straight_jack", "AS 10S", "9D 8C", {}, "cards A♠ 10♠"),
        ("straight_jack", "8S 8S", "9D 8C", {"hands": _SPLIT}, "first two cards 8♠ 8♠, split into 8♠ 10♠ and 8♠ 3♠"),
        ("bad_beat", "10S KH", "9D 7C 5C", {}, "cards 10♠ K♥ against the dealer's 9♦ 7♣ 5♣ (21)"),
    ],
)
def test_the_reason_names_the_cards_that_decide(
    wager: str, held: str, dealer: str, more: dict[str, Any], words: str
) -> None:
    line = one_line(wager, held, dealer, **more)
    assert line.words.startswith(f"{words}: ")


def test_in_blackjack_switch_two_cards_are_those_of_the_first_hand_and_four_of_both() -> None:
    rules = rules_for("royal_match_21", "super_match", game="switch", paytable="C", switch_side_wagers="first_hand")
    box = box_of("KS QS", {"royal_match_21": "5.00", "super_match": "5.00"}, second="9D 8C")
    words = {line.wager: line.words.partition(":")[0] for line in lines_of(rules, "10D 7C", box) if line.staked}
    assert words == {"royal_match_21": "first two cards K♠ Q♠", "super_match": "first four cards K♠ Q♠ 9♦ 8♣"}


@pytest.mark.clause("633c.12(j)")
def test_only_kings_of_diamonds_of_the_player_are_named_as_a_multiplier() -> None:
    said = "dealer's cards J♦ J♣ K♣: Jacks or better pair, pays 5 to 1 (633c.12(k))"
    assert one_line("axman", "7S 8H", "JD JC KC").words == said
    once = one_line("axman", "KD 8H", "JD JC KC").words
    assert once.startswith(f"{said}, times 2 for ") and once.endswith(": 10 to 1 (633c.12(j))")
