"""A countdown without a choice at a hybrid table, and dealer hands that are short: 633c.5(z), (bb)."""

from __future__ import annotations

import pytest
from shoetool.judge import registry as reg
from shoetool.judge import registry_hybrid as own
from shoetool.model.cards import UNKNOWN, card_name
from shoetool.model.protocol_table import Game, HandEnd, Role
from shoetool.model.protocol_table import IrregularityCode as Irr
from shoetool.table.round import Round
from shoetool.table.stream import Stream
from shoetool.verify import BREACH, CANNOT_TELL
from short_shoe import RACK, Short
from verify_cases_hybrid import NoHole


@pytest.mark.parametrize(("draws_to", "breach"), [(0, False), (11, False), (15, False), (16, True), (17, True)])
def test_a_hand_that_the_house_draws_for_does_not_stand_when_the_time_is_up(draws_to: int, breach: bool) -> None:
    """633c.5(z): 16 stands without a choice, at a shoe that was set up to draw up to so much."""
    table = NoHole(draws_to=draws_to)
    table.stand(2)
    table.add("countdown", 1)
    table.stand(1)
    for card in ("2C", "6H"):
        table.shared(card, Role.DEALER_DRAW)
    found = [one for one in table.over().findings() if one.check == own.COUNTDOWN]
    assert [(one.clause, one.verdict) for one in found] == ([("633c.5(z)", BREACH)] if breach else [])


@pytest.mark.parametrize(("draws_to", "breach"), [(0, True), (15, True), (16, False), (20, False)])
def test_a_hand_draws_without_a_choice_only_as_far_as_the_house_said(draws_to: int, breach: bool) -> None:
    table = NoHole(draws_to=draws_to)
    table.stand(2)
    table.add("countdown", 1)
    table.add("hit", 1, 0)
    table.shared("5C")
    table.end_hand(1, HandEnd.TWENTY_ONE)
    for card in ("AS", "6H"):
        table.shared(card, Role.DEALER_DRAW)
    found = [one for one in table.over(18).findings() if one.check == own.COUNTDOWN]
    assert [(one.clause, one.verdict) for one in found] == ([("633c.5(z)", BREACH)] if breach else [])


def test_a_short_hand_of_the_dealers_is_told_with_what_the_table_told_of_it() -> None:
    """633c.5(bb)(2): the report of the same terminal stands among the proof, one of another does not."""
    table = NoHole()
    table.stand(1, 2)
    table.shared("3C", Role.DEALER_DRAW)
    table.irr(Irr.DEALER_SHORT, 1)
    told = len(table.s.records) - 1
    found = [one for one in table.over(14).findings() if one.check == reg.DEALER_SHORT]
    assert [told in one.records for one in found] == [True, False]


@pytest.mark.parametrize(("first", "second", "breach"), [("AC", "AS", True), ("AS", "AH", True), ("8C", "8S", False)])
def test_each_ace_of_a_split_pair_gets_one_card(first: str, second: str, breach: bool) -> None:
    """633c.5(aa)(3)(i): an ace of any suit; other hands of a split go on."""
    table = NoHole(first, second)
    table.add("split", 1, 0, 1)
    table.stand(2)
    table.shared("5H")
    table.end_hand(1, hand=1)
    table.add("hit", 1, 0)
    table.shared("3H")
    table.end_hand(1)
    table.shared("8H", Role.DEALER_DRAW)
    found = [one.clause for one in table.over().findings() if one.check == own.SPLIT_ACES]
    assert found == (["633c.5(aa)(3)(i)"] if breach else [])


def test_where_all_hands_of_a_terminal_are_over_21_the_dealer_owes_it_no_more_than_a_second_card() -> None:
    """633c.5(aa)(3), (bb): they were lost before it, and the second card decides their insurance."""
    table = NoHole()
    for terminal in (1, 2):
        table.add("hit", terminal, 0)
    table.shared("KC")
    for terminal in (1, 2):
        table.end_hand(terminal, HandEnd.BUST)
    table.shared("3C", Role.DEALER_DRAW)
    assert table.over(14).findings() == []


@pytest.mark.parametrize(("last", "stands"), [("4H", False), ("5H", True), ("9H", True)])
def test_a_dealers_hand_that_counts_17_whatever_its_unread_card_is_waits_for_no_card(last: str, stands: bool) -> None:
    """633c.5(bb)(2): ace, a card that nobody read, king, and 4 may be 16; with a 5 it is 17 at least."""
    table = NoHole()
    table.stand(1, 2)
    for card in (UNKNOWN, "KC", last):
        table.shared(card, Role.DEALER_DRAW)
    table.irr(Irr.DEALER_SHORT, 1)
    found = [one for one in table.over(17).findings() if one.check == reg.UNEXPLAINED]
    assert [one.verdict for one in found] == ([CANNOT_TELL] if stands else [])


def test_a_community_card_that_was_taken_out_of_play_is_in_no_dealers_hand_either() -> None:
    """633c.5(bb): terminal 1 stood, so that it was its dealer's second card, and terminal 2 had asked for it."""
    table = NoHole()
    table.stand(1)
    table.add("hit", 2, 0)
    wrong = table.shared("9H")
    table.add("moved", wrong, Role.DISCARDED, RACK, 0)
    table.shared("5C")
    round_ = open_round(table)
    assert [card_name(card.card) for card in round_.dealer_of(1)] == ["A♥", "5♣"]
    assert [card_name(card.card) for card in round_.hand(2, 0).cards] == ["10♣", "6♦", "5♣"]


def open_round(table: Short) -> Round:
    stream = Stream()
    for record in table.s.records:
        stream.feed(record)
    assert stream.table.round is not None
    return stream.table.round


def test_a_round_in_which_no_terminal_has_a_hand_is_told_and_stops_nothing() -> None:
    """Nobody waits for the dealer's 10, so he owes no card; why no terminal has a hand is told."""
    table = Short(Game.HYBRID, burn=False)
    table.start(1)
    table.up("7C")
    table.hole("3H")
    table.reveal()
    table.close(10)
    table.end()
    assert {one.check for one in table.findings()} == {own.SELECTED}
