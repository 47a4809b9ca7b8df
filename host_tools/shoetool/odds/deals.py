"""Wagers on the deal: every deal of the cards that a wager looks at, counted once for all numbers of decks.

A deal is a row of faces. With d decks it can come in d ways for a face that it has once, in d * (d - 1) for one that it
has twice, and so on. So deals are counted by how often their faces repeat, and the count serves every number of decks.
A wager looks at a player's two cards whatever their order: the tests hold each one against that.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations_with_replacement, product
from math import perm
from typing import Final

from shoetool.model.cards import is_blackjack
from shoetool.odds.holding import Held, WatchedRules
from shoetool.rules.wagers import View

Repeats = tuple[int, ...]
"""How often each face of a deal occurs in it, in order of size."""
Counted = dict[int, dict[Held, int]]
"""By the number of cards drawn: in how many ways, in the order drawn, each set of outcomes comes to hold."""
Faces = tuple[int, ...]
_Known = tuple[int, ...]
"""The dealer's up card, and whether he has a Blackjack, as far as a wager looks at them."""

ON_THE_DEAL: Final = ("two_cards", "two_cards_and_up", "two_cards_and_dealer", "four_cards")
_NO_DEALER: Final = (-1, -1)
_OF_DEALER: Final = ("up", "dealer_blackjack")
"""What a view tells of the dealer's first card, and of both."""
_LACKING: Final = (*_OF_DEALER, "dealer", "hands", "third")
"""What is not told: a predicate that looks at it fails, and so does one that looks at more than its wager declares."""


class Deals:
    """The deals of one wager: by outcomes that hold and by repeats, how many rows of faces there are.

    subject: what the wager looks at, one of `ON_THE_DEAL`. deck: the faces of one deck.
    """

    def __init__(self, subject: str, deck: Sequence[int], rules: WatchedRules, held: Callable[[View], Held]) -> None:
        self.ways: Counter[tuple[Held, Repeats]] = Counter()
        beside, orders = _beside(subject, deck)
        self._cards = 2 + len(beside[0])
        touching = defaultdict(list)
        for place, others in enumerate(beside):
            for face in set(others):
                touching[face].append(place)
        two_apart, two_alike = (-2, -3), (-2, -2)
        apart, alike = ([_repeats((*two, *others)) for others in beside] for two in (two_apart, two_alike))
        look = _second_hand if subject == "four_cards" else _Dealer(rules, beside, held).each
        for first, second in combinations_with_replacement(deck, 2):
            repeats = list(apart if first != second else alike)
            for place in {*touching[first], *touching[second]}:
                repeats[place] = _repeats((first, second, *beside[place]))
            each = look((first, second), rules, beside, held)
            found = Counter(zip(each, repeats, orders, strict=True))
            for (holds, times, more), number in found.items():
                self.ways[holds, times] += number * more * (1 if first == second else 2)

    def of(self, decks: int) -> Counted:
        """In how many ways each set of outcomes comes to hold with so many decks."""
        found: dict[Held, int] = defaultdict(int)
        for (held, repeats), number in self.ways.items():
            ways = number
            for times in repeats:
                ways *= perm(decks, times)
            found[held] += ways
        return {self._cards: dict(found)}


def _beside(subject: str, deck: Sequence[int]) -> tuple[list[Faces], list[int]]:
    """The rows of faces beside the player's two, and in how many orders each counts.

    They are none, the up card, the dealer's two, or those of a second hand.
    """
    if subject == "four_cards":
        hands: list[Faces] = list(combinations_with_replacement(deck, 2))
        return hands, [1 if first == second else 2 for first, second in hands]
    number = {"two_cards": 0, "two_cards_and_up": 1, "two_cards_and_dealer": 2}[subject]
    rows: list[Faces] = list(product(deck, repeat=number))
    return rows, [1] * len(rows)


def _repeats(faces: Faces) -> Repeats:
    return tuple(sorted(Counter(faces).values()))


class _Dealer:
    """The dealer's cards beside a player's two. What holds whatever they are is asked once: he, or both, decide it."""

    def __init__(self, rules: WatchedRules, beside: Sequence[Faces], held: Callable[[View], Held]) -> None:
        self._rows: list[tuple[Faces, _Known, Held | None]] = []
        decided: dict[_Known, Held | None] = {}
        for dealer in beside:
            known = (*dealer[:1], is_blackjack(dealer))[: len(dealer)]
            if known not in decided:
                decided[known] = _whatever_the_rest(_partly(rules, known), held)
            self._rows.append((dealer, known, decided[known]))
        self._open = [known for known, holds in decided.items() if holds is None]

    def each(
        self, initial: Faces, rules: WatchedRules, beside: Sequence[Faces], held: Callable[[View], Held]
    ) -> Iterator[Held]:
        """What holds for a player's two cards with each row of the dealer's."""
        by_both: dict[_Known, Held | None] = {}
        for known in self._open:
            view = _partly(rules, known)
            view.initial, (view.first, view.second) = initial, initial
            by_both[known] = _whatever_the_rest(view, held)
        view = View(rules, initial, _NO_DEALER).lacking(*_LACKING)
        for dealer, known, decided in self._rows:
            holds = decided if decided is not None else by_both[known]
            if holds is None:
                _tell(view, known)
                if len(dealer) == 2:
                    view.dealer = dealer
                holds = held(view)
            yield holds


def _partly(rules: WatchedRules, known: _Known) -> View:
    """A view of what the dealer's up card and a Blackjack tell. It lacks all other cards."""
    view = View.__new__(View)
    view.rules = rules
    _tell(view, known)
    return view


def _tell(view: View, known: _Known) -> None:
    for name, fact in zip(_OF_DEALER, known, strict=False):
        setattr(view, name, fact)


def _whatever_the_rest(view: View, held: Callable[[View], Held]) -> Held | None:
    """What holds whatever is not in this view; None where a predicate looks at something that it lacks."""
    try:
        return held(view)
    except AttributeError:
        return None


def _second_hand(
    initial: Faces, rules: WatchedRules, beside: Sequence[Faces], held: Callable[[View], Held]
) -> Iterator[Held]:
    """What holds for the first two cards with each row as the two of the second hand."""
    view = View(rules, initial, _NO_DEALER).lacking(*_LACKING)
    for second in beside:
        view.initial = initial + second
        yield held(view)
