"""The players' turns and the dealer's: order, who may draw, when the dealer draws, stands, and need not draw."""

from __future__ import annotations

import pytest
from playing import clauses, held, names, only, played, refused, table


@clauses(blackjack="633a.7(i)", free_bet="590.7(h)(2)", spanish_21="635a.7(h)(2)")
def test_turns_go_clockwise_from_the_dealers_far_left(game: str, clause: str) -> None:
    round_ = played(game, "1=10 4=10", "2c 3c 9h 8d 8s Qs 5h 6h", "1:hit 1:stand 4:hit 4:stand")
    assert held(round_, 1) == ["2♣ 8♦ 5♥"]
    assert held(round_, 4) == ["3♣ 8♠ 6♥"]
    with refused(clause, "position 4", "out of turn", "position 1 (2♣ 8♦, 10)"):
        played(game, "1=10 4=10", "2c 3c 9h 8d 8s Qs 5h 6h", "4:hit 4:stand 1:hit 1:stand")


@clauses(blackjack="633a.7(m)", free_bet="590.7(l)", spanish_21="635a.7(l)")
def test_an_ace_of_the_dealer_counts_11_only_as_long_as_he_is_not_over_21(game: str, clause: str) -> None:
    assert names(played(game, "1=10", "Kc 5h 9d 6s Ac 7d", "1:stand").dealer) == "5♥ 6♠ A♣ 7♦", "12, not 22"
    assert names(played(game, "1=10", "Kc 4h 9d 6s Ac", "1:stand").dealer) == "4♥ 6♠ A♣", "21, not 11"


@pytest.mark.clause("633a.7(i)", "633a.12(a)(3)")
def test_a_position_with_two_hands_is_told_of_the_first_one_that_may_not_act_yet() -> None:
    with refused("633a.7(i)", "position 2, hand 1: no card out of turn", "position 1, hand 1 (2♣ 8♦, 10)"):
        played("switch", "1=10 2=10", "2c 4c 3c 5c 9h 8d 9d 8s 7s Qs", "2:hit")


@clauses(
    blackjack=("633a.7(i)(2)", "633a.7(j)"),
    free_bet=("590.7(h)(2)", "590.7(i)"),
    spanish_21=("635a.7(h)(2)", "635a.7(i)"),
)
def test_every_hand_without_blackjack_decides_and_gets_its_cards_as_it_does(game: str, clause: str) -> None:
    with refused(clause, "position 2 (3♣ 8♠, 11)", "no decision"):
        played(game, "1=10 2=10", "2c 3c 9h 8d 8s Qs", "1:stand")
    with refused(clause, "'wave' is not a decision"):
        played(game, "1=10", "2c 9h 8d Qs", "1:wave")
    with refused(clause, "hand number 3"):
        played(game, "1=10", "2c 9h 8d Qs", "1.3:stand")


@clauses(blackjack="633a.7(k)", free_bet="590.7(j)", spanish_21="635a.7(j)")
def test_a_hand_under_21_may_draw_and_one_over_21_gets_no_card(game: str, clause: str) -> None:
    round_ = played(game, "1=10", "2c 9h 3d Qs 4h 5h 6h", "1:hit 1:hit 1:hit 1:stand")
    assert held(round_) == ["2♣ 3♦ 4♥ 5♥ 6♥"]
    for last in ("6h", "Jh"):
        bust = played(game, "1=10", f"Kc 9h 6d Qs {last}", "1:hit")
        assert only(bust).end == "bust"
    with refused(clause, "position 1 (K♣ 6♦ J♥, 26)", "over 21"):
        played(game, "1=10", "Kc 9h 6d Qs Jh 2h", "1:hit 1:hit")


@clauses(blackjack="633a.7(k)(1)", free_bet="590.7(j)(1)", spanish_21="635a.7(j)(1)")
def test_nobody_draws_on_21_or_blackjack(game: str, clause: str) -> None:
    hard = "Kc 9h 6d Qs 5h"
    assert only(played(game, "1=10", hard, "1:hit")).end == "twenty_one"
    with refused(clause, "position 1 (K♣ 6♦ 5♥, 21) has 21"):
        played(game, "1=10", f"{hard} 2c", "1:hit 1:hit")
    with refused(clause, "position 1 (A♣ 4♦ 6♥, soft 21) has 21"):
        played(game, "1=10", "Ac 9h 4d Qs 6h 2c", "1:hit 1:hit")
    with refused(clause, "position 1 (A♣ K♦, soft 21) has Blackjack"):
        played(game, "1=10", "Ac 9h Kd Qs 2c", "1:hit")


