"""The statement that a device signs when a shoe closes, byte by byte as HISTORY_FORMAT.md has it."""

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
    """This device closed this shoe, which is these pages and records under this head."""

    device: bytes
    key: bytes
    index: int
    shoe: int
    first_page: int
    last_page: int
    first_record: int
    last_record: int
    end: int
    """Bytes of the last page that are meant: up to the end of the record shoe_closed."""
    config_crc: int
    head: bytes
    """SHA-256 of these bytes; the page's header holds that of the page before, and so on."""

    @property
    def possible(self) -> bool:
        """Whether these can be the numbers of a shoe at all."""
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
        """A statement out of its bytes; BadInput when it is none."""
        if len(data) != SIZE or data[:8] != MAGIC:
            raise BadInput("what was signed is no statement of a shoe")
        return cls(*_BODY.unpack(data)[1:])
