"""What the players ask for: a simple basic strategy that uses every decision of the games.

A player sees his own cards and the dealer's up card. He draws, stands, doubles, splits or surrenders by totals; now
and then, by the seed, he deviates, so that a campaign meets hands that good players would not make.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from random import Random

from shoetool.model.protocol_table import Game

from shoesim.stack import RANKS


class Choice(Enum):
    """A player's decision, 633a.7(i)(2)."""

    STAND = "stand"
    DRAW = "draw"
    DOUBLE = "double"
    SPLIT = "split"
    SURRENDER = "surrender"


@dataclass(frozen=True, slots=True)
class Options:
    """What the rules allow this hand beside standing and drawing."""

    double: bool
    split: bool
    surrender: bool


def value(card: int) -> int:
    """Return what a card counts: 2..10 its face, J, Q and K 10, an ace 1 (633a.3(e))."""
    return min(card % RANKS + 1, 10)


def total(cards: Sequence[int]) -> tuple[int, bool]:
    """Return the count of a hand and whether an ace in it counts 11 (633a.1 Soft total)."""
    count = sum(value(card) for card in cards)
    if count <= 11 and any(card % RANKS == 0 for card in cards):
        return count + 10, True
    return count, False


def is_blackjack(cards: Sequence[int]) -> bool:
    """Tell whether these two cards are an ace with a ten-count card; of a split hand this is only 21 (633a.1)."""
    return len(cards) == 2 and total(cards)[0] == 21


def options(game: Game, cards: Sequence[int], *, splits_left: int, is_split: bool) -> Options:
    """Return what the rules allow: 633a.9(a), .10(a), .11(a); Spanish 21 doubles on two or more cards (635a.10(a))."""
    first_two = len(cards) == 2
    return Options(
        double=first_two or (game == Game.SPANISH_21 and len(cards) > 2),
        split=first_two and splits_left > 0 and value(cards[0]) == value(cards[1]),
        surrender=first_two and not is_split and game != Game.SWITCH,  # 633a.12(a)(4) names none
    )


def _wants_split(rank_value: int, up: int) -> bool:
    if rank_value in (1, 8):
        return True
    if rank_value in (2, 3, 7):
        return 2 <= up <= 7
    if rank_value == 6:
        return 2 <= up <= 6
    if rank_value == 9:
        return up not in (1, 7, 10)
    return False


def _wants_double(count: int, soft: bool, up: int) -> bool:
    if soft:
        return 13 <= count <= 18 and 4 <= up <= 6
    return (count == 11 and up != 1) or (count == 10 and 2 <= up <= 9) or (count == 9 and 3 <= up <= 6)


def _wants_card(count: int, soft: bool, up: int) -> bool:
    strong = up == 1 or up >= 7
    if soft:
        return count <= 17 or (count == 18 and (up == 1 or up >= 9))
    if count <= 11:
        return True
    if count == 12:
        return strong or up <= 3
    return count <= 16 and strong


def decide(cards: Sequence[int], up: int, allowed: Options, rng: Random, deviate: float = 0.03) -> Choice:
    """Return the decision on a hand below 21 against the up card `up` (a card id).

    One random number is used at least, whatever the hand, so that a seed means the same deal with other settings.
    """
    odd = rng.random() < deviate
    count, soft = total(cards)
    against = value(up)
    if allowed.split and (odd or _wants_split(value(cards[0]), against)):
        return Choice.SPLIT
    if allowed.surrender and not soft and count in (15, 16) and against in ((10,) if count == 15 else (1, 9, 10)):
        return Choice.SURRENDER
    if allowed.double and _wants_double(count, soft, against) and not (odd and soft):
        return Choice.DOUBLE
    if odd:
        return rng.choice((Choice.STAND, Choice.DRAW))
    return Choice.DRAW if _wants_card(count, soft, against) else Choice.STAND
