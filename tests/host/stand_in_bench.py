"""A stand-in for the real bench of tests/hil: a virtual shoe that outlives the tests, and its stimulus on a clock.

The shoe is the firmware on board/virtual, in a process of its own behind a pseudo-terminal. The stimulus answers as
board/stimulus does; edges and keys reach the shoe when the bench's clock comes to them, which moves by `sleep` alone.
"""

from __future__ import annotations

import struct
from collections import deque
from pathlib import Path
from types import TracebackType
from typing import Self

from pico import panel_keys
from rig.stimulus import COUNTS, COUNTS_A_US, NAME
from rig.wiring import strokes
from shoesim import stimulus
from shoesim.dealer_draw import Lamps
from shoesim.rig import START_US, Rig
from shoetool.model.protocol_table import Key

HEADS = 3
STEP_US = 100_000  # how often the firmware looks at its clock
STARTS_AFTER_US = 1_500_000  # of a reset


def _meanings() -> dict[tuple[int, ...], tuple[Key, int]]:
    """What the keys of the panel say, by the places that are pressed one after the other."""
    found = {}
    for key in Key:
        for argument in range(256):
            try:
                found[tuple(strokes(key, argument))] = (key, argument)
            except ValueError:
                continue
    return found


MEANINGS = _meanings()


def compiled_once(folder: str) -> dict[str, str]:
    """Environment in which the firmware, which starts some fifty times, is compiled at its first start alone."""
    return {"PYTHONPYCACHEPREFIX": folder, "PYTHONDONTWRITEBYTECODE": ""}


class Board(Rig):
    """A virtual shoe that is told single edges, keys and times."""

    def show(self, head: int, changes: list[tuple[int, int]]) -> None:
        """Edges of a head, (µs, lines)."""
        self._send(b"".join(stimulus.edges(head, changes)))

    def press(self, key: Key, argument: int) -> None:
        """A key of the panel."""
        self._send(stimulus.key(int(key), argument))

    def clock(self, now_us: int) -> None:
        """The time is this."""
        self.now_us = now_us
        self._send(stimulus.time(now_us))


class StandInBench:
    """Clock, port of the stimulus and reset button in one; `link` is the path of the shoe's port.

    `usb`: the link is the shoe's own USB, which goes at a reset and comes back after it; else it is an adapter's.
    """

    def __init__(self, folder: Path, *, usb: bool = True) -> None:
        self.link = folder / "link"
        self._usb = usb
        self._state = folder / "shoe"
        self._now_us = START_US
        self._starts_at: int | None = None
        self._edges: list[deque[tuple[int, int]]] = [deque() for _ in range(HEADS)]
        self._loaded: dict[int, bytes] = {}
        self._down: set[int] = set()
        self._entered: list[int] = []
        self._answers = bytearray()
        self._board = self._new_board()

    def __enter__(self) -> Self:
        self._start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._board.close()

    # ------------------------------------------------------------------------------------------- the shoe

    def _new_board(self) -> Board:
        return Board(self._state, interpreter="amd64", start_us=self._now_us)

    def _start(self) -> None:
        self._starts_at = None
        self._board.now_us = self._now_us
        self._board.start()
        self.link.unlink(missing_ok=True)
        self.link.symlink_to(self._board.link_path)

    def _reset(self) -> None:
        if self._usb:
            self._board.close()
            self.link.unlink(missing_ok=True)
            self._board = self._new_board()
        else:
            self._board.stop()
        self._entered.clear()
        self._starts_at = self._now_us + STARTS_AFTER_US

    @property
    def _runs(self) -> bool:
        return self._board.pid is not None

    # ------------------------------------------------------------------------------------------- clock

    def monotonic(self) -> float:
        """Seconds of the bench's clock."""
        return self._now_us / 1e6

    def sleep(self, seconds: float) -> None:
        """Let time pass; the shoe has worked off all that came in it."""
        end = self._now_us + round(seconds * 1e6)
        while self._now_us < end:
            self._now_us = min(end, self._now_us + STEP_US)
            if self._starts_at is not None and self._now_us >= self._starts_at:
                self._start()
            for head, queue in enumerate(self._edges):
                due = []
                while queue and queue[0][0] <= self._now_us:
                    due.append(queue.popleft())
                if due and self._runs:
                    self._board.show(head, due)
            if self._runs:
                self._board.clock(self._now_us)
        if self._runs:
            self._board.sync()

    # ------------------------------------------------------------------------------------------- stimulus

    def write(self, data: bytes) -> None:
        """Take one command, as board/stimulus/main.py does."""
        self._answers += self._obey(data[:1], data[1:])

    def read(self, size: int) -> bytes:
        """Return what was answered."""
        data = bytes(self._answers[:size])
        del self._answers[:size]
        return data

    def _obey(self, letter: bytes, rest: bytes) -> bytes:
        if letter == b"?":
            return NAME
        if letter == b"E":
            head, count = struct.unpack_from("<BH", rest)
            assert len(rest) == 3 + 4 * count
            if any(self._edges):
                return b"!"
            self._loaded[head] = rest[3:]
            return b"e"
        if letter == b"G":
            return self._begin()
        if letter == b"D":
            return struct.pack("<I", sum(map(len, self._edges)))
        if letter == b"K":
            self._hold(rest[0], bool(rest[1]))
            return b"k"
        if letter == b"L":
            shown = self._board.lamps() if self._runs else Lamps(0, True)
            return bytes((0, 0, 0, 0, shown.mask >> 8, shown.mask & 0xFF, shown.card_stop))
        if letter == b"R":
            self._reset()
            return b"r"
        return b"!"

    def _begin(self) -> bytes:
        loaded, self._loaded = self._loaded, {}
        for head, words in loaded.items():
            counts = 0
            for (word,) in struct.iter_unpack("<I", words):
                counts += (word & (1 << 28) - 1) + COUNTS
                self._edges[head].append((self._now_us + counts // COUNTS_A_US, word >> 28))
        return b"g" if loaded else b"!"

    def _hold(self, place: int, down: bool) -> None:
        if not down:
            self._down.discard(place)
            return
        self._down.add(place)
        if place == panel_keys.LOCK or (place >= panel_keys.LOCKED and panel_keys.LOCK not in self._down):
            return
        self._entered.append(place)
        if panel_keys.MEANINGS[place] < panel_keys.BOX:
            meant = MEANINGS.get(tuple(self._entered))
            self._entered.clear()
            if meant is not None and self._runs:
                self._board.press(*meant)
