"""What is known beyond one file: pinned keys, and what their shoes signed so far."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from hashlib import sha256

from shoetool.trust.continuity import Continuity, Followed
from shoetool.trust.keys import PublicKey
from shoetool.trust.pins import PinStore
from shoetool.trust.statement import Statement


@dataclass(slots=True)
class Trust:
    """What is known beyond one file: the pins, and the statement seen with each one-time index so far."""

    pins: PinStore | None = None
    remember: bool = False
    """Whether the pin store remembers good signatures by pinned keys."""
    required: bool = False
    """Whether it is a finding when pinned keys did not sign all of a history."""
    continuity: Continuity = field(default_factory=Continuity)
    """What the files verified so far hold, shoe by shoe."""
    _statements: dict[tuple[bytes, int], tuple[bytes, str]] = field(default_factory=dict)
    _pinned: dict[bytes, PublicKey | None] = field(default_factory=dict)

    def pinned(self, device: bytes) -> PublicKey | None:
        """Return the key that is pinned for a device. It is looked up once."""
        if device not in self._pinned:
            self._pinned[device] = None if self.pins is None else self.pins.get(device)
        return self._pinned[device]

    def wanted(self, devices: Iterable[bytes]) -> bool:
        """Whether a closed shoe must be signed in a history with the names of these devices."""
        return self.required or any(self.pinned(device) is not None for device in devices)

    def reused(self, statement: Statement, key: PublicKey, file: str) -> str | None:
        """Return where there is another statement with this index of this key; None when there is none."""
        packed = statement.pack()
        before, where = self._statements.setdefault((key.raw, statement.index), (packed, file))
        if before != packed:
            return f"that of shoe {Statement.unpack(before).shoe} in {where}"
        known = None if self.pins is None else self.pins.seen(statement.device, key, statement.index)
        if known is not None and known != sha256(packed).hexdigest():
            return "another one that was verified here before"
        return None

    def follow(self) -> list[Followed]:
        """Return how the histories verified so far follow one another, and what was verified here before."""
        return self.continuity.follow(self._remembered(), self.required)

    def _remembered(self) -> Iterator[tuple[PublicKey, Statement]]:
        for device in self.continuity.devices:
            key = self.pinned(device)
            if key is not None and self.pins is not None:
                for statement in self.pins.statements(device):
                    if statement.key == key.identifier:
                        yield key, statement
