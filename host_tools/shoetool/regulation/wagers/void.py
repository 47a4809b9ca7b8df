"""Rounds that the card reader device voids: what was settled before stays settled, 633a.14(j)(1), (k)."""

from __future__ import annotations

from typing import Final

from shoetool.regulation.round import TableRound
from shoetool.regulation.submission.rules import RulesSubmission

BY_THE_READER: Final = frozenset({"633a.14(j)(1)", "633a.14(k)", "590.13(j)", "635a.13(j)(1)", "635a.13(k)"})
"""Clauses that void a round after its deal, when the wagers of 633a.7(g) are settled already."""


def settled_before(table_round: TableRound, rules: RulesSubmission) -> bool:
    """Whether the void round's deal was over, so that what is settled after it was settled.

    A round whose dealer has no two known cards may have ended within its deal: everything goes back.
    """
    live = rules.reader_void_returns == "live"
    return live and table_round.void in BY_THE_READER and len(table_round.dealer) > 1
