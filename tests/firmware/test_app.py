"""The application on a board in memory: one way into the journal, throats, faults over restarts, configuration."""

import struct
import unittest

from board_fake import EAR, FakeBoard, card, edges_of, run
from card_pulls import frame as printed
from card_pulls import pulled
from link_fake import frame, frames
from shoe import wire_table as t
from shoe.app.app import App
from shoe.app.self_test import run_self_test
from shoe.compat import ticks_add
from shoe.journal.cursor import Cursor

TEN_OF_CLUBS = 9
LOAD = ("key", t.KEY_LOAD, 0)
BURN = card(3)
SEATS = ("key", t.KEY_SEATS, 1)
DEAL = ("key", t.KEY_DEAL, 0)
START = [LOAD, BURN, SEATS, DEAL]


def records(app):
    """(kind, payload) of every record."""
    cursor = Cursor(app.journal)
    found = []
    if cursor.open_page(app.journal.first_page):
        while cursor.next():
            found.append((cursor.kind, bytes(cursor.payload)))
    return found


def kinds(app):
    """Kinds of all records."""
    return [kind for kind, _ in records(app)]


def self_test(app):
    """The mask of failed parts."""
    return run_self_test(app.board, app.journal, app.table, app.steps, app.heads.lines)


def ask(app, kind, payload=b"", sequence=1):
    """Script step: a request of the host."""
    return ("call", lambda: app.board.script.insert(0, ("link", frame(kind, payload, sequence, app.link.epoch))))


def played(script, board=None):
    """Boot an app, run the script."""
    board = board or FakeBoard()
    board.script = list(script)
    app = App(board)
    run(app)
    return app


class CardStopTest(unittest.TestCase):
    def test_a_fault_engages_the_card_stop_as_soon_as_no_card_is_in_a_throat(self):
        """Not before: what leaves while a card is in a head may tell something of it."""
        app = played(START)
        board = app.board
        board.card_stop(False)
        before = app.journal.next_record
        app.heads.lines[1] = 1  # a card lies in the other throat: nothing is programmed
        app.steps.raise_fault(t.FAULT_EDGES_LOST, 0)
        self.assertFalse(board.stop)
        self.assertEqual((app.journal.next_record, app.steps.waiting()), (before, True))
        app.heads.lines[1] = 0
        app.steps.flush()
        app.silence.wait(0)
        self.assertTrue(board.stop)
        self.assertEqual(kinds(app)[-1], t.REC_FAULT)

    def test_a_journal_that_refuses_a_record_engages_the_card_stop_before_the_fault_is_latched(self):
        app = played(START)
        board = app.board
        board.card_stop(False)
        seen = []
        latch = app.faults.latch

        def latched(code, head=0, detail=0):
            seen.append((code, board.stop))
            return latch(code, head, detail)

        def refuse(events, ticks_ms):
            raise OSError(5)

        app.faults.latch = latched
        app.journal.append_step = refuse
        app.steps.commit([(t.REC_CONFIGURED, app.table.config.crc())])
        self.assertEqual(seen, [(t.FAULT_JOURNAL_WRITE, True)])
        self.assertTrue(board.stop)

    def test_a_fault_that_does_not_stop_the_game_leaves_the_card_stop_alone(self):
        app = played(START)
        app.board.card_stop(False)
        app.heads.lines[1] = 1
        app.steps.raise_fault(t.FAULT_JOURNAL_DAMAGED, 0)
        self.assertFalse(app.board.stop)

    def test_a_record_of_the_open_shoe_that_is_damaged_latches_journal_damaged_at_the_next_start(self):
        app = played(START)
        while app.journal.tail < 3:
            app.steps.commit([(t.REC_CONFIGURED, app.table.config.crc())])
        board = app.board
        self.assertEqual(played([], board).faults.codes(), ())
        board.journal.data[board.journal.page_size + 70] ^= 1
        app = played([], board)
        self.assertEqual(app.journal.damaged, 0, "the page's header is whole")
        self.assertEqual(app.faults.items(), [(t.FAULT_JOURNAL_DAMAGED, 0, 1)])
        self.assertFalse(board.stop)


