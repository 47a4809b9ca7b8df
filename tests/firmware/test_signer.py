"""Signing beside dealing on a board in memory: slices, throats, records, faults, and what the host is told."""

import struct
import unittest

from board_fake import PAGE, FakeBoard, card, edges_of, run
from flash_memory import MemoryFlash
from link_fake import frames
from shoe import wire_table as t
from shoe.app.app import App
from shoe.app.signer import ROUND, Signer
from shoe.trust.lms import verify
from shoe.trust.sign_shoe import PIECE, SLICE
from shoe.trust.signing_key import STATEMENT
from test_app import ask, kinds

KEYS = 32  # pages of 256 bytes: notes, marks, tree of height 5, two places
LOAD = ("key", t.KEY_LOAD, 0)
CLOSE = ("key", t.KEY_CLOSE_SHOE, 0)
_CHIP = bytearray(KEYS * PAGE)


def signing_board():
    """A board whose partition `keys` has room for a small key."""
    board = FakeBoard()
    for start in range(0, len(_CHIP), PAGE):
        _CHIP[start : start + PAGE] = b"\xff" * PAGE
    board.keys = MemoryFlash(KEYS, board.power, PAGE, _CHIP)
    return board


class Idle:
    """A script step that comes again until the shoe has nothing more to sign; it counts its turns."""

    def __init__(self, board):
        self.board = board
        self.app = None
        self.turns = 0

    def step(self):
        return ("call", self._again)

    def _again(self):
        self.turns += 1
        if self.app.signing.busy and self.turns < 5000:
            self.board.script.insert(0, self.step())


def provisioned(script):
    """Boot, make a key, then run `script`, a list or a function that gets the app; return (app, idle)."""
    board = signing_board()
    idle = Idle(board)
    steps = [("call", lambda: idle.app.signing.begin(5)), idle.step()]

    def start(app):
        idle.app = app
        board.script = steps + (script(app, idle) if callable(script) else script)

    app = App(board)
    board.script = [("call", lambda: start(app))]
    run(app)
    return app, idle


