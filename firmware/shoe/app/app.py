"""The application: read heads, panel, link and idle work around `dealing`.

See steps for the way into the journal, service for what the host may ask.
"""

from asyncio import create_task, sleep  # by name: MicroPython loads each of them when it is first named

from shoe import wire_table as t
from shoe.app.config_store import ConfigStore, new_epoch
from shoe.app.faults import Faults
from shoe.app.gate import Gate
from shoe.app.heads import Heads
from shoe.app.recovery import Requests, recover
from shoe.app.service import HeadService, HistoryService, ShoeService
from shoe.app.signer import Signer
from shoe.app.steps import Steps
from shoe.app.table import Table
from shoe.app.watchdog import Watchdog
from shoe.compat import const, ticks_diff
from shoe.journal.cursor import Live
from shoe.journal.durable_notes import Notes
from shoe.journal.fetched import Fetched
from shoe.journal.journal import Journal
from shoe.line.link import Link
from shoe.line.silence import Silence
from shoe.reading.head_margins import Margins
from shoe.reading.trace import Trace
from shoe.trust.sealing import Sealer
from shoe.version import VERSION

CONFIG_PAGE = const(0)  # pages of the store
FAULTS_PAGE = const(2)
FETCHED_PAGE = const(4)
_MOST_BATCHES = const(16)  # a turn, from the link: a line that babbles holds nobody up
_ONE_REQUEST = const(32)  # bytes
_MOST_EVENTS = const(16)  # a turn: a subscriber that was away for long holds nobody up
_LINK_QUEUE = const(1024)  # what does not fit is read from the journal again
_QUIET_MS = const(500)
_ROUND = (t.PHASE_OPENING, t.PHASE_CHOOSING, t.PHASE_PLAYERS, t.PHASE_DEALER)
_WAIT_MS = const(50)
_SLIDE_MS = const(2)  # in which a test card moves half a millimetre
_TASKS = ("heads", "panel", "link", "idle")
_HEADS = const(0)
_MOST_TURNS = const(100)  # a task that is not through by then has died


