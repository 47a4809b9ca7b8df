"""The cover card: one that never comes, a second one, one of the other side; 633a.3(c), .5(d), .14(h)."""

from __future__ import annotations

import pytest
from shoetool.judge import registry as reg
from shoetool.model.protocol_table import CountVerdict, FaultCode, Finish, Game, Role, ShoeKind
from shoetool.model.protocol_table import IrregularityCode as Irr
from shoetool.verify import BREACH, CANNOT_TELL, HANDLED, Finding
from short_shoe import NONE, RACK, Short, face
from verify_cases_shoe import nearly_dealt

CONTINUOUS = 2


def found(s: Short) -> list[tuple[str, str, str]]:
    return [(finding.check, finding.clause, finding.verdict) for finding in s.findings()]


def counted_to_the_end(s: Short, played: bool = True, left: int = 0) -> Short:
    """One deck: a round, then all cards but the last `left` are counted, and no cover card is among them."""
    if played:
        s.whole_round()
    out = ["2C", *(["10C", "9C", "7C", "8C", "KD", "KH"] if played else [])]
    rest = [card for card in range(52) if card not in {face(card) for card in out}]
    s.add("count_started", 0, 0)
    for card in rest[: len(rest) - left]:
        s.card(Role.COUNTED, RACK, card)
    if not left:
        s.add("counted", 0, 0, len(rest), len(rest), 63)
        s.add("finished", 0, Finish.ORDERED, 52)
    return s


def told(s: Short) -> list[tuple[str, str, str]]:
    s.end()
    return found(s)


NEVER_CAME = (reg.COVER_PLACE, "633a.5(d) place", BREACH)


@pytest.mark.clause("633a.5(d) place")
@pytest.mark.parametrize(("left", "want"), [(0, [NEVER_CAME]), (12, [NEVER_CAME]), (13, [])])
def test_633a_5_d_a_batch_that_came_out_to_its_last_quarter_had_its_cover_card_before(
    left: int, want: list[tuple[str, str, str]]
) -> None:
    assert told(counted_to_the_end(Short(decks=1), left=left)) == want


@pytest.mark.clause("590.5(d) place")
def test_590_5_d_the_duty_is_the_same_in_free_bet() -> None:
    s = Short(Game.FREE_BET, decks=1)
    assert told(counted_to_the_end(s)) == [(reg.COVER_PLACE, "590.5(d) place", BREACH)]


@pytest.mark.clause("633a.5(d) place", "633a.5(h)")
def test_633a_5_d_a_batch_that_was_only_counted_needs_no_cover_card_nor_does_a_continuous_shuffler() -> None:
    assert told(counted_to_the_end(Short(decks=1), played=False)) == []
    assert told(counted_to_the_end(Short(decks=1, options=CONTINUOUS), left=1)) == []


@pytest.mark.clause("633a.5(d) place")
def test_633a_5_d_a_card_that_was_not_read_may_have_been_the_cover_card() -> None:
    s = Short(decks=1)
    s.irr(Irr.FACE_UP_CARD)
    assert (reg.COVER_PLACE, "633a.5(d) place", CANNOT_TELL) in told(counted_to_the_end(s, left=1))


@pytest.mark.clause("633a.5(d) place")
def test_633a_5_d_a_shoe_that_ran_out_before_the_rack_came_in_had_no_cover_card() -> None:
    s = Short(decks=1)
    for card in [card for card in range(52) if card not in {face(one) for one in ("2C", *ROUND)}]:
        s.card(Role.DISCARDED, RACK, card)
    s.usual()
    s.irr(Irr.TOO_FEW_CARDS)
    s.add("refilled", 0, 40)
    s.burn("3D")
    s.finish_usual()
    assert NEVER_CAME in told(s)


@pytest.mark.clause("633a.5(d) place")
def test_633a_5_d_the_duty_ends_when_the_shoe_is_loaded_anew() -> None:
    s = counted_to_the_end(Short(decks=1), left=1)
    s.load()
    assert NEVER_CAME in told(s)


ROUND = ("10C", "9C", "7C", "8C", "KD", "KH")


def side_a_is_dealt() -> Short:
    """A double shoe: a round of side A up to the players' turn."""
    s = Short(kind=ShoeKind.DOUBLE)
    s.start(2)
    s.card(Role.DETERMINANT_FIRST, 2, "9H", head=0)
    s.add("side_chosen", 0)
    s.opening({2: "9H"}, "7C", {2: "KD"}, "KH", skip=True)
    return s


def finished(s: Short) -> Short:
    s.stand(2)
    s.reveal()
    s.close()
    return s


@pytest.mark.clause("633a.14(h)")
def test_633a_14_h_the_cover_card_of_the_other_side_in_a_round_is_told() -> None:
    s = side_a_is_dealt()
    s.add("cover_card", 1, 5, 2, 2)
    assert told(finished(s)) == [(reg.WRONG_SIDE, "633a.14(h)", HANDLED)]
    s = side_a_is_dealt()
    s.add("cover_card", 0, 5, 2, 1)
    assert told(finished(s)) == []


