"""Hand out many histories to workers, piece by piece, and take the results in order."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from typing import Final, TypeVar

from shoetool.casino.workers import Waiting, Workers
from shoetool.model.errors import BadInput
from shoetool.model.version import version

A = TypeVar("A")
P = TypeVar("P")
R = TypeVar("R")

PIECE_FILES: Final = 32
PIECE_BYTES: Final = 1 << 22
"""A piece of work has so many files or bytes: handing it out costs little, and the bar moves often."""
AHEAD: Final = 3
"""How many pieces for each worker are handed out ahead."""

_version = cache(version)


def do(work: Callable[[Sequence[P], A], list[R]], some: Sequence[P], asked: A, wanted: str) -> list[R]:
    """Do one piece of work. This runs in a worker. BadInput: its shoetool is not of the version that is wanted."""
    if _version() != wanted:
        raise BadInput(f"a worker has shoetool {_version()}, this is {wanted}: install the same on all machines")
    return work(some, asked)


def handed_out(
    to_do: Iterable[tuple[P, int]], work: Callable[[Sequence[P], A], list[R]], asked: A, workers: Workers
) -> Iterator[tuple[list[R], int]]:
    """Let the workers do `work` on histories, each given with its bytes. Yield each piece's results, and its bytes.

    A history is a path, or what says which it is. `work(some, asked)` returns a result for each, in order. BadInput: a
    worker has another version of shoetool.
    """
    wanted = version()
    under_way: deque[tuple[Waiting[list[R]], int]] = deque()

    def first() -> tuple[list[R], int]:
        piece, size = under_way.popleft()
        return piece.result(), size

    for paths, size in _pieces(to_do):
        under_way.append((workers.submit(do, work, paths, asked, wanted), size))
        if len(under_way) >= AHEAD * workers.width:
            yield first()
    while under_way:
        yield first()


def _pieces(to_do: Iterable[tuple[P, int]]) -> Iterator[tuple[list[P], int]]:
    piece: list[P] = []
    size = 0
    for path, own in to_do:
        piece.append(path)
        size += own
        if len(piece) >= PIECE_FILES or size >= PIECE_BYTES:
            yield piece, size
            piece, size = [], 0
    if piece:
        yield piece, size
