"""Which outcomes of a wager hold for a deal: all that any of its paytables may pay, so that one count serves all."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any

from shoetool.rules.paytable import Paytable
from shoetool.rules.submission.rules import RulesSubmission
from shoetool.rules.wagers import View, Wager
from shoetool.rules.wagers.payable import paid_outcomes

Held = tuple[int, ...]
"""Places of outcomes in the wager's declaration. Behind one that every paytable pays no other matters."""


class WatchedRules:
    """A rules submission for predicates, which notes whether one looks at the offers: then the paytable matters."""

    def __init__(self, rules: RulesSubmission) -> None:
        self._rules = rules
        self.looked_at_offers = False

    @property
    def game(self) -> str:
        """The game that is dealt."""
        return self._rules.game

    @property
    def choices(self) -> Mapping[str, Any]:
        """How the house reads clauses."""
        return self._rules.choices

    @property
    def wagers(self) -> Mapping[str, Any]:
        """What the house offers, paytables among it."""
        self.looked_at_offers = True
        return self._rules.wagers


def holding(wager: Wager, tables: Collection[Paytable]) -> Callable[[View], Held]:
    """Return what says which outcomes hold, as far as one of these paytables may pay them."""
    paid = [set(paid_outcomes(wager, table)) for table in tables]
    asked = [
        (place, one.predicate, all(one in pays for pays in paid))
        for place, one in enumerate(wager.outcomes)
        if any(one in pays for pays in paid)
    ]

    def held(view: View) -> Held:
        found: Held = ()
        for place, predicate, always in asked:
            if predicate(view):
                found += (place,)
                if always:
                    break
        return found

    return held
