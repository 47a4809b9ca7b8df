"""All that leaves an emulated shoe, on whatever channel, with its times; and where two such transcripts differ.

Two runs that differ in the face of one card that lies face down may differ in its commitment alone, and in the CRC over
it: those bytes are masked, their number and their times are not. Times are whole nanoseconds since the recording began.
"""

from __future__ import annotations

import hashlib
from array import array
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import zip_longest

from shoetool.model.protocol_table import MessageKind, RecordKind
from shoetool.wire.frames import Frame, decode_body

from . import wiring
from .emulated import EmulatedShoe

ANSWER = 128
UART, FRAMES, USB, LAMPS, STOP, DRIVER, CHAIN, FLASH = (
    "UART", "frames", "USB", "lamps", "card stop", "RS-485 driver", "panel chain", "flash",
)  # fmt: skip
CHANNELS = (UART, FRAMES, USB, LAMPS, STOP, DRIVER, FLASH)
# A timer's interrupt shifts the chain every 4 ms, a few µs earlier or later by what the processor does at that moment.
# Nobody sees that from outside: what the registers show, lamps and stop, is compared above.
INSIDE = (CHAIN,)
_EVENT_HEADER = 11  # record, boot, ticks_ms, kind
_COMMITMENT = slice(_EVENT_HEADER + 4, _EVENT_HEADER + 36)  # behind role, box, hand, head
_KIND_AT = _EVENT_HEADER - 1
_NAMES = {int(kind): kind.name.lower() for kind in MessageKind}


@dataclass(slots=True)
class Transcript:
    """What left on each channel. `bytes_at` is when each byte on the line ended; the others are (ns, what)."""

    bytes_at: array[int] = field(default_factory=lambda: array("q"))
    told: dict[str, list[tuple[int, str]]] = field(
        default_factory=lambda: {name: [] for name in (*CHANNELS[1:], *INSIDE)}
    )

    def digest(self) -> bytes:
        """A name for exactly this transcript, but for what nobody sees from outside."""
        content = repr([(name, self.told[name]) for name in CHANNELS[1:]]).encode()
        return hashlib.sha256(self.bytes_at.tobytes() + content).digest()

    def says(self, what: str) -> bool:
        """Whether a frame says this."""
        return any(what in text for _, text in self.told[FRAMES])


@dataclass(frozen=True, slots=True)
class Difference:
    """The first place where two transcripts differ: when, in ns since the recording began, on which channel, how."""

    at_ns: int
    channel: str
    how: str

    def __str__(self) -> str:
        return f"{self.channel} at {self.at_ns / 1000:.3f} µs: {self.how}"


class Recorder:
    """Listens to everything that leaves `shoe` from now on."""

    def __init__(self, shoe: EmulatedShoe) -> None:
        self._shoe = shoe
        chip = shoe.chip
        self._chip = chip
        self._clock = chip.clock
        self._began = chip.clock.nanos
        self._body = bytearray()
        self.transcript = Transcript()
        self._hear_byte, chip.uart.on_byte = chip.uart.on_byte, self._byte
        self._hear_usb, chip.usb.on_serial_data = chip.usb.on_serial_data, self._usb
        spi = chip.mcu.spi[0]
        self._hear_chain, spi.on_transmit = spi.on_transmit, self._chain
        chip.flash.on_operation = lambda name, address, size: self._note(FLASH, f"{name} {size} at {address:#x}")
        chip.listen(wiring.LINK_DRIVER_ENABLE, lambda: self._note(DRIVER, str(chip.pin(wiring.LINK_DRIVER_ENABLE))))
        chip.listen(wiring.PANEL_LATCH, lambda: self._note(CHAIN, f"latch {chip.pin(wiring.PANEL_LATCH)}"))
        chip.listen(wiring.CARD_STOP, lambda: self._note(STOP, f"{chip.pin(wiring.CARD_STOP)}"))
        self._note_lamps = shoe.panel._note_lamps
        shoe.panel._note_lamps = self._lamps  # type: ignore[method-assign]

    def _now(self) -> int:
        return round(self._clock.nanos - self._began)

    def _note(self, channel: str, what: str) -> None:
        self.transcript.told[channel].append((self._now(), what))

    def _usb(self, data: bytes) -> None:
        self._note(USB, bytes(data).hex())
        self._hear_usb(data)

    def _chain(self, value: int) -> None:
        self._note(CHAIN, f"out {value:#04x}")
        self._hear_chain(value)

    def _lamps(self) -> None:
        before = len(self._shoe.panel.changes)
        self._note_lamps()
        if len(self._shoe.panel.changes) > before:
            self._note(LAMPS, f"{self._shoe.panel.lamps:#x}")

    def _byte(self, value: int) -> None:
        self.transcript.bytes_at.append(self._now())
        if value:
            self._body.append(value)
        elif self._body:
            self._note(FRAMES, masked(bytes(self._body)))
            self._body.clear()
        if self._hear_byte:
            self._hear_byte(value)


