"""Spanish 21: 21 beats 21, bonus payouts, the fixed sums for a suited 7-7-7 against a 7; 635a.7(g)-(o), 635a.12."""

from __future__ import annotations

import pytest
from settle_cases import box, hand, one, paid, settled, settled_unread
from shoetool.rules.round import Hand, Settlement
from shoetool.rules.rule_error import RuleError


@pytest.mark.clause("635a.7(n)(1)", "635a.12(a)")
def test_a_hand_wins_when_the_dealer_is_over_21() -> None:
    assert paid(one(settled("spanish_21", "6H 6C KD", box(hand("JH 2C"))))) == ("dealer_bust", "635a.7(n)(1)", 10_00)


@pytest.mark.clause("635a.7(n)(2)")
@pytest.mark.parametrize(("player", "outcome", "net"), [("JH 9C", "higher", 10_00), ("JH 7C", "lower", -10_00)])
def test_the_higher_total_wins_and_the_lower_loses(player: str, outcome: str, net: int) -> None:
    assert paid(one(settled("spanish_21", "9H 9C", box(hand(player))))) == (outcome, "635a.7(n)(2)", net)


@pytest.mark.clause("635a.7(n)(3)", "635a.12(a)", "635a.7(g)")
@pytest.mark.parametrize("dealer", ["AC KD", "KC AD"])
def test_a_blackjack_beats_the_dealers_blackjack_and_is_paid_3_to_2(dealer: str) -> None:
    """Reading 57."""
    line = one(settled("spanish_21", dealer, box(hand("AH KC", "blackjack"))))
    assert paid(line) == ("blackjack_dealer_21", "635a.7(n)(3)", 15_00)
    assert line.stage == "after_reader"


@pytest.mark.clause("635a.7(l)", "635a.7(n)(4)")
@pytest.mark.parametrize(
    ("player", "waits"),
    [("KH 6C 5D", False), ("AH 4C 6D", False), ("KH 6C 4D", True), ("AH 2C 5D", True), ("AH KC 4D", True)],
)
def test_the_dealer_may_stop_early_only_before_a_21_in_three_cards_or_more(player: str, waits: bool) -> None:
    """A 21 in three cards wins whatever he draws; any other hand waits for his total, also one with an ace."""
    boxes = box(hand(player, "stand"))
    if not waits:
        assert one(settled("spanish_21", "9H 5C", boxes)).net == 10_00
        return
    with pytest.raises(RuleError) as refused:
        settled("spanish_21", "9H 5C", boxes)
    assert refused.value.clause == "635a.7(l)"


@pytest.mark.clause("635a.7(n)(3)")
def test_and_his_21_in_more_cards() -> None:
    line = one(settled("spanish_21", "KC 4D 7H", box(hand("AH KC", "blackjack"))))
    assert paid(line) == ("blackjack_dealer_21", "635a.7(n)(3)", 15_00)


@pytest.mark.clause("635a.7(h)(1)(i)", "635a.7(h)(1)(ii)")
@pytest.mark.parametrize(
    ("dealer", "clause", "stage"),
    [
        ("9C 8D", "635a.7(h)(1)(i)", "in_turn"),
        ("2C KD 5H", "635a.7(h)(1)(i)", "in_turn"),
        ("AC 7D", "635a.7(h)(1)(ii)", "hole_card"),
        ("JC 7D", "635a.7(h)(1)(ii)", "hole_card"),
        ("KC 6D 9H", "635a.7(h)(1)(ii)", "hole_card"),  # over 21, which is no 21
    ],
)
def test_a_blackjack_is_paid_at_once_against_2_to_9_and_else_with_the_hole_card(
    dealer: str, clause: str, stage: str
) -> None:
    line = one(settled("spanish_21", dealer, box(hand("AH KC", "blackjack"))))
    assert paid(line) == ("blackjack", clause, 15_00)
    assert line.stage == stage


@pytest.mark.clause("635a.7(n)(4)")
def test_21_against_21_wins_when_both_have_more_than_two_cards() -> None:
    line = one(settled("spanish_21", "7H 4C KD", box(hand("6H 5C KH", "twenty_one"))))
    assert paid(line) == ("long_21_dealer_21", "635a.7(n)(4)", 10_00)


def test_a_split_hands_two_card_21_ties_a_dealers_21_in_more_cards() -> None:
    """Reading 56: literally it is not "more than two cards"."""
    line = one(settled("spanish_21", "7H 4C KD", box(hand("AH KH", "twenty_one", from_split=True))))
    assert paid(line) == ("tie", "635a.7(o) tie", 0)


