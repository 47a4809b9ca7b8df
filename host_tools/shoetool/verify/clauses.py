"""The same duty in three chapters: clause ids of ch. 633a (Blackjack) and their counterparts in ch. 590 and 635a."""

from __future__ import annotations

from typing import Final

from shoetool.model.protocol_table import Game

_FREE_BET: Final = {
    "633a.2(a)": "590.2(a)",
    "633a.3(a)": "590.3(a)",
    "633a.3(c) backs": "590.3(b)(2)",
    "633a.3(c) cover cards": "590.3(a)",
    "633a.5(d) place": "590.5(d) place",
    "633a.5(f)": "590.5(f)",
    "633a.6(c) timing": "590.6(c)",
    "633a.7(a)": "590.7(a)",
    "633a.7(b)": "590.7(b)",
    "633a.7(c) batch": "590.7(c)",
    "633a.7(c) dealer": "590.7(c)",
    "633a.7(e)": "590.7(d)",
    "633a.7(e)(1)": "590.7(d)(1)-(2)",
    "633a.7(f)": "590.7(e)(1)-(4)",
    "633a.7(f)(1)": "590.7(e)(1)-(4)",
    "633a.7(f)(2)": "590.7(e)(1)-(4)",
    "633a.7(f)(3)": "590.7(e)(1)-(4)",
    "633a.7(f)(4)": "590.7(e)(1)-(4)",
    "633a.7(i)": "590.7(h)(2)",
    "633a.7(j)": "590.7(i)",
    "633a.7(k)": "590.7(j)",
    "633a.7(k)(1)": "590.7(j)(1)",
    "633a.7(k)(2)": "590.7(j)(2)",
    "633a.7(l)": "590.7(k)",
    "633a.7(m)": "590.7(l)",
    "633a.7(n)": "590.7(m)",
    "633a.7(s)": "590.7(s)",
    "633a.9(a) option": "590.9(a)",
    "633a.10(a)": "590.10(a)",
    "633a.11(a)": "590.11(a)",
    "633a.11(b)": "590.11(c) order",
    "633a.14(a)": "590.13(a)",
    "633a.14(b)": "590.13(b)",
    "633a.14(c) use": "590.13(c)",
    "633a.14(c) refusal": "590.13(c)",
    "633a.14(c) discard": "590.13(c)",
    "633a.14(d)": "590.13(d)",
    "633a.14(e)": "590.13(e)",
    "633a.14(f) reshuffle": "590.13(f)",
    "633a.14(f) burn": "590.13(f)",
    "633a.14(g) none": "590.13(g)",
    "633a.14(g) one": "590.13(g)",
    "633a.14(i)": "590.13(h)",
    "633a.14(k)": "590.13(j)",
}
_SPANISH: Final = {
    "633a.2(a)": "635a.2(a)",
    "633a.3(a)": "635a.3(a) composition",
    "633a.3(c) backs": "635a.3(d)(2)",
    "633a.3(c) cover cards": "635a.3(a) count",
    "633a.5(d) place": "635a.5(d) place",
    "633a.5(f)": "635a.5(f)",
    "633a.6(c) timing": "635a.6(c)",
    "633a.7(a)": "635a.7(a)",
    "633a.7(b)": "635a.7(b)",
    "633a.7(c) batch": "635a.7(c)",
    "633a.7(c) dealer": "635a.7(c)",
    "633a.7(e)": "635a.7(d)",
    "633a.7(e)(1)": "635a.7(d)",
    "633a.7(f)": "635a.7(e)(1)-(4)",
    "633a.7(f)(1)": "635a.7(e)(1)-(4)",
    "633a.7(f)(2)": "635a.7(e)(1)-(4)",
    "633a.7(f)(3)": "635a.7(e)(1)-(4)",
    "633a.7(f)(4)": "635a.7(e)(1)-(4)",
    "633a.7(i)": "635a.7(h)(2)",
    "633a.7(j)": "635a.7(i)",
    "633a.7(k)": "635a.7(j)",
    "633a.7(k)(1)": "635a.7(j)(1)",
    "633a.7(k)(2)": "635a.7(j)(2)",
    "633a.7(l)": "635a.7(k)",
    "633a.7(m)": "635a.7(l)",
    "633a.7(n)": "635a.7(m)",
    "633a.7(s)": "635a.7(q)",
    "633a.9(a) option": "635a.9(a)",
    "633a.10(a)": "635a.10(a) cards",
    "633a.11(a)": "635a.11(a)",
    "633a.11(b)": "635a.11(b)",
    "633a.14(a)": "635a.13(a) one",
    "633a.14(b)": "635a.13(c)",
    "633a.14(c) use": "635a.13(d)",
    "633a.14(c) refusal": "635a.13(d)",
    "633a.14(c) discard": "635a.13(d)",
    "633a.14(d)": "635a.13(e)",
    "633a.14(e)": "635a.13(f)",
    "633a.14(f) reshuffle": "635a.13(g)",
    "633a.14(f) burn": "635a.13(g)",
    "633a.14(g) none": "635a.13(h)",
    "633a.14(g) one": "635a.13(h)",
    "633a.14(i)": "635a.13(i)",
    "633a.14(k)": "635a.13(k)",
}


def clause_in(game: int, clause: str) -> str:
    """The clause of the game's own chapter; a clause without a counterpart there keeps its id of ch. 633a."""
    if game == Game.FREE_BET:
        return _FREE_BET.get(clause, clause)
    if game == Game.SPANISH_21:
        return _SPANISH.get(clause, clause)
    return clause
