"""`shoetool pull` of a shoe whose flash was put back to an older state: it is named, and nothing is touched."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from histories import Script
from pty_shoe import PtyShoe, Service, short_shoe
from shoetool.cli import build
from shoetool.trust.last_said import LastSaid
from shoetool.wire.answers import ShoeEntry

NAME = b"SHOE0001".hex()


@pytest.fixture
def shoe() -> Iterator[PtyShoe]:
    with PtyShoe() as shoe:
        yield shoe


@pytest.fixture
def pull(shoe: PtyShoe, tmp_path: Path) -> Callable[..., Result]:
    def pull(*words: str) -> Result:
        call = ["pull", "--out", str(tmp_path / "out"), "--keys", str(tmp_path / "keys"), "--port", shoe.port, *words]
        return CliRunner().invoke(build(), call)

    return pull


def grown(service: Service, count: int) -> None:
    for number in range(count):
        service.script.add("dealer_changed", number % 200)
    service.pages = service.script.pages(first_page=3)


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_a_rolled_back_shoe_is_named_and_nothing_is_overwritten_or_marked(
    shoe: PtyShoe, pull: Callable[..., Result], tmp_path: Path
) -> None:
    old = shoe.service.script.records[:]
    grown(shoe.service, 5)
    assert pull().exit_code == 0
    before = files(tmp_path / "out"), files(tmp_path / "keys")
    script = Script(old[0].number, old[0].boot)
    script.records = old
    shoe.service.script, shoe.service.pages, shoe.service.closed = script, script.pages(first_page=3), True
    result = pull("--all")
    assert result.exit_code == 3
    assert f"shoe {NAME} was put back to an older state" in result.output and "Nothing was fetched" in result.output
    assert f"its history 1 has {len(old)} records; on " in result.output
    assert (files(tmp_path / "out"), files(tmp_path / "keys")) == before and not shoe.service.fetched
    assert pull("--all").exit_code == 3, "it is named each time, not once"


def test_an_erased_shoe_is_taken_when_somebody_says_so_and_overwrites_no_file(
    shoe: PtyShoe, pull: Callable[..., Result], tmp_path: Path
) -> None:
    grown(shoe.service, 5)
    assert pull().exit_code == 0
    before = files(tmp_path / "out")
    script = short_shoe()
    script.records[1] = script.records[1]._replace(ticks_ms=7)
    shoe.service.script, shoe.service.pages = script, script.pages(first_page=3)
    assert pull().exit_code == 3
    refused = pull("--erased")
    assert refused.exit_code == 2 and "contradicts the one in the file" in refused.output
    for name, data in files(tmp_path / "out").items():
        assert data.startswith(before[name]), "appended at most: when the shoe was asked"


def test_a_shoe_that_goes_on_is_fetched_as_ever(shoe: PtyShoe, pull: Callable[..., Result], tmp_path: Path) -> None:
    for _ in range(3):
        assert pull("--all").exit_code == 0
        grown(shoe.service, 2)
    said = json.loads((tmp_path / "keys" / f"{NAME}.said").read_text())
    assert said["shoe"] == 1 and said["records"] == len(shoe.service.script.records) - 2


def test_a_memory_that_cannot_be_kept_stops_no_fetch(pull: Callable[..., Result], tmp_path: Path) -> None:
    (tmp_path / "way").write_text("a file in the way")
    result = pull("--keys", str(tmp_path / "way" / "keys"))
    assert result.exit_code == 0 and "the next pull cannot tell" in result.output


def test_a_memory_that_is_damaged_is_named(pull: Callable[..., Result], tmp_path: Path) -> None:
    assert pull().exit_code == 0
    (tmp_path / "keys" / f"{NAME}.said").write_text("[1]")
    result = pull("--all")
    assert result.exit_code == 2 and "is not what a shoe said" in result.output
    assert pull("--all", "--erased").exit_code == 0


def entry(shoe: int, first_page: int, pages: int, first_record: int, records: int) -> ShoeEntry:
    return ShoeEntry(shoe, first_page, pages, first_record, records, False, False)


SAID = LastSaid("now", 5, 20, 4, 900, 100)


@pytest.mark.parametrize(
    "entries, words",
    [
        ([entry(4, 15, 5, 800, 100)], "its newest history is 4"),
        ([], "it holds no history"),
        ([entry(5, 20, 4, 900, 99)], "its history 5 has 99 records"),
        ([entry(5, 20, 3, 900, 100)], "its history 5 has 100 records"),
        ([entry(5, 21, 4, 900, 100)], "begins with page 21"),
        ([entry(5, 20, 4, 901, 100)], "and record 901"),
        ([entry(9, 1, 4, 10, 100)], "its records end with 109"),
        ([entry(5, 20, 4, 900, 100)], ""),
        ([entry(5, 20, 5, 900, 180), entry(6, 25, 1, 1080, 3)], ""),
        ([entry(8, 40, 4, 1500, 3)], ""),
    ],
)
def test_what_a_shoe_says_is_compared_number_by_number(entries: list[ShoeEntry], words: str) -> None:
    said = SAID.contradicted(entries)
    assert words in said and bool(words) == bool(said)
