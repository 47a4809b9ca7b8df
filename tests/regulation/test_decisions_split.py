"""Splitting, resplitting, free splitting, and the exchange of cards in Switch."""

from __future__ import annotations

import pytest
from playing import cards, cents, clauses, held, names, played, refused, stakes, table
from shoetool.deal import open_round
from shoetool.deal.decide_split import switch


@clauses(
    blackjack=("633a.11(a)", "633a.11(b)"),
    free_bet=("590.11(a)", "590.11(c) order"),
    spanish_21=("635a.11(a)", "635a.11(b)"),
)
def test_a_split_completes_the_left_hand_before_the_right_one_gets_a_card(game: str, clause: str) -> None:
    round_ = played(game, "1=10", "8c 7h 8d Ks 4h 5h 9c", "1:split 1:hit 1:stand 1:stand")
    assert held(round_) == ["8♣ 4♥ 5♥", "8♦ 9♣"]
    assert [hand.from_split for hand in round_.boxes[0].hands] == [True, True]
    assert round_.boxes[0].initial == ((7, 20),)
    order = {"blackjack": "633a.11(b)", "free_bet": "590.11(c) order", "spanish_21": "635a.11(b)"}[game]
    with refused(order, "position 1, hand 2", "hand 1 (8♣ 4♥, 12) is in turn"):
        played(game, "1=10", "8c 7h 8d Ks 4h 5h 9c", "1:split 1.1:stand")


@clauses(blackjack="633a.11(a)", free_bet=("590.11(a)", "590.11(b)(1)"), spanish_21="635a.11(a)")
def test_ten_count_cards_of_unlike_rank_split_with_an_equal_wager(game: str, clause: str) -> None:
    round_ = played(game, "1=10", "Kc 7h Jd Ks 8h 9c", "1:split=10 1:stand 1:stand")
    assert [(hand.stake, hand.lammer) for hand in round_.boxes[0].hands] == [(1000, 0), (1000, 0)]


@clauses(blackjack="633a.11(a)", free_bet="590.11(a)", spanish_21="635a.11(a)")
def test_cards_of_unlike_value_and_more_than_two_cards_are_not_split(game: str, clause: str) -> None:
    with refused(clause, "position 1 (8♣ 7♦, 15)", "not of equal value"):
        played(game, "1=10", "8c 7h 7d Ks 8h 9c", "1:split")
    with refused(clause, "position 1 (2♣ 2♦ 2♥, 6)", "only two cards"):
        played(game, "1=10", "2c 7h 2d Ks 2h 9c", "1:hit 1:split")


@clauses(blackjack="633a.11(a)", free_bet="590.11(b)(1)", spanish_21="635a.11(a)")
def test_the_second_hand_needs_an_equal_wager(game: str, clause: str) -> None:
    for amount in ("5", "11"):
        with refused(clause, f"${amount}.00", "$10.00 is asked for"):
            played(game, "1=10", "Kc 7h Kd Ks 8h 9c", f"1:split={amount}")


@clauses(
    blackjack=("633a.11(c) resplits", "633a.11(c) decisions"),
    spanish_21=("635a.11(c) resplits", "635a.11(c) decisions"),
)
def test_the_rules_submission_sets_how_often_a_pair_may_be_split_again_aces_included(game: str, clause: str) -> None:
    twice = table(game, resplits=1)
    drawn = "Ac 7h Ad Ks Ah 9c 8c 7c"
    round_ = played(twice, "1=10", drawn, "1:split 1:split 1:stand 1:stand 1:stand")
    assert held(round_) == ["A♣ 9♣", "A♥ 8♣", "A♦ 7♣"]
    with refused(clause, "already split into 3 hands"):
        played(twice, "1=10", "Ac 7h Ad Ks Ah As 8c 7c", "1:split 1:split 1:split")
    with refused(clause, "already split into 2 hands"):
        played(table(game, resplits=0), "1=10", drawn, "1:split 1:split")


