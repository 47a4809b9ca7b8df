"""`shoetool odds main` of Blackjack Switch, 633a.12(a): two hands whose second cards may change places."""

from __future__ import annotations

import json
from collections import defaultdict
from fractions import Fraction
from functools import cache
from itertools import product

import pytest
from click.testing import CliRunner
from naive_draw import drawn
from sampled import some
from shoetool.cli import build
from shoetool.odds import main_wager
from shoetool.odds.against import Against
from shoetool.odds.best_play import Hand, Search, best_pairs
from shoetool.odds.main_wager import won_by_two
from shoetool.odds.play import Cell, Choices, Pairs, Play
from shoetool.odds.play_rules import REAL, PlayRules
from shoetool.odds.shoe import NOTHING, Counts, best_count, plus
from shoetool.odds.switch_play import _begun, best_switch_play, worth_of_two
from shoetool.rules.submission.rules import RulesSubmission

SEVEN, EIGHT, TEN = 6, 7, 9
SHOE: Counts = (1, 0, 2, 0, 4, 0, 0, 6, 0, 8)
"""One ace, two 3s, four 5s, six 8s and eight tens: few enough to play out every sequence."""
DRAWS: dict[Cell, bool] = {(soft, count): count < 17 for soft in (False, True) for count in range(2, 21)}


def _switch_naive(up: int, natural_at_22: bool) -> Fraction:
    """What a player of two hands wins when every hand draws to 17 and a pair of 8s is split once, card by card.

    He exchanges the second cards when that wins more. Rounds in which the dealer has a Blackjack count 0. The text of
    633a.12(a)(5) decides; natural_at_22: whether a dealer's 22 returns the wager on a Blackjack too.
    """

    def won(mine: int, kind: str, dealer: int) -> Fraction:
        if mine > 21:
            return Fraction(-1)
        if kind == "switched" and dealer == 21:
            return Fraction(0)
        if dealer == 22:
            return Fraction(3, 2) if kind == "natural" and not natural_at_22 else Fraction(0)
        if kind == "natural":
            return Fraction(1) if dealer == 21 else Fraction(3, 2)
        if dealer > 22 or mine > dealer:
            return Fraction(1)
        return Fraction(0 if mine == dealer else -1)

    @cache
    def dealer(shoe: Counts, cards: Counts, done: tuple[tuple[int, str], ...]) -> Fraction:
        total, _ = best_count(cards)
        if sum(cards) == 2 and total == 21:
            return Fraction(0)
        if sum(cards) >= 2 and total >= 17:
            return sum((won(mine, kind, total) for mine, kind in done), Fraction(0))
        return drawn(shoe, lambda rest, value: dealer(rest, plus(cards, value), done))

    @cache
    def play(shoe: Counts, waiting: tuple[tuple[Counts, str], ...], done: tuple[tuple[int, str], ...]) -> Fraction:
        if not waiting:
            return dealer(shoe, plus(NOTHING, up), tuple(sorted(done)))
        (cards, kind), *later = waiting
        total, _ = best_count(cards)
        if cards == plus(NOTHING, EIGHT, 2) and kind != "split":
            one = (plus(NOTHING, EIGHT), "split")
            return play(shoe, (one, one, *later), done)
        if sum(cards) >= 2 and total >= 17:
            if kind != "split":
                kind = ("natural" if kind == "dealt" else "switched") if (sum(cards), total) == (2, 21) else ""
            return play(shoe, tuple(later), (*done, (total, kind)))
        return drawn(shoe, lambda rest, value: play(rest, ((plus(cards, value), kind), *later), done))

    def hands(shoe: Counts, first: int, second: int, third: int, fourth: int) -> Fraction:
        def of(one: int, other: int, kind: str) -> tuple[Counts, str]:
            return plus(plus(NOTHING, one), other), kind

        kept = play(shoe, (of(first, second, "dealt"), of(third, fourth, "dealt")), ())
        return max(kept, play(shoe, (of(first, fourth, "switched"), of(third, second, "switched")), ()))

    return drawn(
        SHOE,
        lambda one, a: drawn(
            one, lambda two, b: drawn(two, lambda three, c: drawn(three, lambda four, d: hands(four, a, b, c, d)))
        ),
    )


