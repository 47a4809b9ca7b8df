"""The audit's means, variances and laws, each against every order of a small batch, or against the plain sum."""

from __future__ import annotations

import random
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import pairwise, permutations
from math import comb, isclose

import numpy as np
import pytest
from shoetool.audit import between
from shoetool.audit.dealer_law import COUNTS, NUMBERS, RESULTS, ending_chances, final_chances
from shoetool.audit.deck import FACES, UNREAD, Deck
from shoetool.audit.line import Line, judge
from shoetool.audit.moments import natural_law, order_chance, pair_law, pairs_within, sum_of_products
from shoetool.audit.tails import binomial, cells_tail, count_tail, hypergeometric_sum, tail_of
from shoetool.audit.within import NEIGHBOURS, longest_sequence, sequence_bound
from shoetool.odds.dealer import BUST, after_reader, dealer_results
from shoetool.odds.shoe import Shoe, without


@dataclass
class SmallDeck:
    """A batch of 8 cards."""

    cards: tuple[int, ...]
    decks: int = 4

    @property
    def size(self) -> int:
        return len(self.cards)

    @property
    def copies(self) -> np.ndarray:
        return np.bincount(self.cards, minlength=FACES)


SMALL = SmallDeck((0, 0, 0, 0, 13, 13, 1, 14))  # four A♣, two A♦, a 2♣, a 2♦


@cache
def orders(cards: tuple[int, ...] = SMALL.cards) -> tuple[tuple[int, ...], ...]:
    """Every order of the cards, those that look alike once: each stands for as many, so all are equally likely."""
    return tuple(set(permutations(cards)))


def moments(values: list[int]) -> tuple[Fraction, Fraction]:
    mean = Fraction(sum(values), len(values))
    return mean, Fraction(sum(value * value for value in values), len(values)) - mean * mean


@pytest.mark.parametrize("kind", NEIGHBOURS)
@pytest.mark.parametrize("unread", [(), (2,), (3, 7)], ids=str)
def test_neighbours_have_the_mean_and_variance_of_all_orders(kind: str, unread: tuple[int, ...]) -> None:
    weights = NEIGHBOURS[kind][1]
    known = np.array([place not in unread for place in range(7)])  # the last card did not come
    places = [at for at in range(6) if known[at] and known[at + 1]]
    sums = [sum(int(weights[one[at], one[at + 1]]) for at in places) for one in orders()]
    assert pair_law(weights, SMALL.copies).of(pairs_within(known, 1)) == moments(sums)


@pytest.mark.parametrize("seed", [1, 2])
def test_any_weights_over_pairs_within_three_places_have_it_too(seed: int) -> None:
    rng = np.random.default_rng(seed)
    weights = rng.integers(0, 4, (FACES, FACES))
    known = rng.random(8) < 0.8
    pairs = [(a, b) for a in range(8) for b in range(a + 1, min(a + 4, 8)) if known[a] and known[b]]
    sums = [sum(int(weights[one[a], one[b]]) for a, b in pairs) for one in orders()]
    assert pair_law(weights, SMALL.copies).of(pairs_within(known, 3)) == moments(sums)


def test_near_neighbours_of_the_shoe_before_have_the_mean_and_variance_of_all_orders() -> None:
    before = bytes((0, 1, 0, 13, UNREAD, 14, 0, 0))
    found = [between.near(before, bytes(one[:7]), SMALL) for one in orders()]  # type: ignore[arg-type]
    for way in (0, 1):
        mean, variance = moments([int(one[way][0]) for one in found])
        assert isclose(found[0][way][1], mean) and isclose(found[0][way][2], variance)


@pytest.mark.parametrize("unread", [None, 2, 5])
def test_runs_of_the_shoe_before_have_the_mean_of_all_orders(unread: int | None) -> None:
    before = bytes((0, 1, 0, 13, 13, 0, 0, 14))
    found = []
    for one in orders():
        after = [UNREAD if at == unread else face for at, face in enumerate(one)]
        found.append(between.runs(before, bytes(after), SMALL))  # type: ignore[arg-type]
    mean = Fraction(sum(one[0] for one in found), len(found))
    assert mean > 0 or unread is not None
    assert isclose(found[0][1], mean, abs_tol=1e-12)


