"""An irregularity is the reason why its own card left a hand, and no other one's, 633a.7(s)."""

from __future__ import annotations

import pytest
from shoetool.judge import registry as reg
from shoetool.model.protocol_table import FaultCode, Game, HandEnd, Role
from shoetool.model.protocol_table import IrregularityCode as Irr
from shoetool.verify import BREACH, HANDLED, Finding
from short_shoe import NONE, RACK, TABLE, Short, face


def unexplained(s: Short) -> list[Finding]:
    return [finding for finding in s.findings() if finding.check == reg.MOVED]


def finished(s: Short) -> Short:
    s.stand(1, 2)
    s.reveal()
    s.close()
    s.end()
    return s


def dealt() -> Short:
    s = Short()
    s.start(1, 2)
    s.opening({1: "5C", 2: "9C"}, "7C", {1: "4C", 2: "2D"}, "KH")
    return s


def discard(s: Short, box: int, card: str, told: bool) -> None:
    ref = s.give(box, card, Role.DRAW)
    if told:
        s.irr(Irr.CARD_DISCARDED, RACK)
    s.add("moved", ref, Role.DISCARDED, RACK, 0)


@pytest.mark.clause("633a.7(s)")
def test_633a_7_s_a_discard_that_is_reported_excuses_no_second_one() -> None:
    s = dealt()
    discard(s, 1, "2H", told=True)
    discard(s, 2, "AD", told=False)
    found = unexplained(finished(s))
    assert [(one.verdict, one.cards) for one in found] == [(BREACH, (face("AD"),))]


@pytest.mark.clause("633a.7(s)")
def test_633a_7_s_two_discards_with_a_report_each_are_explained() -> None:
    s = dealt()
    discard(s, 1, "2H", told=True)
    discard(s, 2, "AD", told=True)
    assert unexplained(finished(s)) == []


@pytest.mark.clause("633a.7(s)", "633a.14(b)")
def test_633a_7_s_a_card_drawn_in_error_is_set_aside_and_no_other_one_with_it() -> None:
    s = dealt()
    first = s.give(1, "2H", Role.DRAW)
    s.add("moved", first, Role.HELD, TABLE, 0)
    s.irr(Irr.DRAWN_IN_ERROR, 1)
    s.add("moved", first, Role.DRAW, 1, 0)
    second = s.give(1, "3H", Role.DRAW)
    s.add("moved", second, Role.HELD, TABLE, 0)
    s.add("moved", second, Role.DRAW, 1, 0)
    assert [one.cards for one in unexplained(finished(s))] == [(face("3H"),)]


@pytest.mark.clause("633a.7(s)", "633a.14(b)")
def test_633a_7_s_a_report_stands_behind_the_card_that_was_set_aside_and_not_before_the_next_one() -> None:
    s = dealt()
    first = s.give(1, "2H", Role.DRAW)
    second = s.give(1, "3H", Role.DRAW)
    s.add("moved", second, Role.HELD, TABLE, 0)
    s.irr(Irr.DRAWN_IN_ERROR, 1)
    s.add("moved", first, Role.HELD, TABLE, 0)
    assert [one.cards for one in unexplained(finished(s))] == [(face("2H"),)]


@pytest.mark.clause("633a.7(s)", "633a.14(g) one")
def test_633a_7_s_a_place_that_was_skipped_moves_all_cards_behind_it_and_none_later() -> None:
    s = Short()
    s.start(1, 2, 3)
    one, two = s.give(1, "5C"), s.give(2, "9C")
    s.irr(Irr.HAND_WITH_ONE_CARD, 1, detail=1)
    s.add("moved", one, Role.OPENING, 2, 0)
    s.add("moved", two, Role.OPENING, 3, 0)
    s.up("7C")
    s.add("moved", one, Role.OPENING, 1, 0)
    for box, card in ((2, "8C"), (3, "KD")):
        s.give(box, card)
    s.hole("KH")
    s.stand(1, 2, 3)
    s.reveal()
    s.close()
    s.end()
    assert [one.cards for one in unexplained(s)] == [(face("5C"),)]