@clauses(
    blackjack=("633a.7(l)", "633a.7(m)"),
    free_bet=("590.7(k)", "590.7(l)"),
    spanish_21=("635a.7(k)", "635a.7(l)"),
)
def test_the_dealer_turns_the_hole_card_after_all_players_and_draws_to_17(game: str, clause: str) -> None:
    round_ = played(game, "1=10", "Kc 2h 8d 3s Ah 9d 7c", "1:stand")
    assert round_.revealed
    assert names(round_.dealer) == "2♥ 3♠ A♥ 9♦ 7♣"
    soft = played(game, "1=10", "Kc 6h 8d As", "1:stand")
    assert names(soft.dealer) == "6♥ A♠"


@clauses(blackjack="633a.7(m)", free_bet="590.7(l)", spanish_21="635a.7(l)")
def test_a_dealer_who_stops_on_16_or_draws_on_17_is_refused(game: str, clause: str) -> None:
    with refused(clause, "the dealer has 16 (6♥ K♠) and must draw"):
        played(game, "1=10", "Kc 6h 8d Ks", "1:stand")
    with refused(clause, "card 5 (2♣) is left over", "the dealer has 17 (7♥ K♠) and stands"):
        played(game, "1=10", "Kc 7h 8d Ks 2c", "1:stand")
    with refused(clause, "and 1 more", "17 (6♥ A♠) and stands"):
        played(game, "1=10", "Kc 6h 8d As 2c 3c", "1:stand")


@pytest.mark.clause("633a.12(b)(8)")
def test_from_the_hand_the_dealer_draws_to_17_too() -> None:
    assert names(played("from_the_hand", "1=10", "?? Kc 6h 8d Ks 2c", "1:stand").dealer) == "6♥ K♠ 2♣"
    with refused("633a.12(b)(8)", "must draw"):
        played("from_the_hand", "1=10", "?? Kc 6h 8d Ks", "1:stand")


@pytest.mark.clause("633a.12(b)(6)(ii)", "633a.12(b)(7)")
def test_from_the_hand_a_bust_hand_is_done_at_once() -> None:
    assert only(played("from_the_hand", "1=10", "?? Kc 6h 8d Ks 5c", "1:hit")).end == "bust"
    with refused("633a.7(k)", "over 21"):
        played("from_the_hand", "1=10", "?? Kc 6h 8d Ks 5c 2c", "1:hit 1:hit")


@clauses(blackjack="633a.7(n)", free_bet="590.7(m)", spanish_21="635a.7(m)")
def test_the_dealer_draws_nothing_when_his_total_decides_no_wager(game: str, clause: str) -> None:
    bust = "Kc 6h 6d Ks Jh"
    assert names(played(game, "1=10", bust, "1:hit").dealer) == "6♥ K♠"
    with refused(clause, "card 6 (2♣) is left over", "decides no wager"):
        played(game, "1=10", f"{bust} 2c", "1:hit")
    natural = "Kc 6h Ad Ks"
    assert names(played(game, "1=10", natural, "").dealer) == "6♥ K♠"
    with refused(clause, "decides no wager"):
        played(game, "1=10", f"{natural} 2c", "")
    with refused(clause, "decides no wager"):
        played(game, "1=10", "Kc 6h 5d Ks 2c", "1:surrender")


@pytest.mark.clause("635a.7(m)")
def test_spanish_21_draws_nothing_for_hands_of_21_in_three_cards_or_more() -> None:
    """635a.7(n)(4): such a hand wins whatever the dealer gets."""
    assert names(played("spanish_21", "1=10", "Kc 6h 6d Ks 5h", "1:hit").dealer) == "6♥ K♠"
    with refused("635a.7(m)", "decides no wager"):
        played("spanish_21", "1=10", "Kc 6h 6d Ks 5h 2c", "1:hit")
    split = "Kc 6h Kd Ks Ah Ac"
    assert names(played("spanish_21", "1=10", f"{split} 2c", "1:split").dealer) == "6♥ K♠ 2♣"
    with refused("635a.7(l)", "must draw"):
        played("spanish_21", "1=10", split, "1:split")


