"""The suits of the dealer's hand, where an optional wager on its count asks for them too: Push 22.

What his cards make in any suits is counted by itself (`dealer_wagers`). Here are the hands at which suits matter, and
what they made more of them. The chances are those once his values are known, from the cards that were left when he
began to draw.
"""

from __future__ import annotations

from functools import cache
from math import comb, prod
from typing import Final

import numpy as np

from shoetool.audit.dealer_law import ending, value_of
from shoetool.audit.dealer_wagers import hand, outcome
from shoetool.audit.told import Array, Cells, Dealt, Play
from shoetool.odds.draws import dealer_draws, drawn_values
from shoetool.odds.shoe import VALUES
from shoetool.odds.wager import ON_THE_DEALER
from shoetool.rules.wagers import WAGERS

_SETS: Final = range(1, 1 << 4)
"""Every set of suits, a bit for each suit."""


def settle_suits(noted: list[tuple[Dealt, Play]]) -> None:
    """Add what the suits of these hands made of every wager on the dealer's count."""
    for wager in WAGERS.values():
        if wager.cards != ON_THE_DEALER:
            continue
        cells = len(wager.outcomes) + 1
        for dealt, play in noted:
            of_sets = by_suits(wager.key, play.game).get(play.ended) if play.game in wager.games else None
            if of_sets is not None:
                more = {one: cells - 1 if made == of_sets[_SETS[-1]] else made for one, made in of_sets.items()}
                chances = np.zeros(cells)
                np.add.at(chances, list(more.values()), suit_chances(play.dealer, play.left))
                dealt.of_suits.setdefault(wager.key, Cells(cells)).trial(more[suits_of(play.dealer)], chances)


@cache
def by_suits(key: str, game: str) -> dict[int, dict[int, int]]:
    """The endings at which suits matter to a wager: its outcome for each set of suits, in order."""
    found: dict[int, dict[int, int]] = {}
    for up in range(VALUES):
        draws = dealer_draws(up)
        for drawn in draws.ends:
            at = ending(draws.final_of(drawn), 1 + sum(drawn))
            if at not in found:
                values = (up, *drawn_values(up, drawn))
                found[at] = {one: outcome(key, game, hand(values, one)) for one in _SETS}
    return {at: of_sets for at, of_sets in found.items() if len(set(of_sets.values())) > 1}


def suits_of(dealer: tuple[int, ...]) -> int:
    """The set of the suits of these cards."""
    return sum({1 << card // 13 for card in dealer})


def suit_chances(dealer: tuple[int, ...], left: tuple[int, ...]) -> Array:
    """How likely each set of suits is that of his cards once his values are known, in order: 15 numbers.

    left: how many cards of each face there were to draw from, his hole card among them.
    """
    up, *drawn = dealer
    values = [value_of(card % 13) for card in drawn]
    there = {value: [0] * 4 for value in values}
    for face, number in enumerate(left):
        if value_of(face % 13) in there:
            there[value_of(face % 13)][face // 13] += number
    chances = np.zeros(1 + len(_SETS))
    for one in _SETS:
        if one >> up // 13 & 1:  # all cards lie within these suits
            chances[one] = prod(
                comb(sum(number for suit, number in enumerate(of_suits) if one >> suit & 1), values.count(value))
                / comb(sum(of_suits), values.count(value))
                for value, of_suits in there.items()
            )
    for suit in range(4):  # and within no fewer of them
        for one in _SETS:
            if one >> suit & 1:
                chances[one] -= chances[one ^ 1 << suit]
    return chances[1:]
