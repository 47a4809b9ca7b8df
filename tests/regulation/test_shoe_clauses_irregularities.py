"""633a.14 and its twins 590.13 and 635a.13: what goes wrong and how the round goes on. Names are clause ids."""

from __future__ import annotations

import pytest
from dealing_table import CLUBS, HEARTS, Table, card, config, double_shoe
from shoe import wire_table as t

GAMES = ({}, {"game": t.GAME_FREE_BET, "positions": 6}, {"game": t.GAME_SPANISH_21})


def started(seats: int, *cards: int, **settings: int) -> Table:
    table = Table(config(**settings))
    table.start(seats)
    table.draw(*cards)
    return table


def ends(table: Table) -> list[tuple[int, int, int]]:
    return [event[1:] for event in table.of_kind(t.REC_HAND_ENDED)]


@pytest.mark.parametrize("settings", GAMES)
def test_633a_14_a_a_face_up_card_is_not_used(settings: dict[str, int]) -> None:
    """633a.14(a), 590.13(a), 635a.13(a) one, reading 36: skipped, not a fault, the next card takes its place."""
    table = started(1, card(5), **settings)
    table.blank()
    assert table.step == [(t.REC_IRREGULARITY, t.IRR_FACE_UP_CARD, 0, 0, 0, 1)]
    assert not table.dealing.faults and table.dealing.drawn(0) == 3
    table.draw(card(6))
    assert table.where()[-1][:2] == (t.ROLE_DEALER_UP, 0)


@pytest.mark.parametrize("settings", GAMES)
def test_633a_14_b_a_card_drawn_in_error_unexposed_is_the_next_card(settings: dict[str, int]) -> None:
    """633a.14(b), 590.13(b), 635a.13(c)."""
    table = Table(config(**settings))
    table.keys((t.KEY_LOAD, 0))
    table.draw(card(2), card(7))
    assert table.step[0] == (t.REC_SEALED, t.ROLE_HELD, t.POSITION_TABLE, 0, 0, card(7), 1)
    assert table.codes() == [t.IRR_DRAWN_IN_ERROR]
    table.open_round(0b11)
    opened = table.of_kind(t.REC_OPENED)
    assert len(opened) == 1 and opened[0][2:6] == (t.ROLE_OPENING, 1, 0, card(7))
    table.draw(card(8))
    assert table.where()[-1][:2] == (t.ROLE_OPENING, 2)


def test_633a_14_b_the_next_card_stays_face_down_when_it_is_burned() -> None:
    table = Table()
    table.keys((t.KEY_LOAD, 0))
    table.draw(card(2), card(7))
    table.keys(t.KEY_NEW_DEALER)
    assert table.step[-1][0] == t.REC_MOVED and table.step[-1][2:] == (t.ROLE_BURN, t.POSITION_RACK, 0)
    assert not table.of_kind(t.REC_OPENED) and table.phase == t.PHASE_READY


def test_633a_14_b_the_next_card_of_a_double_shoe_is_the_determinant() -> None:
    table = Table(double_shoe())
    table.keys((t.KEY_LOAD, 0), (t.KEY_LOAD, 1))
    table.draw(card(7, HEARTS), head=1)
    table.open_round(1)
    assert table.of_kind(t.REC_OPENED)[0][2:6] == (t.ROLE_DETERMINANT_ASIDE, t.POSITION_SEGREGATED, 0, card(7, HEARTS))
    assert table.of_kind(t.REC_SIDE_CHOSEN) == [(t.REC_SIDE_CHOSEN, 0)]


def exposed(**settings: int) -> Table:
    """Two boxes after the deal; a card that nobody wanted came out for box 1 and was seen."""
    table = started(0b11, card(5), card(6), card(6), card(7), card(8), card(9), **settings)
    table.draw(card(2))
    table.keys((t.KEY_HOLD, 1))
    assert [event[0] for event in table.step] == [t.REC_MOVED, t.REC_IRREGULARITY]
    assert table.codes() == [t.IRR_DRAWN_IN_ERROR_EXPOSED]
    return table


