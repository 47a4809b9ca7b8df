"""Doubling, free doubling, rescue."""

from __future__ import annotations

import pytest
from playing import cents, clauses, decisions, held, only, played, refused, stakes, table
from shoetool.deal import open_round
from shoetool.deal.decide_double import double, free_double, verify_double
from shoetool.deal.turns import begin_turns, use_reader
from shoetool.model.cards import parse_card
from shoetool.rules.games import GAMES


@clauses(
    blackjack=("633a.10(a)", "633a.7(k)(2)"),
    free_bet=("590.10(a)", "590.7(j)(2)", "590.10(c)", "590.10(d)"),
    spanish_21=("635a.10(a) cards", "635a.7(j)(2)", "635a.10(a) one card"),
)
def test_a_double_on_the_first_two_cards_gets_exactly_one_card(game: str, clause: str) -> None:
    hand = only(played(game, "1=10", "6c 7h 6d Ks 5h", "1:double"))
    assert (hand.end, hand.double, hand.free_double, len(hand.cards)) == ("doubled", cents("10"), 0, 3)
    with refused({"blackjack": "633a.7(k)(2)", "free_bet": "590.7(j)(2)"}.get(game, "635a.7(j)(2)"), "was doubled"):
        played(game, "1=10", "6c 7h 6d Ks 5h 2c", "1:double 1:hit")


@clauses(blackjack="633a.10(a)", free_bet="590.10(a)(2)", spanish_21="635a.10(a) amount")
def test_a_double_may_be_less_than_the_wager_and_not_more(game: str, clause: str) -> None:
    assert only(played(game, "1=10", "6c 7h 6d Ks 5h", "1:double=4")).double == cents("4")
    with refused(clause, "position 1 (6♣ 6♦, 12)", "$10.01", "$10.00"):
        played(game, "1=10", "6c 7h 6d Ks 5h", "1:double=10.01")
    with refused(clause, "$0.00"):
        played(game, "1=10", "6c 7h 6d Ks 5h", "1:double=0")


@clauses(blackjack="633a.10(a)", free_bet="590.10(a)")
def test_a_double_on_three_cards_is_refused(game: str, clause: str) -> None:
    with refused(clause, "position 1 (2♣ 3♦ 4♥, 9)", "3 cards"):
        played(game, "1=10", "2c 7h 3d Ks 4h 5h", "1:hit 1:double")


@pytest.mark.clause("635a.10(a) cards")
def test_spanish_21_doubles_on_any_number_of_cards() -> None:
    hand = only(played("spanish_21", "1=10", "2c 7h 3d Ks 4h 5h", "1:hit 1:double"))
    assert (hand.end, len(hand.cards), hand.double) == ("doubled", 4, cents("10"))


@clauses(blackjack="633a.7(k)(1)", free_bet="590.7(j)(1)", spanish_21="635a.7(j)(1)")
def test_a_blackjack_is_not_doubled(game: str, clause: str) -> None:
    with refused(clause, "has Blackjack: no double"):
        played(game, "1=10", "Ac 7h Kd Ks 5h", "1:double")


@clauses(
    blackjack=("633a.10(a)", "633a.11(c) decisions"),
    free_bet=("590.10(b)", "590.11(d) decisions"),
    spanish_21=("635a.10(a) cards", "635a.11(c) decisions"),
)
def test_a_split_hand_doubles_on_its_two_cards(game: str, clause: str) -> None:
    round_ = played(game, "1=10", "8c 7h 8d Ks 4h 5h 9c", "1:split 1:double 1:stand")
    assert held(round_) == ["8♣ 4♥ 5♥", "8♦ 9♣"]
    assert [hand.double for hand in round_.boxes[0].hands] == [cents("10"), 0]


@pytest.mark.clause("590.10(a)(1)")
@pytest.mark.parametrize("drawn", ["4c 7h 5d", "4c 7h 6d", "5c 7h 6d"])
def test_hard_9_10_and_11_double_free(drawn: str) -> None:
    for name in ("double", "free_double"):
        hand = only(played("free_bet", "1=10", f"{drawn} Ks 9h", f"1:{name}"))
        assert (hand.end, hand.double, hand.free_double) == ("doubled", 0, cents("10"))
    with refused("590.10(a)(2)", "doubles free"):
        played("free_bet", "1=10", f"{drawn} Ks 9h", "1:double=10")
    with refused("590.10(a)(1)", "takes no $10.00"):
        played("free_bet", "1=10", f"{drawn} Ks 9h", "1:free_double=10")


@pytest.mark.clause("590.10(a)(1)", "590.10(a)(2)", "590.1 Hard total", "590.1 Soft total")
@pytest.mark.parametrize("drawn", ["4c 7h 4d", "6c 7h 6d", "Ac 7h 8d", "Ac 7h 9d"])
def test_other_totals_and_soft_ones_do_not_double_free(drawn: str) -> None:
    """Reading 60: an ace that counts 11 makes no hard 9 of A-8."""
    with refused("590.10(a)(1)", "only a hard 9, 10 or 11"):
        played("free_bet", "1=10", f"{drawn} Ks 2h", "1:free_double")
    assert only(played("free_bet", "1=10", f"{drawn} Ks 2h", "1:double=10")).double == cents("10")


