"""Devices that speak the protocol and lie: each is one line and an error in bounded time, never a loop or a crash."""

from __future__ import annotations

import os
import struct
from pathlib import Path
from random import Random

import pytest
from fake_shoes import ScriptedShoe, answer, refusal
from histories import Script
from pty_shoe import PtyShoe
from shoetool.cli.pulling import pull_one
from shoetool.client import Client
from shoetool.history.store import ShoelogReader
from shoetool.link import PortMissing, SerialTransport
from shoetool.model.errors import DeviceError, LinkError
from shoetool.model.protocol_table import PAGE_SIZE, Error, MessageKind
from shoetool.wire import Frame, ShoeEntry

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


@pytest.mark.parametrize(("first", "pages"), [(0, 0), (0xFFFFFFF0, 0xFFFF)])
def test_pages_that_cannot_be_are_refused(first: int, pages: int) -> None:
    client = Client(ScriptedShoe().transport)
    with pytest.raises(DeviceError, match="which cannot be"):
        list(client.pull_shoe(ShoeEntry(1, first, pages, 0, 10, True, False)))


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
    with pytest.raises(LinkError, match="page 3 does not come through"):
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
    with pytest.raises(DeviceError, match="stale_epoch"):
        Client(shoe.transport).status()
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