class SelfTestTest(unittest.TestCase):
    def test_the_journal_is_read_from_its_end_for_as_long_as_the_watchdog_allows(self):
        app = played(START)
        while app.journal.tail < 4:
            app.steps.commit([(t.REC_CONFIGURED, app.table.config.crc())])
        self.assertEqual(self_test(app) >> t.SELF_TEST_JOURNAL & 1, 0)
        asked = []
        read = app.journal.device.read

        def slowly(page, offset, buf):
            asked.append(page)
            app.board.ms = ticks_add(app.board.ms, 400)
            read(page, offset, buf)

        app.journal.device.read = slowly
        self.assertEqual(self_test(app) >> t.SELF_TEST_JOURNAL & 1, 0)
        self.assertEqual(asked[0], app.journal.tail)
        self.assertFalse(app.journal.first_page in asked, "it took longer than the watchdog waits")
        app.journal.device.read = read

    def test_a_record_that_is_missing_in_any_page_fails_it(self):
        app = played(START)
        while app.journal.tail < 3:
            app.steps.commit([(t.REC_CONFIGURED, app.table.config.crc())])
        device = app.journal.device
        for page in range(app.journal.first_page, app.journal.tail):
            kept = bytes(device.data)
            byte = device.page_size * page + 70
            device.data[byte] ^= 1
            self.assertEqual(self_test(app) >> t.SELF_TEST_JOURNAL & 1, 1, page)
            device.data[:] = kept
            app.faults.clear(t.FAULT_SELF_TEST)


class StartTest(unittest.TestCase):
    def test_each_boot_writes_its_record_first_and_counts(self):
        board = FakeBoard()
        for boot in (1, 2, 3):
            app = played([], board)
            self.assertEqual(app.journal.boot, boot)
        self.assertEqual(kinds(app), [t.REC_BOOT] * 3)
        self.assertEqual(board.booted, [1, 2, 3])

    def test_the_epoch_is_new_at_each_boot(self):
        board = FakeBoard()
        first = played([], board).link.epoch
        self.assertNotEqual(played([], board).link.epoch, first)

    def test_the_watchdog_is_fed_while_all_tasks_go_round(self):
        app = played([("ms", 1)] * 5)
        self.assertEqual(app.board.fed, 5)

    def test_a_watchdog_restart_and_a_crash_latch_their_faults(self):
        for cause, fault in ((1, t.FAULT_WATCHDOG), (4, t.FAULT_INTERNAL)):
            board = FakeBoard()
            board.cause = cause
            app = played([], board)
            self.assertEqual(app.faults.codes(), (fault,))
            self.assertTrue(board.stop)
            self.assertEqual(kinds(app), [t.REC_BOOT, t.REC_FAULT])


