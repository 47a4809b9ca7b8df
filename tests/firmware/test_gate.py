"""The gate on the whole application: what a provisioned shoe takes and records; power cuts while it is provisioned."""

import struct
import unittest

from board_fake import FakeBoard, card, run
from flash_memory import PowerCut
from link_fake import frame, frames
from shoe import wire_table as t
from shoe.app.app import App
from shoe.journal.cursor import Cursor
from shoe.trust.authority import hmac_sha256

SECRET = bytes(range(32))
SESSION = b"\x01\x02\x03\x04"
DECKS = struct.pack("<BI", t.CFG_DECKS, 8)
LOAD = ("key", t.KEY_LOAD, 0)


class Host:
    """What the other end of the line does, step by step, against a booted application."""

    def __init__(self, board=None, session=SESSION):
        self.board = board or FakeBoard()
        self.board.script = []
        self.app = App(self.board)
        run(self.app)
        self.sequence = 0
        self.key = b""
        self.session = session
        self.ask(t.MSG_IDENTIFY, session)

    def ask(self, kind, payload=b""):
        """Send one request; return (kind of the answer, payload)."""
        self.sequence += 1
        self.board.sent = bytearray()
        data = frame(kind, payload, self.sequence, self.app.link.epoch)
        self.app.link.receive(data, len(data))
        if self.app.silence.in_slots():
            self.app.silence.wait(0)
        found = [f for f in frames(self.board.sent) if f[0] != t.MSG_EVENT]
        return found[-1][0], found[-1][3]

    def error(self, kind, payload=b""):
        """Send one request that must be refused; return code and detail."""
        answer, body = self.ask(kind, payload)
        assert answer == t.MSG_ERROR, answer
        return struct.unpack("<BBI", body)[1:]

    def challenge(self, request):
        answer, body = self.ask(t.MSG_CHALLENGE, bytes((request,)))
        assert answer == t.MSG_CHALLENGE + 128, body
        return body[:32]

    def envelope(self, request, payload=b"", key=None, nonce=None):
        """The payload of `privileged` for a command."""
        nonce = self.challenge(request) if nonce is None else nonce
        said = b"shoe command 1" + b"fakeshoe" + struct.pack("<H", self.app.link.epoch) + self.session
        said += struct.pack("<BH", request, len(payload)) + nonce
        return bytes((request,)) + hmac_sha256(self.key if key is None else key, said, payload) + payload

    def command(self, request, payload=b"", key=None):
        return self.ask(t.MSG_PRIVILEGED, self.envelope(request, payload, key))

    def offer(self):
        """Agree on a new key."""
        if self.key:
            nonce = self.challenge(t.MSG_KEY_OFFER)
            mask = hmac_sha256(self.key, b"shoe key wrap 1", nonce)
            hidden = bytes([a ^ b for a, b in zip(SECRET, mask)])
            answer, share = self.ask(t.MSG_PRIVILEGED, self.envelope(t.MSG_KEY_OFFER, hidden, nonce=nonce))
        else:
            answer, share = self.ask(t.MSG_KEY_OFFER, SECRET)
        assert answer in (t.MSG_KEY_OFFER + 128, t.MSG_PRIVILEGED + 128), (answer, share)
        return hmac_sha256(SECRET, b"shoe command key 1" + b"fakeshoe" + share)

    def provision(self):
        """Agree on a new key and put it in force."""
        new = self.offer()
        said = b"shoe provision 1" + b"fakeshoe" + struct.pack("<H", self.app.link.epoch) + self.session + b"\0"
        answer, body = self.ask(t.MSG_PROVISION, b"\0" + hmac_sha256(new, said))
        assert answer == t.MSG_PROVISION + 128, body
        self.key = new
        return body

    def records(self, kind):
        """Values of all records of a kind, oldest first."""
        cursor = Cursor(self.app.journal)
        found = []
        if cursor.open_page(self.app.journal.first_page):
            while cursor.next():
                if cursor.kind == kind:
                    found.append(struct.unpack(t.RECORD_FORMATS[kind], bytes(cursor.payload)))
        return found

    def state(self):
        return self.ask(t.MSG_AUTHORITY)[1][0]


