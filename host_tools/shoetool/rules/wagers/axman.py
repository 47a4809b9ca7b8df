"""AxMan, 633c.12: the dealer's cards as a poker hand, with a wild king of diamonds; the player's own multiply the odds.

Which rows a hand makes is counted, not tried: a wild king fills what is missing, so no rank has to be put in its place.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Final

from shoetool.model.cards import SUITS, parse_card
from shoetool.rules.round import Stage

from .choice import Choice
from .two_cards import ACE_RANK, JACK_RANK, KING_RANK
from .view import Choices, View
from .wager import DRAWS, Multiplier, Outcome, Predicate, Wager, Wait

_KEY: Final = "axman"
_KING_OF_DIAMONDS: Final = parse_card("KD")
_DIAMONDS: Final = SUITS.index("♦")
_HIGH_RANKS: Final = (ACE_RANK, *range(JACK_RANK, KING_RANK + 1))
_STRAIGHTS: Final = tuple(frozenset(rank % 13 for rank in range(low, low + 5)) for low in range(10))
"""Five ranks in a row; the ace ends one, and does not lie within it (T14)."""

_DRAW: Final = Choice(
    f"{_KEY}_dealer",
    "633c.12(e)",
    "where no hand waits for the dealer he stops by 633a.7(n), and the cards on the table count; or he draws (T84)",
    ("stops", DRAWS),
)
_FIVE: Final = Choice(
    f"{_KEY}_five",
    "633c.12(f)",
    "of six cards or more the five highest ranks count, the ace high or low; or the best five cards (T79)",
    ("ace_high", "ace_low", "best"),
)
# As a king it would be kept too: no dealer holds five higher cards that make another row. So that is no third word.
_PLACE: Final = Choice(
    f"{_KEY}_wild_place",
    "633c.12(f)",
    "among the five highest of six cards or more a wild king is always kept; or it ranks as what it is assigned (T81)",
    ("kept", "assigned"),
)
_WILD: Final = Choice(
    f"{_KEY}_wild",
    "633c.12(j)",
    "a wild king has any rank and stays a diamond, or it has any suit too (T80)",
    ("rank", "card"),
)
_SHORT: Final = Choice(
    f"{_KEY}_wild_short",
    "633c.12(g)",
    "among fewer than five cards the king of diamonds is wild too, or it is a king (T82)",
    ("wild", "king"),
)
_MULTIPLIED: Final = Choice(
    f"{_KEY}_multiplied",
    "633c.12(j)",
    "the player's kings of diamonds multiply the odds, or the wager with its payout (T83)",
    ("odds", "return"),
)


def _heights(ace: int) -> tuple[int, ...]:
    return tuple(ace if card % 13 == ACE_RANK else card % 13 for card in range(52))


_ACE_HIGH: Final = _heights(KING_RANK + 1)
_ACE_LOW: Final = _heights(ACE_RANK)
"""Where each card stands among the highest."""


def _straight(ranks: Iterable[int], wild: int, least: int, heights: tuple[int, ...]) -> bool:
    """633c.12(l)(6): whether wild cards, each of this height at least, make five ranks in a row of these."""
    have = frozenset(ranks)
    for row in _STRAIGHTS:
        missing = row - have
        if len(missing) <= wild and all(heights[rank] >= least for rank in missing):
            return True
    return False


def _made(natural: tuple[int, ...], wild: int, least: int, heights: tuple[int, ...], any_suit: bool) -> Iterator[str]:
    """The rows that five of these cards make, or all of them if they are fewer: 633c.12(g), 633c.12(h), 633c.12(l).

    wild: how many wild cards there are beside the natural ones. least: the height that each of them must have.
    """
    ranks = Counter(card % 13 for card in natural)
    most, second, *_ = *sorted(ranks.values(), reverse=True), 0, 0
    if any(ranks[rank] + wild >= 2 for rank in _HIGH_RANKS):  # 633c.12(l)(5)
        yield "jacks_or_better_pair"
    if max(0, 2 - most) + max(0, 2 - second) <= wild:  # 633c.12(l)(9)
        yield "two_pair"
    if most + wild >= 3:  # 633c.12(l)(8)
        yield "three_of_a_kind"
    if most + wild >= 4:  # 633c.12(l)(3)
        yield "four_of_a_kind"
    if len(natural) + wild < 5:
        return
    if max(0, 3 - most) + max(0, 2 - second) <= wild:  # 633c.12(l)(4)
        yield "full_house"
    if _straight(ranks, wild, least, heights):
        yield "straight"
    for suit in range(4):
        suited = [card % 13 for card in natural if card // 13 == suit]
        joining = wild if any_suit or suit == _DIAMONDS else 0
        if len(suited) + joining >= 5:  # 633c.12(l)(2)
            yield "flush"
            if _straight(suited, joining, least, heights):  # 633c.12(l)(7)
                yield "straight_flush"
    if most + wild >= 5:  # 633c.12(l)(1)
        yield "five_of_a_kind"


def _highest(natural: tuple[int, ...], most: int, heights: tuple[int, ...]) -> Iterator[tuple[tuple[int, ...], int]]:
    """The `most` highest of these cards, and the height of the next one. Of cards of one rank each suit goes first."""
    down = sorted(natural, key=heights.__getitem__, reverse=True)
    if most >= len(down):
        yield natural, 0
        return
    least = heights[down[most]]
    above = [card for card in down[:most] if heights[card] > least]
    alike = [card for card in down if heights[card] == least]
    firsts = {tuple(sorted(alike, key=lambda card: card // 13 != suit)[: most - len(above)]) for suit in range(4)}
    for first in firsts:
        yield (*above, *first), least


def _rows(dealer: tuple[int, ...], rules: Choices) -> frozenset[str]:
    """Every row that the dealer's cards can be read as. A king of diamonds is wild, 633c.12(j)."""
    number, five = len(dealer), _FIVE.of(rules)
    is_wild = number >= 5 or _SHORT.of(rules) == "wild"
    natural = tuple(card for card in dealer if not is_wild or card != _KING_OF_DIAMONDS)
    wild, any_suit = number - len(natural), _WILD.of(rules) == "card"
    heights = _ACE_HIGH if five == "ace_high" else _ACE_LOW
    if number <= 5 or five == "best":
        return frozenset(_made(natural, wild, 0, heights, any_suit))
    assigned, most = _PLACE.of(rules) == "assigned", min(wild, 5)
    found: set[str] = set()
    for kept in range(most + 1) if assigned else (most,):  # one that is assigned the lowest rank is none of the five
        for cards, next_height in _highest(natural, 5 - kept, heights):
            found.update(_made(cards, kept, next_height if assigned else 0, heights, any_suit))
    return frozenset(found)


