"""Wagers on the dealer's finished hand: every hand that he can draw, counted without replacement from a full shoe.

No player's card is known, and the dealer always draws, as the rules have him draw for such a wager. What a wager pays
depends on the values of his cards, on their number, and on which suits are among them. So one hand of each such kind is
looked at, and its kind is counted: hands whose suits all lie within so many suits first, then those that have all of
them, by inclusion and exclusion.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from math import comb, perm
from typing import Final

from shoetool.model.cards import VALUES as VALUE_OF
from shoetool.odds.deals import Counted, Faces
from shoetool.odds.draws import blackjack_hole, dealer_draws, drawn_values
from shoetool.odds.holding import Held, WatchedRules
from shoetool.odds.shoe import NOTHING, VALUES, Counts, plus
from shoetool.rules.wagers import View

NO_PLAYER: Final[Faces] = (-1, -1)
"""In place of a player's cards, of which none are known."""
OF_NO_HAND: Final = ("initial", "first", "second", "hands", "third")
"""What no hand of the dealer tells: a predicate that looks at it fails."""


class FinishedHands:
    """The dealer's hands for one wager. deck: the faces of one deck. h17: whether he draws to a soft 17."""

    def __init__(self, deck: Sequence[int], h17: bool, rules: WatchedRules, held: Callable[[View], Held]) -> None:
        faces = _faces(deck)
        self._number_of = [len(ranks) for ranks in faces]
        self._rows: list[tuple[Counts, int, dict[int, Counter[Held]]]] = []
        """The values of a hand, in how many orders they come, and by the number of its suits what then holds."""
        for up in range(VALUES):
            for drawn, orders in _ends(up, h17) if faces[up] else ():
                hand = plus(drawn, up)
                if any(number and not ranks for number, ranks in zip(hand, faces, strict=True)):
                    continue
                holds = {
                    suits: Counter(
                        held(View(rules, NO_PLAYER, _hand(up, drawn, faces, chosen)).lacking(*OF_NO_HAND))
                        for chosen in combinations(range(4), suits)
                    )
                    for suits in range(1, min(4, sum(hand)) + 1)
                }
                self._rows.append((hand, orders, holds))

    def of(self, decks: int) -> Counted:
        """In how many ways each set of outcomes comes to hold with so many decks, by the number of the cards."""
        found: Counted = defaultdict(lambda: defaultdict(int))
        shoes = [[decks * suits * number for number in self._number_of] for suits in range(5)]
        for hand, orders, holds in self._rows:
            # Ways to draw the hand, all of its suits being among so many given ones.
            within = [orders * _ways(hand, shoe) for shoe in shoes]
            if not within[4]:
                continue
            cards = sum(hand)
            for suits, sets in holds.items():
                ways = sum((-1) ** (suits - some) * comb(suits, some) * within[some] for some in range(1, suits + 1))
                for outcomes, times in sets.items():
                    found[cards][outcomes] += ways * times
        return found


def _faces(deck: Sequence[int]) -> list[list[int]]:
    """By value 0 to 9, the ranks that have it."""
    ranks: list[list[int]] = [[] for _ in range(VALUES)]
    for card in deck:
        if card % 13 not in ranks[VALUE_OF[card] - 1]:
            ranks[VALUE_OF[card] - 1].append(card % 13)
    assert Counter(card // 13 for card in deck) == dict.fromkeys(range(4), len(deck) // 4), "all suits are alike"
    return ranks


def _ends(up: int, h17: bool) -> Iterator[tuple[Counts, int]]:
    """Each set of cards that finishes the hand, a Blackjack among them, and in how many orders it comes."""
    yield from dealer_draws(up, h17).ends.items()
    hole = blackjack_hole(up)
    if hole is not None:
        yield plus(NOTHING, hole), 1


def _ways(hand: Counts, shoe: Sequence[int]) -> int:
    ways = 1
    for number, have in zip(hand, shoe, strict=True):
        ways *= perm(have, number)
    return ways


def _hand(up: int, drawn: Counts, faces: Sequence[Sequence[int]], suits: Sequence[int]) -> Faces:
    """One hand with these values, the up card first, in which just these suits occur."""
    values = [up, *drawn_values(up, drawn)]
    return tuple(
        13 * (suits[place] if place < len(suits) else suits[0]) + faces[value][0] for place, value in enumerate(values)
    )
