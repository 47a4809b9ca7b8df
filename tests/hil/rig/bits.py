"""What a UART makes of characters that come at another rate than its own: it samples the line at its own instants.

Both ends of a line that agree within what a UART tolerates hear each other's bytes; nothing here runs then.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator

BITS = 10  # start, eight data bits, the lowest first, stop
_TOLERATED = 0.045  # the middle of the stop bit then still lies in it


def agree(one_bit_ns: float, other_bit_ns: float) -> bool:
    """Whether two ends with these bit times understand each other."""
    return abs(one_bit_ns / other_bit_ns - 1) <= _TOLERATED


class Sampler:
    """The receiver of one direction. It idles until the line falls, then samples the middle of ten bits of its own."""

    def __init__(self) -> None:
        self._line: deque[tuple[float, int, float]] = deque()  # start, character, bit time of the sender
        self._free = 0.0  # from here on it looks for a start bit

    def put(self, start_ns: float, value: int, bit_ns: float) -> None:
        """A character is on the line from `start_ns` on."""
        self._line.append((start_ns, value, bit_ns))

    def clear(self) -> None:
        """Forget what was on the line."""
        self._line.clear()

    def _level(self, at: float) -> int:
        for start, value, bit in self._line:
            if start <= at < start + BITS * bit:
                return (value << 1 | 0x200) >> int((at - start) / bit) & 1
        return 1

    def _falls(self) -> float | None:
        """When the line falls next, from `_free` on."""
        last = self._level(self._free - 1)
        if last and not self._level(self._free):
            return self._free
        for start, value, bit in self._line:
            for i in range(BITS):
                at = start + i * bit
                if at >= self._free and not (value << 1 | 0x200) >> i & 1 and self._level(at - 1):
                    return at
        return None

    def heard(self, bit_ns: float, until_ns: float) -> Iterator[tuple[int, bool]]:
        """(byte, whether its stop bit was wrong) of all that is over at `until_ns`, for an end with this bit time."""
        while True:
            while self._line and self._line[0][0] + BITS * self._line[0][2] <= self._free:
                self._line.popleft()
            at = self._falls()
            if at is None or at + (BITS - 0.5) * bit_ns > until_ns:
                return
            samples = [self._level(at + (i + 0.5) * bit_ns) for i in range(BITS)]
            if samples[0]:
                self._free = at + bit_ns / 2  # a spike, and no start bit
                continue
            self._free = at + (BITS - 0.5) * bit_ns
            yield sum(bit << i for i, bit in enumerate(samples[1:9])), not samples[9]
