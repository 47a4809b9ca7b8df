"""Wagers on the cards that a player draws: what follows when he draws for the wager alone, or never draws.

A player with two cards that more may change looks at the dealer's up card and has these options: he draws as long as a
card may change what the wager wins; he never draws; where one more card decides, he may also split, once. The dealer's
Blackjack ends the round before he draws; a wager may then be dealt a card of its own.

Faces that the wager does not tell apart, and that count alike, are counted as one kind.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import product
from typing import Final

from shoetool.model.cards import VALUES as VALUE_OF
from shoetool.odds.deals import Counted, Faces, kinds_of
from shoetool.odds.draws import blackjack_hole
from shoetool.odds.holding import Held, WatchedRules
from shoetool.odds.plays import Situation, nothing_counted
from shoetool.odds.shoe import Shoe
from shoetool.rules.round import Hand
from shoetool.rules.wagers import View, Wager

_NO_DEALER: Final = (-1, -1)
_THIRD: Final = "two_cards_and_third"
"""The subject of a wager that one more card decides: the first that the player is dealt, of a split hand too."""

_Rows = Counter[tuple[Faces, int | None, Held]]
"""How often some kinds come, by an example of each; the value that the hole card may not have; what then holds."""


class OwnCards:
    """The situations of one wager. deck: the faces of one deck."""

    def __init__(self, wager: Wager, deck: Sequence[int], rules: WatchedRules, held: Callable[[View], Held]) -> None:
        assert wager.growth is not None, "a wager on drawn cards says what they may change"
        self._growth, self._wager, self._rules, self._held = wager.growth, wager, rules, held
        self._faces_of = kinds_of(deck, wager.kind)
        self._situations: list[tuple[_Rows, ...]] = []
        for_good: _Rows = Counter()
        for two in product(self._faces_of, repeat=2):
            if self._growth.may_change(two):
                self._situations += [self._options(two, up) for up in self._faces_of]
            else:
                for_good[two, None, held(_alone(rules, two))] += 1
        self._situations.append((for_good,))

    def of(self, shoe: Shoe) -> list[Situation]:
        """One for each two cards that more may change with each up card, and one for all others."""
        return [tuple(self._counted(rows, shoe) for rows in options) for options in self._situations]

    def at_most(self, shoe: Shoe) -> None:
        """Splits are an option where they change something, or left out."""
        return

    def _options(self, two: Faces, up: int) -> tuple[_Rows, ...]:
        """What follows when he draws, when he does not, and when he splits."""
        ended = self._ended(two, up)
        plays = [self._drawing(two), iter([(Hand(1, two, 1),)])]
        if self._wager.cards == _THIRD and VALUE_OF[two[0]] == VALUE_OF[two[1]]:
            plays.append(self._splitting(two))
        return tuple(ended + self._played(two, up, hands) for hands in plays)

    def _played(self, two: Faces, up: int, plays: Iterator[tuple[Hand, ...]]) -> _Rows:
        """What holds for each way in which the hands may end when the dealer has no Blackjack."""
        found: _Rows = Counter()
        hole = blackjack_hole(VALUE_OF[up] - 1)
        for hands in plays:
            drawn = tuple(card for hand in hands for card in hand.cards[2 // len(hands) :])
            view = View(self._rules, two, (up,), hands, third=drawn[0] if drawn else None).lacking("dealer")
            found[(*two, up, *drawn), hole, self._held(view)] += 1
        return found

    def _drawing(self, two: Faces) -> Iterator[tuple[Hand, ...]]:
        """The hand as it ends when he draws as long as a card may change what the wager wins."""
        latest = [two]
        while latest:
            cards = latest.pop()
            if self._growth.may_change(cards):
                latest += [(*cards, more) for more in self._faces_of]
            else:
                yield (Hand(1, cards, 1),)

    def _splitting(self, two: Faces) -> Iterator[tuple[Hand, ...]]:
        """Both hands of a pair that is split, each with one more card."""
        for more in product(self._faces_of, repeat=2):
            yield tuple(Hand(1 + place, (two[place], more[place]), 1, from_split=True) for place in (0, 1))

    def _ended(self, two: Faces, up: int) -> _Rows:
        """What holds when the dealer has a Blackjack: the wager may be dealt a card of its own."""
        found: _Rows = Counter()
        hole = blackjack_hole(VALUE_OF[up] - 1)
        extra = self._wager.extra
        for last in self._faces_of:
            if hole is None or VALUE_OF[last] != hole + 1:
                continue
            view = View(self._rules, two, (up, last), (Hand(1, two, 1, end="dealer_blackjack"),))
            if extra is None or not extra.due(view):
                found[(*two, up, last), None, self._held(view)] += 1
                continue
            for third in self._faces_of:
                view.third = third
                found[(*two, up, last, third), None, self._held(view)] += 1
        return found

    def _counted(self, rows: _Rows, shoe: Shoe) -> Counted:
        found = nothing_counted()
        size = shoe.decks * len(shoe.deck)
        for (faces, hole, held), times in rows.items():
            ways = times
            left = {face: shoe.decks * number for face, number in self._faces_of.items()}
            for face in faces:
                ways *= left[face]
                left[face] -= 1
            cards = len(faces)
            if ways and hole is not None:
                ways *= size - cards - sum(number for face, number in left.items() if VALUE_OF[face] == hole + 1)
                cards += 1
            if ways:
                found[cards][held] += ways
        return found


def _alone(rules: WatchedRules, two: Faces) -> View:
    """Of two cards that no other one changes: a predicate that looks at the dealer's fails."""
    return View(rules, two, _NO_DEALER, (Hand(1, two, 1),)).lacking("up", "dealer", "dealer_blackjack")
