"""Latched faults: they survive a restart in the store and go only when `dealing` lets the supervisor clear them."""

from shoe.compat import const
from shoe.journal.durable_notes import DAMAGED, Notes
from shoe.wire_table import STOPPING_FAULTS

_SET = const(1)  # payload: code, head, detail of each latched fault


class Faults:
    """The set of latched faults in two pages of `device` from `first` on, in the order in which they came."""

    def __init__(self, device, first):
        self._notes = Notes(device, first, self._live)
        self._set = b""
        self.damaged = False

    def start(self):
        """Load what was latched when the power went."""
        self._set = b""
        self._notes.start(self._take)
        self.damaged = self._notes.state == DAMAGED

    def _take(self, kind, payload):
        if kind == _SET:
            self._set = bytes(payload)

    def _live(self):
        yield _SET, self._set

    def items(self):
        """List of (code, head, detail) latched."""
        return [tuple(self._set[i : i + 3]) for i in range(0, len(self._set), 3)]

    def codes(self):
        """Tuple of the latched codes."""
        return tuple([self._set[i] for i in range(0, len(self._set), 3)])

    def latch(self, code, head=0, detail=0):
        """Latch a fault durably; a code that is latched already stays as it was. True when it is new."""
        if code in self.codes():
            return False
        self._keep(self._set + bytes((code, head, detail)))
        return True

    def _keep(self, new):
        before = self._set
        try:
            self._set = new
            self._notes.put(_SET, new)
        except Exception:  # else it counts as latched, and nobody tries again
            self._set = before
            raise

    def clear(self, code):
        """Let a fault go, durably. True when it was latched."""
        kept = b""
        for item in self.items():
            if item[0] != code:
                kept += bytes(item)
        if kept == self._set:
            return False
        self._keep(kept)
        return True

    def unstored(self, code):
        """Latch a fault in RAM alone: the store itself does not take it."""
        if code not in self.codes():
            self._set += bytes((code, 0, 0))

    def first(self):
        """(code, head, detail) that a status shows: the first that stops the game, else the first; zeros when none."""
        items = self.items()
        return self.stopping() or (items[0] if items else (0, 0, 0))

    def stopping(self):
        """The first latched fault that stops the game as (code, head, detail), or None."""
        for item in self.items():
            if item[0] in STOPPING_FAULTS:
                return item
        return None

    def idle(self):
        """Erase ahead; True when the flash was erased."""
        return self._notes.idle()
