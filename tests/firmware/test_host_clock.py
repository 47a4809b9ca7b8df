"""The host's wall clock in the journal: what is recorded, with the key or without, how often, and what is refused."""

import struct
import unittest

from board_fake import FakeBoard, card, run
from flash_memory import PowerCut
from shoe import wire_table as t
from shoe.app import gate
from shoe.app.app import App
from shoe.journal.journal import JournalFull
from shoe.service_error import ServiceError
from test_gate import LOAD, SESSION, Host

TICKS = 1 << 30
NOON_S = 1795694400  # more than 31 bits hold nothing of it: 2026-11-26
HOUR_MS = 3600000


def after(host, ms):
    """So many ms pass, with the turns of the ticks that come meanwhile."""
    while ms > 0:
        step = min(ms, 100000000)
        host.board.ms = (host.board.ms + step) % TICKS
        host.app.silence.turns(host.board.ms)  # as each turn of the application's loop does
        ms -= step


def reading(host, wall_s=NOON_S, wall_ms=250, about=4, ago=0):
    """The payload of a reading that was made `ago` ms ago."""
    return struct.pack("<IIHH", (host.app.silence.ticks_ms() - ago) % TICKS, wall_s, wall_ms, about)


def started(script=(), key=False):
    """A host at a shoe that went through `script`."""
    host = Host()
    if key:
        host.provision()
    if script:
        host.board.script = list(script)
        host.app = App(host.board)
        run(host.app)
        host.ask(t.MSG_IDENTIFY, SESSION)
    return host


class RecordTest(unittest.TestCase):
    def test_a_reading_is_a_record_that_says_that_nobody_proved_it(self):
        host = started([LOAD])
        ticks = host.app.silence.ticks_ms()
        answer, body = host.ask(t.MSG_HOST_CLOCK, reading(host))
        self.assertEqual((answer, len(body)), (t.MSG_HOST_CLOCK + 128, 4))
        self.assertEqual(host.records(t.REC_HOST_CLOCK)[0][:1] + host.records(t.REC_HOST_CLOCK)[0][2:],
                         (ticks, NOON_S, 250, 4, 0))  # fmt: skip
        self.assertEqual(struct.unpack("<I", body)[0], host.app.journal.next_record - 1)

    def test_a_reading_with_the_command_key_says_so_and_one_without_is_taken_too(self):
        host = started(key=True)
        answer, _ = host.ask(t.MSG_HOST_CLOCK, reading(host))
        self.assertEqual(answer, t.MSG_HOST_CLOCK + 128)
        answer, _ = host.command(t.MSG_HOST_CLOCK, reading(host))
        self.assertEqual(answer, t.MSG_PRIVILEGED + 128)
        after(host, HOUR_MS)
        answer, _ = host.ask(t.MSG_HOST_CLOCK, reading(host))
        self.assertEqual([one[-1] for one in host.records(t.REC_HOST_CLOCK)], [0, 1, 0])

    def test_a_wrong_key_records_no_reading_and_proves_nothing_of_the_next_one(self):
        host = started(key=True)
        self.assertEqual(
            host.error(t.MSG_PRIVILEGED, host.envelope(t.MSG_HOST_CLOCK, reading(host), bytes(32)))[0],
            t.ERROR_WRONG_KEY,
        )
        self.assertEqual(host.records(t.REC_HOST_CLOCK), [])
        host.ask(t.MSG_HOST_CLOCK, reading(host))
        self.assertEqual([one[-1] for one in host.records(t.REC_HOST_CLOCK)], [0])

    def test_the_turns_of_the_ticks_are_those_at_the_reading(self):
        host = Host(FakeBoard(start_ms=TICKS - 100))
        after(host, 50)
        said = reading(host)
        after(host, 1000)
        host.ask(t.MSG_HOST_CLOCK, said)
        after(host, TICKS)
        host.ask(t.MSG_HOST_CLOCK, reading(host))
        self.assertEqual([one[:2] for one in host.records(t.REC_HOST_CLOCK)], [(TICKS - 50, 0), (950, 2)])

    def test_what_is_recorded_is_restored_and_changes_nothing_at_the_table(self):
        host = started([LOAD, card(3)])
        phase = host.app.table.dealing.phase
        host.ask(t.MSG_HOST_CLOCK, reading(host))
        again = Host(host.board)
        self.assertEqual(again.app.table.dealing.phase, phase)
        self.assertEqual(again.app.faults.codes(), ())


