"""Public keys of shoes: the 56 bytes of RFC 8554, their fingerprint, and files that hold one."""

from __future__ import annotations

import json
import struct
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from shoetool.model.errors import BadInput
from shoetool.model.input_file import read_start
from shoetool.trust.lms import HEIGHTS, PUBLIC_KEY, signature_size

_GROUPS: Final = 8


@dataclass(frozen=True, slots=True)
class PublicKey:
    """The public key of one device: `raw` is u32str(type) || u32str(otstype) || I || T[1]."""

    raw: bytes

    def __post_init__(self) -> None:
        if signature_size(self.raw) is None:
            raise BadInput(f"these {len(self.raw)} bytes are no LMS public key (it has {PUBLIC_KEY} and a known type)")

    @property
    def identifier(self) -> bytes:
        """The 16 bytes I that identify the key in statements."""
        return self.raw[8:24]

    @property
    def height(self) -> int:
        """Height of the tree: the key signs 2^height times."""
        return HEIGHTS[struct.unpack_from(">I", self.raw)[0]]

    @property
    def fingerprint(self) -> str:
        """First 128 bits of SHA-256 over the 56 bytes, eight groups of four hexadecimal digits, to be read aloud."""
        digits = sha256(self.raw).hexdigest()
        return " ".join(digits[4 * group : 4 * group + 4] for group in range(_GROUPS))

    @classmethod
    def from_hex(cls, text: str) -> PublicKey:
        """Return the key from 112 hexadecimal digits. BadInput when it is no key."""
        try:
            return cls(bytes.fromhex(text))
        except ValueError:
            raise BadInput("a public key is 112 hexadecimal digits") from None

    def to_json(self) -> dict[str, Any]:
        """JSON types only."""
        return {"public": self.raw.hex(), "fingerprint": self.fingerprint, "height": self.height}


def read_exported(path: Path) -> tuple[bytes, PublicKey] | None:
    """Return (device, key) of a file that `shoetool keys --export` wrote; None when it is another file."""
    start = read_start(path, "a history, or an exported key", 4096)
    if not start.lstrip().startswith(b"{"):
        return None
    try:
        fields = json.loads(start)
        return bytes.fromhex(fields["device"]), PublicKey.from_hex(fields["public"])
    except (ValueError, KeyError, TypeError):
        raise BadInput(f"{path}: is not an exported key of a shoe") from None