class SigningBesideDealingTest(unittest.TestCase):
    def test_a_key_is_made_in_slices_and_recorded(self):
        app, idle = provisioned([])
        self.assertEqual(app.signing.state, t.SIGNING_READY)
        self.assertGreater(idle.turns, 32 * 1140 // (SLICE + 16))
        self.assertEqual(kinds(app).count(t.REC_SIGNING_KEY), 1)

    def test_memory_is_collected_in_a_pause_between_slices(self):
        """So no card waits for a slice and a collection at once."""

        class Counts:
            _left = 0

        signer = Counts()
        slices = ROUND // SLICE
        found = [Signer._room(signer) for _ in range(2 * slices + 3)]
        self.assertEqual(found, ([False] + [True] * slices) * 2 + [False])
        self.assertGreater(ROUND, 1111 + 2 * SLICE, "as a rule a signature needs no pause")

    def test_a_shoe_that_closes_is_signed_recorded_and_handed_out_in_pieces(self):
        def script(app, idle):
            steps = [LOAD, card(3), CLOSE, ("ms", 200), idle.step()]
            for i in range(8):
                steps.append(ask(app, t.MSG_SIGNATURE, struct.pack("<IH", 1, 352 * i), 10 + i))
                steps.append(("ms", 1))
            steps.append(ask(app, t.MSG_SIGNING_KEY, b"", 30))
            steps.append(("ms", 1))
            return steps

        app, _ = provisioned(script)
        self.assertEqual(kinds(app).count(t.REC_SIGNED), 1)
        found = b""
        public = b""
        for kind, _, _, payload in frames(app.board.sent):
            if kind == t.MSG_SIGNATURE + t.ANSWER:
                state, shoe, size, offset = struct.unpack("<BIHH", payload[:9])
                self.assertEqual((state, shoe, offset), (t.SIGNATURE_SIGNED, 1, len(found)))
                found += payload[9:]
            elif kind == t.MSG_SIGNING_KEY + t.ANSWER:
                public = payload[14:]
        self.assertEqual(len(found), size)
        self.assertTrue(verify(found[:STATEMENT], found[STATEMENT:], public))

    def test_nothing_is_signed_while_a_card_is_in_a_throat_or_just_went(self):
        seen = []

        def script(app, idle):
            half = edges_of(5)
            cut = len(half) // 2

            def note(name):
                return ("call", lambda: seen.append((name, app.board.keys.programs, app.signing.busy)))

            quiet = [("call", lambda: None)] * 20  # up to 33 ms each; the silence behind a card lasts half a second
            return (
                [LOAD, card(3), CLOSE, LOAD]
                + [("edges", 0, half[:cut]), note("in")] + quiet + [note("still in")]
                + [("edges", 0, half[cut:]), note("out")] + quiet[:8] + [note("just out"), ("ms", 99)]
                + [note("settled"), ("ms", 2), idle.step()]
            )  # fmt: skip

        app, _ = provisioned(script)
        programs = {name: count for name, count, _ in seen}
        self.assertTrue(all(busy for _, _, busy in seen), "the shoe was signed before the card came")
        self.assertEqual(programs["in"], programs["still in"])
        self.assertEqual(programs["out"], programs["just out"])
        self.assertEqual(app.signing.result(1)[0], t.SIGNATURE_SIGNED)
        self.assertIn(t.REC_SEALED, kinds(app)[-6:], "the card that came meanwhile was the burn card of the next shoe")

    def test_a_slice_ends_with_the_first_edge_of_a_card(self):
        """So a card waits for a chain of 16 hashes at most."""
        done = []

        def script(app, idle):
            def slice_with_a_card():
                board = app.board
                looks = []

                def edges_wait(heads=-1):
                    looks.append(board.ms)
                    return len(looks) > 2

                real, board.edges_wait = board.edges_wait, edges_wait
                work = app.signing._work
                app.signing._work = counted(work)
                app.signing._left = 2 * SLICE  # no pause for memory
                app.signing.advance(board.ms - 1000)
                app.signing._work = work
                board.edges_wait = real
                app.signing.advance(board.ms - 1000)

            def counted(work):
                for hashes in work:
                    done.append(hashes)
                    yield hashes

            quiet = [("call", lambda: None)] * 3
            return [LOAD, card(3), CLOSE, ("ms", 200)] + quiet + [("call", slice_with_a_card), idle.step()]

        app, _ = provisioned(script)
        self.assertEqual(len(done), 2, "the third look found an edge")
        self.assertLessEqual(max(done), PIECE)
        self.assertEqual(app.signing.result(1)[0], t.SIGNATURE_SIGNED)

    def test_want_of_memory_puts_signing_off_and_stops_no_game(self):
        def script(app, idle):
            real = app.signing.step
            failed = []

            def short(hashes, enough):
                if len(failed) < 2:
                    failed.append(1)
                    raise MemoryError
                return real(hashes, enough)

            app.signing.step = short
            return [LOAD, card(3), CLOSE, ("ms", 200), idle.step()]

        app, _ = provisioned(script)
        self.assertEqual(app.faults.codes(), ())
        self.assertEqual(app.signing.result(1)[0], t.SIGNATURE_SIGNED)

    def test_a_key_that_is_used_up_is_a_named_fault_until_there_is_another(self):
        def script(app, idle):
            def spend():
                app.signing.next_index = 31

            return [("call", spend), LOAD, card(3), CLOSE, ("ms", 200), idle.step()]

        app, _ = provisioned(script)
        self.assertEqual(app.faults.codes(), (t.FAULT_SIGNING_KEY_USED_UP,))
        self.assertFalse(app.board.stop, "the game goes on")
        board = app.board
        idle = Idle(board)
        again = []

        def begin(app):
            idle.app = app
            app.signing.begin(5)
            again.append(app)

        app = App(board)
        board.script = [LOAD, card(4), CLOSE, ("ms", 200), ("call", lambda: begin(app)), idle.step(), ("ms", 1)]
        run(app)
        self.assertEqual(app.faults.codes(), ())
        self.assertIn(t.REC_CLEARED, kinds(app))


if __name__ == "__main__":
    unittest.main()
