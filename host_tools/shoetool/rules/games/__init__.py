"""The games of chapters 633a, 590 and 635a. Each is a frozen declaration; `game(name)` finds one."""

from __future__ import annotations

from types import MappingProxyType
from typing import Final

from shoetool.model.errors import BadInput
from shoetool.model.protocol_table import Game as Number
from shoetool.rules.games.blackjack import BLACKJACK
from shoetool.rules.games.chapters import PlayClauses
from shoetool.rules.games.free_bet import FREE_BET
from shoetool.rules.games.from_the_hand import FROM_THE_HAND
from shoetool.rules.games.game import DealPlan, DealStep, DeckRule, Game
from shoetool.rules.games.hybrid import HYBRID, HYBRID_NO_HOLE
from shoetool.rules.games.spanish_21 import SPANISH_21
from shoetool.rules.games.switch import SWITCH

_DECLARED: Final = (BLACKJACK, SWITCH, FROM_THE_HAND, FREE_BET, SPANISH_21, HYBRID, HYBRID_NO_HOLE)
GAMES: Final = MappingProxyType({g.name: g for g in _DECLARED})
"""Every game by its name in rules submissions and round files."""
_BY_NUMBER: Final = {int(number): GAMES[number.name.lower()] for number in Number}


def game(name: str) -> Game:
    """Return the game of that name. BadInput lists the names."""
    found = GAMES.get(name)
    if found is None:
        raise BadInput(f"{name!r} is not a game of the regulation: choose one of {', '.join(GAMES)}")
    return found


def game_of_shoe(number: int) -> Game | None:
    """Return the game that a shoe is set up for, by its number in the protocol; None for an unknown number."""
    return _BY_NUMBER.get(number)


def game_of(number: int) -> Game:
    """Return the same for a number that the caller knows to be a game's."""
    found = game_of_shoe(number)
    assert found is not None, f"game {number} was taken for a known one"
    return found


def clause_in(number: int, clause: str) -> str:
    """Return the clause that a game has in place of one of ch. 633a; the clause itself when there is none."""
    found = game_of_shoe(number)
    return clause if found is None else found.counterparts.get(clause, clause)


__all__ = ["GAMES", "DealPlan", "DealStep", "DeckRule", "Game", "PlayClauses", "game", "game_of", "game_of_shoe"]
