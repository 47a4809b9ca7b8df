"""`shoetool odds`: the chance of each outcome of each wager on drawn hands, against hands drawn card by card.

The other side is `naive_hands` and `naive_plays`, which share no code with the odds, nor with what the wagers look at.
With `SOAK=1` more numbers of decks and all settings are compared, AxMan's among them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import product

import naive_hands as naive
import naive_plays as plays
import naive_poker_hands as poker
import pytest
from printed_odds import gives_back
from sampled import SOAK, some
from shoetool.odds.plays import BEST, WORST
from shoetool.odds.wager import ON_A_POKER_HAND, ON_OWN_CARDS, ON_THE_DEALER, WagerCounts, WagerOdds, decks_of
from shoetool.rules.paytable import Paytable, paytables
from shoetool.rules.submission.rules import RulesSubmission, WagerOffer
from shoetool.rules.wagers import WAGERS
from test_odds_deals import assert_gives_back, by_outcome

ON_HIS_HAND = {
    "hit_and_run": naive.hit_and_run,
    "buster_blackjack": naive.buster_blackjack,
    "push_22": naive.push_22,
}


def tables_of(key: str) -> Iterator[tuple[str, Paytable, int]]:
    """Games with their paytables and numbers of decks; without a soak six decks of the first game.

    In a soak they are all up to eight for the dealer's hand, and the usual ones for a player's play.
    """
    soak = range(1, 9) if key in ON_HIS_HAND else (1, 2, 4, 6, 8)
    for game in WAGERS[key].games if SOAK else WAGERS[key].games[:1]:
        for decks in sorted({*decks_of(game)} & {*(soak if SOAK else (6,))}):
            tables = (table for table in paytables(key) if game in table.games and table.covers(decks))
            yield from ((game, table, decks) for table in tables)


def odds_of(
    counts: WagerCounts,
    game: str,
    table: Paytable,
    decks: int,
    play: str = "",
    options: tuple[str, ...] = (),
    **choices: str,
) -> WagerOdds:
    stake = (WAGERS[table.wager].amounts or (1_00,))[-1]
    offer = WagerOffer(table.name, stake, stake, frozenset(options))
    rules = RulesSubmission(game, decks, wagers={table.wager: offer}, choices=choices)
    return counts.odds(rules, table, stake, [one for one in paytables(table.wager) if game in one.games], play)


# --------------------------------------------------------------------------------------------- the dealer's hand
@pytest.mark.parametrize("h17", [False, True] if SOAK else [False])
@pytest.mark.parametrize("key", ON_HIS_HAND)
def test_each_outcome_of_the_dealers_hand_comes_as_often_as_he_draws_it(key: str, h17: bool) -> None:
    counts, of_decks = WagerCounts(h17), cache(ON_HIS_HAND[key])
    for game, table, decks in tables_of(key):
        odds, chances = odds_of(counts, game, table, decks), of_decks(decks, h17)
        assert sum(chances.values()) == 1
        assert by_outcome(odds) == chances, (table.name, decks)
        assert_gives_back(odds, chances)


READINGS = [
    *product(("ace_high", "ace_low"), ("kept", "assigned"), ("rank", "card"), ("wild", "king")),
    *product(("best",), ("kept",), ("rank", "card"), ("wild", "king")),
]


@pytest.mark.skipif(not SOAK, reason="minutes: `make soak` compares every hand of a full shoe")
@pytest.mark.parametrize(("h17", "readings"), [(False, READINGS), (True, READINGS[:1])])
def test_each_outcome_of_axman_comes_as_often_as_he_draws_it(h17: bool, readings: list[poker.Reading]) -> None:
    """With six and eight decks in each reading of 633c.12 (T79 to T82), and with the player's kings of diamonds."""
    names = "axman_five", "axman_wild_place", "axman_wild", "axman_wild_short"
    counts = WagerCounts(h17)
    for (decks, reading), chances in poker.rows_of((6, 8), h17, readings).items():
        settings = dict(zip(names, reading, strict=True))
        odds = odds_of(counts, "blackjack", paytables("axman")[0], decks, **settings)
        told = [(one.outcome, one.times, one.odds, one.chance) for one in odds.chances]
        found = {(of.key if of else "lost", times): chance for of, times, _, chance in told if chance}
        assert found == chances, (decks, reading)
        back = Fraction(0)
        for of, times, pays, _ in told:
            if of and pays:
                back += chances.get((of.key, times), Fraction(0)) * gives_back(pays.text, odds.stake, {})
        assert odds.edge() == 1 - back


