"""The time of day in the journal, from the whole firmware to `verify`: pull, the key, monitor, edits, power cuts."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from shoesim.rig import Rig
from shoetool.cli import build
from shoetool.cli.live_clock import LiveClock
from shoetool.client.client import Client
from shoetool.client.host_clock import read_clock, record_reading
from shoetool.history import chunks
from shoetool.history.chunks import ClockPoint
from shoetool.history.store import ShoelogReader
from shoetool.judge import registry_trust
from shoetool.model.protocol_table import Key, RecordKind, Signing
from shoetool.model.records import Record
from shoetool.verify import verify
from word_sizes import AS_ON_THE_CHIP

HOUR = 3_600_000


@pytest.fixture(params=AS_ON_THE_CHIP)
def rig(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Rig]:
    with Rig(tmp_path / "state", interpreter=request.param) as rig:
        yield rig
        assert "Error" not in rig.log_path.read_text()


def run(rig: Rig, *arguments: str | Path) -> Result:
    words = [str(argument) for argument in arguments]
    return CliRunner(env={"SHOETOOL_PORT": rig.link_path, "SHOETOOL_KEY": ""}).invoke(build(), words)


def pulled(rig: Rig, out: Path, *more: str | Path) -> dict[int, list[Record]]:
    """Fetch what is new; the readings of the clock in the journal of each history."""
    result = run(rig, "pull", "--out", out, *more)
    assert result.exit_code == 0, result.output
    found = {}
    for path in out.glob("*.shoelog"):
        with ShoelogReader(path) as reader:
            found[int(path.stem[-5:])] = [one for one in reader.records() if one.kind == RecordKind.HOST_CLOCK]
    return found


def load(rig: Rig) -> None:
    rig.key(Key.LOAD, 0)
    rig.sync()


def close(rig: Rig) -> None:
    rig.key(Key.CLOSE_SHOE)
    rig.sync()
    rig.wait(3)
    rig.sync()


def test_each_pull_of_an_open_shoe_records_the_time_once_an_hour(rig: Rig, tmp_path: Path) -> None:
    load(rig)
    (first,) = pulled(rig, tmp_path / "out")[1]
    assert not first.authenticated and first.at_turns == 0
    assert len(pulled(rig, tmp_path / "out")[1]) == 1
    rig.wait(3601)
    rig.sync()
    assert len(pulled(rig, tmp_path / "out")[1]) == 2


def test_a_history_that_was_fetched_whole_stays_fetched(rig: Rig, tmp_path: Path) -> None:
    load(rig)
    close(rig)
    assert len(pulled(rig, tmp_path / "out")[1]) == 1, "its newest history is fetched: the time comes with it"
    rig.wait(7200)
    rig.sync()
    assert "nothing to fetch" in run(rig, "pull", "--out", tmp_path / "out").stdout
    assert len(pulled(rig, tmp_path / "out")[1]) == 1


def test_with_the_key_it_is_signed_as_proved_and_an_edited_file_is_found(rig: Rig, tmp_path: Path) -> None:
    key, out = tmp_path / "one.shoekey", tmp_path / "out"
    assert run(rig, "provision", "--out", key, "--height", "5", "--yes").exit_code == 0
    with Client.open(rig.link_path) as client:
        while (answer := client.signing_key()) is not None and answer.state == Signing.MAKING:
            client.transport.sleep(0.05)
    load(rig)
    assert [one.authenticated for one in pulled(rig, out)[1]] == [0]
    assert [one.authenticated for one in pulled(rig, out, "--key", key)[1]] == [0, 1]
    close(rig)
    readings = pulled(rig, out, "--key", key)[1]
    assert [one.authenticated for one in readings] == [0, 1, 1], "the last one behind the signed end"
    (path,) = out.glob("*-00001.shoelog")
    report = verify(path)
    assert report.ok and report.summary.signatures[0].good
    assert [one.basis.word for one in report.summary.times][-1] == "signed_with_key"
    document = json.loads(run(rig, "replay", path, "--json").stdout)
    assert {one["began_at"]["basis"] for one in document["rounds"]} <= {"signed_with_key"}
    moved = moved_by(path, tmp_path / path.name, 7 * HOUR)
    found = verify(moved).findings
    assert [one.check for one in found] == [registry_trust.CLOCK] and "7:00:0" in found[0].sentence
    assert run(rig, "verify", moved, "--require-signature").exit_code == 1


def moved_by(source: Path, target: Path, by_ms: int) -> Path:
    """A copy in which each reading beside the pages is moved, and which says that its board is a real one."""
    with source.open("rb") as file:
        out = file.read(chunks.HEADER_SIZE)
        for _, tag, body in chunks.read_chunks(file, chunks.Scan()):
            if tag == chunks.CLOCK:
                point = ClockPoint.unpack(body)
                body = point._replace(wall_ms=point.wall_ms + by_ms).pack()
            elif tag == chunks.IDENTITY:
                body = replace(chunks.Identity.unpack(body), board="pico").pack()
            out += chunks.pack_chunk(tag, body)
    target.write_bytes(out)
    return target


def test_who_watches_lets_an_open_shoe_record_it(rig: Rig, tmp_path: Path) -> None:
    load(rig)
    with Client.open(rig.link_path) as client:
        clock = LiveClock(client)
        clock.refresh()
        clock.refresh()
        (entry,) = client.history_list(1)
    assert entry.records
    assert len(pulled(rig, tmp_path / "out")[1]) == 1


def test_a_shoe_that_is_switched_off_keeps_what_it_answered(rig: Rig, tmp_path: Path) -> None:
    load(rig)
    with Client.open(rig.link_path) as client:
        point = read_clock(client)
        assert point is not None
        number = record_reading(client, point)
    rig.stop()
    rig.start()
    with Client.open(rig.link_path) as client:
        point = read_clock(client)
        assert point is not None
        assert record_reading(client, point) is not None, "the first one of this start"
    records = pulled(rig, tmp_path / "out")[1]
    assert records[0].number == number and [one.boot for one in records] == [1, 2]
    (path,) = (tmp_path / "out").glob("*-00001.shoelog")
    assert {one.boot for one in verify(path).summary.times} == {1, 2}
