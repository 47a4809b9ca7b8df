"""How the house may read 633c.5 where its text leaves room, T36 to T53: the same round, and what each word pays."""

from __future__ import annotations

from dataclasses import replace

import pytest
from shoetool.deal import Decision, Stake, play
from shoetool.model.cards import parse_card
from shoetool.rules.round import Settlement
from shoetool.rules.submission.file import example, parse
from shoetool.settle.engine import settle

HOLE = parse(example("hybrid"))
NO_HOLE = replace(parse(example("hybrid-no-hole")), countdown_draws_to=0)


def settled(cards: str, chosen: str, no_hole: bool, insured: int = 0, **words: str) -> Settlement:
    """One terminal with $10, at the first player position with $5 on Buzzer Beater."""
    table = NO_HOLE if no_hole else HOLE
    rules = replace(table, choices={**table.choices, **words})
    side = {} if no_hole else {"buzzer_beater": 5_00}
    stake = Stake(1, 10_00, side, player_position=None if no_hole else 1)
    first = [Decision(1, None, "insurance", insured)] if insured else []
    made = [Decision(1, None, name) for name in chosen.split()]
    return settle(play(rules, [stake], [parse_card(card) for card in cards.split()], [*first, *made]), rules)


def net(settlement: Settlement, *wagers: str) -> int:
    return sum(line.net for line in settlement.lines if line.wager in (wagers or ("main", "double")))


# Name of the setting, cards in the order drawn, choices, whether there is no hole card, what the Blackjack wager wins.
CASES = [
    # 10-6-6 against 10-6-6: both over 21 with 22.
    ("hybrid_both_over_21", "10C 10D 6C 6D 6H 6S", "hit", False, {"loss": -10_00, "push": 0}),
    # A-K against 7-7-7: Blackjack and 21.
    ("hybrid_equal_21", "AC 7D KC 7H 7S", "", False, {"decided": 15_00, "push": 15_00}),
    # 7-7-7 against A-K: 21 and Blackjack, without a hole card.
    ("hybrid_equal_21", "7C AD 7D 7H KS", "hit", True, {"decided": -10_00, "push": 0}),
    # 5-6 doubled, with 5 more, against A-K.
    ("hybrid_double_back", "5C AD 6D 5H KS", "double", True, {"first": -10_00, "both": -20_00}),
    # 8-8 split, 10 on both, then A-K: the second wager comes back.
    ("hybrid_split_over_21", "8C AD 8D 10H KS", "split stand stand", True, {"own": -10_00, "any": -10_00}),
    # 8-8 split, 8 on both; the first hand takes 10 and goes over, the second stands on 16.
    ("hybrid_split_over_21", "8C AD 8D 6H 10H KS", "split hit stand", True, {"own": -10_00, "any": -20_00}),
    # 10-6 surrendered against a king, and the dealer's second card is an ace.
    ("hybrid_surrender", "10C KD 6D AH", "surrender", True, {"second_card": -10_00, "half": -5_00}),
]


@pytest.mark.clause("633c.5(t)(2)", "633c.5(bb)(1)#2", "633c.5(z)#2")
@pytest.mark.parametrize(("setting", "cards", "chosen", "no_hole", "nets"), CASES)
def test_the_blackjack_wager_by_each_word_of_a_setting(
    setting: str, cards: str, chosen: str, no_hole: bool, nets: dict[str, int]
) -> None:
    for word, wanted in nets.items():
        assert net(settled(cards, chosen, no_hole, **{setting: word})) == wanted, word


@pytest.mark.clause("633c.5(aa)(3)(ii)#2", "633c.5(bb)(1)#1")
def test_insurance_of_a_hand_over_21_is_decided_by_the_second_card_or_lost_with_it() -> None:
    """T48: 10-6-10, insured, and the next card is a king."""
    for word, wanted in (("second_card", 10_00), ("lost", -5_00)):
        found = settled("10C AD 6D 10H KS", "hit", True, insured=5_00, hybrid_bust_insurance=word)
        assert (net(found, "insurance"), net(found)) == (wanted, -10_00)


@pytest.mark.clause("633c.5(u)(1)", "633c.5(u)(2)(i)", "633c.5(u)(2)(ii)", "633c.5(v)(3)")
@pytest.mark.parametrize(
    ("setting", "cards", "chosen", "nets"),
    [
        ("buzzer_tie", "10C 10D 10S JD", "stand", {"wins": 25_00, "loses": -5_00}),
        ("buzzer_tie", "7C 10D 7S 6D 7H 5C", "hit", {"wins": 0, "loses": -5_00}),
        ("buzzer_21", "7C 10D 7S 6D 7H 5C", "hit", {"no_row": 0, "5_to_1": 25_00, "loses": -5_00}),
        ("buzzer_below_19", "10C 10D 7S 7D", "stand", {"loses": -5_00, "push": 0}),
        ("buzzer_below_19", "10C 10D 6C 6D 6H 6S", "hit", {"loses": -5_00, "push": 0}),
        ("buzzer_blackjack", "AC 10D KC 6H 5S", "", {"blackjack": -5_00, "count": 0}),
        # 9-9 split, 10 on both; the first takes 5 and goes over, the second has 19 against 21.
        ("buzzer_split", "9C 6D 9S 5D 10H 5H 10S", "split hit stand", {"any": 50_00, "first": -5_00}),
        # 9-9 split, 10 on both; the first takes an ace, 20, the second has 19 against 20: the row of 20 stands first.
        ("buzzer_split", "9C 6D 9S 4D 10H AH 10S", "split hit stand stand", {"any": 25_00, "first": 25_00}),
    ],
)
def test_buzzer_beater_by_each_word_of_a_setting(setting: str, cards: str, chosen: str, nets: dict[str, int]) -> None:
    for word, wanted in nets.items():
        assert net(settled(cards, chosen, False, **{setting: word}), "buzzer_beater") == wanted, word


@pytest.mark.clause("633c.5(u)(2)(ii)")
@pytest.mark.parametrize("word", ["no_row", "5_to_1", "loses"])
def test_a_tie_at_21_loses_where_ties_do_whatever_the_house_pays_without_a_row(word: str) -> None:
    """T38, T39: only a hand that loses to the dealer's wins then, by 633c.5(m). So does a Blackjack that meets 21."""
    for cards, chosen in (("7C 10D 7S 6D 7H 5C", "hit"), ("AC 10D KC 6H 5S", "")):
        found = settled(cards, chosen, False, buzzer_tie="loses", buzzer_21=word, buzzer_blackjack="count")
        assert net(found, "buzzer_beater") == -5_00, cards
