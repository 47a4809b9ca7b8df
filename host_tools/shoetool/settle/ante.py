"""The switch hands ante, 633c.4(c): no clause collects, pays or returns it. It is the fee for the choice between two
hands, which the house keeps; by the rules submission it goes back to who kept the hand dealt face up."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from shoetool.rules.round import Box, Line, Stage, TableRound
from shoetool.rules.rule_error import RuleError
from shoetool.rules.wagers import switch_hands
from shoetool.settle.terms import Terms

_CLAUSE: Final = "633c.4(c)"
_NOTE: Final = ((_CLAUSE, "no clause says what becomes of the ante: switch_hands_ante of the rules submission does"),)
_NONE: Final = ()


def ante_lines(terms: Terms, table_round: TableRound) -> Iterator[Line]:
    """Return a line for each ante, from the dealer's right. RuleError for one that the table does not take."""
    offered = switch_hands.OFFERED.of(terms.rules)
    for box in reversed(table_round.boxes):
        _verify(box, offered)
        if box.ante:
            yield _line(terms, box, table_round.void)


def _verify(box: Box, offered: str) -> None:
    where = f"position {box.position}"
    if (box.ante or box.switched is not None) and offered == "none":
        raise RuleError("633c.4(k)", f"{where}: a switch hands ante, and switch hands are not offered at this table")
    if box.switched is not None and not box.ante:
        raise RuleError("633c.4(k)", f"{where}: a choice between two hands without a switch hands ante")
    if offered == "all" and not box.ante:
        raise RuleError(_CLAUSE, f"{where}: no switch hands ante, which every player places at this table")


def _line(terms: Terms, box: Box, void: str | None) -> Line:
    back = 0
    words, clause, outcome = "the house keeps it as the fee for the choice between two hands", _CLAUSE, "kept"
    if void is not None:
        back, outcome, words, clause = box.ante, "returned", "the round is void: the ante is returned", void
    elif box.switched is None:
        clauses = terms.game.clauses
        back, outcome, clause = box.ante, "returned", clauses.no_cards
        words = "there was no choice between two hands: the ante is returned"
    elif not box.switched and switch_hands.ANTE.of(terms.rules) == "returned":
        back, outcome, words = box.ante, "returned", "the hand dealt face up was kept: the ante is returned"
    return Line(
        *(box.position, None, "ante", box.ante, outcome, words, clause, None, back, 0),
        source="tray",
        stage=Stage.AFTER_DEAL,
        notes=_NOTE if clause == _CLAUSE else _NONE,
    )