class OpenTest(unittest.TestCase):
    def test_a_shoe_that_is_not_provisioned_takes_commands_plainly_and_says_that_it_is_open(self):
        host = Host()
        self.assertEqual(host.state(), t.AUTHORITY_OPEN)
        self.assertEqual(host.ask(t.MSG_CONFIG_WRITE, DECKS)[0], t.MSG_CONFIG_WRITE + 128)
        self.assertEqual(host.error(t.MSG_CHALLENGE, bytes((t.MSG_KEY,))), (t.ERROR_NOT_PROVISIONED, 0))
        self.assertEqual(host.error(t.MSG_PRIVILEGED, bytes(40)), (t.ERROR_BAD_VALUE, 0))
        tagless = bytes((t.MSG_CONFIG_WRITE,)) + bytes(32) + DECKS
        self.assertEqual(host.error(t.MSG_PRIVILEGED, tagless), (t.ERROR_NOT_PROVISIONED, 0))
        self.assertEqual(host.records(t.REC_PROVISIONED), [])
        self.assertIsNone(host.app.gate.keys)

    def test_a_start_keeps_something_of_a_command_key_only_where_there_is_or_was_one(self):
        host = Host()
        gate = host.app.gate
        gate.start(False)
        self.assertIsNone(gate.keys)
        gate.start(True)  # a record says so: the key was lost
        self.assertTrue(gate.keys.damaged)
        provisioned = Host()
        provisioned.provision()
        gate = provisioned.app.gate
        key = gate.keys.key
        gate.start(False)  # and here the records were
        self.assertEqual(gate.keys.key, key)
        self.assertFalse(gate.keys.damaged)


