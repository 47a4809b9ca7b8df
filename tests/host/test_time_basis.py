"""What a time of day rests on: readings that the shoe recorded and signed, and those beside the pages; each edited."""

from __future__ import annotations

import json
from dataclasses import replace
from hashlib import sha256
from importlib import resources
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from histories import DEVICE, IDENTITY, KIND, Script, cut_pages
from jsonschema import Draft202012Validator
from shoetool.cli import build
from shoetool.history.chunks import ClockPoint, Identity
from shoetool.history.clock import CLOCKS_APART_MS, ClockMap
from shoetool.history.readings import Basis, RecordedReading
from shoetool.history.store import ShoelogReader, ShoelogWriter
from shoetool.judge import registry_trust
from shoetool.model.records import Record
from shoetool.trust.keys import PublicKey
from shoetool.trust.pins import PinStore
from shoetool.trust.trust import Trust
from shoetool.verify import Report, verify
from shoetool.verify.timed_reader import TimedReader
from signed_histories import SETTINGS, dealt, key, sign_pages

EVENING_MS = 1_795_723_200_000
"""The host's clock when the shoe had counted 0 ms."""
HOUR = 3_600_000
REAL = replace(IDENTITY, board="pico")
Reading = tuple[int, bool, int]
"""Wrong by so many ms; given with the command key; so many records before the end (0: behind `shoe_closed`)."""


