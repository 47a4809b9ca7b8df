"""The optional wagers on the dealer's finished hand: what the hands that he played made of them, beside their chances.

The chance of each hand is that from the cards that were left when he began to draw, so how the players play cannot
shift it. His Blackjacks are not among them: they are counted by themselves (`dealer naturals`). What such a wager pays
depends on what his cards count and on how many there are; only Push 22 asks for their suits too, which is left out.
"""

from __future__ import annotations

from functools import cache
from typing import Final

import numpy as np

from shoetool.audit.dealer_law import COUNTS, NUMBERS, count_place, number_place
from shoetool.audit.first_hands import held_of, member, place_of, rules_of
from shoetool.audit.line import Farthest, Line, of_farthest
from shoetool.audit.told import Cells, Dealt
from shoetool.odds.draws import dealer_draws, drawn_values
from shoetool.odds.finished import NO_PLAYER, OF_NO_HAND
from shoetool.odds.shoe import VALUES
from shoetool.odds.wager import ON_THE_DEALER
from shoetool.rules.wagers import WAGERS, View

_WHAT: Final = "outcomes of each optional wager on the dealer's hand (of any suits), by the hands that he played"
_LAW: Final = (
    "exact chances from the cards still to come: chi-square of all outcomes, and law with the mean and variance of all "
    "that win, twice the smaller"
)


def dealer_wager_lines(dealt: Dealt) -> list[Line]:
    """The test: the wager that is farthest from its chances, of all that could be made at these games."""
    found = Farthest()
    for wager in WAGERS.values():
        cells = Cells(len(wager.outcomes) + 1)
        for game, endings in dealt.endings.items() if wager.cards == ON_THE_DEALER else ():
            if game in wager.games:
                _merge(cells, endings, places(wager.key, game))
        if cells.seen.sum():
            found.add(member(wager, cells))
    return [of_farthest("wagers on the dealer", _WHAT, "hands that win", found, _LAW, "no hand of the dealer is known")]


def _merge(cells: Cells, endings: Cells, into: tuple[int, ...]) -> None:
    """Add cells of the dealer's endings, each to that of its outcome."""
    to = np.eye(len(cells.seen))[list(into)]
    cells.seen += endings.seen @ to
    cells.mean += endings.mean @ to
    cells.covariance += to.T @ endings.covariance @ to


@cache
def places(key: str, game: str) -> tuple[int, ...]:
    """Of each count and number of cards, in the order of `Dealt.endings`: which outcome of a wager it is. A loss comes
    behind the outcomes, and so does what cannot be."""
    found = [len(WAGERS[key].outcomes)] * (len(COUNTS) * len(NUMBERS))
    for up in range(VALUES):
        draws = dealer_draws(up)
        for drawn in draws.ends:
            cell = count_place(draws.final_of(drawn)) * len(NUMBERS) + number_place(1 + sum(drawn))
            found[cell] = outcome(key, game, hand((up, *drawn_values(up, drawn))))
    return tuple(found)


def outcome(key: str, game: str, dealer: tuple[int, ...]) -> int:
    """The place of the outcome of a dealer's finished hand."""
    view = View(rules_of(key, game), NO_PLAYER, dealer).lacking(*OF_NO_HAND)
    return place_of(key, held_of(key, game)(view))


def hand(values: tuple[int, ...]) -> tuple[int, ...]:
    """A hand of these values, 0 the ace to 9 a ten-count card, in suits that take turns: of no one suit or color."""
    return tuple(value + 13 * (place % 2) for place, value in enumerate(values))