def test_the_bound_of_the_longest_run_holds_for_all_orders() -> None:
    before = bytes((0, 1, 0, 13, 13, 0, 0, 14))
    found = [between.runs(before, bytes(one), SMALL) for one in orders()]  # type: ignore[arg-type]
    lengths = [one[2] for one in found]
    assert max(lengths) == 8
    for length in (4, 5, 6, 7, 8):
        bound = next(one[3] for one in found if one[2] == length)
        assert sum(one >= length for one in lengths) / len(lengths) <= bound + 1e-12


def test_displacement_has_mean_0_and_variance_1_over_n_minus_1() -> None:
    before = bytes((0, 1, 0, 13, UNREAD, 14, 0, 0))
    for seen in (8, 5):
        found = [between.displacement(before, bytes(one[:seen]), SMALL) for one in orders()]  # type: ignore[arg-type]
        assert isclose(sum(found), 0, abs_tol=1e-6)
        assert isclose(sum(one * one for one in found) / len(found), 1 / 7, rel_tol=1e-9)


def test_the_bound_of_a_sequence_is_the_expected_number_of_them() -> None:
    """Of a batch of 6 cards of one suit, with each order that it can have."""
    cards = (0, 1, 2, 3, 4, 9)
    steps = [np.array([b == a + 1 for a, b in pairwise(one)]) for one in orders(cards)]
    lengths = [longest_sequence(one) for one in steps]
    assert max(lengths) == 5 and min(lengths) == 1
    counted = [sum(bool(one[at : at + 3].all()) for at in range(3)) for one in steps]  # 4 cards from places 1 to 3
    deck = SmallDeck(cards, decks=1)
    assert isclose(sequence_bound(4, 3, deck), sum(counted) / len(counted))  # type: ignore[arg-type]
    assert sum(length >= 4 for length in lengths) / len(lengths) <= sequence_bound(4, 3, deck)  # type: ignore[arg-type]


def test_naturals_have_the_chance_of_all_deals() -> None:
    cards = (0, 0, 9, 12, 4, 5, 6)  # two aces, two ten-counts
    deals = orders(cards)
    naturals = [[sorted((deal[a] == 0, deal[a] > 8)) == [False, True] and {deal[a], deal[b]} & {9, 12} != set() and 0
                 in (deal[a], deal[b]) for a, b in ((0, 2), (1, 3))] for deal in deals]  # fmt: skip
    one, both = natural_law(2, 2, 7)
    assert one == Fraction(sum(hand[0] for hand in naturals), len(deals))
    assert both == Fraction(sum(all(hand) for hand in naturals), len(deals))


def test_an_order_of_faces_has_the_chance_of_all_orders() -> None:
    wanted = (0, 13, 0)
    share = Fraction(sum(one[2:5] == wanted for one in orders()), len(orders()))
    assert order_chance(bytes(wanted), SMALL.copies) == share


def test_a_sum_of_products_has_the_mean_and_variance_of_all_orders() -> None:
    values, weights = np.array([1.0, 5, 2, 2, 9, 0, 3]), np.array([2.0, 0, 0, 1, 4, 4, 7])
    sums = [float(np.array(one) @ weights) for one in permutations(values)]
    _, mean, variance = sum_of_products(values, weights)
    assert isclose(mean, np.mean(sums)) and isclose(variance, np.var(sums))


def test_the_law_of_a_face_is_the_sum_of_hypergeometric_ones() -> None:
    draws = {(312, 6, 234): 3, (312, 6, 200): 1, (416, 8, 300): 2}
    plain = np.ones(1)
    for (size, copies, drawn), number in draws.items():
        ways = comb(size, drawn)
        own = [comb(copies, k) * comb(size - copies, drawn - k) / ways for k in range(copies + 1)]
        for _ in range(number):
            plain = np.convolve(plain, own)
    first, law = hypergeometric_sum(draws)
    assert first == 0 and np.allclose(law[: len(plain)], plain, atol=1e-13)
    assert isclose(tail_of((first, law), 12), min(1, 2 * plain[:13].sum()), rel_tol=1e-6)
    many = hypergeometric_sum({(312, 6, 234): 100_000})
    assert isclose((many[1] * (many[0] + np.arange(len(many[1])))).sum(), 450_000, rel_tol=1e-9)


