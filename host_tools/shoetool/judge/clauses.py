"""The same duty in three chapters: clause ids of ch. 633a (Blackjack) and their counterparts in ch. 590 and 635a."""

from __future__ import annotations

from dataclasses import fields
from typing import Final

from shoetool.model.protocol_table import Game
from shoetool.rules.games import game_of

# What the declarations of the games have in the same place is not stated here again: see `_counterparts`.
_FREE_BET: Final = {
    "633a.3(c) backs": "590.3(b)(2)",
    "633a.3(c) cover cards": "590.3(a)",
    "633a.5(d) place": "590.5(d) place",
    "633a.5(f)": "590.5(f)",
    "633a.6(c) timing": "590.6(c)",
    "633a.7(b)": "590.7(b)",
    "633a.7(c) dealer": "590.7(c)",
    "633a.7(e)": "590.7(d)",
    "633a.7(e)(1)": "590.7(d)(1)-(2)",
    "633a.7(f)": "590.7(e)(1)-(4)",
    "633a.7(j)": "590.7(i)",
    "633a.7(s)": "590.7(s)",
    "633a.14(j)": "590.13(i)",
    "633a.2(f) second sentence": "590.2(d) second sentence",
    "633a.7(h) method": "590.7(g)",
    "633a.3(b)(1)": "590.3(b)(1)",
    "633a.3(b)(2)": "590.3(b)(2)",
    "633a.3(b)(3)": "590.3(b)(3)",
    "633a.3(b)(4)": "590.3(b)(4)",
    "633a.3(b)(5)": "590.3(b)(5)",
    "633a.3(d) 24 h": "590.3(c)",
    "633a.4(f)": "590.4(e)",
    "633a.5(a) when": "590.5(a)",
    "633a.5(c)(1)": "590.5(c)(1)",
    "633a.5(c)(2)": "590.5(c)(2)",
    "633a.5(c)(3)": "590.5(c)(3)",
    "633a.5(c)(4)": "590.5(c)(4)",
    "633a.5(d) cut": "590.5(d) cut",
    "633a.5(e)": "590.5(e)",
    "633a.5(h)": "590.5(h)",
    "633a.6(b)": "590.6(b)",
    "633a.6(c) freeze": "590.6(c)",
    "633a.7(o)": "590.7(n)(2)",
    "633a.7(r)(1)": "590.7(r)(1)-(2)",
    "633a.7(r)(2)": "590.7(r)(1)-(2)",
    "633a.8(d)": "590.8(d)",
    "633a.13(a)": "590.12(a)",
    "633a.14(l)": "590.13(k)",
}
_SPANISH: Final = {
    "633a.3(c) backs": "635a.3(d)(2)",
    "633a.3(c) cover cards": "635a.3(a) count",
    "633a.5(d) place": "635a.5(d) place",
    "633a.5(f)": "635a.5(f)",
    "633a.6(c) timing": "635a.6(c)",
    "633a.7(b)": "635a.7(b)",
    "633a.7(c) dealer": "635a.7(c)",
    "633a.7(e)": "635a.7(d)",
    "633a.7(e)(1)": "635a.7(d)",
    "633a.7(f)": "635a.7(e)(1)-(4)",
    "633a.7(j)": "635a.7(i)",
    "633a.7(s)": "635a.7(q)",
    "633a.14(j)": "635a.13(j)(2)",
    "633a.2(f) second sentence": "635a.2(d) second sentence",
    "633a.7(h) method": "635a.7(g)",
    "633a.3(b)(1)": "635a.3(d)(1)",
    "633a.3(b)(2)": "635a.3(d)(2)",
    "633a.3(b)(3)": "635a.3(d)(3)",
    "633a.3(b)(4)": "635a.3(d)(4)",
    "633a.3(b)(5)": "635a.3(d)(5)",
    "633a.3(d) 24 h": "635a.3(b)",
    "633a.4(f)": "635a.4(e)",
    "633a.5(a) when": "635a.5(a)",
    "633a.5(c)(1)": "635a.5(c)(1)",
    "633a.5(c)(2)": "635a.5(c)(2)",
    "633a.5(c)(3)": "635a.5(c)(3)",
    "633a.5(c)(4)": "635a.5(c)(4)",
    "633a.5(d) cut": "635a.5(d) cut",
    "633a.5(e)": "635a.5(e)",
    "633a.5(h)": "635a.5(h)",
    "633a.6(b)": "635a.6(b)",
    "633a.6(c) freeze": "635a.6(c)",
    "633a.7(g)": "635a.7(f)",
    "633a.7(r)(1)": "635a.7(p)(1)-(2)",
    "633a.7(r)(2)": "635a.7(p)(1)-(2)",
    "633a.8(d)": "635a.8(d)",
    "633a.13(a)": "635a.12(a)",
    "633a.14(l)": "635a.13(l)",
}


_SWITCH: Final = {"633a.7(f)(1)": "633a.12(a)(3)", "633a.7(f)(3)": "633a.12(a)(3)"}
_FROM_THE_HAND: Final = {
    "633a.7(f)(1)": "633a.12(b)(5)(i)-(iv)",
    "633a.7(f)(2)": "633a.12(b)(5)(i)-(iv)",
    "633a.7(f)(3)": "633a.12(b)(5)(i)-(iv)",
    "633a.7(f)(4)": "633a.12(b)(5)(i)-(iv)",
    "633a.7(i)": "633a.12(b)(6)",
    "633a.7(l)": "633a.12(b)(8)",
    "633a.7(m)": "633a.12(b)(8)",
}


def _counterparts(game: Game) -> dict[str, str]:
    """The clauses of Blackjack's declaration, each with the one that the game of another chapter has in its place."""
    blackjack, other = game_of(Game.BLACKJACK), game_of(game)
    found = {one.clause: two.clause for one, two in zip(blackjack.deal.steps, other.deal.steps, strict=True)}
    for field in fields(blackjack.clauses):
        one, two = getattr(blackjack.clauses, field.name), getattr(other.clauses, field.name)
        if one and two:
            found.setdefault(one, two)
    return found


_COUNTERPARTS: Final = {
    Game.FREE_BET: _counterparts(Game.FREE_BET) | _FREE_BET,
    Game.SPANISH_21: _counterparts(Game.SPANISH_21) | _SPANISH,
    Game.SWITCH: _SWITCH,
    Game.FROM_THE_HAND: _FROM_THE_HAND,
}
GAMES: Final[tuple[Game, ...]] = tuple(_COUNTERPARTS)
"""Games with clauses of their own beside those of Blackjack."""


def clause_in(game: int, clause: str) -> str:
    """The clause of the game's own chapter; a clause without a counterpart there keeps its id of ch. 633a."""
    return _COUNTERPARTS[Game(game)].get(clause, clause) if game in GAMES else clause
