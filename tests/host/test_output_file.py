"""The writer of files: whole or not at all, through no link, over nothing that is evidence."""

from __future__ import annotations

import os
import secrets
import stat
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner
from evidence_files import EVIDENCE, evidence
from shoesim.forger import remove_simulated
from shoetool.case.register import Change, Register
from shoetool.cli import build
from shoetool.history.chunks import Identity
from shoetool.history.store import ShoelogWriter
from shoetool.model import output_file
from shoetool.model.errors import BadInput
from shoetool.model.file_kinds import (
    CHECKPOINT,
    CSV,
    HISTORY,
    KINDS,
    LOG_PART,
    NOTE,
    PAGE,
    PDF,
    PUBLIC_KEY,
    RECORDING,
    REGISTER,
    SVG,
    TABLE_RECORD,
    UNKNOWN,
    WAVES,
    Kind,
    Sample,
    kind_of,
)
from shoetool.model.input_file import open_input
from shoetool.model.output_file import (
    check_output,
    open_growing,
    open_new,
    run_with,
    write_private,
    write_state,
    write_whole,
    writing_whole,
)
from shoetool.model.places import temporary_folder
from shoetool.trust.keys import PublicKey
from shoetool.trust.pins import PinStore
from signed_histories import key

OLD, NEW = b"<!doctype html>old", b"<!doctype html>new"


@pytest.fixture
def page(tmp_path: Path) -> Path:
    path = tmp_path / "page.html"
    path.write_bytes(OLD)
    return path


def only(folder: Path, *names: str) -> None:
    assert sorted(path.name for path in folder.iterdir()) == sorted(names)


# ------------------------------------------------------------------------------------------------ whole or not at all
def test_a_page_takes_the_place_of_a_page_and_keeps_its_mode(page: Path) -> None:
    page.chmod(0o600)
    write_whole(page, NEW, PAGE)
    assert page.read_bytes() == NEW and stat.S_IMODE(page.stat().st_mode) == 0o600
    only(page.parent, page.name)


@pytest.mark.parametrize("error", [RuntimeError, KeyboardInterrupt, OSError])
def test_nothing_is_left_of_work_that_fails_or_is_interrupted(page: Path, error: type[BaseException]) -> None:
    with pytest.raises(BadInput if error is OSError else error), writing_whole(page, PAGE) as file:
        file.write(NEW)
        raise error
    assert page.read_bytes() == OLD
    only(page.parent, page.name)


