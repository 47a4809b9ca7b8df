"""Which histories the host has fetched: durable marks in the store, asked before a shoe is overwritten.

A mark names the last record that the history had, so a history that grew afterwards is not taken for fetched.
"""

import struct

from shoe.compat import const
from shoe.journal.durable_notes import Notes

_UPTO = const(1)  # payload shoe u32: this shoe and all before it
_MARK = const(2)  # payload shoe u32, last record u32
_MOST = const(200)


class Fetched:
    """Marks in two pages of `device` from `first` on. `overwrite`: the operator gives leave to lose the unfetched."""

    def __init__(self, device, first):
        self._notes = Notes(device, first, self._live)
        self._upto = -1
        self._marks = []
        self.overwrite = False

    def start(self):
        """Load the marks."""
        self._upto = -1
        self._marks = []
        self._notes.start(self._take)

    def _take(self, kind, payload):
        if kind == _UPTO:
            self._upto = max(self._upto, struct.unpack("<I", payload)[0])
        else:
            self._marks.append(struct.unpack("<II", payload))

    def _live(self):
        if self._upto >= 0:
            yield _UPTO, struct.pack("<I", self._upto)
        for mark in self._marks:
            yield _MARK, struct.pack("<II", *mark)

    def is_fetched(self, shoe, last_record):
        """True when the history of `shoe` was fetched and has not grown since."""
        return shoe <= self._upto or (shoe, last_record) in self._marks

    def may_overwrite(self, shoe, last_record):
        """What the journal asks before it gives up a shoe."""
        return self.overwrite or self.is_fetched(shoe, last_record)

    def mark(self, shoe, last_record, current, oldest):
        """Remember durably that `shoe` was fetched up to `last_record`.

        `current` is the shoe that may still grow, `oldest` the first one in the ring: marks below are dropped.
        """
        if self.is_fetched(shoe, last_record):
            return
        before = self._upto, self._marks
        try:
            self._mark(shoe, last_record, current, oldest)
        except Exception:  # a shoe whose mark is not durable may not be overwritten
            self._upto, self._marks = before
            raise

    def _mark(self, shoe, last_record, current, oldest):
        self._upto = max(self._upto, oldest - 1)
        self._marks = [m for m in self._marks if m[0] != shoe and m[0] > self._upto]
        if shoe == self._upto + 1 and shoe < current:
            self._upto = shoe
            for mark in sorted(self._marks):
                if mark[0] == self._upto + 1 and mark[0] < current:
                    self._upto = mark[0]
            self._marks = [m for m in self._marks if m[0] > self._upto]
            self._notes.put(_UPTO, struct.pack("<I", self._upto))
            return
        if len(self._marks) >= _MOST:
            raise OSError(28)
        self._marks.append((shoe, last_record))
        self._notes.put(_MARK, struct.pack("<II", shoe, last_record))

    def idle(self):
        """Erase ahead; True when the flash was erased."""
        return self._notes.idle()