@pytest.mark.parametrize("settings", GAMES)
def test_633a_14_c_use_the_exposed_card_goes_to_the_next_hand_that_wants_it(settings: dict[str, int]) -> None:
    """633a.14(c) use and refusal, 590.13(c), 635a.13(d), reading 40."""
    table = exposed(**settings)
    table.keys((t.KEY_DISCARD, 1))
    assert table.codes()[-1] == t.IRR_CARD_REFUSED
    assert ends(table) == [(1, 0, t.HAND_END_STAND)]
    table.keys(t.KEY_DEAL)
    assert table.step[0][0] == t.REC_MOVED and table.step[0][2:] == (t.ROLE_DRAW, 2, 0)
    assert len(table.dealing.st.hands[1].cards) == 3


def test_633a_14_c_use_the_hand_in_turn_may_take_it_itself_and_the_next_card_is_the_one_after() -> None:
    table = exposed()
    table.draw(card(3))
    assert [event[0] for event in table.step] == [t.REC_MOVED, t.REC_CARD]
    assert len(table.dealing.st.hands[0].cards) == 4


def test_633a_14_c_use_the_dealer_takes_it_when_he_must_draw() -> None:
    table = exposed()
    table.keys((t.KEY_DISCARD, 1), t.KEY_NEXT_HAND, t.KEY_REVEAL)
    assert table.step[-1][0] == t.REC_MOVED and table.step[-1][2:] == (t.ROLE_DEALER_DRAW, 0, 0)


def test_633a_14_c_discard_when_nobody_can_use_it() -> None:
    table = started(1, card(5), card(9), card(7), card(8))
    table.draw(card(2))
    table.keys((t.KEY_HOLD, 1), (t.KEY_DISCARD, 1), t.KEY_REVEAL)
    assert table.phase == t.PHASE_SETTLING
    table.keys(t.KEY_END_ROUND)
    assert t.IRR_CARD_DISCARDED in table.codes(table.step)
    assert [event[2:] for event in table.of_kind(t.REC_MOVED)][-1] == (t.ROLE_DISCARDED, t.POSITION_RACK, 0)


def test_633a_14_c_a_card_that_busted_the_hand_in_error_brings_it_back() -> None:
    table = started(1, card(10), card(9), card(7), card(8))
    table.draw(card(10, HEARTS))
    assert ends(table) == [(1, 0, t.HAND_END_BUST)]
    table.keys((t.KEY_HOLD, 1))
    assert table.phase == t.PHASE_PLAYERS and len(table.dealing.st.hands[0].cards) == 2


@pytest.mark.parametrize("settings", GAMES)
@pytest.mark.parametrize("hole", [card(8), CLUBS + 12])
def test_633a_14_d_a_card_the_dealer_draws_on_17_or_more_is_discarded(settings: dict[str, int], hole: int) -> None:
    """633a.14(d), 590.13(d), 635a.13(e), reading 41: any standing total."""
    table = started(1, card(9, HEARTS), card(9), card(8, HEARTS), hole, **settings)
    table.keys(t.KEY_NEXT_HAND, t.KEY_REVEAL)
    table.draw(card(2))
    assert table.codes(table.step) == [t.IRR_DEALER_DREW_ON_17]
    assert table.where()[-1] == (t.ROLE_DISCARDED, t.POSITION_RACK, 0, card(2))
    table.keys(t.KEY_END_ROUND)


def test_633a_14_d_cards_drawn_before_the_hole_card_was_turned_are_discarded_when_it_stood() -> None:
    table = started(1, card(9, HEARTS), card(9), card(8, HEARTS), card(8))
    table.keys(t.KEY_NEXT_HAND)
    table.draw(card(5))
    table.keys(t.KEY_REVEAL)
    assert table.step[-1][0] == t.REC_MOVED and table.step[-1][2] == t.ROLE_DISCARDED
    assert table.phase == t.PHASE_SETTLING


@pytest.mark.parametrize("settings", GAMES)
@pytest.mark.parametrize("noticed", [0, 1, 2])
def test_633a_14_e_the_dealer_takes_his_missed_first_card_after_the_players(
    settings: dict[str, int], noticed: int
) -> None:
    """633a.14(e), 590.13(e), 635a.13(f), reading 42: the first late card is the up card, the second the hole card."""
    table = started(0b11, card(5), card(6), **settings)
    table.draw(*(card(7), card(8))[:noticed])
    table.keys(t.KEY_MISSED_DEALER)
    table.draw(*(card(7), card(8))[noticed:], card(9), card(4))
    assert [hand.cards for hand in table.dealing.st.hands] == [[card(5), card(7)], [card(6), card(8)]]
    assert table.dealing.st.dealer.cards == [card(9), 63] and table.phase == t.PHASE_PLAYERS
    assert table.found(t.IRR_DEALER_MISSED_CARD)[0][5] == 1


