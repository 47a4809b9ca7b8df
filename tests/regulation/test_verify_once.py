"""One event is one finding, though the records show it in several places."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path += [str(Path(__file__).resolve().parents[1] / part) for part in ("host", "goldens")]

import pytest
from golden_driver import Driven
from shoetool.judge import registry as reg
from shoetool.model.protocol_table import Game, HandEnd, Key, Role
from shoetool.model.protocol_table import IrregularityCode as Irr
from shoetool.verify import CANNOT_TELL, HANDLED, verify
from short_shoe import NONE, RACK, TABLE, Short, face


def found(s: Short) -> list[tuple[str, str, str]]:
    return [(finding.check, finding.clause, finding.verdict) for finding in s.findings()]


@pytest.mark.clause("635a.13(b) one")
def test_635a_13_b_a_10_as_the_burn_card_is_told_once_and_so_is_each_of_two() -> None:
    for tens in (("10C",), ("10C", "10D")):
        s = Short(Game.SPANISH_21, burn=False)
        refs = [s.s.seal(Role.BURN, RACK, 0, 0, face(card), 1) for card in tens]
        s.start(1, 2)
        s.opening({1: "9H", 2: "9C"}, "7C", {1: "8C", 2: "KD"}, "KH")
        s.finish_usual()
        for ref, card in zip(refs, tens, strict=True):
            s.s.open(ref, Role.BURN, RACK, 0)
            s.irr(Irr.TEN_FOUND, RACK, detail=face(card))
        s.end()
        assert found(s) == [(reg.TEN_FOUND, "635a.13(b) one", HANDLED)] * len(tens)
        assert [one.cards for one in s.findings()] == [(face(card),) for card in tens]


@pytest.mark.clause("633a.14(c) discard")
def test_633a_14_c_an_exposed_card_that_is_discarded_is_told_once() -> None:
    s = Short()
    s.start(1, 2)
    s.opening({1: "10C", 2: "9C"}, "7C", {1: "8C", 2: "KD"}, "KH")
    ref = s.give(1, "5C", Role.DRAW)
    s.end_hand(1, HandEnd.BUST)
    s.add("moved", ref, Role.HELD, TABLE, 0)
    s.irr(Irr.DRAWN_IN_ERROR_EXPOSED, 1)
    s.irr(Irr.CARD_DISCARDED, RACK)
    s.add("moved", ref, Role.DISCARDED, RACK, 0)
    s.finish_usual()
    s.end()
    assert found(s) == [(reg.DISCARDED, "633a.14(c) discard", HANDLED)]


@pytest.mark.clause("635a.13(b) one", "635a.13(b) more")
@pytest.mark.parametrize(("report", "of_card"), [("10D", "10D"), ("10C", "10C"), ("10H", None)])
def test_635a_13_b_a_report_of_a_10_is_of_the_one_with_its_face(report: str, of_card: str | None) -> None:
    s = Short(Game.SPANISH_21)
    s.start(1, 2)
    cards = {card: s.card(Role.DISCARDED, NONE, card) for card in ("10C", "10D")}
    told = s.irr(Irr.TEN_FOUND, 1, detail=face(report))
    s.opening({1: "9S", 2: "9C"}, "7C", {1: "8C", 2: "KD"}, "KH")
    s.finish_usual()
    s.end()
    want = [(ref, told) if card == of_card else (ref,) for card, ref in cards.items()]
    if of_card is None:
        want.append((told,))
    assert sorted(one.records for one in s.findings()) == sorted(want)


@pytest.mark.clause("635a.13(b) one")
def test_635a_13_b_a_report_of_a_10_is_of_the_last_of_two_equal_ones() -> None:
    s = Short(Game.SPANISH_21)
    s.start(1, 2)
    first, second = (s.card(Role.DISCARDED, NONE, "10C") for _ in range(2))
    told = s.irr(Irr.TEN_FOUND, 1, detail=face("10C"))
    s.opening({1: "9S", 2: "9C"}, "7C", {1: "8C", 2: "KD"}, "KH")
    s.finish_usual()
    s.end()
    assert [one.records for one in s.findings()] == [(first,), (second, told)]


@pytest.mark.clause("633a.3(a)")
def test_633a_3_a_a_report_that_the_batch_is_over_says_so_and_names_no_face() -> None:
    s = Short(opened=False)
    s.open()
    s.load(cards=6)
    s.usual()
    s.irr(Irr.EXTRA_CARD, detail=63)
    s.finish_usual()
    s.end()
    told = [one.sentence for one in s.findings() if one.check == reg.COMPOSITION]
    assert told == ["Round 1: more cards came out of the shoe than were loaded."]


def held(s: Short, *cards: str) -> list[int]:
    refs = []
    for card in cards:
        refs.append(s.s.seal(Role.HELD, TABLE, 0, 0, face(card), 1))
        s.irr(Irr.DRAWN_IN_ERROR, TABLE)
    return refs


def forgotten(closed: bool = True) -> Short:
    """Three cards are drawn before the deal key is pressed."""
    s = Short()
    one, two, up = held(s, "10C", "9C", "7C")
    s.start(1, 2)
    s.s.open(one, Role.OPENING, 1, 0)
    s.s.open(two, Role.OPENING, 2, 0)
    s.s.open(up, Role.DEALER_UP, 0, 0)
    if closed:
        s.give(1, "8C")
        s.give(2, "KD")
        s.hole("KH")
        s.finish_usual()
        s.end()
    return s


@pytest.mark.clause("633a.14(b)")
def test_633a_14_b_a_deal_key_that_is_forgotten_is_told_once() -> None:
    for s in (forgotten(), forgotten(closed=False)):
        assert found(s) == [(reg.DRAWN_IN_ERROR, "633a.14(b)", HANDLED)]
        assert s.findings()[0].sentence.startswith("Round 1: 3 cards were drawn before the deal key was pressed")
        assert s.findings()[0].cards == (face("10C"), face("9C"), face("7C"))


@pytest.mark.clause("635a.13(c)", "635a.13(b) one")
def test_635a_13_c_a_10_among_the_cards_of_a_forgotten_deal_key_makes_no_second_slip() -> None:
    d = Driven(Game.SPANISH_21).start().key(Key.SEATS, 1).draw("10C", "5C", "7C").key(Key.DEAL).draw("6C", "KH")
    findings = verify(d.stand(1).finish().close().records()).findings
    assert sorted(one.clause for one in findings) == ["635a.13(b) one", "635a.13(c)"]
    (slip,) = (one for one in findings if one.clause == "635a.13(c)")
    assert "3 cards were drawn before the deal key was pressed" in slip.sentence
    assert "one was a 10 and was taken out" in slip.sentence
    assert slip.cards == (face("10C"), face("5C"), face("7C"))


@pytest.mark.clause("633a.14(b)")
def test_633a_14_b_slips_of_two_rounds_are_two_findings() -> None:
    s = Short()
    for card in ("10C", "10D"):
        (ref,) = held(s, card)
        s.start(1, 2)
        s.s.open(ref, Role.OPENING, 1, 0)
        s.opening({1: card, 2: "9C"}, "7C", {1: "8C", 2: "KD"}, "KH", skip=True)
        s.finish_usual()
    s.end()
    assert found(s) == [(reg.DRAWN_IN_ERROR, "633a.14(b)", HANDLED)] * 2


@pytest.mark.clause("633a.14(b)")
def test_633a_14_b_a_card_that_waits_when_the_history_ends_does_not_hide_the_one_that_was_used() -> None:
    s = Short()
    one, _ = held(s, "10C", "9C")
    s.start(1, 2)
    s.s.open(one, Role.OPENING, 1, 0)
    s.add("round_closed", 1, 1, 0)
    verdicts = [finding.verdict for finding in s.findings() if finding.check == reg.DRAWN_IN_ERROR]
    assert sorted(verdicts) == sorted([HANDLED, CANNOT_TELL])
