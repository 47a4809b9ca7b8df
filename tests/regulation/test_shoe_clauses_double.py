"""Clauses about the double shoe, 633a.7(d)-(e) and 633a.14(h). Names are clause ids."""

from __future__ import annotations

import pytest
from dealing_table import CLUBS, DIAMONDS, HEARTS, SPADES, Table, card, double_shoe
from shoe import wire_table as t

RED = (DIAMONDS, HEARTS)


def table_of(**settings: int) -> Table:
    table = Table(double_shoe(**settings))
    table.keys((t.KEY_LOAD, 0), (t.KEY_LOAD, 1))
    return table


def whole_round(table: Table, side: int = 0) -> None:
    """One box, determinant from its own side, everybody stands."""
    table.open_round(1)
    table.draw(card(10, HEARTS if side == 0 else SPADES), head=side)
    table.draw(card(9), card(9, HEARTS), card(8), head=side)
    table.keys(t.KEY_NEXT_HAND, t.KEY_REVEAL, t.KEY_END_ROUND)


def test_633a_3_c_decks_both_sides_are_loaded_with_the_same_number() -> None:
    """633a.3(c) decks, 633a.1 Double shoe."""
    table = Table(double_shoe())
    table.keys((t.KEY_LOAD, 0), (t.KEY_SEATS, 1))
    assert not table.key(t.KEY_DEAL) and table.phase == t.PHASE_EMPTY
    table.keys((t.KEY_LOAD, 1))
    assert [event[1:] for event in table.of_kind(t.REC_LOADED)] == [(0, 208), (1, 208)]
    assert table.phase == t.PHASE_READY


def test_633a_7_d_no_burn_card_with_a_double_shoe() -> None:
    """633a.7(d), reading 28."""
    table = table_of()
    assert table.phase == t.PHASE_READY
    table.keys(t.KEY_NEW_DEALER)
    assert table.phase == t.PHASE_READY
    table = table_of(options=4)
    table.keys(t.KEY_NEW_DEALER)
    assert table.phase == t.PHASE_BURNING


@pytest.mark.parametrize("color", [t.COLOR_RED_SUITS, t.COLOR_BLACK_SUITS])
@pytest.mark.parametrize("suit", [CLUBS, DIAMONDS, HEARTS, SPADES])
@pytest.mark.parametrize("head", [0, 1])
def test_633a_7_d_1_the_determinants_suit_picks_the_side(color: int, suit: int, head: int) -> None:
    """633a.7(d)(1) draw and mapping, (d)(2) match and mismatch, 633a.1 Determinant card, readings 29-31."""
    table = table_of(side_a_color=color)
    table.open_round(0b110)
    assert table.phase == t.PHASE_DETERMINANT and table.lamp(t.LAMP_DEAL_A) and table.lamp(t.LAMP_DEAL_B)
    side = 0 if (suit in RED) == (color == t.COLOR_RED_SUITS) else 1
    table.draw(card(7, suit), head=head)
    role, box = (t.ROLE_DETERMINANT_FIRST, 2) if side == head else (t.ROLE_DETERMINANT_ASIDE, t.POSITION_SEGREGATED)
    assert table.where() == [(role, box, 0, card(7, suit))]
    assert table.step[1] == (t.REC_SIDE_CHOSEN, side)
    assert table.lamp(t.LAMP_DEAL_A) is (side == 0) and table.lamp(t.LAMP_DEAL_B) is (side == 1)
    table.draw(card(8), head=side)
    assert table.where()[-1][:2] == (t.ROLE_OPENING, 3 if side == head else 2)
    assert table.dealing.drawn(head) == 1 + (side == head)  # it counts against its own side


def test_633a_7_d_1_a_determinant_each_round() -> None:
    table = table_of()
    for _ in range(3):
        whole_round(table)
    assert len(table.of_kind(t.REC_SIDE_CHOSEN)) == 3


def test_633a_7_d_1_an_unreadable_determinant_is_read_again_or_taken_out() -> None:
    table = table_of()
    table.open_round(1)
    table.send(t.PASS_UNREADABLE, head=1)
    assert not table.key(t.KEY_SUPERVISOR, t.CLEAR_CARD_UNKNOWN)
    table.keys((t.KEY_SUPERVISOR, t.CLEAR_CARD_REMOVED))
    assert table.phase == t.PHASE_DETERMINANT


