"""Cases of the card reader device: inspection, peek, what it says, how it fails."""

from __future__ import annotations

from shoetool.judge import registry_reader as reg
from shoetool.judge.registry import VOIDED
from shoetool.model.protocol_table import FaultCode, HandEnd, Misuse, Peek, ReaderStep, Role
from shoetool.model.protocol_table import IrregularityCode as Irr
from shoetool.verify import BREACH, HANDLED
from short_shoe import Short
from verify_case import case

READER = 64
HEAD = 2


def inspected() -> Short:
    """A shoe with a reader that was inspected in this history."""
    s = Short(options=READER)
    for step in (ReaderStep.BEGUN, ReaderStep.CARD_1, ReaderStep.CARD_2, ReaderStep.CARD_3, ReaderStep.CARD_4):
        s.add("reader_test", step)
    s.add("reader_test", ReaderStep.PASSED)
    return s


def dealt(up: str, hole: str) -> Short:
    """The opening deal of one position with 18."""
    s = inspected()
    s.start(1)
    s.opening({1: "10C"}, up, {1: "8C"}, hole)
    return s


def played(s: Short, total: int) -> Short:
    """The position stands, the dealer turns, the shoe ends."""
    s.stand(1)
    s.reveal()
    s.close(total)
    s.end()
    return s


def blackjack(s: Short) -> Short:
    """The reader says Blackjack and the round ends."""
    s.add("peek", Peek.BLACKJACK)
    s.end_hand(1, HandEnd.DEALER_BLACKJACK)
    s.reveal()
    s.close(21)
    s.end()
    return s


@case(reg.INSPECTION, BREACH)
def nobody_inspected_the_reader() -> Short:
    s = Short(options=READER)
    s.whole_round()
    s.whole_round()
    s.end()
    return s


@case(reg.INSPECTION, BREACH)
def the_inspection_was_begun_and_not_passed() -> Short:
    s = Short(options=READER)
    s.add("reader_test", ReaderStep.BEGUN)
    s.add("reader_test", ReaderStep.CARD_1)
    s.whole_round()
    s.end()
    return s


@case(reg.PEEK, BREACH)
def play_goes_on_without_the_peek() -> Short:
    s = dealt("KC", "7H")
    return played(s, 17)


@case(reg.PEEK, BREACH)
def the_peek_comes_after_a_decision() -> Short:
    s = dealt("KC", "7H")
    s.stand(1)
    s.add("peek", Peek.NO_BLACKJACK)
    s.reveal()
    s.close(17)
    s.end()
    return s


@case(reg.PEEK, BREACH)
def the_reader_answers_before_insurance() -> Short:
    s = dealt("AC", "7H")
    s.add("peek", Peek.NO_BLACKJACK)
    s.add("insurance", 0)
    return played(s, 18)


@case(reg.PEEK, HANDLED)
def the_reader_refuses_a_second_use() -> Short:
    s = dealt("KC", "7H")
    s.add("peek", Peek.NO_BLACKJACK)
    s.add("peek", Peek.REFUSED)
    s.irr(Irr.READER_MISUSED, 0, 0, HEAD, Misuse.ANSWERED)
    return played(s, 17)


@case(reg.OTHER_UP_CARD, HANDLED)
def the_reader_refuses_with_a_seven_up() -> Short:
    s = dealt("7C", "KH")
    s.add("peek", Peek.REFUSED)
    s.irr(Irr.READER_WRONG_UP_CARD, 0, 0, HEAD)
    return played(s, 17)


@case(reg.OTHER_UP_CARD, BREACH)
def the_reader_answers_with_a_seven_up() -> Short:
    s = dealt("7C", "KH")
    s.add("peek", Peek.NO_BLACKJACK)
    return played(s, 17)


@case(reg.OTHER_CARD, BREACH)
def another_card_lies_in_the_reader() -> Short:
    s = dealt("KC", "7H")
    s.add("peek", Peek.REFUSED)
    s.add("fault", FaultCode.HOLE_CARD, HEAD, 0)
    s.add("cleared", FaultCode.HOLE_CARD, 0)
    s.add("peek", Peek.NO_BLACKJACK)
    return played(s, 17)


@case(reg.ANSWER, BREACH)
def the_reader_says_blackjack_and_there_is_none() -> Short:
    s = dealt("KC", "7H")
    s.add("peek", Peek.BLACKJACK)
    s.end_hand(1, HandEnd.DEALER_BLACKJACK)
    s.reveal()
    s.close(17)
    s.end()
    return s


@case(reg.ANSWER, BREACH)
def the_reader_says_no_blackjack_and_there_is_one() -> Short:
    s = dealt("KC", "AH")
    s.add("peek", Peek.NO_BLACKJACK)
    return played(s, 21)


@case(reg.ANSWER, BREACH)
def a_card_is_dealt_after_blackjack() -> Short:
    s = dealt("KC", "AH")
    s.add("peek", Peek.BLACKJACK)
    s.give(1, "2H", Role.DRAW)
    s.end_hand(1, HandEnd.DEALER_BLACKJACK)
    s.reveal()
    s.close(21)
    s.end()
    return s


@case(reg.FAILED, HANDLED)
def the_reader_fails_and_passes_its_inspection() -> Short:
    s = dealt("KC", "7H")
    s.add("fault", FaultCode.READER, HEAD, 0)
    s.add("reader_test", ReaderStep.BEGUN)
    s.add("reader_test", ReaderStep.PASSED)
    s.add("cleared", FaultCode.READER, 0)
    s.add("peek", Peek.NO_BLACKJACK)
    return played(s, 17)


@case(reg.FAILED, BREACH)
def the_reader_fails_and_the_table_goes_on() -> Short:
    s = dealt("KC", "7H")
    s.add("fault", FaultCode.READER, HEAD, 0)
    s.add("cleared", FaultCode.READER, 0)
    s.add("peek", Peek.NO_BLACKJACK)
    return played(s, 17)


@case(VOIDED, HANDLED)
def a_round_is_voided_while_the_reader_has_failed() -> Short:
    s = dealt("KC", "7H")
    s.add("fault", FaultCode.READER, HEAD, 0)
    s.turn()
    s.close(0, 1)
    s.add("reader_test", ReaderStep.BEGUN)
    s.add("reader_test", ReaderStep.PASSED)
    s.add("cleared", FaultCode.READER, 0)
    s.end()
    return s
