"""The state of the table from the journal, before the first card.

The records of the current shoe are folded into `dealing` in order. A sealed card gets its face back from the vault, or
from its own `opened` record when it was turned before the power went.

Where one side of a double shoe goes on from an earlier history, its burn cards lie sealed there until that side is
loaded again: then the fold begins with the history of the oldest card that is still face down.
"""

import struct

from shoe.journal.cursor import Cursor, event_form
from shoe.trust.sealing import UNKNOWN_CARD
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
        self.missing = 0  # records between the first and the last that a damaged page took away
        self.provisioned = False  # a record says that commands need a key


def restore(journal, sealer, dealing):
    """Fold the shoe at the journal's tail, and what lies face down from before, into `dealing`.

    Returns a Restored. What the vault holds besides is forgotten at the sealer's next `idle`.

    Little grows with the shoe, two bytes for each card that was face down: the heap may be small and in pieces.
    """
    found = Restored()
    cursor = Cursor(journal)
    first = journal.first_page_of_shoe() if journal.tail >= 0 else -1
    if first < 0 or not cursor.open_page(first):
        sealer.start(())
        if journal.tail < 0:
            sealer.keep_only(())
        return found
    began = cursor.upcoming
    if cursor.next() and cursor.kind == REC_SHOE_OPENED and cursor.payload[1] == SHOE_KIND_DOUBLE:
        before = _sealed_before(journal, cursor, sealer, began)
        if before:
            cursor.seek(min(before))
            first = journal.first_page_of_shoe(cursor.page)
    cursor.open_page(first)
    sealed, faces = _walk(cursor)
    sealer.start(sealed)
    cursor.open_page(first)
    due = cursor.upcoming
    place = 0
    forms = {}
    following = cursor.next
    fold = dealing.restore
    while following():
        kind = cursor.kind
        known = forms.get(kind)
        if known is None:
            if kind not in RECORD_FORMATS:  # a newer firmware wrote it
                due += 1
                continue
            size = struct.calcsize(RECORD_FORMATS[kind])
            known = forms[kind] = (event_form(RECORD_FORMATS[kind]), size)
        event = cursor.event(known[0], known[1])
        if kind == REC_BOOT:
            found.config_crc = event[3]
            found.epoch = event[4]
        elif kind == REC_PROVISIONED:
            found.provisioned = True
        elif kind == REC_CONFIGURED:
            found.config_crc = event[1]
        elif kind == REC_SEALED:
            number = cursor.number
            card, batch = UNKNOWN_CARD, 0
            if number not in sealed:
                card, batch = faces[place], faces[place + 1]
            elif sealer.check(number, event[5]):
                card, batch = sealer.face(number)
            else:
                found.lost += 1
            place += 2
            event = event[:5] + (card, batch)
        elif kind == REC_OPENED:
            event = event[:7]
        fold(event, cursor.number)
        found.records += 1
    found.missing = cursor.upcoming - due - found.records
    sealer.keep_only(sealed)
    return found


def _sealed_before(journal, cursor, sealer, began):
    """The sealed records before record `began` which are not turned and have their opening; mostly none."""
    oldest = sealer.oldest()
    if not 0 <= oldest < began or not cursor.seek(oldest):
        return set()
    sealed, _ = _walk(cursor)
    sealer.start(sealed)
    return {number for number in sealed if number < began and sealer.holds(number)}


def _walk(cursor):
    """Go to the end of the journal; return the sealed records that are not turned, and the faces of those that are.

    The faces are bytes, card and batch for each sealed record in order; the records, a dict by number, lie face down.
    """
    sealed = {}
    faces = bytearray()
    form = event_form(RECORD_FORMATS[REC_OPENED])
    size = struct.calcsize(RECORD_FORMATS[REC_OPENED])
    while cursor.next():
        if cursor.kind == REC_SEALED:
            sealed[cursor.number] = len(faces)
            faces.append(UNKNOWN_CARD)
            faces.append(0)
        elif cursor.kind == REC_OPENED:
            event = cursor.event(form, size)
            place = sealed.pop(event[1], -1)
            if place >= 0:
                faces[place] = event[5]
                faces[place + 1] = event[6]
    return sealed, faces
