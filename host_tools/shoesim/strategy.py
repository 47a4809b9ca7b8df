"""What the players ask for: a simple basic strategy that uses every decision of the games.

A player sees his own cards and the dealer's up card. He draws, stands, doubles, splits or surrenders by totals; now
and then, by the seed, he deviates, so that a campaign meets hands that good players would not make.
"""

from __future__ import annotations

from collections.abc import Collection
from enum import Enum
from random import Random
from typing import Final

from shoetool.judge.allowed import Standing, no_double, no_split, no_surrender
from shoetool.model.cards import VALUES, total
from shoetool.rules.games import Game

_DEVIATES: Final = 0.03
"""How often a player does, of all decisions."""


class Choice(Enum):
    """A player's decision, 633a.7(i)(2)."""

    STAND = "stand"
    DRAW = "draw"
    DOUBLE = "double"
    SPLIT = "split"
    SURRENDER = "surrender"


def allowed(game: Game, cards: list[int], *, from_split: bool, splits_left: int) -> dict[Choice, str]:
    """Return what a player may do with a hand below 21 as the game's declaration has it, each with its clause.

    `splits_left`: how often he may still split at this table (633a.11(c) resplits).
    """
    clauses = game.clauses
    hand = Standing(cards, from_split)
    may = {Choice.STAND: clauses.choices, Choice.DRAW: clauses.draw}
    if no_double(game, hand) is None:
        may[Choice.DOUBLE] = clauses.double
    if splits_left > 0 and no_split(hand) is None:
        may[Choice.SPLIT] = clauses.split
    if no_surrender(game, hand) is None:
        may[Choice.SURRENDER] = clauses.surrender
    return may


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


def _wants_surrender(count: int, soft: bool, up: int) -> bool:
    return not soft and ((count == 15 and up == 10) or (count == 16 and up in (1, 9, 10)))


def _wants_card(count: int, soft: bool, up: int) -> bool:
    strong = up == 1 or up >= 7
    if soft:
        return count <= 17 or (count == 18 and (up == 1 or up >= 9))
    if count <= 11:
        return True
    if count == 12:
        return strong or up <= 3
    return count <= 16 and strong


def decide(cards: list[int], up: int, may: Collection[Choice], rng: Random) -> Choice:
    """Return which of the choices that he `may` make a player makes below 21, against the up card `up` (a card id).

    One random number is used at least, whatever the hand, so that a seed means the same deal with other settings.
    """
    odd = rng.random() < _DEVIATES
    count, soft = total(cards)
    against = VALUES[up]
    if Choice.SPLIT in may and (odd or _wants_split(VALUES[cards[0]], against)):
        return Choice.SPLIT
    if Choice.SURRENDER in may and _wants_surrender(count, soft, against):
        return Choice.SURRENDER
    if Choice.DOUBLE in may and _wants_double(count, soft, against) and not (odd and soft):
        return Choice.DOUBLE
    if odd:
        return rng.choice((Choice.STAND, Choice.DRAW))
    return Choice.DRAW if _wants_card(count, soft, against) else Choice.STAND
