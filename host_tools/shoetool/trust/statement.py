"""The statement that a device signs when a shoe closes, byte by byte as in HISTORY_FORMAT.md."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import Final

from shoetool.history.chain import HEADER_SIZE
from shoetool.model.errors import BadInput
from shoetool.model.protocol_table import PAGE_SIZE

MAGIC: Final = b"SHOESIG\x01"
_BODY: Final = struct.Struct("<8s8s16sIIIIIIHI32s")
SIZE: Final = _BODY.size


@dataclass(frozen=True, slots=True)
class Statement:
    """States that this device closed this shoe, with these pages and records, under this head."""

    device: bytes
    key: bytes
    index: int
    shoe: int
    first_page: int
    last_page: int
    first_record: int
    last_record: int
    end: int
    """How many bytes of the last page are signed: up to the end of the record shoe_closed."""
    config_crc: int
    head: bytes
    """SHA-256 of these bytes. The page's header holds the SHA-256 of the page before, and so on."""

    @property
    def possible(self) -> bool:
        """Whether a shoe can have these numbers at all."""
        in_order = self.first_page <= self.last_page and self.first_record <= self.last_record
        return in_order and HEADER_SIZE < self.end <= PAGE_SIZE

    def pack(self) -> bytes:
        """The signed bytes."""
        return _BODY.pack(
            MAGIC, self.device, self.key, self.index, self.shoe, self.first_page, self.last_page, self.first_record,
            self.last_record, self.end, self.config_crc, self.head,
        )  # fmt: skip

    @classmethod
    def unpack(cls, data: bytes) -> Statement:
        """Return the statement from its bytes. BadInput when it is no statement."""
        if len(data) != SIZE or data[:8] != MAGIC:
            raise BadInput("what was signed is no statement of a shoe")
        return cls(*_BODY.unpack(data)[1:])
