"""`shoetool odds main` of a hybrid table without a hole card, 633c.5(w): the dealer's second card comes last."""

from __future__ import annotations

import os
from fractions import Fraction
from functools import cache
from typing import Any

import pytest
from naive_draw import drawn
from sampled import some
from shoetool.odds import no_hole
from shoetool.odds.against import Against
from shoetool.odds.best_play import best_play
from shoetool.odds.main_wager import main_odds, won_by
from shoetool.odds.no_hole import AgainstNoHole
from shoetool.odds.play import Cell, Choices, Pairs, Play
from shoetool.odds.play_rules import REAL, PlayRules
from shoetool.odds.shoe import ACE, NOTHING, TEN, VALUES, Counts, best_count, plus, without
from shoetool.rules.submission.rules import RulesSubmission

FIVE, SEVEN, EIGHT = 4, 6, 7
SHOE: Counts = (2, 0, 3, 0, 3, 0, 0, 5, 0, 8)
"""Two aces, three 3s, three 5s, five 8s and eight tens: few enough to play out every sequence."""
ONE_DECK: Counts = (3, *(4,) * 8, 16)
"""One deck without an ace."""
DRAWS: dict[Cell, bool] = {(soft, count): count < 17 for soft in (False, True) for count in range(2, 21)}
CHOICES = Choices(hit=DRAWS, double={(False, 11): True, (False, 16): True}, surrender={(False, 15): True})
PAIRS = Pairs({EIGHT: True, ACE: True}, {FIVE: True})


def _naive(up: int, both_lost: bool, half_at_once: bool, equal_pushes: bool) -> Fraction:
    """What a player wins by these choices, card by card, as 633c.5(z) to (ee) have it.

    He splits 8s and aces, doubles 11 and 16, gives up a pair of 5s and 15, and draws to 17 else. 8s that are split go
    on like other hands; aces take one card.
    """

    @cache
    def dealer(shoe: Counts, cards: Counts, wagers: tuple[tuple[int, bool, bool], ...]) -> Fraction:
        """wagers: (count, doubled, added by the split) of each hand."""
        his, _ = best_count(cards)
        if sum(cards) == 2 and his == 21:
            lost = 0
            for mine, doubled, added in wagers:
                if mine > 21:
                    lost += 1 + doubled
                elif mine < 21 or not equal_pushes:
                    lost += (not added) + (doubled and both_lost)
            return Fraction(-lost)
        if sum(cards) >= 2 and his >= 17:
            won = 0
            for mine, doubled, _ in wagers:
                beaten = mine > 21 or mine < his <= 21
                won += (1 + doubled) * (-1 if beaten else 0 if mine == his else 1)
            return Fraction(won)
        return drawn(shoe, lambda rest, value: dealer(rest, plus(cards, value), wagers))

    def meets(shoe: Counts, *wagers: tuple[int, bool, bool]) -> Fraction:
        return dealer(shoe, plus(NOTHING, up), wagers)

    def blackjack(shoe: Counts) -> Fraction:
        return drawn(shoe, lambda _, second: Fraction(0) if {up, second} == {ACE, TEN} else Fraction(3, 2))

    def given_up(shoe: Counts) -> Fraction:
        taken = Fraction(-1, 2) if half_at_once else Fraction(-1)
        return drawn(shoe, lambda _, second: taken if {up, second} == {ACE, TEN} else Fraction(-1, 2))

    @cache
    def play(shoe: Counts, cards: Counts, hands: tuple[bool, ...]) -> Fraction:
        """hands: which of the alike hands were added by a split."""
        count, soft = best_count(cards)
        if sum(cards) == 2 and not soft and count in (11, 16):
            return drawn(
                shoe, lambda rest, value: meets(rest, *((best_count(plus(cards, value))[0], True, a) for a in hands))
            )
        if count >= 17:
            return meets(shoe, *((count, False, added) for added in hands))
        return drawn(shoe, lambda rest, value: play(rest, plus(cards, value), hands))

    def two(shoe: Counts, first: int, second: int) -> Fraction:
        cards = plus(plus(NOTHING, first), second)
        both = False, True
        if best_count(cards)[0] == 21:
            return blackjack(shoe)
        if first == second == EIGHT:
            return drawn(shoe, lambda rest, value: play(rest, plus(plus(NOTHING, EIGHT), value), both))
        if first == second == ACE:
            return drawn(
                shoe,
                lambda rest, value: meets(
                    rest, *((best_count(plus(plus(NOTHING, ACE), value))[0], False, a) for a in both)
                ),
            )
        if first == second == FIVE or {first, second} == {FIVE, TEN}:
            return given_up(shoe)
        return play(shoe, cards, (False,))

    return drawn(SHOE, lambda one, first: drawn(one, lambda rest, second: two(rest, first, second)))


