"""Histories for the audit's tests: shoes of one or more devices that follow each other, dealt by the tests' dealer."""

from __future__ import annotations

import hashlib
import struct
from binascii import crc32
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from dealer_script import Dealer, Table
from histories import Script, cut_pages
from shoetool.audit.chances import note_final
from shoetool.audit.told import Dealt
from shoetool.history.chunks import ClockPoint, Identity
from shoetool.history.store import ShoelogWriter

SIX_DECKS = np.full(52, 6)
Order = Callable[[int, list[int]], list[int]]
"""What becomes of the shuffled cards of a shoe, by its number: an honest shuffle gives them back."""


def dealers_hands(game: str, *hands: tuple[int, ...]) -> Dealt:
    """Each of these hands of the dealer, from six whole decks but for his up card."""
    dealt = Dealt()
    for dealer in hands:
        left = SIX_DECKS.copy()
        left[dealer[0]] -= 1
        note_final(dealt, left, game, list(dealer))
    return dealt


class Ordered(Dealer):
    """A dealer whose shuffles go through `order`."""

    order: Order = staticmethod(lambda shoe, cards: cards)
    number = 1

    def fresh(self, side: int) -> list[int]:
        return self.order(self.number, super().fresh(side))


def history(
    folder: Path,
    device: bytes,
    shoe: int,
    seed: int,
    order: Order | None = None,
    plant: str = "",
    count: bool = False,
    at_ms: int | None = None,
    table: Table | None = None,
    rounds: int = 1000,
) -> Path:
    """One shoe of a device as a file that begins and ends with it."""
    dealer = Ordered(table or Table(decks=6, seats=0b11111), seed, plant, Script(boot=1))
    dealer.number = shoe
    if order is not None:
        dealer.order = order
    script = dealer.play_shoe(rounds, boot=False, count_after=count)
    path = folder / f"{device.decode()}-{shoe:05}.shoelog"
    with ShoelogWriter(path, sync=False) as writer:
        writer.set_identity(Identity(device, 1, 0, b"\x00\x01\x00", "virtual"))
        if at_ms is not None:
            first = script.records[0]
            writer.add_clock(ClockPoint(first.boot, first.ticks_ms, at_ms, 3))
        previous = bytes(32)
        for page in cut_pages(script.records, 0, shoe):
            head = page[:20] + device + previous
            made = head + struct.pack("<I", crc32(head)) + page[64:]
            previous = hashlib.sha256(made).digest()
            writer.append_page(made)
    return path


def shoes(
    folder: Path, number: int, device: bytes = b"DEVICE-1", seed: int = 1, order: Order | None = None, **other: Any
) -> None:
    """So many shoes of one device, from number 1."""
    folder.mkdir(exist_ok=True)
    for shoe in range(1, number + 1):
        history(folder, device, shoe, seed * 10_000 + shoe, order, **other)