def test_633a_14_e_a_missed_hole_card_is_taken_late_and_the_card_that_lay_there_stays_sealed() -> None:
    table = started(1, card(5), card(6), card(7), card(3))
    table.keys(t.KEY_MISSED_DEALER)
    assert table.phase == t.PHASE_OPENING and not table.of_kind(t.REC_OPENED)
    table.draw(card(9))
    assert table.dealing.st.hands[0].cards == [card(5), card(7), 63] and table.phase == t.PHASE_PLAYERS
    table.keys(t.KEY_NEXT_HAND, t.KEY_REVEAL, t.KEY_END_ROUND)
    assert [event[5] for event in table.of_kind(t.REC_OPENED)] == [card(9), card(3)]


@pytest.mark.parametrize("settings", GAMES)
def test_633a_14_f_too_few_cards_the_rack_comes_back_one_is_burned_and_the_round_goes_on(
    settings: dict[str, int],
) -> None:
    """633a.14(f) reshuffle and burn, 590.13(f), 635a.13(g), reading 35."""
    table = Table(config(**{"decks": 1, **settings} if "game" not in settings else settings))
    table.keys((t.KEY_LOAD, 0))
    table.draw(card(2))
    table.open_round(1)
    table.draw(card(5), card(9), card(6), card(8))
    table.keys((t.KEY_REFILL, 0))
    assert table.codes() == [t.IRR_TOO_FEW_CARDS]
    assert table.of_kind(t.REC_REFILLED) == [(t.REC_REFILLED, 0, 1)]  # the burn card; the four on the table stay out
    assert table.phase == t.PHASE_BURNING and table.dealing.drawn(0) == 4
    table.draw(card(2))
    assert table.step[0][:3] == (t.REC_SEALED, t.ROLE_BURN, t.POSITION_RACK)
    table.draw(card(3))
    assert table.where()[-1][:2] == (t.ROLE_DRAW, 1)
    table.keys(t.KEY_NEXT_HAND, t.KEY_REVEAL, t.KEY_END_ROUND)
    assert not table.dealing.faults and table.phase == t.PHASE_READY
    assert table.key(t.KEY_CLOSE_SHOE) and not table.found(t.IRR_EXTRA_CARD)  # both burns were the same card


def test_633a_14_f_a_copy_on_the_table_that_comes_again_is_one_too_many() -> None:
    table = started(1, card(5), card(9), card(6), card(8), decks=1)
    table.keys((t.KEY_REFILL, 0))
    table.draw(card(3), card(9))
    assert table.dealing.faults == [t.FAULT_EXTRA_CARD]


@pytest.mark.parametrize("settings", GAMES)
def test_633a_14_g_none_a_hand_without_cards_is_dead(settings: dict[str, int]) -> None:
    """633a.14(g) none, 590.13(g), 635a.13(h)."""
    table = started(0b111, card(5), **settings)
    table.keys((t.KEY_NO_CARD, 2))
    assert table.codes() == [t.IRR_HAND_WITHOUT_CARDS] and ends(table) == [(2, 0, t.HAND_END_DEAD)]
    table.draw(card(6), card(7), card(8), card(9), card(4))
    assert [where[1] for where in table.where()] == [1, 3, 0, 1, 3] and table.phase == t.PHASE_PLAYERS


@pytest.mark.parametrize("settings", GAMES)
@pytest.mark.parametrize("wants", [True, False])
def test_633a_14_g_one_a_hand_with_one_card_gets_its_second_after_everybody(
    settings: dict[str, int], wants: bool
) -> None:
    """633a.14(g) one, 590.13(g), 635a.13(h), reading 43: before the hole card; refusing kills the hand."""
    table = started(0b11, card(5), card(6), card(7), **settings)
    table.keys((t.KEY_NO_CARD, 1))
    table.draw(card(8))
    assert table.where()[-1][1] == 2
    if wants:
        table.draw(card(9))
        assert table.where()[-1][:2] == (t.ROLE_LATE, 1)
    else:
        table.keys((t.KEY_NO_CARD, 1))
        assert ends(table) == [(1, 0, t.HAND_END_DEAD)]
    table.draw(card(4))
    assert table.step[0][:2] == (t.REC_SEALED, t.ROLE_HOLE) and table.phase == t.PHASE_PLAYERS