class ProvisionTest(unittest.TestCase):
    def test_the_key_is_in_force_from_then_on_and_over_restarts_and_every_history_says_so(self):
        host = Host()
        named = host.provision()
        self.assertEqual(host.records(t.REC_PROVISIONED), [(named, t.PROVISIONED_MADE)])
        self.assertEqual(host.error(t.MSG_CONFIG_WRITE, DECKS)[0], t.ERROR_NOT_AUTHORISED)
        again = Host(host.board)
        again.key = host.key
        self.assertEqual(again.state(), t.AUTHORITY_PROVISIONED)
        self.assertEqual(again.records(t.REC_PROVISIONED)[-1], (named, t.PROVISIONED_IN_FORCE))
        before = len(again.records(t.REC_PROVISIONED))
        again.app.press(t.KEY_LOAD, 0)
        self.assertEqual(len(again.records(t.REC_PROVISIONED)), before + 1)
        self.assertEqual(again.error(t.MSG_CONFIG_WRITE, DECKS)[0], t.ERROR_NOT_AUTHORISED)

    def test_an_erased_key_keeps_the_shoe_closed_over_new_shoes_and_restarts(self):
        host = Host()
        host.provision()
        notes = host.app.gate.keys.notes
        for page in (notes._first, notes._first + 1):
            notes._device.erase(page)
        host = Host(host.board)
        for shoe in range(1, 3):
            self.assertEqual(host.state(), t.AUTHORITY_DAMAGED)
            host.app.press(t.KEY_LOAD, 0)
            self.assertEqual(len(host.records(t.REC_SHOE_OPENED)), shoe)
            self.assertEqual(host.records(t.REC_FAULT), [(t.FAULT_COMMAND_KEY, 0, 0)] * (shoe + 1))
            host = Host(host.board)
            self.assertEqual(host.state(), t.AUTHORITY_DAMAGED)
            self.assertEqual(host.error(t.MSG_CONFIG_WRITE, DECKS)[0], t.ERROR_NOT_AUTHORISED)
            host.app.press(t.KEY_CLOSE_SHOE, 0)
            self.assertEqual(host.error(t.MSG_KEY_OFFER, SECRET)[0], t.ERROR_NOT_AUTHORISED)

    def test_two_shoes_get_two_keys_whatever_the_host_takes(self):
        one = Host()
        one.provision()
        board = FakeBoard()
        board.entropy(7)
        two = Host(board)
        two.provision()
        self.assertNotEqual(one.key, two.key)

    def test_a_new_key_needs_the_old_one(self):
        host = Host()
        host.provision()
        old = host.key
        self.assertEqual(host.error(t.MSG_KEY_OFFER, SECRET)[0], t.ERROR_NOT_AUTHORISED)
        self.assertEqual(host.error(t.MSG_PROVISION, bytes(33))[0], t.ERROR_NO_CHALLENGE)
        host.provision()
        self.assertNotEqual(host.key, old)
        self.assertEqual([r[1] for r in host.records(t.REC_PROVISIONED)], [t.PROVISIONED_MADE, t.PROVISIONED_RENEWED])
        self.assertEqual(host.command(t.MSG_CONFIG_WRITE, DECKS)[0], t.MSG_PRIVILEGED + 128)
        self.assertEqual(
            host.error(t.MSG_PRIVILEGED, host.envelope(t.MSG_CONFIG_WRITE, DECKS, old))[0], t.ERROR_WRONG_KEY
        )

    def test_an_offer_is_good_for_one_try_of_its_session(self):
        host = Host()
        new = host.offer()
        said = b"shoe provision 1" + b"fakeshoe" + struct.pack("<H", host.app.link.epoch) + SESSION + b"\0"
        self.assertEqual(host.error(t.MSG_PROVISION, bytes(33))[0], t.ERROR_WRONG_KEY)
        self.assertEqual(host.error(t.MSG_PROVISION, b"\0" + hmac_sha256(new, said))[0], t.ERROR_NO_CHALLENGE)
        new = host.offer()
        host.ask(t.MSG_IDENTIFY, b"else")
        self.assertEqual(host.error(t.MSG_PROVISION, b"\0" + hmac_sha256(new, said))[0], t.ERROR_NO_CHALLENGE)
        self.assertEqual(host.state(), t.AUTHORITY_OPEN)

    def test_it_waits_for_the_end_of_a_round(self):
        host = Host()
        host.board.script = [LOAD, card(3), ("key", t.KEY_SEATS, 1), ("key", t.KEY_DEAL, 0), card(9)]
        app = host.app = App(host.board)
        run(app)
        host.ask(t.MSG_IDENTIFY, SESSION)
        self.assertEqual(host.error(t.MSG_KEY_OFFER, SECRET)[0], t.ERROR_NOT_ALLOWED_NOW)

    def test_the_power_may_go_at_any_moment_of_provisioning(self):
        states = []
        cuts = 0
        for budget in range(0, 480, 7):
            host = Host()
            host.app.link.pump()
            offered = host.offer()
            said = b"shoe provision 1" + b"fakeshoe" + struct.pack("<H", host.app.link.epoch) + SESSION + b"\0"
            host.board.power.arm(budget)
            answered = False
            try:
                answered = host.ask(t.MSG_PROVISION, b"\0" + hmac_sha256(offered, said))[0] == t.MSG_PROVISION + 128
            except PowerCut:
                cuts += 1
            host.board.power.arm(None)
            again = Host(host.board)
            again.key = offered
            states.append(again.state())
            if answered:
                self.assertEqual(states[-1], t.AUTHORITY_PROVISIONED)
            if states[-1] == t.AUTHORITY_PROVISIONED:
                self.assertEqual(again.command(t.MSG_CONFIG_WRITE, DECKS)[0], t.MSG_PRIVILEGED + 128)
                self.assertEqual(len(again.records(t.REC_PROVISIONED)), 1 + answered)
            else:
                self.assertEqual(states[-1], t.AUTHORITY_OPEN)
                again.key = b""
                again.provision()
        self.assertGreater(cuts, 20)
        self.assertIn(t.AUTHORITY_OPEN, states)
        self.assertIn(t.AUTHORITY_PROVISIONED, states[:-3])

    def test_a_key_that_was_taken_out_of_flash_does_not_open_the_shoe(self):
        host = Host()
        host.provision()
        device, first = host.app.gate.keys.notes._device, host.app.gate.keys.notes._first
        for page in (first, first + 1):
            device.erase(page)
        again = Host(host.board)
        self.assertEqual(again.state(), t.AUTHORITY_DAMAGED)
        self.assertIn(t.FAULT_COMMAND_KEY, again.app.faults.codes())
        self.assertEqual(again.error(t.MSG_CONFIG_WRITE, DECKS)[0], t.ERROR_NOT_AUTHORISED)
        self.assertEqual(again.error(t.MSG_KEY_OFFER, SECRET)[0], t.ERROR_NOT_AUTHORISED)
        again.app.press(t.KEY_SUPERVISOR, 0)
        self.assertIn(t.FAULT_COMMAND_KEY, again.app.faults.codes())


