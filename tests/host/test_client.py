"""The client against shoes that refuse, restart, change or are none at all: one clear line each, and never a hang."""

from __future__ import annotations

import itertools
import struct

import pytest
from fake_shoes import IDENTITY, ScriptedShoe, answer, event, refusal, status
from live_records import records
from loopback import LoopbackTransport
from made_record import encode_payload
from shoetool.client.client import Client
from shoetool.client.history import PageReader
from shoetool.client.requests import NoAnswer, NotAShoe, OtherProtocol, Refused, Timeouts
from shoetool.client.session import WIDE_WINDOW, WINDOW
from shoetool.link.transport import Disconnected
from shoetool.model.errors import BadInput, DeviceError, LinkError
from shoetool.model.protocol_table import MAJOR, MINOR, Error, MessageKind, RecordKind
from shoetool.wire.answers import ShoeEntry, Ticks
from shoetool.wire.frames import Frame, encode_frame

QUICK = Timeouts(answer_s=0.2, tries=3, noisy_tries=20, identify_tries=3, reconnect_s=5)


def one_line(error: pytest.ExceptionInfo[BaseException]) -> str:
    text = str(error.value)
    assert text and "\n" not in text
    assert getattr(error.value, "exit_code", None) in (2, 3)
    return text


# ------------------------------------------------------------------------------------------------- what is no shoe


def test_a_port_where_nothing_answers() -> None:
    transport = LoopbackTransport(lambda data: b"", "/dev/ttyX")
    with pytest.raises(NotAShoe) as error:
        Client(transport, QUICK).identify()
    assert one_line(error) == "/dev/ttyX: nothing answers; is a shoe connected here, and switched on?"
    assert transport.now() < 1.0


@pytest.mark.parametrize(
    "says", [b"\xfe\x81\x92" * 30, b"$GPGGA,123519,4807.038,N\r\n", b"\0" * 50, b"OK\r\n\0", bytes(range(256))]
)
def test_a_device_that_answers_something_else(says: bytes) -> None:
    transport = LoopbackTransport(lambda data: says, "/dev/ttyX")
    with pytest.raises(NotAShoe) as error:
        Client(transport, QUICK).identify()
    assert "a shoe does not answer here" in one_line(error)
    assert transport.now() < 60


def test_a_line_that_echoes_everything_is_no_shoe() -> None:
    with pytest.raises(NotAShoe):
        Client(LoopbackTransport(lambda data: data), QUICK).identify()


@pytest.mark.parametrize(("version", "what"), [(0x20, "update shoetool"), (0x03, "update the shoe's firmware")])
def test_another_major_version_is_refused_in_one_line(version: int, what: str) -> None:
    shoe = ScriptedShoe()
    shoe.on[MessageKind.IDENTIFY] = lambda r: encode_frame(MessageKind.ERROR, 9, r.sequence, bytes(6), version)
    with pytest.raises(OtherProtocol) as error:
        Client(shoe.transport, QUICK).identify()
    text = one_line(error)
    assert f"protocol {version >> 4}.{version & 15}" in text and what in text
    assert f"this shoetool {MAJOR}.{MINOR}" in text


def test_another_major_version_in_the_identity_is_refused_too() -> None:
    shoe = ScriptedShoe()
    shoe.on[MessageKind.IDENTIFY] = lambda r: answer(r, bytes((2, 1)) + IDENTITY[2:])
    with pytest.raises(OtherProtocol, match=r"protocol 2\.1"):
        Client(shoe.transport, QUICK).identify()


def test_a_newer_minor_version_is_read() -> None:
    shoe = ScriptedShoe()
    newer = bytes((1, 7)) + IDENTITY[2:]
    shoe.on[MessageKind.IDENTIFY] = lambda r: (
        encode_frame(70, 9, 1, b"a kind that comes later", 0x17)
        + encode_frame(r.kind + 128, 9, r.sequence, newer, 0x17)
    )
    client = Client(shoe.transport, QUICK)
    assert client.identify().minor == 7
    assert client.session.counters.unknown == 1
    shoe.on[MessageKind.TICKS] = lambda r: answer(r, struct.pack("<HII", 3, 5, 6) + b"and more fields")
    assert client.ticks().ticks_us == 6


def test_a_shoe_of_an_older_version_does_not_tell_how_often_its_ticks_began_anew() -> None:
    for told, turns in ((struct.pack("<HII", 3, 4, 5), None), (struct.pack("<HIIH", 3, 4, 5, 6), 6)):
        shoe = ScriptedShoe()
        shoe.on[MessageKind.TICKS] = lambda r, told=told: answer(r, told)
        with Client(shoe.transport, QUICK) as client:
            assert client.ticks() == Ticks(3, 4, 5, turns)