def masked(body: bytes) -> str:
    """What a frame says, without its CRC and without the commitment of a card that lies face down."""
    frame = decode_body(body)
    if not isinstance(frame, Frame):
        return f"no frame: {body.hex()}"
    payload = frame.payload
    name = _NAMES.get(frame.kind & ~ANSWER, str(frame.kind)) + (" answer" if frame.kind & ANSWER else "")
    if frame.kind == MessageKind.EVENT:
        kind = payload[_KIND_AT]
        name += f" {RecordKind(kind).name.lower()}"
        if kind == RecordKind.SEALED:
            masks = bytes(len(payload[_COMMITMENT]))
            payload = payload[: _COMMITMENT.start] + masks + payload[_COMMITMENT.stop :]
    return f"{name}, sequence {frame.sequence}, {len(body)} bytes: {payload.hex()}"


def first_difference(
    one: Transcript, other: Transcript, channels: Sequence[str] = CHANNELS, slack_ns: int = 0
) -> Difference | None:
    """The earliest place where the two differ on one of the channels, None when there is none.

    Times that are no more than `slack_ns` apart count as equal.
    """
    found = [_differs(one, other, channel, slack_ns) for channel in channels]
    return min((difference for difference in found if difference), key=lambda d: d.at_ns, default=None)


def apart_ns(one: Transcript, other: Transcript, channel: str) -> int:
    """By how much times on this channel differ at most; 0 when not as many things were told, which is a difference."""
    if channel == UART:
        pairs = list(zip(one.bytes_at, other.bytes_at, strict=False))
    else:
        told = zip(one.told[channel], other.told[channel], strict=False)
        pairs = [(first, second) for (first, _), (second, _) in told]
    if len(pairs) < max(len(_all(one, channel)), len(_all(other, channel))):
        return 0
    return max((abs(first - second) for first, second in pairs), default=0)


def _all(one: Transcript, channel: str) -> Sequence[object]:
    return one.bytes_at if channel == UART else one.told[channel]


def _differs(one: Transcript, other: Transcript, channel: str, slack_ns: int) -> Difference | None:
    if channel == UART:
        if not slack_ns and one.bytes_at == other.bytes_at:
            return None
        pairs = zip_longest(((at, "a byte") for at in one.bytes_at), ((at, "a byte") for at in other.bytes_at))
    else:
        if not slack_ns and one.told[channel] == other.told[channel]:
            return None
        pairs = zip_longest(one.told[channel], other.told[channel])
    for index, (first, second) in enumerate(pairs):
        if first is None or second is None:
            at, what = first or second or (0, "")
            return Difference(at, channel, f"one says nothing more, the other {what}")
        if first[1] != second[1]:
            return Difference(min(first[0], second[0]), channel, f"{first[1]} | {second[1]}")
        if abs(first[0] - second[0]) > slack_ns:
            apart = (second[0] - first[0]) / 1000
            how = f"{apart:+.3f} µs in the other (no. {index}: {first[1]})"
            return Difference(min(first[0], second[0]), channel, how)
    return None
