"""Broken wires of a head where only the edges that are played can show them: dead, blocked and swapped lines."""

from __future__ import annotations

from collections.abc import Sequence

LINES = 4


class BrokenLines:
    """What the chip sees of the light at a head whose wires are broken; as `heads.Heads` does it for the emulated one.

    `altered` counts the changes of light that a broken wire has kept from the chip or made up.
    """

    def __init__(self, heads: int = 3) -> None:
        self._wires: list[list[int | bool]] = [list(range(LINES)) for _ in range(heads)]
        self.altered = 0

    def stick(self, head: int, line: int, dark: bool) -> None:
        """From now on `line` is dark or bright for ever."""
        self._wires[head][line] = dark

    def swap(self, head: int, one: int, other: int) -> None:
        """Exchange two lines' wires."""
        wires = self._wires[head]
        wires[one], wires[other] = wires[other], wires[one]

    def mend(self, head: int) -> None:
        """All wires of `head` as they should be."""
        self._wires[head] = list(range(LINES))

    def seen(self, head: int, dark: int) -> int:
        """Lines that the chip sees dark when the sensors see `dark`."""
        state = 0
        for line, wire in enumerate(self._wires[head]):
            lit = wire if wire is True or wire is False else dark >> wire & 1
            state |= bool(lit) << line
        return state

    def through(self, head: int, changes: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
        """Edges as they come through the wires. Those that nothing is left of stay, so that time passes with them."""
        out = []
        for at, dark in changes:
            state = self.seen(head, dark)
            self.altered += state != dark
            out.append((at, state))
        return out
