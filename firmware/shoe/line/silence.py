"""Nothing begins to leave the shoe while a card is in a head; what it causes leaves on a grid of the device's time.

How long it takes to decode a card, to seal and to store it may depend on its face, and so may what the heap looks like
afterwards. So nothing of it may decide when anything is seen. By edges of PRESENT and the clock lines alone, which are
printed alike on all cards, never by those of DATA:

- while a head sees something, and until the point of the grid behind, line, lamps and card stop wait;
- what a card causes is written into flash at one point of the grid, and leaves at another one, RECORD_US later;
- for half a second more, and as long as a shoe is open, it works in slots: what lies ready leaves when a slot begins,
  one piece of the line is read then, and the answers to it leave when the next one begins. A time that is told is that
  of the slot's beginning. What can wait, as an erase, is done between rounds, in slots of its own.
- memory is collected in a slot of its own, so that how much of it a card used up is forgotten.

A slot in which nothing came is longer. One whose work takes too long goes on to _LONG_US, or multiples of _LONGEST_US.
"""

from shoe.compat import const, ticks_diff
from shoe.wire_table import LAMP_STOP

WORK_US = const(37888)  # from the time a card had left, in which it is decoded and stored: PROTOCOL.md, Silence
GRID_US = const(1024)  # divides 2^30, so that the grid goes on where the ticks wrap
RECORD_US = const(16384)  # before it leaves a card is stored
SLOT_US = const(19456)
IDLE_US = const(32768)  # a slot in which nothing came
CARD_US = const(400000)  # a mark was seen, and no card left: no hand draws one so slowly that the next one is so late
LOOK_US = const(120832)  # what time alone brings is seen at the end of the longest slot, and leaves this much later
OPEN_US = const(503808)  # behind a card, in which the shoe works in slots
COLLECT_US = const(102400)  # behind a card: memory is collected, unless the next one has come
COLLECTING_US = const(81920)
LATE_US = const(10240)  # steps of a point at which the work was not done
BEFORE_US = const(1536)  # work ends so long before a point, else it goes on to the next: the board has to get ready
_LONG_US = const(65536)
_LONGEST_US = const(524288)
_SLOTS_A_CARD = const(5)  # a card uses up as much memory as they do
_LOOK_MS = const(6)  # a wait for what comes where time stands still
_MASK = const(0x3FFFFFFF)
_PRESENT = const(1)
_PRINTED_ALIKE = const(7)  # PRESENT, CLOCK_A, CLOCK_B

_FREE = const(0)  # nothing was seen for half a second, and no shoe is open
_DECIDED = const(1)  # what was decided, or will be, is neither stored nor told
_SLOTS = const(2)


