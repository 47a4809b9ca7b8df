"""The opening deal of every game: who gets which card, burned cards, the determinant card of a double shoe."""

from __future__ import annotations

import pytest
from playing import cards, cents, clauses, held, names, only, played, refused, table
from shoetool.rules.games import GAMES


@clauses(
    blackjack=("633a.7(f)", "633a.7(f)(1)", "633a.7(f)(2)", "633a.7(f)(3)", "633a.7(f)(4)", "633a.1 Hole card"),
    free_bet=("590.7(e)(1)-(4)", "590.1 Hole card"),
    spanish_21=("635a.7(e)(1)-(4)", "635a.1 Hole card"),
)
def test_two_passes_from_the_far_left_each_ended_by_the_dealer(game: str, clause: str) -> None:
    round_ = played(game, "5=10 2=10 3=10", "2c 3c 4c 7h 8d 9d Jd Qs", "2:stand 3:stand 5:stand")
    assert [box.position for box in round_.boxes] == [2, 3, 5]
    assert [held(round_, position) for position in (2, 3, 5)] == [["2♣ 8♦"], ["3♣ 9♦"], ["4♣ J♦"]]
    assert names(round_.dealer) == "7♥ Q♠"
    assert round_.boxes[0].initial == ((1, 20),)


def test_positions_may_be_named_in_any_order_and_are_dealt_to_in_theirs() -> None:
    drawn = "2c 3c 4c 9d 5c 6c 7c 8d"
    round_ = played("blackjack", "5=10 1=20 3=30", drawn, "1:stand 3:stand 5:stand")
    assert [(box.position, box.hands[0].stake, names(box.hands[0].cards)) for box in round_.boxes] == [
        (1, cents("20"), "2♣ 5♣"),
        (3, cents("30"), "3♣ 6♣"),
        (5, cents("10"), "4♣ 7♣"),
    ]


@pytest.mark.clause("633a.12(a)(3)")
def test_switch_deals_two_hands_a_player_in_the_same_order() -> None:
    round_ = played("switch", "1=10 4=10", "2c 3c 4c 5c 7h 8d 9d Jd Kd Qs", "1:stand 1:stand 4:stand 4:stand")
    assert held(round_, 1) == ["2♣ 8♦", "3♣ 9♦"]
    assert held(round_, 4) == ["4♣ J♦", "5♣ K♦"]
    assert round_.boxes[1].initial == ((cards("4c Jd")[0], cards("Jd")[0]), tuple(cards("5c Kd")))
    assert names(round_.dealer) == "7♥ Q♠"


@pytest.mark.clause("633a.12(b)(5)", "633a.12(b)(5)(i)-(iv)")
def test_from_the_hand_one_card_goes_to_the_rack_before_every_round() -> None:
    round_ = played("from_the_hand", "1=10 2=10", "?? 2c 3c 7h 8d 9d Qs", "1:stand 2:stand")
    assert held(round_, 1) + held(round_, 2) == ["2♣ 8♦", "3♣ 9♦"]
    assert names(round_.dealer) == "7♥ Q♠"


@pytest.mark.clause("633a.12(b)(5)")
def test_from_the_hand_a_round_without_a_burned_card_is_refused() -> None:
    with refused("633a.12(b)(5)", "one card goes to the rack"):
        played("from_the_hand", "1=10", "2c 7h 8d Qs", "1:stand", burned=0)


@pytest.mark.clause("633a.12(b)(5)(i)-(iv)")
def test_from_the_hand_the_players_cards_and_the_hole_card_lie_face_down() -> None:
    steps = GAMES["from_the_hand"].deal.steps
    assert [(step.to, step.face_up) for step in steps] == [
        ("players", False),
        ("dealer", True),
        ("players", False),
        ("dealer", False),
    ]
    for game in ("blackjack", "switch", "free_bet", "spanish_21"):
        assert [step.face_up for step in GAMES[game].deal.steps] == [True, True, True, False]


@pytest.mark.clause("633a.12(b)(1)")
def test_from_the_hand_has_two_decks_at_most() -> None:
    with refused("633a.12(b)(1)", "not with 3"):
        played(table("from_the_hand", decks=3), "1=10", "?? 2c 7h 8d Qs", "1:stand")


@clauses(blackjack="633a.7(c) batch", free_bet="590.7(c)", spanish_21="635a.7(c)")
def test_burned_cards_of_a_new_batch_and_a_new_dealer_come_before_the_first_hand(game: str, clause: str) -> None:
    round_ = played(game, "1=10", "?? Kc 2c 7h 8d Qs", "1:stand", burned=2)
    assert held(round_) == ["2♣ 8♦"]
    with refused(clause, "2 cards are burned"):
        played(game, "1=10", "??", burned=2)


DOUBLE = table("blackjack", shoe="double", decks=8, red_side="A")


@pytest.mark.clause("633a.7(d)(2) match", "633a.7(d)(1) mapping", "633a.1 Determinant card")
def test_a_determinant_that_matches_its_side_is_the_first_players_card() -> None:
    round_ = played(DOUBLE, "3=10 4=10", "2h 3c 7h 8d 9d Qs", "3:stand 4:stand", determinant_from="A")
    assert held(round_, 3) == ["2♥ 8♦"]
    assert names(round_.dealer) == "7♥ Q♠"


