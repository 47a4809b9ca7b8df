"""One entry of the log: what a shoe signed when it was closed, byte by byte as in LOG_FORMAT.md. It holds no card.

It has the signature and the key too. So whoever has the log alone can check that the shoes made it, and not its keeper.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

from shoetool.model.errors import BadInput
from shoetool.transparency.tree import HASH, leaf_hash
from shoetool.trust import lms
from shoetool.trust.keys import PublicKey
from shoetool.trust.statement import SIZE, Statement

MAGIC: Final = b"SHOEENT\x01"
_FIXED: Final = struct.Struct(f"<8s{SIZE}s{HASH}s{lms.PUBLIC_KEY}s")
MOST_BYTES: Final = 0xFFFF
"""An entry bundle has 16 bits for the length of an entry."""


@lru_cache(4096)  # a log has few keys and many entries
def _key(public: bytes) -> tuple[PublicKey, int]:
    """Return the key, and the size of its signatures. BadInput when it is no key."""
    return PublicKey(public), lms.signature_size(public) or 0


@dataclass(frozen=True, slots=True)
class Entry:
    """What a shoe signed, with its signature.

    `previous` is the SHA-256 of the page before the shoe's first page, as that page's header has it; zeros in the first
    shoe of all. The signature covers it, since it covers that page.
    """

    statement: Statement
    previous: bytes
    key: PublicKey
    signature: bytes

    def pack(self) -> bytes:
        """The bytes that are logged."""
        return _FIXED.pack(MAGIC, self.statement.pack(), self.previous, self.key.raw) + self.signature

    @property
    def leaf(self) -> bytes:
        """The hash of the entry in the tree."""
        return leaf_hash(self.pack())

    @classmethod
    def unpack(cls, data: bytes) -> Entry:
        """Return the entry of its bytes. BadInput says why it is none. The signature is not verified here."""
        if len(data) < _FIXED.size or data[: len(MAGIC)] != MAGIC:
            raise BadInput("it does not begin as an entry of a shoe")
        _, packed, previous, public = _FIXED.unpack_from(data)
        statement, signature = Statement.unpack(packed), data[_FIXED.size :]
        key, size = _key(public)
        if len(signature) != size:
            raise BadInput("its signature has another length than its key makes")
        if statement.key != key.identifier:
            raise BadInput("its key is not the one that its statement names")
        if statement.index != int.from_bytes(signature[:4]):
            raise BadInput("its signature has another index than its statement")
        if not statement.possible:
            raise BadInput("no shoe can have the pages and records of its statement")
        return cls(statement, previous, key, signature)

    @property
    def verifies(self) -> bool:
        """Whether the key signed the statement (LMS)."""
        return lms.verify(self.key.raw, self.statement.pack(), self.signature)

    @property
    def shoe(self) -> str:
        """Which shoe it is, in words."""
        return f"shoe {self.statement.shoe} of device {self.statement.device.hex()}"

    def to_json(self) -> dict[str, Any]:
        """JSON types only."""
        said = self.statement
        return {
            "device": said.device.hex(),
            "shoe": said.shoe,
            "key": said.key.hex(),
            "index": said.index,
            "records": [said.first_record, said.last_record],
            "head": said.head.hex(),
        }