@pytest.mark.clause("590.11(d) limit", "590.11(d) decisions")
def test_free_bet_splits_into_four_hands_at_most() -> None:
    drawn = "8c 7h 8d Ks 8h 8s 8c 2c 3c 4c 5c"
    chosen = "1:split 1:split 1:split " + "1:stand " * 4
    round_ = played("free_bet", "1=10", "8c 7h 8d Ks 8h 8s 2c 3c 4c 5c", chosen)
    assert held(round_) == ["8♣ 2♣", "8♠ 3♣", "8♥ 4♣", "8♦ 5♣"]
    with refused("590.11(d) limit", "already split into 4 hands"):
        played(table("free_bet", resplits=9), "1=10", drawn, "1:split 1:split 1:split 1:split")


@pytest.mark.clause("590.11(b)(2)", "590.11(b)(2)(i)-(ii)")
def test_a_free_split_leaves_the_real_wager_with_the_left_hand_and_a_lammer_with_the_right() -> None:
    for name in ("split", "free_split"):
        round_ = played("free_bet", "1=10", "Ac 7h Ad Ks 8h 9c", f"1:{name} 1:stand 1:stand")
        assert [(hand.stake, hand.lammer) for hand in round_.boxes[0].hands] == [(1000, 0), (0, 1000)]
    again = played("free_bet", "1=10", "8c 7h 8d Ks 9h 8h 2c 3c", "1:split 1:stand 1:split 1:stand 1:stand")
    assert [(hand.stake, hand.lammer) for hand in again.boxes[0].hands] == [(1000, 0), (0, 1000), (0, 1000)]


@pytest.mark.clause("590.11(b)(1)", "590.11(b)(2)")
def test_ten_count_pairs_do_not_split_free_and_other_pairs_do_not_split_for_money() -> None:
    with refused("590.11(b)(1)", "only with an equal wager"):
        played("free_bet", "1=10", "Kc 7h Qd Ks 8h 9c", "1:free_split")
    with refused("590.11(b)(2)", "a pair of 8s splits free"):
        played("free_bet", "1=10", "8c 7h 8d Ks 8h 9c", "1:split=10")
    with refused("590.11(b)(2)", "takes no $10.00"):
        played("free_bet", "1=10", "8c 7h 8d Ks 8h 9c", "1:free_split=10")
    with refused("633a.11(a)", "has no free split"):
        played("blackjack", "1=10", "8c 7h 8d Ks 8h 9c", "1:free_split")


@pytest.mark.clause("590.11(c) bust")
def test_a_first_split_hand_that_busts_stays_until_the_others_are_done() -> None:
    round_ = played("free_bet", "1=10", "8c 7h 8d Ks 6h Kh 9c", "1:split 1:hit 1:stand")
    assert [(hand.end, hand.stake) for hand in round_.boxes[0].hands] == [("bust", 1000), ("stand", 0)]


@clauses(blackjack="633a.7(k)(1)", free_bet="590.7(j)(1)", spanish_21="635a.7(j)(1)")
def test_a_split_hand_of_21_in_two_cards_is_no_blackjack_and_draws_no_more(game: str, clause: str) -> None:
    round_ = played(game, "1=10", "Ac 7h Ad Ks Kh 9c", "1:split 1:stand")
    assert [hand.end for hand in round_.boxes[0].hands] == ["twenty_one", "stand"]
    with refused(clause, "position 1, hand 1 (A♣ K♥, soft 21) has 21"):
        played(game, "1=10", "Ac 7h Ad Ks Kh 9c 2c", "1:split 1.0:hit")


@pytest.mark.clause("633a.12(a)(4)")
def test_a_switch_exchanges_the_second_cards_and_makes_no_blackjack() -> None:
    round_ = played("switch", "1=10", "Kc 6c 7h 5d Ad Ks", "1:switch 1:stand")
    assert held(round_) == ["K♣ A♦", "6♣ 5♦"]
    assert [(hand.end, hand.switched) for hand in round_.boxes[0].hands] == [("twenty_one", True), ("stand", True)]
    assert names(round_.boxes[0].initial[0]) == "K♣ 5♦"