@pytest.mark.clause("633a.7(d)(2) mismatch", "633a.7(d)(1) draw")
def test_a_determinant_that_does_not_match_its_side_is_set_aside() -> None:
    round_ = played(DOUBLE, "3=10 4=10", "2s 3c 4c 7h 8d 9d Qs", "3:stand 4:stand", determinant_from="A")
    assert held(round_, 3) == ["3♣ 8♦"]
    assert held(round_, 4) == ["4♣ 9♦"]


@pytest.mark.clause("633a.7(d)(1) draw")
def test_a_round_of_a_double_shoe_needs_its_determinant() -> None:
    with refused("633a.7(d)(1) draw", "no known determinant"):
        played(DOUBLE, "3=10", "", determinant_from="A")
    with refused("633a.7(d)(1) draw", "no known determinant"):
        played(DOUBLE, "3=10", "?? 7h 8d Qs", "3:stand", determinant_from="A")
    with refused("633a.7(d)(1) mapping", "side of the red suits"):
        played(table("blackjack", shoe="double", decks=8), "3=10", "2h 3c", determinant_from="A")


def test_when_all_cards_were_burned_there_is_no_determinant_however_many_they_were() -> None:
    for count in (1, 300):
        with refused("633a.7(d)(1) draw", "no known determinant"):
            played(DOUBLE, "3=10", "2h " * count, burned=count, determinant_from="A")


@pytest.mark.clause("633a.7(d)")
def test_only_a_double_shoe_has_a_determinant() -> None:
    with refused("633a.7(d)", "double shoe only"):
        played("blackjack", "3=10", "2h 7h 8d Qs", "3:stand", determinant_from="A")


@clauses(
    blackjack=("633a.7(h) eligibility", "633a.7(h) result"),
    free_bet="590.7(g)",
    spanish_21="635a.7(g)",
)
def test_the_reader_is_used_with_an_ace_or_ten_count_card_up_and_tells_of_a_blackjack(game: str, clause: str) -> None:
    for up, hole, answer in [("Ah", "Kd", "blackjack"), ("Kd", "Ah", "blackjack"), ("Ad", "9d", "no_blackjack")]:
        chosen = "" if answer == "blackjack" else "1:stand"
        round_ = played(game, "1=10", f"Ks {up} 8d {hole}", chosen)
        assert round_.reader == answer
    for ten in ("10d", "Jd", "Qd", "Kd"):
        if ten != "10d" or game != "spanish_21":
            assert played(game, "1=10", f"Ks Ah 8d {ten}", "").reader == "blackjack"
            assert played(game, "1=10", f"Ks {ten} 8d Ah", "").reader == "blackjack"
            assert played(game, "1=10", f"Ks {ten} 8d Kh", "1:stand").reader == "no_blackjack"
    assert played(game, "1=10", "Ks 9h 8d 8s", "1:stand").reader is None


@clauses(blackjack="633a.7(h) result", free_bet="590.7(g)", spanish_21="635a.7(g)")
def test_after_a_dealer_blackjack_nobody_gets_a_card(game: str, clause: str) -> None:
    round_ = played(game, "1=10 2=10", "Ks Ah Kh 8d Kd Ad", "")
    assert [only(round_, position).end for position in (1, 2)] == ["dealer_blackjack", "blackjack"]
    assert round_.revealed and len(round_.dealer) == 2
    with refused(clause, "the dealer has Blackjack"):
        played(game, "1=10", "Ks Kh 8d Ad", "1:hit")
    with refused(clause, "card 5 (2♣) is left over", "Blackjack"):
        played(game, "1=10", "Ks Kh 8d Ad 2c", "")


def test_a_game_that_is_not_dealt_from_this_shoe_is_refused() -> None:
    with refused("590.7(a)", "double shoe"):
        played(table("free_bet", shoe="double"), "1=10", "2c 7h 8d Qs")
    with refused("633a.12(b)(4)", "single shoe"):
        played(table("from_the_hand", shoe="single"), "1=10", "2c 7h 8d Qs")


@clauses(free_bet="590.7(a)", spanish_21="635a.7(a)")
def test_the_other_chapters_deal_from_one_side_of_a_single_shoe(game: str, clause: str) -> None:
    with refused(clause, "a double shoe", "single"):
        played(table(game, shoe="double", red_side="A"), "1=10", "2c 7h 8d Qs")
    assert only(played(game, "1=10", "2c 7h 8d Qs 9h", "1:hit 1:stand")).end == "stand"


@pytest.mark.clause("635a.3(a) count")
def test_spanish_21_needs_six_or_eight_decks() -> None:
    with refused("635a.3(a) count", "6 or 8", "not with 4"):
        played(table("spanish_21", decks=4), "1=10", "2c 7h 8d Qs")


def test_too_few_cards_for_the_deal_are_told_with_the_hand() -> None:
    with refused("633a.7(f)(1)", "position 2 needs a card, and none is left of the 1 drawn"):
        played("blackjack", "1=10 2=10", "2c")
    with refused("633a.7(f)(4)", "the dealer needs a card"):
        played("blackjack", "1=10", "2c 3c 4c")
