"""One place knows the folders of the user: nobody else asks where the home is."""

from __future__ import annotations

import ast
from pathlib import Path

import platformdirs
import pytest
from shoetool.model import notices, places
from shoetool.model.errors import BadInput
from shoetool.trust.keys import PublicKey
from shoetool.trust.pins import PinStore
from signed_histories import key

HOST = Path(__file__).resolve().parents[2] / "host_tools"
THE_PLACE = "shoetool/model/places.py"
ASKING = {"platformdirs", "pwd", "expanduser", "home", "getpwuid", "gettempdir", "TemporaryDirectory"}
ASKING_TEXTS = {"HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "SHOETOOL_KEYS", "SHOETOOL_CRASH_DIR"}
SIMULATOR = "shoesim/places.py"  # the memory of a virtual shoe, which is a process of its own


def asks(source: str) -> bool:
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import | ast.ImportFrom):
            names = {one.name for one in node.names} | {str(getattr(node, "module", ""))}
            if names & ASKING:
                return True
        if isinstance(node, ast.Attribute) and node.attr in ASKING:
            return True
        if isinstance(node, ast.Constant) and node.value in ASKING_TEXTS:
            return True
    return False


@pytest.mark.parametrize(
    "line",
    ["import platformdirs", "Path.home()", "os.path.expanduser('~')", "from pwd import getpwuid", "os.environ['HOME']"],
)
def test_who_asks_for_the_home_is_seen(line: str) -> None:
    assert asks(line)


def test_one_place_asks_for_the_folders_of_the_user() -> None:
    found = [
        path.relative_to(HOST).as_posix()
        for path in sorted(HOST.rglob("*.py"))
        if asks(path.read_text(encoding="utf-8"))
    ]
    assert found == [SIMULATOR, THE_PLACE]


def no_home(name: str) -> str:
    raise RuntimeError("could not determine the home directory")


@pytest.fixture(params=["raises", "keeps the ~"])
def homeless(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """platformdirs raises without a home; an older one returns a folder named `~` in the current one."""
    for variable in ("SHOETOOL_KEYS", "SHOETOOL_CRASH_DIR"):
        monkeypatch.delenv(variable, raising=False)
    for name in ("user_state_dir", "user_config_dir"):
        ask = no_home if request.param == "raises" else lambda name: f"~/.local/{name}"
        monkeypatch.setattr(platformdirs, name, ask)
    notices.take_notices()


@pytest.mark.usefixtures("homeless")
def test_without_a_home_there_is_no_folder_and_one_notice() -> None:
    assert (places.crash_folder(), places.virtual_folder()) == (None, None)
    assert notices.take_notices() == []
    assert places.keys_folder() is None and places.keys_folder() is None
    (told,) = notices.take_notices()
    assert "--keys" in told and "$SHOETOOL_KEYS" in told


@pytest.mark.usefixtures("homeless")
def test_a_store_without_a_folder_has_no_pin_and_keeps_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    store, device, public = PinStore(), bytes(8), PublicKey(key().public)
    store.remember(device, public, 3, b"statement")
    assert store.seen(device, public, 3) is not None, "in this run it is remembered"
    assert (store.get(device), store.pinned(), store.devices(), list(store.statements(b"1" * 8))) == (None, {}, [], [])
    with pytest.raises(BadInput, match="--keys"):
        store.pin(device, public)
    with pytest.raises(BadInput, match="--keys"):
        store.remove(device)
    assert not list(tmp_path.iterdir())


@pytest.mark.usefixtures("homeless")
def test_a_named_folder_needs_no_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    notices.take_notices()
    assert places.keys_folder(tmp_path) == tmp_path
    monkeypatch.setenv("SHOETOOL_KEYS", str(tmp_path / "keys"))
    monkeypatch.setenv("SHOETOOL_CRASH_DIR", str(tmp_path / "crash"))
    assert (places.keys_folder(), places.crash_folder()) == (tmp_path / "keys", tmp_path / "crash")
    assert notices.take_notices() == []


def test_pins_that_cannot_be_read_are_no_pins_that_are_absent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(folder: Path) -> None:
        raise PermissionError(13, "Permission denied", str(folder))

    monkeypatch.setattr(places.os, "scandir", refused)
    with pytest.raises(BadInput, match=r"keys cannot be read: Permission denied; .*--keys"):
        PinStore(tmp_path)
    monkeypatch.undo()
    assert PinStore(tmp_path / "fresh").pinned() == {}


def test_what_cannot_be_remembered_is_told_once_and_changes_no_result(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    notices.take_notices()
    store, public = PinStore(tmp_path / "keys"), PublicKey(key().public)
    refused = []

    def mkdir(path: Path, *words: object, **more: object) -> None:
        refused.append(path)
        raise OSError(30, "Read-only file system", str(path))

    monkeypatch.setattr(Path, "mkdir", mkdir)
    store.remember(bytes(8), public, 1, b"one")
    store.remember(bytes(8), public, 2, b"two")
    assert len(refused) == 2
    (told,) = notices.take_notices()
    assert "not remembered: Read-only file system" in told and "--keys" in told


def test_no_temporary_folder_is_one_line_that_names_the_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    import tempfile

    monkeypatch.setattr(tempfile, "tempdir", None)
    monkeypatch.setattr(tempfile, "_candidate_tempdir_list", lambda: ["/no/such/folder"])
    with pytest.raises(BadInput, match=r"\$TMPDIR"), places.temporary_folder():
        pass
