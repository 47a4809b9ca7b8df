"""The device's frame codec against the vectors that the host's codec passes too, and its bounds on memory."""

import json
import unittest

from link_fake import frame, frames, pattern
from shoe.compat import heap_lock, heap_unlock
from shoe.line.wire import (
    CRC,
    HEADER_SIZE,
    LENGTH,
    LONG,
    MAX_BODY,
    MAX_FRAME,
    MAX_PAYLOAD,
    NONE,
    OK,
    SHORT,
    TRUNCATED,
    FrameReader,
    FrameWriter,
    encode_cobs,
)

NAMES = {OK: "ok", SHORT: "short", LONG: "long", TRUNCATED: "truncated", LENGTH: "length", CRC: "crc"}


def vectors():
    folder = __file__.rsplit("/", 1)[0] if "/" in __file__ else "."
    with open(folder + "/../vectors/wire.json") as file:
        return json.load(file)["cases"]


def unhex(text):
    return bytes([int(text[i : i + 2], 16) for i in range(0, len(text), 2)])


def run(reader, data, step):
    """Feed the data in pieces of `step` bytes; return (status name, fields or None) of all that came out."""
    found = []
    for start in range(0, len(data), step):
        at = start
        end = min(start + step, len(data))
        while at < end:
            at = reader.feed(data, at, end)
            if reader.status == OK:
                payload = bytes(reader.buffer[HEADER_SIZE : HEADER_SIZE + reader.length])
                found.append(("ok", (reader.version, reader.kind, reader.epoch, reader.sequence, payload)))
            elif reader.status != NONE:
                found.append((NAMES[reader.status], None))
    return found


class TestVectors(unittest.TestCase):
    def test_every_vector_in_pieces_of_any_size(self):
        for case in vectors():
            wanted = []
            for e in case["expect"]:
                fields = None
                if e["status"] == "ok":
                    fields = (e["version"], e["kind"], e["epoch"], e["sequence"], unhex(e["payload"]))
                wanted.append((e["status"], fields))
            for step in (1, 7, 5000):
                with self.subTest(case=case["name"], step=step):
                    self.assertEqual(run(FrameReader(), unhex(case["line"]), step), wanted)

    def test_good_frames_are_encoded_byte_by_byte_as_in_the_vectors(self):
        seen = 0
        for case in vectors():
            expect = case["expect"]
            if len(expect) != 1 or expect[0]["status"] != "ok" or expect[0]["version"] != 0x14:
                continue
            e = expect[0]
            made = frame(e["kind"], unhex(e["payload"]), e["sequence"], e["epoch"])
            line = unhex(case["line"])
            with self.subTest(case=case["name"]):
                self.assertEqual(made, line if line[0] == 0 else b"\0" + line)
            seen += 1
        self.assertGreater(seen, 15)


class TestEncoding(unittest.TestCase):
    def test_every_payload_length_comes_back_and_no_frame_is_longer_than_the_buffer(self):
        longest = 0
        for size in range(MAX_PAYLOAD + 1):
            payload = pattern(size, size)
            data = frame(64, payload, size, 9)
            longest = max(longest, len(data))
            self.assertEqual(data.count(b"\0"), 2)
            self.assertEqual(frames(data), [(64, 9, size, payload)])
        self.assertLessEqual(longest, MAX_FRAME)

    def test_a_payload_that_does_not_fit_is_refused(self):
        with self.assertRaises(ValueError):
            FrameWriter().encode(64, 1, 1, MAX_PAYLOAD + 1, bytearray(MAX_FRAME + 9), 0)

    def test_cobs_of_zeros_and_of_no_zeros(self):
        out = bytearray(400)
        for data, wanted in (
            (b"", b"\x01"),
            (b"\0", b"\x01\x01"),
            (b"\0\0", b"\x01\x01\x01"),
            (b"\x11\x22\0\x33", b"\x03\x11\x22\x02\x33"),
            (b"\x11\0\0\0", b"\x02\x11\x01\x01\x01"),
            (b"\x01" * 254, b"\xff" + b"\x01" * 254),
            (b"\x01" * 255, b"\xff" + b"\x01" * 254 + b"\x02\x01"),
            (b"\x01" * 254 + b"\0", b"\xff" + b"\x01" * 254 + b"\x01\x01"),
        ):
            n = encode_cobs(data, len(data), out, 0)
            self.assertEqual(bytes(out[:n]), wanted)


class TestReader(unittest.TestCase):
    def test_the_next_whole_frame_is_found_after_any_garbage(self):
        good = frame(2, b"", 5, 1)
        for size in (1, 2, 3, 11, 12, 13, 50, 254, 255, 256, MAX_BODY, MAX_BODY + 1, 2000):
            for seed in range(5):
                noise = pattern(seed * 7919 + size, size)
                with self.subTest(size=size, seed=seed):
                    found = frames(noise + good + good)
                    self.assertEqual(found[-2:], [(2, 1, 5, b"")] * 2)

    def test_garbage_and_stray_text_are_received_without_allocating(self):
        reader = FrameReader()
        noise = pattern(99, 700) + b"Traceback (most recent call last):\r\n  File\n" + b"\0\x01\0\x03ab\0"
        statuses = bytearray(300)
        self._drain(reader, noise, statuses)
        reader = FrameReader()
        heap_lock()
        try:
            count = self._drain(reader, noise, statuses)
        finally:
            heap_unlock()
        self.assertGreater(count, 3)
        # No piece was so much like a frame that its CRC was looked at.
        self.assertEqual([s for s in statuses[:count] if s == OK or s == CRC], [])

    def _drain(self, reader, noise, statuses):
        at = 0
        count = 0
        end = len(noise)
        while at < end:
            at = reader.feed(noise, at, end)
            if reader.status != NONE:
                statuses[count] = reader.status
                count += 1
        return count

    def test_every_single_bit_error_in_a_frame_is_noticed(self):
        good = frame(12, b"\x03\x00", 0x0102, 77)
        for bit in range(8 * len(good)):
            damaged = bytearray(good)
            damaged[bit >> 3] ^= 1 << (bit & 7)
            found = frames(bytes(damaged) + good)
            whole = [f for f in found if f == (12, 77, 0x0102, b"\x03\x00")]
            self.assertEqual(found, whole, bit)
            self.assertGreaterEqual(len(whole), 1)


if __name__ == "__main__":
    unittest.main()
