"""The card reader device from light to lamp: a card slid in and out, the moment of the answer, what is never served."""

import unittest

from board_fake import FakeBoard, card, run
from card_pulls import CLOCK_A, TICKS, frame, move, pulled, strip
from shoe import wire_table as t
from shoe.app.app import App
from shoe.config import OPTION_READER
from shoe.journal.cursor import Cursor
from shoe.line.silence import GRID_US, IDLE_US, LOOK_US
from shoe.reading import card_code
from shoe.reading.card_reader import ANSWER_US, CardReader
from shoe.reading.read_head import ReadHead
from test_app import self_test

ACE, KING, SEVEN, NINE = 0, 12, 6, 8
BLACKJACK, NO_BLACKJACK, AGAIN = 1 << t.LAMP_READER_BLACKJACK, 1 << t.LAMP_READER_NO_BLACKJACK, 1 << t.LAMP_READER_AGAIN


def slid(face, batch=1, start_us=0, cells=True, lost=(), depth=-3000, length=card_code.POKER_UM, speed=500):
    """Edges of a card that is pushed into the reader down to `depth` µm and pulled out again."""
    outside = length + card_code.PRESENT_UM + 3000
    changes = strip(frame(face, batch) if cells else None, lost, (), length)
    before = len(move(changes, [(outside, 2000)]))
    way = [(outside, 2000), (depth, speed), (depth, -200000), (outside, speed)]
    took = (outside + 3000) * 1000 // 2000
    return move(changes, way, (start_us - took) % TICKS)[before:]


class Done:
    """A pass as a read head reports it."""

    def __init__(self, kind, face=63, reason=t.UNREADABLE_NONE):
        self.kind = kind
        self.card = face
        self.batch = 1
        self.reason = reason


class ReaderTest(unittest.TestCase):
    def test_a_card_slid_in_and_out_is_read_on_its_way_out_whichever_end_and_size(self):
        """633a.7(h) method: face down to the stop and back; the way in is the same card backwards."""
        for length in (card_code.POKER_UM, card_code.BRIDGE_UM):
            for face in range(52):
                head = ReadHead(2, (1, 2))
                seen = []
                for ticks, lines in slid(face, start_us=TICKS - 100000, length=length):
                    done = head.feed(ticks, lines)
                    if done is not None:
                        seen.append((done.kind, done.card, done.reason))
                backwards = (t.PASS_UNREADABLE, 63, t.UNREADABLE_REVERSED)
                self.assertEqual(seen, [backwards, (t.PASS_CARD, face, t.UNREADABLE_NONE)])

    def test_the_answer_is_due_a_fixed_time_after_the_card_left_over_the_wrap(self):
        reader = CardReader()
        for left in (0, 12345, TICKS - 1, TICKS - ANSWER_US):
            self.assertTrue(reader.passed(Done(t.PASS_CARD, ACE), left) is None)
            self.assertTrue(reader.due((left + ANSWER_US - 1) % TICKS) is None)
            reading = reader.due((left + ANSWER_US) % TICKS)
            self.assertEqual((reading.kind, reading.card, reading.batch), (t.PASS_CARD, ACE, 1))
            self.assertEqual(reader.answer_us, (left + ANSWER_US) % TICKS)
            reader.answered()
            self.assertEqual((reading.card, reading.batch), (63, 0))
            self.assertTrue(reader.due((left + 2 * ANSWER_US) % TICKS) is None)

    def test_the_way_in_says_nothing_and_a_blocked_head_does_not_wait(self):
        reader = CardReader()
        self.assertTrue(reader.passed(Done(t.PASS_UNREADABLE, reason=t.UNREADABLE_REVERSED), 5) is None)
        self.assertTrue(reader.due(5 + ANSWER_US) is None)
        reader.passed(Done(t.PASS_CARD, ACE), 5)
        blocked = Done(t.PASS_BLOCKED, reason=t.UNREADABLE_DIRTY)
        self.assertTrue(reader.passed(blocked, 6) is blocked)
        self.assertTrue(reader.due(6 + ANSWER_US) is None)

    def test_a_card_that_lies_face_up_is_one_reading_not_two(self):
        reader = CardReader()
        reader.passed(Done(t.PASS_BLANK), 0)
        self.assertTrue(reader.due(ANSWER_US) is None)
        reader.passed(Done(t.PASS_BLANK), 10)
        self.assertEqual(reader.due(10 + ANSWER_US).kind, t.PASS_BLANK)