@pytest.mark.clause("633a.7(d)(1) draw")
def test_633a_7_d_1_the_cover_card_may_come_from_either_side_before_the_determinant() -> None:
    s = Short(kind=ShoeKind.DOUBLE)
    s.start(2)
    s.add("cover_card", 1, 3, 2, 2)
    s.card(Role.DETERMINANT_FIRST, 2, "9H", head=0)
    s.add("side_chosen", 0)
    s.opening({2: "9H"}, "7C", {2: "KD"}, "KH", skip=True)
    assert told(finished(s)) == []


@pytest.mark.clause("633a.3(c) cover cards")
def test_633a_3_c_a_cover_card_of_the_other_sides_batch_is_told_once() -> None:
    s = side_a_is_dealt()
    s.add("cover_card", 0, 5, 2, 2)
    s.irr(Irr.FOREIGN_BATCH, detail=2)
    assert told(finished(s)) == [(reg.COVER_CARDS, "633a.3(c) cover cards", BREACH)]


@pytest.mark.clause("633a.5(d) place")
@pytest.mark.parametrize(
    ("behind", "feeds", "verdicts"),
    [(13, 0, []), (12, 0, [BREACH]), (12, 1, [CANNOT_TELL]), (12, 2, [CANNOT_TELL]), (11, 1, [BREACH])],
)
def test_633a_5_d_a_cover_card_is_too_late_when_no_double_feed_can_explain_it(
    behind: int, feeds: int, verdicts: list[str]
) -> None:
    s = nearly_dealt(behind)
    for _ in range(feeds):
        s.add("fault", FaultCode.DOUBLE_FEED, 0, 0)
        s.add("cleared", FaultCode.DOUBLE_FEED, 2)
    s.add("cover_card", 0, 1, NONE, 1)
    s.end()
    assert [one.verdict for one in s.findings() if one.check == reg.COVER_PLACE] == verdicts


@pytest.mark.clause("633a.5(d) place", "635a.5(d) place")
def test_633a_5_d_a_second_cover_card_in_a_single_shoe_leaves_open_which_counted() -> None:
    for game, clause in ((Game.BLACKJACK, "633a.5(d) place"), (Game.SPANISH_21, "635a.5(d) place")):
        s = Short(game)
        s.add("cover_card", 0, 1, NONE, 1)
        s.irr(Irr.SECOND_COVER_CARD, detail=1)
        assert told(s) == [(reg.COVER_PLACE, clause, CANNOT_TELL)]


@pytest.mark.clause("633a.5(d) place", "633a.3(c) cover cards")
@pytest.mark.parametrize("kind", ShoeKind)
def test_633a_5_d_the_record_of_a_second_cover_card_and_the_report_behind_it_are_one_finding(kind: ShoeKind) -> None:
    """Each further report is of another cover card."""
    s = Short(kind=kind)
    first = s.add("cover_card", 0, 1, NONE, 1)
    second = s.add("cover_card", 0, 1, NONE, 1)
    s.irr(Irr.SECOND_COVER_CARD, detail=1)
    third = s.irr(Irr.SECOND_COVER_CARD, detail=1)
    check = reg.COVER_CARDS if kind else reg.COVER_PLACE
    assert [one.records for one in s.findings() if one.check == check] == [(first, second), (first, third)]


@pytest.mark.clause("633a.5(d) place")
def test_633a_5_d_without_a_record_of_what_was_loaded_nobody_can_tell() -> None:
    s = Short(decks=1, opened=False)
    s.open()
    s.card(Role.BURN, RACK, face("2C"))
    verdicts = {finding.verdict for finding in ended(counted_to_the_end(s)) if finding.check == reg.COVER_PLACE}
    assert verdicts == {CANNOT_TELL}


def ended(s: Short) -> list[Finding]:
    s.end()
    return s.findings()


@pytest.mark.clause("633a.5(d) place")
@pytest.mark.parametrize("head", [0, 2, 3, 255])
def test_a_second_cover_card_that_is_told_of_a_head_that_is_no_side_is_told_too(head: int) -> None:
    s = Short(decks=1)
    s.whole_round()
    s.irr(Irr.SECOND_COVER_CARD, head=head, detail=1)
    s.end()
    assert any("second cover card" in one.sentence for one in s.findings())


@pytest.mark.clause("633a.7(e)(2)")
@pytest.mark.parametrize("side", [0, 1])
def test_633a_7_e_2_a_count_of_either_side_that_came_out_wrong_is_told_when_the_shoe_is_closed(side: int) -> None:
    s = Short(kind=ShoeKind.DOUBLE)
    s.add("count_started", side, 0)
    s.add("counted", side, CountVerdict.SHORT, s.batch, s.batch - 1, 63)
    s.end()
    assert [(one.check, one.clause) for one in s.findings() if one.check == reg.COUNT] == [(reg.COUNT, "633a.7(e)(2)")]
