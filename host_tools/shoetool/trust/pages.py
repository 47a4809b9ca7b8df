"""The pages of one file, for its signatures: by number and by shoe, and the heads of their shoes.

The time to find one does not grow with the file, so a file with many shoes takes as long as many files.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from hashlib import sha256

from shoetool.history.chain import PageFact
from shoetool.history.store import ShoelogReader
from shoetool.trust.statement import Statement


class Pages:
    """The pages of a reader whose records were read. `statements`: those whose heads will be needed."""

    def __init__(self, reader: ShoelogReader, statements: Iterable[Statement]) -> None:
        self._reader = reader
        self._facts = facts = reader.chain.facts
        self._row = sorted(range(len(facts)), key=lambda at: facts[at].page)
        self._numbers = [facts[at].page for at in self._row]
        self._of_shoe: dict[tuple[bytes, int], list[PageFact]] = {}
        for fact in facts:
            self._of_shoe.setdefault((fact.device, fact.shoe), []).append(fact)
        self._ends: dict[int, set[int]] = {}
        for statement in statements:
            self._ends.setdefault(statement.last_page, set()).add(statement.end)
        self._heads: dict[tuple[int, int], bytes] | None = None

    @property
    def first(self) -> PageFact | None:
        """The first page of the file."""
        return self._facts[0] if self._facts else None

    def of(self, device: bytes, shoe: int) -> list[PageFact]:
        """Return the pages of a shoe, in the order of the file."""
        return self._of_shoe.get((device, shoe), [])

    def _range(self, first: int, last: int) -> tuple[int, int]:
        return bisect_left(self._numbers, first), bisect_right(self._numbers, last)

    def between(self, first: int, last: int) -> list[PageFact]:
        """Return the pages from number `first` to `last`, in the order of the file."""
        low, high = self._range(first, last)
        return [self._facts[at] for at in sorted(self._row[low:high])]

    def missing(self, first: int, last: int) -> Iterator[tuple[int, int]]:
        """Yield (first, last) of each run of page numbers from `first` to `last` that the file lacks."""
        low, high = self._range(first, last)
        due = first
        for number in self._numbers[low:high]:
            if number > due:
                yield due, number - 1
            due = number + 1
        if due <= last:
            yield due, last

    def head(self, statement: Statement) -> bytes:
        """Return the SHA-256 of the part of the last page that the statement covers; of no bytes when it is missing."""
        if self._heads is None:
            self._heads = {}
            for number, ends in self._ends.items():
                page = self._reader.page(number)
                if page is not None:
                    self._heads |= {(number, end): sha256(page[:end]).digest() for end in ends}
        return self._heads.get((statement.last_page, statement.end), b"")
