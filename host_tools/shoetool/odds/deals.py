"""Wagers on the deal: every deal of the cards that a wager looks at, counted once for all numbers of decks.

A deal is a row of faces. With d decks it can come in d ways for a face that it has once, in d * (d - 1) for one that it
has twice, and so on. So deals are counted by how often their faces repeat, and the count serves every number of decks.
A wager looks at a player's two cards whatever their order: the tests hold each one against that. Faces that a wager
does not tell apart, and that count alike, are counted as one kind.

What a part of a deal decides is counted for that part alone: for the dealer's cards, or for the player's two.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from itertools import combinations_with_replacement, product
from math import perm, prod
from typing import Final

from shoetool.model.cards import VALUES as VALUE_OF
from shoetool.model.cards import is_blackjack
from shoetool.odds.holding import Held, WatchedRules
from shoetool.rules.wagers import View

Repeats = tuple[tuple[int, int], ...]
"""How many faces of one deck each kind of a deal has, and how often the kind occurs in it, in order of size."""
Counted = dict[int, dict[Held, int]]
"""By the number of cards drawn: in how many ways, in the order drawn, each set of outcomes comes to hold."""
Faces = tuple[int, ...]
Kind = Callable[[int], int]
"""Of a face: equal for two faces that a wager does not tell apart."""
_Known = tuple[int, ...]
"""The dealer's up card, and whether he has a Blackjack, as far as a wager looks at them."""

ON_THE_DEAL: Final = ("two_cards", "two_cards_and_up", "two_cards_and_dealer", "four_cards")
_DEALERS: Final = {"two_cards": 0, "two_cards_and_up": 1, "two_cards_and_dealer": 2}
"""At how many of the dealer's cards a wager looks."""
_NO_DEALER: Final = (-1, -1)
_OF_DEALER: Final = ("up", "dealer_blackjack")
"""What a view tells of the dealer's first card, and of both."""
_LACKING: Final = (*_OF_DEALER, "dealer", "hands", "third")
"""What is not told: a predicate that looks at it fails, and so does one that looks at more than its wager declares."""


class Deals:
    """The deals of one wager: by outcomes that hold and by repeats, how many rows of faces there are.

    subject: what the wager looks at, one of `ON_THE_DEAL`. deck: the faces of one deck. kind: `Wager.kind`.
    """

    def __init__(
        self,
        subject: str,
        deck: Sequence[int],
        rules: WatchedRules,
        held: Callable[[View], Held],
        kind: Kind | None = None,
    ) -> None:
        self._ways: Counter[tuple[int, Held, Repeats]] = Counter()
        self._faces_of = kinds_of(deck, kind)
        self._rules, self._held = rules, held
        self._pairs = [(two, 1 if two[0] == two[1] else 2) for two in combinations_with_replacement(self._faces_of, 2)]
        if subject == "four_cards":
            self._count_second_hands()
        else:
            self._count_dealers(_DEALERS[subject])

    def of(self, decks: int) -> Counted:
        """In how many ways each set of outcomes comes to hold with so many decks."""
        found: Counted = defaultdict(lambda: defaultdict(int))
        for (cards, held, repeats), number in self._ways.items():
            found[cards][held] += number * prod(perm(decks * faces, times) for faces, times in repeats)
        return {cards: dict(ways) for cards, ways in found.items()}

    def _add(self, faces: Faces, orders: int, holds: Held) -> None:
        repeats = [(self._faces_of[face], faces.count(face)) for face in set(faces)]
        repeats.sort()
        self._ways[len(faces), holds, tuple(repeats)] += orders

    def _count_second_hands(self) -> None:
        view = View(self._rules, _NO_DEALER, _NO_DEALER).lacking(*_LACKING)
        for (first, orders), (second, more) in product(self._pairs, repeat=2):
            view.initial = first + second
            view.first, view.second = first
            self._add(view.initial, orders * more, self._held(view))

    def _count_dealers(self, cards: int) -> None:
        """What holds whatever the player's two cards are is asked once, and so is what holds whatever the dealer's."""
        decided: dict[_Known, Held | None] = {}
        open_rows: list[tuple[Faces, _Known]] = []
        rows = list(product(self._faces_of, repeat=cards))
        for dealer in rows:
            known = (*dealer[:1], is_blackjack(dealer))[:cards]
            if known not in decided:
                decided[known] = _whatever_the_rest(_partly(self._rules, known), self._held)
            holds = decided[known]
            if holds is None:
                open_rows.append((dealer, known))
            else:
                self._add(dealer, 1, holds)
        for two, orders in self._pairs if open_rows else ():
            by_both = {
                known: _whatever_the_rest(_partly(self._rules, known, two), self._held)
                for known, holds in decided.items()
                if holds is None
            }
            first, *others = set(by_both.values())
            if first is not None and not others and len(open_rows) == len(rows):
                self._add(two, orders, first)
            else:
                self._count_open(two, orders, open_rows, by_both)

    def _count_open(
        self, two: Faces, orders: int, rows: Sequence[tuple[Faces, _Known]], by_both: Mapping[_Known, Held | None]
    ) -> None:
        """Count a player's two cards with each row of the dealer's. by_both: what they and a row's facts decide."""
        view = View(self._rules, two, _NO_DEALER).lacking(*_LACKING)
        for dealer, known in rows:
            holds = by_both[known]
            if holds is None:
                _tell(view, known)
                if len(dealer) == 2:
                    view.dealer = dealer
                holds = self._held(view)
            self._add(two + dealer, orders, holds)


def kinds_of(deck: Sequence[int], kind: Kind | None) -> dict[int, int]:
    """A face of each kind, and how many faces of the deck are of it. Faces of one kind count alike."""
    kinds: dict[tuple[int, int], list[int]] = defaultdict(list)
    for face in deck:
        kinds[face if kind is None else kind(face), VALUE_OF[face]].append(face)
    return {faces[0]: len(faces) for faces in kinds.values()}


def _partly(rules: WatchedRules, known: _Known, two: Faces = ()) -> View:
    """A view of a player's two cards, and of what the dealer's up card and a Blackjack tell. It lacks all other
    cards."""
    view = View.__new__(View)
    view.rules = rules
    _tell(view, known)
    if two:
        view.initial, (view.first, view.second) = two, two
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