class App:
    """One shoe on one board. `boot` once, then `await run()`; see board/README.md for what `board` must offer."""

    def __init__(self, board):
        device_id = board.unique_id()
        self.board = board
        self.faults = Faults(board.store, FAULTS_PAGE)
        self.fetched = Fetched(board.store, FETCHED_PAGE)
        self.journal = Journal(board.journal, device_id, self.fetched.may_overwrite)
        self.trace = Trace(board.heads)
        self.margins = Margins(board, Notes)
        self._sealer = Sealer(board.entropy, board.vault)
        self._received = bytearray(256)
        self._request = bytearray(_ONE_REQUEST)
        self._busy = 0
        self.heads = Heads(board, self.trace, self.margins)
        self.silence = Silence(board, self.heads.under, self._store, self._leave, self._lies, self._plays)
        self.journal.turns = self.silence.turns
        self.steps = Steps(
            self.silence.ticks_ms, self.journal, self._sealer, self.faults, self._holds, self.show, self.halt, None
        )
        self.table = Table(
            ConfigStore(board.store, CONFIG_PAGE), self.journal, self._sealer, self.faults, self.fetched, self.steps,
            self.heads,
        )  # fmt: skip
        self.signing = Signer(board, device_id, self.journal, self.fetched, self.table, self.steps)
        self.cursor = Live(self.journal)
        self.link = Link(self.silence.write, _LINK_QUEUE)
        self.gate = Gate(
            board, device_id, self.journal, self.link, self.silence, self.heads, self.steps, self.table, self.signing,
            self.press,
        )  # fmt: skip
        self.link.serve(
            self._services(device_id),
            self.gate,
            Requests(self.steps, self.table, self.faults, self.fetched, self.margins, self.gate, self.show),
        )
        self.watchdog = Watchdog(_TASKS)

    def _services(self, device_id):
        """What the host may ask, by subject."""
        board, journal, link, silence, heads = self.board, self.journal, self.link, self.silence, self.heads
        steps, table = self.steps, self.table
        return (
            ShoeService(
                board, device_id, journal, link, silence, heads, steps, table, self.faults, self.gate, self.press,
                self.lamps,
            ),
            HistoryService(journal, self.fetched, self.cursor, link, steps, heads, self.signing),
            HeadService(board, heads, self.margins, self.trace, table, steps),
            self.gate,
        )  # fmt: skip

    # ------------------------------------------------------------------------------------------------ start
    def boot(self):
        """Bring back configuration, table and faults; write the boot record; light the lamps."""
        board = self.board
        cause = board.boot_cause()
        self.faults.start()
        self.fetched.start()
        self.journal.start()
        found = self.table.start()
        crc = self.table.config.crc()
        self.link.epoch = new_epoch(board, found.epoch)
        self.steps.commit([(t.REC_BOOT, cause, VERSION, crc, self.link.epoch)])
        if found.config_crc >= 0 and found.config_crc != crc and self.table.config_valid:
            self.steps.commit([(t.REC_CONFIGURED, crc)])  # the power went between the store and the record
        for code in self.table.dealing.faults:
            self.faults.latch(code)
        if cause == t.BOOT_CAUSE_WATCHDOG:
            self.steps.raise_fault(t.FAULT_WATCHDOG)
        if cause == t.BOOT_CAUSE_CRASH:
            self.steps.raise_fault(t.FAULT_INTERNAL)
        if self.journal.damaged or found.missing:
            self.steps.raise_fault(t.FAULT_JOURNAL_DAMAGED, 0, min(max(self.journal.damaged, 1), 255))
        if found.lost:
            self.steps.raise_fault(t.FAULT_SEALED_CARD_LOST, 0, min(found.lost, 255))
        if not self.margins.start():
            self.steps.raise_fault(t.FAULT_THRESHOLDS_LOST)
        self.steps.commit(self.table.dealing.resume())  # what the power cut off
        self.table.check_config()
        self.signing.boot()
        self.gate.start(found.provisioned)
        self.journal.idle()  # one page for the first cards; what else is to erase waits until nothing moves
        self.show()

    # ------------------------------------------------------------------------------------------------ inputs
    def _run_heads(self):
        self.heads.turn(self.table.dealing, self.steps, self.silence)

    def _holds(self):
        """No flash is erased or programmed, for a card is in a throat or was there just now."""
        return not self.silence.stores() or self.heads.in_throat()

    def _run_panel(self):
        while not self.silence.tells():
            key = self.board.read_key()
            if key < 0:
                return
            self.silence.works()
            self.press(key & 0xFF, key >> 8)

    def press(self, key, argument):
        """A key of the panel or of the host; True when it meant something and was carried out."""
        if key == t.KEY_LOAD and not (self.journal.room_for_shoe() and self.signing.room()):
            self.steps.raise_fault(t.FAULT_JOURNAL_FULL)
            return False
        if self.steps.stuck:
            self.steps.flush()
            if self.steps.stuck:
                return False
        self.steps.touched = True
        accepted, events = self.table.dealing.input_key(key, argument)
        if not self.table.dealing.st.stopped():
            self.silence.told = 0
        self.heads.belong(self.table.dealing)
        self.margins.closing(events, self.steps)
        self.steps.commit(events)
        self.table.check_config()
        self.gate.follow(events)
        return accepted

    # ------------------------------------------------------------------------------------------------ outputs
    def lamps(self):
        """Mask of enum.lamp."""
        mask = self.table.dealing.lamps
        if self.faults.stopping() is not None:
            mask |= 1 << t.LAMP_STOP
        return mask | (1 << t.LAMP_CLEAN if self.margins.soon else 0)

    def show(self):
        """Set lamps and card stop."""
        self.silence.show(self.lamps())

    def halt(self):
        """Engage the card stop, before the fault that asks for it is durable."""
        self.silence.stop(self.lamps() | 1 << t.LAMP_STOP)

    def _store(self):
        """What a card caused becomes durable, and what is to be told of it lies ready."""
        self.steps.flush()
        self.cursor.send(self.link, _MOST_EVENTS)

    def _lies(self):
        return self.table.dealing.shoe_open

    def _plays(self):
        return self.table.dealing.phase in _ROUND

    def _leave(self):
        self.link.pump()

    def _run_link(self):
        self.link.fetching = False
        self.cursor.send(self.link, _MOST_EVENTS)
        if not self.silence.listens():
            return
        if self.silence.in_slots():  # what is sent now leaves when the next slot begins
            n = self.board.link_read(self._request)
            if n > 0:
                self.silence.works()
            self.link.receive(self._request, n)
            return
        self.link.pump()
        for _ in range(_MOST_BATCHES):
            n = self.board.link_read(self._received)
            self.link.receive(self._received, n)
            if n <= 0 or self.cursor.behind:
                break
            self.cursor.send(self.link, _MOST_EVENTS)  # before further answers

    # ------------------------------------------------------------------------------------------------ idle
    def _run_idle(self):
        self.signing.wait_ms = -1
        if self.steps.waiting():
            self.steps.flush()
        if self.heads.in_throat() or not self.silence.idles():
            return
        heads = self.heads
        self.margins.empty(self.board.ticks_ms(), heads.decoders, self.steps)
        moved = heads.moved and 0 <= ticks_diff(self.board.ticks_ms(), heads.last_edge_ms) < _QUIET_MS
        moved |= self.link.fetching and self.journal.ahead  # which an erase would hold up
        if moved or not (self._erase_ahead() or self.signing.idle()):
            if self.signing.busy:
                self.silence.takes_long()
            self.signing.advance(heads.last_edge_ms)

    def _erase_ahead(self):
        """At most one erase a turn."""
        return (
            self.journal.idle() or self._sealer.idle() or self.faults.idle() or self.fetched.idle() or self.gate.idle()
            or self.margins.idle()
        )  # fmt: skip

    # ------------------------------------------------------------------------------------------------ tasks
    async def run(self):
        """Boot, then serve for ever. An error that leaves it is a crash: the board notes it and starts again."""
        # All that is made once is made before the journal is read.
        work = (self._run_heads, self._run_panel, self._run_link, self._run_idle)
        tasks = [create_task(self._task(i, work[i])) for i in range(len(_TASKS))]
        try:
            self.boot()
            self.board.ready(self.journal.boot)
            if self._lies():  # from before the start
                self.silence.after(self.board.ticks_us())
            while True:
                soon = 0 if self.cursor.behind else self.signing.wait_ms
                self.silence.wait(soon if soon >= 0 else _SLIDE_MS if self.margins.session else _WAIT_MS)
                self._busy = (1 << len(_TASKS)) - 1
                turns = 0
                while self._busy:
                    if turns > _MOST_TURNS:
                        raise RuntimeError
                    turns += 1
                    await sleep(0)
                if self.watchdog.complete():
                    self.board.feed_watchdog()
        finally:
            for task in tasks:
                task.cancel()

    async def _task(self, index, work):
        due = 1 << index
        while True:  # asyncio's Event would make an object at each turn; nothing but `run` and the tasks is scheduled
            await sleep(0)
            if not self._busy & due:
                continue
            try:
                work()
            except Exception as error:
                if index == _HEADS:
                    self.heads.forget_passes()
                recover(self.board, self.link, self.table, self.steps, self.show, error)
            self.watchdog.check_in(index)
            self._busy &= ~due