class CommandTest(unittest.TestCase):
    def test_every_attempt_is_recorded_good_or_bad(self):
        host = Host()
        host.provision()
        host.ask(t.MSG_CONFIG_WRITE, DECKS)
        host.command(t.MSG_CONFIG_WRITE, DECKS)
        host.command(t.MSG_CONFIG_WRITE, DECKS, bytes(32))
        host.ask(t.MSG_CHALLENGE, bytes((t.MSG_KEY,)))  # too early, and not long after the first
        host.ask(t.MSG_KEY, bytes((t.KEY_SUPERVISOR, 0)))
        host.board.ms += 10001
        host.app.gate.idle()
        host.ask(t.MSG_KEY, bytes((t.KEY_SUPERVISOR, 0)))
        found = [r[:4] for r in host.records(t.REC_ATTEMPT)]
        self.assertEqual(
            found,
            [
                (t.MSG_CONFIG_WRITE, t.ATTEMPT_WITHOUT_KEY, 0, 0),
                (t.MSG_CONFIG_WRITE, t.ATTEMPT_ACCEPTED, 0, 0),
                (t.MSG_CONFIG_WRITE, t.ATTEMPT_WRONG_KEY, 1, 0),
                (t.MSG_KEY, t.ATTEMPT_WITHOUT_KEY, 1, 2),
            ],
        )

    def test_attempts_that_test_no_key_cannot_fill_the_journal(self):
        host = Host()
        host.provision()
        before = host.app.journal.next_record
        for _ in range(300):
            host.ask(t.MSG_CONFIG_WRITE, DECKS)
        self.assertEqual(host.app.journal.next_record, before + 1)
        self.assertEqual(host.app.gate.keys.unrecorded, 299)

    def test_a_command_that_is_sent_again_is_not_carried_out_again(self):
        host = Host()
        host.provision()
        body = host.envelope(t.MSG_CONFIG_WRITE, DECKS)
        self.assertEqual(host.ask(t.MSG_PRIVILEGED, body)[0], t.MSG_PRIVILEGED + 128)
        writes = len(host.records(t.REC_CONFIGURED))
        self.assertEqual(host.error(t.MSG_PRIVILEGED, body)[0], t.ERROR_NO_CHALLENGE)
        host.ask(t.MSG_IDENTIFY, b"else")
        host.ask(t.MSG_IDENTIFY, SESSION)
        self.assertEqual(host.error(t.MSG_PRIVILEGED, body)[0], t.ERROR_NO_CHALLENGE)
        self.assertEqual(len(host.records(t.REC_CONFIGURED)), writes)

    def test_the_refusals_of_the_command_itself_come_through(self):
        host = Host()
        host.provision()
        nine = struct.pack("<BI", t.CFG_DECKS, 9)
        found = host.error(t.MSG_PRIVILEGED, host.envelope(t.MSG_CONFIG_WRITE, nine))
        self.assertEqual(found, (t.ERROR_BAD_VALUE, t.CFG_DECKS))
        for request in (t.MSG_STATUS, t.MSG_IDENTIFY, t.MSG_PRIVILEGED, t.MSG_HISTORY_READ, 0, 99):
            body = bytes((request,)) + bytes(32)
            self.assertEqual(host.error(t.MSG_PRIVILEGED, body)[0], t.ERROR_BAD_VALUE)
        short = host.envelope(t.MSG_UPDATE, b"\0\1\0")
        self.assertEqual(host.error(t.MSG_PRIVILEGED, short), (t.ERROR_BAD_LENGTH, 35))

    def test_the_supervisor_key_at_the_panel_needs_no_key_and_over_the_wire_it_does(self):
        host = Host()
        host.provision()
        host.app.steps.raise_fault(t.FAULT_WATCHDOG)
        self.assertEqual(host.error(t.MSG_KEY, bytes((t.KEY_SUPERVISOR, 0)))[0], t.ERROR_NOT_AUTHORISED)
        self.assertEqual(host.app.faults.codes(), (t.FAULT_WATCHDOG,))
        answer, body = host.command(t.MSG_KEY, bytes((t.KEY_SUPERVISOR, 0)))
        self.assertEqual((answer, body[0], host.app.faults.codes()), (t.MSG_PRIVILEGED + 128, 1, ()))
        host.app.steps.raise_fault(t.FAULT_WATCHDOG)
        self.assertTrue(host.app.press(t.KEY_SUPERVISOR, 0))
        self.assertEqual(host.app.faults.codes(), ())

    def test_what_only_reads_needs_no_key(self):
        host = Host()
        host.provision()
        for kind, body in (
            (t.MSG_STATUS, b""),
            (t.MSG_CONFIG_READ, b""),
            (t.MSG_HISTORY_LIST, bytes(5)),
            (t.MSG_HISTORY_READ, struct.pack("<IHH", 0, 0, 64)),
            (t.MSG_SUBSCRIBE, bytes(5)),
            (t.MSG_TICKS, b""),
            (t.MSG_AUTHORITY, b""),
        ):
            self.assertEqual(host.ask(kind, body)[0], kind + 128)


