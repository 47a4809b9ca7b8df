"""Blackjack Switch, 633a.12(a): the best play of two hands whose second cards may change places.

A player sees all four cards before he says whether he switches. He switches when the two hands are then worth more
together, each played on by the choices of `Play`, with the other hand's two cards out of the shoe. What the other hand
draws tells nothing about a hand, so the worth of both is a sum.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from functools import cache
from itertools import product
from typing import NamedTuple

from shoetool.odds.against import Against
from shoetool.odds.best_play import ROUNDS, Hand, Search, best_pairs, best_play
from shoetool.odds.play import Play, pair_of
from shoetool.odds.play_rules import REAL
from shoetool.odds.shoe import NOTHING, VALUES, Counts, best_count, plus

OfTwo = Callable[[Counts, Counts, bool], int]
"""(two cards, the two cards of the other hand, whether the second cards were switched): what the hand is worth."""


class Kept(NamedTuple):
    """The two hands that a player plays on with.

    hands: their cards. worth: of both. ways: in how many ways the four cards are dealt so.
    """

    hands: tuple[Counts, Counts]
    switched: bool
    worth: int
    ways: int


def best_switch_play(against: Against) -> Play:
    """The best play against one up card. AssertionError when the choices go round in a circle.

    The one choice for all hands of one count is the best over these hands, each as often as the exchange leaves it,
    with the other hand's cards not looked at. That leaves them out of a choice, never out of a worth (`kept_hands`).
    """
    play = best_play(against)
    for _ in range(ROUNDS):
        begun = _begun(play)
        choices = {REAL: Search(against, REAL, begun, plain=False).found()}
        better = Play(against, choices, play.pairs)
        better = Play(against, choices, best_pairs(better))
        if (better.choices, better.pairs) == (play.choices, play.pairs):
            return play
        play = better
    raise AssertionError("the choices settle")


def kept_hands(shoe: Counts, of_two: OfTwo) -> Iterator[Kept]:
    """Every deal of four cards from this shoe, with the two hands that are worth more."""
    for first, second, third, fourth in product(range(VALUES), repeat=4):
        ways, left = 1, shoe
        for value in (first, second, third, fourth):
            ways *= max(left[value], 0)
            left = plus(left, value, -1)
        if ways:
            dealt, switched = ((_two(first, b), _two(third, d)) for b, d in ((second, fourth), (fourth, second)))
            choices = [
                Kept((one, other), exchange, of_two(one, other, exchange) + of_two(other, one, exchange), ways)
                for (one, other), exchange in ((dealt, False), (switched, True))
            ]
            yield max(choices, key=lambda kept: kept.worth)  # where both are worth the same, nothing is switched


def worth_of_two(play: Play) -> int:
    """The worth of both hands together, over all deals; `Against` says in which unit."""
    return sum(kept.ways * kept.worth for kept in kept_hands(play.against.shoe, cache(play.of_two)))


def _begun(play: Play) -> dict[Hand, int]:
    """Every hand that the exchange leaves, is not split and can draw, and in how many ways it comes."""
    alone = cache(lambda cards, switched: play.of_two(cards, NOTHING, switched))
    found: dict[Hand, int] = defaultdict(int)
    for kept in kept_hands(play.against.shoe, lambda cards, _, switched: alone(cards, switched)):
        for cards in kept.hands:
            value = pair_of(cards)
            if best_count(cards)[0] < 21 and not (value is not None and play.pairs.split[value]):
                found[cards, NOTHING] += kept.ways
    return dict(found)


@cache
def _two(first: int, second: int) -> Counts:
    return plus(plus(NOTHING, first), second)