class StepTest(unittest.TestCase):
    def test_a_card_becomes_durable_and_the_table_goes_on_after_a_restart(self):
        board = FakeBoard()
        app = played(START + [card(TEN_OF_CLUBS)], board)
        self.assertIn(
            (t.REC_CARD, bytes((t.ROLE_OPENING, 1, 0, 0, TEN_OF_CLUBS, 1))), [(k, p[:6]) for k, p in records(app)]
        )
        again = played([], board)
        self.assertEqual(again.table.dealing.phase, t.PHASE_OPENING)
        self.assertEqual(again.table.dealing.round, 1)
        self.assertEqual(again.table.dealing.drawn(0), app.table.dealing.drawn(0))

    def test_nothing_is_programmed_or_erased_while_a_card_is_in_a_throat(self):
        board = FakeBoard()
        pull = edges_of(TEN_OF_CLUBS)
        middle = len(pull) // 2
        seen = []

        def look():
            seen.append((board.power.spent, app.journal.next_record, app.steps.waiting()))

        board.script = START + [
            ("edges", 0, pull[:middle]), ("call", look), ("key", t.KEY_REVEAL, 0), ("call", look), ("ms", 9000),
            ("call", look), ("edges", 0, pull[middle:]), ("call", look),
        ]  # fmt: skip
        app = App(board)
        run(app)
        self.assertEqual(seen[0][:2], seen[1][:2])
        self.assertEqual(seen[0][:2], seen[2][:2])
        self.assertFalse(seen[0][2])
        self.assertTrue(seen[1][2])
        self.assertFalse(seen[3][2])
        self.assertGreater(seen[3][1], seen[0][1] + 1)

    def test_a_host_key_waits_while_a_card_is_in_a_throat(self):
        board = FakeBoard()
        app = App(board)
        pull = edges_of(TEN_OF_CLUBS)
        sent = []
        board.script = START + [("edges", 0, pull[:40]), ask(app, t.MSG_KEY, b"\x07\x00"), ("ms", 1)]
        board.script += [("call", lambda: sent.append(len(board.sent))), ("edges", 0, pull[40:]), ("ms", 1)]
        run(app)
        self.assertEqual(sent, [0])
        self.assertEqual(frames(board.sent)[-1][0], t.MSG_KEY + t.ANSWER)

    def test_a_subscriber_that_was_away_for_long_holds_no_card_up(self):
        """However fast the line is: the heads are read every 16 events."""
        board = FakeBoard()
        app = App(board)
        places = []
        waits = []
        real = board.read_edges
        real_wait = board.wait

        def read_edges(head, times, lines):
            if head == 0:
                places.append(app.cursor.due)
            return real(head, times, lines)

        def wait(most_ms=50, tidies=True):
            waits.append(most_ms)
            real_wait(most_ms, tidies)

        def subscribe():
            for _ in range(100):
                app.journal.append((t.REC_CLEARED, 1, 0), 5)
            board.read_edges = read_edges
            board.wait = wait

        turn = ("call", lambda: None)
        board.script = [("call", subscribe), ask(app, t.MSG_SUBSCRIBE, struct.pack("<BI", 1, 0))] + [turn] * 12
        run(app)
        steps = [places[i + 1] - places[i] for i in range(len(places) - 1) if places[i] >= 0]
        self.assertEqual(max(steps), 16)
        self.assertEqual(places[-1], app.journal.next_record)
        self.assertIn(0, waits)
        self.assertNotEqual(waits[-1], 0, "nothing is left to send")
        told = [f for f in frames(board.sent) if f[0] == t.MSG_EVENT]
        self.assertEqual(len(told), app.journal.next_record)

    def test_the_self_test_asks_the_source_and_not_only_what_lies_ready(self):
        """board/README.md: 64 bytes at most lie ready, drawn before the source failed."""
        app = App(FakeBoard([("call", lambda: None)]))
        run(app)
        real = app.board.entropy
        ready = [0]

        def entropy(n):
            ready[0] -= n
            if ready[0] < 0:
                raise OSError(5)
            return real(n)

        app.board.entropy = entropy
        for bytes_ready, failed in ((0, 1), (32, 1), (64, 1), (1000, 0)):
            ready[0] = bytes_ready
            self.assertEqual(self_test(app) >> t.SELF_TEST_ENTROPY & 1, failed, bytes_ready)

    def test_without_entropy_the_game_stops_and_no_card_is_lost(self):
        board = FakeBoard()
        app = App(board)
        board.script = [LOAD, ("call", lambda: setattr(board, "entropy_fails", True)), BURN, ("ms", 1)]
        run(app)
        self.assertIn(t.FAULT_ENTROPY, app.faults.codes())
        self.assertTrue(board.stop)
        self.assertNotIn(t.REC_SEALED, kinds(app))
        board.entropy_fails = False
        board.script = [("ms", 1)]
        app._run_idle()
        self.assertIn(t.REC_SEALED, kinds(app))

    def test_lost_edges_stop_the_game(self):
        board = FakeBoard()
        app = played([LOAD, ("call", lambda: setattr(board, "lost", 0)), ("ms", 1)], board)
        self.assertIn(t.FAULT_EDGES_LOST, app.faults.codes())
        self.assertTrue(board.stop)

    def test_a_flood_of_edges_is_named_and_what_comes_in_it_is_no_card(self):
        board = FakeBoard()
        board.loss = -2
        flood = [("call", lambda: setattr(board, "lost", 0)), ("ms", 1)]

        def flood_and_card():
            board.lost = board._head = board._at = 0
            board._edges = pulled(printed(3, 1), 1500, board.us + 1000)

        app = played([LOAD] + flood + flood + [("call", flood_and_card), ("ms", 1)], board)
        self.assertEqual(board._edges, ())  # the card was seen
        self.assertEqual(app.faults.codes(), (t.FAULT_HEAD_SATURATED,))
        self.assertTrue(board.stop)
        self.assertEqual(kinds(app).count(t.REC_FAULT), 1)
        self.assertNotIn(t.REC_SEALED, kinds(app))
        losses = [-2, -1]

        def read_edges(head, times, states):
            if head == 0 and losses:
                return losses.pop(0)
            board.lost = -1
            return 0

        board.read_edges = read_edges
        board.script = list(flood)
        run(app)
        self.assertEqual(losses, [])
        self.assertNotIn(t.FAULT_EDGES_LOST, app.faults.codes())  # what is lost in a storm is no card's


