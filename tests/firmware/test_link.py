"""The device's end of the line: requests carried out once, events that never block, hosts of every kind of rudeness."""

import struct
import unittest

from link_fake import FakeService, Line, frame, frames, pattern
from shoe.compat import heap_lock, heap_unlock
from shoe.line.link import KEPT_PAYLOAD, MAX_HISTORY_DATA
from shoe.line.wire import MAX_FRAME
from shoe.wire_table import (
    ANSWER_FORMATS,
    ERROR_BAD_LENGTH,
    ERROR_BAD_VALUE,
    ERROR_NO_SUCH_PAGE,
    ERROR_STALE_EPOCH,
    ERROR_UNKNOWN_MESSAGE,
    ERROR_VERSION,
    MSG_CHALLENGE,
    MSG_CONFIG_READ,
    MSG_CONFIG_WRITE,
    MSG_ERROR,
    MSG_EVENT,
    MSG_EVENT_READ,
    MSG_HISTORY_FETCHED,
    MSG_HISTORY_LIST,
    MSG_HISTORY_READ,
    MSG_IDENTIFY,
    MSG_KEY,
    MSG_LOG,
    MSG_SELF_TEST,
    MSG_STATUS,
    MSG_SUBSCRIBE,
    MSG_TICKS,
    MSG_TRACE,
    PRIVILEGED_REQUESTS,
)

SESSION = b"\1\2\3\4"


class LinkCase(unittest.TestCase):
    def setUp(self):
        self.service = FakeService(records=30, pages=1, last_used=4096)
        self.line = Line(self.service)
        self.link = self.line.link
        self.sequence = 100

    def ask(self, kind, payload=b"", **how):
        self.sequence += 1
        return self.line.ask(kind, payload, sequence=self.sequence, **how)

    def open_session(self, session=SESSION):
        return self.ask(MSG_IDENTIFY, session, epoch=0)

    def assert_error(self, answers, request, code, detail=None):
        self.assertEqual(len(answers), 1)
        kind, _, sequence, payload = answers[0]
        self.assertEqual((kind, sequence), (MSG_ERROR, self.sequence))
        fields = struct.unpack("<BBI", payload)
        self.assertEqual(fields[:2], (request, code))
        if detail is not None:
            self.assertEqual(fields[2], detail)


