"""The names of the findings about a history's signatures, and what is known about each closed shoe's signature."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from shoetool.trust.keys import PublicKey

EDITED: Final = "edited"
CUT: Final = "cut"
SPLICED: Final = "spliced"
REORDERED: Final = "reordered"
REPLAYED: Final = "replayed"
REUSED: Final = "reused index"
FORGED: Final = "forged"
OTHER_KEY: Final = "other key"
UNSIGNED: Final = "unsigned"
UNPINNED: Final = "unpinned"
WITHHELD: Final = "withheld"
CONTRADICTED: Final = "contradicted"


@dataclass(frozen=True, slots=True)
class TrustFinding:
    """One thing that was done to a history. `what` is one of the names above; `sentence` states the proof."""

    what: str
    sentence: str
    shoe: int | None
    record: int | None = None


@dataclass(frozen=True, slots=True)
class SignedShoe:
    """What is known about the signature of one closed shoe of a file.

    `good`: the signature verifies, its key does not contradict a pin, and all pages that it names are here as they were
    signed. `pinned`: the key is the pinned key of this device; None when no key is pinned.
    """

    shoe: int
    device: bytes | None
    signed: bool
    good: bool
    key: PublicKey | None
    pinned: bool | None
    index: int | None
    pages: tuple[int, int] | None
    records: tuple[int, int] | None
    why: str = ""
    found: tuple[str, ...] = ()
    """Names of the findings about it, as above; empty when there are none."""
    config_crc: int | None = None
    """CRC of the settings that were in force when it was signed; None when the signature does not verify."""

    def to_json(self) -> dict[str, Any]:
        """JSON types only."""
        return {
            "shoe": self.shoe,
            "device": None if self.device is None else self.device.hex(),
            "signed": self.signed,
            "good": self.good,
            "fingerprint": None if self.key is None else self.key.fingerprint,
            "pinned": self.pinned,
            "index": self.index,
            "pages": None if self.pages is None else list(self.pages),
            "records": None if self.records is None else list(self.records),
            "why": self.why,
            "found": list(self.found),
            "config_crc": self.config_crc,
        }
