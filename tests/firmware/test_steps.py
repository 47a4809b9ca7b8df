"""What waits to be written: the card stop goes before the flash, and no step is lost however fast cards come."""

import unittest

from board_fake import EAR, FakeBoard, card, run
from card_pulls import frame, pulled
from shoe import wire_table as t
from shoe.app.app import App
from shoe.journal.cursor import Cursor
from shoe.reading import card_code

COUNT = [("key", t.KEY_LOAD, 0), ("key", t.KEY_COUNT, 0)]
ROUND = [("key", t.KEY_LOAD, 0), card(3), ("key", t.KEY_SEATS, 1), ("key", t.KEY_DEAL, 0)]
GAP_UM = 20000
FASTEST = 3300  # mm/s: what is pulled faster is named so and not read
CARDS = 40  # more than may wait
FACES = [(7 * number) % 52 for number in range(CARDS)]


def train(board):
    """Script steps of CARDS cards of batch 1 at the fastest speed, with the least gap that is no flood: 40 a second.

    A hand deals 12 a second at most.
    """
    pitch_us = (card_code.POKER_UM + GAP_UM) * 1000 // FASTEST

    def pull(number):  # made when it is due: all of them would not fit a small heap
        edges = pulled(frame(FACES[number], 1), FASTEST, 1500 + number * pitch_us)
        board.script.insert(0, ("edges", 0, edges))

    return [("call", lambda number=number: pull(number)) for number in range(CARDS)]


def recorded(app, kind):
    """The card of each record of a card, the code of each other record of `kind`."""
    cursor = Cursor(app.journal)
    found = []
    if cursor.open_page(app.journal.first_page):
        while cursor.next():
            if cursor.kind == kind:
                found.append(cursor.payload[4] if kind == t.REC_CARD else cursor.payload[0])
    return found


class CardStopTest(unittest.TestCase):
    def stopped(self, foreign, refuse=False):
        """Pull a card of a foreign batch in a round; return (app, what flash and gate had done when the stop came)."""
        board = FakeBoard()
        app = App(board)
        seen = []

        def stop(on):
            if on and not board.stop:
                seen.append((board.power.spent, len(board.waited)))
            FakeBoard.card_stop(board, on)

        def begin():
            board.card_stop = stop
            seen.append((board.power.spent, len(board.waited)))
            if refuse:
                app.journal.append_step = refused

        def refused(events, ticks_ms):
            raise OSError(5)

        board.script = ROUND + [("call", begin), card(9, foreign), ("ms", 1), ("ms", 1)]
        run(app)
        return app, seen

    def test_it_waits_for_its_point_of_the_grid_and_for_no_flash(self):
        """The first fault of a shoe's life takes an erase of 45 ms, which would put the card stop off."""
        app, seen = self.stopped(3)
        (spent, waited), (at_stop, waits) = seen
        self.assertEqual(at_stop, spent)
        self.assertTrue(waited < waits <= waited + 2)  # the slot in which the card came, and the point behind it
        self.assertEqual(app.faults.codes(), (t.FAULT_FOREIGN_BATCH,))
        self.assertEqual(recorded(app, t.REC_FAULT), [t.FAULT_FOREIGN_BATCH])
        self.assertGreater(app.board.power.spent, at_stop)

    def test_nor_for_the_latch_of_a_journal_that_refuses_the_card(self):
        app, seen = self.stopped(1, True)
        (spent, waited), (at_stop, waits) = seen
        self.assertEqual(at_stop, spent)
        self.assertTrue(waited < waits <= waited + 2)  # the slot in which the card came, and the point behind it
        self.assertEqual(app.faults.codes(), (t.FAULT_JOURNAL_WRITE,))
        self.assertEqual(app.steps.stuck, t.FAULT_JOURNAL_WRITE)


class FastCardsTest(unittest.TestCase):
    def counted(self, refused=0):
        """Count a train while a card lies in the other throat, then take that out; return (app, most that waited).

        `refused`: writes that the journal refuses.
        """
        board = FakeBoard()
        app = App(board)
        write = app.journal.append_step
        left = [refused]
        most = [0]

        def append(events, ticks_ms):
            most[0] = max(most[0], len(app.steps._waiting))
            if left[0]:
                left[0] -= 1
                raise OSError(5)
            return write(events, ticks_ms)

        def begin():
            app.journal.append_step = append
            app.heads.lines[1] = 1

        def taken():
            app.heads.lines[1] = 0

        after = [("ms", 1)] * 40 + [("call", taken), ("ms", 1), ("ms", 1)]
        board.script = COUNT + [("call", begin)] + train(board) + after
        EAR.text = ""
        run(app)
        self.assertEqual(EAR.text, "")
        return app, most[0]

    def test_a_card_that_lies_in_the_other_throat_makes_no_other_card_lost(self):
        app, most = self.counted()
        self.assertEqual(recorded(app, t.REC_CARD), FACES)
        self.assertEqual(app.faults.codes(), ())
        self.assertTrue(24 < most <= 64, most)

    def test_a_journal_that_refuses_them_stops_the_game_and_loses_none_that_was_decided(self):
        app, most = self.counted(30)
        found = recorded(app, t.REC_CARD)
        self.assertEqual((found, app.faults.codes()), (FACES[: len(found)], (t.FAULT_JOURNAL_WRITE,)))
        self.assertTrue(32 <= len(found) == most <= 64, most)
        self.assertFalse(app.steps.waiting())


if __name__ == "__main__":
    unittest.main()