@pytest.mark.parametrize(
    ("up", "settings"),
    [
        (TEN, {}),
        (ACE, {"hybrid_double_back": "both"}),
        (ACE, {"hybrid_surrender": "half"}),
        (SEVEN, {"hybrid_double_back": "both", "hybrid_surrender": "half"}),
        (TEN, {"hybrid_equal_21": "push"}),
        (ACE, {"hybrid_equal_21": "push", "hybrid_double_back": "both"}),
        (ACE, {"hybrid_equal_21": "push", "hybrid_both_over_21": "push"}),
    ],
)
def test_a_player_wins_what_playing_card_by_card_gives(up: int, settings: dict[str, Any]) -> None:
    """633c.5(aa), (bb): what the dealer's Blackjack takes of doubles, splits and surrenders, what is lost before it.

    A 21 may push against it (T37). A hand over 21 is lost in any case, (aa)(3): T36 is for a table with a hole card.
    """
    rules = PlayRules(RulesSubmission.default("hybrid_no_hole", 6, **settings))
    play = Play(AgainstNoHole(rules, up, SHOE), {REAL: CHOICES}, PAIRS)
    read_so = (key in settings for key in ("hybrid_double_back", "hybrid_surrender", "hybrid_equal_21"))
    assert won_by(play) == _naive(up, *read_so)


@pytest.mark.parametrize(("word", "doubled"), some([("both", False), ("first", True)]))
def test_an_11_is_doubled_where_the_dealers_blackjack_leaves_the_double(word: str, doubled: bool) -> None:
    """One deck, an ace up: as with a hole card, or as without one in Europe."""
    rules = PlayRules(RulesSubmission.default("hybrid_no_hole", 6, hybrid_double_back=word))
    play = best_play(AgainstNoHole(rules, ACE, ONE_DECK))
    assert play.choices[REAL].double[False, 11] is doubled


def _taken_at_once(rules: PlayRules) -> Fraction:
    """What the dealer's Blackjack takes of a unit in a game with a hole card: all but a Blackjack of the player's."""
    cards, aces, tens = sum(rules.shoe), rules.shoe[ACE], rules.shoe[TEN]
    dealers = Fraction(2 * aces * tens, cards * (cards - 1))
    return dealers * (1 - Fraction(2 * (aces - 1) * (tens - 1), (cards - 2) * (cards - 3)))


# "Blackjack Variations: European No-Hole-Card Rule" (onlineblackjack.org): what the house gains where the dealer's
# Blackjack takes all doubled and split wagers, and nobody knew of it.
EUROPEAN = Fraction("0.0011")


class _Known(AgainstNoHole):
    """The same game with a hole card: the dealer's Blackjack ends the round before any choice."""

    stand, bust, given_up = Against.stand, Against.bust, Against.given_up


@pytest.mark.skipif(not os.environ.get("WHOLE_GAMES"), reason="it takes half a minute: `make soak` plays whole games")
def test_all_wagers_lost_to_a_blackjack_cost_what_is_published(monkeypatch: pytest.MonkeyPatch) -> None:
    """633c.5(bb)(1) takes the original wager alone: that costs far less, by hands that went over 21 before."""
    settings = {"surrender": "none"}
    first = main_odds(RulesSubmission.default("hybrid_no_hole", 6, **settings)).edge
    monkeypatch.setattr(no_hole, "ADDED", REAL)
    lost = main_odds(RulesSubmission.default("hybrid_no_hole", 6, hybrid_double_back="both", **settings)).edge
    rules, known = PlayRules(RulesSubmission.default("hybrid_no_hole", 6, **settings)), Fraction(0)
    for up in range(VALUES):
        shoe = without(rules.shoe, (up,))
        known -= Fraction(rules.shoe[up], sum(rules.shoe)) * won_by(best_play(_Known(rules, up, shoe)))
    known += _taken_at_once(rules)
    assert round(lost - known, 4) == EUROPEAN
    assert 0 < first - known < (lost - known) / 5


def test_the_edge_is_that_of_all_up_cards(monkeypatch: pytest.MonkeyPatch) -> None:
    """Against each up card what `won_by` says, weighed by how often it comes; the dealer's Blackjack counts once."""
    made: list[Play] = []

    def drawing(against: Against) -> Play:
        made.append(Play(against, {REAL: Choices(hit=dict.fromkeys(DRAWS, False))}, Pairs()))
        return made[-1]

    monkeypatch.setattr("shoetool.odds.main_wager.best_play", drawing)
    told: list[tuple[int, int]] = []
    odds = main_odds(RulesSubmission.default("hybrid_no_hole", 6), told=lambda *done: told.append(done))
    assert told == [(up + 1, VALUES) for up in range(VALUES)]
    assert all(type(play.against) is AgainstNoHole for play in odds.plays)
    won = [won_by(play) for play in odds.plays]
    assert odds.edge == -sum(won[up] * (Fraction(4, 13) if up == TEN else Fraction(1, 13)) for up in range(VALUES))
    plain = main_odds(RulesSubmission.default("hybrid", 6))
    assert odds.edge == plain.edge  # who always stands loses the same with a hole card
