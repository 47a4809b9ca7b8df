"""What stops the game in mid-round, and cards that come in too early: 633a.7(a), .14(f), .14(k)."""

from __future__ import annotations

import pytest
from shoetool.judge import registry as reg
from shoetool.judge import registry_reader as checks
from shoetool.model.protocol_table import FaultCode, Game, Peek, ReaderStep, Role
from shoetool.model.protocol_table import IrregularityCode as Irr
from shoetool.verify import BREACH, CANNOT_TELL, HANDLED
from short_shoe import TABLE, Short
from verify_cases_hands import too_few
from verify_cases_reader import HEAD, dealt, played


def found(s: Short) -> list[tuple[str, str, str]]:
    return [(finding.check, finding.clause, finding.verdict) for finding in s.findings()]


@pytest.mark.clause("633a.7(a)")
@pytest.mark.parametrize("code", [FaultCode.HEAD_DIRTY, FaultCode.HEAD_STUCK, FaultCode.HEAD_SATURATED])
def test_633a_7_a_a_head_that_was_blind_in_mid_round_leaves_the_round_open(code: FaultCode) -> None:
    s = Short()
    s.usual()
    for _ in range(2):
        s.add("fault", code, 0, 0)
        s.add("cleared", code, 0)
    s.finish_usual()
    s.end()
    assert found(s) == [(reg.BLIND, "633a.7(a)", CANNOT_TELL)] * 2


@pytest.mark.clause("633a.7(a)")
@pytest.mark.parametrize("later", [False, True])
def test_633a_7_a_the_shoes_report_is_of_the_card_just_before_the_fault(later: bool) -> None:
    s = Short()
    s.usual()
    card = s.give(1, "2D", Role.DRAW)
    s.add("fault", FaultCode.INTERNAL, 0, 0)
    if later:
        s.add("dealer_changed", 2)
    report = s.irr(Irr.DRAWN_WHILE_STOPPED, TABLE)
    (stopped,) = (one for one in s.findings() if one.check == reg.STOPPED)
    assert (stopped.verdict, stopped.records) == ((HANDLED, (report,)) if later else (BREACH, (card, report)))


@pytest.mark.clause("633a.7(a)")
def test_633a_7_a_a_head_that_was_blind_between_rounds_hides_no_card_of_one() -> None:
    s = Short()
    s.add("fault", FaultCode.HEAD_DIRTY, 0, 0)
    s.add("cleared", FaultCode.HEAD_DIRTY, 0)
    s.whole_round()
    s.end()
    assert found(s) == []


@pytest.mark.clause("633a.14(f) reshuffle")
def test_633a_14_f_whether_a_few_cards_were_too_few_is_left_open() -> None:
    assert found(too_few(True, True, left=4)) == [(reg.TOO_FEW, "633a.14(f) reshuffle", CANNOT_TELL)]
    assert "4 cards left" in too_few(True, True, left=4).findings()[0].sentence


@pytest.mark.clause("633a.14(k)", "590.13(j)")
@pytest.mark.parametrize(("game", "clause"), [(Game.BLACKJACK, "633a.14(k)"), (Game.FREE_BET, "590.13(j)")])
def test_633a_14_k_a_card_drawn_while_the_reader_has_failed_is_that_clauses(game: Game, clause: str) -> None:
    s = dealt("KC", "7H")
    s.s.records[1] = s.s.records[1]._replace(values=(game, *s.s.records[1].values[1:]))
    s.add("fault", FaultCode.READER, HEAD, 0)
    s.card(Role.STOPPED, TABLE, "3C")
    s.irr(Irr.DRAWN_WHILE_STOPPED, TABLE)
    s.add("reader_test", ReaderStep.BEGUN)
    s.add("reader_test", ReaderStep.PASSED)
    s.add("cleared", FaultCode.READER, 0)
    s.add("peek", Peek.NO_BLACKJACK)
    assert found(played(s, 17)) == [(reg.STOPPED, clause, HANDLED), (checks.FAILED, clause, HANDLED)]


@pytest.mark.clause("633a.7(a)")
@pytest.mark.parametrize(("card", "said"), [(63, False), (64, True), (200, True)])
def test_633a_7_a_only_a_card_that_was_accepted_as_unknown_is_the_fault_s_own(card: int, said: bool) -> None:
    """No deck has a card 64: who wrote such a record explains nothing by it."""
    s = Short()
    s.usual()
    s.add("fault", FaultCode.INTERNAL, 0, 0)
    number = s.give(1, card, Role.DRAW)
    assert any(one.check == reg.STOPPED and number in one.records for one in s.findings()) == said