class TestRequests(LinkCase):
    def test_identify_needs_no_epoch_and_tells_it(self):
        ((kind, epoch, sequence, payload),) = self.open_session()
        self.assertEqual((kind, epoch, sequence), (MSG_IDENTIFY + 128, 17, 101))
        self.assertEqual(struct.unpack_from("<BB8s3sHH", payload), (1, 0, b"shoe0001", b"\0\1\0", 1, 17))
        self.assertEqual(payload[17:], b"fake")

    def test_a_request_without_fields_and_one_with_a_rest(self):
        self.assertEqual(self.ask(MSG_TICKS)[0][3], struct.pack("<HIIH", 1, 12, 12000, 3))
        self.assertEqual(self.ask(MSG_CONFIG_WRITE, struct.pack("<BI", 3, 8))[0][3], struct.pack("<I", 1234))
        self.assertEqual(self.service.config, {3: 8})
        self.assertEqual(self.ask(MSG_CONFIG_READ)[0][3], struct.pack("<IBI", 1234, 3, 8))

    def test_a_refusal_names_request_code_and_detail(self):
        self.assert_error(self.ask(MSG_CONFIG_WRITE, struct.pack("<BI", 3, 5000)), MSG_CONFIG_WRITE, ERROR_BAD_VALUE, 3)
        self.assert_error(
            self.ask(MSG_HISTORY_READ, struct.pack("<IHH", 99, 0, 9)), MSG_HISTORY_READ, ERROR_NO_SUCH_PAGE
        )

    def test_an_unknown_request_is_refused_and_does_no_harm(self):
        self.assert_error(self.ask(63, b"what"), 63, ERROR_UNKNOWN_MESSAGE)
        self.assertEqual(len(self.ask(MSG_STATUS)), 1)

    def test_a_request_that_is_too_short_is_refused_and_a_longer_one_is_read(self):
        self.assert_error(self.ask(MSG_KEY, b"\1"), MSG_KEY, ERROR_BAD_LENGTH, 2)
        self.assert_error(self.ask(MSG_IDENTIFY, b"\1", epoch=0), MSG_IDENTIFY, ERROR_BAD_LENGTH)
        self.ask(MSG_KEY, b"\1\2 and what a newer host adds")
        self.assertEqual(self.service.keys, [(1, 2)])

    def test_another_major_version_gets_an_error_and_nothing_is_carried_out(self):
        other = bytearray(frame(MSG_KEY, b"\1\2", 7, 17))
        import shoe.line.wire

        version, shoe.line.wire.VERSION = shoe.line.wire.VERSION, 0x20
        try:
            other = frame(MSG_KEY, b"\1\2", 7, 17)
        finally:
            shoe.line.wire.VERSION = version
        self.line.give(other)
        ((kind, _, sequence, payload),) = frames(self.line.take())
        self.assertEqual((kind, sequence), (MSG_ERROR, 7))
        self.assertEqual(struct.unpack("<BBI", payload), (MSG_KEY, ERROR_VERSION, 0x104))
        self.assertEqual(self.service.keys, [])

    def test_frames_that_are_no_requests_are_ignored_as_on_an_echoing_line(self):
        for kind in (0, MSG_EVENT, MSG_LOG, MSG_ERROR, MSG_STATUS + 128, 255):
            self.assertEqual(self.ask(kind, b"\0" * 12), [])
        self.assertEqual(self.link.ignored, 6)

    def test_a_page_comes_back_in_pieces_no_longer_than_a_frame_takes(self):
        page = b""
        while len(page) < 4096:
            ((kind, _, _, payload),) = self.ask(MSG_HISTORY_READ, struct.pack("<IHH", 5, len(page), 0xFFFF))
            self.assertEqual(kind, MSG_HISTORY_READ + 128)
            number, offset, used = struct.unpack_from("<IHH", payload)
            self.assertEqual((number, offset, used), (5, len(page), 4096))
            self.assertLessEqual(len(payload) - 8, MAX_HISTORY_DATA)
            page += payload[8:]
        self.assertEqual(page, self.service.pages[0])

    def test_the_host_bounds_long_answers(self):
        payload = self.ask(MSG_HISTORY_LIST, struct.pack("<IB", 0, 0))[0][3]
        self.assertEqual((payload[0], len(payload)), (1, 1 + 16 * 20))
        payload = self.ask(MSG_HISTORY_LIST, struct.pack("<IB", 0, 2))[0][3]
        self.assertEqual((payload[0], len(payload)), (1, 1 + 2 * 20))
        payload = self.ask(MSG_HISTORY_LIST, struct.pack("<IB", 29, 2))[0][3]
        self.assertEqual((payload[0], len(payload)), (0, 1 + 2 * 20))
        payload = self.ask(MSG_TRACE, struct.pack("<BHH", 0, 0, 30))[0][3]
        self.assertEqual(len(payload), 7 + 30)