class PlayTest(unittest.TestCase):
    def setUp(self):
        self.host = Host()
        self.host.provision()
        self.play_key = hmac_sha256(self.host.key, b"shoe play key 1")

    def open(self):
        nonce = self.host.challenge(t.MSG_PLAY_OPEN)
        answer, _ = self.host.ask(t.MSG_PRIVILEGED, self.host.envelope(t.MSG_PLAY_OPEN, b"", self.play_key, nonce))
        self.assertEqual(answer, t.MSG_PRIVILEGED + 128)
        self.key = hmac_sha256(self.play_key, b"shoe play 1" + nonce)

    def made(self, counter, key, argument=0, secret=None, later=0, phase=None):
        """A press for the table as it stands; `later`: for one so many records from now."""
        app = self.host.app
        phase = app.table.dealing.phase if phase is None else phase
        body = struct.pack("<IIBBB", counter, app.steps.next_record + later, phase, key, argument)
        return body + hmac_sha256(secret or self.key, body)

    def press(self, *arguments, **named):
        return self.host.ask(t.MSG_PLAY, self.made(*arguments, **named))

    def refused(self, code, *arguments, **named):
        answer, body = self.press(*arguments, **named)
        self.assertEqual((answer, body[1]), (t.MSG_ERROR, code))

    def test_keys_are_pressed_in_an_open_play_each_counter_once_and_never_the_floorpersons(self):
        self.key = bytes(32)
        self.refused(t.ERROR_NOT_AUTHORISED, 1, t.KEY_SEATS, 3)
        self.open()
        self.assertEqual(self.press(1, t.KEY_LOAD)[1][0], 1)
        self.refused(t.ERROR_NOT_AUTHORISED, 1, t.KEY_SEATS, 3)
        self.assertEqual(self.press(7, t.KEY_SEATS, 3)[1][0], 1)
        self.refused(t.ERROR_NOT_AUTHORISED, 6, t.KEY_SEATS, 3)
        for key in (t.KEY_SUPERVISOR, t.KEY_RESHUFFLE, t.KEY_VOID_ROUND):
            self.refused(t.ERROR_BAD_VALUE, 8, key)
        self.assertEqual(self.press(9, t.KEY_SEATS, 1)[1][0], 1)
        self.refused(t.ERROR_NOT_AUTHORISED, 10, t.KEY_SEATS, 3, secret=bytes(32))
        self.refused(t.ERROR_NOT_AUTHORISED, 10, t.KEY_SEATS, 3)  # a wrong tag ended the play
        self.open()
        self.host.ask(t.MSG_IDENTIFY, b"else")
        self.refused(t.ERROR_NOT_AUTHORISED, 11, t.KEY_SEATS, 3)

    def test_a_press_is_for_the_record_and_the_phase_that_its_controller_saw_and_for_no_later_table(self):
        self.open()
        self.assertEqual(self.press(1, t.KEY_LOAD)[1][0], 1)
        held = self.made(2, t.KEY_SEATS, 3)
        self.assertEqual(self.press(3, t.KEY_SEATS, 1)[1][0], 1)
        seats = self.host.app.table.dealing.st.seats
        self.refused(t.ERROR_NOT_ALLOWED_NOW, 4, t.KEY_SEATS, 3, later=-1)
        self.refused(t.ERROR_NOT_ALLOWED_NOW, 5, t.KEY_SEATS, 3, later=1)
        self.refused(t.ERROR_NOT_ALLOWED_NOW, 6, t.KEY_SEATS, 3, phase=t.PHASE_SETTLING)
        answer, body = self.host.ask(t.MSG_PLAY, held)  # its counter is behind too
        self.assertEqual((answer, body[1]), (t.MSG_ERROR, t.ERROR_NOT_AUTHORISED))
        self.assertEqual(self.host.app.table.dealing.st.seats, seats)
        self.assertEqual(self.press(7, t.KEY_SEATS, 3)[1][0], 1)

    def test_a_press_that_was_held_back_for_an_hour_is_refused_once_anything_was_recorded(self):
        self.open()
        held = self.made(1, t.KEY_LOAD)
        self.host.board.ms += 70 * 60000
        self.host.app.press(t.KEY_LOAD, 0)
        answer, body = self.host.ask(t.MSG_PLAY, held)
        self.assertEqual((answer, body[1]), (t.MSG_ERROR, t.ERROR_NOT_ALLOWED_NOW))
        answer, body = self.host.ask(t.MSG_PLAY, held)
        self.assertEqual((answer, body[1]), (t.MSG_ERROR, t.ERROR_NOT_AUTHORISED), "used up by its refusal")


