"""`shoetool odds` of wagers on how a player plays: the best and the worst play for such a wager alone."""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from itertools import pairwise
from math import perm

import pytest
from click.testing import CliRunner, Result
from shoetool.cli import build
from shoetool.odds.count_and_dealer import CountAndDealer
from shoetool.odds.deals import Counted
from shoetool.odds.holding import WatchedRules, holding
from shoetool.odds.plays import BEST, WORST
from shoetool.odds.shoe import ACE, TEN, Counts, Shoe, best_count, plus
from shoetool.odds.wager import WagerCounts, WagerOdds
from shoetool.rules.paytable import paytables
from shoetool.rules.submission.rules import RulesSubmission, WagerOffer
from shoetool.rules.wagers import WAGERS

Chances = dict[str, Fraction]
COUNTS = WagerCounts()


def odds_of(key: str, play: str, decks: int = 6, options: tuple[str, ...] = (), **choices: str) -> WagerOdds:
    table = next(one for one in paytables(key) if one.covers(decks))
    stake = WAGERS[key].amounts[-1] if WAGERS[key].amounts else 1_00
    offer = WagerOffer(table.name, stake, stake, frozenset(options))
    rules = RulesSubmission("blackjack", decks, wagers={key: offer}, choices=choices)
    return COUNTS.odds(rules, table, stake, [table], play)


def chance_of(odds: WagerOdds) -> Chances:
    return {one.outcome.key if one.outcome else "lost": one.chance for one in odds.chances}


def told(key: str, counted: Counted, size: int) -> Chances:
    found: Chances = {}
    for cards, ways in counted.items():
        for held, number in ways.items():
            name = WAGERS[key].outcomes[held[0]].key if held else "lost"
            found[name] = found.get(name, Fraction(0)) + Fraction(number, perm(size, cards))
    return {name: chance for name, chance in found.items() if chance}


def run(*words: str) -> Result:
    return CliRunner().invoke(build(), ["odds", *words])


# ------------------------------------------------------------------------------------------------------ own cards
def test_a_longer_straight_never_pays_less() -> None:
    """So to draw on is the best play without a split, and not to draw the worst, whatever is on the meter."""
    for table in paytables("straight_jack"):
        odds = [table.row(one.key).odds for one in WAGERS["straight_jack"].outcomes]
        for better, worse in pairwise(odds):
            assert better.meter_share >= worse.meter_share and better.paid(1) >= worse.paid(1)
            assert better.meter_share > worse.meter_share or better.paid(1) > worse.paid(1)


# ------------------------------------------------------------------------------------------- a count, and the dealer
SHOE: Counts = (2, 0, 0, 2, 3, 0, 0, 0, 1, 4)
"""Two aces, two 4s, three 5s, a 9 and four tens: few enough to try every play."""


def _tried(better: Callable[[list[Fraction]], Fraction], pays: dict[str, int]) -> Fraction:
    """What the best, or the worst, of all plays without a split wins on average: every decision is tried."""

    @cache
    def dealer(left: Counts, cards: Counts) -> Fraction:
        count, _ = best_count(cards)
        if sum(cards) >= 2 and count >= 17:
            name = {3: "three", 4: "four", 5: "five", 6: "six"}.get(sum(cards), "seven_or_more")
            return Fraction(pays[f"dealer_21_{name}_cards"] if count == 21 else 0)
        return drawn(left, lambda rest, value: dealer(rest, plus(cards, value)))

    def drawn(left: Counts, then: Callable[[Counts, int], Fraction]) -> Fraction:
        size = sum(left)
        if not size:
            return Fraction(0)
        return sum(
            (Fraction(have, size) * then(plus(left, value, -1), value) for value, have in enumerate(left) if have),
            Fraction(0),
        )

    @cache
    def decided(left: Counts, cards: Counts, up: int) -> Fraction:
        """The player does not know the hole card, but that there is no Blackjack: `left` still has it."""
        count, _ = best_count(cards)
        stands = _after_hole(left, up, dealer) if count == 20 else Fraction(0)
        if count >= 21:
            return stands
        return better([stands, _draws(left, cards, up)])

    def _draws(left: Counts, cards: Counts, up: int) -> Fraction:
        hole = {ACE: TEN, TEN: ACE}.get(up)
        size = sum(left)
        found = Fraction(0)
        for value, have in enumerate(left):
            if have:
                # This card, and then a hole card that makes no Blackjack.
                others = size - 1 - (left[hole] - (value == hole) if hole is not None else 0)
                found += have * others * decided(plus(left, value, -1), plus(cards, value), up)
        possible = size - (left[hole] if hole is not None else 0)
        return found / ((size - 1) * possible) if size > 1 and possible else Fraction(0)

    found = Fraction(0)
    size = sum(SHOE)
    for first in range(10):
        for second in range(10):
            for up in range(10):
                left, ways = SHOE, 1
                for value in (first, second, up):
                    ways *= left[value]
                    if not left[value]:
                        break
                    left = plus(left, value, -1)
                if not ways:
                    continue
                cards = plus(plus((0,) * 10, first), second)
                hole = {ACE: TEN, TEN: ACE}.get(up)
                blackjack = Fraction(left[hole], sum(left)) if hole is not None else Fraction(0)
                won = blackjack * (pays["dealer_blackjack"] if best_count(cards)[0] == 20 else 0)
                won += (1 - blackjack) * decided(left, cards, up)
                found += Fraction(ways, perm(size, 3)) * won
    return found


