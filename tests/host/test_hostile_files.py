"""Files and folders of a hostile or clumsy user: nothing hangs, and nothing that is kept is harmed."""

from __future__ import annotations

import os
import struct
from binascii import crc32
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner, Result
from histories import Script
from pty_shoe import PtyShoe, short_shoe
from shoesim.rig import Rig
from shoetool.cli import build
from shoetool.history import chunks
from shoetool.history.store import ShoelogReader, ShoelogWriter
from shoetool.link.recording import read_recording
from shoetool.model.errors import BadInput
from shoetool.model.protocol_table import PAGE_SIZE


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(build(), [str(argument) for argument in arguments])


def one_line(result: Result, code: int, said: str) -> None:
    assert result.exit_code == code, result.output
    (line,) = result.stderr.splitlines()
    assert line.startswith("shoetool: ") and said in line


def long_shoe() -> Script:
    script = short_shoe()
    for number in range(400):
        script.add("card", 3, 1, 0, 0, number % 52, 1, 120, 200)
    return script


@pytest.mark.parametrize("command", ["replay", "verify"])
def test_a_pipe_is_no_history_and_is_not_waited_for(command: str, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    one_line(run(command, tmp_path / "pipe"), 2, "is a pipe")


@pytest.mark.parametrize("command", ["replay", "verify"])
def test_a_file_cut_at_every_length_is_read_or_refused(command: str, tmp_path: Path) -> None:
    whole = short_shoe().write(tmp_path / "a.shoelog").read_bytes()
    path = tmp_path / "cut.shoelog"
    for length in [*range(140), *range(140, len(whole), 331)]:
        path.write_bytes(whole[:length])
        result = run(command, path)
        assert result.exit_code in (0, 1, 2), (length, result.output)


def deeply_damaged(whole: bytes, seed: int) -> bytes:
    """Flipped bytes; with an odd seed all CRCs are made to fit again, so that the damage gets past them."""
    rng = Random(seed)
    data = bytearray(whole)
    for _ in range(rng.choice((1, 2, 5, 50))):
        data[rng.randrange(len(data))] = rng.randrange(256)
    page = bytes(data).find(b"PAGE") + 8
    if seed % 2 and 8 <= page <= len(data) - PAGE_SIZE - 4:
        data[page + 60 : page + 64] = struct.pack("<I", crc32(data[page : page + 60]))
        at, end = page + 64, page + PAGE_SIZE
        (number,) = struct.unpack_from("<I", data, page + 16)
        while at + 10 < end and data[at] != 0xFF and at + 10 + data[at] <= end:
            tail = at + 6 + data[at]
            data[tail : tail + 4] = struct.pack("<I", crc32(struct.pack("<I", number) + data[at:tail]))
            at, number = tail + 4, (number + 1) & 0xFFFFFFFF
        data[end : end + 4] = struct.pack("<I", crc32(data[page - 8 : end]))
    return bytes(data)


@pytest.mark.parametrize("seed", range(80))
def test_damage_behind_good_crcs_gives_no_traceback(seed: int, tmp_path: Path) -> None:
    print("seed", seed)
    path = tmp_path / "a.shoelog"
    path.write_bytes(deeply_damaged(short_shoe().write(path).read_bytes(), seed))
    for command in (["verify"], ["replay"], ["replay", "--json"]):
        result = run(*command, path)
        assert result.exit_code in (0, 1, 2), (command, result.output)


def test_a_file_that_is_made_to_waste_time_is_given_up(tmp_path: Path) -> None:
    path = tmp_path / "slow.shoelog"
    path.write_bytes(chunks.pack_header() + b"IDEN\x00\xff\x00\x00" * 20_000)
    before = path.read_bytes()
    with ShoelogReader(path) as reader:
        assert list(reader.records()) == [] and reader.scan.given_up
    assert reader.scan.wasted <= chunks.MOST_WASTED + chunks.LONGEST_BODY + 12
    with pytest.raises(BadInput, match="too damaged"):
        ShoelogWriter(path)
    assert path.read_bytes() == before


def test_a_file_with_a_hole_is_not_gone_on_with_and_the_shoe_is_not_told(tmp_path: Path) -> None:
    """A page that is lost in the middle would never be fetched again, and the shoe would overwrite the only copy."""
    script = long_shoe()
    with PtyShoe() as shoe:
        shoe.service.script, shoe.service.pages, shoe.service.closed = script, script.pages(first_page=3), True
        assert run("pull", "--no-mark", "--out", tmp_path, "--port", shoe.port).exit_code == 0
        (path,) = tmp_path.glob("*.shoelog")
        data = bytearray(path.read_bytes())
        data[data.find(b"PAGE") + 1000] ^= 1
        path.write_bytes(data)
        one_line(run("pull", "--out", tmp_path, "--port", shoe.port), 2, "move the file away")
        assert path.read_bytes() == bytes(data) and not shoe.service.fetched


def test_a_full_disk_is_one_line_with_the_file_and_the_fetch_goes_on_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = long_shoe()
    fsync = os.fsync
    calls: list[int] = []

    def full(fd: int) -> None:
        calls.append(fd)
        if len(calls) == 6:
            raise OSError(28, "No space left on device")
        fsync(fd)

    with PtyShoe() as shoe:
        shoe.service.script, shoe.service.pages = script, script.pages(first_page=3)
        monkeypatch.setattr(os, "fsync", full)
        one_line(run("pull", "--out", tmp_path, "--port", shoe.port), 2, ".shoelog: cannot be written: No space left")
        assert len(calls) >= 6, "the disk was full"
        assert run("pull", "--out", tmp_path, "--port", shoe.port).exit_code == 0
    (path,) = tmp_path.glob("*.shoelog")
    with ShoelogReader(path) as reader:
        assert list(reader.records()) == script.records


def test_blank_bytes_behind_a_recording_are_not_read(tmp_path: Path) -> None:
    path = tmp_path / "a.shoelink"
    with PtyShoe() as shoe:
        assert run("info", "--port", shoe.port, "--record", path).exit_code == 0
    entries = list(read_recording(path))
    with path.open("r+b") as file:
        file.truncate(1 << 31)
    assert list(read_recording(path)) == entries


# ------------------------------------------------------------------------------------------------------ configuration
@pytest.mark.parametrize(
    "text", ["decks=" + "9" * 5000, "decks=0x" + "9" * 9000, "decks=[[" * 900, "decks=6\0", "\ufeffdecks=6"]
)
def test_a_hostile_configuration_is_one_line(text: str, tmp_path: Path) -> None:
    path = tmp_path / "a.toml"
    path.write_text(text)
    one_line(run("configure", path, "--port", "/dev/no-such-port"), 2, "a.toml")


def test_a_configuration_that_never_ends_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path, said in ((Path("/dev/zero"), "is a device"), (tmp_path / "pipe", "is a pipe")):
        one_line(run("configure", path, "--port", "/dev/no-such-port"), 2, said)


@pytest.mark.parametrize("command", [("simulate", "six-deck"), ("demo",)])
@pytest.mark.parametrize(("out", "said"), [(os.devnull, "is a device, not a folder"), ("/proc", "/proc: no file can")])
def test_a_folder_that_takes_no_files_is_refused_before_the_deal(
    command: tuple[str, ...], out: str, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Rig, "start", lambda self: pytest.fail("the shoe was switched on"))
    one_line(run(*command, "--out", out), 2, said)


def test_a_shoe_that_cannot_be_simulated_leaves_no_folder_behind(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def fail(rig: Rig) -> None:
        raise BadInput("no interpreter")

    monkeypatch.setattr(Rig, "start", fail)
    one_line(run("simulate", "six-deck", "--out", tmp_path / "new" / "folder"), 2, "no interpreter")
    assert not (tmp_path / "new").exists()


def test_histories_are_not_fetched_into_what_is_no_folder() -> None:
    with PtyShoe() as shoe:
        one_line(run("pull", "--out", "/dev/full", "--port", shoe.port), 2, "/dev/full: is a device, not a folder")


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("replay", "/proc/self/mem"), 2, "/proc/self/mem: cannot be read"),
        (("verify", "/proc/self/mem"), 2, "/proc/self/mem: cannot be read"),
        (("info", "--port", "/proc/self/mem"), 2, "/proc/self/mem: cannot be read"),
        (("info", "--port", "/"), 3, "/: this is a directory"),
        (("configure", "x" * 5000), 2, "5002 characters"),
    ],
)
def test_what_cannot_be_read_is_named(arguments: tuple[str, ...], code: int, said: str) -> None:
    result = run(*arguments)
    one_line(result, code, said)
    assert len(result.stderr) < 300
