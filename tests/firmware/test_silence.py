"""Law 3: nothing begins to leave while a card is in a head; what it causes leaves on the grid, whatever its face."""

import unittest
from array import array

from board_fake import FakeBoard, card, edges_of, run
from shoe import wire_table as t
from shoe.app.app import App
from shoe.line import silence as s
from shoe.reading.read_head import ReadHead

TICKS = 1 << 30
PRESENT, CLOCK_A, CLOCK_B, DATA = 1, 2, 4, 8


class GateTest(unittest.TestCase):
    def gate(self):
        self.board = board = FakeBoard()
        self.near = False
        self.noted = []
        self.work_us = 0  # of what is stored
        self.lies = self.plays = False
        self.loaded = []

        def leave():
            if gate.write(b"abc", 3):
                self.noted.append(("leave", board.us))

        def load(buf, n):
            self.loaded.append(board.us)
            return 0

        board.link_load = load
        gate = s.Silence(board, lambda heads: self.near, self.store, leave, lambda: self.lies, lambda: self.plays)
        return board, gate

    def store(self):
        self.noted.append(("store", self.board.us))
        self.board.us = (self.board.us + self.work_us) % TICKS

    def pull(self, gate, *edges, **how):
        """Edges of head 0: (µs, lines)."""
        times, states = array("i", [at for at, _ in edges]), bytearray([lines for _, lines in edges])
        gate.edges(0, times, states, len(edges), how.get("before", 15))

    def left(self, gate, ticks_us):
        """A card leaves, and is decided 3 ms later."""
        self.pull(gate, (ticks_us, 0))
        self.board.us = (ticks_us + 3000) % TICKS

    def test_how_often_the_ticks_began_anew_is_counted_from_the_start(self):
        board, gate = self.gate()
        board.script = [("ms", TICKS // 3)] * 7
        counted = []
        for _ in range(7):
            gate.wait(50)
            counted.append(gate.turns(gate.ticks_ms()))
        self.assertEqual(counted, [1, 1, 1, 2, 2, 2, 3])  # the board starts 3 ms before they do

    def test_the_turns_of_a_time_that_is_told_are_those_of_that_time(self):
        """In a slot the time told lies before now: what is told hangs on neither."""
        board, gate = self.gate()
        at = board.ms
        self.assertEqual((gate.turns(at), gate.turns(4)), (0, 1))
        board.ms = 2
        self.assertEqual((gate.turns(at), gate.turns(2), gate.turns(at - 100000)), (0, 1, 0))

    def test_nothing_is_written_shown_or_stopped_while_a_card_is_near(self):
        board, gate = self.gate()
        self.near = True
        self.assertEqual(gate.write(b"abc", 3), 0)
        gate.show(1 << t.LAMP_STOP)
        gate.stop(1 << t.LAMP_STOP)
        self.assertFalse(gate.listens())
        self.assertEqual((len(board.sent), board.shown), (0, []))
        self.near = False
        gate.show(1 << t.LAMP_STOP)
        self.assertEqual((gate.write(b"abc", 3), board.shown), (3, [(1 << t.LAMP_STOP, True)]))

    def test_lamps_that_were_held_back_without_a_card_are_shown_once_nothing_is_near(self):
        """While a shoe starts its thresholds rise, which looks like edges; no card is decided then."""
        board, gate = self.gate()
        board.script = [("call", lambda: None)] * 3
        self.near = True
        gate.show(5)
        gate.wait(50)
        self.assertEqual(board.shown, [])
        self.near = False
        gate.wait(50)
        self.assertEqual([shown for shown, _ in board.shown], [5])
        gate.wait(50)
        self.assertEqual(len(board.shown), 1)

    def test_a_card_is_stored_at_one_point_of_the_grid_and_told_at_another(self):
        for last in (0, 1, 4095, 4096, 1000000, TICKS - 30000, TICKS - 20001, TICKS - 20000, TICKS - 1):
            _, gate = self.gate()
            self.left(gate, last)
            self.assertTrue(gate.tells() and not gate.stores() and not gate.listens())
            gate.wait(50)
            (_, stored), (_, told) = self.noted
            self.assertEqual((told % s.GRID_US, stored % s.GRID_US), (0, 0))
            self.assertTrue(s.WORK_US <= (told - last) % TICKS < s.WORK_US + s.GRID_US)
            self.assertEqual((told - stored) % TICKS, s.RECORD_US)
            self.assertTrue(gate.stores() and gate.listens())

    def test_what_leaves_is_loaded_before_its_point_so_that_it_only_has_to_begin(self):
        """MicroPython looks for memory as long as the heap's holes make it, and they may depend on a face."""
        _, gate = self.gate()
        self.left(gate, 5000)
        gate.wait(50)
        self.assertTrue(self.loaded[0] < self.noted[-1][1])
        for _ in range(3):
            begun = len(self.noted)
            gate.wait(50)
            self.assertEqual(len(self.noted), begun + 1)
            self.assertTrue(self.loaded[-1] < self.noted[-1][1])
        self.assertEqual(len(self.loaded), 4)

    def test_neither_decoding_nor_storing_moves_a_point(self):
        seen = set()
        for decoding in range(0, s.WORK_US - s.RECORD_US - s.BEFORE_US, 997):
            for storing in range(0, s.RECORD_US - s.BEFORE_US, 1999):
                board, gate = self.gate()
                self.work_us = storing
                self.pull(gate, (5000, 0))
                board.us = 5000 + decoding
                gate.wait(50)
                gate.wait(50)
                seen.add(tuple(self.noted))
        self.assertEqual(len(seen), 1)

    def test_edges_of_data_move_no_point_also_at_a_border_of_the_grid(self):
        """The next point follows from the end of PRESENT alone, to a µs: it depends on the hand, not the face."""
        due = {}
        border = 3 * s.GRID_US - s.WORK_US % s.GRID_US
        for left in (border - 1, border, border + 1):
            for data in ((), (left - 40,), (left + 1,), (left + 300, left + 900)):
                board, gate = self.gate()
                edges = [(left - 5000, PRESENT | CLOCK_A), (left - 4000, PRESENT), (left, 0)]
                for at in data:
                    edges += [(at, DATA), (at + 20, 0)]
                lines = 0
                mixed = []
                for at, state in sorted(edges):  # what is dark is what was dark before, with DATA or without
                    lines = state if at in (left - 5000, left - 4000, left) else lines ^ DATA
                    mixed.append((at, lines))
                self.pull(gate, *mixed)
                board.us = left + 3000
                gate.wait(50)
                due.setdefault(left, set()).add(self.noted[-1][1] - border)
        self.assertEqual([len(each) for each in due.values()], [1, 1, 1])
        before, on, after = [due[left].pop() for left in (border - 1, border, border + 1)]
        self.assertEqual((before, on, after - on), (on, before, s.GRID_US))

    def test_data_alone_is_no_card(self):
        _, gate = self.gate()
        times, lines = array("i", [10, 20]), bytearray([PRESENT, PRESENT | DATA])
        self.assertFalse(gate.edges(0, times, lines, 2, PRESENT))
        self.assertTrue(gate.free())

    def test_a_mark_without_a_card_holds_everything_until_a_slow_hand_would_show_the_next_one(self):
        board, gate = self.gate()
        self.pull(gate, (5000, CLOCK_A), before=0)
        board.us = 6000
        gate.wait(50)
        self.assertTrue(s.CARD_US <= self.noted[-1][1] - 5000 < s.CARD_US + s.GRID_US)

    def test_work_that_took_longer_is_told_at_a_later_point_of_the_grid(self):
        for late in (0, 1, 4000, 4096, 90000):
            board, gate = self.gate()
            self.pull(gate, (5000, 0))
            now = ((5000 + s.WORK_US) // s.GRID_US - 1) * s.GRID_US - s.RECORD_US + late
            board.us = now
            gate.wait(50)
            (_, stored), (_, told) = self.noted
            self.assertEqual((told % s.GRID_US, told - stored), (0, s.RECORD_US))
            self.assertTrue(0 < stored - now <= s.LATE_US)

    def test_storing_that_took_longer_is_told_at_a_later_point_of_the_grid(self):
        room = s.RECORD_US - s.BEFORE_US  # the board has to get ready, too
        for work, later in ((room, 0), (room + 1, 1), (room + s.LATE_US, 1), (room + s.LATE_US + 1, 2), (100000, 9)):
            _, gate = self.gate()
            self.work_us = work
            self.left(gate, 5000)
            gate.wait(50)
            (_, stored), (_, told) = self.noted
            self.assertEqual(told - stored, s.RECORD_US + later * s.LATE_US)

    def test_after_a_start_with_an_open_shoe_it_works_in_slots(self):
        """Its burn card lies face down, and maybe a hole card."""
        for opened in (False, True):
            board = FakeBoard()
            board.script = [("key", t.KEY_LOAD, 0), card(3)] if opened else [("ms", 1)]
            run(App(board))
            board.waited = []
            board.script = [("ms", 1), ("ms", 1)]
            run(App(board))
            self.assertEqual(bool(board.waited), opened)

    def test_the_next_card_keeps_it_closed(self):
        board, gate = self.gate()
        self.left(gate, 5000)
        board.until = lambda *_: False  # its first edge came meanwhile
        gate.wait(50)
        self.assertEqual(self.noted, [])
        self.assertFalse(gate.stores() or gate.listens())

    def test_the_next_card_may_come_between_what_is_stored_and_told(self):
        board, gate = self.gate()
        self.left(gate, 5000)
        real, calls = board.until, []
        board.until = lambda *how: not calls.append(0) and len(calls) == 1 and real(*how)
        gate.wait(50)
        self.assertEqual([what for what, _ in self.noted], ["store"])
        self.assertFalse(gate.stores() or gate.listens())

    def test_lamps_and_card_stop_begin_by_the_board_at_the_points_alone(self):
        """So that no Python lies between the point and what is seen."""
        board, gate = self.gate()
        asked = []
        real = board.until
        board.until = lambda *how: (asked.append(how[1:]), real(*how))[1]
        board.lamp_mask = board.card_stop = None  # are not called beside it
        self.left(gate, 5000)
        gate.stop(5 | 1 << t.LAMP_STOP)
        board.lamp_mask = board.card_stop = lambda _: None
        gate.wait(50)
        gate.show(5)
        gate.wait(50)
        gate.wait(50)
        heads = gate.counts()
        self.assertEqual(
            asked,
            [
                (heads, False, 5 | 1 << t.LAMP_STOP, 1),  # at the point where it is stored
                (heads, False, -1, -1),  # where it is told
                (heads, True, 5, 0),
                (heads, True, -1, -1),
            ],
        )

    def test_behind_a_card_answers_leave_when_the_next_slot_begins_however_long_they_took(self):
        seen = set()
        for work in (0, 10, 3000, s.SLOT_US - s.BEFORE_US):
            board, gate = self.gate()
            self.left(gate, 5000)
            gate.wait(50)
            board.us += work
            gate.works()
            self.assertEqual(gate.write(b"abc", 3), 0)
            gate.show(5)
            self.assertEqual(board.shown, [])
            times = gate.ticks_us(), gate.ticks_ms() - board.ms
            gate.wait(50)
            seen.add((times[0], tuple(self.noted), board.shown[-1][0]))
        self.assertEqual(len(seen), 1)
        self.assertEqual(self.noted[-1][1] - self.noted[-2][1], s.SLOT_US)

    def test_a_slot_that_is_too_short_goes_on_to_a_much_longer_one(self):
        room = s.SLOT_US - s.BEFORE_US
        for work, length in (
            (room + 1, 65536), (30000, 65536), (64001, 524288), (524288, 1048576), (600000, 1048576)
        ):  # fmt: skip
            board, gate = self.gate()
            self.left(gate, 5000)
            gate.wait(50)
            gate.works()
            board.us += work
            gate.wait(50)
            self.assertEqual(self.noted[-1][1] - self.noted[-2][1], length)

    def test_a_slot_in_which_nothing_came_is_longer(self):
        _, gate = self.gate()
        self.left(gate, 5000)
        gate.wait(50)
        gate.wait(50)
        gate.works()
        gate.wait(50)
        leaves = [at for what, at in self.noted if what == "leave"]
        self.assertEqual((leaves[1] - leaves[0], leaves[2] - leaves[1]), (s.IDLE_US, s.SLOT_US))

    def test_memory_is_collected_in_a_slot_of_its_own_and_then_everything_is_free(self):
        board, gate = self.gate()
        board.script = [("call", lambda: None)] * 100
        self.left(gate, 5000)
        slots = 0
        while not gate.free():
            gate.wait(50)
            slots += 1
        leaves = [at for what, at in self.noted if what == "leave"]
        self.assertEqual(board.collected, 1)
        apart = [leaves[i + 1] - leaves[i] for i in range(slots - 1)]
        self.assertEqual(set(apart), {s.IDLE_US, s.COLLECTING_US})
        at = apart.index(s.COLLECTING_US)
        self.assertTrue(s.COLLECT_US <= leaves[at] - 5000 < s.COLLECT_US + s.IDLE_US)
        self.assertTrue(s.OPEN_US <= leaves[-1] - 5000 < s.OPEN_US + s.IDLE_US)
        self.assertEqual(gate.write(b"abc", 3), 3)

    def test_between_rounds_what_can_wait_is_done_in_slots_in_which_nobody_asks(self):
        board, gate = self.gate()
        self.lies = self.plays = True
        board.script = [("call", lambda: None)] * 100
        self.left(gate, 5000)

        def slots(n, at_each=lambda: None):
            seen = []
            for _ in range(n):
                gate.wait(50)
                at_each()
                seen.append(gate.idles())
            return seen

        self.assertEqual(set(slots(40)), {False}, "a round is open")
        self.plays = False
        self.assertIn(True, slots(3))
        self.assertEqual(set(slots(5, gate.works)), {False}, "somebody asks")
        self.left(gate, board.us + 5000)
        within = [gate.ticks_us() - 5000 for idles in slots(10) if idles]
        self.assertEqual(within, [], "half a second is not over")
        self.assertIn(True, slots(20))
        begun = gate.ticks_us()
        while not gate.idles():
            gate.wait(50)
            begun = gate.ticks_us()
        gate.takes_long()
        board.us += 31000
        gate.wait(50)
        self.assertEqual(gate.ticks_us() - begun, 65536)

    def test_an_open_shoe_that_rests_for_longer_than_the_clock_wraps_stays_calm(self):
        """The time since the last card comes round every 18 minutes."""
        board, gate = self.gate()
        self.lies = True
        board.script = [("call", lambda: None)] * 400
        self.left(gate, 5000)
        for _ in range(30):
            gate.wait(50)
        self.assertTrue(gate.idles())
        board.us = (board.us + TICKS - 600000) % TICKS
        busy = 0
        for _ in range(60):
            gate.wait(50)
            busy += not gate.idles()
        self.assertTrue(busy <= 2, "one slot in forty collects memory")

    def test_while_a_shoe_is_open_the_slots_go_on_and_memory_is_collected_by_their_count(self):
        board, gate = self.gate()
        self.lies = True
        board.script = [("call", lambda: None)] * 500
        self.left(gate, 5000)
        for _ in range(400):
            gate.wait(50)
        self.assertFalse(gate.free())
        self.assertIn(board.collected, (10, 11))
        self.lies = False
        gate.wait(50)
        self.assertTrue(gate.free())

    def test_cards_in_a_row_are_counted_for_it_not_measured(self):
        for slots, cards in ((40, 8), (12, 3)):
            board, gate = self.gate()
            board.work_slots = slots
            collected = []
            for i in range(20):
                self.left(gate, 100000 * i + 5000)
                gate.wait(50)
                collected.append(board.collected)
            self.assertEqual(collected, [i // cards for i in range(1, 21)])

    def test_each_card_counts_wherever_a_batch_of_edges_ends(self):
        """Where it ends depends on how many edges DATA has. So nothing may depend on it, as when memory is collected.

        Two cards leave one after the other, with the next mark right behind the first, as one slid into the reader and
        out: in batches of every two lengths.
        """
        edges = [
            (9000, PRESENT),
            (14000, 0),
            (14500, CLOCK_A),
            (15000, CLOCK_A | PRESENT),
            (19000, PRESENT),
            (20000, 0),
        ]
        seen = set()
        for first in range(len(edges) + 1):
            for second in range(first, len(edges) + 1):
                board, gate = self.gate()
                board.work_slots = 10
                self.lies = True
                before = 0
                for batch in (edges[:first], edges[first:second], edges[second:]):
                    if batch:
                        self.pull(gate, *batch, before=before)
                        before = batch[-1][1]
                board.us = 23000
                gate.wait(50)
                seen.add((board.collected, tuple(self.noted)))
        self.assertEqual(len(seen), 1)
        self.assertEqual(seen.pop()[0], 1, "two cards use up what ten slots do")

    def test_a_board_with_little_memory_collects_it_after_fewer_slots(self):
        collected = []
        for slots in (40, 10):
            board, gate = self.gate()
            board.work_slots = slots
            self.lies = True
            board.script = [("call", lambda: None)] * 500
            self.left(gate, 5000)
            for _ in range(400):
                gate.wait(50)
            collected.append(board.collected)
        self.assertEqual(collected, [10, 40])

    def test_a_head_whose_fault_was_told_does_not_silence_the_line(self):
        _, gate = self.gate()
        gate.told = 2
        times, lines = array("i", [5000]), bytearray([0])
        self.assertTrue(gate.edges(1, times, lines, 1, PRESENT))
        self.assertTrue(gate.free())
        gate.edges(0, times, lines, 1, PRESENT)
        self.assertFalse(gate.free())

    def test_where_time_stands_still_no_time_is_told_that_has_not_come(self):
        board, gate = self.gate()
        board.until = lambda *_: True
        self.pull(gate, (5000, 0))
        board.us = 5100
        for _ in range(4):
            gate.wait(50)
            self.assertEqual(gate.ticks_us(), 5100)
            board.script = [("call", lambda: None)]


class ShoeTest(unittest.TestCase):
    def test_a_challenge_waits_for_no_entropy(self):
        from shoe.service_error import ServiceError

        class Keys:
            def is_open(self):
                return False

        app = App(FakeBoard())
        app.gate.keys = Keys()
        app.board.entropy_there = False
        app.board.entropy = None  # is not asked
        with self.assertRaises(ServiceError) as refused:
            app.gate.challenge(t.MSG_CONFIG_WRITE)
        self.assertEqual(refused.exception.code, t.ERROR_BUSY)

    def test_how_long_a_wrong_key_must_wait_is_told_by_the_clock_of_the_slots(self):
        """How long the work before it took may depend on a card."""
        from shoe.app.gate import Keys

        told = set()
        for work_ms in (0, 3, 7):
            app = App(FakeBoard())
            run(app)
            keys = Keys(app.board, app.silence)
            app.silence.after(app.board.ticks_us())
            app.silence.wait(50)
            keys.waiting = True
            keys.until = app.silence.ticks_ms() + 1000
            app.board.ms += work_ms
            app.board.us += 1000 * work_ms
            told.add(keys.wait_ms())
        self.assertEqual(told, {1000})

    def test_a_head_is_named_blocked_at_a_time_that_no_edge_of_data_moves(self):
        """Whatever is the last edge of a card that stops: 15 s after the last one of another line."""
        due = set()
        for data in ((), (91000,), (91000, 95000), (95000, 99999)):
            head = ReadHead(0, (1,), 15)
            lines = 0
            for at, line in sorted([(10000, PRESENT), (90000, CLOCK_A)] + [(at, DATA) for at in data]):
                lines ^= line
                self.assertIsNone(head.feed(at, lines))
            self.assertIsNone(head.poll(90000 + 15000000))
            done = head.poll(90000 + 15000000 + 50000)
            self.assertEqual((done.kind, done.reason), (t.PASS_BLOCKED, t.UNREADABLE_DIRTY))
            due.add(head.due_us)
        self.assertEqual(due, {90000 + 15000000})

    def test_its_fault_leaves_on_the_grid_whenever_the_shoe_looked(self):
        """And its record has the time at which it was due."""
        seen = set()
        for looks in ((15030,), (15001,), (14000, 1049), (14000, 1000, 3)):
            board = FakeBoard(start_ms=TICKS // 2)
            board.us = TICKS // 2
            app = App(board)
            board.script = [
                ("key", t.KEY_LOAD, 0), ("ms", 600),
                ("call", lambda b=board: b.script.insert(0, ("edges", 0, [((TICKS // 2 + 10**6), PRESENT)]))),
            ] + [("ms", ms) for ms in looks] + [("ms", 1)] * 4  # fmt: skip
            run(app)
            self.assertEqual(app.faults.codes(), (t.FAULT_HEAD_DIRTY,))
            seen.add(board.waited[0][0])
        self.assertEqual(len(seen), 1)

    def test_a_key_beside_a_card_gets_the_time_of_the_card(self):
        """When its turn came may depend on the card."""
        board = FakeBoard()
        app = App(board)
        pull = edges_of(20)
        board.script = [("key", t.KEY_LOAD, 0), card(3), ("ms", 40), ("edges", 0, pull[:40]),
                        ("key", t.KEY_SEATS, 3), ("ms", 3), ("edges", 0, pull[40:]), ("ms", 1)]  # fmt: skip
        times = []
        real = app.journal.append_step
        app.journal.append_step = lambda events, ms: times.append((events[0][0], ms)) or real(events, ms)
        run(app)
        self.assertEqual(times[-2][1], times[-1][1], times)


if __name__ == "__main__":
    unittest.main()
