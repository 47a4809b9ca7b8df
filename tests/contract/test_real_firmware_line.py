"""The whole firmware under MicroPython behind a bad line, restarted now and then: nothing is lost or doubled."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from bad_line import BadLine
from bad_transport import BadTransport
from live_records import follow
from shoesim.rig import Rig
from shoetool.client.client import Client
from shoetool.client.history import PageReader
from shoetool.client.live import Live
from shoetool.client.requests import Timeouts
from shoetool.model.errors import LinkError
from shoetool.model.protocol_table import Key, RecordKind
from shoetool.model.records import Record

FAST = Timeouts(
    answer_s=0.02, tries=400, noisy_tries=3000, identify_tries=400, request_s=60, reconnect_s=60, poll_s=0.1
)


def catch_up(client: Client, live: Live) -> list[Record]:
    """All records that are there by now."""
    got: list[Record] = []
    end = client.status().durable_record
    while live.next_number is None or live.next_number < end:
        got += live.poll(1.0)
    return got


@pytest.mark.begins_first
@pytest.mark.parametrize("interpreter", ["amd64", "i386"])
def test_records_keys_and_pages_survive_a_bad_line_and_two_restarts(tmp_path: Path, interpreter: str) -> None:
    seed = 6
    print("seed", seed)
    rates = {"loss": 0.01, "flips": 0.001, "repeats": 0.001, "text": 0.001}
    with Rig(tmp_path / "shoe", interpreter=interpreter) as rig:
        with Client.open(rig.link_path) as clean:
            clean.config_write({"positions": 7})
            clean.key(Key.LOAD, 0)
        to_device, to_host = BadLine(seed, **rates), BadLine(seed + 1, **rates)
        client = Client(BadTransport(rig.link_path, to_device, to_host), FAST, seed=seed)
        live = client.subscribe(0)
        end: int | None = None
        got = live.poll(1.0)
        pressed = []
        for number in range(1, 31):
            # Each mask is another one, so each press is one `seats` record of its own.
            try:
                assert client.key(Key.SEATS, number)[0]
            except LinkError as doubt:
                assert "restarted while key was under way" in str(doubt)
                got += catch_up(client, live)
                if not any(record.kind == RecordKind.SEATS and record.seats == number for record in got):
                    assert client.key(Key.SEATS, number)[0]
            pressed.append(number)
            got += live.poll(0.0)
            if number in (10, 20):
                rig.restart()
        got += catch_up(client, live)
        end = live.next_number
        shoes = client.history_list()
        pages = [page for shoe in shoes for page in client.pull_shoe(shoe)]
        client.close()
        with Client.open(rig.link_path) as clean:
            assert [PageReader(clean.session).read(page.number) for page in pages] == pages
        firmware_log = rig.log_path.read_text()
    assert end is not None and [record.number for record in got] == list(range(end))
    assert [record.seats for record in got if record.kind == RecordKind.SEATS] == pressed
    assert [record.kind for record in got].count(RecordKind.BOOT) == 3
    assert live.gone == []
    assert client.session.counters.restarts == 2
    for name in ("lost", "flipped", "texts"):
        assert to_device.counts[name] + to_host.counts[name] > 3, name
    assert not re.search("Traceback|Error", firmware_log), firmware_log


@pytest.mark.parametrize("interpreter", ["amd64", "i386"])
def test_control_characters_and_garbage_do_not_interrupt_the_firmware(tmp_path: Path, interpreter: str) -> None:
    """Ctrl-C, Ctrl-D, Ctrl-Z, XON and XOFF, alone and inside of frames, and a megabyte of noise."""
    with Rig(tmp_path / "shoe", interpreter=interpreter) as rig, Client.open(rig.link_path) as client:
        before = client.identify()
        for junk in (b"\x03" * 50, b"\r\x03\x03\x04\x1a\x11\x13\x1c\r\n", bytes(range(256)) * 200):
            client.transport.write(junk)
            assert client.ticks().boot == before.boot
        # A new session may begin anywhere: here where sequence numbers are full of 0x03.
        client.session._number += 1
        client.session._sequence = 0x0302
        client.session.connect()
        for argument in range(128):
            assert client.key(Key.SEATS, argument or 3)[0]
        after = client.session.connect()
        assert (after.boot, after.epoch) == (before.boot, before.epoch)
        assert client.session.counters.restarts == 0


def test_a_recording_of_the_real_firmware_replays(tmp_path: Path) -> None:
    path = tmp_path / "real.shoelink"
    with Rig(tmp_path / "shoe") as rig, Client.open(rig.link_path, record=path) as client:
        live = client.subscribe(0)
        client.key(Key.LOAD, 0)
        rig.key(Key.SEATS, 5)
        first = (client.identify(), client.config_read(), client.history_list(), list(follow(client, live, 0.5)))
    with Client.open(str(path)) as client:
        live = client.subscribe(0)
        client.key(Key.LOAD, 0)
        again = (client.identify(), client.config_read(), client.history_list(), list(follow(client, live, 0.5)))
    assert again == first
    assert len(first[3]) == 4