class TestOnce(LinkCase):
    def test_a_repeated_request_is_answered_alike_and_carried_out_once(self):
        self.open_session()
        data = frame(MSG_KEY, b"\5\6", 200, 17)
        answers = []
        for _ in range(5):
            self.line.give(data)
            answers += frames(self.line.take())
        self.assertEqual(len(answers), 5)
        self.assertEqual(answers, [answers[0]] * 5)
        self.assertEqual(self.service.keys, [(5, 6)])
        self.assertEqual(self.link.duplicates, 4)

    def test_a_piece_of_a_history_is_read_again_and_pushes_no_answer_out(self):
        self.open_session()
        key = frame(MSG_KEY, b"\5\6", 200, 17)
        self.line.give(key)
        kept = frames(self.line.take())
        piece = frame(MSG_HISTORY_READ, struct.pack("<IHH", 5, 0, 300), 201, 17)
        for sequence in range(201, 215):
            self.line.give(frame(MSG_HISTORY_READ, struct.pack("<IHH", 5, 0, 300), sequence, 17))
        answers = frames(self.line.take())
        self.assertEqual(len(answers), 14)
        self.line.give(piece)
        self.assertEqual(frames(self.line.take()), answers[:1])
        self.assertEqual((self.link.duplicates, self.link.replayed), (0, 0))
        self.line.give(key)
        self.assertEqual(frames(self.line.take()), kept)
        self.assertEqual(self.service.keys, [(5, 6)])

    def test_a_request_that_is_alike_one_of_65536_before_is_a_new_one(self):
        self.open_session()
        for sequence in list(range(200, 0x10000, 1000)) + [199, 200]:
            if sequence == 200:
                self.line.give(frame(MSG_KEY, b"\5\6", 200, 17))
            else:
                self.line.give(frame(MSG_HISTORY_READ, struct.pack("<IHH", 5, 0, 300), sequence, 17))
            self.line.take()
        self.assertEqual(self.service.keys, [(5, 6), (5, 6)])

    def test_whatever_changes_something_is_answered_shortly_enough_to_be_kept(self):
        for kind in PRIVILEGED_REQUESTS + (MSG_CHALLENGE, MSG_SELF_TEST, MSG_SUBSCRIBE, MSG_EVENT_READ):
            self.assertLessEqual(struct.calcsize(ANSWER_FORMATS[kind]), KEPT_PAYLOAD)

    def test_a_refusal_is_repeated_too(self):
        data = frame(MSG_HISTORY_FETCHED, struct.pack("<I", 31), 200, 17)
        self.line.give(data)
        self.line.give(data)
        answers = frames(self.line.take())
        self.assertEqual(len(answers), 2)
        self.assertEqual(answers[0], answers[1])

    def test_requests_that_overtake_each_other_are_each_carried_out_once(self):
        self.open_session()
        for sequence in (200, 203, 201, 202, 202, 200, 204):
            self.line.give(frame(MSG_KEY, bytes((1, sequence & 0xFF)), sequence, 17))
        self.assertEqual([a for _, a in self.service.keys], [200, 203, 201, 202, 204])

    def test_an_old_request_replayed_after_its_answer_left_the_cache_is_not_carried_out(self):
        self.open_session()
        old = frame(MSG_KEY, b"\1\1", 300, 17)
        self.line.give(old)
        for sequence in range(301, 340):
            self.line.give(frame(MSG_TICKS, b"", sequence, 17))
            self.line.take()
            if sequence in (310, 339):
                # Inside the window of sequences that are told apart, and beyond it.
                self.line.give(old)
                self.assertEqual(frames(self.line.take()), [])
        self.assertEqual(self.service.keys, [(1, 1)])
        self.assertEqual(self.link.replayed, 2)

    def test_sequences_run_over_the_top(self):
        self.sequence = 65531
        self.open_session()
        for sequence in (65533, 65534, 65535, 0, 1, 2):
            self.line.give(frame(MSG_KEY, bytes((1, sequence & 0xFF)), sequence, 17))
        self.assertEqual(len(self.service.keys), 6)

    def test_a_new_session_starts_afresh_and_the_same_one_keeps_its_answers(self):
        self.open_session()
        data = frame(MSG_KEY, b"\1\1", 5000, 17)
        self.line.give(data)
        self.line.take()
        self.open_session()
        self.line.give(data)
        self.assertEqual(len(frames(self.line.take())), 1)
        self.assertEqual(len(self.service.keys), 1)
        self.open_session(b"next")
        self.line.give(data)
        self.assertEqual(len(self.service.keys), 2)

    def test_a_request_meant_for_an_earlier_life_is_refused(self):
        self.assert_error(self.ask(MSG_KEY, b"\1\1", epoch=16), MSG_KEY, ERROR_STALE_EPOCH, 17)
        self.assert_error(self.ask(MSG_STATUS, epoch=0), MSG_STATUS, ERROR_STALE_EPOCH, 17)
        self.assertEqual(self.service.keys, [])
        self.assertEqual(self.link.stale, 2)