def test_633a_14_g_one_a_skip_noticed_late_moves_the_cards_to_whom_they_were_dealt() -> None:
    """Box 2 was skipped in the first pass and it is noticed in the second: each card lies one place on."""
    table = started(0b111, card(5), card(6), card(7), card(8))
    table.keys((t.KEY_NO_CARD, 2 + 16))
    st = table.dealing.st
    assert [hand.cards for hand in st.hands] == [[card(5), card(8)], [], [card(6)]] and st.dealer.cards == [card(7)]
    table.draw(card(9), card(4), card(3), card(2))
    assert [where[:2] for where in table.where()][-3:] == [(t.ROLE_OPENING, 2), (t.ROLE_OPENING, 3), (t.ROLE_LATE, 2)]


@pytest.mark.parametrize("settings", GAMES)
def test_633a_14_i_a_missed_card_comes_late_before_the_hole_card_shows(settings: dict[str, int]) -> None:
    """633a.14(i), 590.13(h), 635a.13(i)."""
    table = started(0b11, card(5), card(6), card(6), card(7), card(8), card(9), **settings)
    table.keys(t.KEY_NEXT_HAND, (t.KEY_MISSED, 1))
    assert table.codes() == [t.IRR_MISSED_CARD]
    table.draw(card(2))
    assert table.where()[-1][:2] == (t.ROLE_DRAW, 2)
    table.keys(t.KEY_NEXT_HAND)
    assert table.phase == t.PHASE_PLAYERS and not table.key(t.KEY_REVEAL)
    table.draw(card(4))
    assert table.where()[-1][:2] == (t.ROLE_LATE, 1) and ends(table) == [(1, 0, 0), (2, 0, 0)]
    table.keys(t.KEY_NEXT_HAND, t.KEY_REVEAL)
    assert ends(table)[-1] == (1, 0, t.HAND_END_STAND) and not table.key(t.KEY_MISSED, 1)


@pytest.mark.parametrize("settings", GAMES)
def test_633a_7_k_a_hand_draws_on_after_its_late_card_while_it_counts_less_than_21(settings: dict[str, int]) -> None:
    """633a.7(k) with .14(i), 590.7(j), 635a.7(j): 5 and 7, the late 3, then as many as its player asks for."""
    table = started(0b1, card(5), card(6), card(7), card(9), **settings)
    table.keys((t.KEY_MISSED, 1))
    table.draw(card(3), card(2))
    assert [where[:2] for where in table.where()[-2:]] == [(t.ROLE_LATE, 1), (t.ROLE_DRAW, 1)]
    assert table.phase == t.PHASE_PLAYERS and not table.key(t.KEY_REVEAL)
    table.draw(card(4))  # 21
    assert ends(table) == [(1, 0, t.HAND_END_TWENTY_ONE)] and table.phase == t.PHASE_DEALER


def test_633a_14_i_who_is_missed_again_waits_behind_the_others_that_wait() -> None:
    """Boxes 1 and 2 wait; 1 gets its card, asks for another and is missed: that one comes after box 2's."""
    table = started(0b11, card(5), card(6), card(6), card(7), card(8), card(9))
    table.keys((t.KEY_MISSED, 1), (t.KEY_MISSED, 2))
    table.draw(card(2))
    table.keys((t.KEY_MISSED, 1))
    table.draw(card(3))
    table.keys(t.KEY_NEXT_HAND)
    table.draw(card(4))
    assert [where[:2] for where in table.where()[-3:]] == [(t.ROLE_LATE, 1), (t.ROLE_LATE, 2), (t.ROLE_LATE, 1)]


def test_633a_14_b_a_card_drawn_on_after_the_late_one_may_be_set_aside_and_the_late_one_stays() -> None:
    table = started(0b1, card(5), card(6), card(7), card(9))
    table.keys((t.KEY_MISSED, 1))
    table.draw(card(3), card(2))
    table.keys((t.KEY_HOLD, 0), t.KEY_NEXT_HAND)
    assert ends(table) == [(1, 0, t.HAND_END_STAND)] and len(table.dealing.st.hands[0].cards) == 3