class _Read:
    """The rows of the hand that was looked at last: the predicates of one hand ask one after the other."""

    __slots__ = ("_dealer", "_rows", "_rules")

    def __init__(self) -> None:
        self._dealer: tuple[int, ...] | None = None
        self._rules: Choices | None = None
        self._rows: frozenset[str] = frozenset()

    def rows(self, view: View) -> frozenset[str]:
        """Return the rows that the dealer's cards make."""
        if view.dealer is not self._dealer or view.rules is not self._rules:
            self._rows = _rows(view.dealer, view.rules)
            self._dealer, self._rules = view.dealer, view.rules
        return self._rows


_READ: Final = _Read()


def _makes(row: str) -> Predicate:
    """Whether the dealer's cards can be read as this row, the bust card included: 633c.12(e)."""
    return lambda view: row in _READ.rows(view)


def _waits(view: View, outcome: Outcome | None) -> Wait | None:
    """At a dealer Blackjack no more cards come. A winner has a clause by the number of cards."""
    stage = Stage.AFTER_READER if view.dealer_blackjack else Stage.AFTER_ALL
    if outcome is None:
        return Wait(stage, "633c.12(i)")
    return Wait(stage, "633c.12(g)" if len(view.dealer) < 5 else "633c.12(h)")


AXMAN: Final = Wager(
    key=_KEY,
    title="AxMan",
    offered="633c.12(a)",
    settles="633c.12(h)",
    collects="633c.12(i)",
    pays="633c.12(k)",
    stage=Stage.AFTER_ALL,  # when the round is dealt and its main wagers are settled: 633c.12(d), 633c.12(e)
    subject="dealer_poker",
    nothing="no pair of jacks or better",
    outcomes=tuple(  # the rows in the order of the text, a flush above a full house (T86)
        Outcome(row, _makes(row))
        for row in (
            *("straight_flush", "five_of_a_kind", "flush", "straight", "four_of_a_kind", "full_house"),
            *("three_of_a_kind", "two_pair", "jacks_or_better_pair"),
        )
    ),
    waits=_waits,
    draw=_DRAW,
    multiplier=Multiplier(_KING_OF_DIAMONDS, (1, 2, 5), "633c.12(j)", _MULTIPLIED, "the player's kings of diamonds"),
    choices=(_FIVE, _PLACE, _WILD, _SHORT),
    area="633c.12(b)",  # placed within the limits of the table, before the close of bets: 633c.12(c)
)
