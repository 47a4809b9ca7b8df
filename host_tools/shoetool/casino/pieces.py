"""Hand out many histories to workers, piece by piece, and take the results in order."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final, Generic, TypeVar

from shoetool.casino.workers import Waiting, Workers
from shoetool.model.errors import BadInput
from shoetool.model.version import version

A = TypeVar("A")
R = TypeVar("R")

PIECE_FILES: Final = 32
PIECE_BYTES: Final = 1 << 22
"""A piece of work has so many files or bytes: handing it out costs little, and the bar moves often."""
AHEAD: Final = 3
"""How many pieces for each worker are handed out ahead."""

_version = cache(version)


@dataclass(slots=True)
class Done(Generic[R]):
    """The results of one piece of work, and the version of the shoetool that did it."""

    results: list[R]
    version: str


def do(work: Callable[[Sequence[Path], A], list[R]], paths: Sequence[Path], asked: A) -> Done[R]:
    """Do one piece of work. This runs in a worker."""
    return Done(work(paths, asked), _version())


def handed_out(
    to_do: Iterable[tuple[Path, int]], work: Callable[[Sequence[Path], A], list[R]], asked: A, workers: Workers
) -> Iterator[tuple[list[R], int]]:
    """Let the workers do `work` on histories, each given with its bytes. Yield each piece's results, and its bytes.

    `work(paths, asked)` returns a result for each path, in order. BadInput: a worker has another version of shoetool.
    """
    under_way: deque[tuple[Waiting[Done[R]], int]] = deque()
    for paths, size in _pieces(to_do):
        under_way.append((workers.submit(do, work, paths, asked), size))
        if len(under_way) >= AHEAD * workers.width:
            yield _results(*under_way.popleft())
    while under_way:
        yield _results(*under_way.popleft())


def _pieces(to_do: Iterable[tuple[Path, int]]) -> Iterator[tuple[list[Path], int]]:
    piece: list[Path] = []
    size = 0
    for path, own in to_do:
        piece.append(path)
        size += own
        if len(piece) >= PIECE_FILES or size >= PIECE_BYTES:
            yield piece, size
            piece, size = [], 0
    if piece:
        yield piece, size


def _results(piece: Waiting[Done[R]], size: int) -> tuple[list[R], int]:
    done = piece.result()
    if done.version != version():
        raise BadInput(f"a worker has shoetool {done.version}, this is {version()}: install the same on all machines")
    return done.results, size
