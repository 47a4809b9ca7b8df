"""The files of a log: paths, widths and content as c2sp.org/tlog-tiles has them, whatever the appends were."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from log_entries import log_of, made, mth
from shoetool.model.errors import BadInput
from shoetool.transparency.entry import Entry
from shoetool.transparency.keeper import Keeper
from shoetool.transparency.log_folder import LogFolder
from shoetool.transparency.tiles import Tile, needed


@pytest.mark.parametrize(
    ("tile", "path"),
    [
        (Tile(0, 1234067), "tile/0/x001/x234/067"),  # the specification's example
        (
            Tile(5, 123456078, 2),
            "tile/5/x123/x456/078.p/2",
        ),  # golang.org/x/mod, sumdb/tlog/tile_test.go, height left out
        (Tile(0, 3057500), "tile/0/x003/x057/500"),
        (Tile(None, 3057500), "tile/entries/x003/x057/500"),
        (Tile(0, 0, 1), "tile/0/000.p/1"),
        (Tile(2, 1000), "tile/2/x001/000"),
        (Tile(63, 999, 255), "tile/63/999.p/255"),
    ],
)
def test_where_tiles_lie(tile: Tile, path: str) -> None:
    assert tile.path == path and Tile.parse(path) == tile


@pytest.mark.parametrize(
    "path",
    ["tile/0/1", "tile/0/0000", "tile/00/000", "tile/64/000", "tile/0/000.p/0", "tile/0/000.p/257", "tile/0/000.p/01",
     "tile/0/x000/001", "tile/0/001/002", "tile/data/000", "tile/0/000.p/256", "tile/-1/000",
     "tile/0/\u0661\u0661\u0661", "tile/0/" + "x001/" * 40 + "000"],
)  # fmt: skip
def test_other_paths_are_none_of_a_log(path: str) -> None:
    assert Tile.parse(path) is None


@given(st.integers(0, 1 << 60), st.integers(1, 256), st.sampled_from([None, 0, 1, 63]))
def test_every_path_leads_back_to_its_tile(number: int, width: int, level: int | None) -> None:
    assert Tile.parse(Tile(level, number, width).path) == Tile(level, number, width)


def test_the_files_of_a_log_of_70000_entries_are_those_of_the_specification() -> None:
    files = list(needed(70_000))
    count = {(tile.level, tile.width): 0 for tile in files}
    for tile in files:
        count[tile.level, tile.width] += 1
    assert count == {
        (0, 256): 273, (0, 112): 1, (1, 256): 1, (1, 17): 1, (2, 1): 1, (None, 256): 273, (None, 112): 1
    }  # fmt: skip
    assert [tile.path for tile in needed(256)] == ["tile/entries/000", "tile/0/000", "tile/1/000.p/1"]
    assert list(needed(0)) == []


@given(st.integers(0, 200_000), st.integers(0, 200_000))
def test_what_an_append_writes_is_all_that_is_new(one: int, two: int) -> None:
    since, size = sorted((one, two))
    fresh = set(needed(size, since))
    assert set(needed(size)) - set(needed(since)) == fresh - set(needed(since))
    assert fresh <= set(needed(size))


def test_the_files_hold_what_the_specification_says_after_any_appends(tmp_path: Path) -> None:
    """Several appends over the borders of tiles; every tile is read anew with nothing of ours but the paths."""
    log, key = log_of(tmp_path, range(1, 4), range(4, 256), range(256, 258), range(258, 600))
    entries = [made(shoe).pack() for shoe in range(1, 600)]
    held: list[bytes] = []
    for number, width in ((0, 256), (1, 256), (2, 87)):
        name = f"{number:03}" if width == 256 else f"{number:03}.p/{width}"
        data = (log / "tile/entries" / name).read_bytes()
        while data:
            size = int.from_bytes(data[:2])
            held.append(data[2 : 2 + size])
            data = data[2 + size :]
        hashes = (log / "tile/0" / name).read_bytes()
        first = number * 256
        assert hashes == b"".join(mth([entry]) for entry in entries[first : first + width])
    assert held == entries
    assert (log / "tile/1/000.p/2").read_bytes() == mth(entries[:256]) + mth(entries[256:512])
    kept = {path.relative_to(log).as_posix() for path in log.rglob("*") if path.is_file()} - {".lock"}
    assert {tile.path for tile in needed(599)} | {"checkpoint"} <= kept
    partial = {name for name in kept if ".p/" in name}
    assert {name.split(".p/")[0] for name in partial} <= {"tile/entries/002", "tile/0/002", "tile/1/000"}
    checkpoint = (log / "checkpoint").read_text().split("\n")
    assert checkpoint[:2] == ["casino.example/shoes", "599"]
    assert LogFolder(log).checkpoint.root == mth(entries)
    again = Keeper(log, key).append([made(shoe) for shoe in range(1, 600)])
    assert not again.new and len(again.known) == 599


def test_appends_of_any_sizes_come_to_the_same_log(tmp_path: Path) -> None:
    dice = random.Random(20)
    whole, _ = log_of(tmp_path / "whole", range(1, 530))
    shoes, first, parts = range(1, 530), 1, []
    while first < shoes.stop:
        last = min(first + dice.choice((1, 2, 30, 120)), shoes.stop)
        parts.append(range(first, last))
        first = last
    pieces, _ = log_of(tmp_path / "pieces", *parts)
    for tile in needed(529):
        assert (pieces / tile.path).read_bytes() == (whole / tile.path).read_bytes()


def test_an_entry_is_the_bytes_of_the_specification() -> None:
    """LOG_FORMAT.md: magic, statement, page before, key, signature; and back."""
    entry = made(3)
    packed = entry.pack()
    assert packed[:8] == b"SHOEENT\x01" and packed[8:102] == entry.statement.pack()
    assert packed[102:134] == entry.previous and packed[134:190] == entry.key.raw and packed[190:] == entry.signature
    assert Entry.unpack(packed) == entry and not entry.verifies
    document = (Path(__file__).resolve().parents[2] / "host_tools" / "LOG_FORMAT.md").read_text()
    rows = re.findall(r"^\| (\d+) \| (\d*) ?\|", document[document.index("## Entry") :], re.MULTILINE)[:5]
    assert rows == [("0", "8"), ("8", "94"), ("102", "32"), ("134", "56"), ("190", "")]


@pytest.mark.parametrize("change", ["cut", "longer", "magic", "key", "index", "impossible", "empty"])
def test_what_is_no_entry_is_refused(change: str) -> None:
    packed = made(3).pack()
    bad = {
        "cut": packed[:-1],
        "longer": packed + b"\0",
        "magic": b"SHOEENT\x02" + packed[8:],
        "key": packed[:142] + bytes(16) + packed[158:],
        "index": packed[:190] + bytes(4) + packed[194:],
        "impossible": packed[:48] + (9).to_bytes(4, "little") + packed[52:],
        "empty": b"",
    }[change]
    with pytest.raises(BadInput):
        Entry.unpack(bad)
