"""Times of day as the commands show them, and finding rounds by them: zones, midnight, restarts, clocks set."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from dataclasses import replace
from importlib import resources
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import timed_shoe
from click.testing import CliRunner, Result
from histories import IDENTITY
from jsonschema import Draft202012Validator
from shoetool.cli import build
from shoetool.cli.monitor import wanted
from shoetool.cli.time_window import TimeType, Window
from shoetool.history.start_clock import Moment
from shoetool.model.times import Zone
from test_cli_settle import HISTORY, in_history
from timed_shoe import FETCHED_MS, reading

HOUR = 3_600_000


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(build(), [str(argument) for argument in arguments])


def document(name: str, *arguments: str | Path) -> dict[str, Any]:
    schema = json.loads((resources.files("shoetool") / "schemas" / f"{name}.schema.json").read_text())
    found: dict[str, Any] = json.loads(run(*arguments, "--json").stdout)
    Draft202012Validator(schema).validate(found)
    return found


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Histories of one shoe: read once, never, and twice by a clock that was set by three minutes between."""
    at = tmp_path_factory.mktemp("timed")
    timed_shoe.write(at / "one.shoelog", reading())
    timed_shoe.write(at / "none.shoelog")
    timed_shoe.write(at / "set.shoelog", reading(), reading(FETCHED_MS + HOUR, wrong_ms=180_000))
    yield at


def rounds(folder: Path, *more: str, file: str = "one", zone: str = "UTC") -> list[int]:
    return [
        one["round"]
        for one in document("replay", "replay", folder / f"{file}.shoelog", "--timezone", zone, *more)["rounds"]
    ]


def test_replay_shows_when_each_round_was_dealt_and_a_line_for_each_day(folder: Path) -> None:
    lines = run("replay", folder / "one.shoelog", "--timezone", "America/New_York").stdout.splitlines()
    assert lines[0] == "2026-11-20, Friday, EST (UTC-05:00)"
    assert any(line.startswith("Round 1 · 17:00:00 to 17:01:") and "±3 s · records" in line for line in lines)
    days = [
        line
        for line in run("replay", folder / "one.shoelog", "--timezone", "UTC").stdout.splitlines()
        if "day, " in line
    ]
    assert days == ["2026-11-20, Friday, UTC", "2026-11-21, Saturday, UTC"]


def test_no_round_heading_of_replay_is_wider_than_80_columns(folder: Path) -> None:
    for file in ("one", "none", "set"):
        lines = run("replay", folder / f"{file}.shoelog").stdout.splitlines()
        assert max(len(line) for line in lines if line.startswith("Round")) <= 80


def test_replay_as_json_has_the_time_with_the_offset_of_the_zone(folder: Path) -> None:
    found = document("replay", "replay", folder / "one.shoelog", "--timezone", "America/New_York")
    first = found["rounds"][0]
    assert found["timezone"] == "America/New_York"
    assert first["began_at"]["time"] == "2026-11-20T17:00:00.000-05:00"
    assert 1000 < first["began_at"]["uncertainty_ms"] < 2000, "five hours at 100 ppm"
    assert first["ended_at"]["time"].startswith("2026-11-20T17:01:")


def test_times_of_a_shoe_that_does_not_tell_how_long_it_ran_say_so(folder: Path) -> None:
    """The firmware of these pages is older than protocol 1.2."""
    path = folder / "one.shoelog"
    assert "for older ones they are not known" in run("replay", path).stderr
    found = document("replay", "replay", path)["rounds"]
    assert all(one["began_at"]["assumed"] is True for one in found)


def test_a_history_that_nobody_read_the_clock_for_has_no_times_and_says_so(folder: Path) -> None:
    result = run("replay", folder / "none.shoelog")
    assert "time of day not known: this history holds no clock reading" in result.stderr
    assert "switched off" not in result.stderr, "nobody read it at all"
    assert "--:--" not in result.stdout and "±" not in result.stdout and "Round 1 · records" in result.stdout
    first = document("replay", "replay", folder / "none.shoelog")["rounds"][0]
    assert first["began_at"] is None and first["ended_at"] is None


