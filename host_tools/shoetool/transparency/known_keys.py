"""Which keys a checker knows for a device: the one that is pinned, and former ones that he was given."""

from __future__ import annotations

from collections.abc import Iterable

from shoetool.trust.keys import PublicKey
from shoetool.trust.pins import PinStore


class KnownKeys:
    """The keys of devices. `former`: (device, key) of keys from before a device was provisioned anew."""

    def __init__(self, pins: PinStore, former: Iterable[tuple[bytes, PublicKey]] = ()) -> None:
        """Nothing is read yet."""
        self._pins = pins
        self._former = set(former)
        self._pinned: dict[bytes, PublicKey | None] = {}

    def pinned(self, device: bytes) -> PublicKey | None:
        """Return the key that is pinned for a device. It is looked up once. BadInput when the pin cannot be read."""
        if device not in self._pinned:
            self._pinned[device] = self._pins.get(device)
        return self._pinned[device]

    def is_former(self, device: bytes, key: PublicKey) -> bool:
        """Whether it is a former key of the device."""
        return (device, key) in self._former

    def unknown(self, device: bytes) -> bool:
        """Whether nobody pinned a key for the device, and no former one was given."""
        return self.pinned(device) is None and all(one != device for one, _ in self._former)