class Silence:
    """The gate of all outputs of `board`, and the clock of what is told.

    `under(heads) -> bool`: a card is under the card sensor of one of them. `store()` makes durable what waits, and puts
    into the queue what is to be told of it; `leave()` hands that queue to `write`. `lies() -> bool`: a shoe is open,
    and so a card may lie face down, the burn card at least. `plays() -> bool`: a round is open.

    `told`: mask of the heads that count no longer, since a fault tells that they are blocked. `excused`: of the one
    that is being calibrated, through which no card of the table goes.
    """

    def __init__(self, board, under, store, leave, lies, plays):
        self._board = board
        self._under = under
        self._store = store
        self._leave = leave
        self._lies = lies
        self._plays = plays
        self._calm = False  # half a second has passed since the last card
        self._state = _FREE
        self._held = False
        self._last_us = 0  # when the last card had left
        self._due_us = 0  # when what it causes leaves
        self._at_us = 0  # when the slot began
        self._length = SLOT_US
        self._collected = True  # since the last card
        self._cards = self._slots = 0  # since memory was collected
        self._begins = False  # this turn began with a slot
        self._loads = False
        self._lamps = -1  # what is to be shown when it may
        self.told = self.excused = 0
        self._turns = 0
        self._seen_ms = board.ticks_ms()

    def counts(self):
        """Mask of the heads that count."""
        return ~(self.told | self.excused)

    # ------------------------------------------------------------------------------------------------ what came in
    def edges(self, head, times, states, n, before):
        """Edges of `head` were read: `n` of `times` and `states`, after the state `before`.

        False when they are of DATA alone. Each card that left is counted, wherever in a batch its edge is: where one
        batch ends and the next begins may depend on how many edges DATA has.
        """
        lines = before
        for i in range(n):
            now = states[i]
            if lines & ~now & _PRESENT:
                self._cards += 1
            lines = now
        while n:
            n -= 1
            changed = states[n] ^ (states[n - 1] if n else before)
            if changed & _PRINTED_ALIKE:
                if self.counts() >> head & 1:
                    left = changed & _PRESENT & ~states[n]
                    self._decided(times[n], times[n] + (WORK_US if left else CARD_US))
                return True
        return False

    def after(self, ticks_us, work_us=WORK_US):
        """What happened at `ticks_us` causes something, which is to leave `work_us` later or when a card's does."""
        due = ticks_us + work_us & _MASK
        if self._state == _DECIDED and ticks_diff(due, self._due_us) < 0:
            return
        self._decided(ticks_us, due)

    def _decided(self, ticks_us, due_us):
        self._state = _DECIDED
        self._held = True
        self._calm = False
        self._collected = False
        self._last_us = ticks_us
        self._due_us = due_us + GRID_US - 1 & ~(GRID_US - 1) & _MASK

    # ------------------------------------------------------------------------------------------------ what goes out
    def write(self, buf, n):
        """As the board's `link_write`; the line is full while nothing may begin to leave."""
        if self._loads:
            return self._board.link_load(buf, n)
        return 0 if self._held or self._near() else self._board.link_write(buf, n)

    def show(self, lamps):
        """Set lamps (mask of enum.lamp) and card stop, now or when they may change."""
        self._lamps = lamps
        if not (self._held or self._near()):
            self._light()

    def stop(self, lamps):
        """Set lamps and card stop before what asks for it is stored: when that may begin, if it has not yet."""
        self._lamps = lamps
        if self._state != _DECIDED and not self._near():
            self._light()

    def _light(self):
        if self._lamps >= 0:
            self._board.lamp_mask(self._lamps)
            self._board.card_stop(bool(self._lamps >> LAMP_STOP & 1))
            self._lamps = -1

    def _load(self):
        """Put what lies ready where the line only has to begin with it: how long that takes may depend on the heap."""
        self._loads = True
        self._leave()
        self._loads = False

    def _release(self):
        """What did not go into the line before the point follows."""
        self._held = False
        self._board.link_write(b"", 0)
        self._leave()

    # ------------------------------------------------------------------------------------------------ how it stands
    def free(self):
        """Whether nothing was seen for half a second and no shoe is open: work may take as long as it likes."""
        return self._state == _FREE and not self._near()

    def calm(self):
        """Whether nothing was seen for half a second and no round is open."""
        return self._calm and not self._plays() if self._state == _SLOTS else self.free()

    def idles(self):
        """Whether there is time for what can wait: it is calm, and nobody asks."""
        return self.calm() and (self._state == _FREE or (self._begins and self._length == IDLE_US))

    def takes_long(self):
        """What can wait is done now, and may take a slice of time: the slot is a long one."""
        self._length = _LONG_US

    def stores(self):
        """Whether what was decided may be stored now."""
        return self._state != _DECIDED

    def listens(self):
        """Whether requests are taken now: in a slot those that were there when it began."""
        return (self._begins and self._state == _SLOTS) or self.free()

    def in_slots(self):
        """Whether one piece of the line is read at a time."""
        return self._state != _FREE

    def works(self):
        """A request or a key was taken in: the slot is a short one."""
        if self._length == IDLE_US:
            self._length = SLOT_US

    def tells(self):
        """Whether a card has left, and nothing else is to begin until it was told."""
        return self._state == _DECIDED and not self._near()

    def _near(self):
        return self._under(self.counts()) or self._board.edges_wait(self.counts())

    def ticks_us(self):
        """The time that may be told, and that of what is recorded."""
        return self._board.ticks_us() if self._state == _FREE else self._at_us

    def ticks_ms(self):
        """The same in ms."""
        board = self._board
        return board.ticks_ms() if self._state == _FREE else board.ms_at(self._at_us)

    def turns(self, ticks_ms):
        """How often `ticks_ms()` had begun anew since the start when it was `ticks_ms`, a time that was told."""
        self._look()
        now = self._seen_ms
        if ticks_diff(now, ticks_ms) >= 0:
            return self._turns - (ticks_ms > now)
        return self._turns + (ticks_ms < now)

    def _look(self):
        """Count the times at which the ticks begin anew: looked at in each turn, since nothing else shows it later."""
        now = self._board.ticks_ms()
        if now < self._seen_ms:
            self._turns += 1
        self._seen_ms = now

    # ------------------------------------------------------------------------------------------------ the clock
    def wait(self, most_ms):
        """Wait for what comes, `most_ms` at most, or for the point of the grid; then what lies ready leaves."""
        self._begins = False
        self._look()
        if self._state == _FREE or self._near():
            if self._lamps >= 0 and not (self._held or self._near()):
                self._light()  # edges of DATA alone held them back, or what the heads see while the shoe starts
            self._board.wait(most_ms)
        elif self._state == _DECIDED:
            self._tell()
        else:
            self._slot(min(most_ms, _LOOK_MS))

    def _tell(self):
        """Store at one point of the grid, tell at the next but one."""
        board = self._board
        due = self._due_us
        store = due - RECORD_US & _MASK
        while ticks_diff(board.ticks_us(), store) > -BEFORE_US:  # the work took longer
            store = store + LATE_US & _MASK
            due = due + LATE_US & _MASK
        if not self._until(store):  # the card stop begins then, if that is asked for
            return
        self._at(store)
        self._state = _SLOTS
        self._store()
        self._load()
        while ticks_diff(board.ticks_us(), due) > -BEFORE_US:
            due = due + LATE_US & _MASK
        if not self._until(due):
            self._state = _DECIDED
            return
        self._begin(due)
        if self._cards * _SLOTS_A_CARD >= self._board.work_slots:
            self._collect()

    def _slot(self, look_ms):
        """Wait for the end of the slot; `look_ms` more where time stands still."""
        self._load()
        took = ticks_diff(self._board.ticks_us(), self._at_us) + BEFORE_US
        length = self._length
        if took > length:
            length = _LONG_US if took <= _LONG_US else (took // _LONGEST_US + 1) * _LONGEST_US
        due = self._at_us + length & _MASK
        if not self._until(due, True):
            return
        self._begin(due)
        since = ticks_diff(self._at_us, self._last_us)
        self._calm = self._calm or not 0 <= since < OPEN_US
        self._slots += 1
        if self._calm and not self._lies():
            self._state = _FREE
            self._held = False
        elif (not self._collected and since >= COLLECT_US) or self._slots >= self._board.work_slots:
            self._collected = self._collected or since >= COLLECT_US
            self._collect()
        self._board.wait(look_ms, False)

    def _until(self, due, tidies=False):
        """Wait for `due`, at which what was loaded, lamps and card stop begin; False when a card comes before."""
        lamps = self._lamps
        stop = lamps >> LAMP_STOP & 1 if lamps >= 0 else -1
        if not self._board.until(due, self.counts(), tidies, lamps, stop):
            return False
        self._lamps = -1
        return True

    def _at(self, due):
        """It is `due` now; only where time stands still it is not yet."""
        now = self._board.ticks_us()
        self._at_us = due if ticks_diff(now, due) >= 0 else now

    def _begin(self, due):
        """A slot begins."""
        self._at(due)
        self._length = IDLE_US
        self._release()
        self._held = self._begins = True

    def _collect(self):
        self._cards = self._slots = 0
        self._length = COLLECTING_US
        self._board.collect()