@pytest.mark.clause("633a.7(m)", "633a.7(n)")
def test_blackjack_draws_for_a_hand_of_21() -> None:
    assert names(played("blackjack", "1=10", "Kc 6h 6d Ks 5h 2c", "1:hit").dealer) == "6♥ K♠ 2♣"


@pytest.mark.clause("633a.7(n)")
def test_a_live_hit_and_run_keeps_the_dealer_drawing() -> None:
    """Reading 21: a live wager that depends on the dealer's cards is part of the outcome of the round."""
    bust = "Kc 6h 6d Ks Jh"
    offering = table("blackjack", "hit_and_run")
    assert names(played(offering, "1=10+hit_and_run=5", f"{bust} 2c", "1:hit").dealer) == "6♥ K♠ 2♣"
    with refused("633a.7(m)", "the dealer has 16"):
        played(offering, "1=10+hit_and_run=5", bust, "1:hit")
    assert names(played(offering, "1=10", bust, "1:hit").dealer) == "6♥ K♠"
    literal = table("blackjack", "hit_and_run", draw_for_side_wagers=False)
    assert names(played(literal, "1=10+hit_and_run=5", bust, "1:hit").dealer) == "6♥ K♠"


@pytest.mark.clause("590.7(m)")
def test_a_live_push_22_keeps_the_dealer_drawing() -> None:
    offering = table("free_bet", "push_22")
    assert names(played(offering, "1=10+push_22=5", "Kc 6h 6d Ks Jh 6c", "1:hit").dealer) == "6♥ K♠ 6♣"
    assert names(played(offering, "1=10+push_22=5", "Kc Kh 6d As", "").dealer) == "K♥ A♠"


@pytest.mark.clause("633a.7(n)")
def test_a_bad_beat_without_a_20_does_not_keep_the_dealer_drawing() -> None:
    offering = table("blackjack", "bad_beat")
    assert names(played(offering, "1=10+bad_beat=5", "Kc 6h 6d Ks Jh", "1:hit").dealer) == "6♥ K♠"
    assert names(played(offering, "1=10+bad_beat=5", "Kc 6h Jd Ks 2c", "1:stand").dealer) == "6♥ K♠ 2♣"


@pytest.mark.clause("633a.12(a)(5)(i)", "633a.12(a)(5)(v)")
def test_in_switch_a_blackjack_waits_for_the_dealers_cards() -> None:
    drawn = "Ac Kc 6h Kd 6d Ks Jh 2c"
    assert names(played("switch", "1=10", drawn, "1.1:hit").dealer) == "6♥ K♠ 2♣"
    exempt = table("switch", switch_hold_blackjack=False)
    assert names(played(exempt, "1=10", drawn, "1.1:hit").dealer) == "6♥ K♠ 2♣"


@clauses(
    blackjack=("633a.1 Hard total", "633a.1 Soft total", "633a.1 Blackjack", "633a.3(e)(1)", "633a.3(e)(2)"),
    free_bet=("590.1 Hard total", "590.1 Soft total", "590.1 Blackjack", "590.3(d)(1)", "590.3(d)(2)"),
    spanish_21=("635a.1 Hard total", "635a.1 Soft total", "635a.1 Blackjack", "635a.3(c)(1)", "635a.3(c)(2)"),
)
def test_hands_count_as_the_cards_say(game: str, clause: str) -> None:
    """633a.3(e)(3), 590.3(d)(3), 635a.3(c)(3): an ace is 11 until that passes 21."""
    counts = {
        "2c 3d": "5",
        "9c Jd": "19",
        "Qc Kd": "20",
        "Ac 2d": "soft 13",
        "Ac Ad": "soft 12",
        "Ac 9d": "soft 20",
    }
    for drawn, count in counts.items():
        one, two = drawn.split()
        choices = {"blackjack": "633a.7(i)(2)", "free_bet": "590.7(h)(2)", "spanish_21": "635a.7(h)(2)"}
        with refused(choices[game], f", {count})", "no decision"):
            played(game, "1=10", f"{one} 7h {two} Ks")
    for ten in ("Jd", "Qd", "Kd"):
        assert only(played(game, "1=10", f"Ac 7h {ten} Ks")).end == "blackjack"
    assert only(played(game, "1=10", "Ac 7h 5d Ks 9h 6c", "1:hit 1:hit")).end == "twenty_one"
