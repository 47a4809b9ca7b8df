"""Histories of switch hands and Blackjack premium, 633c.4, in which everything is as it should be."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from shoetool.judge import registry as reg
from shoetool.judge import registry_variations as hands
from shoetool.judge.switch_hands import switch_hands
from shoetool.model.protocol_table import IrregularityCode as Irr
from shoetool.model.protocol_table import Role
from shoetool.table.replay import replay
from shoetool.table.table import HANDS_LAST, PREMIUM
from shoetool.verify import BREACH, HANDLED
from short_shoe import RACK, Short, face
from verify_cases_switch_hands import Hands


def a_position_switches_and_the_other_keeps() -> Short:
    return Hands().asides().hands().switch(2).keep(1).over()


def the_switch_hands_cards_come_last_where_the_shoe_is_set_up_so() -> Short:
    return Hands(HANDS_LAST).hands().asides().keep(2).switch(1).over()


def with_premium_only_the_position_with_an_ante_has_a_choice() -> Short:
    return Hands(PREMIUM, antes=2).asides(2, 2).hands().switch(2).over()


@pytest.mark.clause("633c.4(d)(1)", "633c.4(d)(2)", "633c.4(e)", "633c.4(f)#1", "633c.4(j)", "633c.4(k)#1")
@pytest.mark.parametrize(
    "make",
    (
        a_position_switches_and_the_other_keeps,
        the_switch_hands_cards_come_last_where_the_shoe_is_set_up_so,
        with_premium_only_the_position_with_an_ante_has_a_choice,
    ),
)
def test_633c_4_a_round_as_it_should_be_has_no_finding(make: Callable[[], Short]) -> None:
    assert [finding.sentence for finding in make().findings()] == []


@pytest.mark.clause("633c.4(d)(1)", "633c.4(d)(2)")
@pytest.mark.parametrize(
    ("boxes", "words", "clause"),
    [
        ((2, 1, 1, 2), "card 1 was due to position 1 and position 2 got it", "633c.4(d)(1)"),
        ((1, 2, 2, 1), "card 3 was due to position 1 and position 2 got it", "633c.4(d)(2)"),
    ],
)
def test_633c_4_d_which_of_the_two_passes_went_wrong_is_told(boxes: tuple[int, ...], words: str, clause: str) -> None:
    (finding,) = Hands().asides(*boxes).hands().switch(2).keep(1).over().findings()
    assert (finding.check, finding.clause) == (hands.HANDS_PASSES, clause) and words in finding.sentence


@pytest.mark.clause("633c.4(d)(2)")
def test_633c_4_d_2_the_last_card_of_the_second_pass_that_went_wrong_is_told_with_its_clause() -> None:
    found = [one for one in Hands().asides(1, 2, 1, 1).hands().switch(2).keep(1).over().findings()
             if one.check == hands.HANDS_PASSES]  # fmt: skip
    assert [one.clause for one in found] == ["633c.4(d)(2)"]
    assert "card 4 was due to position 2 and position 1 got it" in found[0].sentence


@pytest.mark.clause("633a.7(s)", "633c.4(f)(2)#1")
def test_only_to_the_rack_may_the_face_up_cards_of_a_position_that_switched_go() -> None:
    s = Hands().asides().hands().switch(2, taken=1)
    s.add("moved", s.up_cards[2][1], Role.STOPPED, RACK, 0)
    found = [one.cards for one in s.keep(1).over().findings() if one.check == reg.MOVED]
    assert found == [(face("KD"),)]


@pytest.mark.clause("633c.4(f)(1)")
@pytest.mark.parametrize("over", [False, True])
def test_face_down_cards_that_were_kept_may_go_to_the_rack_until_the_round_is_over(over: bool) -> None:
    s = Hands().asides().hands().switch(2).keep(1, racked=False)
    if over:
        s.stand(1, 2)
        s.reveal()
        s.close()
    assert any(one.check == hands.HANDS_KEPT for one in s.findings()) == over


def one_card_late(*more: str) -> Hands:
    """Position 2 missed the second card of its face-up hand and got it after position 1's."""
    s = Hands().asides()
    s.up_cards[1].append(s.give(1, "10C"))
    s.up_cards[2].append(s.give(2, "9C"))
    s.up("7C")
    s.irr(Irr.HAND_WITH_ONE_CARD, 2, detail=2)
    s.up_cards[1].append(s.give(1, "8C"))
    s.up_cards[2] += [s.give(2, card, Role.LATE) for card in more]
    s.hole("KH")
    return s


@pytest.mark.clause("633a.14(g) one", "633c.4(f)(2)#1")
@pytest.mark.parametrize("switched", [False, True])
def test_a_late_second_card_is_judged_though_it_went_to_the_rack_when_its_position_switched(switched: bool) -> None:
    s = one_card_late("KD")
    (s.switch(2) if switched else s.keep(2)).keep(1).over()
    (finding,) = s.findings()
    assert (finding.check, finding.verdict) == (reg.ONE_CARD_HAND, HANDLED)
    assert finding.sentence.endswith("position 2 was dealt one card and got its second after all other second cards.")
    assert set(s.up_cards[2]) < set(finding.records)


@pytest.mark.clause("633a.14(g) one", "633c.4(f)(2)#1")
def test_a_position_that_switched_with_one_card_in_its_hand_never_got_its_second() -> None:
    s = one_card_late()
    s.switch(2, taken=1).keep(1).over()
    assert {(one.check, one.verdict) for one in s.findings()} >= {(reg.ONE_CARD_HAND, BREACH)}


@pytest.mark.clause("633c.4(f)(1)")
def test_a_kept_hand_is_not_missed_in_the_rack_before_the_round_is_over() -> None:
    """The cards go to the rack when the dealer gets there: until the end nobody can say that they did not."""
    history = Hands().asides().hands().switch(2).keep(1, racked=False)
    open_round = [state.round for state, _ in replay(history.s.records)][-1]
    assert open_round is not None
    assert [one.sentence for one in switch_hands(0, open_round) if one.check == hands.HANDS_KEPT] == []
    open_round.closed = open_round.last
    assert [one.check for one in switch_hands(0, open_round) if one.check == hands.HANDS_KEPT] == [hands.HANDS_KEPT]


@pytest.mark.clause("633c.4(f)#2")
def test_the_player_at_the_dealers_left_is_not_asked_first() -> None:
    found = Hands().asides().hands().keep(1).switch(2).over().findings()
    assert [one.check for one in found] == [hands.HANDS_CHOICE]
    assert "position 2 was asked after a position on its left" in found[0].sentence
