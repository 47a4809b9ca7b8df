"""Synthetic histories for tests: records, pages and `*.shoelog` files from a script, with no code of the firmware.

`Script` is a journal in memory: it numbers records, seals and opens cards, cuts pages and chains them, all written from
protocol.toml's page section alone. `dealer_script.py` plays whole shoes on it.
"""

from __future__ import annotations

import hashlib
import struct
from binascii import crc32
from pathlib import Path

from shoetool.history.chunks import ClockPoint, Configuration, Identity
from shoetool.history.store import ShoelogWriter
from shoetool.model.protocol_table import PAGE_SIZE, RECORDS
from shoetool.model.records import Record

DEVICE = b"TESTSHOE"
KIND = {row["name"]: kind for kind, row in RECORDS.items()}
FORMAT = {row["name"]: row["fields_format"] for row in RECORDS.values()}
IDENTITY = Identity(DEVICE, 1, 0, b"\x00\x01\x00", "virtual")


class Script:
    """A journal in memory; `add` returns the record number as the device would."""

    def __init__(self, first_record: int = 0, boot: int = 0) -> None:
        self.records: list[Record] = []
        self.first_record = first_record
        self.boot = boot
        self.ticks = 1000
        self.faces: dict[int, tuple[int, int, bytes]] = {}

    @property
    def next(self) -> int:
        return self.first_record + len(self.records)

    def add(self, name: str, *values: int | bytes) -> int:
        payload = struct.pack(FORMAT[name], *values)
        self.ticks = (self.ticks + 700) & 0x3FFFFFFF
        if name == "boot":
            self.boot += 1
        number = self.next
        self.records.append(Record(number, self.boot, self.ticks, KIND[name], struct.unpack(FORMAT[name], payload)))
        return number

    def seal(self, role: int, box: int, hand: int, head: int, card: int, batch: int) -> int:
        """A card that lies face down: only its commitment goes into the record."""
        number = self.next
        nonce = hashlib.sha256(b"nonce %d" % number).digest()[:16]
        commitment = hashlib.sha256(nonce + bytes((card, batch))).digest()
        self.faces[number] = (card, batch, nonce)
        return self.add("sealed", role, box, hand, head, commitment)

    def open(self, sealed: int, role: int, box: int, hand: int) -> int:
        card, batch, nonce = self.faces.pop(sealed)
        return self.add("opened", sealed, role, box, hand, card, batch, nonce)

    def totals(self) -> tuple[int, int]:
        """(rounds closed, cards that came out) since the shoe was opened, as shoe_closed tells them."""
        rounds = cards = 0
        for record in self.records:
            if record.name == "shoe_opened":
                rounds = cards = 0
            rounds += record.name == "round_closed"
            blank = record.name == "irregularity" and record.values[0] in (1, 13)
            cards += blank or record.name in ("card", "sealed")
        return rounds, cards

    def pages(self, first_page: int = 0, shoe: int = 1, previous: bytes = bytes(32)) -> list[bytes]:
        """The records cut into journal pages, chained."""
        return cut_pages(self.records, first_page, shoe, previous)

    def write(self, path: Path) -> Path:
        """A history file of the script."""
        with ShoelogWriter(path, sync=False) as writer:
            writer.set_identity(IDENTITY)
            writer.set_configuration(Configuration(0x1234, ((1, 0), (3, 6))))
            writer.add_clock(ClockPoint(self.boot, self.ticks, 1_760_000_000_000, 3))
            for page in self.pages():
                writer.append_page(page)
        return path


def pack_record(record: Record) -> bytes:
    """A record as it lies in a page."""
    payload = struct.pack(RECORDS[record.kind]["fields_format"], *record.values)
    body = struct.pack("<BBI", len(payload), record.kind, record.ticks_ms) + payload
    return body + struct.pack("<I", crc32(struct.pack("<I", record.number) + body))


def pack_page(
    page: int, shoe: int, boot: int, first_record: int, previous: bytes, body: bytes, flags: int = 0
) -> bytes:
    """One journal page, 4096 bytes; `flags` 0 is that of a firmware that does not tell how long it has run."""
    header = struct.pack("<4sBBHIII8s32s", b"SHOE", 1, flags, boot, page, shoe, first_record, DEVICE, previous)
    out = header + struct.pack("<I", crc32(header)) + body
    assert len(out) <= PAGE_SIZE
    return out + b"\xff" * (PAGE_SIZE - len(out))


def cut_pages(
    records: list[Record], first_page: int = 0, shoe: int = 1, previous: bytes = bytes(32), flags: int = 0
) -> list[bytes]:
    """Records cut into chained pages."""
    pages: list[bytes] = []
    body = b""
    first: Record | None = None

    def close() -> None:
        nonlocal body, first, previous
        assert first is not None
        # The header is made before the record: a boot record counts the boot up after it.
        boot = first.boot - (first.kind == KIND["boot"])
        page = pack_page(first_page + len(pages), shoe, boot, first.number, previous, body, flags)
        previous = hashlib.sha256(page).digest()
        pages.append(page)
        body, first = b"", None

    for record in records:
        data = pack_record(record)
        if 64 + len(body) + len(data) > PAGE_SIZE:
            close()
        if first is None:
            first = record
        body += data
    if first is not None:
        close()
    return pages
