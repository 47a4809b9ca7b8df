"""Readings and borderlines: histories that only just are, or only just are not, in order."""

from __future__ import annotations

import pytest
from shoetool.judge import registry as reg
from shoetool.model.protocol_table import Finish, Game, HandEnd, Role, ShoeKind
from shoetool.model.protocol_table import IrregularityCode as Irr
from shoetool.rules.games import game_of
from shoetool.verify import BREACH, CANNOT_TELL, HANDLED
from short_shoe import NONE, RACK, TABLE, Short, face
from verify_cases_shoe import double_round, nearly_dealt


def test_633a_7_e_1_the_cover_card_of_a_batch_that_is_only_counted_has_no_place() -> None:
    s = Short(decks=1, burn=False)
    s.add("count_started", 0, 0)
    for card in range(50):
        s.card(Role.COUNTED, RACK, card)
    s.add("cover_card", 0, 9, NONE, 1)
    for card in (50, 51):
        s.card(Role.COUNTED, RACK, card)
    s.add("counted", 0, 0, 52, 52, 63)
    s.add("finished", 0, Finish.COVER_CARD, 52)
    s.end()
    assert s.report().ok, s.findings()


def test_a_test_deal_out_of_order_leaves_it_open_and_is_no_missing_card() -> None:
    s = Short(decks=1, burn=False)
    s.add("count_started", 0, 1)
    for card in range(52):
        s.card(Role.COUNTED, RACK, card)
    s.add("counted", 0, 3, 52, 52, 4)
    s.end()
    assert [(f.check, f.verdict) for f in s.findings()] == [(reg.COUNT, CANNOT_TELL)]


def test_633a_14_g_none_a_position_found_without_cards_after_the_deal_is_dead() -> None:
    """The shoe had given its places to that position; what counts is that nothing comes after the report."""
    s = Short()
    s.usual()
    s.irr(Irr.HAND_WITHOUT_CARDS, 2)
    s.end_hand(2, HandEnd.DEAD)
    s.stand(1)
    s.reveal()
    s.close()
    s.end()
    assert [(f.check, f.verdict) for f in s.findings()] == [(reg.NO_CARDS, HANDLED)]


def test_633a_7_d_2_a_determinant_card_moves_to_another_position_only_when_the_first_was_skipped() -> None:
    for skipped, wanted in ((False, 1), (True, 0)):
        s = Short(kind=ShoeKind.DOUBLE)
        s.start(2, 3)
        first = s.card(Role.DETERMINANT_FIRST, 2, "9H")
        s.add("side_chosen", 0)
        if skipped:
            s.irr(Irr.HAND_WITHOUT_CARDS, 2)
        s.add("moved", first, Role.OPENING, 3, 0)
        s.end()
        assert [f.check for f in s.findings()].count(reg.MATCH) == wanted


def test_633a_14_h_a_held_card_from_the_other_side_is_told_once() -> None:
    s = Short(kind=ShoeKind.DOUBLE)
    first = s.s.seal(Role.HELD, TABLE, 0, 0, face("9H"), 1)
    s.irr(Irr.DRAWN_IN_ERROR, TABLE)
    second = s.s.seal(Role.HELD, TABLE, 0, 1, face("8H"), 2)
    s.irr(Irr.DRAWN_IN_ERROR, TABLE)
    s.start(2, 3)
    s.s.open(first, Role.DETERMINANT_FIRST, 2, 0)
    s.add("side_chosen", 0)
    s.s.open(second, Role.OPENING, 3, 0)
    s.irr(Irr.WRONG_SIDE, 3, head=1)
    s.up("7C")
    s.give(2, "KD")
    s.give(3, "KC")
    s.hole("KH")
    s.stand(2, 3)
    s.reveal()
    s.close()
    s.end()
    found = [(f.check, f.verdict) for f in s.findings()]
    assert sorted(found) == sorted([(reg.DRAWN_IN_ERROR, HANDLED), (reg.WRONG_SIDE, HANDLED)])