def _after_hole(left: Counts, up: int, dealer: Callable[[Counts, Counts], Fraction]) -> Fraction:
    """What the dealer's hand pays on average when he has no Blackjack."""
    hole = {ACE: TEN, TEN: ACE}.get(up)
    possible = sum(left) - (left[hole] if hole is not None else 0)
    if not possible:
        return Fraction(0)
    up_card = plus((0,) * 10, up)
    return sum(
        (
            Fraction(have, possible) * dealer(plus(left, value, -1), plus(up_card, value))
            for value, have in enumerate(left)
            if have and value != hole
        ),
        Fraction(0),
    )


@pytest.mark.parametrize("play", [BEST, WORST])
def test_no_play_of_bad_beat_without_a_split_is_better_or_worse(play: str) -> None:
    """Every decision with a few cards: to draw to 20 and to stand on it wins most, and never to keep a 20 least."""
    wager = WAGERS["bad_beat"]
    rules = WatchedRules(RulesSubmission("blackjack", 6, wagers={"bad_beat": WagerOffer()}))
    counts = CountAndDealer(False, rules, holding(wager, paytables("bad_beat")))
    deck = tuple(value for value, number in enumerate(SHOE) for _ in range(number))
    options = counts.of(Shoe(1, deck))[0]
    found = told("bad_beat", options[play == WORST], sum(SHOE))
    pays = {one.key: 3 + 7 * place for place, one in enumerate(reversed(wager.outcomes))}
    assert sum(found.values()) == 1
    won = sum((chance * pays[name] for name, chance in found.items() if name != "lost"), Fraction(0))
    assert won == _tried(max if play == BEST else min, pays)


def test_a_20_is_paid_also_where_the_dealer_has_none() -> None:
    """With the optional row the rows of the dealer's 21 win as before, and a 20 beside them 1 for 1."""
    without, beside = (odds_of("bad_beat", BEST, options=options) for options in ((), ("player_20",)))
    few, more = chance_of(without), chance_of(beside)
    assert few["player_20"] == 0 and more["player_20"] > Fraction(1, 6)
    assert all(few[name] == more[name] for name in few if name not in ("player_20", "lost"))
    assert more["lost"] == few["lost"] - more["player_20"]


def test_splits_are_bounded_as_if_each_of_them_came_to_20() -> None:
    odds = odds_of("bad_beat", BEST)
    assert odds.bound is not None and odds.bound < odds.edge()
    assert odds_of("bad_beat", WORST).bound is None and odds_of("straight_jack", BEST).bound is None


def test_the_command_tells_both_plays_and_what_they_assume() -> None:
    shown = run("bad_beat", "--decks", "6").stdout
    for words in ("best play: he draws to the count", "worst play: he keeps", "no less than", "Cards of other players"):
        assert words in shown
    left_out = [line.split() for line in shown.splitlines() if "Player has a 20 (optional)" in line]
    assert [line[-2:] for line in left_out] == [["not", "offered"]] * 2
    offered = run("bad_beat", "--decks", "6", "--option", "player_20").stdout
    assert "never" in offered and "not offered" not in offered, "he may always draw to his 20"
    document = json.loads(run("straight_jack", "--decks", "6", "--json").stdout)
    assert [one["play"] for one in document["wagers"]] == ["best", "worst"]
    assert run("bad_beat", "--decks", "6", "--option", "x").output.endswith("has no option 'x'; it has player_20\n")