class TestEvents(LinkCase):
    def subscribe(self):
        self.open_session()
        self.ask(MSG_SUBSCRIBE, struct.pack("<BI", 1, 0xFFFFFFFF))

    def test_nothing_is_pushed_until_somebody_subscribes(self):
        self.assertFalse(self.service.push(1))
        self.subscribe()
        self.assertTrue(self.service.push(1))
        ((kind, _, _, payload),) = frames(self.line.take())
        self.assertEqual((kind, struct.unpack_from("<IHIB", payload)), (MSG_EVENT, (1, 1, 10, 7)))
        self.ask(MSG_SUBSCRIBE, struct.pack("<BI", 0, 0))
        self.assertFalse(self.service.push(2))

    def test_a_new_session_is_not_subscribed(self):
        self.subscribe()
        self.open_session(b"next")
        self.assertFalse(self.service.push(1))

    def test_records_asked_for_again_come_before_the_answer(self):
        answers = self.ask(MSG_EVENT_READ, struct.pack("<IB", 28, 9))
        self.assertEqual([a[0] for a in answers], [MSG_EVENT, MSG_EVENT, MSG_EVENT, MSG_EVENT_READ + 128])
        self.assertEqual(struct.unpack("<IB", answers[-1][3]), (28, 3))

    def test_a_host_that_stops_reading_costs_events_and_nothing_else(self):
        self.subscribe()
        self.line.room = 0
        pushed = [self.service.push(1 + i % 30) for i in range(500)]
        self.assertTrue(pushed[0])
        self.assertFalse(pushed[-1])
        kept = pushed.count(True)
        self.assertEqual(self.link.dropped_events, 500 - kept)
        # There is still room for an answer.
        self.line.give(frame(MSG_TICKS, b"", 900, 17))
        self.line.room = None
        self.link.pump()
        found = frames(self.line.take())
        self.assertEqual([f[0] for f in found], [MSG_EVENT] * kept + [MSG_TICKS + 128])
        self.assertEqual(self.link.pump(), 0)

    def test_requests_wait_for_room_rather_than_being_carried_out_without_an_answer(self):
        self.line = Line(self.service, queue=900)
        self.link = self.line.link
        self.open_session()
        self.line.room = 0
        for i in range(60):
            self.line.give(frame(MSG_KEY, bytes((1, i)), 1000 + i, 17))
        done = len(self.service.keys)
        self.assertLess(done, 60)
        self.assertEqual(self.link.dropped_answers, 60 - done)
        self.line.room = None
        self.link.pump()
        self.assertEqual(len(frames(self.line.take())), done)
        for i in range(done - 7, 60):
            self.line.take()
            self.line.give(frame(MSG_KEY, bytes((1, i)), 1000 + i, 17))
        self.assertEqual([a for _, a in self.service.keys], list(range(60)))

    def test_a_line_that_takes_a_few_bytes_at_a_time_gets_whole_frames_in_order(self):
        self.subscribe()
        pushed = 0
        got = bytearray()
        for turn in range(400):
            self.line.room = (turn * 7) % 23
            if self.service.push(1 + turn % 30):
                pushed += 1
            self.link.pump()
            got += self.line.take()
        self.line.room = None
        self.link.pump()
        got += self.line.take()
        found = frames(got)
        self.assertEqual(len(found), pushed)
        self.assertEqual([f[2] for f in found], list(range(pushed)))
        self.assertGreater(self.link.dropped_events, 10)

    def test_log_text_is_cut_between_characters(self):
        self.link.send_log("ready")
        self.link.send_log("x" + "é" * 400)
        found = frames(self.line.take())
        self.assertEqual([f[0] for f in found], [MSG_LOG, MSG_LOG])
        self.assertEqual(found[0][3], b"ready")
        self.assertEqual(found[1][3].decode(), "x" + "é" * 181)


class TestGarbage(LinkCase):
    def test_noise_is_counted_and_the_next_request_is_answered(self):
        for seed in range(40):
            noise = pattern(seed, 1 + seed * 37 % 900)
            self.line.give(noise)
            self.assertEqual(frames(self.line.take()), [])
            self.assertEqual(len(self.ask(MSG_TICKS)), 1)
        self.assertGreater(self.link.damaged, 40)

    def test_garbage_is_received_without_allocating(self):
        noise = pattern(7, 900) + b"\r\nTraceback (most recent call last):\r\n" + bytes(5)
        receive = self.link.receive
        receive(noise, len(noise))
        before = self.link.damaged
        heap_lock()
        try:
            receive(noise, len(noise))
        finally:
            heap_unlock()
        self.assertGreater(self.link.damaged, before)

    def test_0x03_everywhere_is_data(self):
        self.open_session()
        self.line.give(frame(MSG_KEY, b"\3\3", 0x0303, 17))
        self.assertEqual(self.service.keys, [(3, 3)])

    def test_the_queue_holds_one_longest_answer_at_least(self):
        line = Line(FakeService(pages=1), queue=MAX_FRAME)
        ((kind, _, _, payload),) = line.ask(MSG_HISTORY_READ, struct.pack("<IHH", 5, 0, 999), epoch=17)
        self.assertEqual(kind, MSG_HISTORY_READ + 128)
        self.assertEqual(len(payload), 8 + MAX_HISTORY_DATA)


if __name__ == "__main__":
    unittest.main()