def test_nothing_is_left_when_the_new_file_cannot_be_prepared(page: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[int] = []

    def fchmod(number: int, mode: int) -> None:
        calls.append(number)
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(os, "fchmod", fchmod)
    with pytest.raises(BadInput, match="cannot be written: Operation not permitted"):
        write_whole(page, NEW, PAGE)
    assert calls and page.read_bytes() == OLD
    only(page.parent, page.name)


def test_a_name_may_be_as_long_as_a_file_system_takes(tmp_path: Path) -> None:
    write_whole(tmp_path / ("n" * 255), NEW, PAGE)
    with pytest.raises(BadInput, match="cannot be written: File name too long"):
        write_whole(tmp_path / ("n" * 256), NEW, PAGE)


def test_the_new_file_follows_no_link_that_was_planted_under_its_name(
    page: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    victim = page.parent / "victim"
    victim.write_text("precious")
    monkeypatch.setattr(secrets, "token_hex", lambda count: "guessed")
    planted = page.with_name(".shoetool-guessed.tmp")
    planted.symlink_to(victim)
    with pytest.raises(BadInput, match="cannot be written: File exists"):
        write_whole(page, NEW, PAGE)
    with pytest.raises(FileExistsError):
        write_private(page.with_name("a.key"), "key")
    assert victim.read_text() == "precious" and page.read_bytes() == OLD and planted.is_symlink()


# ------------------------------------------------------------------------------------------------ what may be replaced
def test_evidence_that_comes_while_the_work_is_done_is_not_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    with pytest.raises(BadInput, match="is a shoe history"), writing_whole(path, PAGE) as file:
        file.write(NEW)
        evidence(HISTORY, tmp_path / "made").rename(path)
        before = path.read_bytes()
    assert path.read_bytes() == before
    only(tmp_path, "made", "page.html")


@pytest.mark.parametrize("name", ["", "."])
def test_no_name_is_told_as_such(name: str) -> None:
    calls: list[Callable[[], object]] = [
        lambda: write_whole(Path(name), NEW, PAGE),
        lambda: write_state(Path(name), NEW, NOTE),
        lambda: write_private(Path(name), ""),
        lambda: open_growing(Path(name), HISTORY),
        lambda: open_new(Path(name), RECORDING),
    ]
    for call in calls:
        with pytest.raises(BadInput, match="no file is named"):
            call()


def test_an_input_is_an_input_for_one_run(page: Path) -> None:
    with run_with([]):
        open_input(page).close()
        with pytest.raises(BadInput, match="is an input of this command"):
            check_output(page, PAGE)
    with run_with([]):
        check_output(page, PAGE)
    with run_with([str(page), "", "\0", "missing"]), pytest.raises(BadInput, match="is an input of this command"):
        check_output(page, PAGE)


def test_one_output_is_not_written_over_another(page: Path) -> None:
    with run_with([], force=True):
        write_whole(page, NEW, PAGE)
        with pytest.raises(BadInput, match="is another output of this command"):
            write_whole(page, OLD, PAGE)
    assert page.read_bytes() == NEW


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="root can read everything")
def test_what_cannot_be_read_is_not_overwritten(page: Path) -> None:
    page.chmod(0)
    with run_with([], force=True), pytest.raises(BadInput, match="cannot be read"):
        write_whole(page, NEW, PAGE)


def test_an_empty_file_is_replaced(tmp_path: Path) -> None:
    path = tmp_path / "empty.shoelog"
    path.touch()
    write_whole(path, NEW, PAGE)
    assert path.read_bytes() == NEW


def test_evidence_goes_into_a_new_file_even_with_force(page: Path) -> None:
    with run_with([], force=True), pytest.raises(BadInput, match="a table record goes into a new file"):
        write_whole(page, b"{}", TABLE_RECORD)
    with run_with([], force=True):
        write_whole(page, b"a,b\n", CSV)
    assert page.read_bytes() == b"a,b\n"


def test_state_takes_the_place_of_its_own_kind_alone(page: Path, tmp_path: Path) -> None:
    path = evidence(CHECKPOINT, tmp_path / "log")
    write_state(path, path.read_bytes(), CHECKPOINT)
    with run_with([], force=True), pytest.raises(BadInput, match="is an HTML page, not the checkpoint of a log"):
        write_state(page, b"", CHECKPOINT)
    for kind in (NOTE, LOG_PART):
        with pytest.raises(BadInput, match="is the checkpoint of a log"):
            write_state(path, b"", kind)
    part = evidence(LOG_PART, tmp_path)
    write_state(part, b"more", LOG_PART)
    assert part.read_bytes() == b"more" and page.read_bytes() == OLD


# ------------------------------------------------------------------------------------------------ files that grow
GROW = [lambda path: open_growing(path, REGISTER, lines=True), lambda path: open_new(path, RECORDING), ShoelogWriter]


@pytest.mark.parametrize("grow", GROW, ids=["lines", "recording", "history"])
def test_nothing_is_added_to_another_file_a_link_a_pipe_or_a_folder(
    grow: Callable[[Path], object], page: Path, tmp_path: Path
) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "folder").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "victim")
    for name, said in (("pipe", "a pipe"), ("folder", "a directory"), ("link", "is a link"), (page.name, "page.html")):
        with pytest.raises(BadInput, match=said):
            grow(tmp_path / name)
    assert page.read_bytes() == OLD and not (tmp_path / "victim").exists()


