"""Two tables that differ in the face of the hole card alone: all that leaves the shoe is the same but for a commitment.

Everything is compared: every byte on the line with live events on, the pages of the journal, the traces, lamps and
status, before the dealer turns the card.
"""

import hashlib
import struct
import unittest

from board_fake import FakeBoard, card, run
from link_fake import frame, frames
from shoe import wire_table as t
from shoe.app.app import App
from shoe.trust.sealing import commitment

HOLES = (12, 40)  # king of clubs, 2 of spades
BURN = 3
ROUND = (5, 20, 33)  # a player's two cards around the up card


def deal(hole):
    """Deal a round up to the hole card with a host that asks for everything; return (board, app)."""
    board = FakeBoard()
    app = App(board)
    sequence = [0]

    def ask(kind, payload=b""):
        def put():
            sequence[0] += 1
            board.script.insert(0, ("link", frame(kind, payload, sequence[0], app.link.epoch)))

        return ("call", put)

    script = [ask(t.MSG_SUBSCRIBE, struct.pack("<BI", 1, 0)), ("key", t.KEY_LOAD, 0), card(BURN)]
    script += [("key", t.KEY_SEATS, 1), ("key", t.KEY_DEAL, 0)]
    for face in ROUND + (hole,):
        script += [card(face), ("ms", 50), ask(t.MSG_STATUS)]
        for index in range(6):
            script.append(ask(t.MSG_TRACE, struct.pack("<BH", index, 0)))
    for page in range(5):
        script.append(ask(t.MSG_HISTORY_READ, struct.pack("<IHH", page, 0, 352)))
    script += [ask(t.MSG_EVENT_READ, struct.pack("<IB", 8, 200)), ("ms", 1)]
    board.script = script
    run(app)
    return board, app


class SecrecyTest(unittest.TestCase):
    def test_only_commitments_differ_between_two_hole_cards(self):
        sent = []
        shown = []
        expected = []
        for hole in HOLES:
            board, app = deal(hole)
            sent.append(bytes(board.sent))
            shown.append(board.shown)
            expected.append([bytes(c) for c in self.commitments(hole)])
            self.assertEqual(app.table.dealing.phase, t.PHASE_PLAYERS)
            del board, app
        self.assertEqual(shown[0], shown[1])
        self.assertEqual(len(sent[0]), len(sent[1]))
        first = frames(sent[0])
        second = frames(sent[1])
        self.assertEqual(len(first), len(second))
        differing = 0
        for one, two in zip(first, second):
            self.assertEqual(one[:3], two[:3])
            self.assertEqual(len(one[3]), len(two[3]))
            if one[0] == t.MSG_STATUS + 128:  # free heap: the second table finds another heap than the first
                self.assertEqual(one[3][:-4], two[3][:-4])
                continue
            if one[3] == two[3]:
                continue
            differing += 1
            if one[0] == t.MSG_EVENT:
                self.assertEqual(one[3][10], t.REC_SEALED)
            else:
                self.assertEqual(one[0], t.MSG_HISTORY_READ + 128)
            self.assertEqual(self.without(one[3], expected[0]), self.without(two[3], expected[1]))
        self.assertGreaterEqual(differing, 3)  # live, in the page, and sent again

    def commitments(self, hole):
        """The hole card's commitment with the secret of the fake board's entropy, for each record it might be."""
        entropy = FakeBoard().entropy
        entropy(2)  # the epoch
        secret = entropy(32)
        nonces = [hashlib.sha256(secret + struct.pack("<I", number)).digest()[:16] for number in range(40)]
        return [commitment(nonce, hole, 1) for nonce in nonces]

    def without(self, data, commitments):
        """`data` without the hole card's commitment and the CRC of the record that carries it."""
        at = max(data.find(each) for each in commitments)
        self.assertGreaterEqual(at, 0)
        return data[:at] + data[at + 36 :]

    def test_no_trace_of_a_card_that_lies_face_down(self):
        _, app = deal(HOLES[0])
        self.assertEqual(app.trace.passes(), 3)
        for head in range(2):
            slot = app.trace._running[head]
            self.assertEqual(app.trace._count[slot], 0)

    def test_turning_the_card_opens_its_commitment(self):
        board, app = deal(HOLES[0])
        board.script = [("ms", 1)]
        app.press(t.KEY_NEXT_HAND, 0)
        app.press(t.KEY_REVEAL, 0)
        app._run_link()
        app.silence.wait(0)
        events = [f[3] for f in frames(board.sent) if f[0] == t.MSG_EVENT and f[3][10] == t.REC_OPENED]
        self.assertEqual(len(events), 1)
        _, _, _, _, card_id, batch, nonce = struct.unpack_from("<IBBBBB16s", events[0], 11)
        self.assertEqual((card_id, batch), (HOLES[0], 1))
        self.assertIn(commitment(nonce, card_id, batch), self.commitments(HOLES[0]))


class CalibrationTest(unittest.TestCase):
    def test_the_first_card_of_a_shoe_that_is_loaded_during_a_calibration_is_the_tables(self):
        """It comes before anything else has had its turn."""
        board = FakeBoard()
        app = App(board)
        passes = []

        def begin():
            request = frame(t.MSG_CALIBRATE, struct.pack("<BBH", 0, t.CALIBRATION_BEGIN, 0), 1, app.link.epoch)
            board.script.insert(0, ("link", request))

        def look():
            passes.append(app.margins.session.passes)

        board.script = [("call", begin), card(40), ("ms", 1), ("call", look)]
        board.script += [("key", t.KEY_LOAD, 0), card(BURN), ("ms", 50)]
        run(app)
        self.assertEqual(passes, [1])
        self.assertIs(app.margins.session, None)
        sealed = app.table.dealing.st.sealed
        self.assertEqual([sealed.get(at)[4] for at in range(sealed.many)], [BURN])


if __name__ == "__main__":
    unittest.main()
