"""Clauses about the deal: order, player turns, doubles, splits, the dealer's hand. Names are clause ids."""

from __future__ import annotations

import pytest
from dealing_table import CLUBS, HEARTS, Config, Table, card, config
from shoe import wire_table as t
from shoe.config import OPTION_READER

GAMES = ({}, {"game": t.GAME_FREE_BET, "positions": 6}, {"game": t.GAME_SPANISH_21})
LOW = (card(5), card(6), card(7), card(8), card(9))


def game(settings: dict[str, int]) -> Config:
    return config(**settings)


def dealt(*cards: int, seats: int = 1, **settings: int) -> Table:
    table = Table(config(**settings))
    table.start(seats)
    table.draw(*cards)
    return table


def ends(table: Table) -> list[tuple[int, int, int]]:
    return [event[1:] for event in table.of_kind(t.REC_HAND_ENDED)]


@pytest.mark.parametrize("settings", GAMES)
@pytest.mark.parametrize("seats", [0b1, 0b100110, 0b111111])
def test_633a_7_f_opening_deal_in_two_passes_from_the_far_left(settings: dict[str, int], seats: int) -> None:
    """633a.7(f), (f)(1)-(4), 633a.1 Hole card, 590.7(e)(1)-(4), 590.1, 635a.7(e)(1)-(4), 635a.1."""
    table = Table(game(settings))
    table.start(seats)
    boxes = [box for box in range(1, 8) if seats >> box - 1 & 1]
    plan = [(t.ROLE_OPENING, box) for box in boxes] + [(t.ROLE_DEALER_UP, 0)] + [(t.ROLE_OPENING, box) for box in boxes]
    for i in range(len(plan)):
        assert table.phase == t.PHASE_OPENING and table.lamp(t.LAMP_DEAL_A)
        table.draw(i % 8)
    assert [where[:2] for where in table.where()] == plan
    table.draw(card(8))
    assert table.step[0] == (t.REC_SEALED, t.ROLE_HOLE, 0, 0, 0, card(8), 1)
    assert table.phase == t.PHASE_PLAYERS


@pytest.mark.parametrize("settings", GAMES)
def test_633a_6_c_timing_positions_do_not_change_once_the_round_is_open(settings: dict[str, int]) -> None:
    """633a.6(c) timing, 633a.2(d)(2), 590.6(c), 635a.6(c), reading 51."""
    table = Table(game(settings))
    table.start(0b11)
    assert not table.key(t.KEY_SEATS, 0b111)
    assert table.found(t.IRR_SEAT_CHANGED)
    table.draw(*LOW, CLUBS + 12)
    assert {where[1] for where in table.where()} == {0, 1, 2}


@pytest.mark.parametrize("settings", GAMES)
def test_633a_7_i_turns_run_clockwise_and_each_card_goes_to_the_hand_in_turn(settings: dict[str, int]) -> None:
    """633a.7(i), (j), 590.7(i), 635a.7(i)."""
    table = Table(game(settings))
    table.start(0b101)
    table.draw(card(5), card(6), card(7), card(8), card(4), card(9))
    table.draw(card(2))
    table.keys(t.KEY_NEXT_HAND)
    table.draw(card(3))
    assert [where[:2] for where in table.where()][-2:] == [(t.ROLE_DRAW, 1), (t.ROLE_DRAW, 3)]
    assert ends(table) == [(1, 0, t.HAND_END_STAND)]
    table.keys(t.KEY_NEXT_HAND)
    assert table.phase == t.PHASE_DEALER


@pytest.mark.parametrize("settings", GAMES)
def test_633a_7_k_a_hand_of_21_or_more_gets_no_card(settings: dict[str, int]) -> None:
    """633a.7(k), (k)(1), 590.7(j), (j)(1), 635a.7(j), (j)(1)."""
    table = Table(game(settings))
    table.start(0b111)
    table.draw(0, card(6), card(8), card(7))
    table.draw(CLUBS + 12, card(5), card(8, HEARTS), card(9))
    assert ends(table) == [(1, 0, t.HAND_END_BLACKJACK)]
    table.draw(CLUBS + 11)  # box 2: 21 in three
    assert ends(table)[-1] == (2, 0, t.HAND_END_TWENTY_ONE)
    table.draw(card(9, HEARTS))  # box 3: 25
    assert ends(table)[-1] == (3, 0, t.HAND_END_BUST)
    assert table.phase == t.PHASE_DEALER


@pytest.mark.parametrize("settings", GAMES)
def test_633a_7_k_2_a_double_gets_exactly_one_card(settings: dict[str, int]) -> None:
    """633a.7(k)(2), 633a.10(a), 590.7(j)(2), 590.10(a), (c), 635a.7(j)(2), 635a.10(a) one card."""
    table = Table(game(settings))
    table.start(0b11)
    table.draw(card(5), card(6), card(7), card(6), card(4), card(9))
    table.keys(t.KEY_DOUBLE)
    assert not table.key(t.KEY_NEXT_HAND) and not table.key(t.KEY_DOUBLE)
    table.draw(card(2))
    assert table.where()[-1][:2] == (t.ROLE_DOUBLE_DRAW, 1)
    assert ends(table) == [(1, 0, t.HAND_END_DOUBLED)]
    table.draw(card(3))
    assert table.where()[-1][:2] == (t.ROLE_DRAW, 2)


