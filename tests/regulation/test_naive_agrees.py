"""The declared wagers against a second evaluator, written from the texts alone, over every combination of cards.

Two- and three-card wagers: every ordered pair of the 52 faces with every up card, and every hole card that matters.
Four-card and whole-hand wagers: every sequence of ranks that can come up, suits going round.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import naive_evaluator as naive
import pytest
from shoetool.rules.paytable import Paytable, paytable
from shoetool.rules.round import Hand
from shoetool.rules.submission.rules import RulesSubmission
from shoetool.rules.wagers import BONUSES, WAGERS, View
from wagers_offered import offering

FACES = range(52)
PAIRS = [(first, second) for first in FACES for second in FACES]
CARDS = [naive.card(face) for face in FACES]
SIX_DECKS = RulesSubmission.default("blackjack", 6)


def odds(wager: str, table: Paytable, view: View) -> list[str]:
    """What the declaration pays in this view, a text for each row paid; the row must be in the paytable."""
    outcome = WAGERS[wager].outcome(view)
    return [] if outcome is None else [table.row(key).odds.text for key in outcome.rows if table.has(key)]


def expected(payout: str | None) -> list[str]:
    return [] if payout is None else [payout]


def two_cards(rules: RulesSubmission) -> Iterator[tuple[View, naive.Card, naive.Card]]:
    for first, second in PAIRS:
        yield View(rules, (first, second), (0,)), CARDS[first], CARDS[second]


def three_cards(rules: RulesSubmission) -> Iterator[tuple[View, naive.Card, naive.Card, naive.Card]]:
    for first, second in PAIRS:
        for up in FACES:
            yield View(rules, (first, second), (up,)), CARDS[first], CARDS[second], CARDS[up]


@pytest.mark.clause("633a.13(c)", "633a.6(e)(1)", "633a.7(g)(1)")
def test_lucky_ladies_agrees_on_every_pair_and_every_dealer() -> None:
    table = paytable("lucky_ladies", "", 6)
    dealers = [(0, 9), (38, 26), (7, 0), (12, 11), (0, 13)]
    queens = (37, 37)
    paid = set()
    for first, second in PAIRS:
        for up, hole in PAIRS if (first, second) == queens else dealers:
            view = View(SIX_DECKS, (first, second), (up, hole))
            want = naive.payout_lucky_ladies(CARDS[first], CARDS[second], CARDS[up], CARDS[hole])
            assert odds("lucky_ladies", table, view) == expected(want), (first, second, up, hole)
            paid.add(want)
    assert paid == {None, *(row.odds.text for row in table.rows)}


@pytest.mark.clause("633a.13(h)", "633a.6(e)(6)", "633a.7(g)(6)")
def test_kings_bounty_agrees_on_every_pair_and_every_dealer() -> None:
    table = paytable("kings_bounty", "", 6)
    dealers = [(0, 9), (38, 26), (7, 0), (12, 11), (0, 13)]
    kings = (51, 51)
    paid = set()
    for first, second in PAIRS:
        for up, hole in PAIRS if (first, second) == kings else dealers:
            view = View(SIX_DECKS, (first, second), (up, hole))
            want = naive.payout_kings_bounty(CARDS[first], CARDS[second], CARDS[up], CARDS[hole])
            assert odds("kings_bounty", table, view) == expected(want), (first, second, up, hole)
            paid.add(want)
    assert paid == {None, *(row.odds.text for row in table.rows)}


@pytest.mark.parametrize(
    ("wager", "chapter", "decks", "game"),
    [
        pytest.param("match_the_dealer", "633a", 6, "blackjack", marks=pytest.mark.clause("633a.13(d)(1)")),
        pytest.param("match_the_dealer", "633a", 8, "blackjack", marks=pytest.mark.clause("633a.13(d)(2)")),
        ("spanish_match_the_dealer", "635a", 6, "spanish_21"),
        ("spanish_match_the_dealer", "635a", 8, "spanish_21"),
    ],
)
def test_match_the_dealer_agrees_on_every_three_cards(wager: str, chapter: str, decks: int, game: str) -> None:
    table = paytable(wager, "", decks)
    for view, first, second, up in three_cards(RulesSubmission.default(game, decks)):
        want = naive.payouts_match_the_dealer(first, second, up, decks, chapter)
        assert sorted(odds(wager, table, view)) == sorted(want), (first, second, up)


@pytest.mark.clause("633a.13(e)", "633a.6(e)(3)", "633a.7(g)(3)(i)", "633a.7(g)(3)(ii)")
@pytest.mark.parametrize("ace", ["high", "low"])
def test_in_between_agrees_on_every_three_cards(ace: str) -> None:
    table = paytable("in_between", "", 6)
    rules = RulesSubmission.default("blackjack", 6, in_between_ace=ace)
    for view, first, second, up in three_cards(rules):
        want = naive.payout_in_between(first, second, up, ace == "high")
        assert odds("in_between", table, view) == expected(want), (first, second, up)


@pytest.mark.clause("633a.13(k)", "633a.6(e)(9) hands", "633a.6(e)(9) ranks")
def test_three_card_poker_agrees_on_every_three_cards() -> None:
    tables = {name: paytable("three_card_poker", name, 6) for name in "AB"}
    for view, first, second, up in three_cards(SIX_DECKS):
        for name, table in tables.items():
            want = naive.payout_three_card_poker(first, second, up, name)
            assert odds("three_card_poker", table, view) == expected(want), (first, second, up)


@pytest.mark.clause("633a.13(f)(1)", "633a.13(f)(2)", "633a.7(g)(4) pay")
def test_royal_match_agrees_on_every_pair_in_every_paytable() -> None:
    for decks, names in ((1, "AB"), (6, "CDE")):
        for name in names:
            table = paytable("royal_match_21", name, decks)
            for view, first, second in two_cards(RulesSubmission.default("blackjack", decks)):
                want = naive.payout_royal_match(first, second, name)
                assert odds("royal_match_21", table, view) == expected(want), (first, second)


@pytest.mark.clause("633a.7(g)(4) bonus")
def test_crown_treasure_agrees_on_every_two_hands_of_courts() -> None:
    bonus = BONUSES["crown_treasure"]
    courts = [face for face in FACES if face % 13 >= 10]
    won = 0
    for first, second, up, hole in itertools.product(courts, repeat=4):
        view = View(SIX_DECKS, (first, second), (up, hole))
        want = naive.crown_treasure(CARDS[first], CARDS[second], CARDS[up], CARDS[hole])
        assert bonus.predicate(view) == want, (first, second, up, hole)
        won += want
    assert won == 8 * 8


@pytest.mark.clause("633a.13(g)(1)", "633a.13(g)(2)", "633a.13(g)(3)", "633a.7(g)(5)")
def test_bet_the_set_agrees_on_every_pair_in_every_paytable() -> None:
    for decks, name in ((1, "A"), (2, "B"), (4, "C"), (8, "D")):
        table = paytable("bet_the_set_21", name, decks)
        for view, first, second in two_cards(RulesSubmission.default("blackjack", decks)):
            if decks == 1 and first == second:
                continue  # one deck has no two such cards
            want = naive.payout_bet_the_set(first, second, name)
            assert odds("bet_the_set_21", table, view) == expected(want), (first, second)


@pytest.mark.clause("633a.13(n)(1)", "633a.13(n)(2)", "633a.6(e)(12)")
def test_house_money_agrees_on_every_pair_in_both_paytables() -> None:
    for decks in (1, 6):
        table = paytable("house_money", "", decks)
        for view, first, second in two_cards(RulesSubmission.default("blackjack", decks)):
            want = naive.payout_house_money(first, second, decks)
            assert odds("house_money", table, view) == expected(want), (first, second)


@pytest.mark.clause("633a.13(i)(1)", "633a.13(i)(2)", "633a.6(e)(7)")
def test_super_match_agrees_on_every_four_ranks() -> None:
    for decks in (6, 8):
        table = paytable("super_match", "", decks)
        rules = RulesSubmission.default("switch", decks)
        for ranks in itertools.product(range(13), repeat=4):
            four = tuple(rank + 13 * (place % 4) for place, rank in enumerate(ranks))
            want = naive.payout_super_match([CARDS[face] for face in four], decks)
            assert odds("super_match", table, View(rules, four, (0,))) == expected(want), four


def straight_hands(hand: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """The hand and all it can become by drawing while under 21: two draws of any rank beyond the end of its run."""
    yield hand
    cards = [CARDS[face] for face in hand]
    if naive.points(cards) >= 21:
        return
    broken = len(hand) - naive_length(hand)
    if broken < 2:
        for rank in range(13):
            yield from straight_hands((*hand, rank + 13 * ((len(hand) + hand[0] // 13) % 4)))


def naive_length(hand: tuple[int, ...]) -> int:
    lengths = {None: 0, "3 to 1": 2, "15 to 1": 3, "50 to 1": 4, "200 to 1": 5}
    return lengths.get(naive.payout_straight_jack([CARDS[face] for face in hand]), 6)


@pytest.mark.clause("633a.13(m)(1)", "633a.7(o)(3)(i)", "633a.6(e)(11)")
def test_straight_jack_agrees_on_every_way_a_run_can_grow_break_and_bust() -> None:
    table = paytable("straight_jack", "", 6)
    paid = set()
    for first, second in itertools.product(FACES, range(13)):
        for hand in straight_hands((first, second)):
            view = View(SIX_DECKS, hand[:2], (4, 9), (Hand(1, hand, 500),))
            want = naive.payout_straight_jack([CARDS[face] for face in hand])
            assert odds("straight_jack", table, view) == expected(want), hand
            paid.add(want)
    assert paid == {None, *(row.odds.text for row in table.rows)}


def dealer_hands(hand: tuple[int, ...] = ()) -> Iterator[tuple[int, ...]]:
    """Every sequence of ranks that a dealer who stands on every 17 can end with; suits go round by place."""
    if len(hand) >= 2 and naive.points([CARDS[face] for face in hand]) >= 17:
        yield hand
        return
    for rank in range(13):
        yield from dealer_hands((*hand, rank + 13 * (len(hand) % 4)))


@pytest.mark.clause("633a.13(l)(1)", "633a.7(o)(2)(i)", "633a.13(j)(1)", "633a.7(o)(1)(i)")
def test_wagers_on_the_dealers_hand_agree_on_every_dealer_hand() -> None:
    hit_and_run = paytable("hit_and_run", "", 6)
    bad_beat = paytable("bad_beat", "", 6)
    push_22 = {name: paytable("push_22", name, 6) for name in "AB"}
    rules = offering(SIX_DECKS, "bad_beat")
    free_bet = RulesSubmission.default("free_bet", 6)
    players = [(12, 25), (0, 5, 15), (4, 17, 9), (12, 21)]
    seen: dict[str, set[str | None]] = {"hit_and_run": set(), "bad_beat": set()}
    count = 0
    for dealer in dealer_hands():
        count += 1
        cards = [CARDS[face] for face in dealer]
        view = View(rules, (12, 25), dealer, (Hand(1, (12, 25), 500),))
        want = naive.payout_hit_and_run(cards)
        assert odds("hit_and_run", hit_and_run, view) == expected(want), dealer
        seen["hit_and_run"].add(want)
        for player in players:
            view = View(rules, player[:2], dealer, (Hand(1, player, 500),))
            want = naive.payout_bad_beat([CARDS[face] for face in player], cards, True)
            assert odds("bad_beat", bad_beat, view) == expected(want), (player, dealer)
            seen["bad_beat"].add(want)
        if naive.points(cards) == 22:
            for suits in ([0] * 12, [0, 3] * 6, [1, 2] * 6, [2] * 12, [0, 1] * 6):
                colored = tuple(face % 13 + 13 * suit for face, suit in zip(dealer, suits, strict=False))
                for name, table in push_22.items():
                    view = View(free_bet, (12, 25), colored)
                    want = naive.payout_push_22([CARDS[face] for face in colored], name)
                    assert odds("push_22", table, view) == expected(want), colored
    print(f"{count} dealer hands")
    assert count > 10_000
    assert seen["hit_and_run"] == {None, *(row.odds.text for row in hit_and_run.rows)}
    rows = {row.odds.text for row in bad_beat.rows if not row.bonus}
    assert seen["bad_beat"] == {None, *rows}
