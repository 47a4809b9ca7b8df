"""Signing beside dealing: a slice of work whenever nothing moves, its records and faults."""

from shoe.compat import MACHINE_CODE, const, ticks_diff
from shoe.trust.sign_shoe import SLICE
from shoe.trust.signing import Signing
from shoe.wire_table import (
    FAULT_SIGNING_KEY_DAMAGED,
    FAULT_SIGNING_KEY_USED_UP,
    REC_CLEARED,
    SIGNING_DAMAGED,
    SIGNING_READY,
    SIGNING_USED_UP,
)

# Hashes, as slices count that may end sooner, between two pauses in which the board may collect memory: a signature
# takes 1,111, which leave 15 kB behind. To ask what is free would take 8 ms, which a card that came then would wait.
ROUND = const(2400)
_SETTLED_MS = const(100)
_SLICE_MS = const(30)  # a module that is loaded from a slot may take as long as that alone
_PAUSE_MS = const(5)  # in which the board looks whether it has to collect
_REST_TURNS = const(400)


class Signer(Signing):
    """The signing of `board`'s shoe. It would go on in `wait_ms` if nothing else is to do; -1 while it has no work."""

    def __init__(self, board, device_id, journal, fetched, table, steps):
        super().__init__(
            board.keys, device_id, journal, board.entropy, fetched.may_overwrite, lambda: table.config.crc()
        )
        self.wait_ms = -1
        self._board = board
        self._table = table
        self._steps = steps
        self._rest = 0
        self._left = ROUND  # hashes until the next pause
        self._began = 0  # ticks_ms of the slice

    def boot(self):
        """Find key and signatures; latch what is wrong with them."""
        self.start()
        self._say_state()

    def advance(self, last_edge_ms):
        """Do one slice of what is due: of a key or of a signature. No card is in a throat."""
        if self._rest:
            self._rest -= 1
            return
        if not self.busy or 0 <= ticks_diff(self._board.ticks_ms(), last_edge_ms) < _SETTLED_MS:
            return
        self.wait_ms = 0
        if MACHINE_CODE and not self._room():
            self.wait_ms = _PAUSE_MS
            return
        before = self.state
        self._began = self._board.ticks_ms()
        try:
            event = self.step(SLICE, self._enough)
        except MemoryError:  # the table needs the heap: later
            self.abandon()
            self._rest = _REST_TURNS
            self.wait_ms = -1
            return
        if event is not None:
            self._steps.commit([event])
        if self.state != before:
            self._say_state()
        if not self.busy:
            self.wait_ms = -1
            self._left = ROUND  # the board has time now

    def _enough(self):
        """Whether a slice is to end: at the first edge of a card, which so waits for a few ms only, or by its time."""
        board = self._board
        return board.edges_wait() or not 0 <= ticks_diff(board.ticks_ms(), self._began) < _SLICE_MS

    def _room(self):
        """Whether a slice may begin: once in ROUND hashes not, so that the board may collect between two slices."""
        self._left -= SLICE
        if self._left >= 0:
            return True
        self._left = ROUND
        return False

    def _say_state(self):
        """Latch the fault of a key that signs no more; let it go when there is one that does."""
        if self.state == SIGNING_USED_UP:
            self._steps.raise_fault(FAULT_SIGNING_KEY_USED_UP)
        elif self.state == SIGNING_DAMAGED:
            self._steps.raise_fault(FAULT_SIGNING_KEY_DAMAGED)
        elif self.state == SIGNING_READY:
            dealing = self._table.dealing
            for code in (FAULT_SIGNING_KEY_USED_UP, FAULT_SIGNING_KEY_DAMAGED):
                if code in dealing.faults:
                    event = (REC_CLEARED, code, 0)
                    dealing.apply(event)
                    self._steps.commit([event])
