"""Devices that speak the protocol and lie: each is one line and an error in bounded time, never a loop or a crash."""

from __future__ import annotations

import os
import struct
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from fake_shoes import ScriptedShoe, answer, event, refusal, status
from histories import Script
from live_records import records
from pty_shoe import PtyShoe
from shoetool.cli.pulling import pull_one
from shoetool.client.client import Client
from shoetool.client.requests import Refused, Timeouts
from shoetool.history.store import ShoelogReader
from shoetool.link.recording import RecordingTransport
from shoetool.link.serial_port import SerialTransport
from shoetool.link.transport import PortMissing
from shoetool.model.errors import DeviceError, LinkError
from shoetool.model.protocol_table import PAGE_SIZE, Error, MessageKind
from shoetool.wire.answers import ShoeEntry
from shoetool.wire.frames import Frame

ENTRY = ShoeEntry(1, 3, 2, 0, 10, True, False)


def row(shoe: int, first_page: int, pages: int) -> bytes:
    return struct.pack("<IIHIIBB", shoe, first_page, pages, 0, 10, 1, 0)


def listing(shoe: ScriptedShoe, rows: bytes, more: int) -> Client:
    shoe.on[MessageKind.HISTORY_LIST] = lambda request: answer(request, bytes((more,)) + rows)
    return Client(shoe.transport)


def test_a_list_of_histories_without_end_is_refused() -> None:
    shoe = ScriptedShoe()
    client = Client(shoe.transport)

    def endless(request: Frame) -> bytes:
        return answer(request, b"\1" + row(int.from_bytes(request.payload[:4], "little"), 0, 1))

    shoe.on[MessageKind.HISTORY_LIST] = endless
    with pytest.raises(DeviceError, match="makes no sense"):
        client.history_list()
    assert len(shoe.asked) < 5000


@pytest.mark.parametrize("shoes", [(9, 3), (4, 4)])
def test_a_list_that_is_not_in_order_is_refused(shoes: tuple[int, int]) -> None:
    client = listing(ScriptedShoe(), b"".join(row(number, 0, 1) for number in shoes), 0)
    with pytest.raises(DeviceError, match="makes no sense"):
        client.history_list()


def test_a_list_ends_with_the_largest_number_there_is() -> None:
    client = listing(ScriptedShoe(), row(0xFFFFFFFF, 0, 1), 1)
    assert [entry.shoe for entry in client.history_list()] == [0xFFFFFFFF]


@pytest.mark.parametrize(("first", "pages"), [(0, 0), (0xFFFFFFFA, 10), (0, 0xFFFF)])
def test_pages_that_cannot_be_are_refused(first: int, pages: int) -> None:
    client = Client(ScriptedShoe().transport)
    with pytest.raises(DeviceError, match="which cannot be"):
        list(client.pull_shoe(ShoeEntry(1, first, pages, 0, 10, True, False)))


@pytest.mark.parametrize("used", [0, 1, PAGE_SIZE])
def test_blank_pages_without_end_are_refused(used: int) -> None:
    shoe = ScriptedShoe()

    def blank(request: Frame) -> bytes:
        page, offset, length = struct.unpack("<IHH", request.payload)
        return answer(request, struct.pack("<IHH", page, offset, used) + b"\xff" * max(0, min(length, used - offset)))

    shoe.on[MessageKind.HISTORY_READ] = blank
    fetched = []
    with pytest.raises(DeviceError, match="8000 pages from 3 on, and those from 3 on are blank"):
        fetched += Client(shoe.transport).pull_shoe(ShoeEntry(1, 3, 8000, 0, 10, True, False))
    assert len(shoe.asked) < 500 and len(fetched) <= 16


@pytest.mark.parametrize(
    "payload",
    [
        struct.pack("<IHH", 99, 0, PAGE_SIZE) + b"x" * 300,  # another page
        struct.pack("<IHH", 3, 0, PAGE_SIZE),  # nothing
        struct.pack("<IHH", 3, 7, PAGE_SIZE) + b"xyz",  # always the same piece
    ],
)
def test_answers_that_never_bring_the_page_end(payload: bytes) -> None:
    shoe = ScriptedShoe()
    shoe.on[MessageKind.HISTORY_READ] = lambda request: answer(request, payload)
    with pytest.raises(LinkError, match="page 3 does not arrive"):
        list(Client(shoe.transport).pull_shoe(ENTRY))
    assert len(shoe.asked) < 2000