class Table:
    """An app with a reader, dealt to the hole card; scripts go on from there."""

    def __init__(self, up=KING, hole=ACE, options=OPTION_READER, board=None):
        self.board = board or FakeBoard()
        self.board.heads = 3
        self.app = App(self.board)
        self.hole = hole
        self.start = [
            ("call", lambda: self._configure(options)), ("key", t.KEY_LOAD, 0), card(3), ("key", t.KEY_SEATS, 1),
            ("key", t.KEY_DEAL, 0), card(NINE), card(up), card(SEVEN), card(hole), ("ms", 500),
        ]  # fmt: skip

    def restarted(self):
        """The same board after a power cut."""
        again = Table(hole=self.hole, board=self.board)
        again.start = []
        return again

    def _configure(self, options):
        self.app.table.config.options = options
        self.app.table.configure(self.app.table.config)

    def slide(self, face=-1, **how):
        """Script step: slide a card (the hole card) into the reader and out."""
        face = self.hole if face < 0 else face

        def push():
            edges = slid(face, start_us=(self.board.us + 1000) % TICKS, **how)
            self.left_us = edges[-1][0] % TICKS
            self.board.script.insert(0, ("edges", t.HEAD_READER, edges))

        return ("call", push)

    def play(self, *steps):
        """Deal, then these steps."""
        self.board.script = self.start + list(steps)
        run(self.app)
        return self

    def records(self, kind):
        """Payloads of all records of a kind."""
        cursor = Cursor(self.app.journal)
        found = []
        if cursor.open_page(self.app.journal.first_page):
            while cursor.next():
                if cursor.kind == kind:
                    found.append(bytes(cursor.payload))
        return found

    def peeks(self):
        """Results of all peek records."""
        return [payload[0] for payload in self.records(t.REC_PEEK)]


class AnswerTest(unittest.TestCase):
    def answered(self, hole):
        """What was seen of lamps and peek records, and when each was seen first, µs after the card."""
        table = Table(hole=hole)
        seen = []
        times = []

        def look():
            now = (table.board.lamps & (BLACKJACK | NO_BLACKJACK | AGAIN), table.peeks())
            if not seen or seen[-1] != now:
                seen.append(now)
                times.append((table.board.us - table.left_us) % TICKS)

        table.play(table.slide(), *([("call", look)] * 40))
        return seen, times

    def test_the_lamp_lights_when_the_answer_is_due_and_not_before(self):
        """633a.7(h) result. And on the grid, at the same time whatever it was."""
        for hole, lamp, peek in ((ACE, BLACKJACK, t.PEEK_BLACKJACK), (SEVEN, NO_BLACKJACK, t.PEEK_NO_BLACKJACK)):
            seen, times = self.answered(hole)
            self.assertEqual(seen, [(0, []), (lamp, [peek])])
            self.assertTrue(ANSWER_US + LOOK_US <= times[1] < ANSWER_US + LOOK_US + GRID_US + IDLE_US)

    def test_not_to_the_stop_is_read_again(self):
        table = Table()
        table.play(table.slide(depth=30000), ("ms", 300), table.slide(), ("ms", 300))
        self.assertEqual(table.peeks(), [t.PEEK_READ_AGAIN, t.PEEK_BLACKJACK])

    def test_lost_edges_are_read_again_and_stop_nothing(self):
        table = Table()
        edges = slid(ACE, start_us=1000)
        table.play(
            ("edges", t.HEAD_READER, edges[:200]), ("call", lambda: setattr(table.board, "lost", t.HEAD_READER)),
            ("edges", t.HEAD_READER, edges[200:]), ("ms", 300), table.slide(), ("ms", 300),
        )  # fmt: skip
        self.assertEqual(table.peeks(), [t.PEEK_READ_AGAIN, t.PEEK_BLACKJACK])
        self.assertEqual(table.app.faults.codes(), ())

    def test_a_restart_before_the_answer_loses_nothing(self):
        """The power fails between the card and its answer: no record, no lamp; the dealer slides it in again."""
        table = Table(hole=SEVEN)

        def power_fails():
            raise SystemExit

        table.play(table.slide(), ("ms", 100), ("call", power_fails))
        self.assertEqual(table.peeks(), [])
        again = table.restarted()
        again.play(again.slide(), ("ms", 300))
        self.assertEqual(again.peeks(), [t.PEEK_NO_BLACKJACK])
        self.assertEqual(again.app.faults.codes(), ())
        self.assertEqual(again.board.lamps & (BLACKJACK | NO_BLACKJACK), NO_BLACKJACK)

    def test_the_answer_is_lit_again_after_a_restart(self):
        table = Table()
        table.play(table.slide(), ("ms", 300))
        again = table.restarted()
        again.play(("ms", 1))
        self.assertEqual(again.board.lamps & (BLACKJACK | NO_BLACKJACK), BLACKJACK)
        self.assertEqual(again.app.table.dealing.phase, t.PHASE_DEALER)


