"""Clauses about the shoe itself: batches, loading, burn cards, cover card, reshuffle, counts. Names are clause ids."""

from __future__ import annotations

import pytest
from dealing_table import CLUBS, HEARTS, Table, card, config
from shoe import wire_table as t

GAMES = ({}, {"game": t.GAME_FREE_BET, "positions": 6}, {"game": t.GAME_SPANISH_21})
ROUND = (CLUBS + 12, card(9), card(9, HEARTS), card(8, CLUBS))  # one box 19, dealer 17


def loaded(**settings: int) -> Table:
    table = Table(config(**settings))
    table.keys((t.KEY_LOAD, 0))
    return table


@pytest.mark.parametrize("settings", GAMES[:2])
@pytest.mark.parametrize("decks", range(1, 9))
def test_633a_3_a_a_copy_more_than_the_decks_hold_stops_the_game(settings: dict[str, int], decks: int) -> None:
    """633a.3(a), 590.3(a)."""
    table = loaded(decks=decks, **settings)
    table.draw(card(3))
    for _ in range(decks):
        table.open_round(1)
        table.draw(card(10), card(9), card(9, HEARTS), card(8, CLUBS))
        table.keys(t.KEY_VOID_ROUND)
    assert t.FAULT_EXTRA_CARD not in table.dealing.faults
    table.open_round(1)
    table.draw(card(10))
    assert table.dealing.faults == [t.FAULT_EXTRA_CARD]
    assert table.found(t.IRR_EXTRA_CARD)[-1][5] == card(10)
    assert table.lamp(t.LAMP_STOP) and not table.key(t.KEY_NEXT_HAND)


@pytest.mark.parametrize("settings", GAMES)
def test_633a_3_b_two_batches_alternate_strictly_and_the_other_is_foreign(settings: dict[str, int]) -> None:
    """633a.3(b)(1), 633a.3(b)(2), 633a.3(b)(3), 633a.3(b)(4); 590.3(b)(1), 590.3(b)(2), 590.3(b)(3), 590.3(b)(4);
    635a.3(d)(1), 635a.3(d)(2), 635a.3(d)(3), 635a.3(d)(4)."""
    table = loaded(options=8, **settings)
    seen = []
    for _ in range(4):
        seen.append(table.dealing.batches(0)[0])
        table.send(t.PASS_CARD, 5, batch=seen[-1])
        assert table.phase == t.PHASE_READY
        table.send(t.PASS_CARD, 6, batch=3 - seen[-1])
        assert table.dealing.faults == [t.FAULT_FOREIGN_BATCH]
        table.keys((t.KEY_SUPERVISOR, t.CLEAR_CARD_REMOVED), (t.KEY_RESHUFFLE, 0), (t.KEY_LOAD, 0))
    assert seen == [1, 2, 1, 2]
    assert [event[4] for event in table.of_kind(t.REC_SHOE_OPENED)] == [1, 2, 1, 2, 1]


def test_633a_3_c_backs_a_foreign_card_is_named_and_taken_out() -> None:
    """633a.3(c) backs; the place it came for stays open."""
    table = loaded()
    table.draw(card(2))
    table.open_round(1)
    table.send(t.PASS_FOREIGN_BATCH, card(5), batch=9)
    assert table.dealing.faults == [t.FAULT_FOREIGN_BATCH] and table.found(t.IRR_FOREIGN_BATCH)
    table.keys((t.KEY_SUPERVISOR, t.CLEAR_CARD_REMOVED))
    table.draw(card(5))
    assert table.where()[-1] == (t.ROLE_OPENING, 1, 0, card(5))


@pytest.mark.parametrize("settings", GAMES)
def test_633a_3_e_values_decide_when_a_hand_ends_by_itself(settings: dict[str, int]) -> None:
    """633a.3(e)(1)-(3), 590.3(d)(1)-(3), 635a.3(c)(1)-(3)."""
    tens = () if settings.get("game") == t.GAME_SPANISH_21 else (card(10), card(10, HEARTS))
    for tenner in (*tens, CLUBS + 10, CLUBS + 11, CLUBS + 12):
        table = Table(config(**settings))
        table.start(1)
        table.draw(0, card(9), tenner, card(8))
        assert table.of_kind(t.REC_HAND_ENDED) == [(t.REC_HAND_ENDED, 1, 0, t.HAND_END_BLACKJACK)]
    table = Table(config(**settings))
    table.start(1)
    table.draw(0, card(9), card(9), card(8))  # soft 20
    table.draw(card(5, HEARTS))  # ace counts 1: 15
    assert not table.of_kind(t.REC_HAND_ENDED)
    table.draw(card(6, HEARTS))
    assert table.of_kind(t.REC_HAND_ENDED)[-1][3] == t.HAND_END_TWENTY_ONE


