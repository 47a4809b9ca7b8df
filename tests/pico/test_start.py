"""board/pico/start.py: whatever lies on the root, a whole version starts, or none; it says which and why.

An update is cut off at every step on the real littlefs over flash whose power fails; what is left is started.
"""

from __future__ import annotations

import hashlib
import json
import os
import random
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import lfs_root
import pytest
from littlefs import LittleFS
from littlefs.errors import LittleFSError
from pico import start
from pico.root import Root
from rp2_flash import Chip, Flash
from virtual.flash import Power

SHARE = 48
MODULES = ("main", "shoe", "pico")


def slot_files(version: str) -> dict[str, bytes]:
    """A small firmware: `run_pico` says of which version each of its modules is. The versions differ in their files."""
    files = {
        "main.py": "def run_pico(slot, said):\n    from pico import board\n    from shoe import app, deep\n"
        "    RAN.append((VERSION, app.VERSION, deep.VERSION, board.VERSION, slot, said))\n"
        "RAN = []\n",
        "shoe/__init__.py": "",
        "shoe/app.py": "# " + "x" * 6000 + "\n",
        "shoe/deep.py": "# " + version * 90 + "\n",
        "pico/__init__.py": "",
        "pico/board.py": "",
        f"shoe/only_{version}.py": "# " + "y" * 300 + "\n",
    }
    return {name: f"VERSION = {version!r}\n{text}".encode() for name, text in files.items()}


def listing(files: dict[str, bytes]) -> bytes:
    rows = [json.dumps([name, len(data), hashlib.sha256(data).hexdigest()]) for name, data in sorted(files.items())]
    return ('{"version": "1.0.0", "files": [\n' + ",\n".join(rows) + "\n]}\n").encode()


def lay(top: Path, **slots: str) -> None:
    """Put a whole firmware into each slot that is named with its version."""
    for slot, version in slots.items():
        files = slot_files(version)
        for name, data in [*files.items(), ("files.json", listing(files))]:
            path = top / slot / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)


