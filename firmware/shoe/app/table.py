"""The table: the configuration in force and the dealing machine, and how both come back from store and journal.

The records of the current shoe are folded into `dealing` in order. A sealed card gets its face back from the vault, or
from its own `opened` record when it was turned before the power went.

Where one side of a double shoe goes on from an earlier history, its burn cards lie sealed there until that side is
loaded again: then the fold begins with the history of the oldest card that is still face down.
"""

import struct

from shoe.config import OPTION_OVERWRITE
from shoe.dealing.machine import Dealing
from shoe.journal.cursor import Cursor, event_form
from shoe.trust.sealing import UNKNOWN_CARD
from shoe.wire_table import (
    FAULT_COMMAND_KEY,
    FAULT_CONFIG_INVALID,
    READER_STEP_CARRIED,
    REC_BOOT,
    REC_CLEARED,
    REC_CONFIGURED,
    REC_FAULT,
    REC_OPENED,
    REC_PROVISIONED,
    REC_READER_TEST,
    REC_SEALED,
    REC_SHOE_OPENED,
    RECORD_FORMATS,
    SHOE_KIND_DOUBLE,
)


class Table:
    """`config` in force, `config_valid` whether it is as it was stored, `dealing` the machine that plays by it.

    Each new configuration and each `rebuild` makes another `dealing`: ask for it whenever it is needed.
    """

    def __init__(self, store, journal, sealer, faults, fetched, steps, heads):
        self.config_valid = False
        self._store = store
        self._journal = journal
        self._sealer = sealer
        self._faults = faults
        self._fetched = fetched
        self._steps = steps
        self._heads = heads

    def start(self):
        """Load the configuration, then the table as journal and latched faults say; return the Restored."""
        config, self.config_valid, written = self._store.load()
        self._adopt(config)
        found = self._bring_back()
        if not written and found.config_crc >= 0 and found.config_crc != config.crc():
            self.config_valid = False  # a configuration was written once, and the store is empty
        return found

    def rebuild(self):
        """After a defect: make durable what waits, then believe store and journal alone. False when they refuse it."""
        if not hasattr(self, "dealing"):  # that is as far as a new configuration came
            self._new_dealing(self.config)
        self._steps.flush(True)
        if self._steps.waiting():  # it is not taken: RAM has what the journal has not
            return False
        config, valid, _ = self._store.load()
        if valid and config.pack() != self.config.pack():
            self.config_valid = True
            self._adopt(config)
        else:
            self._new_dealing(self.config)
        found = self._bring_back()
        crc = self.config.crc()
        if self.config_valid and found.config_crc >= 0 and found.config_crc != crc:
            self._steps.commit([(REC_CONFIGURED, crc)])  # it was stored, and its record was cut off
        self._steps.commit(self.dealing.resume())
        return True

    def configure(self, config):
        """Store `config` durably and go on with it; the faults stay latched."""
        self._steps.touched = True
        self._store.save(config)
        self.config_valid = True
        if self.dealing.shoe_open:
            self.dealing.config = config
            self.config = config
            return
        faults = self._faults.items()
        inspected = self.dealing.st.reader_ok
        self._adopt(config)
        if inspected:
            self.dealing.apply((REC_READER_TEST, READER_STEP_CARRIED))
        for item in faults:
            self.dealing.apply((REC_FAULT,) + item)
        if FAULT_CONFIG_INVALID in self.dealing.faults:
            event = (REC_CLEARED, FAULT_CONFIG_INVALID, 0)
            self.dealing.apply(event)
            self._steps.commit([event])

    def check_config(self):
        """Latch the fault of a configuration that is damaged or gone."""
        if not self.config_valid:
            self._steps.raise_fault(FAULT_CONFIG_INVALID)

    def _adopt(self, config):
        self._fetched.overwrite = bool(config.options & OPTION_OVERWRITE)
        self._new_dealing(config)
        self._heads.adopt(config)
        self._heads.belong(self.dealing)
        self.config = config  # last: until then `rebuild` finds that the stored one is another

    def _new_dealing(self, config):
        if hasattr(self, "dealing"):  # a small heap does not hold two of them
            del self.dealing, self._steps.dealing
        self.dealing = self._steps.dealing = Dealing(config)

    def _bring_back(self):
        """What journal and latched faults say."""
        found = restore(self._journal, self._sealer, self.dealing)
        self._heads.belong(self.dealing)
        self._steps.start(self.dealing)
        for code, head, detail in self._faults.items():
            if code not in self.dealing.faults:
                self.dealing.apply((REC_FAULT, code, head, detail))
        return found


class Restored:
    """What folding the current shoe's records brought to light."""

    def __init__(self):
        self.config_crc = -1  # of the last boot or configured record, -1 when there is none
        self.epoch = 0  # of the last boot
        self.lost = 0  # sealed cards whose opening is neither in the vault nor in the journal
        self.records = 0
        self.missing = 0  # records between the first and the last that a damaged page took away
        self.provisioned = False  # a record says that commands need a key, or that the key is damaged


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
        elif kind == REC_PROVISIONED or (kind == REC_FAULT and event[1] == FAULT_COMMAND_KEY):
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