class FaultTest(unittest.TestCase):
    def test_a_latched_fault_survives_restarts_until_the_supervisor_clears_it(self):
        board = FakeBoard()
        board.cause = 1
        played([], board)
        board.cause = 0
        app = played([], board)
        self.assertEqual(app.faults.codes(), (t.FAULT_WATCHDOG,))
        self.assertTrue(board.stop)
        app = played([("key", t.KEY_SUPERVISOR, 0)], board)
        self.assertEqual(app.faults.codes(), ())
        self.assertFalse(board.stop)
        self.assertEqual(played([], board).faults.codes(), ())

    def test_a_defect_stops_the_game_and_capture_goes_on(self):
        board = FakeBoard()
        app = App(board)

        def break_panel():
            app.table.dealing.input_key = None

        board.script = [LOAD, BURN, ("call", break_panel), SEATS, ("ms", 1), card(7)]
        EAR.text = ""
        run(app)
        self.assertTrue("app" in EAR.text and EAR.text.endswith("TypeError\n"))
        self.assertIn(t.FAULT_INTERNAL, app.faults.codes())
        self.assertEqual(kinds(app)[-2], t.REC_SEALED)
        self.assertGreater(board.fed, 4)

    def test_a_full_journal_is_named_before_a_shoe_is_dealt_into_it(self):
        board = FakeBoard()
        app = App(board)
        board.script = [LOAD, ("call", lambda: None), ("key", t.KEY_CLOSE_SHOE, 0)] * 30
        run(app)
        self.assertIn(t.FAULT_JOURNAL_FULL, app.faults.codes())
        self.assertEqual(app.table.dealing.phase, t.PHASE_EMPTY)
        self.assertGreaterEqual(app.journal.room(), 2)


class ConfigTest(unittest.TestCase):
    def write(self, board, pairs, before=()):
        app = App(board)
        board.script = list(before) + [ask(app, t.MSG_CONFIG_WRITE, pairs), ("ms", 1)]
        board.sent = bytearray()
        run(app)
        return app, frames(board.sent)[-1]

    def test_a_configuration_is_recorded_and_survives(self):
        board = FakeBoard()
        app, answer = self.write(board, struct.pack("<BI", t.CFG_DECKS, 8))
        self.assertEqual(answer[0], t.MSG_CONFIG_WRITE + 128)
        self.assertEqual(kinds(app)[-1], t.REC_CONFIGURED)
        self.assertEqual(played([], board).table.config.decks, 8)

    def test_out_of_range_changes_nothing_and_names_the_setting(self):
        board = FakeBoard()
        app, answer = self.write(board, struct.pack("<BI", t.CFG_DECKS, 9))
        self.assertEqual(answer[3], struct.pack("<BBI", t.MSG_CONFIG_WRITE, t.ERROR_BAD_VALUE, t.CFG_DECKS))
        self.assertEqual(app.table.config.decks, 6)

    def test_it_is_refused_while_a_round_is_open(self):
        _, answer = self.write(FakeBoard(), struct.pack("<BI", t.CFG_TABLE, 8), START + [card(1)])
        self.assertEqual(answer[3], struct.pack("<BBI", t.MSG_CONFIG_WRITE, t.ERROR_NOT_ALLOWED_NOW, 0))

    def test_a_damaged_configuration_stops_the_game_until_a_valid_one_comes(self):
        board = FakeBoard()
        self.write(board, struct.pack("<BI", t.CFG_DECKS, 8))
        board.store.data[30] ^= 4
        app = played([LOAD, ("key", t.KEY_SUPERVISOR, 0)], board)
        self.assertEqual(app.faults.codes(), (t.FAULT_CONFIG_INVALID,))
        self.assertNotIn(t.REC_LOADED, kinds(app))
        app, _ = self.write(board, struct.pack("<BI", t.CFG_DECKS, 4))
        self.assertEqual(app.faults.codes(), ())
        self.assertFalse(board.stop)


if __name__ == "__main__":
    unittest.main()
