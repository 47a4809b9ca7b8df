"""The optional wagers on the dealer's hand as a poker hand: AxMan.

There are two tests, both from the cards that were left when he began to draw. One is what his ranks made, as if no suit
were shared by enough cards; the card that may be wild counts as a rank of its own. The other is what his suits made
more of them, by the chances once these ranks are known.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from math import comb, factorial, prod
from typing import Final

import numpy as np

from shoetool.audit.dealer_law import EndLaw, value_of
from shoetool.audit.deck import by_rank
from shoetool.audit.first_hands import held_of, place_of, rules_of
from shoetool.audit.told import Array, Cells, Dealt, Play, of_each
from shoetool.odds.draws import dealer_draws
from shoetool.odds.shared_suits import Hand, SharedSuits
from shoetool.odds.shoe import Counts, plus
from shoetool.odds.wager import ON_A_POKER_HAND
from shoetool.rules.games import GAMES
from shoetool.rules.wagers import WAGERS

_WILD: Final = 13
"""The kind of the card that may be wild. The kinds 0 to 12 are the other cards by their rank."""
_MARKS: Final = ((), *((suit,) for suit in range(4)), *((one, two) for two in range(4) for one in range(two)))
"""No suit, each suit and each two of them. No dealer's hand is so long that enough of its cards share three."""
_Way = tuple[list[tuple[list[int], int]], list[tuple[int, int]]]
"""Faces that are alike, and how many cards of a hand are of them; and the places of what it makes, each with its number
(`SharedSuits.ways`)."""


def settle_poker(noted: list[tuple[Dealt, Play]]) -> None:
    """Add what these hands made of every wager on the dealer's poker hand."""
    for wager in WAGERS.values():
        for game in wager.games if wager.cards == ON_A_POKER_HAND else ():
            some = [(dealt, play) for dealt, play in noted if play.game == game]
            if some:
                poker_hands(wager.key, game).settle(some)


@cache
def poker_hands(key: str, game: str) -> DealerPokerHands:
    """The hands of one wager at a game, made once."""
    return DealerPokerHands(key, game)


class DealerPokerHands:
    """What the dealer's hands make of one wager."""

    def __init__(self, key: str, game: str) -> None:
        by = WAGERS[key].multiplier
        assert by is not None, "such a wager has one"
        self._key, self._card = key, by.card
        self._suits = SharedSuits(by.card, GAMES[game].deck, rules_of(key, game), held_of(key, game))
        self._cells = len(WAGERS[key].outcomes) + 1
        self._laws: dict[int, EndLaw] = {}
        self._plain: dict[Hand, int] = {}
        self._ways: dict[Hand, list[_Way]] = {}

    def settle(self, noted: list[tuple[Dealt, Play]]) -> None:
        """Add these hands, all of one up card at once."""
        for kind in range(_WILD + 1):
            some = [(dealt, play) for dealt, play in noted if self.kind(play.dealer[0]) == kind]
            if not some:
                continue
            by_ranks = self.law(kind).chances(self.kinds(np.array([play.left for _, play in some])))
            for dealt, part in of_each(some):
                plays = [play for _, play in some[part]]
                hands = [self.hand(play.dealer) for play in plays]
                cells = dealt.of_ranks.setdefault(self._key, Cells(self._cells))
                cells.trials(np.array([self.plain(one) for one in hands]), by_ranks[part])
                for play, one in zip(plays, hands, strict=True):
                    if self._has_suits(one):
                        self._settle_suits(play, self.plain(one), dealt)

    def _settle_suits(self, play: Play, plain: int, dealt: Dealt) -> None:
        lost = self._cells - 1
        place = list(range(self._cells))
        place[plain], place[lost] = lost, plain  # the last cell is that of suits that make no more of it
        cells = dealt.of_suits.setdefault(self._key, Cells(self._cells))
        cells.trial(place[self.outcome(play.dealer)], self.chances(play.dealer, play.left)[place])

    def outcome(self, dealer: tuple[int, ...]) -> int:
        """The place of what a hand makes; a loss is the last one."""
        return place_of(self._key, self._suits.holds(dealer))

    def law(self, up: int) -> EndLaw:
        """The places of what his ranks make from an up card of this kind, where no suit is shared by enough cards. He
        draws cards of the 14 kinds."""
        if up not in self._laws:
            ends = []
            for drawn, orders in self.drawn(up):
                *ranks, own = plus(drawn, up)
                ends.append((drawn, orders, self.plain((tuple(ranks), own))))
            self._laws[up] = EndLaw(ends, self._cells)
        return self._laws[up]

    def drawn(self, up: int) -> Iterator[tuple[Counts, int]]:
        """Yield all that he can draw to an up card of this kind, by kind, and in how many orders it comes."""
        for values, orders in dealer_draws(value_of(self._card % 13 if up == _WILD else up)).ends.items():
            for ranks, own in self._suits.of_values(values):
                of_kinds = prod(map(factorial, values)) // prod(map(factorial, (*ranks, own)))
                yield (*ranks, own), orders * of_kinds

    def plain(self, one: Hand) -> int:
        """The place of what a hand makes where no suit is shared by enough cards."""
        if one not in self._plain:
            self._plain[one] = place_of(self._key, self._suits.plain(one))
        return self._plain[one]

    def chances(self, dealer: tuple[int, ...], left: tuple[int, ...]) -> Array:
        """How likely each outcome is once his ranks are known, a loss last.

        left: how many cards of each face there were to draw from, his hole card among them.
        """
        up, *drawn = dealer
        ranks = Counter(card % 13 for card in drawn if card != self._card)
        free = [number * (face != self._card) for face, number in enumerate(left)]
        of_all = prod(comb(sum(free[rank::13]), number) for rank, number in ranks.items())
        chances = np.zeros(self._cells)
        for cells, made in self._ways_of(self.hand(dealer)):
            ways = 1
            for faces, number in cells:
                more = number - (up in faces)
                ways *= comb(sum(free[face] for face in faces), more) if more >= 0 else 0
            for place, times in made:
                chances[place] += times * ways / of_all
        return chances

    def hand(self, dealer: tuple[int, ...]) -> Hand:
        """A hand by its ranks, and by how many of it are the card that may be wild."""
        *ranks, own = np.bincount([self.kind(card) for card in dealer], minlength=_WILD + 1).tolist()
        return tuple(ranks), own

    def kind(self, card: int) -> int:
        """The kind of a card."""
        return _WILD if card == self._card else card % 13

    def kinds(self, faces: Array) -> Array:
        """Shape (rounds, 14): cards by kind. faces: shape (rounds, 52)."""
        own = faces[:, self._card]
        ranks = by_rank(faces)
        ranks[:, self._card % 13] -= own
        return np.concatenate((ranks, own[:, None]), axis=1)

    def _has_suits(self, one: Hand) -> bool:
        """Whether its suits can make something else of it."""
        return len(self._ways_of(one)) > 1

    def _ways_of(self, one: Hand) -> list[_Way]:
        if one not in self._ways:
            self._ways[one] = [
                (self._suits.cells(one[0], shared), [(place_of(self._key, held), n) for held, n in made.items()])
                for shared, made in self._suits.ways(one, _MARKS)
            ]
        return self._ways[one]