def test_633a_14_b_a_late_card_that_was_drawn_in_error_leaves_one_due() -> None:
    table = started(0b11, card(5), card(6), card(6), card(7), card(8), card(9))
    table.keys((t.KEY_MISSED, 1), (t.KEY_MISSED, 2))
    table.draw(card(3))
    table.keys((t.KEY_HOLD, 0))  # it is the next card, and the next one is box 1's late card
    assert table.where()[-1][:2] == (t.ROLE_LATE, 1) and table.dealing.turn().box == 1


def test_635a_10_a_a_hand_doubles_after_its_late_card() -> None:
    """635a.10(a): on any number of cards; one card comes."""
    table = started(0b1, card(5), card(6), card(4), card(9), game=t.GAME_SPANISH_21)
    table.keys((t.KEY_MISSED, 1))
    table.draw(card(2))
    table.keys(t.KEY_DOUBLE)
    table.draw(card(9, CLUBS))
    assert ends(table) == [(1, 0, t.HAND_END_DOUBLED)] and table.phase == t.PHASE_DEALER


def test_633a_14_i_the_player_may_have_a_dead_hand_instead() -> None:
    table = started(0b11, card(5), card(6), card(6), card(7), card(8), card(9))
    table.keys(t.KEY_NEXT_HAND, (t.KEY_MISSED, 1), (t.KEY_NO_CARD, 1), t.KEY_NEXT_HAND)
    assert ends(table) == [(1, 0, 0), (1, 0, t.HAND_END_DEAD), (2, 0, 0)] and table.phase == t.PHASE_DEALER


def test_633a_14_j_1_the_floorperson_may_void_a_round() -> None:
    """633a.14(j)(1): that the reader shows the hole card to a player is for people to see; the key voids the round."""
    table = started(1, card(5), card(6), card(6), card(7))
    table.keys(t.KEY_VOID_ROUND)
    assert table.of_kind(t.REC_ROUND_CLOSED) == [(t.REC_ROUND_CLOSED, 1, t.ROUND_END_VOID, 0)]
    assert table.phase == t.PHASE_READY


@pytest.mark.parametrize("settings", GAMES)
@pytest.mark.parametrize(
    "kind, fault",
    [(t.PASS_DOUBLE_FEED, t.FAULT_DOUBLE_FEED), (t.PASS_UNREADABLE, t.FAULT_UNREADABLE)],
)
def test_633a_14_l_what_cannot_be_read_stops_the_game_and_survives_in_the_records(
    settings: dict[str, int], kind: int, fault: int
) -> None:
    """633a.14(l), 590.13(k), 635a.13(l): the shuffler's jam is for people; the reshuffle is key reshuffle and load."""
    table = started(1, card(5), **settings)
    table.send(kind)
    assert table.dealing.faults == [fault]
    table.keys((t.KEY_SUPERVISOR, t.CLEAR_CARD_UNKNOWN))
    assert [where[3] for where in table.where()][1:] == [63] * (2 if kind == t.PASS_DOUBLE_FEED else 1)


@pytest.mark.parametrize(
    "reason, fault",
    [
        (t.UNREADABLE_DIRTY, t.FAULT_HEAD_DIRTY),
        (t.UNREADABLE_STUCK, t.FAULT_HEAD_STUCK),
        (t.UNREADABLE_SATURATED, t.FAULT_HEAD_SATURATED),
    ],
)
def test_a_blocked_head_is_a_named_fault_once(reason: int, fault: int) -> None:
    table = started(1, card(5))
    for _ in range(3):
        table.send(t.PASS_BLOCKED, reason=reason)
    assert table.of_kind(t.REC_FAULT) == [(t.REC_FAULT, fault, 0, reason)]
    table.keys((t.KEY_SUPERVISOR, t.CLEAR_RESUME))
    assert not table.dealing.faults


def test_a_pull_back_is_no_card() -> None:
    table = started(1, card(5))
    table.send(t.PASS_PULL_BACK)
    assert table.codes() == [t.IRR_PULLED_BACK] and table.dealing.drawn(0) == 2