def test_the_dealers_law_is_that_of_odds() -> None:
    rng = random.Random(3)
    for up in range(10):
        lefts = []
        for _ in range(3):
            left = without(Shoe.of("blackjack", 6).counts, (up,))
            for _ in range(rng.randrange(200)):
                left = without(left, (rng.choice([value for value in range(10) if left[value]]),))
            lefts.append(left)
        for left, chances in zip(lefts, final_chances(ending_chances(up, np.array(lefts))), strict=True):
            exact = after_reader(dealer_results(left, up))
            told = [exact.get(total, 0) for total in RESULTS[:-1]]
            told.append(sum(chance for total, chance in exact.items() if total >= BUST))
            assert np.allclose(chances, [float(one) for one in told], atol=1e-12)


@pytest.mark.parametrize("up", [0, 1, 5, 9])
def test_the_dealers_count_and_number_of_cards_come_as_often_as_card_by_card(up: int) -> None:
    """Drawn one by one from a shoe of few cards, with 17 to stand on and an ace of 1 or 11."""
    left = [3, 2, 2, 1, 2, 1, 1, 2, 1, 4]
    found = np.zeros((len(COUNTS), len(NUMBERS)))

    def draw(cards: list[int], chance: float) -> None:
        points = sum(min(value, 9) + 1 for value in cards)
        points += 10 if 0 in cards and points <= 11 else 0
        if points >= 17:
            if points < 21 or len(cards) > 2:  # two that count 21 are a Blackjack
                found[min(points, 23) - 17, min(len(cards), 8) - 2] += chance
            return
        for value in range(10):
            if left[value]:
                left[value] -= 1
                draw([*cards, value], chance * (left[value] + 1) / (sum(left) + 1))
                left[value] += 1

    draw([up], 1.0)
    assert np.count_nonzero(found) > 12
    assert np.allclose(ending_chances(up, np.array([left, left]))[1], found / found.sum(), atol=1e-12)


@pytest.mark.parametrize(("trials", "chance"), [(30, 0.1), (400, 0.4)])
def test_a_count_of_independent_trials_has_the_binomial_tail(trials: int, chance: float) -> None:
    law = [comb(trials, k) * chance**k * (1 - chance) ** (trials - k) for k in range(trials + 1)]
    for observed in (0, 2, 5, 160, 190):
        if observed > trials:
            continue
        exact = min(1.0, 2 * min(sum(law[: observed + 1]), sum(law[observed:])))
        assert isclose(count_tail(observed, trials * chance, trials * chance * (1 - chance)), exact, rel_tol=1e-6)
        assert isclose(binomial(observed, trials, chance), exact, rel_tol=1e-9)


def test_cells_with_a_small_expectation_are_merged() -> None:
    mean = np.array([50.0, 40.0, 2.0, 1.0, 3.0])
    total = mean.sum()
    covariance = np.diag(mean) - np.outer(mean, mean) / total
    found = cells_tail(np.array([50.0, 40.0, 6.0, 0.0, 0.0]), mean, covariance)
    assert found is not None and found[1] == 2 and isclose(found[0], 0, abs_tol=1e-9)
    mean = np.array([3.0, 3.0, 3.0, 3.0, 4.0])  # the last alone is too small: it goes to those before it
    found = cells_tail(np.array([2.0, 4.0, 1.0, 1.0, 8.0]), mean, np.diag(mean) - np.outer(mean, mean) / 16)
    assert found is not None and found[1] == 1 and isclose(found[0], 0, abs_tol=1e-9)
    assert cells_tail(np.ones(2), np.ones(2), np.eye(2)) is None


def test_holm_judges_all_tests_together() -> None:
    lines = [Line("a", "", p=0.0002), Line("b", "", p=0.0004), Line("c", "", p=0.5), Line("d", "", p=None)]
    judge(lines, 0.001)
    assert [line.verdict for line in lines] == ["not as expected", "not as expected", "as expected", "not tested"]
    assert lines[0].adjusted == pytest.approx(0.0006) and lines[1].adjusted == pytest.approx(0.0008)
    judge(lines, 0.0007)
    assert [line.expected_so for line in lines[:3]] == [False, True, True]


def test_a_batch_has_the_cards_of_its_decks() -> None:
    assert Deck(6, False).size == Deck(6, False).copies.sum() == 312
    assert Deck(8, True).size == Deck(8, True).copies.sum() == 384 and Deck(8, True).ranks[9] == 0