@pytest.fixture(autouse=True)
def _own_modules(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The firmware that is started takes the places of modules that this process has."""
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    path = list(sys.path)
    kept = {name: held for name, held in sys.modules.items() if name.split(".")[0] in MODULES}
    yield
    for name in [name for name in sys.modules if name.split(".")[0] in MODULES]:
        del sys.modules[name]
    sys.modules.update(kept)
    sys.path[:] = path


class Started:
    """What came of a start from folder `top`."""

    def __init__(self, top: Path) -> None:
        self.lines: list[str] = []
        self.ran = start.run(f"{top}/", self.lines.append)
        self.slot = self.version = ""
        self.said: str | None = None
        if self.ran:
            [(*versions, self.slot, self.said)] = sys.modules["main"].RAN
            assert len(set(versions)) == 1, f"modules of several versions: {versions}"
            self.version = versions[0]


def test_the_slot_that_is_named_starts_without_a_word(tmp_path: Path) -> None:
    lay(tmp_path, a="old", b="new")
    for slot, version in (("a", "old"), ("b", "new")):
        (tmp_path / "slot").write_text(slot + "\n")
        started = Started(tmp_path)
        assert (started.version, started.slot, started.said, started.lines) == (version, slot, None, [])


# ------------------------------------------------------------------------------------------ what lies there is wrong
def garble(rng: random.Random, path: Path) -> str:
    """Do something bad to a file; return what it was."""
    data = path.read_bytes()
    kind = rng.choice(("cut", "bit", "empty", "gone", "garbage", "longer", "folder"))
    if kind == "cut":
        path.write_bytes(data[: rng.randrange(len(data))])
    elif kind == "bit":
        at = rng.randrange(len(data))
        path.write_bytes(data[:at] + bytes([data[at] ^ 1 << rng.randrange(8)]) + data[at + 1 :])
    elif kind == "empty":
        path.write_bytes(b"")
    elif kind == "garbage":
        path.write_bytes(rng.randbytes(len(data)))
    elif kind == "longer":
        path.write_bytes(data + b"x")
    else:
        path.unlink()
        if kind == "folder":
            path.mkdir()
    return kind


@pytest.mark.parametrize("seed", range(200))
def test_a_slot_with_a_bad_file_is_left_for_the_other(tmp_path: Path, seed: int) -> None:
    rng = random.Random(seed)
    lay(tmp_path, a="old", b="new")
    (tmp_path / "slot").write_text("b\n")
    listed = sorted(path for path in (tmp_path / "b").rglob("*") if path.is_file())
    path = rng.choice(listed)
    before = path.read_bytes()
    kind = garble(rng, path)
    if path.name == "files.json" and path.is_file() and (kind == "longer" or _same(before, path.read_bytes())):
        return  # still the same list
    started = Started(tmp_path)
    name = path.relative_to(tmp_path / "b").as_posix()
    assert (started.version, started.slot) == ("old", "a"), f"seed {seed}: {kind} {name}"
    assert started.said is not None
    if path.name == "files.json":
        assert started.said.startswith("slot b: "), started.said
    else:
        assert started.said.startswith(f"slot b: {name} "), started.said
    assert started.lines == [f"start: slot a, since {started.said}"]


def _same(before: bytes, now: bytes) -> bool:
    """Whether a list of files says the same in what is read of it: not its first line."""
    return now.split(b"\n")[1:] == before.split(b"\n")[1:] and now[:1] == b"{"


def test_a_list_cut_off_at_any_byte_is_not_a_list(tmp_path: Path) -> None:
    lay(tmp_path, a="old")
    whole = (tmp_path / "a" / "files.json").read_bytes()
    assert start.check("a", f"{tmp_path}/") is None
    for size in range(len(whole) - 1):
        (tmp_path / "a" / "files.json").write_bytes(whole[:size])
        assert start.check("a", f"{tmp_path}/") in ("files.json is damaged", "files.json is not a list of files"), size


@pytest.mark.parametrize("seed", range(60))
def test_any_bytes_for_a_list_are_no_list(tmp_path: Path, seed: int) -> None:
    rng = random.Random(seed)
    lay(tmp_path, a="old")
    head = rng.choice(
        (b"", b"{", b'{"files": [\n', b'{"files": [\n["shoe/app.py", ', b"{\n[", b'{\n["shoe", 0, ""],\n')
    )
    (tmp_path / "a" / "files.json").write_bytes(head + rng.randbytes(rng.randrange(600)))
    assert start.check("a", f"{tmp_path}/"), seed


@pytest.mark.parametrize("text", [b"", b"c", b"\xff\xfe", b"a b", b"../a", b"a" * 4000, b"ab"], ids=repr)
def test_a_slot_file_that_names_none_is_said(tmp_path: Path, text: bytes) -> None:
    lay(tmp_path, a="old", b="new")
    (tmp_path / "slot").write_bytes(text)
    started = Started(tmp_path)
    assert (started.version, started.said) == ("old", "/slot names no slot")


@pytest.mark.parametrize(
    ("broken", "wanted"),
    [
        ("raise ValueError('incompatible .mpy file')", "ValueError: incompatible .mpy file"),
        ("import nothing_like_it", "ModuleNotFoundError: No module named 'nothing_like_it'"),
        ("x = (", "SyntaxError: '(' was never closed"),
        ("1 / 0", "ZeroDivisionError: division by zero"),
    ],
)
@pytest.mark.parametrize("name", ["main.py", "shoe/app.py", "pico/board.py"])
def test_a_whole_slot_that_fails_before_it_is_ready_is_left(
    tmp_path: Path, name: str, broken: str, wanted: str
) -> None:
    """Digests and list are right: a firmware that cannot run. Nothing of it is left in the one that runs then."""
    lay(tmp_path, a="old", b="new")
    (tmp_path / "slot").write_text("b\n")
    files = slot_files("new") | {name: broken.encode()}
    (tmp_path / "b" / name).write_bytes(files[name])
    (tmp_path / "b" / "files.json").write_bytes(listing(files))
    started = Started(tmp_path)
    assert (started.version, started.slot) == ("old", "a")
    assert started.said is not None and started.said.startswith(f"slot b: {wanted}")


@pytest.mark.parametrize("named", ["a", "b", ""])
def test_no_slot_that_starts_is_said_in_one_line_and_nothing_is_written(tmp_path: Path, named: str) -> None:
    lay(tmp_path, a="old")
    (tmp_path / "a" / "shoe" / "app.py").write_bytes(b"")
    if named:
        (tmp_path / "slot").write_text(named)
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    started = Started(tmp_path)
    assert not started.ran
    [line] = started.lines
    assert "slot a: shoe/app.py has the wrong size" in line and "slot b: files.json is missing" in line
    assert "shoetool flash" in line
    assert before == {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}


def test_ctrl_c_goes_through(tmp_path: Path) -> None:
    lay(tmp_path, a="old", b="new")
    (tmp_path / "slot").write_text("a\n")
    files = slot_files("old") | {"shoe/app.py": b"raise KeyboardInterrupt"}
    (tmp_path / "a" / "shoe" / "app.py").write_bytes(files["shoe/app.py"])
    (tmp_path / "a" / "files.json").write_bytes(listing(files))
    with pytest.raises(KeyboardInterrupt):
        start.run(f"{tmp_path}/", print)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        (None, True), (b"{}", True), (b'{"repl": true}', True), (b'{"repl": false}', False), (b'{"repl": 1}', False),
        (b'{"repl"', False), (b"", False), (b"[]", False), (b"\xff\xff", False), (b"null", False),
        ("cannot be read", False),
    ],
)  # fmt: skip
def test_a_board_file_that_is_broken_does_not_open_the_prompt(
    tmp_path: Path, text: bytes | str | None, wanted: bool
) -> None:
    lay(tmp_path, a="old")
    (tmp_path / "slot").write_text("a")
    if isinstance(text, str):
        (tmp_path / "board.json").mkdir()
    elif text is not None:
        (tmp_path / "board.json").write_bytes(text)
    assert start.prompt(f"{tmp_path}/") is wanted
    assert Started(tmp_path).version == "old"


def test_an_image_starts_what_is_frozen_and_looks_at_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    frozen = tmp_path / "frozen"
    lay(tmp_path, a="old", b="new", frozen="image")
    (tmp_path / "slot").write_text("a")
    (frozen / "shoe_image.py").write_text("DIGEST = bytes(32)\n")
    monkeypatch.setattr(start, "FROZEN", str(frozen))
    assert (Started(tmp_path).version, Started(tmp_path).slot) == ("image", "")
    empty = tmp_path / "empty"
    empty.mkdir()
    started = Started(empty)
    assert (started.version, started.slot, started.said, started.lines) == ("image", "", None, [])
    sys.modules.pop("shoe_image")


@pytest.mark.parametrize("repl", [True, False])
def test_an_image_that_does_not_start_says_so_and_leaves_no_prompt_that_board_json_forbids(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, repl: bool
) -> None:
    frozen = tmp_path / "frozen"
    lay(tmp_path, frozen="image")
    (frozen / "shoe_image.py").write_text("DIGEST = bytes(32)\n")
    (frozen / "main.py").write_text("def run_pico(slot, said):\n    raise OSError('flash: markers')\n")
    monkeypatch.setattr(start, "FROZEN", str(frozen))
    started = Started(tmp_path)
    assert not started.ran and len(started.lines) == 1 and "OSError: flash: markers" in started.lines[0]
    sys.modules.pop("shoe_image")

    done: list[str] = []
    machine = ModuleType("machine")
    machine.__dict__.update(reset=lambda: done.append("reset"))
    monkeypatch.setitem(sys.modules, "machine", machine)
    monkeypatch.setattr(time, "sleep", lambda s: done.append(f"sleep {s}"))
    ran = start.run
    monkeypatch.setattr(start, "run", lambda: ran(f"{tmp_path}/", done.append))
    monkeypatch.setattr(start, "prompt", lambda top="/": repl)
    start.main()  # what it raises would end in the prompt
    assert done[0].startswith("start: ") and done[1:] == ([] if repl else ["sleep 10", "reset"])
    sys.modules.pop("shoe_image", None)


# ------------------------------------------------------------------------------------------ an update cut off
class Shoe:
    """A root file system with version `old` in slot a, on flash whose power can fail."""

    def __init__(self, seed: int) -> None:
        self.power = Power(lambda: None, seed)
        self.chip = Chip(352, self.power)
        self.mount()

    def mount(self, stock: bool = False) -> None:
        flash = Flash(self.chip)
        self.fs: LittleFS = lfs_root.mount(flash if stock else Root(flash, SHARE), new=not any(self.chip.erased))

    def write(self, path: str, data: bytes) -> None:
        self.fs.makedirs(path.rsplit("/", 1)[0] or "/", exist_ok=True)
        lfs_root.write(self.fs, path, data)

    def install(self, slot: str, version: str) -> None:
        """What start.py says of an update, in its order."""
        names = [name for name, _ in self.walk(f"/{slot}")]
        if f"/{slot}/files.json" in names:
            self.fs.remove(f"/{slot}/files.json")
            names.remove(f"/{slot}/files.json")
        files = slot_files(version)
        for name in names:
            if name[3:] not in files:
                self.fs.remove(name)
        for name, data in files.items():
            self.write(f"/{slot}/{name}", data)
        self.write(f"/{slot}/files.json", listing(files))
        for name, data in files.items():
            assert lfs_root.read(self.fs, f"/{slot}/{name}") == data
        self.write("/slot.new", slot.encode() + b"\n")
        self.fs.rename("/slot.new", "/slot")
        self.write("/board.json", b'{"heads": 3}')  # as `shoetool flash` does afterwards

    def walk(self, folder: str) -> list[tuple[str, bytes]]:
        """(path, content) of each file below `folder`."""
        found = []
        try:
            tree = list(self.fs.walk(folder))
        except LittleFSError:
            return []
        for root, _, names in tree:
            for name in names:
                path = f"{root.rstrip('/')}/{name}"
                found.append((path, lfs_root.read(self.fs, path)))
        return found

    def unpack(self, top: Path) -> None:
        """What a stock `_boot.py` finds, as files of the host."""
        self.mount(stock=True)
        for path, data in self.walk("/"):
            target = top / path[1:]
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(data)


def prepared(second: bool) -> tuple[bytes, int]:
    """Flash with version "old" in slot a, in the second case with an older one in slot b; the cost of the update."""
    shoe = Shoe(1)
    shoe.write("/board.json", b"{}")
    if second:
        shoe.install("b", "older")
    shoe.install("a", "old")
    data = bytes(shoe.chip.data)
    spent = shoe.power.spent
    shoe.install("b", "new")
    return data, shoe.power.spent - spent


def update_cut_at(data: bytes, budget: int, seed: int, top: Path) -> tuple[bool, Started]:
    """Update to "new" in slot b with the power failing after `budget`; start what is left. Whether the cut fired."""
    shoe = Shoe(seed)
    shoe.chip.data[:] = data
    shoe.chip.erased[0] = 1  # it has its file system
    shoe.mount()
    shoe.power.arm(budget)
    try:
        shoe.install("b", "new")
    except LittleFSError as error:
        assert shoe.power.fired, error
    fired = shoe.power.fired
    shoe.chip.dead = False
    shoe.power.arm(None)
    shoe.unpack(top)
    return fired, Started(top)


@pytest.mark.parametrize("second", [False, True], ids=["slot b empty", "slot b older"])
def test_an_update_cut_off_anywhere_leaves_a_whole_version(tmp_path: Path, second: bool) -> None:
    data, cost = prepared(second)
    seed = 7 + second
    print(f"seed {seed}, {cost} steps of power")
    rng = random.Random(seed)
    sample = rng.sample(range(cost), min(cost, int(os.environ.get("UPDATE_CUTS", "20"))))
    budgets = sorted({*sample, *range(cost - 90, cost)})  # at the end old gives way to new
    versions = []
    for budget in budgets:
        fired, started = update_cut_at(data, budget, budget + 1, tmp_path / str(budget))
        assert fired, f"the power did not fail at {budget} of {cost}"
        assert started.version in ("old", "new"), f"budget {budget}: {started.lines}"
        assert started.said is None, "the slot that is named is always whole"
        versions.append(started.version)
    assert versions.count("old") > len(sample) // 2 and versions.count("new") > 5
    assert versions == sorted(versions, key=("old", "new").index), "once new, always new"
    fired, started = update_cut_at(data, cost, 1, tmp_path / "whole")
    assert (fired, started.version) == (False, "new")