def test_an_answer_that_is_too_short_is_one_line() -> None:
    shoe = ScriptedShoe()
    shoe.on[MessageKind.TICKS] = lambda r: answer(r, b"\1")
    with pytest.raises(DeviceError) as error:
        Client(shoe.transport, QUICK).ticks()
    assert "ticks: the answer needs 12 bytes and has 1" in one_line(error)


# ---------------------------------------------------------------------------------------- refusals and silence


def test_a_refused_request_is_named() -> None:
    shoe = ScriptedShoe()
    shoe.on[MessageKind.SELF_TEST] = lambda r: refusal(r, Error.NOT_ALLOWED_NOW)
    with pytest.raises(Refused) as error:
        Client(shoe.transport, QUICK).self_test()
    assert "refused the self-test (it is not allowed now: a round" in one_line(error)
    assert error.value.code == Error.NOT_ALLOWED_NOW


def test_a_busy_shoe_is_asked_again_for_a_while() -> None:
    shoe = ScriptedShoe()
    busy = itertools.count()
    shoe.on[MessageKind.KEY] = lambda r: refusal(r, Error.BUSY) if next(busy) < 4 else answer(r, b"\1\2")
    client = Client(shoe.transport, QUICK)
    assert client.key(2) == (True, 2)
    assert len({frame.sequence for frame in shoe.asked if frame.kind == MessageKind.KEY}) == 5
    shoe.on[MessageKind.KEY] = lambda r: refusal(r, Error.BUSY)
    with pytest.raises(Refused, match=r"refused the key press \(it is busy; try again"):
        client.key(2)


def test_settings_are_checked_before_they_are_sent() -> None:
    shoe = ScriptedShoe()
    client = Client(shoe.transport, QUICK)
    for values, text in (
        ({"deck": 6}, "no setting 'deck'"),
        ({"decks": 9}, "out of range"),
        ({77: 1}, "no setting 77"),
    ):
        with pytest.raises(BadInput, match=text):
            client.config_write(values)
    assert not shoe.asked_for(MessageKind.CONFIG_WRITE)


def test_a_shoe_that_falls_silent_is_given_up_in_bounded_time() -> None:
    shoe = ScriptedShoe()
    client = Client(shoe.transport, QUICK)
    client.identify()
    shoe.transport._exchange = lambda data: b""
    with pytest.raises(LinkError) as error:
        client.status()
    assert "does not answer status" in one_line(error)
    assert shoe.transport.now() < 15


def test_a_shoe_that_only_makes_noise_is_given_up_in_bounded_time() -> None:
    shoe = ScriptedShoe()
    client = Client(shoe.transport, QUICK)
    client.identify()
    shoe.transport._exchange = lambda data: b"\xfe\x12\0" if data else b""
    with pytest.raises(NoAnswer) as error:
        client.status()
    assert "asked 20 times" in one_line(error)


@pytest.mark.parametrize("reconnect_s", [0.0, 2.0])
def test_a_cable_that_stays_out_is_one_line(reconnect_s: float) -> None:
    shoe = ScriptedShoe()
    client = Client(shoe.transport, Timeouts(answer_s=0.1, reconnect_s=reconnect_s))
    client.identify()
    shoe.transport.plugged = False
    with pytest.raises(Disconnected) as error:
        client.ticks()
    assert "unplugged or switched off" in one_line(error)
    assert reconnect_s <= shoe.transport.now() < reconnect_s + 1


def test_another_shoe_on_the_port_after_reconnecting_is_noticed() -> None:
    shoe = ScriptedShoe()
    client = Client(shoe.transport, QUICK)
    client.identify()
    shoe.on[MessageKind.IDENTIFY] = lambda r: answer(r, IDENTITY[:2] + b"another!" + IDENTITY[10:])
    shoe.transport.close()
    with pytest.raises(DeviceError) as error:
        client.ticks()
    assert "another shoe is on this port now" in one_line(error)


