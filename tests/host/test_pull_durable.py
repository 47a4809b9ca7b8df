"""What is on disk before a shoe is told that a history is safe: the file, its name, and the names of new folders."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest
from pty_shoe import PtyShoe, Service, short_shoe
from shoetool.cli.pulling import pull_histories
from shoetool.client.client import Client
from shoetool.history.store import ShoelogWriter
from shoetool.model.errors import BadInput
from shoetool.model.file_kinds import LISTED
from shoetool.model.output_file import output_folder, sync_folder, write_state

OLD = '{"when": "2026-01-01", "shoe": 1, "first_page": 0, "first_record": 0}\n'


@pytest.fixture
def synced(monkeypatch: pytest.MonkeyPatch) -> list[Path | str]:
    """The files and folders that were made durable, in order."""
    found: list[Path | str] = []
    sync = os.fsync

    def watched(number: int) -> None:
        found.append(Path(f"/proc/self/fd/{number}").resolve())
        sync(number)

    monkeypatch.setattr(os, "fsync", watched)
    return found


def test_a_shoe_is_told_when_file_and_folders_are_durable(
    tmp_path: Path, synced: list[Path | str], monkeypatch: pytest.MonkeyPatch
) -> None:
    script = short_shoe()
    script.add("shoe_closed", 0, 1, 6)
    service = Service(script)
    service.closed = True
    told = Client.history_fetched
    monkeypatch.setattr(Client, "history_fetched", lambda self, shoe: (synced.append("told"), told(self, shoe))[1])
    with PtyShoe(service) as shoe, Client.open(shoe.port) as client:
        (pulled,) = pull_histories(client, client.history_list(), tmp_path / "new" / "newer")
    assert pulled.marked and service.fetched == {1}
    before = synced[: synced.index("told")]
    path = pulled.path.resolve()
    assert {tmp_path, tmp_path / "new", tmp_path / "new" / "newer", path} <= set(before)
    assert before.index(path.parent) > before.index(path)


def test_a_file_that_is_there_needs_no_new_name(tmp_path: Path, synced: list[Path | str]) -> None:
    ShoelogWriter(tmp_path / "x.shoelog").close()
    assert tmp_path in synced
    synced.clear()
    ShoelogWriter(tmp_path / "x.shoelog").close()
    assert tmp_path not in synced


def test_a_file_system_that_cannot_do_it_hinders_no_fetch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def unable(number: int) -> None:
        raise OSError(22, "Invalid argument")

    monkeypatch.setattr(os, "fsync", unable)
    sync_folder(tmp_path)


def test_a_folder_that_cannot_be_made_durable_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sync = os.fsync

    def failing(number: int) -> None:
        if stat.S_ISDIR(os.fstat(number).st_mode):
            raise OSError(5, "Input/output error")
        sync(number)

    monkeypatch.setattr(os, "fsync", failing)
    with pytest.raises(BadInput, match=r"x\.shoelog: its folder cannot be made durable: Input/output error"):
        ShoelogWriter(tmp_path / "x.shoelog")
    with pytest.raises(BadInput, match="new: no file can be written"):
        output_folder(tmp_path / "new")


def test_what_is_remembered_of_a_shoe_is_durable_before_the_next_step(tmp_path: Path, synced: list[Path | str]) -> None:
    path = tmp_path / "keys" / "shoe.json"
    write_state(path, "{}\n", LISTED)
    *folders, file, name = synced
    assert folders == [tmp_path] and name == path.parent
    assert Path(file).parent == path.parent, "the text first, under another name"
    assert path.read_text(encoding="utf-8") == "{}\n" and list(path.parent.iterdir()) == [path]


def test_a_full_disk_leaves_what_was_remembered_of_a_shoe(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "shoe.json"
    path.write_text(OLD, encoding="utf-8")

    def full(number: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(BadInput, match=r"shoe\.json: cannot be written: No space left on device"):
        write_state(path, "new\n", LISTED)
    assert path.read_text(encoding="utf-8") == OLD and list(tmp_path.iterdir()) == [path]