def test_a_row_that_asks_for_a_card_more_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    wager = WAGERS["hit_and_run"]
    best, second, *others = wager.outcomes
    more = replace(best, predicate=lambda view: len(view.dealer) >= 9)
    monkeypatch.setitem(WAGERS, wager.key, replace(wager, outcomes=(more, second, *others)))
    found = by_outcome(odds_of(WagerCounts(), "blackjack", paytables(wager.key)[0], 6))
    assert found != naive.hit_and_run(6, False)


# ------------------------------------------------------------------------------------------------- a player's play
PLAYS = (BEST, WORST)


def test_each_outcome_of_bad_beat_comes_as_often_as_both_draw_it() -> None:
    """In a soak also without the optional row for any 20, and where the dealer draws to a soft 17."""
    for h17 in (False, True) if SOAK else (False,):
        counts = WagerCounts(h17)
        for (game, table, decks), play in product(tables_of("bad_beat"), PLAYS):
            if h17 and decks != 6:
                continue
            chances = plays.bad_beat(decks, h17, play == BEST)
            assert by_outcome(odds_of(counts, game, table, decks, play, ("player_20",))) == chances
            if SOAK:
                chances["lost"] += chances.pop("player_20", Fraction(0))
                assert by_outcome(odds_of(counts, game, table, decks, play)) == chances


def test_each_outcome_of_straight_jack_comes_as_often_as_the_run_is_drawn() -> None:
    counts = WagerCounts()
    for game, table, decks in tables_of("straight_jack"):
        for play in PLAYS:
            odds, chances = odds_of(counts, game, table, decks, play), plays.straight_jack(decks, play == BEST)
            assert by_outcome(odds) == chances
            assert_gives_back(odds, chances)


BLAZING = {
    "blazing_7s_third": ("drawn", "up_card", "up_card_unless_split"),
    "blazing_7s_split": ("any", "first"),
    "blazing_7s_suits": ("each_suit", "one_suit"),
}
READ = [
    ("drawn", "any", "each_suit"),
    ("up_card", "first", "one_suit"),
    ("up_card_unless_split", "any", "one_suit"),
]


@pytest.mark.parametrize("reading", list(product(*BLAZING.values())) if SOAK else some(READ))
def test_each_outcome_of_blazing_7s_comes_as_often_as_the_7s_are_drawn(reading: tuple[str, str, str]) -> None:
    counts = WagerCounts()
    for game, table, decks in tables_of("blazing_7s"):
        for play in PLAYS if SOAK or reading == READ[0] else PLAYS[:1]:
            odds = odds_of(counts, game, table, decks, play, **dict(zip(BLAZING, reading, strict=True)))
            worth = {row.key: gives_back(row.odds.text, odds.stake, odds.meters) for row in table.rows}
            chances = plays.blazing_7s(decks, table.name, play == BEST, worth.__getitem__, *reading)
            assert by_outcome(odds) == chances, (table.name, decks, play)
            assert_gives_back(odds, chances)


BUZZING = [
    ("wins", "no_row", "loses", "blackjack"),
    ("wins", "5_to_1", "loses", "count"),
    ("wins", "loses", "loses", "blackjack"),
    ("loses", "no_row", "loses", "count"),
    ("loses", "5_to_1", "push", "blackjack"),
]


@pytest.mark.skipif(
    not SOAK, reason="minutes: `make soak` draws from full shoes; test_odds_buzzer_beater.py, small ones"
)
@pytest.mark.parametrize(
    ("decks", "h17", "readings"), [(6, False, BUZZING), (8, False, BUZZING[:1]), (6, True, BUZZING[:1])]
)
def test_each_outcome_of_buzzer_beater_comes_as_often_as_both_draw_it(
    decks: int, h17: bool, readings: list[plays.Reading]
) -> None:
    """The best and the worst play in readings of 633c.5(u), each word among them (T38 to T41)."""
    names = "buzzer_tie", "buzzer_21", "buzzer_below_19", "buzzer_blackjack"
    naive_hands, counts = plays.BuzzerBeater(decks, h17), WagerCounts(h17)
    (table,) = paytables("buzzer_beater")
    for reading, play in product(readings, PLAYS):
        odds = odds_of(counts, "hybrid", table, decks, play, **dict(zip(names, reading, strict=True)))
        assert by_outcome(odds) == naive_hands.chances(play == BEST, reading), (reading, play)


def test_no_wager_on_drawn_hands_is_left_out() -> None:
    """Bad Beat is above; Buzzer Beater, and AxMan's few ranks, have tests of their own names."""
    here = {key for key, one in WAGERS.items() if one.cards in (ON_THE_DEALER, ON_A_POKER_HAND, *ON_OWN_CARDS)}
    assert here == {*ON_HIS_HAND, "axman", "straight_jack", "blazing_7s"}
