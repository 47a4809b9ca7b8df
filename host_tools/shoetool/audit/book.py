"""Takes the summaries of histories one after the other, and keeps sums alone.

Memory is that of the sums by device and batch, and of the last order of each batch of a device: not of the cards.
"""

from __future__ import annotations

from collections import Counter
from typing import Final

from shoetool.audit.between import Between
from shoetool.audit.cover import Cover
from shoetool.audit.dealer_wagers import dealer_wager_lines
from shoetool.audit.dealt_lines import dealt_lines
from shoetool.audit.first_hands import FirstHands
from shoetool.audit.line import Line, judge
from shoetool.audit.peers import Peers
from shoetool.audit.told import Dealt, Load, Told
from shoetool.audit.within import Within

UNKNOWN_DEVICE: Final = "unknown device"


class _Device:
    """What is kept of one device: which shoes came, and the last order of each batch on each side."""

    def __init__(self) -> None:
        self.shoes: set[int] = set()
        self.last = -1
        self.orders: dict[tuple[int, int], bytes] = {}
        self.dealt = Dealt()


class Book:
    """All that an audit adds up."""

    def __init__(self, wagers: bool = False) -> None:
        """wagers: whether to look at the optional wagers too, which takes some seconds in the end."""
        self.files = self.shoes = self.rounds = self.again = self.gaps = 0
        self.left_out: Counter[str] = Counter()
        """Batches whose order could not be looked at, by why."""
        self.loads = 0
        self.dealt = Dealt()
        self.within = Within()
        self.between = Between()
        self.cover = Cover()
        self.peers = Peers()
        self.first_hands = FirstHands() if wagers else None
        self._devices: dict[bytes, _Device] = {}
        self._unknown: set[str] = set()
        """SHA-256 of the histories that do not tell their device."""

    def add(self, told: Told) -> bool:
        """Take one history. One whose shoes came already is counted in `again` and left out: then it returns False."""
        device = self._devices.setdefault(told.device, _Device())
        if self._came(device, told):
            self.again += 1
            return False
        if told.device:
            self._follow(device, told)
        elif told.sha256:
            self._unknown.add(told.sha256)
        self.files += 1
        self.shoes += len(told.shoes)
        self.rounds += told.rounds
        name = device_name(told.device)
        self.dealt.add(told.dealt)
        device.dealt.add(told.dealt)
        self.peers.add(told, name)
        if self.first_hands is not None:
            self.first_hands.add(told.dealt.first_hands)
        self.cover.add_cuts(told, name)
        for load in told.loads:
            self._load(device, load, name)
        if told.why_not:
            device.orders.clear()
        return True

    def _came(self, device: _Device, told: Told) -> bool:
        """Whether it came already. Two unknown devices may have the same numbers, so there the content decides."""
        return bool(device.shoes.intersection(told.shoes)) if told.device else told.sha256 in self._unknown

    def _follow(self, device: _Device, told: Told) -> None:
        """The shoes of a device go on."""
        device.shoes.update(told.shoes)
        if told.shoes and told.shoes[0] != device.last + 1:
            self.gaps += device.last >= 0
            device.orders.clear()  # a shoe may be missing between
        if told.shoes:
            device.last = told.shoes[-1]

    def _load(self, device: _Device, load: Load, name: str) -> None:
        self.loads += 1
        shoe = f"{name} shoe {load.shoe}" + (f" side {'AB'[load.side]}" if load.side else "")
        self.cover.add(load, shoe)
        self.within.compose(load, shoe)
        place = load.side, load.batch
        before = device.orders.pop(place, None)
        if load.faces and name != UNKNOWN_DEVICE:  # what an unknown device dealt before is not known
            device.orders[place] = load.faces
        if load.why_not:
            self.left_out[load.why_not] += 1
            return
        self.within.add(load, name, shoe)
        if before is not None:
            self.between.add(before, load, shoe)

    @property
    def devices(self) -> int:
        """How many devices there are."""
        return len(self._devices)

    def lines(self, alpha: float) -> list[Line]:
        """All tests, judged together."""
        devices = {device_name(device): one.dealt for device, one in self._devices.items()}
        lines = [
            *self.within.lines(), *self.between.lines(), *self.cover.lines(), *dealt_lines(self.dealt, devices),
            *self.peers.lines(),
        ]  # fmt: skip
        if self.first_hands is not None:
            lines += [*dealer_wager_lines(self.dealt), *self.first_hands.lines()]
        judge(lines, alpha)
        return lines


def device_name(device: bytes) -> str:
    """A device as archives and keys name it."""
    return device.hex() or UNKNOWN_DEVICE