@pytest.mark.parametrize("settings", GAMES)
def test_633a_4_a_a_test_deal_of_known_order_finds_a_misread(settings: dict[str, int]) -> None:
    """633a.4(a), 590.4(a), 635a.4(a): inspection is a person's; the shoe compares a known order."""
    from shoe.dealing.inventory import new_deck_card

    game = settings.get("game", t.GAME_BLACKJACK)
    decks, deck = (6, 48) if game == t.GAME_SPANISH_21 else (1, 52)
    count = decks * deck
    for wrong in (None, 17):
        table = loaded(decks=decks, **settings)
        table.keys((t.KEY_TEST_DEAL, 0))
        for i in range(count):
            table.draw(card(2) if i == wrong else new_deck_card(i, game))
        table.keys((t.KEY_TEST_DEAL, 0))
        verdict = table.of_kind(t.REC_COUNTED)[-1][2:]
        if wrong is None:
            assert verdict == (t.COUNT_VERDICT_COMPLETE, count, count, 63)
        else:
            assert verdict == (t.COUNT_VERDICT_WRONG, count, count, card(2))
            assert table.dealing.faults == [t.FAULT_COUNT_WRONG]
        assert table.phase == t.PHASE_FINISHED


@pytest.mark.parametrize("settings", GAMES)
def test_633a_5_a_no_round_before_a_load_and_none_after_the_shoe(settings: dict[str, int]) -> None:
    """633a.5(a) when, 590.5(a), 635a.5(a)."""
    table = Table(config(**settings))
    assert not table.key(t.KEY_DEAL)
    table.key(t.KEY_SEATS, 1)
    assert not table.key(t.KEY_DEAL) and table.phase == t.PHASE_EMPTY
    table.start(1)
    table.draw(*ROUND)
    table.keys(t.KEY_NEXT_HAND, t.KEY_REVEAL, t.KEY_END_ROUND, t.KEY_CLOSE_SHOE)
    assert not table.key(t.KEY_DEAL) and table.phase == t.PHASE_EMPTY


@pytest.mark.parametrize("settings", GAMES)
@pytest.mark.parametrize("in_round", [False, True])
def test_633a_5_f_the_floorperson_orders_a_reshuffle_after_the_round(settings: dict[str, int], in_round: bool) -> None:
    """633a.5(a) when, 633a.5(f), 590.5(f), 635a.5(f)."""
    table = loaded(**settings)
    table.draw(card(2))
    if in_round:
        table.open_round(1)
        table.draw(*ROUND)
    table.keys((t.KEY_RESHUFFLE, 0))
    assert table.found(t.IRR_ORDERED_RESHUFFLE)
    if in_round:
        assert table.phase == t.PHASE_PLAYERS
        table.keys(t.KEY_NEXT_HAND, t.KEY_REVEAL, t.KEY_END_ROUND)
    assert table.of_kind(t.REC_FINISHED)[-1][1:3] == (0, t.FINISH_ORDERED)
    assert table.phase == t.PHASE_FINISHED and not table.key(t.KEY_DEAL)
    table.keys((t.KEY_LOAD, 0))
    assert table.phase == t.PHASE_BURNING


def test_633a_5_h_a_continuous_shuffler_owes_no_burn_after_later_loads() -> None:
    """633a.5(h), reading 27; its cards return after each round, so no copy is ever one too many."""
    table = loaded(decks=1, options=2)
    assert table.phase == t.PHASE_BURNING
    table.draw(card(2))
    for _ in range(9):
        table.play_round(ROUND)
    assert not table.dealing.faults and table.phase == t.PHASE_READY
    table.keys((t.KEY_RESHUFFLE, 0), (t.KEY_LOAD, 0))
    assert table.phase == t.PHASE_READY