def test_requests_carry_epoch_and_running_sequence_and_repeats_are_the_same_bytes() -> None:
    shoe = ScriptedShoe()
    silent = itertools.count()
    shoe.on[MessageKind.KEY] = lambda r: answer(r, b"\1\2") if next(silent) >= 2 else b""
    client = Client(shoe.transport, QUICK, seed=4)
    client.ticks()
    assert client.key(2, 0) == (True, 2)
    greeted, first, ticks, authority, *keys = shoe.asked
    assert greeted.kind == MessageKind.SIGNING_KEY  # see wire/greeting.py
    assert (first.epoch, ticks.epoch) == (0, 9)
    assert ticks.sequence == (first.sequence + 1) & 0xFFFF
    assert authority.kind == MessageKind.AUTHORITY  # whether a key press needs the command key
    assert len(keys) == 3 and keys == [keys[0]] * 3
    assert client.session.counters.retries == 2


def test_a_key_that_only_the_new_life_saw_is_pressed_in_it() -> None:
    shoe = ScriptedShoe()
    client = Client(shoe.transport, QUICK)
    client.identify()
    new = IDENTITY[:15] + struct.pack("<H", 10) + IDENTITY[17:]
    shoe.on[MessageKind.IDENTIFY] = lambda r: answer(r, new, epoch=10)
    shoe.on[MessageKind.KEY] = lambda r: (
        answer(r, b"\1\2", epoch=10) if r.epoch == 10 else refusal(r, Error.STALE_EPOCH, 10, epoch=10)
    )
    assert client.key(2) == (True, 2)
    assert client.identify().epoch == 10 and client.session.counters.restarts == 1
    assert [frame.epoch for frame in shoe.asked if frame.kind == MessageKind.KEY] == [9, 10]


def test_log_lines_and_stray_text_are_kept_apart_from_answers() -> None:
    shoe = ScriptedShoe()
    texts = []
    client = Client(shoe.transport, QUICK, on_text=lambda source, text: texts.append((source, text)))
    client.identify()
    shoe.before = b"Traceback:\r\n" + encode_frame(MessageKind.LOG, 9, 0, "bereit für Karten".encode())
    assert client.ticks().boot == 3
    assert texts == [("text", "Traceback:\r\n"), ("log", "bereit für Karten")]


# --------------------------------------------------------------------------------------------------- live records


def live_shoe(next_record: int) -> ScriptedShoe:
    shoe = ScriptedShoe()
    shoe.on[MessageKind.SUBSCRIBE] = lambda r: answer(r, struct.pack("<I", next_record))
    shoe.on[MessageKind.STATUS] = lambda r: answer(r, status(next_record))
    return shoe


def test_records_come_in_order_whatever_order_the_events_have() -> None:
    shoe = live_shoe(10)
    live = Client(shoe.transport, QUICK).subscribe()
    assert live.poll(0.0) == []
    shoe.before = event(12) + event(10) + event(10) + event(11) + event(9)
    assert [record.number for record in live.poll(0.0)] == [10, 11, 12]
    assert not shoe.asked_for(MessageKind.EVENT_READ)


def test_a_gap_is_asked_for_again_by_its_numbers() -> None:
    shoe = live_shoe(10)
    shoe.on[MessageKind.EVENT_READ] = lambda r: event(11) + event(12) + answer(r, struct.pack("<IB", 11, 2))
    live = Client(shoe.transport, QUICK).subscribe()
    live.poll(0.0)
    shoe.before = event(10) + event(13)
    got = live.poll(1.0) + live.poll(1.0)
    assert [record.number for record in got] == [10, 11, 12, 13]
    assert shoe.asked_for(MessageKind.EVENT_READ) == [{"from_record": 11, "count": 2}]


def test_a_lost_last_record_is_found_by_the_status() -> None:
    shoe = live_shoe(10)
    shoe.on[MessageKind.EVENT_READ] = lambda r: event(10) + answer(r, struct.pack("<IB", 10, 1))
    live = Client(shoe.transport, QUICK).subscribe()
    assert live.poll(0.1) == []
    shoe.on[MessageKind.STATUS] = lambda r: answer(r, status(11))
    assert [record.number for record in live.poll(5.0)] == [10]


def test_a_record_that_is_not_durable_yet_is_waited_for_and_not_given_up() -> None:
    shoe = live_shoe(10)
    live = Client(shoe.transport, QUICK).subscribe()
    shoe.on[MessageKind.STATUS] = lambda r: answer(r, status(14, durable=10))
    shoe.on[MessageKind.EVENT_READ] = lambda r: refusal(r, Error.NO_SUCH_RECORD)
    assert live.poll(5.0) == []
    assert live.gone == [] and live.next_number == 10
    shoe.before = event(10)
    assert [record.number for record in live.poll(1.0)] == [10]


