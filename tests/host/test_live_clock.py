"""Times of day of live records, and of recordings: by this computer's clock now, and by that of then."""

from __future__ import annotations

import json
import struct
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from importlib import resources
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from fake_shoes import ScriptedShoe, answer
from jsonschema import Draft202012Validator
from made_record import make_record
from pty_shoe import PtyShoe
from shoetool.cli import build
from shoetool.cli.live_clock import LiveClock
from shoetool.client.client import Client
from shoetool.client.host_clock import AGAIN_S, read_clock
from shoetool.link.recording import HEAD, MAGIC, RecordingTransport
from shoetool.link.replay import ReplayTransport
from shoetool.model.protocol_table import MESSAGES, MessageKind


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(build(), [str(argument) for argument in arguments])


@pytest.fixture
def shoe() -> Iterator[PtyShoe]:
    """Its clock stands at 1,234 ms; its first record was written at 1,700."""
    with PtyShoe() as shoe:
        shoe.service.script.add("shoe_closed", 0, 1, 6)
        yield shoe


def events(result: Result) -> list[dict[str, Any]]:
    schema = json.loads((resources.files("shoetool") / "schemas" / "event.schema.json").read_text())
    found = [json.loads(line) for line in result.stdout.splitlines()]
    for one in found:
        Draft202012Validator(schema).validate(one)
    return found


def since_epoch(event: dict[str, Any]) -> datetime:
    return datetime.fromisoformat(event["time"]["time"])


def test_each_event_has_its_time_of_day(shoe: PtyShoe) -> None:
    before = datetime.now(UTC)
    found = events(run("monitor", "--json", "--until-closed", "--port", shoe.port, "--timezone", "Asia/Kolkata"))
    after = datetime.now(UTC)
    ticks = timedelta(milliseconds=found[0]["record"]["ticks_ms"] - 1234)
    about = timedelta(milliseconds=found[0]["time"]["uncertainty_ms"] + 1)
    assert before + ticks - about <= since_epoch(found[0]) <= after + ticks + about
    assert found[0]["time"]["time"].endswith("+05:30")
    assert since_epoch(found[1]) - since_epoch(found[0]) == timedelta(milliseconds=700)


def test_a_line_an_event_has_its_time_and_the_day_is_said_apart(shoe: PtyShoe) -> None:
    result = run("monitor", "--until-closed", "--port", shoe.port, "--timezone", "UTC")
    assert len(result.stdout.splitlines()) == len(shoe.service.script.records)
    assert all(line[9:17].count(":") == 2 and "--" not in line[9:17] for line in result.stdout.splitlines())
    assert "day, UTC" in result.stderr


def test_a_record_of_a_start_before_has_no_time(shoe: PtyShoe) -> None:
    script = shoe.service.script
    script.records[0] = script.records[0]._replace(boot=0)
    first, second, *_ = events(run("monitor", "--json", "--until-closed", "--port", shoe.port))
    assert first["time"] is None and second["time"] is not None
    lines = run("monitor", "--until-closed", "--port", shoe.port).stdout.splitlines()
    assert lines[0].split()[1] == "--:--:--" and lines[1].split()[1] != "--:--:--"


def test_monitor_begins_at_a_time_of_day(shoe: PtyShoe) -> None:
    """The records from the fifth on are an hour later than the others."""
    script = shoe.service.script
    script.records[4:] = [one._replace(ticks_ms=one.ticks_ms + 3_600_000) for one in script.records[4:]]
    asked = f"{datetime.now(UTC) + timedelta(minutes=30):%Y-%m-%d %H:%M}"
    found = events(
        run("monitor", "--json", "--until-closed", "--port", shoe.port, "--from", asked, "--timezone", "UTC")
    )
    assert [one["record"]["record"] for one in found] == [record.number for record in script.records[4:]]


def test_a_recording_tells_the_times_of_its_day_and_not_of_today(shoe: PtyShoe, tmp_path: Path) -> None:
    path = tmp_path / "line.shoelink"
    live = events(run("monitor", "--json", "--until-closed", "--port", shoe.port, "--record", path))
    recording = bytearray(path.read_bytes())
    year_us = 365 * 86_400_000_000
    _, version, began_us = HEAD.unpack_from(recording)
    HEAD.pack_into(recording, 0, MAGIC, version, began_us - year_us)
    path.write_bytes(recording)
    then = events(run("monitor", "--json", "--until-closed", "--port", path))
    assert len(then) == len(live)
    for now, one in zip(live, then, strict=True):
        apart = since_epoch(now) - since_epoch(one) - timedelta(microseconds=year_us)
        assert abs(apart) <= timedelta(milliseconds=now["time"]["uncertainty_ms"] + one["time"]["uncertainty_ms"] + 1)
    again = tmp_path / "again.shoelink"
    copied = events(run("monitor", "--json", "--until-closed", "--port", path, "--record", again))
    assert [one["time"] for one in copied] == [one["time"] for one in then], "also while it is recorded once more"


def clocked(ticks: list[int]) -> ScriptedShoe:
    """A shoe that answers `ticks` with each of these in turn."""
    shoe = ScriptedShoe()
    shoe.on[MessageKind.TICKS] = lambda request: answer(request, struct.pack("<HII", 1, ticks.pop(0), 0))
    return shoe


def test_a_recording_without_a_reading_tells_no_time(tmp_path: Path) -> None:
    path = tmp_path / "line.shoelink"
    with Client(RecordingTransport(clocked([]).transport, path), seed=1) as client:
        client.identify()
    with Client(ReplayTransport(path)) as client:
        client.identify()
        assert read_clock(client) is None
        clock = LiveClock(client)
        clock.refresh()
        assert clock.moment(make_record(0, "boot", 0, b"\0\1\0", 0, 1)) is None


def test_the_clock_is_read_again_each_hour_and_after_a_restart() -> None:
    shoe = clocked([1000, 3_601_000, 9000])
    with Client(shoe.transport, seed=1) as client:
        clock = LiveClock(client)
        for _ in range(3):
            clock.refresh()
        assert len(shoe.asked_for(MessageKind.TICKS)) == 1
        shoe.transport.sleep(AGAIN_S)
        clock.refresh()
        clock.refresh()
        assert len(shoe.asked_for(MessageKind.TICKS)) == 2
        client.session.generation += 1
        clock.refresh()
        assert len(shoe.asked_for(MessageKind.TICKS)) == 3


def test_a_shoe_that_runs_for_weeks_has_times_for_what_it_tells_now_and_not_for_what_may_be_older() -> None:
    """30 days up: the ticks of a record that it sends again may be of two times, those of a new one are not."""
    shoe = ScriptedShoe()
    ran = 30 * 86_400_000
    shoe.on[MessageKind.TICKS] = lambda request: answer(request, struct.pack("<HIIH", 1, ran % (1 << 30), 0, ran >> 30))
    shoe.on[MessageKind.STATUS] = lambda request: answer(
        request, struct.pack(MESSAGES[MessageKind.STATUS]["answer_format"], *(0,) * 6, 500, 500, 0, 0, 0, 0)
    )
    with Client(shoe.transport, seed=1) as client:
        clock = LiveClock(client)
        clock.refresh()
        ticks = ran % (1 << 30)
        older, newer = (make_record(number, "dealer_changed", 1, ticks_ms=ticks + 5) for number in (499, 500))
        assert clock.moment(older) is None
        found = clock.moment(newer)
        assert found is not None and not found.assumed