@pytest.mark.parametrize("settings", GAMES)
def test_633a_10_a_no_double_on_three_cards(settings: dict[str, int]) -> None:
    """633a.10(a), 590.10(a), 635a.10(a) cards: in Spanish 21 on any number of cards."""
    table = dealt(card(3), card(9), card(4), card(8), **settings)
    table.draw(card(2))
    assert table.key(t.KEY_DOUBLE) is (settings.get("game") == t.GAME_SPANISH_21)


def test_633a_10_c_a_double_card_may_lie_face_down() -> None:
    """633a.10(c): sealed until the round ends; whether it busts is not shown before."""
    table = dealt(card(9), card(9), card(7), card(8), options=1)
    table.keys(t.KEY_DOUBLE)
    table.draw(card(9, HEARTS))
    assert table.step == [
        (t.REC_SEALED, t.ROLE_DOUBLE_DRAW, 1, 0, 0, card(9, HEARTS), 1),
        (t.REC_HAND_ENDED, 1, 0, t.HAND_END_DOUBLED),
    ]
    table.keys(t.KEY_REVEAL, t.KEY_END_ROUND)
    assert [event[2] for event in table.of_kind(t.REC_OPENED)] == [t.ROLE_HOLE, t.ROLE_DOUBLE_DRAW]


def test_633a_9_a_surrender_only_as_the_first_decision_on_two_cards() -> None:
    """633a.9(a) option: the shoe records it; the money is the host's."""
    table = dealt(card(10), card(9), card(9), card(6), card(9, HEARTS), card(5), seats=3)
    table.keys(t.KEY_SURRENDER)
    assert ends(table) == [(1, 0, t.HAND_END_SURRENDERED)]
    table.draw(card(3))
    assert not table.key(t.KEY_SURRENDER)


@pytest.mark.parametrize("settings", GAMES)
@pytest.mark.parametrize(
    "pair, may", [((CLUBS + 12, HEARTS + 10), True), ((0, HEARTS), True), ((card(4), card(5)), False)]
)
def test_633a_11_a_two_cards_of_equal_value_may_be_split(
    settings: dict[str, int], pair: tuple[int, int], may: bool
) -> None:
    """633a.11(a), 590.11(a), 635a.11(a)."""
    table = dealt(pair[0], card(9), pair[1], card(8), **settings)
    assert table.key(t.KEY_SPLIT) is may


@pytest.mark.parametrize("settings", GAMES)
def test_633a_11_b_the_leftmost_unfinished_hand_is_completed_first(settings: dict[str, int]) -> None:
    """633a.11(b), 590.11(c) order, 635a.11(b): hand 0 splits again before hand 1 gets its second card."""
    table = dealt(card(8), card(9), card(8, HEARTS), card(7), **settings)
    table.keys(t.KEY_SPLIT)
    table.draw(card(8, CLUBS))
    table.keys(t.KEY_SPLIT)
    table.draw(card(3))
    table.keys(t.KEY_NEXT_HAND)
    table.draw(card(4))
    table.keys(t.KEY_NEXT_HAND)
    table.draw(card(5))
    assert [event[1:] for event in table.of_kind(t.REC_SPLIT)] == [(1, 0, 1), (1, 0, 2)]
    seconds = [where for where in table.where() if where[0] == t.ROLE_SPLIT_SECOND]
    assert [where[2] for where in seconds] == [0, 0, 2, 1]


@pytest.mark.parametrize("settings", GAMES)
@pytest.mark.parametrize("limit", range(4))
def test_633a_11_c_resplits_up_to_the_configured_number(settings: dict[str, int], limit: int) -> None:
    """633a.11(c) resplits, 590.11(d) limit, 635a.11(c) resplits: at most four hands."""
    table = dealt(0, card(9), HEARTS, card(7), max_splits=limit, **settings)
    for i in range(limit):
        table.keys(t.KEY_SPLIT)
        table.draw(CLUBS if i % 2 else 13)
    assert not table.key(t.KEY_SPLIT)
    assert len([hand for hand in table.dealing.st.hands if hand.box == 1]) == limit + 1


def test_633a_1_blackjack_an_ace_and_a_ten_after_a_split_is_21() -> None:
    """633a.1 Blackjack, reading 55."""
    table = dealt(0, card(9), HEARTS, card(7))
    table.keys(t.KEY_SPLIT)
    table.draw(CLUBS + 12)
    assert ends(table) == [(1, 0, t.HAND_END_TWENTY_ONE)]


