"""Jackpot Party and Super 4 against a second opinion written from the text alone, over every four cards that matter.

Against a dealer's Blackjack every two cards of the player are tried, repeated cards among them; the suits of the
dealer's ace are three, because clubs and spades differ in nothing but their names (in Super 4 hearts and diamonds do
not). Without a Blackjack the player's cards do not matter, and a few stand for all.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations_with_replacement

import pytest
from naive_633c import jackpot_party, super_4
from naive_633c.four_cards import Card
from shoetool.rules.wagers import WAGERS, View
from wager_table import rules_for

LETTERS = "cdhs"
TWO = tuple(combinations_with_replacement(range(52), 2))
FEW = ((0, 12), (13, 13), (40, 5))
TENS = (9, 10, 11, 12)


def named(card: int) -> Card:
    return card % 13 + 1, LETTERS[card // 13]


def rounds(aces: tuple[int, ...]) -> Iterator[tuple[tuple[int, int], tuple[int, int]]]:
    """(dealer's cards, player's cards); an ace up and a ten-count card up take turns against a Blackjack."""
    for ace in aces:
        for number, ten in enumerate(13 * suit + rank for suit in range(4) for rank in TENS):
            dealer = (ace, ten) if number % 2 else (ten, ace)
            for player in TWO:
                yield dealer, player
    for up in range(52):
        for hole in range(52):
            for player in FEW:
                yield (up, hole), player


@pytest.mark.clause("633c.2(a)#1", *(f"633c.2(a)({number})" for number in range(1, 11)), "633c.2(i)#1")
def test_jackpot_party_is_the_best_combination_of_the_four_cards() -> None:
    rules, wager, seen = rules_for("jackpot_party"), WAGERS["jackpot_party"], Counter[str]()
    for dealer, player in rounds((0, 13, 26)):
        found = wager.outcome(View(rules, player, dealer))
        expected = jackpot_party.outcome([*map(named, dealer)], [*map(named, player)])
        assert (found.key if found is not None else "lost") == expected, (dealer, player)
        seen[expected] += 1
    assert len(seen) == 11


@pytest.mark.clause("633c.6(a)#1", *(f"633c.6(a)({number})" for number in range(1, 11)), "633c.6(i)#1")
def test_super_4_is_the_best_combination_of_the_four_cards() -> None:
    rules, wager, seen = rules_for("super_4", super_4_suit="clubs"), WAGERS["super_4"], Counter[str]()
    for dealer, player in rounds((0, 13, 39)):
        found = wager.outcome(View(rules, player, dealer))
        expected = super_4.outcome([*map(named, dealer)], [*map(named, player)], "c")
        key = found.key if found is not None else "lost"
        assert key.replace("no_dealer_ace_up", "lost") == expected, (dealer, player)
        seen[expected] += 1
    assert len(seen) == 11
