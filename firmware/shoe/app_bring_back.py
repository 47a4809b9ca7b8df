"""The state of the table from the journal, before the first card: loaded for that, and gone from the heap after it.

The records of the current shoe are folded into `dealing` in order. A sealed card gets its face back from the vault, or
from its own `opened` record when it was turned before the power went.

Where one side of a double shoe goes on from an earlier history, its burn cards lie sealed there until that side is
loaded again: then the fold begins with the history of the oldest card that is still face down.
"""

import struct

from shoe.journal_read import Cursor
from shoe.sealing import UNKNOWN_CARD
from shoe.wire_table import (
    REC_BOOT,
    REC_CONFIGURED,
    REC_OPENED,
    REC_PROVISIONED,
    REC_SEALED,
    REC_SHOE_OPENED,
    RECORD_FORMATS,
    SHOE_KIND_DOUBLE,
)


class Restored:
    """What folding the current shoe's records brought to light."""

    def __init__(self):
        self.config_crc = -1  # of the last boot or configured record, -1 when there is none
        self.epoch = 0  # of the last boot
        self.lost = 0  # sealed cards whose opening is neither in the vault nor in the journal
        self.records = 0
        self.provisioned = False  # a record says that commands need a key


def restore(journal, sealer, dealing):
    """Fold the shoe at the journal's tail, and what lies face down from before, into `dealing`; tidy the vault.

    Returns a Restored.

    Nothing grows with the shoe but what lies face down now: the heap may be small and in pieces.
    """
    found = Restored()
    cursor = Cursor(journal)
    ahead = Cursor(journal)
    first = journal.first_page_of_shoe() if journal.tail >= 0 else -1
    if first < 0 or not cursor.open_page(first):
        sealer.start(())
        if journal.tail < 0:
            sealer.keep_only(())
        return found
    began = cursor.upcoming
    sealed = set()
    if cursor.next() and cursor.kind == REC_SHOE_OPENED and cursor.payload[1] == SHOE_KIND_DOUBLE:
        sealed = _sealed_before(journal, cursor, sealer, began)
        if sealed:
            cursor.seek(min(sealed))
            first = journal.first_page_of_shoe(cursor.page)
    cursor.open_page(first)
    _walk(cursor, sealed)
    sealer.start(sealed)
    cursor.open_page(first)
    while cursor.next():
        kind = cursor.kind
        form = RECORD_FORMATS.get(kind)
        if form is None:  # a newer firmware wrote it
            continue
        values = struct.unpack_from(form, cursor.payload)
        if kind == REC_BOOT:
            found.config_crc = values[2]
            found.epoch = values[3]
        elif kind == REC_PROVISIONED:
            found.provisioned = True
        elif kind == REC_CONFIGURED:
            found.config_crc = values[0]
        elif kind == REC_SEALED:
            number = cursor.number
            card, batch = UNKNOWN_CARD, 0
            if number not in sealed:
                card, batch = _turned(cursor, ahead, number)
            elif sealer.check(number, values[4]):
                card, batch = sealer.face(number)
            else:
                found.lost += 1
            values = values[:4] + (card, batch)
        elif kind == REC_OPENED:
            values = values[:6]
        event = (kind,) + values
        dealing.restore(event)
        dealing.recorded(event, cursor.number)
        found.records += 1
    sealer.keep_only(sealed)
    return found


def _sealed_before(journal, cursor, sealer, began):
    """The sealed records before record `began` which are not turned and have their opening; mostly none."""
    oldest = sealer.oldest()
    if not 0 <= oldest < began or not cursor.seek(oldest):
        return set()
    sealed = set()
    _walk(cursor, sealed)
    sealer.start(sealed)
    return {number for number in sealed if number < began and sealer.holds(number)}


def _walk(cursor, sealed):
    """Go to the end of the journal; add to `sealed` each record that seals a card, drop each that is turned."""
    while cursor.next():
        if cursor.kind == REC_SEALED:
            sealed.add(cursor.number)
        elif cursor.kind == REC_OPENED:
            sealed.discard(struct.unpack_from("<I", cursor.payload)[0])


def _turned(cursor, ahead, number):
    """(card, batch) of the `opened` record of sealed record `number`, which stands behind `cursor`."""
    ahead.stand_by(cursor)
    while ahead.next():
        if ahead.kind == REC_OPENED:
            values = struct.unpack_from(RECORD_FORMATS[REC_OPENED], ahead.payload)
            if values[0] == number:
                return values[4], values[5]
    return UNKNOWN_CARD, 0
