"""The application: read heads, panel, link and idle work around `dealing`.

See app_steps for the way into the journal, app_service for what the host may ask.
"""

import gc
from array import array
from asyncio import Event, create_task, sleep  # by name: MicroPython loads each of them when it is first named

from shoe.app_defect import recover
from shoe.app_restore import ConfigStore, restore
from shoe.app_selftest import self_test
from shoe.app_service import VERSION, Service
from shoe.app_steps import Steps
from shoe.compat import const, ticks_diff
from shoe.config import OPTION_OVERWRITE
from shoe.dealing import Dealing
from shoe.faults import Faults
from shoe.journal import Journal
from shoe.journal_fetched import Fetched
from shoe.journal_read import Cursor
from shoe.link import Link
from shoe.read_head import ReadHead
from shoe.sealing import Sealer
from shoe.supervisor import Supervisor
from shoe.trace import Trace
from shoe.wire_table import (
    BOOT_CAUSE_CRASH,
    BOOT_CAUSE_WATCHDOG,
    FAULT_CONFIG_INVALID,
    FAULT_EDGES_LOST,
    FAULT_INTERNAL,
    FAULT_JOURNAL_DAMAGED,
    FAULT_JOURNAL_FULL,
    FAULT_SEALED_CARD_LOST,
    FAULT_SELF_TEST,
    FAULT_WATCHDOG,
    KEY_LOAD,
    LAMP_STOP,
    PASS_BLANK,
    PASS_BLOCKED,
    PASS_COVER_CARD,
    PASS_TEST_CARD,
    PASS_UNREADABLE,
    REC_BOOT,
    REC_CARD,
    REC_CLEARED,
    REC_CONFIGURED,
    REC_FAULT,
    REC_SEALED,
    REC_SELF_TEST,
)

CONFIG_PAGE = const(0)  # pages of the store
FAULTS_PAGE = const(2)
FETCHED_PAGE = const(4)
SCRATCH_PAGE = const(6)
_BATCH_OF_EDGES = const(64)
_LINK_QUEUE = const(1024)  # what does not fit is read from the journal again
_PRESENT = const(1)
_PASSING_MS = const(300)
_QUIET_MS = const(500)
_TASKS = ("heads", "panel", "link", "idle")
_HEADS = const(0)
_MOST_TURNS = const(100)  # a task that is not through by then has died


