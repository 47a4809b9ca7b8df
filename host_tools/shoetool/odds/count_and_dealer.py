"""Wagers that need a certain count of the player and look at the dealer's finished hand.

One count of the player wins, such as 20. So whoever plays for the wager alone draws to that count and stands on it:
with less he has nothing to lose, and with it nothing to gain. Whoever plays against it never keeps that count, unless
the dealer's Blackjack ends the round at once. Neither splits a pair. What splits could add is bounded, as if each
pair that does not have the count came to it.

Player and dealer draw from one shoe. So a player's hand and a dealer's are counted together, by the values of all their
cards.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from itertools import product
from math import perm
from typing import Final, NamedTuple

from shoetool.model.errors import BadInput
from shoetool.odds.deals import Counted, Faces
from shoetool.odds.draws import dealer_draws, drawn_values
from shoetool.odds.holding import Held, WatchedRules
from shoetool.odds.plays import Situation, nothing_counted
from shoetool.odds.shoe import ACE, NOTHING, TEN, VALUES, Counts, Shoe, best_count, plus
from shoetool.rules.round import Hand
from shoetool.rules.wagers import View

_BITS: Final = 6
_MASK: Final = (1 << _BITS) - 1
_HALF: Final = _BITS * VALUES // 2
_LOW: Final = (1 << _HALF) - 1

Packed = int
"""How many cards there are of each value, in six bits each: two hands together are the sum."""
Weights = Mapping[Packed, int]
"""Sets of cards, and in how many orders each comes."""


class _End(NamedTuple):
    """A dealer's finished hand: its values, in how many orders they come, and one hand that has them."""

    packed: Packed
    orders: int
    faces: Faces


class CountAndDealer:
    """The hands of player and dealer for one wager. h17: whether the dealer draws to a soft 17."""

    def __init__(self, h17: bool, rules: WatchedRules, held: Callable[[View], Held]) -> None:
        ends = list(_ends(h17))
        blackjack = _End(_packed(plus(plus(NOTHING, ACE), TEN)), 2, _faces((ACE, TEN)))
        target = _target([*ends, blackjack], lambda mine, end: held(_view(rules, mine, end)))
        mine = _hand_of(target)
        holds = [held(_view(rules, mine, end)) for end in ends]
        usual = Counter(holds).most_common(1)[0][0]
        """What holds beside most hands of the dealer: it is counted as whatever the others leave."""
        others: dict[Held, Counter[Packed]] = defaultdict(Counter)
        for end, outcomes in zip(ends, holds, strict=True):
            if outcomes != usual:
                others[outcomes][end.packed] += end.orders

        def beside(player: Weights) -> dict[Held, Counter[Packed]]:
            """Player's hands of the count, each with the dealer's hands that are no Blackjack."""
            found: dict[Held, Counter[Packed]] = defaultdict(Counter)
            found[usual].update(player)
            found[usual].subtract(_together(player, {blackjack.packed: blackjack.orders}))
            for outcomes, dealers in others.items():
                both = _together(player, dealers)
                found[outcomes].update(both)
                found[usual].subtract(both)
            found.pop((), None)
            return found

        two_cards = {packed: orders for packed, orders in _drawn_to(target).items() if _number(packed) == 2}
        at_once = held(_view(rules, mine, blackjack))
        self._worst = {at_once: _together(two_cards, {blackjack.packed: blackjack.orders})} if at_once else {}
        self._best = _added(self._worst, beside(_drawn_to(target)), 1)
        every_pair = (plus(NOTHING, value, 2) for value in range(VALUES))
        pairs = {_packed(pair): 1 for pair in every_pair if best_count(pair)[0] != target}
        self._bound = _added(_added(self._best, beside(pairs), 1), beside(_drawn_to(target, pairs)), -1)

    def of(self, shoe: Shoe) -> list[Situation]:
        """One situation: the player draws to the count, or never keeps it."""
        return [(_counted(self._best, shoe.counts), _counted(self._worst, shoe.counts))]

    def at_most(self, shoe: Shoe) -> Counted:
        """As if each pair that does not have the count came to it."""
        return _counted(self._bound, shoe.counts)


