"""A forger for the demo: he exchanges the suits of two cards and makes every CRC and the whole chain fit again.

No rule of play tells on him: ranks, totals and the inventory of the shoe stay as they were. He lacks the secret key.
"""

from __future__ import annotations

import struct
from binascii import crc32
from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from typing import Final

from shoetool.history.chain import HEADER_SIZE
from shoetool.history.store import ShoelogReader, ShoelogWriter
from shoetool.model.errors import BadInput
from shoetool.model.protocol_table import PAGE_SIZE, RecordKind, Role

from shoesim.errors import SimulationError

_PREVIOUS_AT: Final = 28
_CARD_AT: Final = 6 + 4  # of a card record: header, then role, box, hand, head
_FIRST_RECORD_AT: Final = 16


@dataclass(frozen=True, slots=True)
class Forgery:
    """What the forger exchanged: two records and the card ids that stood in them."""

    records: tuple[int, int]
    cards: tuple[int, int]


def remove_simulated(path: Path) -> None:
    """Remove the history that an older demo left. BadInput when it is another file: that may be evidence."""
    if not path.exists():
        return
    with ShoelogReader(path) as reader:
        made_here = reader.identity.simulated if reader.identity is not None else not any(reader.pages())
    if not made_here:
        raise BadInput(f"{path}: is the history of a real shoe; it is not overwritten: name another folder")
    path.unlink()


def forge(source: Path, target: Path) -> Forgery:
    """Write a forged copy of a history with its signatures. SimulationError when no two cards are fit for it."""
    with ShoelogReader(source) as reader:
        pages = [bytearray(page) for page in reader.pages()]
        identity, configuration, signatures = reader.identity, reader.configuration, reader.signatures
    places = list(_cards(pages))
    first, second = _pair(places)
    for (page, at, number, _), (_, _, _, card) in ((first, second), (second, first)):
        page[at + _CARD_AT] = card
        end = at + 6 + page[at]
        page[end : end + 4] = struct.pack("<I", crc32(page[at:end], crc32(struct.pack("<I", number))))
    for before, page in pairwise(pages):
        page[_PREVIOUS_AT : _PREVIOUS_AT + 32] = sha256(before).digest()
        page[HEADER_SIZE - 4 : HEADER_SIZE] = struct.pack("<I", crc32(page[: HEADER_SIZE - 4]))
    remove_simulated(target)
    with ShoelogWriter(target, sync=False) as writer:
        if identity is not None:
            writer.set_identity(identity)
        if configuration is not None:
            writer.set_configuration(configuration)
        for page in pages:
            writer.append_page(bytes(page))
        for signature in signatures:
            writer.add_signature(signature)
    return Forgery((first[2], second[2]), (first[3], second[3]))


_Place = tuple[bytearray, int, int, int]
"""Page, byte in it, record number, card id."""


def _cards(pages: Iterable[bytearray]) -> Iterable[_Place]:
    """Where the players' cards of the opening deals stand."""
    for page in pages:
        (number,) = struct.unpack_from("<I", page, _FIRST_RECORD_AT)
        at = HEADER_SIZE
        while at + 10 <= PAGE_SIZE and page[at] != 0xFF:
            if page[at + 1] == RecordKind.CARD and page[at + 6] == Role.OPENING and page[at + _CARD_AT] < 52:
                yield page, at, number, page[at + _CARD_AT]
            at += page[at] + 10
            number += 1


def _pair(places: list[_Place]) -> tuple[_Place, _Place]:
    for index, one in enumerate(places):
        for other in places[index + 1 :]:
            if one[3] % 13 == other[3] % 13 and one[3] != other[3]:
                return one, other
    raise SimulationError("no two cards of one rank were dealt: there is nothing to exchange")