@pytest.mark.clause("633a.12(a)(4)")
def test_a_switch_comes_once_and_before_every_other_decision() -> None:
    drawn = "Kc 6c 7h 5d 4d Ks 2c"
    with refused("633a.12(a)(4)", "before every other decision"):
        played("switch", "1=10", drawn, "1:hit 1:switch")
    with refused("633a.12(a)(4)", "switched before"):
        played("switch", "1=10", drawn, "1:switch 1:switch")
    with refused("633a.12(a)", "no switch"):
        played("blackjack", "1=10", "Kc 7h 5d Ks", "1:switch")
    with refused("633a.7(i)", "out of turn"):
        played("switch", "1=10 2=10", "Kc 6c Kd 6d 7h 5c 4c 5d 4d Ks", "2:switch")
    with refused("633a.12(a)(4)", "before every other decision"):
        two = "1:stand 1:stand 2:stand 1:switch"
        played("switch", "1=10 2=10", "Kc 6c Kd 6d 7h 5c 4c 5d 4d Ks", two)


@pytest.mark.clause("633a.12(a)(4)")
def test_no_switch_before_the_reader_was_used() -> None:
    """Reading 59: play goes on only when the dealer has no Blackjack."""
    state = open_round(table("switch"), stakes("1=10"), cards("Kc 6c Ad 7h 5d Ks"))
    with refused("633a.7(h) eligibility", "before the reader"):
        switch(state, 1)


@pytest.mark.clause("633a.12(a)(4)")
def test_a_player_with_two_blackjacks_may_not_wait_with_his_switch() -> None:
    drawn = "Ac Ad 3c 4c 7h Kd Qd 9d 9h Ks"
    assert played("switch", "1=10 2=10", drawn, "1:switch 2:stand 2:stand").boxes[0].hands[0].switched
    with refused("633a.12(a)(4)", "before every other decision"):
        played("switch", "1=10 2=10", drawn, "2:stand 1:switch 2:stand")


@pytest.mark.clause("633a.12(a)(4)")
def test_a_player_with_a_blackjack_may_switch_it_away() -> None:
    round_ = played("switch", "1=10", "Ac 6c 7h Kd 5d Ks", "1:switch 1:stand 1:stand")
    assert held(round_) == ["A♣ 5♦", "6♣ K♦"]
    both = played("switch", "1=10", "Ac Ad 7h Kd Qd Ks", "1:switch")
    assert [hand.end for hand in both.boxes[0].hands] == ["twenty_one", "twenty_one"]


@pytest.mark.clause("633a.12(a)(4)")
def test_switched_hands_double_and_split_like_others() -> None:
    round_ = played("switch", "1=10", "8c 6c 7h 6d 8d Ks 3h 4h 5h", "1:switch 1:split 1:stand 1:stand 1:double")
    assert held(round_) == ["8♣ 3♥", "8♦ 4♥", "6♣ 6♦ 5♥"]
    assert [hand.stake for hand in round_.boxes[0].hands] == [cents("10")] * 3
    assert all(hand.switched for hand in round_.boxes[0].hands)


@pytest.mark.clause("633a.12(a)(2)", "633a.2(b)(10)")
def test_super_match_is_optional_in_switch_and_only_a_switch_table_switches() -> None:
    offering = table("switch", "super_match")
    drawn = "Kc 6c 7h 5d 4d Ks"
    for bets in ("1=10", "1=10+super_match=5"):
        round_ = played(offering, bets, drawn, "1:switch 1:stand 1:stand")
        assert dict(round_.boxes[0].side) == ({"super_match": 500} if "+" in bets else {})
    with refused("633a.12(a)", "Blackjack has no switch"):
        played("blackjack", "1=10", "Kc 7h 5d Ks", "1:switch")
