"""Readings of the host's clock that the shoe recorded in its journal, and what a time of day rests on."""

from __future__ import annotations

from binascii import crc32
from collections.abc import Iterator, Mapping, Sequence
from enum import IntEnum
from typing import Final, NamedTuple

from shoetool.history.chain import HEADER_SIZE, WHOLE, PageHeader
from shoetool.history.chunks import ClockPoint
from shoetool.history.torn_step import OVERHEAD
from shoetool.model.errors import BadInput
from shoetool.model.protocol_table import PAGE_SIZE, RecordKind
from shoetool.model.records import STRUCTS

_HOST_CLOCK: Final = int(RecordKind.HOST_CLOCK)
_BOOT: Final = int(RecordKind.BOOT)
_LAYOUT: Final = STRUCTS[_HOST_CLOCK]
_BEFORE_PAYLOAD: Final = OVERHEAD - 4  # length, kind and ticks; the CRC follows the payload
_UNUSED: Final = 0xFF
_MOST_NAMED: Final = 12


class Basis(IntEnum):
    """What a time of day rests on, from the strongest to the weakest."""

    SIGNED_WITH_KEY = 0
    SIGNED = 1
    RECORDED = 2
    FETCHED = 3

    @property
    def word(self) -> str:
        """Its name in JSON and in tables."""
        return self.name.lower()

    @property
    def sentence(self) -> str:
        """Say it, to stand after `times of day are`."""
        return _SENTENCES[self]


def weakest(*bases: Basis | None) -> Basis | None:
    """Return what several times rest on together: the weakest of these. None when none is known."""
    return max((one for one in bases if one is not None), default=None)


_SENTENCES: Final = {
    Basis.SIGNED_WITH_KEY: "by the host's clock, signed by the shoe in its journal; the host proved the command key",
    Basis.SIGNED: "by the host's clock, signed by the shoe in its journal; the host proved no command key",
    Basis.RECORDED: "by the host's clock, as it stands in the shoe's journal, not signed",
    Basis.FETCHED: "by the clock of the computer that fetched it, not signed",
}


def basis_notes(bases: Mapping[int, Basis]) -> list[str]:
    """Return a line on what times of day rest on; one for each basis where starts of the device differ.

    `bases`: by the boot counter of the start.
    """
    boots: dict[Basis, list[int]] = {}
    for boot, basis in sorted(bases.items()):
        boots.setdefault(basis, []).append(boot)
    if len(boots) == 1:
        return [f"times of day are {basis.sentence}" for basis in boots]
    return [f"times of day in {_starts(boots[basis])} are {basis.sentence}" for basis in sorted(boots)]


def _starts(boots: Sequence[int]) -> str:
    named = ", ".join(map(str, boots[:_MOST_NAMED])) + (", ..." if len(boots) > _MOST_NAMED else "")
    return f"the shoe's start{'s' if len(boots) > 1 else ''} {named} (boot counter)"


class RecordedReading(NamedTuple):
    """A reading of both clocks that the shoe recorded, and the number of its record.

    `authenticated`: the host gave it with the command key.
    """

    point: ClockPoint
    record: int
    authenticated: bool


def recorded_readings(page: bytes) -> Iterator[RecordedReading]:
    """Yield the readings in the whole records of a page. A page that cannot be read has none."""
    try:
        header = PageHeader.unpack(page)
    except BadInput:
        return
    number, boot, offset = header.first_record, header.boot, HEADER_SIZE
    while offset + OVERHEAD <= PAGE_SIZE and page[offset] != _UNUSED:
        kind = page[offset + 1]
        after = offset + OVERHEAD + page[offset]
        if kind == _BOOT:
            boot += 1
        elif (
            kind == _HOST_CLOCK
            and after <= PAGE_SIZE
            and page[offset] >= _LAYOUT.size
            and crc32(page[offset:after], crc32(number.to_bytes(4, "little"))) == WHOLE
        ):
            ticks, turns, wall_s, wall_ms, about, proved = _LAYOUT.unpack_from(page, offset + _BEFORE_PAYLOAD)
            point = ClockPoint(boot, ticks, wall_s * 1000 + wall_ms, about, turns)
            yield RecordedReading(point, number, bool(proved))
        offset, number = after, number + 1
        if number >> 32:
            return
