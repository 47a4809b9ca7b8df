"""What `shoetool flash` runs on a board to read and write files: on MicroPython, and with one step that fails."""

from __future__ import annotations

import ast
import random
import re
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from shoetool.flash import snippets
from shoetool.flash.device_files import digest_of
from shoetool.flash.repl import BoardError, Repl
from shoetool.flash.writing import Writing
from shoetool.model.errors import DeviceError

MICROPYTHON = Path(__file__).resolve().parents[2] / "build" / "micropython" / "micropython-amd64"
LARGE = random.Random(3).randbytes(100_000)


def on_board(program: str, folder: Path, heap: str = "2M") -> subprocess.CompletedProcess[str]:
    """Run `program` after the tools on a heap of `heap`."""
    return subprocess.run(
        [str(MICROPYTHON), "-X", f"heapsize={heap}", "-c", snippets.TOOLS + program],
        capture_output=True, text=True, check=False, cwd=folder, timeout=20,
    )  # fmt: skip


@pytest.mark.parametrize("size", [0, 1, 511, 512, 1025, len(LARGE)])
def test_a_file_is_copied_on_a_heap_smaller_than_it(tmp_path: Path, size: int) -> None:
    content = LARGE[:size]
    (tmp_path / "from").write_bytes(content)
    done = on_board("copy('from', 'to')\nprint(repr(end('to')))\n", tmp_path, "64k")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "to").read_bytes() == content
    assert ast.literal_eval(done.stdout) == digest_of(content)


def test_the_modules_that_answered_the_questions_are_forgotten(tmp_path: Path) -> None:
    done = on_board(
        "for name in ('shoe', 'shoe.app', 'pico.root'): sys.modules[name] = io\n"
        "for _ in range(2):\n"
        "    forget()\n"
        "    print([name for name in ('shoe', 'shoe.app', 'pico.root') if name in sys.modules], sys.path)\n",
        tmp_path,
    )
    assert (done.stdout, done.stderr) == ("[] ['.frozen']\n" * 2, "")


class Board:
    """A board whose file system is the folder `top`: each program runs on MicroPython, after the tools."""

    port = "/dev/board"
    refuse = Repl.refuse

    def __init__(self, top: Path) -> None:
        self.top = top
        self.sent = 0
        self._writes = ""

    def run(self, program: str) -> bytes:
        if program.startswith("begin("):  # the process ends with each program: what is sent comes in one with its end
            self._writes = program
            return b""
        done = on_board(self._here(program), self.top)
        assert done.returncode == 0, done.stderr
        return done.stdout.encode()

    def send(self, write: str, data: bytes, sent: Callable[[int], None] = lambda n: None) -> None:
        self._writes += f"\nw.write({data!r})\n"
        self.sent += len(data)
        sent(len(data))

    def ask(self, expression: str) -> Any:
        program, self._writes = self._writes, ""
        if expression.startswith("end(") and not program:  # of a file that was copied
            expression = expression.replace("end(", "digest(")
        done = on_board(self._here(f"{program}\nprint(repr({expression}))\n"), self.top)
        assert done.returncode == 0, done.stderr
        return ast.literal_eval(done.stdout)

    def _here(self, program: str) -> str:
        return program.replace("'/", f"'{self.top}/")


def files_below(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def lay(folder: Path, files: dict[str, bytes]) -> None:
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)


WANTED = {"main.mpy": b"main", "shoe/app.mpy": LARGE[:3000], "shoe/late.mpy": b"", "pico/board.mpy": LARGE[:700]}


def test_what_is_no_file_of_the_slot_goes_and_what_is_right_stays(tmp_path: Path) -> None:
    """A folder `shoe/app` would be imported in place of `shoe/app.mpy`; a file `pico` has the place of a folder."""
    lay(tmp_path / "b", {
        "files.json": b"{", "main.mpy": b"main", "time.py": b"x", "usb/device/core.mpy": b"x", "modules.bin": b"x",
        "shoe/app.mpy": LARGE[:2999], "shoe/older.mpy": b"x", "shoe/app/__init__.mpy": b"x", "pico": b"x",
    })  # fmt: skip
    (tmp_path / "b" / "shoe" / "empty").mkdir()
    board: Any = Board(tmp_path)
    assert Writing(board).stale("b", WANTED) == ["shoe/app.mpy", "shoe/late.mpy", "pico/board.mpy"]
    assert set(files_below(tmp_path / "b")) == {"main.mpy", "shoe/app.mpy"}
    assert {path.name for path in tmp_path.rglob("*") if path.is_dir()} == {"b", "shoe", "pico"}


def test_a_file_that_the_running_slot_has_is_copied_and_not_sent(tmp_path: Path) -> None:
    lay(tmp_path / "a", {**WANTED, "main.mpy": b"another", "pico/board.mpy": b"damaged"})
    lay(tmp_path / "b", {"shoe/old.mpy": b""})
    board: Any = Board(tmp_path)
    writing = Writing(board)
    assert len(writing.stale("b", WANTED)) == 4
    advanced: list[int] = []
    assert writing.files("b", "a", WANTED, advanced.append) == 3000
    assert files_below(tmp_path / "b") == WANTED
    assert board.sent == len(b"main") + 700 and sum(advanced) == 3000 + board.sent


def test_all_is_sent_to_a_board_on_which_no_slot_runs(tmp_path: Path) -> None:
    board: Any = Board(tmp_path)
    writing = Writing(board)
    writing.stale("a", WANTED)
    assert writing.files("a", "", WANTED, lambda n: None) == 0
    assert files_below(tmp_path / "a") == WANTED and board.sent == sum(map(len, WANTED.values()))


class Line:
    """A board on a line: what begins with `fails` raises `why`; it holds what was sent to it."""

    port = "/dev/board"
    refuse = Repl.refuse

    def __init__(self, fails: str, why: str) -> None:
        self.fails = fails
        self.why = why
        self.held = b""

    def run(self, program: str) -> bytes:
        if program.startswith(self.fails):
            raise BoardError(self.why)
        return b"('usb/', 0, '')" if program.startswith("files(") else b""

    def ask(self, expression: str) -> Any:
        assert expression.startswith("end(")
        return digest_of(self.held)

    def send(self, write: str, data: bytes, sent: Callable[[int], None] = lambda n: None) -> None:
        self.held += data


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
    (tmp_path / "slot" / "main.mpy").write_bytes(b"damaged")
    done = on_board("def digest(path):\n    raise OSError(5)\nfiles('slot')\n", tmp_path)
    assert (done.returncode, done.stdout) == (0, "('main.mpy', 0, '')\n"), done.stderr
