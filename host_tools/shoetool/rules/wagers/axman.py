"""AxMan, 633c.12: the dealer's cards as a poker hand, with a wild king of diamonds; the player's own multiply the odds.

Which rows a hand makes is counted, not tried: a wild king fills what is missing, so no rank has to be put in its place.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Final

from shoetool.model.cards import SUITS, parse_card
from shoetool.rules.round import Stage

from .choice import Choice
from .two_cards import ACE_RANK, JACK_RANK, KING_RANK
from .view import View
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


def _height(card: int, ace_high: bool) -> int:
    """Where a card stands among the highest."""
    rank = card % 13
    return KING_RANK + 1 if rank == ACE_RANK and ace_high else rank


def _straight(ranks: Iterable[int], wild: int, least: int, ace_high: bool) -> bool:
    """633c.12(l)(6): whether wild cards, each of this height at least, make five ranks in a row of these."""
    have = frozenset(ranks)
    for row in _STRAIGHTS:
        missing = row - have
        if len(missing) <= wild and all(_height(rank, ace_high) >= least for rank in missing):
            return True
    return False


def _made(natural: tuple[int, ...], wild: int, least: int, ace_high: bool, any_suit: bool) -> Iterator[str]:
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
    if _straight(ranks, wild, least, ace_high):
        yield "straight"
    for suit in range(4):
        suited = [card % 13 for card in natural if card // 13 == suit]
        joining = wild if any_suit or suit == _DIAMONDS else 0
        if len(suited) + joining >= 5:  # 633c.12(l)(2)
            yield "flush"
            if _straight(suited, joining, least, ace_high):  # 633c.12(l)(7)
                yield "straight_flush"
    if most + wild >= 5:  # 633c.12(l)(1)
        yield "five_of_a_kind"


def _highest(natural: tuple[int, ...], most: int, ace_high: bool) -> Iterator[tuple[tuple[int, ...], int]]:
    """The `most` highest of these cards, and the height of the next one. Of cards of one rank each suit goes first."""
    for first in range(4):
        down = sorted(natural, key=lambda card: (_height(card, ace_high), card // 13 == first), reverse=True)
        yield tuple(down[:most]), _height(down[most], ace_high) if most < len(down) else 0


@lru_cache(maxsize=4096)
def _rows(dealer: tuple[int, ...], five: str, place: str, suits: str, short: str) -> frozenset[str]:
    """Every row that the dealer's cards can be read as. A king of diamonds is wild, 633c.12(j)."""
    number = len(dealer)
    is_wild = number >= 5 or short == "wild"
    natural = tuple(card for card in dealer if not is_wild or card != _KING_OF_DIAMONDS)
    wild, ace_high, any_suit = number - len(natural), five == "ace_high", suits == "card"
    if number <= 5 or five == "best":
        return frozenset(_made(natural, wild, 0, ace_high, any_suit))
    found: set[str] = set()
    most = min(wild, 5)
    # A wild king that is assigned the lowest rank is none of the five.
    for kept in range(most + 1) if place == "assigned" else (most,):
        for cards, next_height in _highest(natural, 5 - kept, ace_high):
            found.update(_made(cards, kept, next_height if place == "assigned" else 0, ace_high, any_suit))
    return frozenset(found)


def _makes(row: str) -> Predicate:
    """Whether the dealer's cards can be read as this row, the bust card included: 633c.12(e)."""

    def made(view: View) -> bool:
        how = (choice.of(view.rules) for choice in (_FIVE, _PLACE, _WILD, _SHORT))
        return row in _rows(tuple(sorted(view.dealer)), *how)

    return made


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