def test_633a_14_h_wrong_side_is_flagged_once_and_the_round_stands() -> None:
    table = table_of()
    table.open_round(1)
    table.draw(card(7, HEARTS), head=0)
    table.draw(card(9), card(9, HEARTS), card(8), head=1)
    assert len(table.found(t.IRR_WRONG_SIDE)) == 1 and not table.dealing.faults
    table.keys(t.KEY_NEXT_HAND, t.KEY_REVEAL, t.KEY_END_ROUND)
    assert table.of_kind(t.REC_ROUND_CLOSED)[-1][2] == t.ROUND_END_SETTLED
    assert (table.dealing.drawn(0), table.dealing.drawn(1)) == (1, 3)


def test_633a_3_c_cover_cards_each_side_has_its_own() -> None:
    table = table_of()
    table.open_round(1)
    table.cover(0)
    table.cover(1)
    assert [event[1] for event in table.of_kind(t.REC_COVER_CARD)] == [0, 1]
    table.cover(1)
    assert table.found(t.IRR_SECOND_COVER_CARD)


@pytest.mark.parametrize("side", [0, 1])
def test_633a_7_e_3_only_the_side_of_the_cover_card_is_shuffled(side: int) -> None:
    """633a.7(e), (e)(2)-(3): the other side goes on where it was."""
    table = table_of()
    whole_round(table, 1 - side)
    table.open_round(1)
    table.cover(side)
    table.draw(card(10, HEARTS if side == 0 else SPADES), head=side)
    table.draw(card(9), card(9, HEARTS), card(8), head=side)
    table.keys(t.KEY_NEXT_HAND, t.KEY_REVEAL, t.KEY_END_ROUND)
    assert [event[1] for event in table.of_kind(t.REC_FINISHED)] == [side]
    assert not table.key(t.KEY_DEAL) and not table.key(t.KEY_LOAD, 1 - side)
    table.keys((t.KEY_LOAD, side))
    kinds = table.kinds()
    assert [kind for kind in kinds if kind != t.REC_OPENED][:4] == [
        t.REC_SHOE_CLOSED,
        t.REC_SHOE_OPENED,
        t.REC_LOADED,
        t.REC_CARRIED,
    ]
    carried = table.of_kind(t.REC_CARRIED)[-1]
    assert carried[1] == 1 - side and sum(b % 16 + b // 16 for b in carried[3]) + carried[2] == 4
    assert (table.dealing.drawn(side), table.dealing.drawn(1 - side)) == (0, 4)
    assert table.phase == t.PHASE_READY
    whole_round(table, 1 - side)
    assert table.dealing.drawn(1 - side) == 8


def test_633a_7_e_2_the_count_of_a_side_takes_its_segregated_cards_in() -> None:
    """633a.7(e)(2), reading 31."""
    table = Table(double_shoe())
    table.config.decks = 2
    table.keys((t.KEY_LOAD, 0), (t.KEY_LOAD, 1))
    table.open_round(1)
    table.draw(SPADES, head=0)  # from side A, sends the round to side B: segregated
    table.cover(0)
    table.draw(card(9), card(7), card(9, HEARTS), card(10), head=1)
    table.keys(t.KEY_NEXT_HAND, t.KEY_REVEAL, t.KEY_END_ROUND, (t.KEY_COUNT, 0))
    for each in range(52):
        if each != SPADES:
            table.draw(each, head=0)
    table.keys((t.KEY_COUNT, 0))
    assert table.of_kind(t.REC_COUNTED) == [(t.REC_COUNTED, 0, t.COUNT_VERDICT_COMPLETE, 51, 51, 63)]


def test_633a_7_e_both_sides_finished_the_second_load_finds_the_other_still_finished() -> None:
    table = table_of()
    table.open_round(1)
    table.cover(0)
    table.cover(1)
    table.draw(card(10, HEARTS), card(9), card(9, HEARTS), card(8))
    table.keys(t.KEY_NEXT_HAND, t.KEY_REVEAL, t.KEY_END_ROUND, (t.KEY_LOAD, 0))
    assert table.phase == t.PHASE_FINISHED
    assert [event[1:3] for event in table.step if event[0] == t.REC_FINISHED] == [(1, t.FINISH_COVER_CARD)]
    table.keys((t.KEY_LOAD, 1))
    assert table.phase == t.PHASE_READY
