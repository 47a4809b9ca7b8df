"""Each card has its own finding, and one card has one: the shoe's reports and the cards are paired one to one."""

from __future__ import annotations

import pytest
from shoetool.judge import registry as reg
from shoetool.model.protocol_table import FaultCode, Role, ShoeKind
from shoetool.model.protocol_table import IrregularityCode as Irr
from shoetool.verify import BREACH, CANNOT_TELL, HANDLED
from short_shoe import RACK, TABLE, Short, face


def told(s: Short) -> list[tuple[str, str]]:
    return [(finding.check, finding.verdict) for finding in s.findings()]


def foreign(s: Short, card: str, sealed: bool = False) -> int:
    """The shoe reports a card of batch 3, which comes with the next record; the supervisor takes it out."""
    s.add("fault", FaultCode.FOREIGN_BATCH, 0, 3)
    s.irr(Irr.FOREIGN_BATCH, detail=3)
    ref = s.s.seal(Role.STOPPED, TABLE, 0, 0, face(card), 3) if sealed else s.card(Role.STOPPED, TABLE, card, batch=3)
    s.add("cleared", FaultCode.FOREIGN_BATCH, 3)
    return ref


@pytest.mark.clause("633a.3(c) backs")
def test_633a_3_c_each_of_four_foreign_cards_in_a_row_is_told() -> None:
    s = Short()
    s.usual()
    for card in ("4C", "4D", "4H", "4S"):
        foreign(s, card)
    s.finish_usual()
    s.end()
    assert told(s) == [(reg.BACKS, BREACH)] * 4
    assert [finding.cards for finding in s.findings()] == [(face(card),) for card in ("4C", "4D", "4H", "4S")]


@pytest.mark.clause("633a.3(c) backs")
def test_633a_3_c_a_foreign_card_that_is_opened_after_later_rounds_is_told_once_and_in_its_round() -> None:
    s = Short()
    s.usual()
    ref = foreign(s, "4C", sealed=True)
    s.finish_usual()
    s.whole_round()
    s.s.open(ref, Role.STOPPED, TABLE, 0)
    s.end()
    assert told(s) == [(reg.BACKS, BREACH)]
    assert s.findings()[0].round == 1
    assert s.findings()[0].cards == (face("4C"),)


@pytest.mark.clause("633a.7(a)")
def test_633a_7_a_each_of_eight_unread_cards_in_a_row_is_told() -> None:
    s = Short()
    s.start(1, 2)
    s.opening({1: "2C", 2: "2D"}, "7C", {1: "2H", 2: "2S"}, "KH")
    for box in (1, 1, 1, 1, 2, 2, 2, 2):
        s.card(Role.DRAW, box, 63, batch=63)
        s.irr(Irr.CARD_UNKNOWN, box)
    assert sum(check == reg.UNKNOWN_CARD for check, _ in told(s)) == 8


@pytest.mark.clause("633a.3(a)", "633a.7(e)(1)")
def test_633a_7_e_1_cards_too_many_do_not_hide_a_missing_one() -> None:
    """One deck is counted: 3S and 4S twice, KD not at all."""
    s = Short(decks=1)
    s.add("count_started", 0, 0)
    cards = [card for card in range(52) if card not in (face("2C"), face("KD"))]
    for card in [*cards, face("3S"), face("4S")]:
        s.card(Role.COUNTED, RACK, card)
    s.add("counted", 0, 2, 51, 52, face("3S"))
    s.end()
    found = s.findings()
    assert sorted((one.check, one.verdict) for one in found) == sorted(
        [(reg.COMPOSITION, BREACH), (reg.COMPOSITION, BREACH), (reg.COUNT, BREACH)]
    )
    assert "missing: K♦" in next(one.sentence for one in found if one.check == reg.COUNT)


@pytest.mark.clause("633a.3(a)")
def test_633a_3_a_each_further_copy_is_told_and_the_shoes_word_that_the_batch_is_over_adds_nothing() -> None:
    s = Short(decks=1)
    s.add("count_started", 0, 0)
    for card in [card for card in range(52) if card != face("2C")] + [face("3S"), face("3S")]:
        s.card(Role.COUNTED, RACK, card)
        if card == face("3S") and len([r for r in s.s.records if r.name == "card"]) > 51:
            s.irr(Irr.EXTRA_CARD, detail=face("3S"))
    s.irr(Irr.EXTRA_CARD, detail=63)
    s.add("counted", 0, 2, 51, 53, face("3S"))
    s.end()
    assert told(s) == [(reg.COMPOSITION, BREACH)] * 2


