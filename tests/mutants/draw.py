"""The order in which mutants are drawn: by the seed and by what each changes, so that it stays when other code changes.

A sample that is drawn by place in a list is another one as soon as a line comes or goes anywhere, and what was found
about its mutants says nothing of the next.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from hashlib import sha256

Mark = tuple[str, str, str, str, int]
"""File, function, kind of the change, the line that it is made in without its indentation, and the column there."""


def ranks(marks: Iterable[Mark], seed: int) -> list[bytes]:
    """The rank of each mutant by its mark; the lowest is drawn first. Mutants of one mark count up."""
    seen: Counter[Mark] = Counter()
    found = []
    for mark in marks:
        seen[mark] += 1
        found.append(sha256(repr((seed, *mark, seen[mark])).encode()).digest())
    return found
