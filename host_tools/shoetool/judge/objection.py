"""Why something was not allowed, or is owed: the judge's answer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from shoetool.judge.verdicts import BREACH
from shoetool.table.card import DrawnCard


class Objection(NamedTuple):
    """One objection: the check it falls under (registry), a sentence, the records and cards that prove it.

    `clause` stands in for the registry's where the check has two; `verdict` is that of the check.
    """

    check: str
    sentence: str
    records: Sequence[int]
    cards: Sequence[DrawnCard] = ()
    clause: str | None = None
    verdict: str = BREACH