def test_635a_10_d_a_double_may_be_rescued_in_spanish_21() -> None:
    s = Short(game=Game.SPANISH_21)
    s.start(1)
    s.opening({1: "5C"}, "7C", {1: "6C"}, "KH")
    s.add("doubled", 1, 0)
    s.give(1, "2D", Role.DOUBLE_DRAW)
    s.end_hand(1, HandEnd.DOUBLED)
    s.end_hand(1, HandEnd.SURRENDERED)
    s.turn()
    s.close(0)
    s.end()
    assert s.report().ok, s.findings()


def rescued(when: str) -> Short:
    """Position 1 rescues its double; position 2 stands, so that the dealer has to turn his hole card."""
    s = Short(game=Game.SPANISH_21)
    s.start(1, 2)
    s.opening({1: "5C", 2: "9C"}, "7C", {1: "6C", 2: "KD"}, "KH")
    s.add("doubled", 1, 0)
    s.give(1, "2D", Role.DOUBLE_DRAW)
    s.end_hand(1, HandEnd.DOUBLED)
    s.stand(2)
    if when == "in time":
        s.end_hand(1, HandEnd.SURRENDERED)
    s.reveal()
    if when == "too late":
        s.end_hand(1, HandEnd.SURRENDERED)
    s.close(17)
    s.end()
    return s


@pytest.mark.clause("635a.10(d)")
def test_635a_10_d_a_double_may_be_rescued_before_the_hole_card_is_turned() -> None:
    assert rescued("in time").report().ok, rescued("in time").findings()


@pytest.mark.clause("635a.10(d)")
def test_635a_10_d_no_double_is_rescued_once_the_hole_card_shows() -> None:
    assert (reg.HAND_OVER, BREACH) in [(f.check, f.verdict) for f in rescued("too late").findings()]


def test_635a_7_n_4_the_dealer_may_stop_when_only_a_21_in_three_cards_is_left() -> None:
    s = Short(game=Game.SPANISH_21)
    s.start(1)
    s.opening({1: "5C"}, "6C", {1: "6D"}, "KH")
    s.give(1, "KC", Role.DRAW)
    s.end_hand(1, HandEnd.TWENTY_ONE)
    s.reveal()
    s.close(16)
    s.end()
    assert s.report().ok, s.findings()


@pytest.mark.parametrize(("decks", "behind", "ok"), [(1, 13, True), (1, 12, False)])
def test_633a_5_d_place_is_rounded_up(decks: int, behind: int, ok: bool) -> None:
    """Reading 34: 52 cards need 13 behind the cover card."""
    s = nearly_dealt(behind)
    s.add("cover_card", 0, 1, NONE, 1)
    s.end()
    assert s.report().ok is ok


def test_633a_7_c_a_load_and_a_new_dealer_owe_two_burns() -> None:
    """Reading 26: both if both happen together."""
    s = Short()
    s.add("dealer_changed", 1)
    s.burn("3C")
    s.whole_round()
    s.end()
    assert s.report().ok, s.findings()


def test_633a_7_d_a_double_shoe_owes_no_burn_unless_the_house_says_so() -> None:
    """Reading 28; options bit 2."""
    for options, want in ((0, []), (4, [(reg.DEALER_BURN, BREACH)])):
        s = Short(kind=ShoeKind.DOUBLE, options=options)
        s.add("dealer_changed", 1)
        double_round(s, Role.DETERMINANT_FIRST, "9H", 0, 0)
        s.end()
        assert [(f.check, f.verdict) for f in s.findings()] == want


def test_633a_7_c_a_continuous_shuffler_owes_no_burn_after_a_load() -> None:
    s = Short(options=2 | 32, burn=False)
    s.whole_round()
    s.end()
    assert s.report().ok, s.findings()


@pytest.mark.parametrize("side", [0, 1])
@pytest.mark.parametrize("loaded", [None, 0, 1])
def test_635a_13_b_more_the_side_of_the_second_10_alone_is_loaded_before_the_next_round(
    side: int, loaded: int | None
) -> None:
    s = Short(Game.SPANISH_21, ShoeKind.DOUBLE)
    s.start(1, 2)
    for code, card in ((Irr.TEN_FOUND, "10D"), (Irr.SECOND_TEN_FOUND, "10H")):
        s.card(Role.DISCARDED, NONE, card, head=side)
        s.irr(code, 1, head=side, detail=face(card))
    s.close(0, 1)
    if loaded is not None:
        s.load(loaded, burn=False)
    s.start(1, 2)
    found = [one for one in s.findings() if one.check == reg.SECOND_TEN and one.verdict == BREACH]
    assert [("retired the decks" in one.sentence) for one in found] == ([] if loaded == side else [True])