class FirmwareTest(unittest.TestCase):
    def test_other_firmware_than_announced_is_a_fault_that_the_supervisor_does_not_clear(self):
        host = Host()
        host.provision()
        old, new = bytes(range(32)), bytes(range(7, 39))
        host.board.firmware = new
        again = Host(host.board)
        again.key = host.key
        self.assertIn(t.FAULT_FIRMWARE, again.app.faults.codes())
        self.assertTrue(again.board.stop)
        self.assertEqual(again.records(t.REC_FIRMWARE)[-1], (new, t.FIRMWARE_NOT_ANNOUNCED))
        again.app.press(t.KEY_SUPERVISOR, 0)
        self.assertIn(t.FAULT_FIRMWARE, again.app.faults.codes())
        self.assertEqual(again.error(t.MSG_UPDATE, b"\0\2\0" + new)[0], t.ERROR_NOT_AUTHORISED)
        self.assertEqual(again.command(t.MSG_UPDATE, b"\0\2\0" + new)[0], t.MSG_PRIVILEGED + 128)
        self.assertNotIn(t.FAULT_FIRMWARE, again.app.faults.codes())
        again.board.firmware = old
        self.assertIn(t.FAULT_FIRMWARE, Host(host.board).app.faults.codes())

    def test_the_firmware_that_was_announced_is_taken_at_the_next_start_and_the_old_one_until_then(self):
        host = Host()
        host.provision()
        new = bytes(range(9, 41))
        host.command(t.MSG_UPDATE, b"\0\2\0" + new)
        self.assertEqual(host.records(t.REC_UPDATE_ANNOUNCED), [(b"\0\2\0", new)])
        again = Host(host.board)
        self.assertEqual(again.app.faults.codes(), ())
        again.board.firmware = new
        third = Host(host.board)
        self.assertEqual(third.app.faults.codes(), ())
        self.assertEqual(third.records(t.REC_FIRMWARE)[-1], (new, t.FIRMWARE_AS_ANNOUNCED))
        fourth = Host(host.board)
        self.assertEqual(len(fourth.records(t.REC_FIRMWARE)), len(third.records(t.REC_FIRMWARE)))


if __name__ == "__main__":
    unittest.main()
