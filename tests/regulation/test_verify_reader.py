"""What the checks of the card reader device leave alone, and the clauses of the other games' chapters."""

from __future__ import annotations

import pytest
from shoetool.judge import registry_reader as reg
from shoetool.model.protocol_table import FaultCode, Game, HandEnd, Misuse, Peek, ReaderStep
from shoetool.model.protocol_table import IrregularityCode as Irr
from shoetool.verify import BREACH, CANNOT_TELL, HANDLED
from short_shoe import Short
from verify_cases_reader import HEAD, READER, blackjack, dealt, inspected, played


def spanish(up: str, hole: str) -> Short:
    s = Short(Game.SPANISH_21, options=READER)
    s.add("reader_test", ReaderStep.CARRIED)
    s.start(1)
    s.opening({1: "9C"}, up, {1: "8C"}, hole)
    return s


def found(s: Short) -> set[tuple[str, str]]:
    return {(finding.clause, finding.verdict) for finding in s.findings()}


@pytest.mark.clause("633a.7(h) eligibility", "633a.7(h) result", "633a.8(b) timing")
def test_a_peek_as_the_clause_has_it_is_no_finding() -> None:
    s = dealt("AC", "7H")
    s.add("insurance", 1)
    s.add("peek", Peek.READ_AGAIN)
    s.add("peek", Peek.NO_BLACKJACK)
    assert not played(s, 18).findings()
    s = dealt("AC", "KH")
    s.add("insurance", 1)
    assert not blackjack(s).findings()
    assert not blackjack(dealt("KC", "AH")).findings()


@pytest.mark.clause("633a.2(f) second sentence")
def test_the_shoes_word_that_it_was_inspected_earlier_that_day_is_enough() -> None:
    s = Short(options=READER)
    s.add("reader_test", ReaderStep.CARRIED)
    s.whole_round()
    s.end()
    assert not s.findings()


def test_a_table_without_a_reader_is_asked_for_nothing() -> None:
    s = Short()
    s.start(1)
    s.opening({1: "10C"}, "KC", {1: "8C"}, "7H")
    assert not played(s, 17).findings()


@pytest.mark.clause("635a.7(g)", "635a.13(j)(2)")
def test_in_spanish_21_a_ten_up_asks_for_no_peek_and_gets_none() -> None:
    """An ace, king, queen or jack; a 10 is not in the decks, and one that lies up is a finding of its own."""
    s = spanish("QC", "7H")
    assert found(played(s, 17)) == {("635a.7(g)", BREACH)}
    s = spanish("7C", "QH")
    s.add("peek", Peek.REFUSED)
    s.irr(Irr.READER_WRONG_UP_CARD, 0, 0, HEAD)
    assert found(played(s, 17)) == {("635a.13(j)(2)", HANDLED)}


@pytest.mark.clause("590.2(d) second sentence", "590.7(g)")
def test_free_bet_has_the_same_duties_in_its_own_chapter() -> None:
    s = Short(Game.FREE_BET, options=READER)
    s.start(1)
    s.opening({1: "10C"}, "KC", {1: "8C"}, "7H")
    assert found(played(s, 17)) == {("590.2(d) second sentence", BREACH), ("590.7(g)", BREACH)}


@pytest.mark.clause("633a.8(b) timing")
def test_a_refusal_before_insurance_is_told_under_its_own_clause() -> None:
    s = dealt("AC", "7H")
    s.add("peek", Peek.REFUSED)
    s.irr(Irr.READER_MISUSED, 0, 0, HEAD, Misuse.BEFORE_INSURANCE)
    s.add("insurance", 0)
    s.add("peek", Peek.NO_BLACKJACK)
    assert found(played(s, 18)) == {("633a.8(b) timing", HANDLED)}


def test_a_report_that_the_cards_do_not_bear_out_is_said_so() -> None:
    for code in (Irr.READER_WRONG_UP_CARD, Irr.PEEK_MISSED):
        s = dealt("KC", "7H")
        s.add("peek", Peek.NO_BLACKJACK)
        s.irr(code, 0, 0, HEAD)
        assert found(played(s, 17)) == {("633a.7(s)", CANNOT_TELL)}


def test_a_hole_card_that_nobody_knows_is_not_judged() -> None:
    s = inspected()
    s.start(1)
    s.opening({1: "10C"}, "KC", {1: "8C"}, "7H")
    s.add("peek", Peek.BLACKJACK)
    s.end_hand(1, HandEnd.DEALER_BLACKJACK)
    s.close(0, 1)
    s.end()
    assert not any(verdict == BREACH for _, verdict in found(s))


@pytest.mark.clause("633a.14(j)")
def test_633a_14_j_each_use_with_a_seven_up_is_told() -> None:
    s = dealt("7C", "KH")
    for _ in range(2):
        s.add("peek", Peek.REFUSED)
        s.irr(Irr.READER_WRONG_UP_CARD, 0, 0, HEAD)
    assert [one.clause for one in played(s, 17).findings()] == ["633a.14(j)"] * 2


def voided(s: Short) -> Short:
    s.turn()
    s.close(0, 1)
    s.end()
    return s


@pytest.mark.clause("633a.14(j)(1)", "633a.14(k)")
def test_633a_14_k_a_round_that_is_voided_while_the_game_is_stopped_names_what_stopped_it() -> None:
    s = dealt("KC", "7H")
    s.add("fault", FaultCode.READER, HEAD, 0)
    assert found(voided(s)) == {("633a.14(k)", HANDLED), ("633a.14(k)", CANNOT_TELL)}
    assert any("the round was voided while the card reader device had failed" in one.sentence for one in s.findings())
    s = dealt("7C", "KH")
    s.add("fault", FaultCode.HEAD_DIRTY, 0, 0)
    assert ("633a.14(j)(1)", CANNOT_TELL) in found(voided(s))
    assert any("A read head is covered or dirty" in one.sentence for one in s.findings())


@pytest.mark.clause("633a.14(j)(1)")
def test_633a_14_j_1_a_round_that_is_voided_after_a_wrong_up_card_says_so() -> None:
    s = dealt("7C", "KH")
    s.add("peek", Peek.REFUSED)
    s.irr(Irr.READER_WRONG_UP_CARD, 0, 0, HEAD)
    sentences = [one.sentence for one in voided(s).findings()]
    assert "Round 1: the round was voided after the card reader device had been used with a wrong up card." in sentences
    assert not any("play went on" in one for one in sentences)


def test_a_round_that_is_voided_for_no_reason_in_the_records_is_said_so() -> None:
    assert "the records do not show why" in voided(dealt("7C", "KH")).findings()[0].sentence


@pytest.mark.clause("633a.14(k)")
@pytest.mark.parametrize("last", list(ReaderStep))
def test_633a_14_k_only_an_inspection_that_was_passed_lets_the_table_go_on(last: ReaderStep) -> None:
    s = dealt("KC", "7H")
    s.add("fault", FaultCode.READER, HEAD, 0)
    s.add("reader_test", ReaderStep.BEGUN)
    s.add("reader_test", last)
    s.add("cleared", FaultCode.READER, 0)
    s.add("peek", Peek.NO_BLACKJACK)
    told = [one.verdict for one in played(s, 17).findings() if one.check == reg.FAILED]
    assert told == [HANDLED if last == ReaderStep.PASSED else BREACH]
