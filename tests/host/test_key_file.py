"""Key files: for their owner alone, whole or not there, never overwritten, refused in one line when they are none."""

from __future__ import annotations

import json
import os
import stat
from pathlib import Path

import pytest
from shoetool.client.authority import CommandKey
from shoetool.client.firmware_digest import firmware_digest, firmware_files
from shoetool.client.key_file import default_name, read_key, write_new, write_play_key
from shoetool.model.errors import BadInput
from shoetool.model.output_file import is_private

KEY = CommandKey(bytes(range(8)), bytes(range(100, 132)))


def test_a_key_comes_back_and_its_file_is_its_owners_alone_whatever_the_umask(tmp_path: Path) -> None:
    path = tmp_path / default_name(KEY)
    before = os.umask(0)
    try:
        write_new(path, KEY)
    finally:
        os.umask(before)
    assert read_key(path) == KEY
    assert stat.S_IMODE(path.stat().st_mode) == 0o600 and is_private(path)
    path.chmod(0o640)
    assert not is_private(path)
    assert [one.name for one in tmp_path.iterdir()] == [path.name], "something was left beside it"


def test_a_file_that_is_there_is_never_overwritten_not_even_a_dangling_link(tmp_path: Path) -> None:
    path = tmp_path / "a.shoekey"
    path.write_text("mine")
    (tmp_path / "link").symlink_to(tmp_path / "nowhere")
    for taken in (path, tmp_path / "link"):
        with pytest.raises(BadInput, match="never overwritten"):
            write_new(taken, KEY)
    assert path.read_text() == "mine" and not (tmp_path / "nowhere").exists()
    assert sorted(one.name for one in tmp_path.iterdir()) == ["a.shoekey", "link"]


def test_a_folder_that_is_not_there_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="nothing was changed"):
        write_new(tmp_path / "no" / "a.shoekey", KEY)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"format": "other"}, "not a key file"),
        ({"device": "00"}, "8 bytes"),
        ({"key": KEY.secret.hex()[:-2]}, "32 bytes"),
        ({"key": "zz" * 32}, "32 bytes"),
        ({"key": 7}, "32 bytes"),
        ({"key": bytes(32).hex()}, "does not fit its fingerprint"),
        ({"fingerprint": None}, "does not fit its fingerprint"),
    ],
)
def test_a_damaged_file_is_refused_in_one_line_that_shows_no_key(
    change: dict[str, object], said: str, tmp_path: Path
) -> None:
    path = tmp_path / "a.shoekey"
    write_new(path, KEY)
    document = json.loads(path.read_text()) | change
    path.write_text(json.dumps(document))
    with pytest.raises(BadInput) as error:
        read_key(path)
    assert said in str(error.value) and "\n" not in str(error.value)
    assert KEY.secret.hex()[:16] not in str(error.value)


@pytest.mark.parametrize("content", ["", "[]", "{", '"x"', "[" * 100_000])
def test_what_is_no_key_file_is_refused(content: str, tmp_path: Path) -> None:
    path = tmp_path / "a.shoekey"
    path.write_text(content)
    with pytest.raises(BadInput, match="not a key file"):
        read_key(path)
    with pytest.raises(BadInput, match="no such file"):
        read_key(tmp_path / "missing")
    with pytest.raises(BadInput, match="not a key file"):
        read_key(tmp_path)


def test_a_play_key_gives_no_commands(tmp_path: Path) -> None:
    path = tmp_path / "table.playkey"
    write_play_key(path, KEY)
    assert KEY.secret.hex() not in path.read_text() and KEY.play_key().hex() in path.read_text()
    with pytest.raises(BadInput, match="is a play key"):
        read_key(path)


def test_a_key_does_not_show_itself() -> None:
    assert KEY.secret.hex() not in f"{KEY!r} {KEY}" and KEY.fingerprint.hex() in repr(KEY)


def test_the_digest_of_a_firmware_depends_on_names_and_contents_and_not_on_the_order(tmp_path: Path) -> None:
    shoe = tmp_path / "shoe"
    shoe.mkdir()
    for name in ("app.mpy", "b.mpy", "notes.txt"):
        (shoe / name).write_text(name)
    (tmp_path / "main.py").write_text("main")
    files = firmware_files([tmp_path / "main.py", shoe])
    assert sorted(files) == ["main.py", "shoe/app.mpy", "shoe/b.mpy"]
    digest = firmware_digest(files)
    assert digest == firmware_digest(firmware_files([shoe, tmp_path / "main.py"]))
    (shoe / "b.mpy").write_text("c")
    assert firmware_digest(files) != digest
    (shoe / "b.mpy").write_text("b.mpy")
    (shoe / "b.mpy").rename(shoe / "c.mpy")
    assert firmware_digest(firmware_files([tmp_path / "main.py", shoe])) != digest


def test_what_is_no_firmware_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="holds no firmware"):
        firmware_files([tmp_path])
    with pytest.raises(BadInput, match="no such file"):
        firmware_digest(firmware_files([tmp_path / "main.py"]))
    (tmp_path / "a").mkdir()
    for folder in (tmp_path, tmp_path / "a"):
        (folder / "main.py").write_text("")
    with pytest.raises(BadInput, match="named twice"):
        firmware_files([tmp_path / "main.py", tmp_path / "a" / "main.py"])
