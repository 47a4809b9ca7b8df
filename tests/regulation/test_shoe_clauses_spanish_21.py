"""Clauses that only Spanish 21 (635a) and Free Bet Blackjack (590) have. Names are clause ids."""

from __future__ import annotations

import pytest
from dealing_table import HEARTS, Table, card, config, ten
from shoe import wire_table as t


def started(seats: int, *cards: int, **settings: int) -> Table:
    table = Table(config(game=t.GAME_SPANISH_21, **settings))
    table.start(seats)
    table.draw(*cards)
    return table


@pytest.mark.parametrize("decks", [6, 8])
def test_635a_3_a_a_batch_has_48_cards_a_deck(decks: int) -> None:
    """635a.3(a) count and composition."""
    table = Table(config(game=t.GAME_SPANISH_21, decks=decks))
    table.keys((t.KEY_LOAD, 0))
    assert table.of_kind(t.REC_LOADED) == [(t.REC_LOADED, 0, 48 * decks)]


def test_635a_10_a_doubles_on_any_number_of_cards_and_after_a_split() -> None:
    """635a.10(a) cards."""
    table = started(1, card(2), card(9), card(2, HEARTS), card(8))
    table.keys(t.KEY_SPLIT)
    table.draw(card(3), card(4), card(5))
    table.keys(t.KEY_DOUBLE)
    table.draw(card(2))
    assert table.of_kind(t.REC_HAND_ENDED) == [(t.REC_HAND_ENDED, 1, 0, t.HAND_END_DOUBLED)]


def test_635a_10_d_a_double_may_be_rescued_before_the_dealer_plays() -> None:
    table = started(1, card(5), card(9), card(6), card(8))
    table.keys(t.KEY_DOUBLE)
    table.draw(card(2))
    table.keys((t.KEY_SURRENDER, 1))
    assert table.of_kind(t.REC_HAND_ENDED)[-1] == (t.REC_HAND_ENDED, 1, 0, t.HAND_END_SURRENDERED)


def test_635a_13_a_more_the_second_face_up_card_of_a_round_voids_it_and_asks_for_a_reshuffle() -> None:
    """635a.13(a) more, reading 36: in the same round; one in each of two rounds voids nothing."""
    table = started(1)
    table.blank()
    table.draw(card(5), card(9), card(6), card(8))
    table.keys(t.KEY_NEXT_HAND, t.KEY_REVEAL, t.KEY_END_ROUND)
    table.open_round(1)
    table.blank()
    assert table.phase == t.PHASE_OPENING
    table.draw(card(5), card(9), card(6), card(8))
    table.blank()
    assert table.kinds() == [t.REC_IRREGULARITY, t.REC_OPENED, t.REC_ROUND_CLOSED, t.REC_FINISHED]
    assert table.step[0][1] == t.IRR_SECOND_FACE_UP_CARD
    assert table.step[2] == (t.REC_ROUND_CLOSED, 2, t.ROUND_END_VOID, 0)
    assert table.phase == t.PHASE_FINISHED and not table.key(t.KEY_DEAL)


def test_635a_13_b_one_a_ten_is_named_and_removed_and_the_next_card_is_used() -> None:
    """635a.13(b) one, 635a.4(b)."""
    table = started(1, card(5), ten())
    assert table.codes() == [t.IRR_TEN_FOUND] and not table.dealing.faults
    assert table.where()[-1] == (t.ROLE_DISCARDED, t.POSITION_NONE, 0, ten())
    table.draw(card(9))
    assert table.where()[-1][:2] == (t.ROLE_DEALER_UP, 0)


def test_635a_13_b_one_a_ten_as_the_hole_card_is_named_when_it_is_turned() -> None:
    table = started(1, card(5), card(9), card(6), ten())
    assert not table.codes()
    table.keys(t.KEY_NEXT_HAND, t.KEY_REVEAL)
    assert table.codes() == [t.IRR_TEN_FOUND] and table.dealing.st.dealer.cards == [card(9)]
    table.draw(card(8))
    assert table.phase == t.PHASE_SETTLING


def test_635a_13_b_more_the_second_ten_of_a_round_voids_it_and_retires_the_decks() -> None:
    """635a.13(b) more, reading 37."""
    table = started(1, ten(), card(5), ten(HEARTS))
    assert table.codes() == [t.IRR_TEN_FOUND, t.IRR_SECOND_TEN_FOUND]
    assert table.of_kind(t.REC_ROUND_CLOSED) == [(t.REC_ROUND_CLOSED, 1, t.ROUND_END_VOID, 0)]
    assert table.dealing.faults == [t.FAULT_DECKS_RETIRED] and table.phase == t.PHASE_FINISHED
    table.keys((t.KEY_LOAD, 0))
    assert not table.dealing.faults and table.phase == t.PHASE_BURNING


def test_590_11_d_limit_four_hands_in_free_bet() -> None:
    """590.11(d) limit, 590.11(a), 590.2(a)."""
    table = Table(config(game=t.GAME_FREE_BET, positions=6))
    table.start(0b100000)
    table.draw(0, card(9), HEARTS, card(7))
    for suit in (13, 0, 26):
        table.keys(t.KEY_SPLIT)
        table.draw(suit)
    assert not table.key(t.KEY_SPLIT)
    assert not table.key(t.KEY_SEATS, 0b1000000)


def test_590_10_a_double_on_the_first_two_of_a_split_pair() -> None:
    table = Table(config(game=t.GAME_FREE_BET, positions=6))
    table.start(1)
    table.draw(card(5), card(9), card(5, HEARTS), card(7))
    table.keys(t.KEY_SPLIT)
    table.draw(card(6))
    table.keys(t.KEY_DOUBLE)
