"""One thing that was found in a history: the clause, what happened, and what proves it.

An objection is the judge's answer; a finding is what `verify` makes of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from shoetool.model.cards import card_name
from shoetool.table.card import DrawnCard
from shoetool.table.round import Round

BREACH: Final = "breach"
HANDLED: Final = "irregularity handled"
CANNOT_TELL: Final = "cannot tell"
VERDICTS: Final = (BREACH, HANDLED, CANNOT_TELL)
"""What a check can say."""


@dataclass(frozen=True, slots=True)
class Payment:
    """What a wager was due and what was paid for it, in cents: won (+) or lost (-) by the player.

    `wager` None: all wagers of the position together; `hand` None: all its hands.
    """

    position: int
    wager: str | None
    hand: int | None
    due: int
    paid: int

    def to_json(self) -> dict[str, Any]:
        """JSON types only; amounts in cents."""
        return {name: getattr(self, name) for name in self.__slots__}


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that the analyst should know.

    `clause` is that of the game's chapter, `check` the name in CHECKS.md, `records` the record numbers that prove it,
    `cards` the ids of cards that were dealt or opened (never one that still lies face down), `round` the round number
    or None, `sentence` what happened and `reading` how the clause was read. `payment` stands where money was paid that
    was not due, or due and not paid. `round_record` is the record that opened the round: numbers of rounds come again
    in another shoe.
    """

    clause: str
    check: str
    verdict: str
    records: tuple[int, ...]
    cards: tuple[int, ...]
    round: int | None
    sentence: str
    reading: str
    payment: Payment | None = None
    round_record: int | None = None

    @property
    def order(self) -> tuple[int, str]:
        """Findings are listed in the order in which they were complete: by their last record, -1 for those of none."""
        return (self.records[-1] if self.records else -1, self.clause)

    def to_json(self) -> dict[str, Any]:
        """JSON types only."""
        return {
            "clause": self.clause,
            "check": self.check,
            "verdict": self.verdict,
            "records": list(self.records),
            "cards": [card_name(card) for card in self.cards],
            "round": self.round,
            "sentence": self.sentence,
            "reading": self.reading,
            **({} if self.payment is None else {"payment": self.payment.to_json()}),
        }


class Objection(NamedTuple):
    """One objection: the check it falls under (registry), a sentence, the records and cards that prove it.

    `clause` stands in for the registry's where the check has two; `verdict` is that of the check; `round`: where it
    belongs to another round than the one that is judged.
    """

    check: str
    sentence: str
    records: Sequence[int]
    cards: Sequence[DrawnCard] = ()
    clause: str | None = None
    verdict: str = BREACH
    round: Round | None = None
