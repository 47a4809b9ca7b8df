"""Out of memory anywhere: the game stops with the fault `internal`, and nothing that was acknowledged is lost.

Only a request that finds no memory is refused instead, and the game goes on.

MemoryError is injected at one call after the other of what the application calls, over a scripted start of a shoe.
"""

import os
import struct
import sys
import unittest

from board_fake import EAR, FakeBoard, card, run
from link_fake import frame, frames
from shoe import wire_table as t
from shoe.app import recovery
from shoe.app.app import App
from shoe.journal.cursor import Cursor

# 5 and 7 have no common part, so the two interpreters look at different places; `make soak` looks at every one.
STRIDE = 1 if os.getenv("EVERY_CALL") else 7 if sys.implementation.name == "micropython" else 5
HOOKS = (
    ("board.journal", "program"),
    ("board.journal", "read"),
    ("board.vault", "program"),
    ("board.store", "program"),
    ("table.dealing", "input_pass"),
    ("table.dealing", "input_key"),
    ("table.dealing", "recorded"),
    ("journal", "append_step"),
    ("journal", "idle"),
    ("trace", "keep"),
    ("trace", "wipe"),
    ("link", "receive"),
    ("board", "read_edges"),
    ("board", "read_key"),
    ("board", "card_stop"),
)


class Saboteur:
    """Raises MemoryError once, at call number `at` of the hooked methods."""

    def __init__(self, app, at):
        self.calls = 0
        self.at = at
        self.fired = False
        self.durable = -1  # records that were durable when it fired
        self._app = app
        self._hooked = []

    def arm(self, dealing):
        """Put itself before every hooked method, of `dealing` or of all else."""
        for path, name in HOOKS:
            if (path == "table.dealing") != dealing:
                continue
            owner = self._app
            for part in path.split("."):
                owner = getattr(owner, part)
            self._hook(owner, name, getattr(owner, name))

    def _hook(self, owner, name, original):
        def call(*arguments):
            self.calls += 1
            if self.calls == self.at:
                self.fired = True
                self.durable = self._app.journal.next_record
                raise MemoryError
            return original(*arguments)

        setattr(owner, name, call)
        if path_survives(owner, self._app):
            self._hooked.append((owner, name, original))

    def disarm(self):
        """Let the board, which outlives the application, alone."""
        for owner, name, original in self._hooked:
            setattr(owner, name, original)
        self._app = None  # a small heap does not hold three of them
        self._hooked = []


def path_survives(owner, app):
    """Whether the object belongs to the board."""
    return owner in (app.board, app.board.journal, app.board.vault, app.board.store)


def script(app):
    """Load, burn, seats, a round up to the players' turn, a key of the host on the way."""
    key = ("call", lambda: app.board.script.insert(0, ("link", frame(t.MSG_KEY, bytes((20, 0)), 1, app.link.epoch))))
    return [
        ("key", t.KEY_LOAD, 0), card(3), ("key", t.KEY_SEATS, 1), ("key", t.KEY_DEAL, 0), key, card(9), card(20),
        card(30), card(41), ("ms", 9000), ("key", t.KEY_NEXT_HAND, 0), ("ms", 1), ("ms", 1),
    ]  # fmt: skip


def history(app):
    """[(number, kind)] of every record."""
    cursor = Cursor(app.journal)
    found = []
    if app.journal.tail >= 0 and cursor.open_page(app.journal.first_page):
        while cursor.next():
            found.append((cursor.number, cursor.kind))
    return found


def table(app):
    """What RAM says of the table."""
    dealing = app.table.dealing
    return dealing.phase, dealing.round, dealing.drawn(0), sorted(dealing.faults), dealing.shoe_open


