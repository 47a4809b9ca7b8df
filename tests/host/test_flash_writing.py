"""What `shoetool flash` runs on a board to read and write files: on MicroPython, and with one step that fails."""

from __future__ import annotations

import ast
import hashlib
import random
import re
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from shoetool.flash import snippets
from shoetool.flash.bundle import HEAD, MAGIC, RECORD, modules_of
from shoetool.flash.device_files import digest_of
from shoetool.flash.repl import BoardError
from shoetool.flash.writing import Writing
from shoetool.model.errors import DeviceError

MICROPYTHON = Path(__file__).resolve().parents[2] / "build" / "micropython" / "micropython-amd64"
LARGE = 100_000


def bundle_of(modules: dict[str, bytes]) -> bytes:
    """modules.bin of `modules`, content by name."""
    at = HEAD.size + RECORD.size * len(modules)
    records = []
    for name, data in modules.items():
        records.append(RECORD.pack(name.encode().ljust(32), at, len(data)))
        at += len(data)
    return HEAD.pack(MAGIC, len(modules)) + b"".join(records) + b"".join(modules.values())


BUNDLE = bundle_of({"main": b"m" * 511, "shoe/large": random.Random(3).randbytes(LARGE), "shoe/empty": b""})


def on_board(program: str, folder: Path, heap: str = "2M") -> subprocess.CompletedProcess[str]:
    """Run `program` after the tools on a heap of `heap`."""
    return subprocess.run(
        [str(MICROPYTHON), "-X", f"heapsize={heap}", "-c", snippets.TOOLS + program],
        capture_output=True, text=True, check=False, cwd=folder, timeout=20,
    )  # fmt: skip


def test_the_modules_of_a_slot_are_told_on_a_heap_smaller_than_one_of_them(tmp_path: Path) -> None:
    (tmp_path / "modules.bin").write_bytes(BUNDLE)
    done = on_board("pieces('modules.bin')\n", tmp_path, "64k")
    assert done.returncode == 0, done.stderr
    told = {(size, digest): at for at, size, digest in map(ast.literal_eval, done.stdout.splitlines())}
    assert len(told) == 3
    for content in modules_of(BUNDLE).values():
        at = told[digest_of(content)]
        assert BUNDLE[at : at + len(content)] == content


@pytest.mark.parametrize(("at", "size"), [(0, 0), (1, 511), (700, 512), (3, 1025), (0, len(BUNDLE))])
def test_a_part_of_a_file_is_copied(tmp_path: Path, at: int, size: int) -> None:
    (tmp_path / "from").write_bytes(BUNDLE)
    done = on_board(f"begin('to')\ntake('from', {at}, {size})\nprint(repr(end('to')))\n", tmp_path)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "to").read_bytes() == BUNDLE[at : at + size]
    assert ast.literal_eval(done.stdout) == (size, hashlib.sha256(BUNDLE[at : at + size]).hexdigest())


@pytest.mark.parametrize("program", ["begin('to')\ntake('modules.bin', 0, 4000)\n", "pieces('modules.bin')\n"])
def test_a_file_that_ends_too_soon_is_an_error(tmp_path: Path, program: str) -> None:
    (tmp_path / "modules.bin").write_bytes(BUNDLE[:2000])
    done = on_board(program, tmp_path)
    assert done.returncode and "OSError: 5" in done.stderr.replace("[Errno 5] EIO", "5"), done.stderr


def test_a_slot_that_was_looked_into_is_forgotten(tmp_path: Path) -> None:
    done = on_board(
        "vfs.mount(_Ram(), '/m')\n"
        "for name in ('modules', 'main', 'shoe', 'shoe.app.app'): sys.modules[name] = io\n"
        "for _ in range(2):\n"
        "    forget()\n"
        "    print([name for name in ('modules', 'main', 'shoe', 'shoe.app.app') if name in sys.modules])\n"
        "    print('m' in os.listdir('/'), 'ram' in os.listdir('/'))\n",
        tmp_path,
    )
    assert (done.stdout, done.stderr) == ("[]\nFalse True\n" * 2, "")


class Line:
    """A board on a line: what begins with `fails` raises `why`; it holds what was sent to it."""

    port = "/dev/board"

    def __init__(self, fails: str, why: str) -> None:
        self.fails = fails
        self.why = why
        self.held = b""

    def run(self, program: str) -> bytes:
        if program.startswith(self.fails):
            raise BoardError(self.why)
        assert not program.startswith("take("), "the slot that runs could not be read"
        return b""

    def ask(self, expression: str) -> Any:
        if expression.startswith("os.listdir"):
            return ["usb"]
        assert expression.startswith("end(")
        return digest_of(self.held)

    def send(self, write: str, data: bytes, sent: Callable[[int], None] = lambda n: None) -> None:
        self.held += data


@pytest.mark.parametrize("why", ["MemoryError: memory allocation failed, allocating 4096 bytes", "OSError: 5"])
def test_all_is_sent_when_the_slot_that_runs_cannot_be_read(why: str) -> None:
    line: Any = Line("pieces(", why)
    advanced: list[int] = []
    assert Writing(line).modules("b", "a", BUNDLE, advanced.append) == len(BUNDLE) == sum(advanced)
    assert line.held == BUNDLE


@pytest.mark.parametrize(
    ("fails", "why", "told"),
    [
        ("remove('/b/files.json')", "OSError: 28", "no room to clear slot b: remove files of your own from the board"),
        ("remove('/b/usb')", "OSError: [Errno 5] EIO", "slot b: [Errno 5] EIO"),
        ("files('/b')", "MemoryError: ", "slot b: MemoryError: "),
    ],
)
def test_a_slot_that_cannot_be_cleared_is_named(fails: str, why: str, told: str) -> None:
    line: Any = Line(fails, why)
    with pytest.raises(DeviceError, match="^" + re.escape(f"/dev/board: {told}") + "$"):
        Writing(line).stale("b", {})


@pytest.mark.parametrize("why", ["OSError: 28", "OSError: 36", "OSError: [Errno 36] ENAMETOOLONG"])
def test_a_file_for_which_there_is_no_room_is_named_with_what_to_do(why: str) -> None:
    """A littlefs that is nearly full has room for bytes and none for one more name: errno 36."""
    line: Any = Line("begin('/b/main.mpy'", why)
    told = "/dev/board: no room for /b/main.mpy: remove files of your own from the board"
    with pytest.raises(DeviceError, match="^" + re.escape(told) + "$"):
        Writing(line).file("/b/main.mpy", b"", lambda n: None)


def test_a_file_in_the_slot_that_cannot_be_read_counts_as_another_one_and_is_written(tmp_path: Path) -> None:
    (tmp_path / "slot").mkdir()
    (tmp_path / "slot" / "modules.bin").write_bytes(b"damaged")
    done = on_board("def digest(path):\n    raise OSError(5)\nfiles('slot')\n", tmp_path)
    assert (done.returncode, done.stdout) == (0, "('modules.bin', 0, '')\n"), done.stderr
