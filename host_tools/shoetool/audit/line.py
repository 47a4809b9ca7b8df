"""One test's result, and how all results of an audit are judged together."""

from __future__ import annotations

import heapq
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

ALPHA: Final = 0.001
"""About how likely an audit of honest shoes says "not as expected" of anything at all, at most."""
NAMED: Final = 5
"""So many of the farthest are kept by name."""


class Member(NamedTuple):
    """One shoe, device, face or wager among those that a test looked at; p is its own. outcome: to which one of a wager
    the numbers belong, "" where they are those of all that win."""

    p: float
    name: str
    observed: float
    expected: float
    sigma: float | None
    outcome: str = ""

    @property
    def title(self) -> str:
        """Its name, and the outcome in words."""
        return f"{self.name}, {self.outcome.replace('_', ' ')}" if self.outcome else self.name

    def to_json(self) -> dict[str, Any]:
        """JSON types only."""
        return {
            "name": self.name, **({"outcome": self.outcome} if self.outcome else {}),
            "observed": _round(self.observed), "expected": _round(self.expected),
            "sigma": None if self.sigma is None else _round(self.sigma), "p": self.p,
        }  # fmt: skip


class Farthest:
    """Keeps the members that are farthest from expectation, and how many there were."""

    def __init__(self) -> None:
        self.of = 0
        self._heap: list[tuple[float, int, Member]] = []

    def add(self, member: Member) -> None:
        """Take one more."""
        self.of += 1
        entry = (-member.p, -self.of, member)
        if len(self._heap) < NAMED:
            heapq.heappush(self._heap, entry)
        elif entry > self._heap[0]:
            heapq.heapreplace(self._heap, entry)

    def members(self) -> list[Member]:
        """The farthest first."""
        return [entry[2] for entry in sorted(self._heap, reverse=True)]

    @property
    def p(self) -> float:
        """How likely any of them lies so far out: Bonferroni's bound."""
        return min(1.0, self.of * self.members()[0].p) if self._heap else 1.0


@dataclass(slots=True)
class Line:
    """A test. `p` None: it could not be done, and `note` says why.

    `unit`: what is counted. `law`: the law that p is from. `p` counts that the farthest of `of` members was taken.
    `sigma`: standard deviations from the expectation, where one number says it. `least`: one below it is 0.
    """

    key: str
    what: str
    unit: str = ""
    observed: float | None = None
    expected: float | None = None
    sigma: float | None = None
    p: float | None = None
    law: str = ""
    note: str = ""
    of: int = 0
    members: list[Member] = field(default_factory=list)
    adjusted: float | None = None
    expected_so: bool | None = None
    least: int = 0

    def to_json(self) -> dict[str, Any]:
        """JSON types only."""
        return {
            "test": self.key, "what": self.what, "unit": self.unit,
            "observed": None if self.observed is None else _round(self.observed),
            "expected": None if self.expected is None else _round(self.expected),
            "sigma": None if self.sigma is None else _round(self.sigma),
            "p": self.p, "p_adjusted": self.adjusted, "law": self.law, "note": self.note, "of": self.of,
            "farthest": [one.to_json() for one in self.members],
            "verdict": self.verdict,
        }  # fmt: skip

    @property
    def verdict(self) -> str:
        """In words."""
        if self.expected_so is None:
            return "not tested"
        return "as expected" if self.expected_so else "not as expected"


def of_farthest(key: str, what: str, unit: str, found: Farthest, law: str, why_none: str = "", least: int = 0) -> Line:
    """The line of a test of which the farthest member counts. least: as in Line."""
    if not found.of:
        return Line(key, what, unit, law=law, note=why_none, least=least)
    members = found.members()
    first = members[0]
    return Line(
        key, what, unit, first.observed, first.expected, first.sigma, found.p, law, "", found.of, members, least=least
    )  # fmt: skip


def of_several(key: str, what: str, unit: str, found: Farthest, law: str) -> list[Line]:
    """The same beside a test of the sum: no line for a single member, which would be the sum once more."""
    return [of_farthest(key, what, unit, found, law)] if found.of > 1 else []


def judge(lines: list[Line], alpha: float) -> None:
    """Judge all lines together by Holm's rule: the chance of any false alarm is `alpha` at most.

    That is as exact as the laws that p is from: some are approximations.
    """
    tested = sorted((line for line in lines if line.p is not None), key=lambda line: line.p or 0.0)
    least = 0.0
    for at, line in enumerate(tested):
        assert line.p is not None
        least = max(least, min(1.0, (len(tested) - at) * line.p))
        line.adjusted = least
        line.expected_so = least > alpha


def as_expected(lines: Iterable[Line]) -> bool | None:
    """Whether all tests are as expected, once they are judged; None when nothing could be tested."""
    tested = [line.expected_so is not False for line in lines if line.p is not None]
    return all(tested) if tested else None


def sigma(observed: float, expected: float, variance: float) -> float | None:
    """How many standard deviations lie between; None where the variance is nothing."""
    return (observed - expected) / variance**0.5 if variance > 0 else None


def _round(value: float) -> float:
    return float(f"{value:.6g}")