def sabotaged(at):
    """Run the script with call `at` sabotaged; return (saboteur, app or None when it crashed, board)."""
    board = FakeBoard()
    app = App(board)
    saboteur = Saboteur(app, at)
    saboteur.arm(False)
    board.script = [("call", lambda: saboteur.arm(True))] + script(app)
    try:
        run(app)
    except Exception:  # main.py notes the cause and ends
        board.cause = 4
    saboteur.disarm()
    return saboteur, None if board.cause else app, board


def refused(board):
    """Whether a request was refused for want of memory."""
    found = [struct.unpack("<BBI", one[3]) for one in frames(board.sent) if one[0] == t.MSG_ERROR]
    return [error[1] for error in found] == [t.ERROR_NO_MEMORY]


class MemoryErrorTest(unittest.TestCase):
    def check(self, at, whole):
        """One sabotaged run; False when its call never came."""
        saboteur, app, board = sabotaged(at)
        if not saboteur.fired:
            return False
        ram = None
        latched = not refused(board)
        if app is not None:
            self.assertEqual(t.FAULT_INTERNAL in app.faults.codes(), latched)
            self.assertEqual(board.stop, latched)
            ram = table(app)
        app = None
        board.script = []
        board.waited = []  # it grows with each run, and there is no room for one piece that large
        again = App(board)
        run(again)
        board.cause = 0
        self.assertEqual(t.FAULT_INTERNAL in again.faults.codes(), latched)
        self.assertEqual(board.stop, latched)
        if ram is not None:
            self.assertEqual(ram, table(again))
        records = history(again)
        self.assertEqual([number for number, _ in records], list(range(len(records))))
        self.assertEqual(records[: saboteur.durable], whole[: saboteur.durable])
        self.assertEqual(again.journal.damaged, 0)
        again = None
        board.script = [("key", t.KEY_SUPERVISOR, 0), ("ms", 1)]
        last = App(board)
        run(last)
        self.assertNotIn(t.FAULT_INTERNAL, last.faults.codes())
        return True

    def test_at_any_call_it_ends_as_the_named_fault_with_the_game_stopped(self):
        saboteur, app, _ = sabotaged(-1)
        whole = history(app)
        calls = saboteur.calls
        self.assertGreater(calls, 150)
        self.assertEqual(app.faults.codes(), ())
        app = None
        fired = 0
        for at in range(1, calls + 1, STRIDE):
            with self.subTest(at=at):
                fired += self.check(at, whole)
        self.assertGreaterEqual(fired, calls // STRIDE)

    def test_even_when_the_message_about_it_does_not_fit(self):
        board = FakeBoard()
        app = App(board)
        where = recovery.where
        said = []

        def fail(error):
            said.append(type(error))
            raise MemoryError

        recovery.where = fail
        board.script = [
            ("call", lambda: setattr(app.table.dealing, "input_key", None)),
            ("key", t.KEY_LOAD, 0),
            ("ms", 1),
        ]
        try:
            run(app)
        finally:
            recovery.where = where
        self.assertEqual(said, [TypeError])
        self.assertIn(t.FAULT_INTERNAL, app.faults.codes())
        self.assertTrue(board.stop)

    def test_what_is_said_of_a_task_that_an_error_ended_is_not_the_errors_own_text(self):
        try:
            {}["king of clubs"]
        except KeyError as error:
            recovery.lost(None, {"exception": error, "message": "", "future": None})
        self.assertIn("KeyError", EAR.text)
        self.assertFalse("king" in EAR.text, EAR.text)

    def test_when_the_table_cannot_be_rebuilt_the_application_ends_with_the_card_stop_on(self):
        board = FakeBoard()
        app = App(board)

        def fail():
            raise MemoryError

        app.table.rebuild = fail
        board.script = [
            ("call", lambda: setattr(app.table.dealing, "input_key", None)),
            ("key", t.KEY_LOAD, 0),
            ("ms", 1),
        ]
        with self.assertRaises(RuntimeError):
            run(app)
        self.assertTrue(board.stop)
        self.assertEqual(len(board.script), 1)


if __name__ == "__main__":
    unittest.main()