class BoundTest(unittest.TestCase):
    def test_without_the_key_a_shoe_takes_one_an_hour_and_one_that_does_not_fit_after_ten_minutes(self):
        host = started([LOAD])
        self.assertEqual(host.ask(t.MSG_HOST_CLOCK, reading(host))[0], t.MSG_HOST_CLOCK + 128)
        after(host, gate.CHANGED_MS - 1)
        wall = NOON_S + 600
        self.assertEqual(host.error(t.MSG_HOST_CLOCK, reading(host, wall + 3))[0], t.ERROR_WAIT)
        after(host, 1)
        self.assertEqual(
            host.error(t.MSG_HOST_CLOCK, reading(host, wall)),
            (t.ERROR_WAIT, gate.AGAIN_MS - gate.CHANGED_MS),
        )
        self.assertEqual(host.ask(t.MSG_HOST_CLOCK, reading(host, wall + 3))[0], t.MSG_HOST_CLOCK + 128)
        after(host, HOUR_MS)
        self.assertEqual(host.ask(t.MSG_HOST_CLOCK, reading(host, wall + 3603))[0], t.MSG_HOST_CLOCK + 128)
        self.assertEqual(len(host.records(t.REC_HOST_CLOCK)), 3)

    def test_a_new_shoe_takes_one_at_once(self):
        host = started([LOAD])
        host.ask(t.MSG_HOST_CLOCK, reading(host))
        self.assertEqual(host.error(t.MSG_HOST_CLOCK, reading(host))[0], t.ERROR_WAIT)
        host.app.press(t.KEY_CLOSE_SHOE, 0)
        self.assertEqual(host.error(t.MSG_HOST_CLOCK, reading(host))[0], t.ERROR_WAIT)
        host.app.press(t.KEY_LOAD, 0)
        self.assertEqual(host.ask(t.MSG_HOST_CLOCK, reading(host))[0], t.MSG_HOST_CLOCK + 128)

    def test_whoever_is_on_the_line_cannot_fill_the_journal_in_a_day(self):
        host = started([LOAD])
        taken = []
        host.app.steps.commit = taken.extend
        for minute in range(24 * 60):
            host.ask(t.MSG_HOST_CLOCK, reading(host, NOON_S + minute * 977))
            after(host, 60000)
        self.assertEqual(len(taken), 144)

    def test_a_journal_that_is_nearly_full_takes_none_and_no_fault_comes(self):
        host = started([LOAD])
        host.app.journal.room = lambda: 1
        self.assertEqual(host.error(t.MSG_HOST_CLOCK, reading(host))[0], t.ERROR_NOT_ALLOWED_NOW)
        self.assertEqual(host.app.faults.codes(), ())
        self.assertEqual(host.records(t.REC_HOST_CLOCK), [])


class RefusedTest(unittest.TestCase):
    def test_a_tick_of_long_ago_of_the_future_or_from_before_the_start_is_refused(self):
        host = Host(FakeBoard(start_ms=TICKS - 3))
        after(host, 70000)
        for wrong in (gate.RECENT_MS + 1, -1, -HOUR_MS):
            self.assertEqual(host.error(t.MSG_HOST_CLOCK, reading(host, ago=wrong))[0], t.ERROR_BAD_VALUE)
        self.assertEqual(host.error(t.MSG_HOST_CLOCK, reading(host, wall_ms=1000))[0], t.ERROR_BAD_VALUE)
        self.assertEqual(host.records(t.REC_HOST_CLOCK), [])
        self.assertEqual(host.ask(t.MSG_HOST_CLOCK, reading(host, ago=gate.RECENT_MS))[0], 128 + 34)

    def test_while_a_card_is_in_a_throat_nothing_is_written(self):
        host = started([LOAD])
        said = struct.unpack("<IIHH", reading(host))
        host.app.heads.lines[0] = 1
        before = host.app.steps.next_record
        with self.assertRaises(ServiceError) as caught:
            host.app.link._method("host_clock")(*said)
        self.assertEqual(caught.exception.code, t.ERROR_BUSY)
        self.assertEqual(host.app.steps.next_record, before)
        host.app.heads.lines[0] = 0
        self.assertEqual(host.app.link._method("host_clock")(*said), (before,))

    def test_a_journal_that_takes_nothing_more_is_a_fault_and_no_defect(self):
        host = started([LOAD])

        def full(events, ticks_ms):
            raise JournalFull

        host.app.journal.append_step = full
        host.ask(t.MSG_HOST_CLOCK, reading(host))
        self.assertEqual(host.app.steps.stuck, t.FAULT_JOURNAL_FULL)
        self.assertEqual(host.error(t.MSG_HOST_CLOCK, reading(host, NOON_S + 99))[0], t.ERROR_WAIT)

    def test_the_power_may_go_at_any_moment_of_it(self):
        cuts = kept = 0
        for budget in range(0, 60, 3):
            host = started([LOAD])
            said = reading(host)
            host.board.power.arm(budget)
            answered = False
            try:
                answered = host.ask(t.MSG_HOST_CLOCK, said)[0] == t.MSG_HOST_CLOCK + 128
            except PowerCut:
                cuts += 1
            host.board.power.arm(None)
            again = Host(host.board)
            found = again.records(t.REC_HOST_CLOCK)
            self.assertTrue(len(found) == 1 if answered else len(found) <= 1)
            kept += len(found)
            self.assertEqual(again.app.faults.codes(), ())
            self.assertEqual(again.ask(t.MSG_HOST_CLOCK, reading(again))[0], t.MSG_HOST_CLOCK + 128)
        self.assertGreater(cuts, 3)
        self.assertGreater(kept, 3)


if __name__ == "__main__":
    unittest.main()