def test_a_shoe_that_was_switched_off_before_its_fetch_has_no_times_and_what_to_do_is_said(tmp_path: Path) -> None:
    """The clock was read in the start after it."""
    path = timed_shoe.write(tmp_path / "off.shoelog", reading(boot=2))
    told = run("replay", path).stderr
    assert "this history holds no clock reading for its records. The shoe was switched off" in told
    assert "fetch a history before the shoe is switched off" in told


def test_a_clock_that_was_set_between_two_readings_is_told_and_allowed_for(folder: Path) -> None:
    result = run("replay", folder / "set.shoelog", "--timezone", "UTC")
    assert "contradict each other by 179." in result.stderr and "±93 s" in result.stdout
    assert rounds(folder, "--at", "22:00", file="set") == [1]
    assert rounds(folder, "--at", "22:03:30", file="set") == [1], "by the later reading it was dealt then"


@pytest.mark.parametrize("board", ["virtual", "pico"])
def test_a_clock_that_fell_behind_is_laid_to_the_simulation_of_a_virtual_shoe_alone(tmp_path: Path, board: str) -> None:
    """A virtual shoe on a computer under load loses seconds. Of a real one only a clock that was set explains that."""
    path = timed_shoe.write(
        tmp_path / "behind.shoelog",
        reading(),
        reading(FETCHED_MS + 1000, wrong_ms=3_100),
        identity=replace(IDENTITY, board=board),
    )
    for command in ("verify", "replay"):
        said = " ".join(run(command, path).output.split())
        assert "contradict each other by 3.1 s, as when the computer's clock was set between them" in said
        assert "times of day allow for both" in said
        second = "A virtual shoe has the time of its simulation, which may fall behind"
        assert (f"both. {second}: what it lost before the first reading is not known" in said) == (board == "virtual")
        assert ("simulation" in said) == (board == "virtual"), said


def test_records_have_their_times(folder: Path) -> None:
    lines = run("replay", folder / "one.shoelog", "--records", "--timezone", "UTC").stdout.splitlines()
    assert any("  22:00:00 ±3 s  Round 1 opens" in line for line in lines)
    lines = run(
        "replay", folder / "one.shoelog", "--records", "--timezone", "UTC", "--at", "00:00:04"
    ).stdout.splitlines()
    assert lines[0] == "2026-11-21, Saturday, UTC" and 1 < len(lines) < 6


def test_at_finds_the_round_on_the_right_side_of_midnight(folder: Path) -> None:
    assert rounds(folder, "--at", "00:00") == [5]
    assert rounds(folder, "--at", "23:59:59") == [5], "±2 s: it may have begun by then"
    assert rounds(folder, "--at", "2026-11-21 00:30") == [6]
    assert rounds(folder, "--at", "2026-11-20T19:30-05:00") == [6]
    assert rounds(folder, "--at", "19:30", zone="America/New_York") == [6]
    assert rounds(folder, "--at", "2026-11-21T00:30Z", zone="America/New_York") == [6]
    assert rounds(folder, "--at", "2026-11-20T19:30:00.120-05:00") == [6], "as --json writes it"
    assert run("replay", folder / "one.shoelog", "--at", "2026-11-20 00:30", "--timezone", "UTC").exit_code == 2


def test_at_draws_the_round_large(folder: Path) -> None:
    result = run("replay", folder / "one.shoelog", "--at", "00:00", "--timezone", "UTC")
    assert result.stdout.startswith("2026-11-21, Saturday, UTC\nRound 5 ·") and "Round 5 opens" in result.stdout


def test_a_time_between_two_rounds_is_refused_with_both(folder: Path) -> None:
    for more in ([], ["--json"]):
        result = run("replay", folder / "one.shoelog", "--at", "00:15", "--timezone", "UTC", *more)
        assert result.exit_code == 2 and result.stdout == ""
        assert "before is round 5 (00:00:00 to" in result.stderr and "after is round 6 (00:30:00" in result.stderr