class App:
    """One shoe on one board. `boot` once, then `await run()`; see board/README.md for what `board` must offer."""

    def __init__(self, board):
        self.board = board
        self.device_id = board.unique_id()
        self.faults = Faults(board.store, FAULTS_PAGE)
        self.fetched = Fetched(board.store, FETCHED_PAGE)
        self.journal = Journal(board.journal, self.device_id, self.fetched.may_overwrite)
        self.trace = Trace(board.heads)
        self.config_valid = False
        self._sealer = Sealer(board.entropy, board.vault)
        self._config_store = ConfigStore(board.store, CONFIG_PAGE)
        self._gone_live = -1  # next record to send, -1 without a subscriber
        self._heads = []
        self._lines = bytearray(board.heads)
        self._blocked = bytearray(board.heads)
        self._times = array("i", [0] * _BATCH_OF_EDGES)
        self._states = bytearray(_BATCH_OF_EDGES)
        self._received = bytearray(256)
        self._last_edge_ms = 0
        self._moved = False
        self._busy = 0
        self.steps = Steps(board, self.journal, self._sealer, self.faults, self.in_throat, self.show, None)
        self.cursor = Cursor(self.journal)
        self.link = Link(Service(self), board.link_write, _LINK_QUEUE)
        self.supervisor = Supervisor(_TASKS)

    # ------------------------------------------------------------------------------------------------ start
    def boot(self):
        """Bring back configuration, table and faults; write the boot record; light the lamps."""
        board = self.board
        cause = board.boot_cause()
        self.faults.start()
        self.fetched.start()
        self.journal.start()
        config, self.config_valid, written = self._config_store.load()
        self._adopt(config)
        found = self._bring_back()
        if not written and found.config_crc >= 0 and found.config_crc != config.crc():
            self.config_valid = False  # a configuration was written once, and the store is empty
        self.link.epoch = self._new_epoch(found.epoch)
        self.steps.commit([(REC_BOOT, cause, VERSION, config.crc(), self.link.epoch)])
        if found.config_crc >= 0 and found.config_crc != config.crc() and self.config_valid:
            self.steps.commit([(REC_CONFIGURED, config.crc())])  # the power went between the store and the record
        for code in self.dealing.faults:
            self.faults.latch(code)
        if cause == BOOT_CAUSE_WATCHDOG:
            self.steps.raise_fault(FAULT_WATCHDOG)
        if cause == BOOT_CAUSE_CRASH:
            self.steps.raise_fault(FAULT_INTERNAL)
        if self.journal.damaged:
            self.steps.raise_fault(FAULT_JOURNAL_DAMAGED, 0, min(self.journal.damaged, 255))
        if found.lost:
            self.steps.raise_fault(FAULT_SEALED_CARD_LOST, 0, min(found.lost, 255))
        self.steps.commit(self.dealing.resume())  # what the power cut off
        self._check_config()
        for _ in range(4):
            self._erase_ahead()
        self.show()
        gc.collect()

    def _new_epoch(self, last):
        try:
            drawn = self.board.entropy(2)
            epoch = drawn[0] | drawn[1] << 8
        except OSError:
            epoch = last + 1
        if epoch in (0, last):
            epoch = (last + 1) & 0xFFFF or 1
        return epoch

    def _bring_back(self):
        """The table as journal and latched faults say."""
        gc.collect()
        found = restore(self.journal, self._sealer, self.dealing)
        gc.collect()
        self._belong()
        self.steps.start(self.dealing)
        for code, head, detail in self.faults.items():
            if code not in self.dealing.faults:
                self.dealing.apply((REC_FAULT, code, head, detail))
        return found

    def rebuild(self):
        """After a defect: make durable what waits, then believe the journal alone."""
        self.steps.flush(True)
        if self.steps.waiting():  # it is not taken: RAM has what the journal has not
            return
        self._new_table()
        self._bring_back()
        self.steps.commit(self.dealing.resume())

    def forget_passes(self):
        """Edges may be missing: a card in a throat now becomes unreadable, and its trace is nobody's business."""
        for head in range(self.board.heads):
            self.trace.wipe(head)
            self._heads[head].reset()

    def _new_table(self):
        if hasattr(self, "dealing"):  # a small heap does not hold two tables
            del self.dealing, self.steps.dealing
        gc.collect()
        self.dealing = self.steps.dealing = Dealing(self.config)

    def _adopt(self, config):
        self.config = config
        self.fetched.overwrite = bool(config.options & OPTION_OVERWRITE)
        self._heads = []
        self._new_table()
        both = (config.batch_a, config.batch_b)
        self._batches = [both] * self.board.heads
        self._heads = [ReadHead(head, both, config.blocked_s) for head in range(self.board.heads)]
        self._belong()

    def configure(self, config):
        """Store `config` durably and go on with it; the faults stay latched."""
        self._config_store.save(config)
        self.config_valid = True
        if self.dealing.shoe_open:
            self.dealing.config = config
            self.config = config
            return
        faults = self.faults.items()
        self._adopt(config)
        for item in faults:
            self.dealing.apply((REC_FAULT,) + item)
        if FAULT_CONFIG_INVALID in self.dealing.faults:
            event = (REC_CLEARED, FAULT_CONFIG_INVALID, 0)
            self.dealing.apply(event)
            self.steps.commit([event])

    def _check_config(self):
        if not self.config_valid:
            self.steps.raise_fault(FAULT_CONFIG_INVALID)

    # ------------------------------------------------------------------------------------------------ throats
    def in_throat(self):
        """True while a card is in a head that is not known to be blocked: no flash is erased or programmed."""
        lines = self._lines
        for head in range(len(lines)):
            if lines[head] and not self._blocked[head]:
                if lines[head] & _PRESENT:
                    return True
                # A mark before or behind the card sensor; a line that stays dark without moving holds nothing up.
                if 0 <= ticks_diff(self.board.ticks_ms(), self._last_edge_ms) < _PASSING_MS:
                    return True
        return False

    # ------------------------------------------------------------------------------------------------ inputs
    def _run_heads(self):
        board = self.board
        times = self._times
        states = self._states
        for index in range(board.heads):
            head = self._heads[index]
            while True:
                n = board.read_edges(index, times, states)
                if n < 0:
                    head.reset()
                    self.trace.wipe(index)
                    self.steps.raise_fault(FAULT_EDGES_LOST, index)
                    continue
                if not n:
                    break
                self._blocked[index] = 0
                for i in range(n):
                    self._lines[index] = states[i]
                    self.trace.edge(index, times[i], states[i])
                    done = head.feed(times[i], states[i])
                    if done is not None:
                        self._passed(done, index)
                self._last_edge_ms = board.ticks_ms()
                self._moved = True
            done = head.poll(board.ticks_us())
            if done is not None:
                self._passed(done, index)

    def _passed(self, done, head):
        """One pass is over: decide, keep or wipe its trace, commit."""
        kind = done.kind
        if kind == PASS_BLOCKED:
            self._blocked[head] = 1
        public = kind in (PASS_COVER_CARD, PASS_BLANK, PASS_BLOCKED, PASS_TEST_CARD)
        if kind == PASS_UNREADABLE:
            due = self.dealing.due()[0]  # a card that nobody is due, or that lies face down, is nobody's business
            public = due is not None and not self.dealing.face_down(due[0])
        events = self.dealing.input_pass(done)
        for event in events:
            if event[0] == REC_CARD:
                public = True
            elif event[0] == REC_SEALED:
                public = False
                break
        if public:
            self.trace.keep(head, kind)
        else:
            self.trace.wipe(head)
        self.steps.commit(events)

    def _run_panel(self):
        while True:
            key = self.board.read_key()
            if key < 0:
                return
            self.press(key & 0xFF, key >> 8)

    def press(self, key, argument):
        """A key of the panel or of the host; True when it meant something and was carried out."""
        if key == KEY_LOAD and not self.journal.room_for_shoe():
            self.steps.raise_fault(FAULT_JOURNAL_FULL)
            return False
        if self.steps.stuck:
            self.steps.flush()
            if self.steps.stuck:
                return False
        accepted, events = self.dealing.input_key(key, argument)
        self._belong()
        self.steps.commit(events)
        self._check_config()
        return accepted

    def _belong(self):
        """Tell the heads of the shoe which batches are in play."""
        for head in range(min(2, len(self._heads))):
            batches = self.dealing.batches(head)
            if batches != self._batches[head]:
                self._batches[head] = batches
                self._heads[head].set_batches(batches)

    # ------------------------------------------------------------------------------------------------ outputs
    def lamps(self):
        """Mask of enum.lamp."""
        mask = self.dealing.lamps
        if self.faults.stopping() is not None:
            mask |= 1 << LAMP_STOP
        return mask

    def show(self):
        """Set lamps and card stop."""
        mask = self.lamps()
        self.board.lamp_mask(mask)
        self.board.card_stop(bool(mask >> LAMP_STOP & 1))

    def subscribe(self, on, from_record):
        """Start or end live events; `from_record` None: from the next one. Returns the number of the next record."""
        durable = self.journal.next_record
        if not on:
            self._gone_live = -1
        else:
            self._gone_live = durable if from_record is None else min(from_record, durable)
        return durable

    def _run_link(self):
        while True:
            n = self.board.link_read(self._received)
            if n <= 0:
                break
            self.link.receive(self._received, n)
        self.link.pump()
        cursor = self.cursor
        while 0 <= self._gone_live < self.journal.next_record and self.link.subscribed:
            if not cursor.seek(self._gone_live) or not cursor.next():
                break
            if not self.link.send_event(cursor.number, cursor.boot, cursor.ticks_ms, cursor.kind, cursor.payload):
                break
            self._gone_live = cursor.number + 1

    # ------------------------------------------------------------------------------------------------ idle
    def _run_idle(self):
        if self.steps.waiting():
            self.steps.flush()
        if self.in_throat():
            return
        if self._moved and 0 <= ticks_diff(self.board.ticks_ms(), self._last_edge_ms) < _QUIET_MS:
            return
        self._erase_ahead()

    def _erase_ahead(self):
        """At most one erase a turn."""
        return self.journal.idle() or self._sealer.idle() or self.faults.idle() or self.fetched.idle()

    def self_test(self):
        """Run the self-test, record it, latch its fault; return the mask of failed parts."""
        failed = self_test(self.board, self.journal, SCRATCH_PAGE, self.config_valid, self._lines)
        self.steps.commit([(REC_SELF_TEST, 1 if failed else 0, failed)])
        if failed:
            self.steps.raise_fault(FAULT_SELF_TEST, 0, failed & 0xFF)
        return failed

    # ------------------------------------------------------------------------------------------------ tasks
    async def run(self):
        """Boot, then serve for ever. An error that leaves it is a crash: the board notes it and starts again."""
        gates = [Event() for _ in _TASKS]  # all that is made once is made before the journal is read
        work = (self._run_heads, self._run_panel, self._run_link, self._run_idle)
        tasks = [create_task(self._task(i, gates[i], work[i])) for i in range(len(_TASKS))]
        try:
            self.boot()
            self.board.ready(self.journal.boot)
            while True:
                await self.board.wait()
                self._busy = (1 << len(_TASKS)) - 1
                for gate in gates:
                    gate.set()
                turns = 0
                while self._busy:
                    if turns > _MOST_TURNS:
                        raise RuntimeError
                    turns += 1
                    await sleep(0)
                if self.supervisor.complete():
                    self.board.feed_watchdog()
        finally:
            for task in tasks:
                task.cancel()

    async def _task(self, index, gate, work):
        while True:
            await gate.wait()
            gate.clear()
            try:
                work()
            except Exception as error:
                if index == _HEADS:
                    self.forget_passes()
                recover(self, error)
            self.supervisor.check_in(index)
            self._busy &= ~(1 << index)