@pytest.mark.clause("590.10(a)(1)")
def test_three_cards_of_a_hard_nine_do_not_double_free() -> None:
    with refused("590.10(a)", "3 cards"):
        played("free_bet", "1=10", "2c 7h 3d Ks 4h 5h", "1:hit 1:free_double")


@pytest.mark.clause("590.10(b)")
def test_a_free_double_after_a_free_split_has_a_lammer_of_its_own() -> None:
    round_ = played("free_bet", "1=10", "8c 7h 8d Ks 3h 5h 2c Kd", "1:free_split 1:free_double 1:free_double")
    one, two = round_.boxes[0].hands
    assert (one.stake, one.lammer, one.free_double) == (cents("10"), 0, cents("10"))
    assert (two.stake, two.lammer, two.free_double) == (0, cents("10"), cents("10"))


def test_only_free_bet_blackjack_doubles_free() -> None:
    with refused("633a.10(a)", "has no free double"):
        played("blackjack", "1=10", "4c 7h 5d Ks 9h", "1:free_double")


@pytest.mark.clause("635a.10(d)")
def test_a_rescue_takes_the_double_back_while_the_hand_is_not_over_21() -> None:
    hand = only(played("spanish_21", "1=10", "6c 7h 6d Ks 2h", "1:double 1:rescue"))
    assert (hand.end, hand.stake, hand.double) == ("rescued", cents("10"), cents("10"))
    assert only(played("spanish_21", "1=10", "6c 7h 6d Ks 9h", "1:double 1:rescue")).end == "rescued"
    with refused("635a.10(d)", "position 1 (6♣ 6♦ K♥, 22)", "over 21"):
        played("spanish_21", "1=10", "6c 7h 6d Ks Kh", "1:double 1:rescue")
    with refused("635a.10(d)", "no double to take back"):
        played("spanish_21", "1=10", "6c 7h 6d Ks Kh", "1:rescue")
    with refused("635a.10(d)", "no hand number 4"):
        played("spanish_21", "1=10", "6c 7h 6d Ks 2h", "1:double 1.4:rescue")
    ace = only(played("spanish_21", "1=10", "6c 7h 6d Ks Ah", "1:double"))
    assert (ace.end, len(ace.cards)) == ("doubled", 3)
    with refused("635a.10(d)", "taken back before"):
        played("spanish_21", "1=10", "6c 7h 6d Ks 2h", "1:double 1:rescue 1:rescue")


@pytest.mark.clause("635a.10(d)")
def test_a_rescue_of_a_split_hand_leaves_the_other_hand_alone() -> None:
    """Reading 66."""
    round_ = played("spanish_21", "1=10", "8c 7h 8d Ks 4h 2h 9c", "1:split 1:double 1.0:rescue 1:stand")
    assert [hand.end for hand in round_.boxes[0].hands] == ["rescued", "stand"]


@pytest.mark.clause("635a.10(d)", "635a.7(m)")
def test_the_dealer_does_not_draw_for_a_rescued_hand() -> None:
    with refused("635a.7(m)", "decides no wager"):
        played("spanish_21", "1=10", "6c 6h 6d Ks 2h 2c", "1:double 1:rescue")


def test_no_other_game_has_a_rescue() -> None:
    with refused("633a.10(a)", "no rescue"):
        played("blackjack", "1=10", "6c 7h 6d Ks 2h", "1:double 1:rescue")


@pytest.mark.clause("633a.10(c)")
def test_only_blackjack_may_deal_the_double_card_face_down() -> None:
    assert {name: game.facts.double_face_down for name, game in GAMES.items()} == {
        "blackjack": True,
        "switch": True,
        "from_the_hand": False,
        "free_bet": False,
        "spanish_21": False,
        "hybrid": False,
        "hybrid_no_hole": False,
    }


def test_the_verbs_leave_the_given_state_as_it_was() -> None:
    ids = [parse_card(name) for name in ["6c", "7h", "6d", "Ks", "5h"]]
    state = open_round(table("blackjack"), stakes("1=10"), ids)
    begin_turns(state)
    assert double.can(state, 1) and not double.can(state, 2) and not double.can(state, 1, None, cents("11"))
    assert not free_double.can(state, 1)
    assert verify_double(state, 1) is state.turn
    after = double(state, 1)
    assert after.boxes[0].hands[0].end == "doubled" and after.turn is None and after.at == 5
    assert state.boxes[0].hands[0].end == "" and state.turn is state.boxes[0].hands[0] and state.at == 4
    assert decisions("1:double=3")[0].amount == 300


def test_a_state_before_the_reader_lets_nobody_draw() -> None:
    ids = [parse_card(name) for name in ["6c", "Ah", "6d", "9s", "5h"]]
    state = open_round(table("blackjack"), stakes("1=10"), ids)
    with refused("633a.7(h) eligibility", "before the reader was used"):
        double(state, 1)
    use_reader(state)
    assert state.reader == "no_blackjack" and double.can(state, 1)
    with refused("633a.7(h) eligibility", "may not be used now"):
        use_reader(state)