def test_a_time_is_not_looked_for_among_rounds_whose_time_is_not_known(folder: Path) -> None:
    result = run("replay", folder / "none.shoelog", "--at", "22:00")
    assert result.exit_code == 2 and "of 7 rounds the time of day is not known" in result.stderr


def test_from_and_to_go_over_midnight(folder: Path) -> None:
    assert rounds(folder, "--from", "23:45", "--to", "00:30:30") == [5, 6]
    assert rounds(folder, "--from", "00:10") == [6, 7]
    assert rounds(folder, "--from", "21:00") == [1, 2, 3, 4, 5, 6, 7]
    assert rounds(folder, "--to", "23:15") == [1, 2, 3]
    assert rounds(folder, "--to", "2026-11-20") == [1, 2, 3, 4, 5], "round 5 may have begun two seconds before midnight"
    assert rounds(folder, "--from", "2026-11-21 00:10", "--to", "2026-11-21 00:40") == [6]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--at", "25:00"], "is not a time of day"),
        (["--at", "noon"], "is not a time of day"),
        (["--at", "2026-02-30 12:00"], "is not a time of day"),
        (["--at", "12:00+02:00"], "is not a time of day"),
        (["--at", "\x1b[2J"], "is not a time of day"),
        (["--at", "21:00", "--from", "20:00"], "goes without"),
        (["--timezone", "Mars/Olympus"], "no time zone"),
        (["--timezone", ""], "no time zone"),
        (["--timezone", "America"], "no time zone"),
        (["--timezone", "x\x00y"], "no time zone"),
        (["--timezone", "../../etc/passwd"], "no time zone"),
        (["--from", "2026-11-21 02:00", "--to", "2026-11-20 02:00", "--timezone", "UTC"], "not after"),
        (["--at", "2026-03-08 02:30", "--timezone", "America/New_York"], "set forward over this time"),
    ],
)
def test_what_is_no_time_is_refused_in_one_line(folder: Path, words: list[str], said: str) -> None:
    result = run("replay", folder / "one.shoelog", *words)
    assert result.exit_code == 2 and said in result.stderr and result.stderr.count("\n") == 1
    assert "\x1b" not in result.stderr


