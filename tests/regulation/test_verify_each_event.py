"""Every card, fault and misuse has its own finding, from records in the order in which the firmware writes them.

The mistakes are driven into the firmware's own dealing, one key and one card at a time.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

sys.path += [str(Path(__file__).resolve().parents[1] / part) for part in ("host", "goldens")]

import pytest
from golden_driver import Driven
from shoesim.piles import Item
from shoetool.judge import registry as reg
from shoetool.judge import registry_reader as checks
from shoetool.model.cards import UNKNOWN, card_name
from shoetool.model.protocol_table import Clear, FaultCode, Game, Key, Role, ShoeKind
from shoetool.model.protocol_table import IrregularityCode as Irr
from shoetool.verify import BREACH, CANNOT_TELL, HANDLED, Finding, verify
from short_shoe import RACK, TABLE, Short, face

CAUSES = (Irr.FOREIGN_BATCH, Irr.CARD_UNKNOWN, FaultCode.HEAD_DIRTY)


def of(driven: Driven, check: str) -> list[Finding]:
    return [one for one in verify(driven.records()).findings if one.check == check]


def reports(driven: Driven, code: Irr) -> list[int]:
    return [one.number for one in driven.records() if one.name == "irregularity" and one.values[0] == code]


def cards(found: list[Finding]) -> list[tuple[int, ...]]:
    return [one.cards for one in found]


def faces(*names: str) -> list[tuple[int, ...]]:
    return [(face(name),) for name in names]


@pytest.mark.clause("633a.14(d)")
def test_633a_14_d_of_three_cards_drawn_by_accident_on_17_each_is_named_with_its_own_report() -> None:
    d = Driven().start().deal().stand().key(Key.REVEAL).draw("2C", "3C", "4C").key(Key.END_ROUND).close()
    found = of(d, reg.DEALER_17)
    assert [one.verdict for one in found] == [HANDLED] * 3
    assert cards(found) == faces("2C", "3C", "4C")
    assert [one.records for one in found] == [(at, at + 1) for at in reports(d, Irr.DEALER_DREW_ON_17)]


@pytest.mark.clause("633a.14(d)")
def test_633a_14_d_a_report_without_a_card_beside_it_is_told() -> None:
    s = Short()
    s.usual()
    s.stand(1, 2)
    s.reveal()
    s.irr(Irr.DEALER_DREW_ON_17, 0, detail=17)
    s.close()
    s.end()
    assert [(one.check, one.verdict) for one in s.findings()] == [(reg.UNEXPLAINED, CANNOT_TELL)]


@pytest.mark.clause("633a.14(c) discard")
def test_633a_14_c_each_of_two_cards_that_are_discarded_without_being_held_is_named() -> None:
    d = Driven().start().deal()
    for card in ("2D", "2H"):
        d.draw(card).key(Key.DISCARD, 0).stand(1)
    found = of(d.finish().close(), reg.DISCARDED)
    assert [one.verdict for one in found] == [HANDLED] * 2
    assert cards(found) == faces("2D", "2H")


@pytest.mark.clause("633a.14(c) discard")
def test_633a_14_c_a_discard_is_of_its_own_card_and_not_of_the_one_that_went_last() -> None:
    s = Short()
    s.usual()
    drawn = s.give(1, "2D", Role.DRAW)
    report = s.irr(Irr.CARD_DISCARDED, 1)
    move = s.add("moved", drawn, Role.DISCARDED, RACK, 0)
    s.end_hand(1)
    s.add("moved", s.give(2, "AD", Role.DRAW), Role.DISCARDED, RACK, 0)
    s.end_hand(2)
    s.reveal()
    s.close()
    s.end()
    (one,) = (finding for finding in s.findings() if finding.check == reg.DISCARDED)
    assert (one.records, one.cards) == ((drawn, report, move), (face("2D"),))


@pytest.mark.clause("633a.5(d) place", "633a.3(c) cover cards")
@pytest.mark.parametrize(("kind", "verdict"), [(ShoeKind.SINGLE, CANNOT_TELL), (ShoeKind.DOUBLE, BREACH)])
def test_633a_5_d_a_second_and_a_third_cover_card_in_a_row_are_two_findings(kind: ShoeKind, verdict: str) -> None:
    d = Driven(kind=kind, decks=8).start().open(1)
    d.draw("10D") if kind else d.draw("9D")
    d.draw("7C", "8C", "KH").cover().cover().cover().stand(1).finish().close()
    found = of(d, reg.COVER_CARDS if kind else reg.COVER_PLACE)
    (first,) = (one.number for one in d.records() if one.name == "cover_card")
    assert [(one.verdict, one.records) for one in found] == [
        (verdict, (first, at)) for at in reports(d, Irr.SECOND_COVER_CARD)
    ]
    assert len(found) == 2


@pytest.mark.clause("633a.3(c) backs", "633a.3(c) cover cards")
@pytest.mark.parametrize(("kind", "clause"), [(ShoeKind.SINGLE, "backs"), (ShoeKind.DOUBLE, "cover cards")])
def test_633a_3_c_a_second_cover_card_of_another_batch_is_named_with_its_batch(kind: ShoeKind, clause: str) -> None:
    d = Driven(kind=kind, decks=8).start().open(1)
    d.draw("10D") if kind else d.draw("9D")
    d.draw("7C", "8C", "KH").cover().cover(batch=5).stand(1).finish().close()
    (one,) = verify(d.records()).findings
    assert (one.clause, one.verdict) == (f"633a.3(c) {clause}", BREACH)
    assert "a cover card of batch 5 came out of" in one.sentence and one.sentence.endswith("which holds batch 1.")


@pytest.mark.clause("633a.14(f) reshuffle")
def test_633a_14_f_each_refill_of_a_round_is_judged_and_what_was_left_in_the_shoe_stays_there() -> None:
    d = Driven().start().deal()
    for card in ("2D", "2H"):
        d.key(Key.REFILL).draw(card).stand(1)
    found = of(d.finish().close(), reg.TOO_FEW)
    assert [one.verdict for one in found] == [BREACH] * 2
    assert [one.records for one in found] == [(at, at + 1) for at in reports(d, Irr.TOO_FEW_CARDS)]
    assert all("with 305 cards left" in one.sentence for one in found)


@pytest.mark.clause("633a.14(f) reshuffle")
def test_633a_14_f_a_refill_that_the_shoe_did_not_report_is_judged_too() -> None:
    s = Short()
    s.usual()
    refill = s.add("refilled", 0, 1)
    s.burn("3D")
    s.finish_usual()
    s.end()
    assert [(one.check, one.verdict, one.records) for one in s.findings()] == [(reg.TOO_FEW, BREACH, (refill,))]


@pytest.mark.clause("633a.14(f) burn")
@pytest.mark.parametrize("burned", [True, False])
def test_633a_14_f_a_card_drawn_in_error_after_a_refill_is_not_the_one_to_be_burned(burned: bool) -> None:
    s = Short()
    s.usual()
    s.add("refilled", 0, 1)
    s.card(Role.HELD, TABLE, "5D")
    if burned:
        s.burn("3D")
    s.give(1, "2D", Role.DRAW)
    s.finish_usual()
    s.end()
    assert [one.check for one in s.findings() if one.check == reg.REFILL_BURN] == [reg.REFILL_BURN] * (not burned)


@pytest.mark.clause("633a.14(i)")
def test_633a_14_i_a_hand_for_which_two_cards_were_missed_has_two_findings() -> None:
    d = Driven().start().open(1, 2).draw("10C", "9C", "7C", "2C", "KD", "KH").stand()
    for card in ("5C", "2H"):
        d.key(Key.MISSED, 1 + 16).draw(card).stand(1)
    found = of(d.finish().close(), reg.MISSED)
    assert [one.verdict for one in found] == [HANDLED] * 2
    assert cards(found) == faces("5C", "2H")
    assert [one.records for one in found] == [(at, at + 1) for at in reports(d, Irr.MISSED_CARD)]


@pytest.mark.clause("633a.14(i)", "633a.12(a)(1)")
def test_633a_14_i_in_switch_it_is_named_which_hand_of_the_position_was_missed() -> None:
    d = Driven(Game.SWITCH).start().open(1).draw("2C", "6C", "7C", "7D", "5D", "KH").stand()
    d.key(Key.MISSED, 1 + 16).key(Key.MISSED, 1 + 32).draw("2H").stand(1).draw("3H").stand(1)
    found = of(d.finish().close(), reg.MISSED)
    assert [one.sentence.split(" was missed")[0] for one in found] == [
        "Round 1: a card for position 1, hand 1",
        "Round 1: a card for position 1, hand 2",
    ]


@pytest.mark.clause("633a.14(i)")
def test_633a_14_i_a_late_card_is_that_of_its_own_report() -> None:
    """The second card that was missed never came."""
    s = Short()
    s.start(1, 2)
    s.opening({1: "5C", 2: "9C"}, "7C", {1: "4C", 2: "KD"}, "KH")
    s.stand(1, 2)
    s.irr(Irr.MISSED_CARD, 1)
    s.give(1, "2H", Role.LATE)
    s.end_hand(1)
    never = s.irr(Irr.MISSED_CARD, 1)
    s.reveal()
    s.close()
    s.end()
    found = [one for one in s.findings() if one.check == reg.MISSED]
    assert [(one.verdict, one.cards) for one in found] == [(HANDLED, (face("2H"),)), (BREACH, ())]
    assert found[1].records == (never,)


@pytest.mark.clause("633a.7(h) result", "590.7(g)", "635a.7(g)")
@pytest.mark.parametrize("game", [Game.BLACKJACK, Game.FREE_BET, Game.SPANISH_21])
def test_633a_7_h_each_card_after_the_reader_said_blackjack_is_a_finding(game: Game) -> None:
    d = Driven(game, reader=True).start().open(1, 2).draw("9C", "9D", "AC", "8C", "KD", "KH")
    d.key(Key.INSURANCE, 0).peek("KH").draw("3C", "4C", "5C", "6C").finish().close()
    found = of(d, checks.ANSWER)
    assert [one.verdict for one in found] == [BREACH] * 4
    assert cards(found) == faces("3C", "4C", "5C", "6C")


@pytest.mark.clause("633a.7(h) eligibility", "633a.8(b) timing")
@pytest.mark.parametrize("end", [Key.VOID_ROUND, Key.NEXT_HAND])
def test_633a_7_h_a_switch_is_play_and_comes_after_insurance_and_the_reader(end: Key) -> None:
    d = Driven(Game.SWITCH, reader=True).start().open(1).draw("QC", "6C", "AC", "5D", "9D", "9H")
    d.key(Key.SWITCH).key(Key.INSURANCE, 0).key(end).key(end).finish().close()
    (one,) = (finding for finding in of(d, checks.PEEK) if finding.verdict == BREACH)
    (switched,) = (record.number for record in d.records() if record.name == "switched")
    assert "play went on with A♣ up" in one.sentence and switched in one.records
    assert [key.clause for key in of(d, reg.KEYS) if "insurance" in key.sentence] == ["633a.8(b) timing"]
    assert of(d, reg.UNEXPLAINED) == []


@pytest.mark.clause("633a.7(l)")
def test_633a_7_l_each_card_that_the_dealer_draws_before_he_turns_is_a_finding() -> None:
    d = Driven().start().open(1, 2).draw("10C", "9C", "7C", "8C", "KD", "5H").stand().draw("2D", "2H", "2S")
    found = of(d.finish().close(), reg.REVEAL)
    assert [one.verdict for one in found] == [BREACH] * 3
    assert cards(found) == faces("2D", "2H", "2S")


def spanish(up: str = "7C", reader: bool = False) -> Driven:
    return Driven(Game.SPANISH_21, reader=reader).start().open(1).draw("5C", up, "6C", "KH")


@pytest.mark.clause("635a.7(k)", "635a.7(g)")
def test_635a_7_k_a_10_that_the_dealer_draws_before_he_turns_or_after_blackjack_is_told_like_any_card() -> None:
    d = spanish().stand(1).draw("10C").finish().close()
    assert [(one.clause, one.cards) for one in of(d, reg.REVEAL)] == [("635a.7(k)", (face("10C"),))]
    d = spanish("AC", reader=True).key(Key.INSURANCE, 0).peek("KH").draw("10C").finish().close()
    assert [(one.clause, one.cards) for one in of(d, checks.ANSWER)] == [("635a.7(g)", (face("10C"),))]


@pytest.mark.clause("635a.7(k)")
def test_635a_7_k_a_10_that_comes_to_a_player_or_on_17_is_no_card_before_the_turn() -> None:
    for d in (
        spanish().draw("10C", "4C").stand(1).finish(),
        spanish().key(Key.DOUBLE).draw("10C", "4C").finish(),
        spanish().stand(1).key(Key.MISSED, 1).draw("10C", "4C").stand(1).finish(),
        spanish().stand(1).key(Key.REVEAL).draw("10C").key(Key.END_ROUND),
    ):
        assert of(d.close(), reg.TEN_FOUND) and of(d, reg.REVEAL) == []


@pytest.mark.clause("633a.7(e)")
@pytest.mark.parametrize("kind", ShoeKind)
def test_633a_7_e_each_card_drawn_after_the_last_round_is_a_finding(kind: ShoeKind) -> None:
    d = Driven(kind=kind, decks=8).start().open(1)
    d.draw("10D") if kind else d.draw("9D")
    d.draw("7C", "8C", "KH").cover().stand(1).finish().draw("2C", "3C", "4C").close()
    found = of(d, reg.LAST_ROUND)
    assert [one.verdict for one in found] == [BREACH] * 3
    assert [one.records[-2:] for one in found] == [(at - 1, at) for at in reports(d, Irr.DRAWN_WHILE_FINISHED)]


@pytest.mark.clause("633a.3(a)")
def test_633a_3_a_one_copy_is_called_a_copy() -> None:
    d = Driven(decks=1).start().open(1).draw("9D", "7C", "8C", "KH", "9D").close()
    assert any("than its decks have it (1 copy)." in one.sentence for one in verify(d.records()).findings)


def foreign_card(d: Driven) -> Driven:
    return d.draw("9C", batch=5).key(Key.SUPERVISOR, Clear.CARD_REMOVED)


def unread_card(d: Driven) -> Driven:
    return d.draw("9C", damaged=True).key(Key.SUPERVISOR, Clear.CARD_UNKNOWN)


def dirty_head(d: Driven) -> Driven:
    return d.dirty().key(Key.SUPERVISOR, Clear.RESUME)


def face_up_card(d: Driven) -> Driven:
    d.shoe.draw(0, Item(UNKNOWN, 1, face_up=True))
    return d


@pytest.mark.clause("633a.14(j)(1)")
@pytest.mark.parametrize(
    ("happens", "words"),
    [
        (foreign_card, "after a card of another batch had come out"),
        (unread_card, "after a card had been accepted as unknown"),
        (dirty_head, "after a fault had stopped the game (A read head"),
    ],
)
def test_633a_14_j_1_what_came_before_a_void_is_named_with_it(happens: Callable[[Driven], Driven], words: str) -> None:
    d = happens(Driven().start().open(1, 2).draw("10C")).key(Key.VOID_ROUND).close()
    (one,) = of(d, reg.VOIDED)
    assert (one.clause, one.verdict) == ("633a.14(j)(1)", CANNOT_TELL)
    assert f"the round was voided {words}" in one.sentence
    (told,) = (r.number for r in d.records() if r.name in ("irregularity", "fault") and r.values[0] in CAUSES)
    assert told in one.records


@pytest.mark.clause("633a.14(j)(1)")
def test_633a_14_j_1_two_things_before_a_void_are_both_named() -> None:
    d = unread_card(foreign_card(Driven().start().open(1, 2).draw("10C"))).key(Key.VOID_ROUND).close()
    (one,) = of(d, reg.VOIDED)
    assert "after a card of another batch had come out, after a card had been accepted as unknown." in one.sentence


@pytest.mark.clause("633a.14(j)(1)")
def test_633a_14_j_1_a_card_that_was_seen_or_missed_before_a_void_is_named_with_it() -> None:
    for d, words in (
        (face_up_card(Driven().start().deal()), "a card had lain face up"),
        (Driven().start().deal().draw("3C").key(Key.HOLD, 1), "a card drawn in error had been seen"),
        (Driven().start().deal().stand().key(Key.MISSED, 1), "a card had been missed"),
    ):
        (one,) = of(d.key(Key.VOID_ROUND).close(), reg.VOIDED)
        assert one.verdict == CANNOT_TELL and f"the round was voided after {words}." in one.sentence


@pytest.mark.clause("633a.14(f) reshuffle")
def test_633a_14_f_a_round_that_is_voided_when_the_batch_is_out_says_so() -> None:
    d = Driven(decks=1).start()
    d.play_on(d.rest()).key(Key.VOID_ROUND).close()
    (one,) = of(d, reg.VOIDED)
    assert (one.clause, one.verdict) == ("633a.14(f) reshuffle", CANNOT_TELL)
    assert "voided after the last card of the batch had come out." in one.sentence


@pytest.mark.clause("633a.14(k)")
def test_633a_14_k_the_failure_of_the_reader_and_the_round_that_was_voided_are_two_events() -> None:
    """Each has its own records: when the reader failed and passed, and when the round was opened and voided."""
    d = Driven(reader=True).start().open(1, 2).draw("10C", "9C", "KC", "8C", "KD", "9H")
    for _ in range(3):
        d.peek("9H", damaged=True)
    d.key(Key.VOID_ROUND).inspect().close()
    (failed,), (voided,) = of(d, checks.FAILED), of(d, reg.VOIDED)
    assert failed.clause == voided.clause == "633a.14(k)"
    (closed,) = (one.number for one in d.records() if one.name == "round_closed")
    assert closed in voided.records and closed not in failed.records


def counted(without: tuple[str, ...], unread: int = 0) -> Driven:
    """A whole shoe of six decks is dealt and counted without these cards; `unread` others are accepted as unknown."""
    d = Driven().start().deal().cover().stand().finish().key(Key.COUNT)
    left = d.rest(*without)
    for _ in range(unread):
        d.draw(left.pop(), damaged=True).key(Key.SUPERVISOR, Clear.CARD_UNKNOWN)
    return d.draw(*left).key(Key.COUNT).key(Key.SUPERVISOR, Clear.RESUME).close()


@pytest.mark.clause("633a.7(e)(1)")
def test_633a_7_e_1_every_missing_card_is_named_however_many_there_are() -> None:
    names = ("KD", "QD", "JD", "KS", "QS", "JS", "KH", "QH", "JH", "KC")
    (one,) = of(counted((*names, "KD")), reg.COUNT)
    told = one.sentence.split("missing: ")[1].removesuffix(".").split(", ")
    assert sorted(told) == sorted(["2 × K♦", *(card_name(face(name)) for name in names[1:])])


@pytest.mark.clause("633a.7(e)(1)")
def test_633a_7_e_1_what_an_unknown_card_leaves_open_is_said() -> None:
    (one,) = of(counted(("KD",), unread=1), reg.COUNT)
    assert one.sentence.endswith("; it is not known which ones are missing: 1 card of that side is not known.")
    assert "K♦" not in one.sentence


@pytest.mark.clause("633a.7(e)(1)")
@pytest.mark.parametrize(("missing", "verdict"), [(("KD",), CANNOT_TELL), (("KD", "4S"), BREACH)])
def test_633a_7_e_1_a_missing_card_that_may_have_passed_a_blind_head_is_left_open(
    missing: tuple[str, ...], verdict: str
) -> None:
    """One card may have passed, so two are too many."""
    d = dirty_head(Driven().start().deal()).cover().stand().finish().key(Key.COUNT)
    (one,) = of(d.draw(*d.rest(*missing)).key(Key.COUNT).key(Key.SUPERVISOR, Clear.RESUME).close(), reg.COUNT)
    assert one.verdict == verdict and "missing: K♦" in one.sentence
    assert ("may have come out while a head could not read" in one.sentence) == (verdict == CANNOT_TELL)
