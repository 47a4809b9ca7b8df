"""The optional wagers on the dealer's finished hand: what the hands that he played made of them, beside their chances.

The chance of each hand is that from the cards that were left when he began to draw, so how the players play cannot
shift it. His Blackjacks are not among them: they are counted by themselves (`dealer naturals`). What most of these
wagers pay depends on what his cards count and on how many there are, which is counted here. `dealer_suits` has what
suits make of Push 22, and `dealer_poker` all of AxMan.
"""

from __future__ import annotations

from functools import cache
from typing import Final

import numpy as np

from shoetool.audit.dealer_law import ENDINGS, ending
from shoetool.audit.first_hands import held_of, member, place_of, rules_of
from shoetool.audit.line import Farthest, Line, of_farthest
from shoetool.audit.told import Cells, Dealt
from shoetool.odds.draws import dealer_draws, drawn_values
from shoetool.odds.finished import NO_PLAYER, OF_NO_HAND
from shoetool.odds.shoe import VALUES
from shoetool.odds.wager import ON_THE_DEALER
from shoetool.rules.wagers import WAGERS, View, Wager

_WHAT: Final = "outcomes of each optional wager on the dealer's hand, by the hands that he played"
_NONE: Final = "no hand of the dealer is known of a game with such a wager"
_LAW: Final = (
    "exact chances from the cards still to come: chi-square of all outcomes; and for each outcome, and for all that "
    "win, the law with its mean and variance; the smallest p times their number"
)


def dealer_wager_lines(dealt: Dealt) -> list[Line]:
    """The test that is farthest from its chances, of all wagers that could be made at these games. Where a wager asks
    for suits, they have a test of their own."""
    found = Farthest()
    for wager in WAGERS.values():
        parts = ("", _of_endings(wager, dealt)), (" (ranks)", dealt.of_ranks), (" (suits)", dealt.of_suits)
        for part, of_wagers in parts:
            if wager.key in of_wagers and of_wagers[wager.key].seen.sum():
                found.add(member(wager, of_wagers[wager.key], part))
    return [of_farthest("wagers on the dealer", _WHAT, "hands", found, _LAW, _NONE)]


def _of_endings(wager: Wager, dealt: Dealt) -> dict[str, Cells]:
    """What count and number of his cards made of a wager, by its key: a cell for each outcome, and a loss last."""
    cells = Cells(len(wager.outcomes) + 1)
    for game, endings in dealt.endings.items() if wager.cards == ON_THE_DEALER else ():
        if game in wager.games:
            to = np.eye(len(cells.seen))[list(places(wager.key, game))]
            cells.seen += endings.seen @ to
            cells.mean += endings.mean @ to
            cells.covariance += to.T @ endings.covariance @ to
    return {wager.key: cells}


@cache
def places(key: str, game: str) -> tuple[int, ...]:
    """Of each count and number of cards, in the order of `Dealt.endings`: which outcome of a wager it is. A loss comes
    behind the outcomes, and so does what cannot be."""
    found = [len(WAGERS[key].outcomes)] * ENDINGS
    for up in range(VALUES):
        draws = dealer_draws(up)
        for drawn in draws.ends:
            found[ending(draws.final_of(drawn), 1 + sum(drawn))] = outcome(
                key, game, hand((up, *drawn_values(up, drawn)))
            )
    return tuple(found)


def outcome(key: str, game: str, dealer: tuple[int, ...]) -> int:
    """The place of the outcome of a dealer's finished hand."""
    view = View(rules_of(key, game), NO_PLAYER, dealer).lacking(*OF_NO_HAND)
    return place_of(key, held_of(key, game)(view))


def hand(values: tuple[int, ...], suits: int = 0b1111) -> tuple[int, ...]:
    """A hand of these values, 0 the ace to 9 a ten-count card, in suits that take turns. suits: which, a bit for each;
    of all four, no hand is of one suit or color."""
    some = [suit for suit in range(4) if suits >> suit & 1]
    return tuple(value + 13 * some[place % len(some)] for place, value in enumerate(values))