def recorded(*readings: Reading) -> list[Record]:
    """A dealt shoe with these readings in its journal."""
    records = list(dealt().records)
    for wrong, proved, before_end in readings:
        place = len(records) - before_end
        ticks = records[place - 1].ticks_ms
        wall = EVENING_MS + ticks + wrong
        values = (ticks, 0, wall // 1000, wall % 1000, 4, int(proved))
        records.insert(place, Record(0, records[place - 1].boot, ticks, KIND["host_clock"], values))
    first = records[0].number
    return [Record(first + at, *record[1:]) for at, record in enumerate(records)]


def file_of(
    path: Path, *readings: Reading, moved: int | None = None, identity: Identity = REAL, signed: bool = True
) -> Path:
    """A history with these readings in its journal, and one beside the pages, `moved` by so many ms."""
    records = recorded(*readings)
    pages = cut_pages(records, flags=1)
    with ShoelogWriter(path, sync=False) as writer:
        writer.set_identity(identity)
        writer.set_configuration(SETTINGS)
        if moved is not None:
            last = records[-1]
            writer.add_clock(ClockPoint(last.boot, last.ticks_ms, EVENING_MS + last.ticks_ms + moved, 5, 0))
        for page in pages:
            writer.append_page(page)
        if signed:
            writer.add_signature(sign_pages(pages, key(), 5))
    return path


SIGNED = (0, False, 1)
PROVED = (0, True, 1)


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(build(), [str(argument) for argument in arguments])


def document(name: str, *arguments: str | Path) -> dict[str, Any]:
    schema = json.loads((resources.files("shoetool") / "schemas" / f"{name}.schema.json").read_text())
    found: dict[str, Any] = json.loads(run(*arguments, "--json").stdout)
    Draft202012Validator(schema).validate(found)
    return found


def contradicted(report: Report) -> list[str]:
    return [one.sentence for one in report.findings if one.check == registry_trust.CLOCK]


def begins(path: Path) -> list[tuple[str, str]]:
    """Time and basis of each round's beginning."""
    rounds = document("replay", "replay", path, "--timezone", "UTC")["rounds"]
    return [(one["began_at"]["time"], one["began_at"]["basis"]) for one in rounds]


# ------------------------------------------------------------------------------------------------ edited files


@pytest.mark.parametrize("hours", [7, -7, 300 * 24])
@pytest.mark.parametrize("reading", [SIGNED, PROVED], ids=["signed", "with the key"])
def test_clock_readings_that_were_moved_are_found_and_move_no_time(
    tmp_path: Path, hours: int, reading: Reading
) -> None:
    good = file_of(tmp_path / "good.shoelog", reading, moved=0)
    moved = file_of(tmp_path / "moved.shoelog", reading, moved=hours * HOUR)
    assert verify(good).ok
    (sentence,) = contradicted(verify(moved))
    assert "which is not signed" in sentence and "that the shoe signed in record" in sentence
    assert begins(moved) == begins(good) and {basis for _, basis in begins(good)} <= {"signed", "signed_with_key"}
    assert run("verify", moved, "--require-signature").exit_code == 1


def test_two_computers_whose_clocks_differ_a_little_are_no_finding(tmp_path: Path) -> None:
    for wrong in (0, CLOCKS_APART_MS, -CLOCKS_APART_MS):
        assert verify(file_of(tmp_path / f"{wrong}.shoelog", SIGNED, moved=wrong)).ok
    assert contradicted(verify(file_of(tmp_path / "far.shoelog", SIGNED, moved=CLOCKS_APART_MS + 100)))


@pytest.mark.parametrize("turns", [1, 40, 65535])
def test_turns_that_were_moved_with_a_reading_hide_nothing(tmp_path: Path, turns: int) -> None:
    """So far from the signed reading no time is known to an hour; that the two do not fit is known all the same."""
    path, records = tmp_path / "x.shoelog", recorded(SIGNED)
    pages, last = cut_pages(records, flags=1), records[-1]
    with ShoelogWriter(path, sync=False) as writer:
        writer.set_identity(REAL)
        writer.set_configuration(SETTINGS)
        writer.add_clock(ClockPoint(last.boot, last.ticks_ms, EVENING_MS + last.ticks_ms + 7 * HOUR, 5, turns))
        for page in pages:
            writer.append_page(page)
        writer.add_signature(sign_pages(pages, key(), 5))
    assert len(contradicted(verify(path))) == 1


def test_turns_that_were_taken_out_of_a_moved_reading_hide_nothing(tmp_path: Path) -> None:
    path = tmp_path / "x.shoelog"
    pages = cut_pages(recorded(SIGNED), flags=1)
    last = recorded(SIGNED)[-1]
    with ShoelogWriter(path, sync=False) as writer:
        writer.set_identity(REAL)
        writer.set_configuration(SETTINGS)
        writer.add_clock(ClockPoint(last.boot, last.ticks_ms, EVENING_MS + last.ticks_ms + 7 * HOUR, 5))
        for page in pages:
            writer.append_page(page)
        writer.add_signature(sign_pages(pages, key(), 5))
    assert contradicted(verify(path))


def test_a_reading_that_was_changed_in_the_journal_breaks_the_signature(tmp_path: Path) -> None:
    path = file_of(tmp_path / "x.shoelog", PROVED, moved=0)
    with ShoelogReader(path) as reader:
        list(reader.records())
        (signature,) = reader.signatures
    records = recorded((7 * HOUR, True, 1))
    forged = tmp_path / "forged.shoelog"
    with ShoelogWriter(forged, sync=False) as writer:
        writer.set_identity(REAL)
        writer.set_configuration(SETTINGS)
        for page in cut_pages(records, flags=1):
            writer.append_page(page)
        writer.add_signature(signature)
    report = verify(forged)
    assert {one.check for one in report.findings} == {registry_trust.EDITED}
    assert [one.basis for one in report.summary.times] == [Basis.RECORDED]
    assert {basis for _, basis in begins(forged)} == {"recorded"}


def test_an_old_history_is_told_as_it_is_and_says_that_nothing_signs_its_times(tmp_path: Path) -> None:
    for moved in (0, 7 * HOUR):
        path = file_of(tmp_path / "old.shoelog", moved=moved)
        report = verify(path)
        assert report.ok and "times of day are by the clock of the computer that fetched it, not signed" in (
            report.summary.notes
        )
        assert {basis for _, basis in begins(path)} == {"fetched"}
        shown = run("replay", path).stdout
        assert shown.count("by the clock of the computer that fetched it, not signed") == 1
        path.unlink()


def test_a_virtual_shoe_whose_clock_ran_otherwise_gets_a_note(tmp_path: Path) -> None:
    path = file_of(tmp_path / "x.shoelog", SIGNED, moved=7 * HOUR, identity=IDENTITY)
    report = verify(path)
    assert report.ok and any("virtual shoe has the time of its simulation" in one for one in report.summary.notes)
    assert begins(path) == begins(file_of(tmp_path / "y.shoelog", SIGNED, moved=0))


# ------------------------------------------------------------------------------------------------ what is strongest


def test_a_reading_with_the_key_counts_before_one_that_anybody_may_have_given(tmp_path: Path) -> None:
    good = begins(file_of(tmp_path / "good.shoelog", PROVED, moved=0))
    path = file_of(tmp_path / "x.shoelog", PROVED, (2 * HOUR, False, 4), moved=0)
    (sentence,) = contradicted(verify(path))
    assert "2:00:00" in sentence and "given with the command key" in sentence
    assert [time for time, _ in begins(path)] == [time for time, _ in good]


def test_a_reading_behind_the_signed_end_is_recorded_and_no_more(tmp_path: Path) -> None:
    path = file_of(tmp_path / "x.shoelog", (0, True, 0), moved=0)
    report = verify(path)
    assert report.ok and [one.basis for one in report.summary.times] == [Basis.RECORDED]
    assert {basis for _, basis in begins(path)} == {"recorded"}
    assert contradicted(verify(file_of(tmp_path / "moved.shoelog", (0, True, 0), moved=7 * HOUR)))


def test_without_a_signature_a_reading_in_the_journal_is_told_as_not_signed(tmp_path: Path) -> None:
    path = file_of(tmp_path / "x.shoelog", PROVED, moved=0, signed=False)
    assert {basis for _, basis in begins(path)} == {"recorded"}
    assert any("in the shoe's journal, not signed" in one for one in verify(path).summary.notes)


def test_a_signature_of_another_key_than_the_pinned_one_signs_no_time(tmp_path: Path) -> None:
    path = file_of(tmp_path / "x.shoelog", PROVED, moved=0)
    pins = PinStore(tmp_path / "keys")
    pins.pin(DEVICE, PublicKey(key("other").public))
    report = verify(path, trust=Trust(pins))
    assert [one.basis for one in report.summary.times] == [Basis.RECORDED]
    with TimedReader(path) as reader:
        reader.pins = pins
        (first, *_) = reader.records()
        found = reader.moment(first)
        assert found is not None and found.basis == Basis.RECORDED


def test_no_command_takes_the_signature_of_another_key_than_the_pinned_one_for_the_shoes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`replay` has no --keys: the pins of the user count. A forger's own key signs no time."""
    path = file_of(tmp_path / "x.shoelog", PROVED, moved=0)
    assert "signed by the shoe in its journal" in run("replay", path).stdout
    monkeypatch.setenv("SHOETOOL_KEYS", str(tmp_path / "keys"))
    PinStore(tmp_path / "keys").pin(DEVICE, PublicKey(key("other").public))
    said = run("replay", path).stdout
    assert "signed by the shoe" not in said and "not signed" in said


def test_a_signed_reading_in_a_later_shoe_of_the_same_start_counts_for_the_shoe_before(tmp_path: Path) -> None:
    """The first shoe was closed before any host came."""
    first = dealt()
    pages = cut_pages(first.records, flags=1)
    later = Script(first.next, first.boot)
    later.ticks = first.ticks
    later.add("shoe_opened", 0, 0, 6, 1, 2, 0, 7, 0, 12)
    wall = EVENING_MS + later.ticks
    later.add("host_clock", later.ticks, 0, wall // 1000, wall % 1000, 4, 0)
    later.add("shoe_closed", 3, 0, 0)
    more = cut_pages(later.records, len(pages), 2, sha256(pages[-1]).digest(), flags=1)
    path = tmp_path / "x.shoelog"
    with ShoelogWriter(path, sync=False) as writer:
        writer.set_identity(REAL)
        writer.set_configuration(SETTINGS)
        writer.add_clock(ClockPoint(1, later.ticks, EVENING_MS + later.ticks + 7 * HOUR, 5, 0))
        for page in (*pages, *more):
            writer.append_page(page)
        writer.add_signature(sign_pages(pages, key(), 5))
        writer.add_signature(sign_pages(more, key(), 6))
    report = verify(path)
    assert contradicted(report) and [one.basis for one in report.summary.times] == [Basis.SIGNED]
    assert {basis for _, basis in begins(path)} == {"signed"}


def test_a_start_with_unsigned_readings_that_contradict_a_signed_start_takes_no_time_from_it() -> None:
    clock = ClockMap()
    clock.add_recorded(RecordedReading(ClockPoint(3, 1000, EVENING_MS, 4, 0), 10, True))
    clock.add(ClockPoint(4, 1000, EVENING_MS - HOUR, 4, 0))
    clock.vouch(lambda record: record == 10)
    found = clock.moment(3, 1000, turns=0)
    assert found is not None and found.basis == Basis.SIGNED_WITH_KEY
    assert clock.moment(4, 1000, turns=0) is None


def test_where_signed_readings_contradict_each_other_no_weaker_one_decides(tmp_path: Path) -> None:
    """Somebody at an open shoe's line gave another time, by hours."""
    path = file_of(tmp_path / "x.shoelog", SIGNED, (7 * HOUR, False, 5), moved=0)
    report = verify(path)
    assert not report.summary.times
    assert any("contradict each other by 25200" in one and "not known" in one for one in report.summary.notes)
    assert "time of day not known" in run("replay", path).stderr


@pytest.mark.parametrize("simulated", [False, True])
def test_readings_that_decide_nothing_are_not_said_to_be_allowed_for(simulated: bool) -> None:
    """Those beside the records contradict each other; times are by the journal. A simulated clock says it once."""
    clock = ClockMap()
    clock.add_recorded(RecordedReading(ClockPoint(3, 1000, EVENING_MS, 4, 0), 10, True))
    clock.add(ClockPoint(3, 1000, EVENING_MS, 4, 0))
    clock.add(ClockPoint(3, 2000, EVENING_MS + 1500, 4, 0))
    assert not any("allow for both" in one for one in clock.notes(simulated))
    assert [one.endswith("times of day do not rest on them") for one in clock.notes(simulated)] == [True] * (
        not simulated
    )


# ------------------------------------------------------------------------------------------------ where times stand


def test_verify_of_a_folder_says_what_the_times_of_findings_rest_on(tmp_path: Path) -> None:
    folder = tmp_path / "histories"
    folder.mkdir()
    file_of(folder / "x.shoelog", PROVED, moved=7 * HOUR)
    said = run("verify", folder).stdout
    assert "UTC" in said and said.count("note: times of day are by the host's clock, signed") == 1


def test_verify_says_it_in_its_document_and_in_a_note(tmp_path: Path) -> None:
    path = file_of(tmp_path / "x.shoelog", PROVED, moved=0)
    found = document("verify", "verify", path)["files"][0]["report"]["summary"]
    assert found["times"] == [{"boot": 1, "basis": "signed_with_key"}]
    assert "the host proved the command key" in run("verify", path).stdout.replace("\n", " ")


def test_a_case_and_the_tables_of_a_night_say_it(tmp_path: Path) -> None:
    path = file_of(tmp_path / "x.shoelog", PROVED, moved=0)
    assert run("case", path, "--round", "2", "--out", tmp_path).exit_code == 0
    (page,) = tmp_path.glob("case*.html")
    assert "signed by the shoe in its journal; the host proved the command key" in page.read_text()
    assert run("report", path, "--out", tmp_path / "night.html", "--csv", tmp_path / "csv").exit_code == 0
    head, first, *_ = (tmp_path / "csv" / "rounds.csv").read_text().splitlines()
    assert "time_basis" in head and "signed_with_key" in first


def test_archive_find_says_it(tmp_path: Path) -> None:
    path = file_of(tmp_path / "x.shoelog", SIGNED, moved=0)
    vault = tmp_path / "vault"
    assert run("archive", "add", vault, path, "--by", "somebody", "--jobs", "1").exit_code == 0
    found = document("archive_find", "archive", "find", vault)["rounds"]
    assert {one["time_basis"] for one in found} == {"signed"}
    assert "times of day are by the host's clock, signed by the shoe" in run("archive", "find", vault).stdout
