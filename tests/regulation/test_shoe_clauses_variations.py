"""633a.12 from the shoe to the verdict: Blackjack Switch, and Blackjack dealt from the hand."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from dealing_table import ACE, CLUBS, HEARTS, KING, QUEEN, Table, card, config
from shoe import wire_table as t
from shoetool.report.sentences import sentence
from shoetool.table.replay import replay
from shoetool.table.round import Round
from shoetool.verify import verify

sys.path.append(str(Path(__file__).resolve().parents[1] / "host"))

from test_dealing_replayed import history


def switch(*cards: int, seats: int = 1, **settings: int) -> Table:
    table = Table(config(game=t.GAME_SWITCH, **settings), 1)
    table.start(seats)
    table.draw(*cards)
    return table


def from_the_hand(one: tuple[int, int], up: int = card(6), hole: int = card(KING), **settings: int) -> Table:
    """Position 1 with these cards, position 2 with 17."""
    table = Table(config(game=t.GAME_FROM_THE_HAND, decks=2, **settings), 1)
    table.start(3)
    table.draw(one[0], card(9, HEARTS), up, one[1], card(8, HEARTS), hole)
    return table


def over(table: Table, *draws: int) -> Round:
    """Turn the hole card, draw, end the round and the day; the round as the host replays it."""
    table.keys(t.KEY_REVEAL)
    table.draw(*draws)
    table.keys(t.KEY_END_ROUND, t.KEY_CLOSE_SHOE)
    rounds = []
    for state, _ in replay(history(table)):
        assert state.anomaly is None
        if state.closed_round is not None:
            rounds.append(state.closed_round)
    assert len(rounds) == 1
    return rounds[0]


def found(table: Table) -> list[tuple[str, str]]:
    return [(finding.clause, finding.verdict) for finding in verify(history(table)).findings]


def ends(round_: Round) -> list[str]:
    return [hand["ended"] for hand in round_.to_json()["hands"]]


BEST = (card(10), card(6, HEARTS), card(6), card(7), card(ACE, HEARTS), card(5, CLUBS))
"""Switch: 10-7 and 6-A against a 6 with a 5 under it; switched it is a 21 and 13."""


@pytest.mark.clause("633a.12(a)(3)", "633a.12(a)(4)", "633a.12(a)(5)(iii)")
def test_two_hands_are_dealt_their_second_cards_change_places_and_the_21_is_plain() -> None:
    table = switch(*BEST)
    table.keys(t.KEY_SWITCH, t.KEY_NEXT_HAND)
    round_ = over(table, card(8))
    assert [[drawn.card for drawn in hand.cards] for hand in round_.boxes[1]] == [
        [card(10), card(ACE, HEARTS)],
        [card(6, HEARTS), card(7)],
    ]
    assert ends(round_) == ["twenty_one", "stand"]
    assert all(hand["switched"] for hand in round_.to_json()["hands"])
    assert found(table) == []


@pytest.mark.clause("633a.12(a)(4)")
def test_the_history_says_in_words_who_switched() -> None:
    table = switch(*BEST)
    table.keys(t.KEY_SWITCH)
    said = [sentence(record) for record in history(table)]
    assert "Position 1 switches the second cards of its two hands." in said


@pytest.mark.clause("633a.12(a)(5)(i)")
def test_a_blackjack_in_switch_waits_for_the_dealers_cards() -> None:
    table = switch(card(KING), card(ACE), card(6), card(ACE, HEARTS), card(QUEEN), card(5))
    assert table.phase == t.PHASE_DEALER
    table.keys(t.KEY_REVEAL, t.KEY_END_ROUND)
    assert table.found(t.IRR_DEALER_SHORT)
    assert ("633a.7(m)", "breach") in found(table)


@pytest.mark.clause("633a.12(a)(3)")
def test_a_hand_of_switch_that_got_its_card_before_its_neighbour_is_a_breach() -> None:
    table = switch(*BEST)
    table.keys(t.KEY_NEXT_HAND, t.KEY_NEXT_HAND)
    over(table, card(8))
    records = history(table)
    first = next(at for at, record in enumerate(records) if record.name == "card")
    swapped = list(records)
    for at, hand in ((first, 1), (first + 1, 0)):
        role, box, _, *rest = records[at].values
        swapped[at] = records[at]._replace(values=(role, box, hand, *rest))
    assert ("633a.12(a)(3)", "breach") in [(one.clause, one.verdict) for one in verify(swapped).findings]


@pytest.mark.clause("633a.12(b)(5)", "633a.12(b)(5)(i)-(iv)", "633a.12(b)(9)")
def test_from_the_hand_players_cards_are_commitments_until_the_end() -> None:
    table = from_the_hand((card(10), card(7)))
    table.keys(t.KEY_NEXT_HAND, t.KEY_NEXT_HAND)
    before = [record for record in history(table) if record.name == "card"]
    assert [record.values[0] for record in before] == [t.ROLE_DEALER_UP]
    round_ = over(table, card(5))
    assert [[drawn.card for drawn in hand.cards] for hand in round_.boxes[1]] == [[card(10), card(7)]]
    assert all(drawn.sealed and drawn.opened > 0 for drawn in round_.boxes[1][0].cards)
    assert found(table) == []


@pytest.mark.clause("633a.12(b)(5)")
def test_from_the_hand_a_round_without_its_burn_card_is_a_breach() -> None:
    table = from_the_hand((card(10), card(7)))
    table.keys(t.KEY_NEXT_HAND, t.KEY_NEXT_HAND, t.KEY_REVEAL)
    table.draw(card(5))
    table.keys(t.KEY_END_ROUND, t.KEY_DEAL, t.KEY_VOID_ROUND, t.KEY_CLOSE_SHOE)
    assert ("633a.12(b)(5)", "breach") in found(table)


@pytest.mark.clause("633a.12(b)(6)(i)", "633a.12(b)(7)")
def test_from_the_hand_a_double_turns_the_two_cards_and_its_card_lies_face_up() -> None:
    table = from_the_hand((card(5), card(6)))
    table.keys(t.KEY_DOUBLE)
    table.draw(card(9))
    table.keys(t.KEY_NEXT_HAND)
    round_ = over(table, card(5))
    doubled = round_.boxes[1][0]
    assert doubled.doubled and not doubled.cards[2].sealed and doubled.total() == (20, False)
    assert found(table) == []


@pytest.mark.clause("633a.12(b)(6)(ii)")
@pytest.mark.parametrize("shown", [True, False])
def test_from_the_hand_who_is_over_21_shows_it_or_is_found_out(shown: bool) -> None:
    table = from_the_hand((card(10), card(7)))
    table.draw(card(8))
    assert table.dealing.turn().box == 1, "the shoe does not say so"
    table.keys(t.KEY_TURN_UP if shown else t.KEY_NEXT_HAND, t.KEY_NEXT_HAND)
    round_ = over(table, card(5))
    assert ends(round_) == ["bust" if shown else "stand", "stand"]
    assert (("633a.12(b)(6)(ii)", "breach") in found(table)) is not shown


@pytest.mark.clause("633a.7(k)(1)")
def test_from_the_hand_a_draw_on_21_is_dealt_and_named_later() -> None:
    table = from_the_hand((card(10), card(ACE)))
    table.draw(card(8))
    table.keys(t.KEY_NEXT_HAND, t.KEY_NEXT_HAND)
    over(table, card(5))
    assert ("633a.7(k)(1)", "breach") in found(table)


@pytest.mark.clause("633a.12(b)(8)")
def test_from_the_hand_the_dealer_draws_for_a_hand_that_nobody_has_seen() -> None:
    table = from_the_hand((card(10), card(ACE)))
    table.keys(t.KEY_NEXT_HAND, t.KEY_NEXT_HAND)
    table.keys(t.KEY_REVEAL)
    assert table.phase == t.PHASE_DEALER
    table.keys(t.KEY_END_ROUND)
    assert ("633a.12(b)(8)", "breach") in found(table)
