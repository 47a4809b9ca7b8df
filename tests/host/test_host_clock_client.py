"""The host lets a shoe record the time of day: when, with the key or without, and where it does not."""

from __future__ import annotations

import struct
from itertools import count
from pathlib import Path
from types import SimpleNamespace

import pytest
from fake_shoes import ScriptedShoe, answer, refusal
from made_record import make_record
from shoetool.client.authority import CommandKey, NotAuthorised
from shoetool.client.client import Client
from shoetool.client.host_clock import AGAIN_S, SOON_S, HostClock, read_clock, record_reading
from shoetool.client.requests import Refused
from shoetool.history.chunks import ClockPoint
from shoetool.link.recording import RecordingTransport
from shoetool.link.replay import ReplayTransport
from shoetool.model.protocol_table import MESSAGES, Authority, Error, MessageKind, Phase

POINT = ClockPoint(3, 1000, 1_795_723_200_250, 4, 0)
IDENTITY = bytes((1, 4)) + b"fakeshoe" + bytes((0, 1, 0)) + struct.pack("<HH", 3, 9) + b"fake"
STATUS = MESSAGES[MessageKind.STATUS]["answer_format"]


def shoe(minor: int = 4, phase: int = Phase.READY, state: int = Authority.OPEN) -> ScriptedShoe:
    """A shoe of this protocol version that records what it is given."""
    one = ScriptedShoe()
    numbers = count(50)
    identity = IDENTITY[:1] + bytes((minor,)) + IDENTITY[2:]
    authority = struct.pack("<B8sIHBII", state, bytes(8), 0, 0, 0, 0, 0)
    one.on[MessageKind.IDENTIFY] = lambda request: answer(request, identity)
    one.on[MessageKind.STATUS] = lambda request: answer(request, struct.pack(STATUS, phase, *(0,) * 11))
    one.on[MessageKind.AUTHORITY] = lambda request: answer(request, authority)
    one.on[MessageKind.HOST_CLOCK] = lambda request: answer(request, struct.pack("<I", next(numbers)))
    one.on[MessageKind.CHALLENGE] = lambda request: answer(request, bytes(32) + struct.pack("<I", 5000))
    one.on[MessageKind.PRIVILEGED] = lambda request: answer(request, struct.pack("<I", next(numbers)))
    return one


def test_a_reading_goes_over_the_line_as_the_document_says() -> None:
    device = shoe()
    with Client(device.transport, seed=1) as client:
        assert record_reading(client, POINT) == 50
    assert device.asked_for(MessageKind.HOST_CLOCK) == [
        {"ticks_ms": 1000, "wall_s": 1_795_723_200, "wall_ms": 250, "uncertainty_ms": 4}
    ]


def test_a_provisioned_shoe_gets_it_with_the_key_where_there_is_one_and_else_without() -> None:
    device = shoe(state=Authority.PROVISIONED)
    with Client(device.transport, seed=1) as client:
        record_reading(client, POINT)
        client.authority.key = CommandKey(b"fakeshoe", bytes(32))
        record_reading(client, POINT)
    assert len(device.asked_for(MessageKind.HOST_CLOCK)) == len(device.asked_for(MessageKind.PRIVILEGED)) == 1
    assert device.asked_for(MessageKind.PRIVILEGED)[0]["request"] == MessageKind.HOST_CLOCK


@pytest.mark.parametrize("state", [Authority.OPEN, Authority.DAMAGED])
def test_where_no_key_is_in_force_it_goes_without(state: int) -> None:
    device = shoe(state=state)
    with Client(device.transport, seed=1) as client:
        client.authority.key = CommandKey(b"fakeshoe", bytes(32))
        assert record_reading(client, POINT) == 50
    assert not device.asked_for(MessageKind.CHALLENGE)


def test_a_wrong_key_is_told() -> None:
    device = shoe(state=Authority.PROVISIONED)
    device.on[MessageKind.PRIVILEGED] = lambda request: refusal(request, Error.WRONG_KEY, 1000)
    with Client(device.transport, seed=1) as client:
        client.authority.key = CommandKey(b"fakeshoe", bytes(32))
        with pytest.raises(NotAuthorised, match="the time of day: wrong key"):
            record_reading(client, POINT)


def test_an_older_shoe_is_not_asked_for_what_it_does_not_know() -> None:
    device = shoe(minor=3)
    with Client(device.transport, seed=1) as client:
        assert record_reading(client, POINT) is None
    assert not device.asked_for(MessageKind.HOST_CLOCK)