@pytest.mark.parametrize("grow", GROW, ids=["lines", "recording", "history"])
def test_a_link_that_is_planted_after_the_look_is_not_followed(
    grow: Callable[[Path], object], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, look, planted = tmp_path / "out", output_file._look, []

    def late(at: Path) -> os.stat_result | None:
        found = look(at)
        path.symlink_to(tmp_path / "victim")
        planted.append(at)
        return found

    monkeypatch.setattr(output_file, "_look", late)
    with pytest.raises(BadInput, match="is a link"):
        grow(path)
    assert planted == [path] and not (tmp_path / "victim").exists()


@pytest.mark.parametrize("kind", [kind for kind in EVIDENCE if kind is not HISTORY], ids=lambda kind: kind.name)
def test_a_history_is_added_to_a_history_alone(kind: Kind, tmp_path: Path) -> None:
    path = evidence(kind, tmp_path)
    before = path.read_bytes()
    with pytest.raises(BadInput, match="not a shoe history"):
        ShoelogWriter(path)
    assert path.read_bytes() == before


def test_a_recording_does_not_replace_a_recording(tmp_path: Path) -> None:
    path = evidence(RECORDING, tmp_path)
    before = path.read_bytes()
    result = CliRunner().invoke(build(), ["info", "--port", "/nowhere", "--record", str(path)])
    assert result.exit_code == 2 and "is a recording of a line" in result.stderr and path.read_bytes() == before


def test_a_mark_is_not_written_into_what_is_no_register(tmp_path: Path) -> None:
    path = evidence(TABLE_RECORD, tmp_path)
    before = path.read_bytes()
    with pytest.raises(BadInput, match="is a table record, not a register of findings"):
        Register(path).add(Change("3f2a9c01", "closed", "Smith", "2026-01-01"))
    assert path.read_bytes() == before
    register = Register(evidence(REGISTER, tmp_path))
    register.add(Change("3f2a9c01", "open", "Jones", "2026-01-02"))
    assert [one.by for one in Register(register.path).changes["3f2a9c01"]] == ["Smith", "Jones"]


# ------------------------------------------------------------------------------------------------ kinds
@pytest.mark.parametrize("kind", EVIDENCE, ids=lambda kind: kind.name)
def test_each_kind_of_evidence_is_recognised(kind: Kind, tmp_path: Path) -> None:
    path = evidence(kind, tmp_path)
    assert kind_of(Sample(path.read_bytes(), path)).kind is kind
    if kind.fits is not None:
        assert kind_of(Sample(path.read_bytes(), tmp_path / "other.name")) == (kind, False), "by content alone"


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        (b"\xef\xbb\xbfid,state,verdict\r\n", CSV),
        (b"%PDF-1.4\n", PDF),
        (b'<?xml version="1.0"?>\n<!-- a -->\n<svg width="1">', SVG),
        (b"$comment x $end", WAVES),
        (b"SHOELOG", HISTORY),
        (b'\xef\xbb\xbf\n{"format": "shoetool-round/1", "history": {"round": 1}}\n', TABLE_RECORD),
        (b'garbage\n{"format": "shoetool-round/1", "history": {"round": 2}}\n', TABLE_RECORD),
        (b"dear diary, a shoe\n", UNKNOWN),
        (b"\0" * 5000, UNKNOWN),
        (b'{"a": [' * 9000, UNKNOWN),
    ],
)
def test_a_kind_is_recognised_by_its_content(content: bytes, kind: Kind) -> None:
    assert kind_of(Sample(content, Path("x"))).kind is kind


def test_every_kind_has_a_name_of_its_own() -> None:
    assert len({kind.name for kind in KINDS}) == len(KINDS) > 25


# ------------------------------------------------------------------------------------------------ other ways
def test_a_pin_that_was_damaged_can_be_pinned_again(tmp_path: Path) -> None:
    path = evidence(PUBLIC_KEY, tmp_path)
    good = path.read_bytes()
    path.write_bytes(good[:40])
    PinStore(tmp_path).pin(bytes.fromhex(path.stem), PublicKey(key().public), replace=True)
    assert path.read_bytes() == good


def test_a_key_is_never_overwritten_by_a_key(tmp_path: Path) -> None:
    path = evidence(HISTORY, tmp_path)
    before = path.read_bytes()
    for words in (["log", "init", str(tmp_path / "l"), "--origin", "a"], ["log", "witness", "--new", "a"]):
        result = CliRunner().invoke(build(), [*words, "--key", str(path)])
        assert result.exit_code == 2 and result.stderr.count("\n") == 1, result.output
    assert path.read_bytes() == before


def test_the_demo_removes_the_histories_of_the_demo_alone(tmp_path: Path) -> None:
    real, virtual = tmp_path / "real.shoelog", tmp_path / "virtual.shoelog"
    for path, board in ((real, "pico"), (virtual, "virtual")):
        with ShoelogWriter(path, sync=False) as writer:
            writer.set_identity(Identity(bytes(8), 1, 0, bytes(3), board))
    remove_simulated(virtual)
    remove_simulated(tmp_path / "missing")
    with pytest.raises(BadInput, match="history of a real shoe"):
        remove_simulated(real)
    assert real.exists() and not virtual.exists()


def test_a_temporary_folder_is_gone_afterwards() -> None:
    with temporary_folder() as folder:
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert not folder.exists()