@pytest.mark.parametrize(
    ("codes", "check"),
    [
        ((Irr.TEN_FOUND, Irr.SECOND_TEN_FOUND), reg.SECOND_TEN),
        ((Irr.FACE_UP_CARD, Irr.SECOND_FACE_UP_CARD), reg.SECOND_FACE_UP),
    ],
)
def test_635a_13_what_the_reader_saw_is_over_when_the_shoe_is_loaded(codes: tuple[Irr, ...], check: str) -> None:
    """635a.13(a) more, (b) more: head 2 is the reader's, and no side of a shoe is."""
    for loads in (True, False):
        s = Short(Game.SPANISH_21)
        s.start(1, 2)
        for code, card in zip(codes, ("10D", "10H"), strict=True):
            s.irr(code, 1, head=2, detail=face(card))
        s.close(0, 1)
        if loads:
            s.load()
        s.start(1, 2)
        assert any(one.check == check and one.verdict == BREACH for one in s.findings()) == (not loads)


def test_a_load_of_a_side_that_no_shoe_has_is_not_held_against_a_cover_card() -> None:
    s = Short(kind=ShoeKind.DOUBLE, opened=False)
    s.open()
    s.add("loaded", 2, s.batch)
    assert [(one.check, one.sentence) for one in s.findings()] == [
        (reg.SEQUENCE, "Record 2 does not fit: there is no side 2 to load.")
    ]


def test_633a_7_e_a_cover_card_between_rounds_leaves_one_more_round() -> None:
    """Reading 32: that round is dealt and finished, then shuffle; no further round."""
    s = Short()
    s.add("cover_card", 0, 1, 1, 1)
    s.whole_round()
    assert s.report().ok, s.findings()
    s.whole_round()
    assert [(f.check, f.verdict) for f in s.findings()] == [(reg.LAST_ROUND, BREACH)]


@pytest.mark.parametrize("color", [0, 1])
@pytest.mark.parametrize("card", ["9C", "9D", "9H", "9S"])
@pytest.mark.parametrize("head", [0, 1])
def test_633a_7_d_1_mapping_of_each_suit_and_side(color: int, card: str, head: int) -> None:
    s = Short(kind=ShoeKind.DOUBLE, color=color)
    named = 0 if (card[-1] in "DH") == (color == 0) else 1
    role = Role.DETERMINANT_FIRST if named == head else Role.DETERMINANT_ASIDE
    double_round(s, role, card, head, named)
    s.end()
    assert s.report().ok, s.findings()


def test_633a_12_a_4_a_card_drawn_before_a_late_switch_stays_with_its_hand() -> None:
    """10-6 drew a 2 and took the 9 of the other hand: 21, and no further card."""
    s = Short(Game.SWITCH)
    s.start(1)
    s.give(1, "10C")
    s.give(1, "6C", hand=1)
    s.up("7C")
    s.give(1, "6D")
    s.give(1, "9D", hand=1)
    s.hole("KH")
    s.give(1, "2D", Role.DRAW)
    s.add("switched", 1)
    s.give(1, "5S", Role.DRAW)
    s.end_hand(1)
    s.end_hand(1, hand=1)
    s.reveal()
    s.close()
    s.end()
    assert any("had 21 and got a further card" in finding.sentence for finding in s.findings())


@pytest.mark.clause("633a.3(c) decks")
@pytest.mark.parametrize("game", Game)
def test_633a_3_c_a_double_shoe_is_for_the_games_that_checks_md_names(game: Game) -> None:
    s = Short(game, ShoeKind.DOUBLE, opened=False)
    s.open()
    s.end()
    allowed = "double" in game_of(game).deal.shoes
    assert (reg.DOUBLE_DECKS in {found.check for found in s.findings()}) is not allowed
    games = reg.CHECKS[reg.DOUBLE_DECKS].reading.partition(" only.")[0].removeprefix("A double shoe is for ")
    assert (game_of(game).title in games.split(" and ")) is allowed