def test_a_trace_of_another_place_is_refused() -> None:
    shoe = ScriptedShoe()
    payload = bytes((3, 0, 0)) + struct.pack("<HH", 100, 999) + b"abc"
    shoe.on[MessageKind.TRACE] = lambda request: answer(request, payload)
    with pytest.raises(DeviceError, match="another part"):
        Client(shoe.transport).trace()


def test_a_trace_in_crumbs_without_end_is_refused() -> None:
    shoe = ScriptedShoe()

    def crumb(request: Frame) -> bytes:
        return answer(request, bytes((3, 0, 0)) + b"\xff\xff" + request.payload[1:3] + b"\1")

    shoe.on[MessageKind.TRACE] = crumb
    with pytest.raises(DeviceError, match="without end"):
        Client(shoe.transport).trace()


def test_a_shoe_that_calls_its_own_epoch_stale_is_refused_at_once() -> None:
    shoe = ScriptedShoe()
    shoe.on[MessageKind.STATUS] = lambda request: refusal(request, Error.STALE_EPOCH, 5)
    with pytest.raises(Refused) as error:
        Client(shoe.transport).status()
    assert error.value.code == Error.STALE_EPOCH
    assert len(shoe.asked_for(MessageKind.STATUS)) == 1


@pytest.mark.parametrize("seed", range(40))
def test_random_answers_give_one_line_and_never_another_error(seed: int) -> None:
    print("seed", seed)
    rng = Random(seed)
    shoe = ScriptedShoe()
    for kind in (MessageKind.STATUS, MessageKind.CONFIG_READ, MessageKind.HISTORY_LIST, MessageKind.TRACE):
        shoe.on[kind] = lambda request: answer(request, rng.randbytes(rng.randrange(80)))
    client = Client(shoe.transport)
    for ask in (client.status, client.config_read, client.history_list, client.trace):
        try:
            ask()
        except (DeviceError, LinkError) as error:
            assert "\n" not in str(error)


@pytest.mark.parametrize("spoilt", [b"\xff" * 64, bytes(64), b"SHOE" + b"\x99" * 60], ids=["erased", "zeros", "noise"])
def test_a_page_with_a_destroyed_header_hinders_no_fetch_of_the_others(spoilt: bytes, tmp_path: Path) -> None:
    """The fault `journal_damaged` says: fetch the histories. So they must be fetched, and fetched on."""
    script = Script(first_record=1)
    script.add("boot", 0, b"\0\1\0", 0, 1)
    script.add("shoe_opened", 0, 0, 6, 1, 2, 0, 7, 0, 12)
    for number in range(900):
        script.add("card", 3, 1, 0, 0, number % 52, 1, 120, 200)
    with PtyShoe() as shoe:
        shoe.service.script = script
        pages = script.pages(first_page=3)
        assert len(pages) > 3
        shoe.service.pages = [pages[0], spoilt + pages[1][64:], *pages[2:]]
        path = tmp_path / "a.shoelog"
        entry = ShoeEntry(1, 3, len(pages), 1, len(script.records), False, False)
        for new in (len(pages), 0):
            with Client.open(shoe.port) as client:
                assert pull_one(client, entry, path, mark=False).new_pages == new
    with ShoelogReader(path) as reader:
        assert list(reader.pages()) == shoe.service.pages


@pytest.mark.parametrize("name", [os.devnull, "/dev/full"])
def test_a_device_that_is_no_serial_port_is_said_to_be_none(name: str) -> None:
    with pytest.raises(PortMissing, match="this is not a serial port"):
        SerialTransport(name)


class ChattyShoe(ScriptedShoe):
    """Answers identify alone, and sends the same event a hundred times a second."""

    def exchange(self, data: bytes) -> bytes:
        self.transport.sleep(0.01)
        return super().exchange(data) + event(3)

    def answer(self, request: Frame) -> bytes:
        return super().answer(request) if request.kind == MessageKind.IDENTIFY else b""


