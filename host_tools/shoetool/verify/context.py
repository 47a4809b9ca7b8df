"""What every check is handed: the table, and where to put a finding."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from shoetool.judge.finding import Finding, Objection, Payment
from shoetool.judge.registry import CHECKS
from shoetool.rules.games import Game, clause_in, game_of
from shoetool.table.card import DrawnCard
from shoetool.table.round import Round
from shoetool.table.table import Table

MOST_FINDINGS: Final = 10_000
MOST_OF_FILE: Final = 1_000
"""Beyond them: what was done to the file is found last and must not be lost among its consequences."""


class Context:
    """Findings so far (at most 10,000, and 1,000 more about the file; others are only counted), and the state after the
    record at hand."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.findings: list[Finding] = []
        self.dropped = 0

    @property
    def rules(self) -> Game:
        """The game that the shoe deals, as the regulation declares it; a shoe of an unknown game is not judged."""
        return game_of(self.table.game)

    def object(self, objections: Iterable[Objection], round_: Round | None = None) -> None:
        """Add what the judge objects to in a round; None: in the one that is open."""
        for check, sentence, records, cards, clause, verdict, of in objections:
            self.add(check, verdict, records, sentence, faces(cards), of or round_, clause)

    def add(
        self,
        check: str,
        verdict: str,
        records: Iterable[int],
        sentence: str,
        cards: Iterable[int] = (),
        round_: Round | None = None,
        clause: str | None = None,
        payment: Payment | None = None,
        of_file: bool = False,
    ) -> None:
        """Add a finding of a check in the registry; `clause` stands in for the registry's where the check has two.

        `of_file`: it is about the file and no round, whichever round the history ends in.
        """
        if len(self.findings) >= MOST_FINDINGS + (MOST_OF_FILE if of_file else 0):
            self.dropped += 1
            return
        entry = CHECKS[check]
        at = None if of_file else self.table.round if round_ is None else round_
        number = None if at is None else at.number
        where = "" if number is None else f"Round {number}: "
        numbers = tuple(sorted({record for record in records if record >= 0}))
        faces = tuple(card for card in cards if 0 <= card < 52)
        named = clause_in(self.table.game, clause or entry.clause)
        text = where + (sentence if where else sentence[:1].upper() + sentence[1:])
        opened = None if at is None else at.record
        self.findings.append(
            Finding(named, check, verdict, numbers, faces, number, text, entry.reading, payment, opened)
        )


def faces(cards: Iterable[DrawnCard]) -> list[int]:
    """Ids of the cards whose face the history shows."""
    return [card.card for card in cards if 0 <= card.card < 52]
