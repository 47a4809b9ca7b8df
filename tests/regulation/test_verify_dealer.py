"""The dealer draws when he may not: before he turns his hole card, 633a.7(l), or after the reader said Blackjack."""

from __future__ import annotations

import pytest
from shoetool.judge import registry as reg
from shoetool.judge import registry_reader as checks
from shoetool.model.protocol_table import HandEnd, Peek, Role
from shoetool.model.protocol_table import IrregularityCode as Irr
from shoetool.verify import BREACH, CANNOT_TELL, HANDLED
from short_shoe import RACK, Short
from verify_cases_reader import dealt


def found(s: Short) -> list[tuple[str, str, str]]:
    return [(finding.check, finding.clause, finding.verdict) for finding in s.findings()]


def discarded(s: Short, ref: int) -> None:
    s.irr(Irr.DEALER_DREW_ON_17, 0)
    s.add("moved", ref, Role.DISCARDED, RACK, 0)


def drawn_before_the_turn(hole: str, card: str, total: int, kept: bool, outcome: int = 0) -> Short:
    """Both players stand; the dealer has a 7 up."""
    s = Short()
    s.start(1, 2)
    s.opening({1: "10C", 2: "9C"}, "7C", {1: "8C", 2: "KD"}, hole)
    s.stand(1, 2)
    ref = s.card(Role.DEALER_DRAW, 0, card)
    s.reveal()
    if not kept:
        discarded(s, ref)
    s.close(0 if outcome else total, outcome)
    s.end()
    return s


@pytest.mark.clause("633a.7(l)")
@pytest.mark.parametrize(
    ("hole", "card", "total", "kept"),
    [("5H", "6C", 18, True), ("9H", "2C", 18, True), ("KH", "2D", 17, False), ("AH", "2D", 18, False)],
)
def test_633a_7_l_the_dealer_draws_before_he_turns_whatever_he_has(
    hole: str, card: str, total: int, kept: bool
) -> None:
    s = drawn_before_the_turn(hole, card, total, kept)
    assert found(s) == [(reg.REVEAL, "633a.7(l)", BREACH)]
    assert ("discarded" in s.findings()[0].sentence) is not kept


@pytest.mark.clause("633a.14(d)")
def test_633a_14_d_each_card_that_he_draws_by_accident_behind_his_17_is_told() -> None:
    s = Short()
    s.usual()
    s.stand(1, 2)
    s.reveal()
    for card in ("2D", "3D"):
        s.irr(Irr.DEALER_DREW_ON_17, 0, detail=17)
        s.card(Role.DISCARDED, RACK, card)
    s.close()
    s.end()
    assert found(s) == [(reg.DEALER_17, "633a.14(d)", HANDLED)] * 2


@pytest.mark.clause("633a.14(d)", "633a.7(m)")
@pytest.mark.parametrize("waits", [True, False])
def test_633a_14_d_a_card_that_the_dealer_needed_is_not_discarded_as_an_accident(waits: bool) -> None:
    """With 15 he needs it for a hand that waits. Where nobody waits, the records show neither 17 nor a need."""
    s = Short()
    s.start(1)
    s.opening({1: "10C"}, "7C", {1: "8C"}, "8H")
    if waits:
        s.stand(1)
    else:
        s.card(Role.DRAW, 1, "5C")
        s.end_hand(1, HandEnd.BUST)
    s.reveal()
    s.irr(Irr.DEALER_DREW_ON_17, 0)
    at = s.card(Role.DISCARDED, RACK, "2D")
    if waits:
        s.card(Role.DEALER_DRAW, 0, "3D")
    s.close(18 if waits else 0)
    s.end()
    told = [(reg.DEALER_17, "633a.14(d)", BREACH)] if waits else [(reg.UNEXPLAINED, "633a.7(s)", CANNOT_TELL)]
    assert found(s) == told
    assert not waits or s.findings()[0].records == (at - 1, at)


@pytest.mark.clause("633a.14(d)")
def test_633a_14_d_the_discarded_card_of_a_voided_round_is_told_as_such() -> None:
    s = drawn_before_the_turn("KH", "2D", 17, False, outcome=1)
    assert (reg.DEALER_17, "633a.14(d)", HANDLED) in found(s)


@pytest.mark.clause("633a.7(h) result")
def test_633a_7_h_a_card_after_blackjack_is_that_clauses_whatever_became_of_it() -> None:
    for kept in (True, False):
        s = dealt("KC", "AH")
        s.add("peek", Peek.BLACKJACK)
        s.end_hand(1, HandEnd.DEALER_BLACKJACK)
        ref = s.card(Role.DEALER_DRAW, 0, "3C")
        s.reveal()
        if not kept:
            discarded(s, ref)
        s.close(21 if not kept else 14)
        s.end()
        breaches = [one for one in found(s) if one[0] != reg.DEALER_17]
        assert breaches == [(checks.ANSWER, "633a.7(h) result", BREACH)]
        if not kept:
            assert found(s) == breaches