def _target(ends: Iterable[_End], holds: Callable[[Faces, _End], Held]) -> int:
    """The only count of the player that wins anything. BadInput when there is no such count, or several."""
    kinds = {(end.faces[0], len(end.faces), best_count(_values(end.packed))): end for end in ends}.values()
    winning = [count for count in range(4, 22) if any(holds(_hand_of(count), end) for end in kinds)]
    if len(winning) != 1:
        raise BadInput("the player wins this wager with more than one count: its odds are not computed")
    return winning[0]


def _hand_of(count: int) -> Faces:
    """A hand of this count, 4 to 21, without an ace."""
    if count == 21:
        return _faces((6, 6, 6))
    small = max(2, count - 10)
    return _faces((small - 1, count - small - 1))


def _view(rules: WatchedRules, mine: Faces, end: _End) -> View:
    return View(rules, mine[:2], end.faces, (Hand(1, mine, 1),))


def _ends(h17: bool) -> Iterable[_End]:
    """Every hand that the dealer can finish without a Blackjack."""
    for up in range(VALUES):
        for drawn, orders in dealer_draws(up, h17).ends.items():
            yield _End(_packed(plus(drawn, up)), orders, _faces((up, *drawn_values(up, drawn))))


def _drawn_to(target: int, begun: Weights | None = None) -> dict[Packed, int]:
    """The hands of this count to which a player comes who draws until he has it, and in how many orders.

    A soft hand that counts more may still come down to it. begun: what he has at first, any two cards by default.
    """
    if begun is None:
        begun = Counter(_packed(plus(plus(NOTHING, one), other)) for one, other in product(range(VALUES), repeat=2))
    found: dict[Packed, int] = defaultdict(int)
    latest = dict(begun)
    while latest:
        longer: dict[Packed, int] = defaultdict(int)
        for packed, orders in latest.items():
            count, soft = best_count(_values(packed))
            if count == target:
                found[packed] += orders
            elif count < target or (soft and count < 21):
                for value in range(VALUES):
                    longer[packed + (1 << _BITS * value)] += orders
        latest = longer
    return found


def _together(player: Weights, dealer: Weights) -> Counter[Packed]:
    """Every hand of the one with every hand of the other, in how many orders."""
    found: Counter[Packed] = Counter()
    for mine, orders in player.items():
        for his, ways in dealer.items():
            found[mine + his] += orders * ways
    return found


_Sets = dict[Held, Counter[Packed]]
"""By the outcomes that hold, sets of cards and in how many orders they come."""


def _added(some: _Sets, more: _Sets, sign: int) -> _Sets:
    found = {outcomes: Counter(sets) for outcomes, sets in some.items()}
    for outcomes, sets in more.items():
        into = found.setdefault(outcomes, Counter())
        for packed, orders in sets.items():
            into[packed] += sign * orders
    return found


def _counted(sets: _Sets, shoe: Counts) -> Counted:
    """In how many ways this shoe can deal each set; whatever is left of all ways is a loss."""
    found = nothing_counted()
    found[0][()] = 1
    low, high = ({} for _ in range(2))  # type: tuple[dict[Packed, int], dict[Packed, int]]
    for outcomes, ways_of in sets.items():
        for packed, orders in ways_of.items():
            below, above = packed & _LOW, packed >> _HALF
            if below not in low:
                low[below] = _ways(below, shoe[: VALUES // 2])
            if above not in high:
                high[above] = _ways(above, shoe[VALUES // 2 :])
            ways = orders * low[below] * high[above]
            if ways:
                cards = _number(packed)
                found[cards][outcomes] += ways
                found[cards][()] -= ways
    return found


def _ways(packed: Packed, shoe: Iterable[int]) -> int:
    ways = 1
    for value, have in enumerate(shoe):
        ways *= perm(have, packed >> _BITS * value & _MASK)
    return ways


def _packed(cards: Counts) -> Packed:
    return sum(number << _BITS * value for value, number in enumerate(cards))


@cache
def _values(packed: Packed) -> Counts:
    return tuple(packed >> _BITS * value & _MASK for value in range(VALUES))


@cache
def _number(packed: Packed) -> int:
    return sum(_values(packed))


def _faces(values: Iterable[int]) -> Faces:
    """Cards of one suit with these values."""
    return tuple(values)
