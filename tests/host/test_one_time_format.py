"""Times: one module makes text of them, with offset and zone, rounded one way, and a test finds who goes round it."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
import time
from datetime import datetime
from pathlib import Path

import pytest
from shoetool.history.start_clock import Moment
from shoetool.model.times import Zone, file_stamp, utc_day, utc_stamp
from shoetool.report.time_of_day import clock_text, dated_span_text, span_text

HOST = Path(__file__).resolve().parents[2] / "host_tools"
RULE = HOST / "shoetool" / "model" / "times.py"
MARK = "# not model/times: "
"""Behind a line that makes no text of a time of day, with the reason."""
MAKERS = {"strftime", "isoformat", "ctime", "asctime", "fromtimestamp", "utcfromtimestamp", "astimezone", "tzname"}
CLOCKS = {(of, name) for of in ("datetime", "date") for name in ("now", "utcnow", "today")}
CLOCKS |= {("time", name) for name in ("localtime", "gmtime")}
ZONE = Zone("America/New_York")
BACK_MS = 1_793_512_800_000
"""2026-11-01 06:00 UTC: clocks in New York go back from 02:00 EDT to 01:00 EST."""


def strays(path: Path) -> list[str]:
    """Every place of a module that makes text of a time, or takes one apart, by itself."""
    text = path.read_text(encoding="utf-8")
    lines, found = text.splitlines(), []
    for node in ast.walk(ast.parse(text)):
        match node:
            case ast.Attribute(attr=name) if name in MAKERS:
                pass
            case ast.Attribute(value=ast.Name(id=of) | ast.Attribute(attr=of), attr=name) if (of, name) in CLOCKS:
                pass
            case ast.FormattedValue(format_spec=ast.JoinedStr(values=[ast.Constant(value=str(name)), *_])):
                if "%" not in name[:-1]:  # `.1%` is a share
                    continue
            case _:
                continue
        line = lines[node.lineno - 1]
        if MARK not in line:
            found.append(f"{path.relative_to(HOST)}:{node.lineno}: {name}")
    return found


def test_only_one_module_makes_text_of_times() -> None:
    modules = sorted(HOST.glob("*/**/*.py"))
    assert [stray for path in modules if path != RULE for stray in strays(path)] == []
    assert len(strays(RULE)) > 5, "it finds those of the one place"


@pytest.mark.parametrize(
    "line",
    ["f'{now:%H:%M}'", "one.strftime('%Y')", "one.isoformat()", "datetime.now(UTC)", "datetime.datetime.now()",
     "time.localtime()", "date.today()", "datetime.fromtimestamp(3)"],
)  # fmt: skip
def test_a_module_that_formats_a_time_by_itself_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, line: str
) -> None:
    monkeypatch.setattr(sys.modules[__name__], "HOST", tmp_path)
    module = tmp_path / "one.py"
    module.write_text(line + "\n")
    assert strays(module)
    module.write_text(f"{line}  {MARK}a test\n")
    assert not strays(module)
    module.write_text("f'{share:.1%}', f'{number:>{width}}', time.monotonic(), time.time()\n")
    assert not strays(module)


def at(unix_ms: int, about: int = 0) -> Moment:
    return Moment(unix_ms - about, unix_ms + about)


def test_a_round_over_the_hour_that_comes_twice_names_both_offsets() -> None:
    began, ended = at(BACK_MS - 16_000), at(BACK_MS + 1_000)
    dated = "2026-11-01 01:59:44 EDT (UTC-04:00) to 01:00:01 EST (UTC-05:00)"
    assert dated_span_text(began, ended, ZONE) == dated
    assert span_text(began, ended, ZONE) == dated.partition(" ")[2]
    assert ZONE.labels([BACK_MS - 16_000, BACK_MS + 1_000]) == "EDT (UTC-04:00) and EST (UTC-05:00)"
    assert ZONE.iso(BACK_MS - 16_000) == "2026-11-01T01:59:44.000-04:00"


def test_a_round_over_midnight_names_both_days() -> None:
    began, ended = at(BACK_MS + 22 * 3_600_000 + 3_590_000, 900), at(BACK_MS + 23 * 3_600_000 + 5_000, 4_000)
    assert dated_span_text(began, ended, ZONE) == "2026-11-01 23:59:50 to 2026-11-02 00:00:05 ±5 s EST (UTC-05:00)"
    assert dated_span_text(began, None, ZONE) == "2026-11-01 23:59:50 ±2 s EST (UTC-05:00)"
    assert dated_span_text(None, None, ZONE) == ""


def test_every_text_of_a_time_is_rounded_to_the_nearest_second() -> None:
    for ms, second in ((0, "00"), (499, "00"), (500, "01"), (999, "01"), (1_499, "01"), (1_500, "02")):
        found = BACK_MS + ms
        texts = [ZONE.clock(found), clock_text(at(found), ZONE), span_text(at(found), at(found), ZONE)[:8]]
        texts += [ZONE.stamp(found)[11:19], dated_span_text(at(found), at(found), ZONE)[11:19]]
        assert {text[-2:] for text in texts} == {second}, (ms, texts)
        assert utc_stamp(found) == f"2026-11-01T06:00:{second}Z"
    last = BACK_MS - 14_400_000 - 7_200_000 - 1  # a millisecond before midnight in UTC
    assert (utc_day(last), utc_stamp(last)) == ("2026-10-31", "2026-11-01T00:00:00Z")
    assert file_stamp(last) == "20261031T235959.999Z"


@pytest.mark.parametrize(
    ("zone", "label"),
    [("UTC", "UTC"), ("America/New_York", "EST (UTC-05:00)"), ("America/Sao_Paulo", "UTC-03:00"),
     ("Asia/Kathmandu", "UTC+05:45"), ("Asia/Kolkata", "IST (UTC+05:30)")],
)  # fmt: skip
def test_a_zone_is_named_with_its_offset(zone: str, label: str) -> None:
    assert Zone(zone).label(BACK_MS + 1_000) == label
    assert Zone(zone).stamp(BACK_MS).endswith(f" {Zone(zone).label(BACK_MS)}")


@pytest.mark.parametrize(
    ("zone", "label", "iso"),
    [
        ("AAA5:17:33", "AAA (UTC-05:18)", "-05:18"),
        ("AAA-5:17:29", "AAA (UTC+05:17)", "+05:17"),
        ("AAA-0:0:29", "AAA (UTC)", "+00:00"),
    ],
)
def test_an_offset_has_whole_minutes_and_agrees_with_the_time_beside_it(
    zone: str, label: str, iso: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TZ", zone)
    time.tzset()
    try:
        written, shown = Zone().iso(BACK_MS), Zone().label(BACK_MS)
        clock = datetime.fromisoformat(written).replace(tzinfo=None)
        assert (shown, written[23:]) == (label, iso)
        assert datetime.fromisoformat(written).timestamp() * 1000 == BACK_MS
        assert Zone().clock(BACK_MS) == f"{clock:%H:%M:%S}"
        assert Zone().instants(clock) == [BACK_MS]
    finally:
        monkeypatch.undo()
        time.tzset()


def test_a_clock_of_1970_is_told_with_whole_minutes() -> None:
    assert Zone("Africa/Monrovia").iso(0) == "1969-12-31T23:16:00.000-00:44"  # it was 44 minutes and 30 seconds


def test_the_computers_own_zone_is_named_too() -> None:
    program = f"from shoetool.model.times import Zone; print(Zone().stamp({BACK_MS + 1_000}))"
    environment = dict(os.environ, TZ="America/New_York", PYTHONPATH=str(HOST))
    done = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "2026-11-01 01:00:01 EST (UTC-05:00)"
