"""Passes as a shoe keeps them: cards pulled through a read head, every fault exactly where a test wants it."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import Any

import card_pulls
from shoetool.model.protocol_table import Pass
from shoetool.wire.answers import TracePass

SPEED = 500  # mm/s, or µm/ms
THROUGH = 90_000  # µm, behind everything that a head can see


def pulled(
    card: int | None,
    batch: int = 1,
    kind: int = Pass.CARD,
    moves: Sequence[tuple[int, int]] = ((THROUGH, SPEED),),
    head: int = 0,
    index: int = 0,
    dead: int = 0,
    smeared: tuple[int, int] = (0, 0),
    **faults: Any,
) -> TracePass:
    """A pass with the card's edges up to the one with which it leaves PRESENT. `card` None is a blank.

    `smeared`: a number of an edge of DATA, and by how many µm it lies too late.
    """
    cells = None if card is None else card_pulls.frame(card, batch)
    changes = card_pulls.strip(cells, **faults)
    of_data = [at for at, (_, line) in enumerate(changes) if line == card_pulls.DATA]
    if of_data:
        number, late = smeared
        changes[of_data[number]] = changes[of_data[number]][0] + late, card_pulls.DATA
    edges = card_pulls.move(sorted(changes), moves, dead=dead)
    last = max(at for at, (_, lines) in enumerate(edges) if not lines & card_pulls.PRESENT and at)
    times = [time for time, _ in edges[: last + 1]]
    waits = [late - early for early, late in zip([times[0], *times], times, strict=False)]
    return TracePass(index, head, kind, tuple((wait, edges[at][1]) for at, wait in enumerate(waits)))


def served(kept: Sequence[TracePass], index: int, offset: int) -> tuple[Any, ...]:
    """What a shoe that keeps these passes answers to `trace`, in short pieces."""
    if index >= len(kept):
        return (len(kept), 0, 0, 0, offset, b"")
    one = kept[index]
    data = b""
    for wait, lines in one.edges:
        for _ in range(wait // 0xFFFF):
            data += struct.pack("<HB", 0xFFFF, lines)
        data += struct.pack("<HB", wait % 0xFFFF, lines)
    return (len(kept), one.head, one.kind, len(data) // 3, offset, data[offset : offset + 240])