def test_records_that_the_device_refuses_because_they_are_gone_are_named() -> None:
    shoe = live_shoe(60)
    row = struct.pack("<IIHIIBB", 4, 9, 2, 58, 2, 0, 0)
    shoe.on[MessageKind.HISTORY_LIST] = lambda r: answer(r, b"\0" + row)

    def event_read(request: Frame) -> bytes:
        (wanted, count) = struct.unpack("<IB", request.payload)
        if wanted < 58:
            return refusal(request, Error.NO_SUCH_RECORD)
        events = b"".join(event(number) for number in range(wanted, wanted + count))
        return events + answer(request, struct.pack("<IB", wanted, count))

    shoe.on[MessageKind.EVENT_READ] = event_read
    live = Client(shoe.transport, QUICK).subscribe(1)
    got = live.poll(5.0)
    assert [record.number for record in got] == [58, 59]
    assert live.gone == [(1, 58)]


def test_an_erased_journal_is_one_line() -> None:
    shoe = live_shoe(10)
    live = Client(shoe.transport, QUICK).subscribe()
    live.poll(0.0)
    shoe.on[MessageKind.STATUS] = lambda r: answer(r, status(2))
    with pytest.raises(DeviceError, match="the journal of this shoe was erased"):
        live.poll(5.0)


def test_a_record_of_a_newer_firmware_and_a_broken_one_do_not_stop_the_stream() -> None:
    shoe = live_shoe(10)
    live = Client(shoe.transport, QUICK).subscribe()
    live.poll(0.0)
    longer = encode_payload(RecordKind.SIDE_CHOSEN, (1,)) + b"newer"
    shoe.before = (
        event(10, kind=120, body=b"??")
        + event(11, kind=RecordKind.CARD, body=b"\1")
        + event(12, body=longer)
        + encode_frame(MessageKind.EVENT, 9, 5, b"short")
    )
    ten, eleven, twelve = live.poll(0.0)
    assert not ten.known and ten.values == (b"??",)
    assert live.unreadable == [11] and eleven.number == 11
    assert twelve.side == 1


def test_the_iterator_ends_when_it_is_told_or_when_nothing_comes() -> None:
    shoe = live_shoe(12)
    client = Client(shoe.transport, QUICK)
    shoe.before = event(10) + event(11)
    assert [record.number for record in records(client, 10, idle_s=2.0)] == [10, 11]
    shoe.before = event(10) + event(11)
    seen: list[int] = []
    for record in records(client, 10, stop=lambda: len(seen) >= 2):
        seen.append(record.number)
    assert seen == [10, 11]
    client.close()
    assert shoe.asked_for(MessageKind.SUBSCRIBE)[-1]["on"] == 0


# --------------------------------------------------------------------------------------------------------- histories


def paged_shoe(pages: list[bytes], used_last: int) -> ScriptedShoe:
    shoe = ScriptedShoe()
    row = struct.pack("<IIHIIBB", 7, 100, len(pages), 1, 50, 1, 0)
    shoe.on[MessageKind.HISTORY_LIST] = lambda r: answer(r, b"\0" + row)

    def read(request: Frame) -> bytes:
        page, offset, length = struct.unpack("<IHH", request.payload)
        if not 100 <= page < 100 + len(pages):
            return refusal(request, Error.NO_SUCH_PAGE, page)
        used = used_last if page == 99 + len(pages) else 4096
        return answer(
            request, struct.pack("<IHH", page, offset, used) + pages[page - 100][offset : min(offset + length, used)]
        )

    shoe.on[MessageKind.HISTORY_READ] = read
    return shoe


def test_a_pull_reports_progress_and_resumes_behind_what_is_kept() -> None:
    pages = [bytes([n]) * 4096 for n in range(1, 4)]
    shoe = paged_shoe(pages, 777)
    client = Client(shoe.transport, QUICK)
    seen: list[tuple[int, int]] = []
    got = list(client.pull_shoe(7, lambda done, total: seen.append((done, total))))
    assert [page.number for page in got] == [100, 101, 102]
    assert got[2].data == b"\3" * 777 + b"\xff" * (4096 - 777) and got[2].used == 777
    assert seen == sorted(seen) and seen[-1] == (3 * 4096, 3 * 4096)
    shoe.asked.clear()
    assert [page.number for page in client.pull_shoe(7, skip_pages=2)] == [102]
    assert {request["page"] for request in shoe.asked_for(MessageKind.HISTORY_READ)} == {102}


