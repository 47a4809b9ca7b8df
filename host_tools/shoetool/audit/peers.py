"""Each table, device, head and batch beside the others, and the cards that could not be read.

Given how often something happened in all, the number at one device is binomial with its share of the work, when all
have the same rate and one event does not bring another about: that is exact, and needs no rate to be known.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Final

import numpy as np

from shoetool.audit.deck import FACES, UNREAD, Deck
from shoetool.audit.line import Farthest, Line, Member, of_farthest, sigma
from shoetool.audit.tails import binomial
from shoetool.audit.told import Array, Load, Told
from shoetool.model.cards import card_name

_LAW: Final = "binomial given the sum over all, exact if the events do not bring each other about"


class Peers:
    """Sums by table, device, head and batch."""

    def __init__(self) -> None:
        self.faults: Counter[str] = Counter()
        self.findings = False
        """Whether `verify` was asked."""
        self._counts: dict[str, tuple[Counter[str], Counter[str]]] = {}
        self._lost: Counter[bool] = Counter()
        self._lost_faces: dict[bool, Array] = {}

    def add(self, told: Told, device: str) -> None:
        """Take one history."""
        table = f"table {told.tables[0]}" if told.tables else "table unknown"
        if told.findings is not None:
            self.findings = True
            self._count("findings by table", table, told.findings, told.rounds)
            self._count("findings by device", device, told.findings, told.rounds)
        self._count("irregular by table", table, told.irregularities, told.rounds)
        self._count("irregular by device", device, told.irregularities, told.rounds)
        for (head, batch, what), number in told.heads.items():
            if what == "cards":
                unread = told.heads[head, batch, "unreadable"]
                self._count("unreadable by device", device, unread, number)
                self._count("unreadable by head", f"head {'AB'[head]} of {device}", unread, number)
                self._count("unreadable by batch", f"batch {batch}", unread, number)
            elif what in ("faults", "cleared", "unread"):
                self.faults[what] += number
        for load in told.loads:
            self._lost_card(load)

    def _count(self, key: str, name: str, events: int, work: int) -> None:
        seen, done = self._counts.setdefault(key, (Counter(), Counter()))
        seen[name] += events
        done[name] += work

    def _lost_card(self, load: Load) -> None:
        """In a batch that was counted to its end, the faces that nobody saw are those of its unread cards."""
        unread = load.faces.count(UNREAD)
        if not load.whole or load.unopened or not unread or len(load.faces) != load.deck.size:
            return
        missing = load.deck.copies - np.bincount(list(load.faces), minlength=UNREAD + 1)[:FACES]
        if missing.min() < 0:
            return
        spanish = load.deck.spanish
        self._lost[spanish] += unread
        self._lost_faces[spanish] = self._lost_faces.get(spanish, np.zeros(FACES, np.int64)) + missing

    def lines(self) -> list[Line]:
        """The tests."""
        findings = [
            self._beside("findings by table", "findings of verify per 100 rounds, by table", 100, "rounds"),
            self._beside("findings by device", "findings of verify per 100 rounds, by device", 100, "rounds"),
        ]
        return [
            *(findings if self.findings else []),
            self._beside("irregular by table", "irregularities per 100 rounds, by table", 100, "rounds"),
            self._beside("irregular by device", "irregularities per 100 rounds, by device", 100, "rounds"),
            self._beside("unreadable by device", "unreadable cards per 1,000, by device", 1000, "cards"),
            self._beside("unreadable by head", "unreadable cards per 1,000, by read head", 1000, "cards"),
            self._beside("unreadable by batch", "unreadable cards per 1,000, by batch", 1000, "cards"),
            self._worn(),
        ]

    def _beside(self, key: str, what: str, per: int, work: str) -> Line:
        seen, done = self._counts.get(key, (Counter(), Counter()))
        return beside(key, what, seen, done, per, work)

    def _worn(self) -> Line:
        what = "faces of unread cards, in batches that were counted to their end"
        found = Farthest()
        for spanish, number in self._lost.items():
            deck = Deck(1, spanish)
            for face in np.flatnonzero(deck.copies):
                seen, share = int(self._lost_faces[spanish][face]), 1 / deck.size
                off = sigma(seen, number * share, number * share * (1 - share))
                p = binomial(seen, number, share)
                found.add(Member(p, card_name(int(face)), seen, number * share, off))
        return of_farthest(
            "worn cards",
            what,
            "cards",
            found,
            "binomial, each face alike, exact if the events do not bring each other about",
            "no unread card in a batch that was counted",
        )


def beside(key: str, what: str, seen: Mapping[str, int], done: Mapping[str, int], per: int, work: str) -> Line:
    """Each member beside all: its events of its work. Observed and expected are rates."""
    events, total = sum(seen.values()), sum(done.values())
    names = [name for name, own in done.items() if own]
    if len(names) < 2:
        return Line(key, what, law=_LAW, note=f"{len(names)} to compare")
    found = Farthest()
    for name in names:
        share = done[name] / total
        off = sigma(seen[name], events * share, events * share * (1 - share))
        rate, pooled = per * seen[name] / done[name], per * events / total
        found.add(Member(binomial(seen[name], events, share), name, rate, pooled, off))
    line = of_farthest(key, what, f"per {per:,} {work}", found, _LAW)
    line.note = f"{events:,} of {total:,} {work} in all"
    return line
