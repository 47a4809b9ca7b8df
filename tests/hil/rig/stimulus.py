"""The computer's end of board/stimulus: edges, keys and the reset button of a real shoe; lamps and card stop back."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

COUNTS_A_US = 10  # of the player's clock
COUNTS = 3  # that each word takes beyond its own
LONGEST = (1 << 28) - 1
MOST = 8192
LEAD_US = 50  # from the start to the first edge
NAME = b"shoe stimulus 1\n"


class StimulusError(Exception):
    """The stimulus does not do what it is told; the message says what to look at."""


class Port(Protocol):
    """A serial port: pyserial's, or the USB of an emulated chip."""

    def write(self, data: bytes) -> object: ...
    def read(self, size: int) -> bytes: ...


@dataclass(frozen=True, slots=True)
class Outputs:
    """What the shoe's chain holds, as board/pico/panel.py fills it: lamps by bits of enum.lamp, select lines."""

    lamps: int
    selected: int
    card_stop: bool


def words(changes: Sequence[tuple[int, int]]) -> bytes:
    """Turn edges (running µs, lines) into the player's words; the first comes `LEAD_US` after the start.

    Edges closer than the player can are played as close as it can. ValueError when there are more than it takes.
    """
    out: list[int] = []
    last = changes[0][0] - LEAD_US if changes else 0
    spent = state = 0  # counts since `last`'s first edge are kept whole, so that nothing adds up
    for at, lines in changes:
        due = (at - last) * COUNTS_A_US
        while (gap := due - spent - COUNTS) > LONGEST:
            out.append(LONGEST | state << 28)
            spent += LONGEST + COUNTS
        gap = max(gap, 0)
        out.append(gap | lines << 28)
        spent += gap + COUNTS
        state = lines
    if len(out) > MOST:
        raise ValueError(f"{len(out)} edges at once: the stimulus takes {MOST}")
    return struct.pack(f"<{len(out)}I", *out)


class Stimulus:
    """One second Pico at `port`, whose program runs."""

    def __init__(self, port: Port) -> None:
        self._port = port
        self._port.write(b"?")
        said = self._read(len(NAME))
        if said != NAME:
            raise StimulusError(f"the stimulus answered {said!r}: copy board/stimulus/*.py onto it and reset it")

    def play(self, passes: dict[int, Sequence[tuple[int, int]]]) -> None:
        """Play edges into heads, all starting together."""
        for head, changes in passes.items():
            data = words(changes)
            self._command(b"E" + struct.pack("<BH", head, len(data) // 4) + data, b"e", f"edges for head {head}")
        self._command(b"G", b"g", "start of the edges")

    def left(self) -> int:
        """Edges that still have to be played, beyond the few in the player."""
        self._port.write(b"D")
        return int.from_bytes(self._read(4), "little")

    def press(self, place: int, down: bool) -> None:
        """Hold or let go a key, by its place in the panel's chain."""
        self._command(b"K" + bytes((place, down)), b"k", f"key {place}")

    def reset_shoe(self) -> None:
        """Press the shoe's reset button."""
        self._command(b"R", b"r", "reset")

    def outputs(self) -> Outputs:
        """Lamps and card stop as they are."""
        self._port.write(b"L")
        chain = self._read(7)
        return Outputs(chain[5] | (chain[4] & 1) << 8, chain[4] >> 1 & 3, bool(chain[6]))

    def _command(self, data: bytes, answer: bytes, what: str) -> None:
        self._port.write(data)
        said = self._read(len(answer))
        if said != answer:
            raise StimulusError(
                f"{what}: the stimulus answered {said!r}; is it wired as board/stimulus/README.md says?"
            )

    def _read(self, size: int) -> bytes:
        data = self._port.read(size)
        if len(data) < size:
            raise StimulusError(f"the stimulus does not answer ({data!r}): is its program running?")
        return data
