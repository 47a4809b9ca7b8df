"""The read heads at work: from edges to passes, from passes to the table, and whose trace is kept."""

from array import array

from shoe import wire_table as t
from shoe.compat import const, ticks_diff
from shoe.line.silence import LOOK_US
from shoe.reading.card_reader import CardReader
from shoe.reading.read_head import ReadHead
from shoe.reading.trace import EDGES

_BATCH_OF_EDGES = const(64)
_MOST_BATCHES = const(16)  # a turn, from a head: a line that flutters holds nobody up
_PRESENT = const(1)
_PRINTED_ALIKE = const(7)  # PRESENT, CLOCK_A, CLOCK_B: DATA alone says nothing here, for that would tell of the face
_PASSING_MS = const(300)


class Heads:
    """All heads of `board`, the reader device among them. `lines`: what of each is dark; `decoders`: the ReadHeads."""

    def __init__(self, board, trace, margins):
        self._board = board
        self._trace = trace
        self._margins = margins
        self.lines = bytearray(board.heads)
        self.last_edge_ms = 0
        self.moved = False  # something, since the start
        self.reader = CardReader()
        self.decoders = []
        self._batches = []
        self._blocked = bytearray(board.heads)
        self._times = array("i", [0] * _BATCH_OF_EDGES)
        self._states = bytearray(_BATCH_OF_EDGES)

    def adopt(self, config):
        """Begin anew with the batches and the patience of `config`."""
        both = (config.batch_a, config.batch_b)
        self.decoders = []
        self._batches = [both] * self._board.heads
        board = self._board
        self.decoders = [ReadHead(head, both, config.blocked_s, board.cards) for head in range(board.heads)]

    def belong(self, dealing):
        """Tell the heads of the shoe which batches are in play."""
        for head in range(min(2, len(self.decoders))):
            batches = dealing.batches(head)
            if batches != self._batches[head]:
                self._batches[head] = batches
                self.decoders[head].set_batches(batches)

    def forget_passes(self):
        """Edges may be missing: a card in a throat now becomes unreadable, and its trace is not kept."""
        for head in range(self._board.heads):
            self.rest(head)

    def rest(self, head):
        """Forget what goes by in `head`."""
        self._trace.wipe(head)
        self._margins.passed(head, False)
        self.decoders[head].reset()

    def under(self, heads=-1):
        """True while a card is under the card sensor of one of `heads` that is not known to be blocked."""
        lines = self.lines
        for head in range(len(lines)):
            if lines[head] & _PRESENT and not self._blocked[head] and heads >> head & 1:
                return True
        return False

    def in_throat(self):
        """True while a card is in a head that is not known to be blocked: no flash is erased or programmed."""
        if self.under():
            return True
        lines = self.lines
        for head in range(len(lines)):
            # A mark before or behind the card sensor; a line that stays dark without moving holds nothing up.
            if lines[head] & _PRINTED_ALIKE and not self._blocked[head]:
                return 0 <= ticks_diff(self._board.ticks_ms(), self.last_edge_ms) < _PASSING_MS
        return False

    def turn(self, dealing, steps, silence):
        """Take what came, and what time alone says: `dealing` decides, `steps` record it, `silence` counts the time."""
        board = self._board
        trace, margins = self._trace, self._margins
        times, states = self._times, self._states
        silence.excused = margins.calibrating()
        for index in range(board.heads):
            head = self.decoders[index]
            for _ in range(_MOST_BATCHES):
                n = 0 if steps.full() else board.read_edges(index, times, states)
                if n < 0:
                    self.rest(index)
                    if n < -1 or head.flooded:
                        head.went_by(board.ticks_us())
                    if n < -1 and not head.flooded:  # they came faster than any card makes them
                        silence.after(board.ticks_us())
                        self._passed(head.flood(), index, board.ticks_us(), dealing, steps, silence)
                    elif not head.flooded and index != t.HEAD_READER:  # there the card is simply read again
                        steps.raise_fault(t.FAULT_EDGES_LOST, index)
                    continue
                if not n:
                    break
                self._blocked[index] = 0
                if silence.edges(index, times, states, n, self.lines[index]):
                    self.last_edge_ms = board.ticks_ms()
                at = 0
                while at < n:
                    end = head.take(times, states, at, n)
                    trace.record(index, times, states, at, end)
                    at = end
                    self.lines[index] = states[at - 1]
                    if head.done is not None:
                        self._passed(head.done, index, times[at - 1], dealing, steps, silence)
                self.moved = True
                margins.passing(index, self.lines[index])
            done = head.poll(board.ticks_us())
            if done is not None:
                if silence.counts() >> index & 1:
                    silence.after(head.due_us, LOOK_US)
                self._passed(done, index, head.due_us, dealing, steps, silence)
        margins.turn()
        reading = self.reader.due(board.ticks_us())
        if reading is not None:
            self._answer(reading, dealing, steps, silence)

    def _answer(self, reading, dealing, steps, silence):
        """What the card reader device has read is due."""
        events = dealing.input_pass(reading)
        self.reader.answered()
        silence.after(self.reader.answer_us, LOOK_US)
        steps.commit(events, self._board.ms_at(self.reader.answer_us))

    def _passed(self, done, head, ticks_us, dealing, steps, silence):
        """One pass is over: decide, keep or wipe its trace, commit."""
        kind = done.kind
        if kind == t.PASS_BLOCKED:
            self._blocked[head] = 1
            silence.told |= 1 << head
        if self._margins.calibrates(head, done):
            self._trace.wipe(head)
            return
        public = kind in (t.PASS_COVER_CARD, t.PASS_BLANK, t.PASS_TEST_CARD)
        blocked = kind == t.PASS_BLOCKED and not self.lines[head] & _PRESENT and 0 < done.edges <= EDGES
        if kind == t.PASS_UNREADABLE or blocked:
            # A card that nobody is due, that lies face down, or may yet, in the throat or a second one: is nobody's.
            due = dealing.due()[0] if dealing.shoe_open else (t.ROLE_OPENING,)
            public = due is not None and not dealing.face_down(due[0])
        if head == t.HEAD_READER:
            public = kind == t.PASS_TEST_CARD
            done = self.reader.passed(done, ticks_us)
        events = () if done is None else dealing.input_pass(done)
        for event in events:
            if event[0] == t.REC_CARD:
                public = True
            elif event[0] == t.REC_SEALED:
                public = False
                break
        self._margins.passed(head, public)
        if public:
            self._trace.keep(head, kind)
        else:
            self._trace.wipe(head)
        steps.commit(events, self._board.ms_at(ticks_us))