@pytest.mark.parametrize(("up", "hold"), some([(TEN, False), (SEVEN, True)]))
def test_two_hands_that_may_change_cards_are_worth_what_playing_them_card_by_card_gives(up: int, hold: bool) -> None:
    """633a.12(a)(4), (5): the exchange, a Blackjack switched to, a dealer's 21 and 22."""
    rules = PlayRules(RulesSubmission.default("switch", 1, resplits=0, switch_hold_blackjack=hold))
    against = Against(rules, up, SHOE)
    play = Play(against, {REAL: Choices(hit=DRAWS)}, Pairs({EIGHT: True}))
    naive = _switch_naive(up, hold)
    assert Fraction(worth_of_two(play), against.scale(against.size) * rules.unit) == naive
    # Of each of the two wagers; with a 7 up the dealer has no Blackjack.
    assert up == TEN or won_by_two(play) == naive / 2


def test_the_best_play_is_made_for_the_hands_that_the_exchange_leaves() -> None:
    """633a.12(a)(4): each as often as it is kept, one or the other way, and is neither split nor at 21."""
    rules = PlayRules(RulesSubmission.default("switch", 1, resplits=0))
    against = Against(rules, SEVEN, SHOE)
    play = best_switch_play(against)
    naive: dict[Hand, int] = defaultdict(int)
    for deal in product(range(10), repeat=4):
        left, ways = SHOE, 1
        for value in deal:
            ways *= max(left[value], 0)
            left = plus(left, value, -1)
        first, second, third, fourth = deal
        kept = [_of(first, second), _of(third, fourth)]
        other = [_of(first, fourth), _of(third, second)]
        worth = sum(play.of_two(cards) for cards in kept)
        switches = sum(play.of_two(cards, switched=True) for cards in other) > worth
        for cards in other if switches else kept:
            if ways and best_count(cards)[0] < 21 and not any(cards[v] == 2 and play.pairs.split[v] for v in range(10)):
                naive[cards, NOTHING] += ways
    assert play.pairs.split[EIGHT] and len(naive) > 8
    assert Search(against, REAL, naive, plain=False).found() == play.choices[REAL]
    assert best_pairs(play) == play.pairs
    assert _begun(play) == naive


def _of(first: int, second: int) -> Counts:
    return plus(plus(NOTHING, first), second)


def test_two_hands_meet_the_dealers_blackjack_as_they_were_dealt(monkeypatch: pytest.MonkeyPatch) -> None:
    """633a.7(h): the reader comes first. With all other rounds left out, both wagers are lost but for a Blackjack."""

    def drawing(against: Against) -> Play:
        return Play(against, {REAL: Choices(hit=DRAWS, double={})}, Pairs(*(dict.fromkeys(range(10), False),) * 2))

    monkeypatch.setattr(main_wager, "best_switch_play", drawing)
    monkeypatch.setattr(main_wager, "worth_of_two", lambda play: 0)
    found = CliRunner().invoke(build(), ["odds", "main", "--rules", "switch", "--json"])
    document = json.loads(found.stdout)["main"]
    cards, aces, tens = 52 * document["decks"], 4 * document["decks"], 16 * document["decks"]
    dealers = Fraction(2 * aces * tens, cards * (cards - 1))
    both = dealers * Fraction(2 * (aces - 1) * (tens - 1), (cards - 2) * (cards - 3))
    assert document["game"] == "switch" and Fraction(document["edge"]["fraction"]) == dealers - both
    shown = CliRunner().invoke(build(), ["odds", "main", "--rules", "switch"]).stdout
    assert f"house edge {float(100 * (dealers - both)):.6f} % of both wagers together" in shown
