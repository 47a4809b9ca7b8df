"""The unreadable part of a page: where the records after it begin, and whether a power cut can have left it.

The device programs the records of one step in reverse order. So a cut leaves blank bytes, then one record that was
being programmed, then whole records of the same step, then nothing. Anything else was readable once.
"""

from __future__ import annotations

from binascii import crc32
from typing import Final

from shoetool.model.protocol_table import PAGE_SIZE
from shoetool.model.records import STRUCTS, Record

OVERHEAD: Final = 10
"""Bytes of a record besides its payload: length, kind and ticks before it, the CRC after it."""
MOST_TORN: Final = max(layout.size for layout in STRUCTS.values()) + 2 * OVERHEAD
"""The most programmed bytes that a cut leaves unreadable: the longest record, and the zeros that mark a failed step."""
_SIZES: Final = {kind: layout.size for kind, layout in STRUCTS.items()}
_SPOILED: Final = bytes(OVERHEAD)
_MOST_GUESSES: Final = 5000
"""The most numbers to try on one unreadable part. Only a page that was made to waste time reaches this limit."""


def goes_on(page: bytes, offset: int, number: int) -> tuple[int, int] | None:
    """Return place and number of the first whole record after the unreadable one at `offset`, which is record `number`.

    None when there is none. The length of an unreadable record is not trusted. A record counts when its kind and length
    fit, its CRC fits a possible number, and another record or nothing at all follows it.
    """
    guesses = 0
    for place in range(offset + 1, PAGE_SIZE - OVERHEAD + 1):
        if page[place] != _SIZES.get(page[place + 1]):
            continue
        most = max(1, (place - offset) // OVERHEAD)
        guesses += most
        if guesses > _MOST_GUESSES:
            return None
        for guess in range(number + 1, min(number + most, 0xFFFFFFFF) + 1):
            end = whole(page, place, guess)
            if end and (not programmed(page[end:]) or whole(page, end, guess + 1)):
                return place, guess
    return None


def whole(page: bytes, offset: int, number: int) -> int:
    """Return where the record `number` at `offset` ends; 0 when there is no whole one."""
    end = offset + 6 + page[offset] if offset < PAGE_SIZE else PAGE_SIZE
    if end + 4 > PAGE_SIZE or number > 0xFFFFFFFF:
        return 0
    good = crc32(page[offset:end], crc32(number.to_bytes(4, "little"))) == int.from_bytes(page[end : end + 4], "little")
    return end + 4 if good else 0


def programmed(data: bytes) -> int:
    """Return how many bytes are not blank."""
    return len(data) - data.count(0xFF)


def may_be_torn(unreadable: bytes, behind: list[Record]) -> bool:
    """Whether a power cut can have left these unreadable bytes before `behind`, the last records of the page.

    Programming only clears bits. So the ticks of a cut-off record still have every bit that is set in its step's ticks.
    """
    if programmed(unreadable) > MOST_TORN or len({record.ticks_ms for record in behind}) > 1:
        return False
    if not behind or unreadable.startswith(_SPOILED):
        return True
    ticks = behind[0].ticks_ms
    return int.from_bytes(unreadable[2:6].ljust(4, b"\xff"), "little") & ticks == ticks