@pytest.mark.clause("635a.7(o) tie")
def test_other_equal_totals_return_the_wager() -> None:
    assert paid(one(settled("spanish_21", "9H 9C", box(hand("JH 8C"))))) == ("tie", "635a.7(o) tie", 0)


@pytest.mark.clause("635a.7(o) loss")
def test_a_21_in_more_than_two_cards_loses_to_a_blackjack() -> None:
    line = one(settled_unread("spanish_21", "AH KC", box(hand("7H 7C 7D", "twenty_one"))))
    assert paid(line) == ("long_21_dealer_blackjack", "635a.7(o) loss", -10_00)


def test_a_split_hands_two_card_21_ties_a_blackjack_by_count_when_no_reader_was_used() -> None:
    """Literally only a 21 in more than two cards loses."""
    line = one(settled_unread("spanish_21", "AH KC", box(hand("AD KH", "twenty_one", from_split=True))))
    assert paid(line) == ("two_card_21_tie", "635a.7(o) tie", 0)


@pytest.mark.clause("635a.7(g)")
def test_a_dealers_blackjack_takes_all_but_blackjacks() -> None:
    line = one(settled("spanish_21", "AH KC", box(hand("9H 9C", "dealer_blackjack"))))
    assert paid(line) == ("dealer_blackjack", "635a.7(g)", -10_00)


BONUSES = [
    ("6H 7C 8D", "six_seven_eight_mixed", "635a.12(b)(1)", "3 to 2", 15_00),
    ("8D 6H 7H", "six_seven_eight_mixed", "635a.12(b)(1)", "3 to 2", 15_00),
    ("7H 8H 6H", "six_seven_eight_suited", "635a.12(b)(2)", "2 to 1", 20_00),
    ("8S 7S 6S", "six_seven_eight_spades", "635a.12(b)(2)", "3 to 1", 30_00),
    ("7H 7C 7D", "three_sevens_mixed", "635a.12(b)(3)", "3 to 2", 15_00),
    ("7H 7H 7C", "three_sevens_mixed", "635a.12(b)(3)", "3 to 2", 15_00),
    ("7H 7H 7H", "three_sevens_suited", "635a.12(b)(4)", "2 to 1", 20_00),
    ("7S 7S 7S", "three_sevens_spades", "635a.12(b)(4)", "3 to 1", 30_00),
    ("2H 3C 4D 5S 7H", "five_card_21", "635a.12(b)(5)", "3 to 2", 15_00),
    ("2H 2C 2D 3S 5H 7D", "six_card_21", "635a.12(b)(6)", "2 to 1", 20_00),
    ("2H 2C 2D 3S 3H 4D 5D", "seven_or_more_card_21", "635a.12(b)(7)", "3 to 1", 30_00),
    ("2H 2C 2D 2S 3H 3D 3S 4D", "seven_or_more_card_21", "635a.12(b)(7)", "3 to 1", 30_00),
    ("AH AC 2D 3S 4H", "five_card_21", "635a.12(b)(5)", "3 to 2", 15_00),
]


@pytest.mark.clause("635a.12(b)(1)", "635a.12(b)(2)", "635a.12(b)(3)", "635a.12(b)(4)")
@pytest.mark.clause("635a.12(b)(5)", "635a.12(b)(6)", "635a.12(b)(7)")
@pytest.mark.parametrize(("text", "key", "clause", "odds", "won"), BONUSES)
@pytest.mark.parametrize("dealer", ["9H 8C", "4H 8C 9D", "6H 6C KD"])
def test_a_21_is_paid_by_its_cards(dealer: str, text: str, key: str, clause: str, odds: str, won: int) -> None:
    line = one(settled("spanish_21", dealer, box(hand(text, "twenty_one"))))
    assert paid(line) == (key, clause, won)
    assert line.odds is not None and line.odds.text == odds


@pytest.mark.parametrize("text", ["6H 7C 7D", "KH 8C 3D", "2H 3C 4D 5S 6H", "7H 8C 9D"])
def test_no_other_hand_has_a_bonus(text: str) -> None:
    line = one(settled("spanish_21", "9H 8C", box(hand(text, "stand" if text != "7H 8C 9D" else "bust"))))
    assert line.outcome in ("higher", "bust")


@pytest.mark.clause("635a.11(e)")
@pytest.mark.parametrize("text", [row[0] for row in BONUSES])
def test_a_split_hand_gets_no_bonus(text: str) -> None:
    line = one(settled("spanish_21", "9H 8C", box(hand(text, "twenty_one", from_split=True))))
    assert paid(line) == ("higher", "635a.7(n)(2)", 10_00)