@pytest.mark.parametrize("ask", ["status", "self_test", "subscribed", "page"])
def test_a_shoe_that_tells_and_never_answers_is_given_up_in_time(ask: str) -> None:
    shoe = ChattyShoe()
    client = Client(shoe.transport)
    asks = {"subscribed": lambda: client.subscribe(0).poll(1.0), "page": lambda: list(client.pull_shoe(ENTRY))}
    with pytest.raises(LinkError, match=r"does not answer|does not arrive"):
        asks.get(ask, getattr(client, ask, None))()
    assert shoe.transport.now() <= 25


def test_a_shoe_that_never_answers_the_self_test_is_asked_twice() -> None:
    shoe = ScriptedShoe()
    shoe.on[MessageKind.SELF_TEST] = lambda request: b""
    with pytest.raises(LinkError, match="does not answer self_test"):
        Client(shoe.transport).self_test()
    assert len(shoe.asked_for(MessageKind.SELF_TEST)) == 2
    assert shoe.transport.now() <= 25


def test_the_time_in_which_the_line_is_lost_does_not_count(tmp_path: Path) -> None:
    shoe = ScriptedShoe()
    client = Client(shoe.transport, Timeouts(request_s=5.0))
    client.identify()
    shoe.transport.plugged = False
    shoe.transport.on_sleep = lambda _: setattr(shoe.transport, "plugged", shoe.transport.now() > 15)
    assert client.ticks().boot == 3
    assert client.session.counters.reconnects == 1


def test_a_recording_may_be_silent_for_hours_between_question_and_answer(tmp_path: Path) -> None:
    path = tmp_path / "a.shoelink"
    shoe = ScriptedShoe()
    with Client(RecordingTransport(shoe.transport, path)) as client:
        client.identify()
        for _ in range(30):
            shoe.transport.sleep(600)
            shoe.before = event(3)
            client.session.step(0.1)
        assert client.ticks().boot == 3
    with Client.open(str(path)) as client:
        assert client.ticks().boot == 3


def liar(event_read: Callable[[Frame], bytes], end: int = 0xFFFFFFFF) -> ScriptedShoe:
    shoe = ScriptedShoe()
    shoe.on[MessageKind.SUBSCRIBE] = lambda request: answer(request, struct.pack("<I", end))
    shoe.on[MessageKind.STATUS] = lambda request: answer(request, status(end))
    shoe.on[MessageKind.HISTORY_LIST] = lambda request: answer(request, b"\0" + row(1, 0, 1))
    shoe.on[MessageKind.EVENT_READ] = event_read
    return shoe


def one_further(request: Frame) -> bytes:
    (wanted, _) = struct.unpack("<IB", request.payload)
    return answer(request, struct.pack("<IB", wanted + 1, 1))


@pytest.mark.parametrize(
    "event_read", [one_further, lambda request: refusal(request, Error.NO_SUCH_RECORD)], ids=["next", "refused"]
)
def test_records_that_are_promised_and_never_come_end_the_stream(event_read: Callable[[Frame], bytes]) -> None:
    shoe = liar(event_read)
    with pytest.raises(DeviceError, match="up to 4294967294, but sends none from 0 on"):
        list(records(Client(shoe.transport), 0, idle_s=5))
    assert len(shoe.asked) < 2000


def test_as_many_records_as_a_damaged_page_holds_are_passed() -> None:
    def event_read(request: Frame) -> bytes:
        (wanted, _) = struct.unpack("<IB", request.payload)
        if wanted < 399:
            return refusal(request, Error.NO_SUCH_RECORD)
        return event(wanted) + answer(request, struct.pack("<IB", wanted, 1))

    live = Client(liar(event_read, end=401).transport).subscribe(0)
    assert [record.number for record in live.poll(1.0) + live.poll(1.0)] == [399, 400]


def test_a_record_number_that_cannot_be_ends_the_stream() -> None:
    shoe = liar(one_further, end=4)
    shoe.before = event(0xFFFFFFFF)
    with pytest.raises(DeviceError, match="sends record 4294967295, which cannot be"):
        Client(shoe.transport).subscribe(0).poll(1.0)
