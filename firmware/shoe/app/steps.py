"""The one way into the journal, and the order of every step.

decide -> seal -> durable in the journal -> latched faults -> lamps and live events. While a card is in a throat nothing
is programmed or erased: steps wait in RAM, with their record numbers given already, and are written at a point of the
grid when no head has a card (silence). A card that comes right behind another leaves a gap between them; when it is too
short for that, both are written behind the second one.
"""

from shoe.compat import const
from shoe.journal.durable_notes import NotesFull
from shoe.journal.journal import JournalError, JournalFull
from shoe.trust.sealing import EntropyError
from shoe.wire_table import (
    FAULT_ENTROPY,
    FAULT_JOURNAL_FULL,
    FAULT_JOURNAL_WRITE,
    REC_CLEARED,
    REC_FAULT,
    REC_OPENED,
    REC_SEALED,
    STOPPING_FAULTS,
)

_MOST_WAITING = const(32)  # and once more what one batch of edges makes, a step for two of them at most


class Steps:
    """Makes the events of `dealing` durable. `holds() -> bool` holds writing up; `show()` sets lamps afterwards.

    `halt()` engages the card stop for a fault that is not durable yet. `ticks_ms()` is the time of what is recorded.
    """

    def __init__(self, ticks_ms, journal, sealer, faults, holds, show, halt, dealing):
        self.dealing = dealing
        self.next_record = 0  # number of the next record, behind those that wait
        self.touched = False  # a step began: what RAM says of the table may not be what the journal says
        self.stuck = 0  # the fault, while journal, vault or entropy refuse a step: it waits and is tried again
        self._ticks_ms = ticks_ms
        self._journal = journal
        self._sealer = sealer
        self._faults = faults
        self._holds = holds
        self._show = show
        self._halt = halt
        self._waiting = []  # (events, ticks_ms or -1, record number of the first)

    def start(self, dealing):
        """Begin behind what the journal holds."""
        self.dealing = dealing
        self.next_record = self._journal.next_record

    def waiting(self):
        """True while steps wait to become durable."""
        return bool(self._waiting)

    def room(self):
        """True while there is room for further steps to wait."""
        return len(self._waiting) < _MOST_WAITING // 2

    def full(self):
        """Whether no further edges may be decided: the journal refuses what waits. They wait in the heads' rings.

        Cards without a gap between them, or beside one that lies in the other throat, leave no time to write: then it
        is done while a card is in a throat, since a card that is told may not be lost.
        """
        if len(self._waiting) >= _MOST_WAITING:
            self.flush(True)
        return len(self._waiting) >= _MOST_WAITING

    def commit(self, events, ticks_ms=-1):
        """Give the events of one step, decided and applied by `dealing`, their numbers; write them when they may be.

        `ticks_ms`: when it happened, now by default. A card's time is that at which it had left; what waits beside it
        gets its time too, since when its turn came may depend on the card.
        """
        if events:
            self.touched = True
            first = number = self.next_record
            for event in events:
                self.dealing.recorded(event, number)
                number += 1
                if event[0] == REC_FAULT and event[1] in STOPPING_FAULTS:
                    self._halt()  # a card in a throat may hold up the record for long
            if ticks_ms < 0 and not self._holds():
                ticks_ms = self._ticks_ms()
            self._waiting.append((events, ticks_ms, first))
            self.next_record = number
        self.flush()

    def flush(self, at_once=False):
        """Write what waits unless it is held up and not `at_once`; then the lamps."""
        while self._waiting and (at_once or not self._holds()):
            try:
                self._write()
            except JournalFull:
                self._refused(FAULT_JOURNAL_FULL, at_once)
                return
            except (JournalError, NotesFull, OSError):
                self._refused(FAULT_JOURNAL_WRITE, at_once)
                return
            except EntropyError:
                self._refused(FAULT_ENTROPY, at_once)
                return
            if self.stuck:
                self._latch()
                self.stuck = 0
        if not self._waiting:
            self._show()

    def _write(self):
        """Make the first step that waits durable, as far as it is not."""
        events, ticks_ms, first = self._waiting[0]
        if ticks_ms < 0:
            ticks_ms = self._time()
        number = self._journal.next_record  # a step that was cut off between two pages is durable in part
        if number < first + len(events):
            ready = []
            for i in range(number - first, len(events)):
                event = events[i]
                if event[0] == REC_SEALED:
                    event = self._sealer.seal(event, first + i)
                elif event[0] == REC_OPENED:
                    event = self._sealer.open(event)
                ready.append(event)
            self._journal.append_step(ready, ticks_ms)
        for event in events:
            if event[0] == REC_OPENED:
                self._sealer.opened(event[1])
            elif event[0] == REC_FAULT:
                self._faults.latch(event[1], event[2], event[3])
            elif event[0] == REC_CLEARED:
                self._faults.clear(event[1])
        self._waiting.pop(0)

    def _time(self):
        """When the first step that waits happened: with the next one of which that is known, or now."""
        for _, ticks_ms, _ in self._waiting:
            if ticks_ms >= 0:
                return ticks_ms
        return self._ticks_ms()

    def _refused(self, code, at_once):
        """A step cannot be made durable: stop the game; the step waits and is tried again."""
        if not self.stuck:
            self.stuck = code
            self._halt()
            self.dealing.apply((REC_FAULT, code, 0, 0))
        if at_once or not self._holds():  # not before the card stop: the fault's own page may have to be erased first
            self._latch()
        self._show()

    def _latch(self):
        try:
            self._faults.latch(self.stuck)
        except (OSError, NotesFull):
            self._faults.unstored(self.stuck)

    def raise_fault(self, code, head=0, detail=0):
        """Latch a fault that is not latched yet, with its record."""
        if code not in self.dealing.faults:
            self.record_fault(code, head, detail)

    def record_fault(self, code, head=0, detail=0):
        """Record a fault, also one that is latched: for a history that has no record of it yet."""
        event = (REC_FAULT, code, head, detail)
        self.touched = True
        self.dealing.apply(event)
        self.commit([event])