@pytest.mark.clause("633a.7(a)")
def test_633a_7_a_a_report_whose_card_never_comes_stands_alone() -> None:
    s = Short()
    s.usual()
    s.irr(Irr.CARD_UNKNOWN, 1)
    s.finish_usual()
    s.end()
    assert told(s) == [(reg.UNKNOWN_CARD, CANNOT_TELL)]
    assert s.findings()[0].round == 1


@pytest.mark.clause("633a.14(i)")
@pytest.mark.parametrize("late", [2, 1])
def test_633a_14_i_each_missed_card_of_a_split_is_told_and_judged_by_its_own_hand(late: int) -> None:
    """Both hands of position 1 were missed; `late`: so many of them get their late card."""
    s = Short()
    s.start(1, 2)
    s.opening({1: "8C", 2: "9C"}, "7C", {1: "8D", 2: "KD"}, "KH")
    s.add("split", 1, 0, 1)
    for hand, card in ((0, "3C"), (1, "4C")):
        s.give(1, card, Role.SPLIT_SECOND, hand)
        s.end_hand(1, hand=hand)
    s.stand(2)
    for hand in (0, 1):
        s.irr(Irr.MISSED_CARD, 1, hand)
    for hand, card in ((0, "5C"), (1, "6C"))[:late]:
        s.give(1, card, Role.LATE, hand)
        s.end_hand(1, hand=hand)
    s.reveal()
    s.close()
    s.end()
    want = [(reg.MISSED, HANDLED), (reg.MISSED, HANDLED if late == 2 else BREACH)]
    assert sorted(told(s)) == sorted(want)
    assert {"position 1, hand 1" in one.sentence for one in s.findings()} == {True, False}


@pytest.mark.parametrize("card", [5, 52, 53])
def test_a_card_from_a_head_that_is_no_side_belongs_to_no_batch(card: int) -> None:
    s = Short()
    s.usual()
    s.card(Role.STOPPED, TABLE, card, head=2, batch=1)
    s.finish_usual()
    s.end()
    assert told(s) == [(reg.SEQUENCE, CANNOT_TELL)]


@pytest.mark.clause("633a.7(e)(1)")
def test_633a_7_e_1_after_a_refill_a_count_over_by_fewer_cards_than_came_twice_adds_nothing() -> None:
    """40 cards came in, which ones nobody knows: 41 are counted, 3C and 4C among them twice."""
    s = Short(decks=1)
    s.usual()
    s.add("refilled", 0, 40)
    s.finish_usual()
    s.add("count_started", 0, 0)
    for card in [*range(39), face("3C"), face("4C")]:
        s.card(Role.COUNTED, RACK, card)
    s.add("counted", 0, 2, 40, 41, face("3C"))
    s.end()
    assert reg.COUNT not in [check for check, _ in told(s)]


@pytest.mark.clause("633a.3(a)", "633a.3(c) backs")
@pytest.mark.parametrize("kind", list(ShoeKind))
@pytest.mark.parametrize("head", [2, 3, 255])
def test_reports_of_a_head_that_is_no_side_name_none(kind: ShoeKind, head: int) -> None:
    s = Short(kind=kind)
    s.irr(Irr.EXTRA_CARD, head=head, detail=63)
    s.irr(Irr.EXTRA_CARD, head=head, detail=5)
    s.irr(Irr.FOREIGN_BATCH, head=head, detail=3)
    s.end()
    found = s.findings()
    assert [(one.check, one.verdict) for one in found] == [(reg.COMPOSITION, BREACH)] * 2 + [(reg.BACKS, BREACH)]
    assert found[0].sentence == "More cards came out of the shoe than were loaded."
    assert found[2].sentence == "A card of another batch was in the shoe."


@pytest.mark.clause("633a.3(c) backs")
@pytest.mark.parametrize("role", [role for role in Role if role != Role.COUNTED])
def test_633a_3_c_a_test_card_where_cards_are_dealt_is_told_in_each_role(role: Role) -> None:
    s = Short()
    s.usual()
    s.card(role, TABLE, 53)
    s.finish_usual()
    s.end()
    assert told(s).count((reg.BACKS, BREACH)) == 1
