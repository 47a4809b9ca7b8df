"""Privileged commands on the device: RFC 4231, what a tag is bound to, one use, expiry, the delay and its memory."""

import gc
import struct
import unittest

from flash_memory import MemoryFlash, Power, PowerCut
from shoe import wire_table as t
from shoe.service_error import ServiceError
from shoe.trust import authority as rules
from shoe.trust.authority import EXPIRES_MS, Authority, hmac_sha256, same

TICKS = 1 << 30
_CHIP = bytearray(512)  # one for all shoes: a small heap goes to pieces otherwise
KEY = bytes(range(1, 33))
OTHER = bytes(range(60, 92))
CONTEXT = b"shoe0001" + b"\x34\x12"
SESSION = b"sess"
BODY = b"\x03\x08\x00\x00\x00"


def unhex(text):
    """Bytes of hexadecimal text."""
    return bytes([int(text[i : i + 2], 16) for i in range(0, len(text), 2)])


# RFC 4231, section 4: key, data, HMAC-SHA-256 (test case 5 shows only its first 128 bits).
RFC_4231 = (
    (b"\x0b" * 20, b"Hi There", "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"),
    (b"Jefe", b"what do ya want for nothing?", "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"),
    (b"\xaa" * 20, b"\xdd" * 50, "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"),
    (bytes(range(1, 26)), b"\xcd" * 50, "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b"),
    (b"\x0c" * 20, b"Test With Truncation", "a3b6167473100ee06e0c796c2955552b"),
    (
        b"\xaa" * 131,
        b"Test Using Larger Than Block-Size Key - Hash Key First",
        "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54",
    ),
    (
        b"\xaa" * 131,
        b"This is a test using a larger than block-size key and a larger than block-size data. The key needs to be "
        b"hashed before being used by the HMAC algorithm.",
        "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2",
    ),
)