@pytest.mark.clause("633a.14(g) one", "633a.12(a)(3)")
def test_633a_14_g_in_switch_the_late_second_card_is_that_of_the_hand_that_was_skipped() -> None:
    s = Short(Game.SWITCH)
    s.start(2, 3)
    first = s.give(2, "10C"), s.give(2, "9C", hand=1), s.give(3, "8C"), s.give(3, "7H", hand=1)
    s.up("7C")
    s.give(2, "9H")
    s.irr(Irr.HAND_WITH_ONE_CARD, 2, 1)
    s.give(3, "8D")
    s.give(3, "KD", hand=1)
    late = s.give(2, "9S", Role.LATE, hand=1)
    s.hole("KH")
    for box in (2, 3):
        for hand in (0, 1):
            s.end_hand(box, hand=hand)
    s.reveal()
    s.close()
    s.end()
    (finding,) = s.findings()
    assert (finding.check, finding.verdict) == (reg.ONE_CARD_HAND, HANDLED)
    assert finding.cards == (face("9C"), face("9S")) and {first[1], late} <= set(finding.records)


@pytest.mark.clause("633a.7(s)", "633a.3(a)")
@pytest.mark.parametrize(("named", "explained"), [("5C", True), ("6C", False)])
def test_633a_7_s_a_copy_too_many_explains_that_card_alone(named: str, explained: bool) -> None:
    s = dealt()
    ref = s.give(1, "5C", Role.DRAW)
    s.add("fault", FaultCode.EXTRA_CARD, 0, face(named))
    s.irr(Irr.EXTRA_CARD, detail=face(named))
    s.add("cleared", FaultCode.EXTRA_CARD, 3)
    s.add("moved", ref, Role.DISCARDED, NONE, 0)
    assert (unexplained(finished(s)) == []) is explained


@pytest.mark.clause("633a.7(s)", "633a.3(a)")
def test_633a_7_s_the_card_behind_a_batch_that_was_over_may_be_taken_out_and_no_second_one() -> None:
    s = dealt()
    refs = [s.give(1, card, Role.DRAW) for card in ("5D", "2H")]
    s.add("fault", FaultCode.EXTRA_CARD, 0, 63)
    s.irr(Irr.EXTRA_CARD, detail=63)
    s.add("cleared", FaultCode.EXTRA_CARD, 3)
    for ref in reversed(refs):
        s.add("moved", ref, Role.DISCARDED, NONE, 0)
    assert [one.cards for one in unexplained(finished(s))] == [(face("5D"),)]


@pytest.mark.clause("633a.7(s)", "633a.3(a)")
def test_633a_7_s_one_report_of_a_copy_too_many_excuses_no_second_card_of_that_face() -> None:
    s = Short(decks=1)
    s.usual()
    first = s.give(1, "9C", Role.DRAW)
    s.irr(Irr.EXTRA_CARD, detail=face("9C"))
    s.add("moved", first, Role.DISCARDED, NONE, 0)
    second = s.give(2, "9C", Role.DRAW)
    s.add("moved", second, Role.DISCARDED, NONE, 0)
    assert [one.records[0] for one in unexplained(finished(s))] == [second]


@pytest.mark.clause("633a.7(s)", "635a.13(b) one")
def test_635a_7_s_one_report_of_a_10_excuses_no_second_one_of_that_face() -> None:
    s = Short(Game.SPANISH_21)
    s.start(1, 2)
    s.opening({1: "9S", 2: "9C"}, "7C", {1: "8C", 2: "KD"}, "KH")
    refs = []
    for told in (True, False):
        refs.append(s.give(1, "10C", Role.DRAW))
        if told:
            s.irr(Irr.TEN_FOUND, 1, detail=face("10C"))
        s.add("moved", refs[-1], Role.DISCARDED, NONE, 0)
    assert [one.records[0] for one in unexplained(finished(s))] == [refs[1]]


@pytest.mark.clause("633a.7(s)", "633a.14(c) discard")
def test_633a_7_s_the_report_before_a_discard_is_of_that_card_and_not_of_the_one_that_went_before() -> None:
    s = dealt()
    discard(s, 1, "2H", told=False)
    ref = s.give(1, "AD", Role.DRAW)
    s.irr(Irr.CARD_DISCARDED, RACK)
    s.add("moved", ref, Role.DISCARDED, RACK, 0)
    assert [one.cards for one in unexplained(finished(s))] == [(face("2H"),)]


@pytest.mark.clause("633a.10(b)")
def test_a_double_without_its_card_is_named_when_another_card_of_the_hand_went_away_too() -> None:
    for away in (False, True):
        s = Short()
        s.start(1)
        s.give(1, "5C")
        s.up("7C")
        second = s.give(1, "6C")
        s.hole("KH")
        s.add("doubled", 1, 0)
        if away:
            s.add("moved", second, Role.DISCARDED, RACK, 0)
        s.end_hand(1, HandEnd.DOUBLED)
        s.reveal()
        s.close()
        s.end()
        assert "position 1 doubled and got no card." in [one.sentence.partition(": ")[2] for one in s.findings()]