@pytest.mark.parametrize("settings", GAMES)
def test_633a_7_l_the_hole_card_is_turned_after_all_players(settings: dict[str, int]) -> None:
    """633a.7(l), 590.7(k), 635a.7(k)."""
    table = Table(game(settings))
    table.start(1)
    table.draw(card(5), card(6), card(7), card(8))
    assert not table.key(t.KEY_REVEAL)
    table.keys(t.KEY_NEXT_HAND)
    assert table.phase == t.PHASE_DEALER and not table.lamp(t.LAMP_DEAL_A)
    table.keys(t.KEY_REVEAL)
    assert table.kinds() == [t.REC_REVEALED, t.REC_OPENED] and table.step[1][5] == card(8)
    assert table.lamp(t.LAMP_DEAL_A)


@pytest.mark.parametrize("settings", GAMES)
@pytest.mark.parametrize(
    "up, hole, draws",
    [
        (card(9), card(8), ()),
        (card(9), card(7), (card(2),)),
        (0, card(6), ()),
        (0, card(5), (CLUBS + 12, card(2))),
        (card(2), card(3), (card(4), card(5), card(2, HEARTS), card(7))),
        (CLUBS + 12, card(6), (CLUBS + 11,)),
    ],
)
def test_633a_7_m_the_dealer_draws_to_hard_or_soft_17(
    settings: dict[str, int], up: int, hole: int, draws: tuple[int, ...]
) -> None:
    """633a.7(m), 590.7(l), 635a.7(l)."""
    table = Table(game(settings))
    table.start(1)
    table.draw(card(9, HEARTS), up, card(8, HEARTS), hole)
    table.keys(t.KEY_NEXT_HAND, t.KEY_REVEAL)
    for each in draws:
        assert table.phase == t.PHASE_DEALER
        table.draw(each)
        assert table.where()[-1] == (t.ROLE_DEALER_DRAW, 0, 0, each)
    assert table.phase == t.PHASE_SETTLING
    table.keys(t.KEY_END_ROUND)
    assert not table.found(t.IRR_DEALER_SHORT)


def test_633a_7_m_a_dealer_who_stops_short_is_recorded() -> None:
    table = dealt(card(9, HEARTS), card(9), card(8, HEARTS), card(7))
    table.keys(t.KEY_NEXT_HAND, t.KEY_REVEAL, t.KEY_END_ROUND)
    assert table.found(t.IRR_DEALER_SHORT)[-1][5] == 16
    assert table.of_kind(t.REC_ROUND_CLOSED) == [(t.REC_ROUND_CLOSED, 1, 0, 16)]


def test_633a_7_l_a_hole_card_that_was_never_turned_is_recorded_and_opened() -> None:
    table = dealt(card(9, HEARTS), card(9), card(8, HEARTS), card(8))
    table.keys(t.KEY_NEXT_HAND, t.KEY_END_ROUND)
    assert table.found(t.IRR_HOLE_NOT_REVEALED) and t.REC_OPENED in table.kinds()


@pytest.mark.parametrize("settings", GAMES)
@pytest.mark.parametrize("revealed", [False, True])
def test_633a_7_n_no_draw_is_owed_when_no_hand_waits_for_the_total(settings: dict[str, int], revealed: bool) -> None:
    """633a.7(n), 590.7(m), 635a.7(m), reading 21: drawing on is not an error either."""
    table = dealt(card(9, HEARTS), card(9), card(7, HEARTS), card(4), **settings)
    table.draw(CLUBS + 12)
    assert table.phase == t.PHASE_SETTLING
    if revealed:
        table.keys(t.KEY_REVEAL)
        table.draw(card(6))
        assert table.where()[-1][:2] == (t.ROLE_DEALER_DRAW, 0)
    table.keys(t.KEY_END_ROUND)
    assert not table.codes()


@pytest.mark.parametrize("settings", GAMES)
def test_633a_7_h_a_dealer_blackjack_ends_the_deal(settings: dict[str, int]) -> None:
    """633a.7(h) result, 590.7(g), 635a.7(g): no more cards; the dealer turns his hole card."""
    table = dealt(card(9, HEARTS), CLUBS + 12, card(7, HEARTS), 0, options=OPTION_READER, **settings)
    events = table.peek(0)
    assert events == [(t.REC_PEEK, t.PEEK_BLACKJACK), (t.REC_HAND_ENDED, 1, 0, t.HAND_END_DEALER_BLACKJACK)]
    assert table.phase == t.PHASE_DEALER and not table.lamp(t.LAMP_DEAL_A)
    table.keys(t.KEY_REVEAL)
    assert table.phase == t.PHASE_SETTLING
    table.keys(t.KEY_END_ROUND)
    assert table.step == [(t.REC_ROUND_CLOSED, 1, 0, 21)]


def test_633a_7_i_a_key_without_meaning_changes_nothing_and_does_not_flood() -> None:
    table = dealt(card(9, HEARTS), card(9))
    for _ in range(20):
        assert not table.key(t.KEY_SPLIT)
    assert len(table.found(t.IRR_WRONG_KEY)) == 3
    assert table.phase == t.PHASE_OPENING