def test_several_pieces_are_under_way_at_a_time() -> None:
    shoe = paged_shoe([bytes(range(256)) * 16], 4096)
    outstanding: list[int] = []
    held: list[bytes] = []
    read = shoe.on[MessageKind.HISTORY_READ]

    def slow(request: Frame) -> bytes:
        # The first tells how much there is; afterwards answers are held back until the host only listens.
        if request.payload[4:6] == b"\0\0":
            return read(request)
        held.append(read(request))
        outstanding.append(len(held))
        return b""

    shoe.on[MessageKind.HISTORY_READ] = slow
    exchange = shoe.exchange

    def listen(data: bytes) -> bytes:
        if data:
            return exchange(data)
        out = b"".join(reversed(held))  # and in the wrong order
        held.clear()
        return out

    shoe.transport._exchange = listen
    assert PageReader(Client(shoe.transport, QUICK).session).read(100).data == bytes(range(256)) * 16
    assert max(outstanding) >= 3


def test_fewer_pieces_are_under_way_once_one_was_not_answered() -> None:
    shoe = paged_shoe([bytes([n]) * 4096 for n in range(1, 4)], 4096)
    read = shoe.on[MessageKind.HISTORY_READ]
    newest = 0
    lost: dict[bytes, int] = {}
    ahead: list[int] = []

    def first_pieces_lost(request: Frame) -> bytes:
        nonlocal newest
        if request.payload in lost:
            ahead.append((newest - lost.pop(request.payload)) & 0xFFFF)
        elif request.payload[4:6] == b"\0\0":
            lost[request.payload] = newest = request.sequence
            return b""
        newest = request.sequence if (request.sequence - newest) & 0xFFFF < 0x8000 else newest
        return read(request)

    shoe.on[MessageKind.HISTORY_READ] = first_pieces_lost
    client = Client(shoe.transport, QUICK)
    assert [page.data[0] for page in client.pull_shoe(7)] == [1, 2, 3]
    assert client.session.history_window == WINDOW, "for the next history too"
    assert ahead == [WIDE_WINDOW - 1, WINDOW - 1, WINDOW - 1]


def with_a_late_piece(shoe: ScriptedShoe, late_page: int) -> list[bytes]:
    """Hold the last piece of a page back until the next page is asked for; return where it is held."""
    read = shoe.on[MessageKind.HISTORY_READ]
    held: list[bytes] = []

    def answer_late(request: Frame) -> bytes:
        page, offset, length = struct.unpack("<IHH", request.payload)
        if page == late_page and offset + length == 4096:
            held.append(read(request))
            return b""
        return read(request) + (held.pop() if page == late_page + 1 and held else b"")

    shoe.on[MessageKind.HISTORY_READ] = answer_late
    return held


def test_while_the_last_pieces_of_a_page_come_the_next_one_is_asked_for() -> None:
    shoe = paged_shoe([bytes([n]) * 4096 for n in range(1, 4)], 777)
    held = with_a_late_piece(shoe, 100)
    client = Client(shoe.transport, QUICK)
    assert [page.data[0] for page in client.pull_shoe(7)] == [1, 2, 3]
    assert not held and client.session.counters.retries == 0, "else a retry brought the piece"


def test_a_page_that_is_refused_ahead_of_its_turn_leaves_those_before_it() -> None:
    shoe = paged_shoe([bytes([n]) * 4096 for n in range(1, 3)], 4096)  # the list names a third one
    row = struct.pack("<IIHIIBB", 7, 100, 3, 1, 50, 1, 0)
    shoe.on[MessageKind.HISTORY_LIST] = lambda r: answer(r, b"\0" + row)
    held = with_a_late_piece(shoe, 101)
    client = Client(shoe.transport, QUICK)
    pages = client.pull_shoe(7)
    assert [next(pages).data[0], next(pages).data[0]] == [1, 2] and not held
    with pytest.raises(Refused, match="it holds no such page"):
        next(pages)
    assert client.session.may_submit(), "nothing is left under way"


def two_shoes(pages: int, then_pages: int) -> tuple[ScriptedShoe, ShoeEntry, ShoeEntry]:
    """A shoe that holds two histories, each page full of its own number."""
    shoe = paged_shoe([bytes([n]) * 4096 for n in range(1, pages + then_pages + 1)], 4096)
    return (
        shoe,
        ShoeEntry(7, 100, pages, 1, 50, True, False),
        ShoeEntry(8, 100 + pages, then_pages, 51, 50, True, False),
    )