class FailureTest(unittest.TestCase):
    def test_a_dirty_reader_stops_the_table(self):
        """633a.14(k)."""
        table = Table()
        dark = ("call", lambda: table.board.script.insert(0, ("edges", t.HEAD_READER, [(table.board.us, CLOCK_A)])))
        table.play(dark, ("ms", 9000), ("ms", 9000), ("ms", 1))
        self.assertEqual(table.app.faults.codes(), (t.FAULT_READER,))
        self.assertTrue(table.board.stop)

    def test_without_the_option_a_dirty_reader_stops_nothing(self):
        table = Table(options=0)
        dark = ("call", lambda: table.board.script.insert(0, ("edges", t.HEAD_READER, [(table.board.us, CLOCK_A)])))
        table.play(dark, ("ms", 9000), ("ms", 9000), ("ms", 1))
        self.assertEqual(table.app.faults.codes(), ())


class SettingsTest(unittest.TestCase):
    def test_an_inspection_outlives_a_new_configuration_and_a_restart(self):
        """633a.2(f) second sentence."""
        table = Table()
        inspection = [("call", lambda: table._configure(OPTION_READER)), ("key", t.KEY_READER_TEST, 0)]
        for face in (53, 54, 55, 56):
            inspection += [table.slide(face), ("ms", 300)]
        table.start = inspection + table.start  # which configures it once more
        table.play(("ms", 1))
        self.assertTrue(table.app.table.dealing.st.reader_ok)
        said = [payload[0] for payload in table.records(t.REC_READER_TEST)]
        self.assertEqual(said, [0, 1, 2, 3, 4, t.READER_STEP_PASSED, t.READER_STEP_CARRIED])
        again = table.restarted().play(("ms", 1))
        self.assertTrue(again.app.table.dealing.st.reader_ok)

    def test_the_self_test_looks_at_the_reader_of_a_table_that_has_one(self):
        for options, failed in ((0, 0), (OPTION_READER, 1 << t.SELF_TEST_READER)):
            table = Table(options=options)
            table.start = table.start[:1]
            dark = [(5, 1)]
            table.play(("edges", t.HEAD_READER, dark), ("ms", 1))
            self.assertEqual(self_test(table.app) & 1 << t.SELF_TEST_READER, failed)


class TraceTest(unittest.TestCase):
    def trace(self, table):
        """Heads of all passes that the trace command serves."""
        found = []
        for index in range(table.app.trace.passes()):
            found.append(table.app.trace.read(index, 0, 30)[:2])
        return found

    def test_no_pass_of_the_reader_is_served_but_a_test_card(self):
        table = Table()
        table.play(
            table.slide(), ("ms", 300), table.slide(SEVEN), ("ms", 300), table.slide(depth=30000), ("ms", 300),
            table.slide(lost=(3, 9)), ("ms", 300), table.slide(cells=False), ("ms", 300),
        )  # fmt: skip
        self.assertFalse([where for where in self.trace(table) if where[0] == t.HEAD_READER])
        table = Table()
        table.start = []
        table.play(table.slide(53))
        self.assertEqual(self.trace(table), [(t.HEAD_READER, t.PASS_TEST_CARD)])

    def test_a_hole_card_past_a_dead_line_is_not_served(self):
        """A blocked head is public only where a card would lie face up: its data line shows what went past it."""
        for undealt, served in ((3, True), (2, False)):  # the player's second card is due, or the hole card
            table = Table()
            table.start = table.start[:-undealt]
            dead = pulled(frame(ACE, 1), 1500, 1000, dead=CLOCK_A)
            table.play(("edges", 0, dead), ("ms", 1))
            self.assertEqual(table.app.faults.codes(), (t.FAULT_HEAD_STUCK,))
            kinds = [kind for _, kind in self.trace(table)]
            self.assertEqual(t.PASS_BLOCKED in kinds, served)


if __name__ == "__main__":
    unittest.main()