class Shoe:
    """The authority of one shoe on flash in memory, its clock and its random numbers."""

    def __init__(self, ms=TICKS - 3):
        gc.collect()
        for i in range(len(_CHIP)):
            _CHIP[i] = 0xFF
        self.power = Power(seed=7)
        self.flash = MemoryFlash(2, self.power, 256, _CHIP)
        self.ms = ms
        self.drawn = 0
        self.stuck = False
        self.restart()

    def restart(self):
        """Lose what is in RAM; the clock starts anew."""
        self.of = Authority(self.flash, 0, self.entropy, lambda: self.ms)
        self.of.start()

    def entropy(self, n):
        if self.stuck:
            return b"\x07" * n
        self.drawn += 1
        return struct.pack("<I", self.drawn) * (n // 4)

    def wait(self, ms):
        """Let time pass, with the turns of the application's loop that come meanwhile."""
        while ms > 0:
            step = min(ms, 100000000)
            self.ms = (self.ms + step) % TICKS
            self.of.idle()
            ms -= step

    def challenge(self, request=t.MSG_CONFIG_WRITE, session=SESSION):
        return rules.challenge(self.of, request, session)

    def check(self, tag, request=t.MSG_CONFIG_WRITE, body=BODY, context=CONTEXT, session=SESSION):
        return rules.check(self.of, request, tag, body, context, session)


def tag(nonce, key=KEY, request=t.MSG_CONFIG_WRITE, body=BODY, context=CONTEXT, session=SESSION):
    """What PROTOCOL.md, section 12, says that the holder of the key computes."""
    return hmac_sha256(
        key, b"shoe command 1" + context + session + struct.pack("<BH", request, len(body)) + nonce, body
    )


def provisioned(ms=TICKS - 3):
    """A shoe with KEY."""
    shoe = Shoe(ms)
    rules.keep(shoe.of, KEY, bytes(32))
    return shoe


class TagTest(unittest.TestCase):
    def test_the_vectors_of_rfc_4231(self):
        for key, data, expected in RFC_4231:
            wanted = unhex(expected)
            for cut in (0, 1, len(data) // 2, len(data)):
                self.assertEqual(hmac_sha256(key, data[:cut], data[cut:])[: len(wanted)], wanted)

    def test_only_the_same_32_bytes_are_the_same(self):
        wanted = hmac_sha256(KEY, b"x")
        self.assertTrue(same(wanted, bytes(wanted)))
        for i in range(32):
            for bit in (1, 0x80):
                wrong = bytearray(wanted)
                wrong[i] ^= bit
                self.assertFalse(same(wanted, bytes(wrong)))
        for n in (0, 4, 16, 31):
            self.assertFalse(same(wanted, wanted[:n]))
        self.assertFalse(same(wanted[:4], wanted[:4]))
        self.assertFalse(same(wanted, wanted + b"\0"))


class ChallengeTest(unittest.TestCase):
    def refused(self, shoe, code, *arguments, **named):
        with self.assertRaises(ServiceError) as caught:
            shoe.check(*arguments, **named)
        self.assertEqual(caught.exception.code, code)
        return caught.exception.detail

    def test_the_right_tag_is_taken_once(self):
        shoe = provisioned()
        nonce = shoe.challenge()
        self.assertEqual(shoe.check(tag(nonce)), nonce)
        self.assertEqual(shoe.of.failures, 0)
        self.refused(shoe, t.ERROR_NO_CHALLENGE, tag(nonce))

    def test_a_tag_is_bound_to_device_epoch_session_request_challenge_arguments_and_key(self):
        for wrong in (
            {"context": b"shoe0002" + b"\x34\x12"},
            {"context": b"shoe0001" + b"\x35\x12"},
            {"session": b"sesS"},
            {"request": t.MSG_UPDATE},
            {"body": BODY[:4] + b"\x01"},
            {"body": BODY[:4]},
            {"body": BODY + b"\x00"},
            {"key": OTHER},
        ):
            shoe = provisioned()
            nonce = shoe.challenge()
            self.refused(shoe, t.ERROR_WRONG_KEY, tag(nonce, **wrong))
            self.assertEqual(shoe.of.verdict, t.ATTEMPT_WRONG_KEY)
        shoe = provisioned()
        nonce = shoe.challenge()
        self.refused(shoe, t.ERROR_WRONG_KEY, tag(bytes(32)))

    def test_a_tag_that_is_cut_is_refused(self):
        for n in (0, 4, 16, 31):
            shoe = provisioned()
            self.refused(shoe, t.ERROR_WRONG_KEY, tag(shoe.challenge())[:n])

    def test_a_challenge_is_for_its_request_and_session_alone(self):
        shoe = provisioned()
        nonce = shoe.challenge()
        self.refused(shoe, t.ERROR_NO_CHALLENGE, tag(nonce, request=t.MSG_KEY), request=t.MSG_KEY)
        nonce = shoe.challenge()
        self.refused(shoe, t.ERROR_NO_CHALLENGE, tag(nonce, session=b"next"), session=b"next")
        self.assertEqual(shoe.of.failures, 0)

    def test_a_new_challenge_takes_the_place_of_the_one_before(self):
        shoe = provisioned()
        old = shoe.challenge()
        self.assertNotEqual(old, shoe.challenge())
        self.refused(shoe, t.ERROR_WRONG_KEY, tag(old))

    def test_a_challenge_expires_also_over_the_wrap_of_the_clock(self):
        for start in (5, TICKS - 3, TICKS - EXPIRES_MS + 1):
            shoe = provisioned(start)
            nonce = shoe.challenge()
            shoe.wait(EXPIRES_MS - 1)
            shoe.check(tag(nonce))
            nonce = shoe.challenge()
            shoe.wait(EXPIRES_MS)
            self.refused(shoe, t.ERROR_NO_CHALLENGE, tag(nonce))
            self.assertEqual(shoe.of.verdict, t.ATTEMPT_EXPIRED)
            nonce = shoe.challenge()
            shoe.wait(TICKS)  # 12.4 days later the clock shows the same time again
            self.refused(shoe, t.ERROR_NO_CHALLENGE, tag(nonce))

    def test_a_restart_forgets_the_challenge(self):
        shoe = provisioned()
        nonce = shoe.challenge()
        shoe.restart()
        self.refused(shoe, t.ERROR_NO_CHALLENGE, tag(nonce))

    def test_without_entropy_or_with_a_source_that_repeats_itself_there_is_no_challenge(self):
        shoe = provisioned()
        shoe.stuck = True
        shoe.challenge()
        with self.assertRaises(ServiceError) as caught:
            shoe.challenge()
        self.assertEqual(caught.exception.code, t.ERROR_NO_ENTROPY)
        self.refused(shoe, t.ERROR_NO_CHALLENGE, tag(b"\x07" * 32))

    def test_a_shoe_without_a_key_gives_no_challenge_and_takes_no_tag(self):
        shoe = Shoe()
        self.assertEqual(shoe.of.state, t.AUTHORITY_OPEN)
        with self.assertRaises(ServiceError) as caught:
            shoe.challenge()
        self.assertEqual(caught.exception.code, t.ERROR_NOT_PROVISIONED)
        self.refused(shoe, t.ERROR_NOT_PROVISIONED, tag(bytes(32), key=b""))

    def test_the_play_key_opens_play_and_nothing_else_and_the_command_key_does_not_open_play(self):
        shoe = provisioned()
        play = rules.play_key(shoe.of)
        for request in (t.MSG_CONFIG_WRITE, t.MSG_KEY, t.MSG_UPDATE):
            nonce = shoe.challenge(request)
            self.refused(shoe, t.ERROR_WRONG_KEY, tag(nonce, play, request), request=request)
            shoe.wait(4000)
        nonce = shoe.challenge(t.MSG_PLAY_OPEN)
        self.refused(shoe, t.ERROR_WRONG_KEY, tag(nonce, KEY, t.MSG_PLAY_OPEN), request=t.MSG_PLAY_OPEN)
        shoe.wait(8000)
        nonce = shoe.challenge(t.MSG_PLAY_OPEN)
        shoe.check(tag(nonce, play, t.MSG_PLAY_OPEN), t.MSG_PLAY_OPEN)

    def test_damaged_notes_take_no_command_whatever_its_tag(self):
        shoe = provisioned()
        for page in (0, 256):
            for at in range(4, 20):
                shoe.flash.data[page + at] ^= 0x10
        shoe.restart()
        self.assertEqual(shoe.of.state, t.AUTHORITY_DAMAGED)
        with self.assertRaises(ServiceError) as caught:
            shoe.challenge()
        self.assertEqual(caught.exception.code, t.ERROR_NOT_AUTHORISED)
        self.refused(shoe, t.ERROR_NOT_AUTHORISED, tag(bytes(32)))


class DelayTest(unittest.TestCase):
    def fail(self, shoe):
        """One wrong key; the milliseconds until the next challenge."""
        shoe.challenge()
        with self.assertRaises(ServiceError) as caught:
            shoe.check(bytes(32))
        self.assertEqual(caught.exception.code, t.ERROR_WRONG_KEY)
        return caught.exception.detail

    def waits(self, shoe):
        """The wait that a challenge is refused with, 0 when it is given."""
        try:
            shoe.challenge()
        except ServiceError as error:
            self.assertEqual(error.code, t.ERROR_WAIT)
            return error.detail
        return 0

    def test_the_delay_doubles_from_one_second_to_an_hour_and_a_success_ends_it(self):
        shoe = provisioned()
        seen = []
        for _ in range(15):
            wait = self.fail(shoe)
            seen.append(wait)
            self.assertEqual(self.waits(shoe), wait)
            shoe.wait(wait - 1)
            self.assertEqual(self.waits(shoe), 1)
            shoe.wait(1)
        self.assertEqual(seen, [1000 << i for i in range(12)] + [3600000] * 3)
        shoe.check(tag(shoe.challenge()))
        self.assertEqual(self.fail(shoe), 1000)

    def test_a_restart_does_not_skip_the_delay_but_begins_it_again(self):
        shoe = provisioned()
        for _ in range(4):
            shoe.wait(self.fail(shoe))
        self.assertEqual(self.fail(shoe), 16000)
        shoe.wait(15000)
        for _ in range(3):
            shoe.ms = 20
            shoe.restart()
            self.assertEqual(self.waits(shoe), 16000)
        shoe.wait(16000)
        self.assertEqual(self.fail(shoe), 32000)

    def test_a_delay_that_is_over_does_not_come_back_when_the_clock_wraps(self):
        shoe = provisioned()
        shoe.wait(self.fail(shoe))
        shoe.wait(TICKS // 2 + 100)
        self.assertEqual(self.waits(shoe), 0)

    def test_what_tests_no_key_makes_no_delay(self):
        shoe = provisioned()
        for _ in range(5):
            with self.assertRaises(ServiceError):
                shoe.check(bytes(32))
        self.assertEqual(self.waits(shoe), 0)


class PowerCutTest(unittest.TestCase):
    def test_a_wrong_key_counts_before_it_is_compared_wherever_the_power_is_cut(self):
        cuts = 0
        for budget in range(60):
            shoe = provisioned()
            with_verdict = False
            nonce = shoe.challenge()
            shoe.power.arm(budget)
            try:
                shoe.check(tag(nonce, OTHER))
            except PowerCut:
                cuts += 1
            except ServiceError as error:
                with_verdict = error.code == t.ERROR_WRONG_KEY
            shoe.power.arm(None)
            shoe.restart()
            self.assertEqual(shoe.of.state, t.AUTHORITY_PROVISIONED)
            self.assertEqual(shoe.of.key, KEY)
            self.assertIn(shoe.of.failures, (1,) if with_verdict else (0, 1))
        self.assertGreater(cuts, 5)

    def test_provisioning_is_whole_or_not_there_wherever_the_power_is_cut(self):
        cuts = 0
        found = []
        for budget in range(400):
            shoe = Shoe()
            shoe.power.arm(budget)
            try:
                rules.keep(shoe.of, KEY, OTHER)
                done = True
            except PowerCut:
                cuts += 1
                done = False
            shoe.power.arm(None)
            shoe.restart()
            found.append(shoe.of.state)  # damaged: the application finds no record of a key and takes it for open
            if done:
                self.assertEqual(shoe.of.state, t.AUTHORITY_PROVISIONED)
            if shoe.of.state == t.AUTHORITY_PROVISIONED:
                self.assertEqual((shoe.of.key, shoe.of.firmware), (KEY, OTHER))
        self.assertGreater(cuts, 100)
        self.assertIn(t.AUTHORITY_OPEN, found)
        self.assertEqual(found[-1], t.AUTHORITY_PROVISIONED)

    def test_a_new_key_is_in_force_or_the_old_one_is_and_the_old_one_does_not_stay_in_flash(self):
        keys = []
        for budget in range(0, 700, 3):
            shoe = provisioned()
            shoe.power.arm(budget)
            try:
                rules.keep(shoe.of, OTHER, KEY)
            except PowerCut:
                pass
            shoe.power.arm(None)
            shoe.restart()
            keys.append(shoe.of.key)
            self.assertIn(shoe.of.key, (KEY, OTHER))
        self.assertIn(KEY, keys)
        self.assertEqual(keys[-1], OTHER)
        while shoe.of.idle():
            pass
        self.assertEqual(bytes(shoe.flash.data).count(KEY[:8]), 1)  # what the test gave as the firmware's digest


if __name__ == "__main__":
    unittest.main()