@pytest.mark.parametrize("settings", GAMES)
def test_633a_5_c_2_the_cover_card_says_who_was_to_receive_the_next_card(settings: dict[str, int]) -> None:
    """633a.5(c)(2)-(3), 590.5(c)(2)-(3), 635a.5(c)(2)-(3), readings 32 and 33."""
    for before, box, phase in (
        (0, 2, t.PHASE_OPENING),
        (1, 4, t.PHASE_OPENING),
        (2, 0, t.PHASE_OPENING),
        (5, 0, t.PHASE_OPENING),
        (6, 2, t.PHASE_PLAYERS),
    ):
        table = Table(config(**settings))
        table.start(0b1010)
        table.draw(*(CLUBS + 12, card(9), card(6), card(7), card(8), card(5))[:before])
        table.cover()
        assert table.of_kind(t.REC_COVER_CARD) == [(t.REC_COVER_CARD, 0, phase, box, 1)]


@pytest.mark.parametrize("settings", GAMES)
def test_633a_7_c_batch_first_card_is_burned(settings: dict[str, int]) -> None:
    """633a.7(c) batch, 590.7(c), 635a.7(c)."""
    table = loaded(**settings)
    assert table.phase == t.PHASE_BURNING and table.lamp(t.LAMP_DEAL_A) and not table.lamp(t.LAMP_READY)
    table.draw(card(7))
    assert table.step == [(t.REC_SEALED, t.ROLE_BURN, t.POSITION_RACK, 0, 0, card(7), 1)]
    assert table.phase == t.PHASE_READY and table.lamp(t.LAMP_READY)


def test_633a_7_c_batch_a_round_without_the_burn_card_is_recorded() -> None:
    table = loaded()
    table.open_round(1)
    assert table.found(t.IRR_BURN_MISSING) == [(t.REC_IRREGULARITY, t.IRR_BURN_MISSING, 14, 0, 0, 1)]
    assert table.phase == t.PHASE_OPENING


def test_633a_7_c_dealer_each_new_dealer_burns_one() -> None:
    """633a.7(c) dealer; reading 26: both when both come together."""
    table = loaded()
    table.keys(t.KEY_NEW_DEALER)
    table.draw(card(2))
    assert table.phase == t.PHASE_BURNING
    table.draw(card(3))
    assert table.phase == t.PHASE_READY
    table.play_round(ROUND)
    table.keys(t.KEY_NEW_DEALER)
    table.draw(card(4))
    assert [event[1] for event in table.of_kind(t.REC_SEALED)].count(t.ROLE_BURN) == 3
    table.keys(t.KEY_NEW_DEALER)
    table.open_round(1)
    assert table.found(t.IRR_BURN_MISSING)[-1][5] == 2
    assert not table.key(t.KEY_NEW_DEALER)


@pytest.mark.parametrize("settings", GAMES)
@pytest.mark.parametrize("when", ["burn", "ready", "first card", "opening", "players", "dealer", "settling"])
def test_633a_7_e_cover_card_wherever_it_comes_the_round_is_finished_and_is_the_last(
    settings: dict[str, int], when: str
) -> None:
    """633a.7(e), (e)(3), 590.7(d), 635a.7(d), reading 32."""
    table = loaded(**settings)
    if when == "burn":
        table.cover()
    table.draw(card(2))
    if when == "ready":
        table.cover()
    table.open_round(1)
    steps = {"first card": 0, "opening": 2}
    for i in range(5):
        if steps.get(when) == i:
            table.cover()
        if i < 4:
            table.draw((CLUBS + 12, card(5), card(9, HEARTS), card(8, CLUBS))[i])
    if when == "players":
        table.cover()
    table.keys(t.KEY_NEXT_HAND)
    table.keys(t.KEY_REVEAL)
    if when == "dealer":
        table.cover()
    table.draw(card(6))
    if when == "settling":
        table.cover()
    assert table.lamp(t.LAMP_COVER) and not table.of_kind(t.REC_FINISHED)
    table.keys(t.KEY_END_ROUND)
    assert table.of_kind(t.REC_FINISHED) == [(t.REC_FINISHED, 0, t.FINISH_COVER_CARD, 6)]
    assert table.phase == t.PHASE_FINISHED
    assert not table.key(t.KEY_DEAL) and table.phase == t.PHASE_FINISHED
    table.draw(card(4))
    assert table.found(t.IRR_DRAWN_WHILE_FINISHED)
    table.keys((t.KEY_LOAD, 0))
    assert table.phase == t.PHASE_BURNING