SEVENS = "7H 7H 7H"


def super_bonus(player: Hand, *others: tuple[int, str], wager: int = 25_00, up: str = "7C") -> Settlement:
    """A player at position 3 with this hand; the others are (position, player) with a standing 12."""
    boxes = [box(player, position=3, wager=wager, player="Winner")]
    boxes += [box(hand("JH 2C"), position=position, player=name) for position, name in others]
    boxes.sort(key=lambda one_box: one_box.position)
    return settled("spanish_21", f"{up} KD", *boxes)


def bonuses(settlement: Settlement) -> dict[int | None, int]:
    return {line.position: line.won for line in settlement.lines if line.wager == "bonus"}


@pytest.mark.clause("635a.12(c)", "635a.12(c)(1)", "635a.12(c)(2)")
@pytest.mark.parametrize(
    ("wager", "won"),
    [(4_99, None), (5_00, 1_000_00), (24_99, 1_000_00), (25_00, 5_000_00), (500_00, 5_000_00)],
)
@pytest.mark.parametrize("sevens", [SEVENS, "7S 7S 7S"])
def test_a_suited_7_7_7_against_a_7_adds_a_sum_by_the_original_wager(sevens: str, wager: int, won: int | None) -> None:
    settlement = super_bonus(hand(sevens, "twenty_one", stake=wager), wager=wager)
    assert bonuses(settlement) == ({} if won is None else {3: won})
    assert one(settlement, position=3).clause == "635a.12(b)(4)"
    if won is not None:
        bonus = one(settlement, "bonus", position=3)
        assert bonus.clause == ("635a.12(c)(2)" if wager >= 25_00 else "635a.12(c)(1)")
        assert (bonus.staked, bonus.returned) == (0, 0)


@pytest.mark.clause("635a.12(c)")
@pytest.mark.parametrize(("text", "up"), [(SEVENS, "8C"), (SEVENS, "AC"), ("7H 7H 7D", "7C"), ("6H 7H 8H", "7C")])
def test_other_cards_or_another_up_card_add_nothing(text: str, up: str) -> None:
    assert bonuses(super_bonus(hand(text, "twenty_one", stake=25_00), (1, "Ann"), up=up)) == {}


@pytest.mark.clause("635a.12(c)(3)")
def test_every_other_player_gets_50_dollars_once_and_the_winner_none() -> None:
    """Reading 68: by player, not by box; one that is not named is a player of its own."""
    others = ((1, "Ann"), (2, "Ann"), (4, ""), (5, "Winner"), (6, "Bob"))
    settlement = super_bonus(hand(SEVENS, "twenty_one", stake=25_00), *others)
    assert bonuses(settlement) == {3: 5_000_00, 6: 50_00, 4: 50_00, 2: 50_00}
    assert one(settlement, "bonus", position=6).clause == "635a.12(c)(3)"


@pytest.mark.clause("635a.12(c)(3)")
def test_two_winners_get_their_sums_and_the_others_still_50_dollars_once() -> None:
    winners = [box(hand(SEVENS, "twenty_one", stake=25_00), position=position, wager=25_00) for position in (2, 6)]
    other = box(hand("JH 2C"), position=4)
    settlement = settled("spanish_21", "7C KD", winners[0], other, winners[1])
    assert bonuses(settlement) == {6: 5_000_00, 2: 5_000_00, 4: 50_00}


@pytest.mark.clause("635a.12(c)(4)")
@pytest.mark.parametrize(
    "player",
    [
        hand(SEVENS, "doubled", stake=25_00, double=25_00),
        hand(SEVENS, "twenty_one", stake=25_00, from_split=True),
        hand(SEVENS, "rescued", stake=25_00, double=25_00),
    ],
)
def test_a_doubled_or_split_hand_adds_nothing_and_gives_the_others_nothing(player: Hand) -> None:
    assert bonuses(super_bonus(player, (1, "Ann"))) == {}


def test_a_push_or_bust_of_the_others_does_not_cost_them_their_50_dollars() -> None:
    lost = box(hand("JH 6C 7D", "bust"), position=1)
    won = box(hand(SEVENS, "twenty_one", stake=25_00), position=2, wager=25_00)
    settlement = settled("spanish_21", "7C KD", lost, won)
    assert settlement.net(1) == -10_00 + 50_00
    assert settlement.tray == -settlement.net(1) - settlement.net(2)