@pytest.mark.parametrize("zone", ["XXX-99", "AAA0BBB-99"])  # the second is wrong in summer only
def test_a_zone_of_this_computer_that_cannot_be_used_is_utc(
    folder: Path, zone: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TZ", zone)
    time.tzset()
    try:
        result = run("replay", folder / "one.shoelog", "--records")
        looked = run("replay", folder / "one.shoelog", "--at", "21:14")
        summer = Zone().local(182 * 86_400_000)
    finally:
        monkeypatch.undo()
        time.tzset()
    assert result.exit_code == 0 and ", UTC\n" in result.stdout
    assert looked.exit_code in (0, 2) and "internal error" not in looked.stderr
    assert not summer.utcoffset()


def test_an_hour_that_came_twice_finds_the_rounds_of_both(tmp_path: Path) -> None:
    """On 2026-11-01 clocks in New York were set back from 2:00 to 1:00, at 06:00 UTC."""
    days = 20 * 24 * HOUR
    point = reading()
    moved = point._replace(wall_ms=point.wall_ms - days + 7 * HOUR + 60_000)
    path = timed_shoe.write(tmp_path / "autumn.shoelog", moved)
    found = document("replay", "replay", path, "--timezone", "America/New_York", "--at", "01:31")["rounds"]
    assert [one["began_at"]["time"] for one in found] == [
        "2026-11-01T01:31:00.000-04:00",
        "2026-11-01T01:31:00.000-05:00",
    ]


def apart(path: Path, hours: int) -> Path:
    """A history of seven rounds, each so many hours after the one before, the first at 22:00 UTC."""
    script = timed_shoe.timed(timed_shoe.dealer_script.shoe(most=20))
    more = hours * HOUR - timed_shoe.ROUND_MS
    number, records = 0, []
    for record in script.records:
        number += record.name == "round_opened"
        records.append(record._replace(ticks_ms=(record.ticks_ms + max(0, number - 1) * more) & 0x3FFFFFFF))
    script.records = records
    return timed_shoe.write(path, reading(7 * 24 * HOUR), script=script)


@pytest.mark.parametrize("option", ["--at", "--from", "--to"])
@pytest.mark.parametrize("more", [[], ["--records"], ["--json"]])
def test_a_time_without_a_day_that_lies_on_several_days_is_refused_and_the_day_asked_for(
    tmp_path: Path, option: str, more: list[str]
) -> None:
    path = apart(tmp_path / "days.shoelog", 24)
    result = run("replay", path, option, "22:00", "--timezone", "UTC", *more)
    assert result.exit_code == 2 and result.stdout == ""
    text = f"22:00 lies on 7 days of the history: name one, as {option} '2026-11-20 22:00'"
    assert result.stderr.count("\n") == 1 and text in result.stderr
    assert rounds(tmp_path, "--at", "2026-11-22 22:00", file="days") == [3]
    assert rounds(tmp_path, "--from", "2026-11-25 22:00", "--to", "22:30", file="days") == [6]


def test_a_time_without_a_day_is_that_of_the_history_s_own_span(tmp_path: Path) -> None:
    """From 22:00 to 16:01 of the next day. 15:00 of the day before is nearer to its beginning."""
    apart(tmp_path / "long.shoelog", 3)
    assert rounds(tmp_path, "--from", "15:00", file="long") == [7]
    assert rounds(tmp_path, "--from", "12:30", "--to", "15:00", file="long") == [6]
    assert rounds(tmp_path, "--to", "00:30", file="long") == [1]
    assert rounds(tmp_path, "--at", "13:00", file="long") == [6]
    assert rounds(tmp_path, "--from", "21:00", "--to", "20:00", file="long") == [1, 2, 3, 4, 5, 6, 7]


def test_monitor_looks_for_a_time_without_a_day_between_the_first_record_and_now() -> None:
    """The shoe was opened at 22:00 and it is 16:00 of the next day. 15:00 of the day before is nearer to 22:00."""
    evening = round(timed_shoe.EVENING.timestamp() * 1000)
    records = timed_shoe.dealer_script.shoe(most=20).records[:3]
    moments = {one.number: Moment(at, at) for one, at in zip(records, (0, 10 * HOUR, 17 * HOUR + 60_000), strict=True)}
    times: Any = SimpleNamespace(of=lambda one: Moment(*(evening + at for at in moments[one.number][:2])))
    clock: Any = SimpleNamespace(read_ms=evening + 18 * HOUR)
    asked = TimeType().convert("15:00", None, None)
    chosen = wanted(times, Window(Zone("UTC"), None, asked, None), clock)
    assert [chosen(record) for record in records] == [False, False, True]


def test_a_time_outside_of_the_span_is_the_nearest_one_and_its_day_is_said(folder: Path) -> None:
    """The history ends at 01:01."""
    result = run("replay", folder / "one.shoelog", "--timezone", "UTC", "--from", "02:00")
    assert result.exit_code == 2 and "--from means '2026-11-21 02:00'; add the day" in result.stderr
    result = run("replay", folder / "one.shoelog", "--timezone", "UTC", "--to", "21:30")
    assert result.exit_code == 2 and "--to means '2026-11-20 21:30'; add the day" in result.stderr


def test_verify_and_settle_ask_for_the_day_too(tmp_path: Path) -> None:
    plant = timed_shoe.timed(timed_shoe.dealer_script.shoe(most=20, plant="dealer_stops_short"))
    plant.records = [
        one._replace(ticks_ms=(one.ticks_ms + (48 * HOUR if one.name == "shoe_closed" else 0)) & 0x3FFFFFFF)
        for one in plant.records
    ]
    path = timed_shoe.write(tmp_path / "broken.shoelog", reading(72 * HOUR), script=plant)
    result = run("verify", path, "--at", "23:00", "--timezone", "UTC")
    assert result.exit_code == 2 and "23:00 lies on 3 days of the history: name one" in result.stderr
    result = run("verify", path, "--at", "2026-11-20 23:00", "--timezone", "UTC")
    assert result.exit_code == 1 and "633a.7(m)" in result.stdout
    days = apart(tmp_path / "days.shoelog", 24)
    (tmp_path / "n.jsonl").write_text(json.dumps(in_history(1)))
    words = ["settle", tmp_path / "n.jsonl", "--history", days, "--timezone", "UTC"]
    result = run(*words, "--from", "22:00")
    assert result.exit_code == 2 and "22:00 lies on 7 days of the history: name one" in result.stderr


def test_records_of_a_start_that_nobody_read_are_told_by_it(tmp_path: Path) -> None:
    """The shoe was restarted before it was fetched: what came before has no time, what came after has."""
    script = timed_shoe.timed(timed_shoe.dealer_script.shoe(most=20))
    script.ticks = 0
    script.add("boot", 0, b"\x00\x01\x00", 0x12345678, 8)
    path = timed_shoe.write(tmp_path / "again.shoelog", reading(boot=2)._replace(ticks_ms=60_700), script=script)
    result = run("replay", path, "--records", "--timezone", "UTC")
    assert "not known for records of the shoe's start 1 " in result.stderr
    assert "  02:59:00  The shoe started" in result.stdout


# ---------------------------------------------------------------------------------------------------------- verify
@pytest.fixture(scope="module")
def broken(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """In round 3, 23:00:00 to 23:01:12 UTC, the dealer stopped short; nothing else is wrong with the shoe."""
    script = timed_shoe.timed(timed_shoe.dealer_script.shoe(most=20, plant="dealer_stops_short"))
    return timed_shoe.write(tmp_path_factory.mktemp("broken") / "x.shoelog", reading(), script=script)


def test_a_from_without_a_day_that_finds_nothing_says_which_day_it_was_taken_for(folder: Path) -> None:
    result = run("replay", folder / "one.shoelog", "--timezone", "UTC", "--from", "08:00")
    assert result.exit_code == 2 and "holds no round of that time" in result.stderr
    assert "--from means '2026-11-21 08:00'; add the day" in result.stderr
    assert rounds(folder, "--from", "2026-11-20 08:00") == [1, 2, 3, 4, 5, 6, 7]


def test_verify_says_when_what_it_found_happened(broken: Path) -> None:
    result = run("verify", broken, "--timezone", "America/New_York")
    assert "    2026-11-20 18:00:16 to 18:01:12 ±2 s EST (UTC-05:00) · records 81, 89, 108, 109" in result.stdout
    (finding,) = document("verify", "verify", broken, "--timezone", "UTC")["files"][0]["report"]["findings"]
    assert finding["began_at"]["time"] == "2026-11-20T23:00:16.000+00:00"
    assert finding["ended_at"]["time"] == "2026-11-20T23:01:12.000+00:00"


def test_verify_shows_the_findings_of_a_time_and_its_verdict_stays(broken: Path) -> None:
    for words in (["--at", "23:00"], ["--at", "23:00:04"], ["--from", "22:50", "--to", "23:30"], ["--from", "21:00"]):
        result = run("verify", broken, "--timezone", "UTC", *words)
        assert "633a.7(m)" in result.stdout and "not shown" not in result.stdout, words
    for words in (["--at", "22:00"], ["--from", "23:30"], ["--to", "22:59"]):
        result = run("verify", broken, "--timezone", "UTC", *words)
        assert result.exit_code == 1 and "633a.7(m)" not in result.stdout, words
        assert "1 finding of other times not shown" in result.stdout and "1 finding: 1 breach" in result.stdout
    report = document("verify", "verify", broken, "--timezone", "UTC", "--at", "22:00")["files"][0]["report"]
    assert (report["verdict"], report["findings"], report["left_out"]) == ("findings", [], 1)


def test_verify_shows_a_finding_whose_time_is_not_known_whatever_is_asked(tmp_path: Path) -> None:
    script = timed_shoe.timed(timed_shoe.dealer_script.shoe(most=20, plant="dealer_stops_short"))
    path = timed_shoe.write(tmp_path / "x.shoelog", script=script)
    result = run("verify", path, "--at", "22:00")
    assert "633a.7(m)" in result.stdout and "note: time of day not known" in result.stdout
    (finding,) = document("verify", "verify", path, "--at", "22:00")["files"][0]["report"]["findings"]
    assert finding["began_at"] is None and finding["ended_at"] is None


def test_a_record_number_that_stands_in_a_file_twice_gives_no_time(broken: Path, tmp_path: Path) -> None:
    """Two shoes with the same record numbers, as a forger or a copy at the wrong place makes them."""
    from shoetool.history import chunks

    twice = tmp_path / "twice.shoelog"
    content = broken.read_bytes()
    twice.write_bytes(content + content[chunks.HEADER_SIZE :])
    findings = document("verify", "verify", twice)["files"][0]["report"]["findings"]
    short = [one for one in findings if one["clause"] == "633a.7(m)"]
    assert short and all(one["began_at"] is None and one["ended_at"] is None for one in short)


# ---------------------------------------------------------------------------------------------------------- settle
def settle_words(folder: Path, *entries: dict[str, Any]) -> list[str | Path]:
    """Round 1 of the history lasts from 08:52:46 to 08:52:59, round 2 to 08:53:07, round 3 to 08:53:17, in UTC."""
    (folder / "n.jsonl").write_text("\n".join(json.dumps(one) for one in entries))
    return ["settle", folder / "n.jsonl", "--history", HISTORY, "--timezone", "UTC"]


def test_settle_says_when_the_history_dealt_each_round(tmp_path: Path) -> None:
    words = settle_words(tmp_path, in_history(1), in_history(2, name="the dispute"))
    lines = run(*words).stdout.splitlines()
    titles = [line for line in lines if "2025-10-09" in line]
    assert titles[0].startswith("round 1 of shoe 1 · 2025-10-09 08:52:46 to 08:52:59 UTC · ")
    assert titles[1].startswith("the dispute · 2025-10-09 08:53:00 to 08:53:07 UTC · ")
    assert max(map(len, titles)) <= 80
    found = document("settle", *words)
    assert found["timezone"] == "UTC"
    assert [one["began_at"]["time"][:19] for one in found["files"][0]["rounds"]] == [
        "2025-10-09T08:52:45",
        "2025-10-09T08:52:59",
    ]


def test_settle_settles_only_the_rounds_of_a_time(tmp_path: Path) -> None:
    words = settle_words(tmp_path, in_history(1), in_history(2), in_history(3))
    for more, kept in ((["--at", "08:53:05"], [2]), (["--at", "08:52"], [1, 2]), (["--from", "08:53:03"], [2, 3])):
        assert [one["round"] for one in document("settle", *words, *more)["files"][0]["rounds"]] == kept, more
    result = run(*words, "--at", "09:30")
    assert result.exit_code == 2 and "the last one before is round 3" in result.stderr and result.stdout == ""
    assert document("settle", *words, "--at", "09:30")["files"][0]["error"].startswith("holds no round of that time")


def test_settle_says_which_rounds_it_leaves_out_for_want_of_a_time(tmp_path: Path) -> None:
    words = settle_words(tmp_path, in_history(1), in_history(99))
    result = run(*words, "--at", "08:52:50")
    assert "line 2: left out, since when it was dealt is not known" in result.stderr
    assert "round 1 of shoe 1" in result.stdout


def test_settle_looks_for_times_in_a_history_only() -> None:
    result = run("settle", "x.json", "--at", "21:14")
    assert result.exit_code == 2 and "--history" in result.stderr