@pytest.mark.parametrize("code", [Error.UNKNOWN_MESSAGE, Error.WAIT, Error.NOT_ALLOWED_NOW])
def test_a_shoe_that_takes_none_now_is_no_error(code: int) -> None:
    device = shoe()
    device.on[MessageKind.HOST_CLOCK] = lambda request: refusal(request, code)
    with Client(device.transport, seed=1) as client:
        assert record_reading(client, POINT) is None


def test_a_busy_shoe_is_told_so_that_it_can_be_tried_again() -> None:
    device = shoe()
    device.on[MessageKind.HOST_CLOCK] = lambda request: refusal(request, Error.BUSY)
    with Client(device.transport, seed=1) as client, pytest.raises(Refused):
        record_reading(client, POINT)


@pytest.mark.parametrize("changed", [{"uncertainty_ms": 70_000}, {"wall_ms": -1}, {"wall_ms": 1 << 43}])
def test_what_a_record_cannot_hold_is_not_sent(changed: dict[str, int]) -> None:
    device = shoe()
    with Client(device.transport, seed=1) as client:
        assert record_reading(client, POINT._replace(**changed)) is None
    assert not device.asked_for(MessageKind.HOST_CLOCK)


def test_a_recording_is_given_none(tmp_path: Path) -> None:
    path = tmp_path / "line.shoelink"
    with Client(RecordingTransport(shoe().transport, path), seed=1) as client:
        client.ticks()
    with Client(ReplayTransport(path)) as client:
        assert read_clock(client) is not None
        assert record_reading(client, POINT) is None


def watched(device: ScriptedShoe, client: Client, *steps: str) -> list[int]:
    """How many readings the shoe had recorded after each of these steps."""
    clock = HostClock(client, lambda point: None)
    counts = []
    for step in steps:
        if step == "opened":
            clock.saw([make_record(0, "shoe_opened", 0, 0, 6, 1, 2, 0, 7, 0, 12)])
        elif step == "card":
            clock.saw([make_record(0, "dealer_changed", 1)])
        elif step == "restart":
            client.session.generation += 1
        elif step == "soon":
            device.transport.sleep(SOON_S)
        elif step == "hour":
            device.transport.sleep(AGAIN_S)
        clock.refresh()
        counts.append(len(device.asked_for(MessageKind.HOST_CLOCK)))
    return counts


def test_a_watched_shoe_records_it_at_the_start_with_each_new_shoe_each_hour_and_after_a_restart() -> None:
    device = shoe()
    with Client(device.transport, seed=1) as client:
        found = watched(device, client, "start", "card", "opened", "card", "soon", "hour", "restart")
    assert found == [1, 1, 2, 2, 2, 3, 4]


def test_a_history_that_is_closed_gets_none_from_who_watches() -> None:
    """It would have to be fetched again."""
    device = shoe(phase=Phase.EMPTY)
    with Client(device.transport, seed=1) as client:
        assert watched(device, client, "start", "hour", "restart") == [0, 0, 0]


def test_a_card_in_the_throat_puts_it_off_for_some_seconds() -> None:
    device = shoe()
    taken = device.on[MessageKind.HOST_CLOCK]
    device.on[MessageKind.HOST_CLOCK] = lambda request: refusal(request, Error.BUSY)
    with Client(device.transport, seed=1) as client:
        clock = HostClock(client, lambda point: None)
        clock.refresh()
        device.on[MessageKind.HOST_CLOCK] = taken
        clock.refresh()
        before = len(device.asked_for(MessageKind.HOST_CLOCK))
        device.transport.sleep(SOON_S)
        clock.refresh()
        clock.refresh()
    assert before and len(device.asked_for(MessageKind.HOST_CLOCK)) == before + 1


def test_serve_gives_each_shoe_its_own_key(monkeypatch: pytest.MonkeyPatch) -> None:
    from shoetool.cli import serve

    key, who = CommandKey(b"fakeshoe", bytes(32)), SimpleNamespace(device=b"fakeshoe")
    for keys, wanted in (({key.device: key}, key), ({b"othersho": key}, None)):
        client = SimpleNamespace(authority=SimpleNamespace(key=None), identify=lambda: who)
        monkeypatch.setattr(serve, "open_client", lambda port, client=client: client)
        assert serve.open_with_key(keys, "port").authority.key is wanted
