"""Law 3: nothing begins to leave while a card is in a head; what it causes leaves on the grid, whatever its face."""

import unittest

from board_fake import FakeBoard
from shoe import wire_table as t
from shoe.app import App
from shoe.silence import GRID_US, WORK_US, Silence

TICKS = 1 << 30


class GateTest(unittest.TestCase):
    def gate(self):
        board = FakeBoard()
        self.near = False
        return board, Silence(board, lambda heads: self.near)

    def test_nothing_is_written_shown_or_stopped_while_a_card_is_near(self):
        board, gate = self.gate()
        self.near = True
        self.assertEqual(gate.write(b"abc", 3), 0)
        gate.show(1 << t.LAMP_STOP)
        self.assertFalse(gate.opens())
        self.assertEqual((len(board.sent), board.shown), (0, []))
        self.near = False
        self.assertTrue(gate.opens())
        self.assertEqual((gate.write(b"abc", 3), board.shown), (3, [(1 << t.LAMP_STOP, True)]))

    def test_what_a_card_causes_waits_for_the_grid_over_the_wrap_of_the_ticks_too(self):
        for last in (0, 1, 4095, 4096, 1000000, TICKS - 30000, TICKS - 20001, TICKS - 20000, TICKS - 1):
            board, gate = self.gate()
            board.us = (last + 3000) % TICKS
            gate.edge(0, last)
            self.assertTrue(gate.closed())
            self.assertTrue(gate.opens())
            due = board.waited[0][0]
            self.assertEqual(due % GRID_US, 0)
            self.assertTrue(WORK_US <= (due - last) % TICKS < WORK_US + GRID_US)

    def test_work_that_took_longer_leaves_at_a_later_point_of_the_grid(self):
        for late in (0, 1, 4000, 4096, 90000):
            board, gate = self.gate()
            gate.edge(0, 5000)
            board.us = 28672 + late
            self.assertTrue(gate.opens())
            due = board.waited[0][0]
            self.assertEqual(due % GRID_US, 0)
            self.assertTrue(0 < due - board.us <= GRID_US)

    def test_the_next_card_keeps_it_closed(self):
        board, gate = self.gate()
        gate.edge(0, 5000)
        board.until = lambda *_: False  # its first edge came meanwhile
        self.assertFalse(gate.opens())
        self.assertTrue(gate.closed())

    def test_a_head_whose_fault_was_told_does_not_silence_the_line(self):
        _, gate = self.gate()
        gate.told = 2
        gate.edge(1, 5000)
        self.assertFalse(gate.closed())
        gate.edge(0, 5000)
        self.assertTrue(gate.closed())


class ShoeTest(unittest.TestCase):
    def test_a_challenge_waits_for_no_entropy(self):
        from shoe import app_authority
        from shoe.wire import ServiceError

        class Keys:
            def is_open(self):
                return False

        app = App(FakeBoard())
        app.gate.keys = Keys()
        app.board.entropy_there = False
        app.board.entropy = None  # is not asked
        with self.assertRaises(ServiceError) as refused:
            app_authority.challenge(app.gate, t.MSG_CONFIG_WRITE)
        self.assertEqual(refused.exception.code, t.ERROR_BUSY)


if __name__ == "__main__":
    unittest.main()
