"""Signed synthetic histories for tests, keys and signatures by pyhsslms, no code of the firmware; and their forgers.

A forger here knows everything but the secret key: he computes CRCs, page hashes and the chain anew.
"""

from __future__ import annotations

import struct
from binascii import crc32
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

import pyhsslms
from dealer_script import Dealer, Table
from histories import DEVICE, IDENTITY, Script, cut_pages
from shoetool.history import chunks
from shoetool.history.chunks import Configuration, SignatureChunk
from shoetool.history.store import ShoelogReader, ShoelogWriter
from shoetool.model.protocol_table import PAGE_SIZE, RecordKind, Role, Signature
from shoetool.model.records import Record
from shoetool.trust.statement import Statement

_PAIRS = ((1, 0), (3, 6))
SETTINGS = Configuration(crc32(Configuration(0, _PAIRS).pack()[4:]), _PAIRS)
"""Settings with their CRC, as a device has them."""
LIBRARY: Any = pyhsslms.pyhsslms


class Key:
    """A signing key of height 5 from a fixed seed. `sign` may be told an index, which no shoe would do twice."""

    def __init__(self, name: str, height_type: bytes = LIBRARY.lms_sha256_m32_h5) -> None:
        seed = sha256(name.encode()).digest()
        self._key = LIBRARY.LmsPrivateKey(
            height_type, LIBRARY.lmots_sha256_n32_w4, SEED=seed, I=sha256(seed).digest()[:16]
        )
        self.public: bytes = self._key.publicKey().serialize()
        self.next = 0

    @property
    def identifier(self) -> bytes:
        return self.public[8:24]

    def sign(self, message: bytes, index: int | None = None) -> bytes:
        """An LMS signature with the next index, or with `index`."""
        self._key.q = self.next if index is None else index
        self._key.ots_priv[self._key.q]._signatures_remaining = 1  # a thief's copy minds no guard
        signature: bytes = bytes(self._key.sign(message))
        if index is None:
            self.next += 1
        return signature


@cache
def key(name: str = "shoe") -> Key:
    """A key by name, made once."""
    return Key(name)


def end_of_shoe(page: bytes) -> tuple[int, int] | None:
    """(bytes up to the end of the record shoe_closed, its number) of a page that holds one."""
    number = struct.unpack_from("<I", page, 16)[0]
    at = 64
    while at + 10 <= PAGE_SIZE and page[at] != 0xFF:
        kind, length = page[at + 1], page[at]
        at += length + 10
        if kind == RecordKind.SHOE_CLOSED:
            return at, number
        number += 1
    return None


def sign_pages(
    pages: list[bytes], by: Key, index: int | None = None, device: bytes = DEVICE, shoe: int | None = None
) -> SignatureChunk:
    """The signature that a shoe of this key would make of these pages."""
    last, end, record = next((page, *found) for page in reversed(pages) if (found := end_of_shoe(page)))
    number, own_shoe = struct.unpack_from("<II", last, 8)
    statement = Statement(
        device,
        by.identifier,
        by.next if index is None else index,
        own_shoe if shoe is None else shoe,
        struct.unpack_from("<I", pages[0], 8)[0],
        number,
        struct.unpack_from("<I", pages[0], 16)[0],
        record,
        end,
        SETTINGS.crc,
        sha256(last[:end]).digest(),
    ).pack()
    own = own_shoe if shoe is None else shoe
    return SignatureChunk(own, Signature.SIGNED, by.public, statement, by.sign(statement, index))


@cache
def dealt(seed: int = 1) -> Script:
    """A clean shoe of several pages."""
    return Dealer(Table(decks=8, seats=0b11), seed).play_shoe()


def write(
    path: Path,
    pages: list[bytes],
    signatures: list[SignatureChunk],
    identity: chunks.Identity = IDENTITY,
    settings: Configuration | None = None,
) -> Path:
    """A history file of these pages, in this order whatever they are."""
    path.unlink(missing_ok=True)
    with ShoelogWriter(path, sync=False) as writer:
        writer.set_identity(identity)
        writer.set_configuration(settings or SETTINGS)
        for page in pages:
            writer._append(chunks.PAGE, page)
        for signature in signatures:
            writer.add_signature(signature)
    return path


def file_name(device: bytes = DEVICE, shoe: int = 1) -> str:
    return f"{device.hex()}-{shoe:05d}.shoelog"


def signed_file(folder: Path, seed: int = 1, shoe: int = 1, by: Key | None = None, first_page: int = 0) -> Path:
    """A good signed history of one shoe."""
    pages = cut_pages(dealt(seed).records, first_page, shoe)
    assert len(pages) >= 3, "too short to be cut, spliced and reordered"
    folder.mkdir(parents=True, exist_ok=True)
    return write(folder / file_name(shoe=shoe), pages, [sign_pages(pages, by or key(), shoe + seed % 2)])


def read(path: Path) -> tuple[list[bytes], list[SignatureChunk]]:
    """Pages and signatures of a file."""
    with ShoelogReader(path) as reader:
        pages = list(reader.pages())
        return pages, reader.signatures


# ------------------------------------------------------------------------------------------------------- forging


def with_header(page: bytes, /, **changes: int | bytes) -> bytes:
    """A page whose header says something else, its CRC made to fit."""
    names = ("magic", "format", "flags", "boot", "page", "shoe", "first_record", "device", "previous")
    form = "<4sBBHIII8s32s"
    fields = dict(zip(names, struct.unpack_from(form, page), strict=True)) | changes
    head = struct.pack(form, *fields.values())
    return head + struct.pack("<I", crc32(head)) + page[64:]


def chained(pages: list[bytes], previous: bytes = bytes(32)) -> list[bytes]:
    """The pages with their links made to fit."""
    out: list[bytes] = []
    for page in pages:
        out.append(with_header(page, previous=previous))
        previous = sha256(out[-1]).digest()
    return out


def edited_records(script: Script, late: bool = False) -> list[Record]:
    """The records of a shoe in which a card that a player drew became another one; with `late` the last of all."""
    out = list(script.records)
    places = [place for place, record in enumerate(out) if record.kind == RecordKind.CARD]
    drawn = [place for place in places if out[place].values[0] == Role.DRAW]
    place = places[-1] if late else drawn[len(drawn) // 2]
    record = out[place]
    values = list(record.values)
    values[4] = (values[4] + 1) % 52
    out[place] = Record(record.number, record.boot, record.ticks_ms, record.kind, tuple(values))
    return out


def flip(page: bytes, at: int) -> bytes:
    """One bit of a page changed."""
    changed = bytearray(page)
    changed[at] ^= 1
    return bytes(changed)