@pytest.mark.parametrize("settings", GAMES[:2])
@pytest.mark.parametrize("lost", [False, True])
def test_633a_7_e_1_the_rest_is_counted_to_prove_that_no_card_is_missing(settings: dict[str, int], lost: bool) -> None:
    """633a.7(e)(1), 590.7(d)(1)-(2)."""
    table = loaded(decks=1, **settings)
    rest = [c for c in range(52) if c not in ROUND and c != card(2)]
    table.draw(card(2))
    table.open_round(1)
    table.cover()
    table.draw(*ROUND)
    table.keys(t.KEY_NEXT_HAND, t.KEY_REVEAL, t.KEY_END_ROUND, (t.KEY_COUNT, 0))
    assert table.phase == t.PHASE_COUNTING
    table.draw(*(rest[1:] if lost else rest))
    table.keys((t.KEY_COUNT, 0))
    verdict = t.COUNT_VERDICT_SHORT if lost else t.COUNT_VERDICT_COMPLETE
    assert table.of_kind(t.REC_COUNTED) == [(t.REC_COUNTED, 0, verdict, 47, 47 - lost, 63)]
    assert table.dealing.faults == ([t.FAULT_COUNT_WRONG] if lost else [])
    table.keys((t.KEY_LOAD, 0))  # another batch settles it
    assert not table.dealing.faults and table.phase == t.PHASE_BURNING


def test_633a_7_a_a_card_passing_while_stopped_belongs_to_no_hand_and_stays_sealed() -> None:
    table = loaded()
    table.send(t.PASS_UNREADABLE, reason=t.UNREADABLE_SHORT)
    assert table.dealing.faults == [t.FAULT_UNREADABLE]
    table.draw(card(7))
    assert table.step[0][:2] == (t.REC_SEALED, t.ROLE_STOPPED) and table.codes(table.step) == [20]
    table.keys((t.KEY_SUPERVISOR, t.CLEAR_REREAD))
    table.draw(card(8))
    assert table.step == [(t.REC_SEALED, t.ROLE_BURN, 14, 0, 0, card(8), 1)]


@pytest.mark.parametrize("how", [t.CLEAR_REREAD, t.CLEAR_CARD_UNKNOWN, t.CLEAR_CARD_REMOVED])
def test_633a_7_a_an_unreadable_card_waits_for_the_supervisor(how: int) -> None:
    table = loaded()
    table.draw(card(2))
    table.open_round(1)
    table.send(t.PASS_UNREADABLE, reason=t.UNREADABLE_CODE)
    assert table.step == [(t.REC_FAULT, t.FAULT_UNREADABLE, 0, t.UNREADABLE_CODE)] and table.lamp(t.LAMP_STOP)
    assert not table.key(t.KEY_SUPERVISOR, t.CLEAR_RESUME)
    table.keys((t.KEY_SUPERVISOR, how))
    hands = [where[:2] for where in table.where()]
    expected = {
        t.CLEAR_REREAD: [],
        t.CLEAR_CARD_UNKNOWN: [(t.ROLE_OPENING, 1)],
        t.CLEAR_CARD_REMOVED: [(t.ROLE_DISCARDED, t.POSITION_NONE)],
    }
    assert hands == expected[how]
    table.draw(card(5))
    assert table.where()[-1][0] == (t.ROLE_DEALER_UP if how == t.CLEAR_CARD_UNKNOWN else t.ROLE_OPENING)


@pytest.mark.parametrize("settings", GAMES)
def test_633a_3_d_and_7_s_every_card_is_recorded_once_in_its_order(settings: dict[str, int]) -> None:
    """633a.3(d) 24 h and 633a.7(s), 590.7(s), 635a.7(q): the history has what the discard rack must show."""
    table = loaded(**settings)
    table.draw(card(2))
    table.play_round(ROUND)
    table.keys(t.KEY_CLOSE_SHOE)
    cards = [event for _, event in table.records if event[0] in (t.REC_CARD, t.REC_SEALED)]
    assert [event[5] for event in cards] == [card(2), *ROUND]
    assert table.of_kind(t.REC_SHOE_CLOSED) == [(t.REC_SHOE_CLOSED, t.FINISH_DAY_END, 1, 5)]
    assert len(table.of_kind(t.REC_OPENED)) == 2 and table.phase == t.PHASE_EMPTY
