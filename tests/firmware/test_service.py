"""The application and the line: babble, what the status costs, and a history that is fetched beside the game."""

import struct
import unittest

from board_fake import FakeBoard, card, edges_of, run
from link_fake import frame, frames
from shoe import wire_table as t
from shoe.app import service
from shoe.app.app import App
from shoe.journal.cursor import Cursor
from test_app import BURN, DEAL, LOAD, SEATS, START, TEN_OF_CLUBS, ask, kinds, played

TICKS = 1 << 30


class LinkTest(unittest.TestCase):
    def test_a_line_that_babbles_holds_nobody_up(self):
        board = FakeBoard()
        board.link_read = lambda buf: len(buf)
        app = played(START + [card(TEN_OF_CLUBS)], board)
        self.assertEqual(kinds(app)[-1], t.REC_CARD)

    def test_a_line_that_takes_nothing_holds_nothing_up_and_gets_every_event_once_it_takes_again(self):
        """USB says when the host reads no more; a UART never does."""
        board = FakeBoard()
        take = board.link_write
        reading = [True]
        board.link_write = lambda buf, n: take(buf, n) if reading[0] else 0
        app = App(board)
        marks = []

        def turn(on):
            reading[0] = on
            board.sent = bytearray()
            marks.append((app.journal.next_record, app.link.dropped_events))

        board.script = [LOAD, BURN, ask(app, t.MSG_SUBSCRIBE, struct.pack("<BI", 1, 0xFFFFFFFF)), ("ms", 1)]
        board.script += [("call", lambda: turn(False))] + 80 * [("key", t.KEY_NEW_DEALER, 0)]
        board.script += [SEATS, DEAL, card(TEN_OF_CLUBS), ("ms", 600), ("call", lambda: turn(True))] + 12 * [("ms", 1)]
        run(app)
        (first, _), (last, dropped) = marks
        self.assertGreater(last - first, 60)  # each key and the card are durable records
        self.assertIn(t.REC_CARD, kinds(app)[first:last])
        self.assertFalse(board.stop)
        self.assertGreater(dropped, 0)
        told = [
            struct.unpack_from("<I", payload)[0] for kind, _, _, payload in frames(board.sent) if kind == t.MSG_EVENT
        ]
        self.assertEqual(told, list(range(first, last)))


class ClockTest(unittest.TestCase):
    def test_answers_and_pages_tell_how_often_the_ticks_began_anew(self):
        """30 days at an open shoe, in four parts: a host that comes then knows when each record was written."""
        board = FakeBoard(start_ms=0)
        app = App(board)
        board.script = [LOAD, BURN, ask(app, t.MSG_STATUS)]
        for _ in range(4):
            board.script += [("ms", 648000000), ("key", t.KEY_NEW_DEALER, 0), ("ms", 1)]
        board.script += [ask(app, t.MSG_TICKS, b"", 2), ("ms", 40)]
        run(app)
        (answer,) = [payload for kind, _, _, payload in frames(board.sent) if kind == t.MSG_TICKS + 128]
        boot, ticks_ms, _, turns = struct.unpack("<HIIH", answer)
        self.assertEqual((boot, turns, (ticks_ms + turns * TICKS) // 86400000), (1, 2, 30))
        header = bytearray(6)
        told = []
        for page in range(app.journal.first_page, app.journal.tail + 1):
            app.journal.read(page, 0, header)
            told.append(header[5] - 1)
        self.assertEqual((told[0], sorted(set(told))), (0, [0, 1, 2]))
        cursor = Cursor(app.journal)
        cursor.open_page(app.journal.tail)
        days = []
        for page in range(app.journal.first_page, app.journal.tail + 1):
            cursor.open_page(page)
            while cursor.page == page and cursor.next():
                if cursor.page == page and cursor.kind == t.REC_DEALER_CHANGED:
                    days.append((cursor.ticks_ms + told[page - app.journal.first_page] * TICKS) * 2 // 86400000)
        self.assertEqual(days, [15, 30, 45, 60], "half days")


class StatusTest(unittest.TestCase):
    def test_no_memory_is_collected_for_it_while_a_card_waits_or_is_in_a_throat(self):
        class Memory:
            collected = 0

            def collect(self):
                self.collected += 1

        app = played([])
        memory = Memory()
        real, service.gc = service.gc, memory
        try:
            app.link._method("status")()
            self.assertEqual(memory.collected, 1)
            app.heads.lines[0] = 1
            app.link._method("status")()
            app.heads.lines[0] = 0
            app.board.edges_wait = lambda *_: True
            app.link._method("status")()
            self.assertEqual(memory.collected, 1)
        finally:
            service.gc = real


class FetchTest(unittest.TestCase):
    """A host that fetches a history beside the game."""

    def pieces(self, app, count, sequence):
        return b"".join(
            frame(t.MSG_HISTORY_READ, struct.pack("<IHH", 0, 0, 100), sequence + i, app.link.epoch)
            for i in range(count)
        )

    def test_the_event_of_a_card_goes_before_the_answers_to_requests_that_wait(self):
        board = FakeBoard()
        app = App(board)

        def at_once():
            board.sent = bytearray()
            board._link += self.pieces(app, 3, 2)
            board._edges = edges_of(TEN_OF_CLUBS)

        board.script = START + [ask(app, t.MSG_SUBSCRIBE, struct.pack("<BI", 1, 0xFFFFFFFF)), ("ms", 1)]
        board.script += [("call", at_once), ("ms", 1)]
        run(app)
        self.assertEqual([kind for kind, _, _, _ in frames(board.sent)], [t.MSG_EVENT] + 3 * [t.MSG_HISTORY_READ + 128])

    def test_what_a_request_brings_about_is_told_in_the_same_turn(self):
        board = FakeBoard()
        app = App(board)
        board.script = [ask(app, t.MSG_SUBSCRIBE, struct.pack("<BI", 1, 0xFFFFFFFF)), ("ms", 1)]
        board.script += [ask(app, t.MSG_KEY, struct.pack("<BB", t.KEY_LOAD, 0), 2), ("ms", 1)]
        board.script += [("call", lambda: self.assertEqual(frames(board.sent)[-1][0], t.MSG_EVENT))]
        run(app)
        self.assertEqual(board.script, [])

    def test_nothing_is_erased_ahead_meanwhile_unless_no_page_is_blank(self):
        board = FakeBoard()
        app = App(board)
        erased = []
        erase = board.journal.erase
        board.journal.erase = lambda page: (erased.append(page), erase(page))
        counts = []

        def fetch(i):
            for page in range(2, board.journal.pages) if i == 0 else (1,) if i == 5 else ():
                board.journal.program(page, 64, b"old")
            if i == 5:
                app.journal._ready = 0
            counts.append(len(erased))
            if i == 3:
                board._link += frame(t.MSG_HISTORY_LIST, bytes(5), 7, app.link.epoch)
            else:
                board._link += self.pieces(app, 2, 2 * i + 1)

        turns = [("call", lambda i=i: fetch(i)) for i in range(8)]
        board.script = turns + [("call", lambda: counts.append(len(erased))), ("ms", 1), ("ms", 1)]
        run(app)
        self.assertEqual(counts, 6 * [2] + 3 * [3])
        self.assertEqual(erased, [0, 1, 1, 2, 3, 4])  # of a blank flash no page is trusted at the start
        self.assertEqual(app.link.frames, 15)


if __name__ == "__main__":
    unittest.main()