def test_while_the_last_pieces_of_a_history_come_the_one_that_is_pulled_next_is_asked_for() -> None:
    shoe, entry, then = two_shoes(2, 2)
    held = with_a_late_piece(shoe, 101)
    shoe.on[MessageKind.STATUS] = lambda r: answer(r, status(11))
    client = Client(shoe.transport, QUICK)
    assert [page.data[0] for page in client.pull_shoe(entry, then=then)] == [1, 2]
    assert not held and client.session.counters.retries == 0, "else a retry brought the piece"
    assert client.status().next_record == 11, "other requests find their turn in between"
    assert [page.data for page in client.pull_shoe(then)] == [bytes([n]) * 4096 for n in (3, 4)]
    pieces = [(request["page"], request["offset"]) for request in shoe.asked_for(MessageKind.HISTORY_READ)]
    assert len(pieces) == len(set(pieces)) == 4 * 12, "each piece is asked for once"
    assert client.session.may_submit(1), "nothing is left under way"


def test_the_only_page_of_the_next_history_is_not_asked_for_ahead_since_it_may_grow() -> None:
    shoe, entry, then = two_shoes(2, 1)
    read = shoe.on[MessageKind.HISTORY_READ]
    lost: list[bytes] = []

    def last_piece_lost(request: Frame) -> bytes:
        page, offset, length = struct.unpack("<IHH", request.payload)
        if page == 101 and offset + length == 4096 and not lost:
            lost.append(request.payload)
            return b""
        return read(request)

    shoe.on[MessageKind.HISTORY_READ] = last_piece_lost
    client = Client(shoe.transport, QUICK)
    assert len(list(client.pull_shoe(entry, then=then))) == 2 and lost
    assert {request["page"] for request in shoe.asked_for(MessageKind.HISTORY_READ)} == {100, 101}
    assert [page.data[0] for page in client.pull_shoe(then)] == [3]


def test_a_history_that_was_asked_for_ahead_and_is_not_pulled_leaves_nothing_behind() -> None:
    shoe, entry, then = two_shoes(2, 2)
    client = Client(shoe.transport, QUICK)
    assert len(list(client.pull_shoe(entry, then=then))) == 2
    assert [page.data[0] for page in client.pull_shoe(then, skip_pages=1)] == [4]
    assert [page.data[0] for page in client.pull_shoe(entry)] == [1, 2]
    assert client.session.may_submit(1), "nothing is left under way"


def test_a_pull_that_is_broken_off_leaves_nothing_under_way() -> None:
    shoe, entry, then = two_shoes(2, 2)
    client = Client(shoe.transport, QUICK)
    pages = client.pull_shoe(entry, then=then)
    assert next(pages).data[0] == 1
    pages.close()  # type: ignore[attr-defined]
    assert client.session.may_submit(1)
    assert [page.data[0] for page in client.pull_shoe(then)] == [3, 4]


def test_a_page_that_is_not_there_and_a_shoe_that_is_not_there() -> None:
    client = Client(paged_shoe([bytes(4096)], 4096).transport, QUICK)
    with pytest.raises(Refused, match="it holds no such page"):
        PageReader(client.session).read(55)
    with pytest.raises(BadInput, match="no history number 8"):
        list(client.pull_shoe(8))


def test_an_empty_page_is_a_page() -> None:
    page = PageReader(Client(paged_shoe([bytes(4096)], 0).transport, QUICK).session).read(100)
    assert page.used == 0 and page.data == b"\xff" * 4096


@pytest.mark.parametrize("rest_s", [0.7, 21.0, 300.0])
def test_answers_that_came_while_the_caller_did_something_else_are_not_asked_for_again(rest_s: float) -> None:
    """They lie in the computer's buffer, however late it is when somebody looks."""
    shoe, entry, then = two_shoes(2, 3)
    exchange = shoe.transport._exchange
    line: list[bytes] = []

    def paced(data: bytes) -> bytes:  # one answer at each look, as on a line of a finite rate
        if came := exchange(data):
            line.append(came)
        return b"" if data or not line else line.pop(0)

    shoe.transport._exchange = paced
    client = Client(shoe.transport, Timeouts())
    assert len(list(client.pull_shoe(entry, then=then))) == 2
    under_way = len(client.session._pending)
    assert under_way, "pieces of the next history are on their way"
    shoe.transport.sleep(rest_s)
    line[:] = [b"".join(line)]
    window = client.session.history_window
    assert [page.data[0] for page in client.pull_shoe(then)] == [3, 4, 5]
    assert client.session.counters.retries == 0 and client.session.history_window == window
