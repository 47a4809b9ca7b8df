"""Runs the firmware on the virtual board as a process and gives the simulated dealer a shoe to hold.

The link is a pseudo-terminal: the firmware inherits its master end, `link_path` is the port that shoetool opens.
Stimuli go through the process's standard input, lamps and sync tokens come back through its standard output.
"""

from __future__ import annotations

import contextlib
import os
import selectors
import signal
import subprocess
import sys
import time
import tty
from functools import cache
from pathlib import Path
from typing import NoReturn, Self

from shoetool.model.errors import BadInput
from shoetool.model.file_kinds import NOTE
from shoetool.model.input_file import LARGEST_STATE, read_input
from shoetool.model.output_file import open_growing
from shoetool.model.protocol_table import Key

from shoesim import stimulus
from shoesim.dealer_draw import Lamps
from shoesim.errors import SimulationError
from shoesim.passes import HAND, Passes
from shoesim.places import CARRIED, find_firmware, find_micropython
from shoesim.pull import NOMINAL, Model, Profile

ROOT = Path(__file__).resolve().parents[2]
INTERPRETERS = ("amd64", "i386", "python")
# What the firmware needs on words of 32 bits, as an RP2040 has them; the same objects take a quarter more on 64 bits.
HEAPS = {"amd64": "304k", "i386": "213k"}
START_US = stimulus.TICKS_PERIOD - 20_000_000  # both tick counters wrap while the first cards are dealt
PATIENCE_S = 60.0


def firmware_command(interpreter: str, state: Path, link_fd: int) -> list[str]:
    """Return the command that runs the firmware; `interpreter` is amd64, i386 (MicroPython) or python.

    Raises BadInput when it is not there.
    """
    if interpreter not in INTERPRETERS:
        raise BadInput(f"no interpreter is called {interpreter!r}; known: {', '.join(INTERPRETERS)}")
    firmware = find_firmware(ROOT)
    start = [sys.executable]
    if interpreter != "python":
        start = [str(find_micropython(ROOT, interpreter)), "-X", f"heapsize={HEAPS[interpreter]}"]
    # Which of the wheel's files came first when they were unpacked says nothing.
    carried = ["--compiled"] if firmware == CARRIED / "firmware" else []
    return [*start, str(firmware / "main.py"), "--virtual", str(state), "--link-fd", str(link_fd), *carried]


@cache
def compile_firmware() -> None:
    """Let firmware/tools/build.py compile what is stale, so that MicroPython need not compile it in its small heap.

    Once in a process, as shoes are switched off and on often. Where mpy-cross is missing nothing happens: the firmware
    then runs from its sources and says so in its log.
    """
    build = ROOT / "firmware" / "tools" / "build.py"
    if build.is_file():
        subprocess.run([sys.executable, str(build)], stdin=subprocess.DEVNULL, capture_output=True, check=False)


class Rig(Passes):
    """A shoe on the virtual board. Use it as a context manager: the process never outlives it.

    `speed` 1.0 plays in real time, 0 as fast as the firmware can; simulated timestamps are the same either way.
    The rest is as for Passes.
    """

    def __init__(
        self,
        state: Path,
        *,
        interpreter: str = "amd64",
        model: Model = NOMINAL,
        seed: int = 1,
        speed: float = 0.0,
        gap_s: float = 0.25,
        period_s: float = 0.0,
        profile: Profile = HAND,
        start_us: int = START_US,
    ) -> None:
        super().__init__(model=model, seed=seed, gap_s=gap_s, period_s=period_s, profile=profile, start_us=start_us)
        self.state = state
        self.interpreter = interpreter
        self.speed = speed
        self.boot = 0
        self.last_lamps = Lamps(0, False)
        self.thresholds: dict[int, int] = {}
        self._start_us = start_us
        self._wall = time.monotonic()
        self._token = 0
        self._answered = 0
        self._ready = False
        self._decoder = stimulus.OutputDecoder()
        self._process: subprocess.Popen[bytes] | None = None
        self._master, self._slave = os.openpty()
        tty.setraw(self._slave)
        os.set_blocking(self._master, False)

    # ------------------------------------------------------------------------------------------- life

    def __enter__(self) -> Self:
        try:
            self.start()
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def link_path(self) -> str:
        """The serial port of the shoe. The rig keeps it open, so that closing it elsewhere is no hang-up."""
        return os.ttyname(self._slave)

    @property
    def log_path(self) -> Path:
        """Where the firmware's text for people goes."""
        return self.state / "log.txt"

    @property
    def pid(self) -> int | None:
        """Process id of the running firmware."""
        return self._process.pid if self._process else None

    def start(self) -> None:
        """Power on: spawn the firmware and wait until it has booted."""
        if self._process is not None:
            raise SimulationError("the firmware is already running")
        self.state.mkdir(parents=True, exist_ok=True)
        if self.interpreter != "python":
            compile_firmware()
        command = firmware_command(self.interpreter, self.state, self._master)
        with open_growing(self.log_path, NOTE, lines=True) as log:
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=log,
                bufsize=0,
                pass_fds=(self._master,),
                start_new_session=True,
            )
        assert self._process.stdin is not None
        os.set_blocking(self._process.stdin.fileno(), False)
        self._decoder = stimulus.OutputDecoder()
        self._ready = False
        self._answered = self._token
        self._send(stimulus.time(self.now_us))
        deadline = time.monotonic() + PATIENCE_S
        while not self._ready:
            self._exchange(b"", deadline)
        self.sync()

    def stop(self) -> int:
        """Ask the firmware to leave, wait, kill it if it does not; return its exit status."""
        process = self._process
        if process is None:
            return 0
        self._process = None
        try:
            if process.poll() is None and process.stdin is not None:
                with contextlib.suppress(OSError, subprocess.TimeoutExpired):
                    os.set_blocking(process.stdin.fileno(), True)
                    process.stdin.write(stimulus.leave())
                    process.stdin.close()
                    process.wait(2.0)
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
            status = process.wait()
            for pipe in (process.stdin, process.stdout):
                if pipe is not None:
                    with contextlib.suppress(OSError):  # the firmware may be gone with bytes unread
                        pipe.close()
        return status

    def restart(self) -> None:
        """Power on again with the same flash; the link stays plugged in."""
        self.stop()
        self.start()

    def close(self) -> None:
        """End the process and the link. May be called twice."""
        self.stop()
        for name in ("_master", "_slave"):
            if (fd := getattr(self, name)) >= 0:
                os.close(fd)
                setattr(self, name, -1)

    # ------------------------------------------------------------------------------------------- the shoe

    def key(self, key: Key, argument: int = 0) -> None:
        """Press a panel key."""
        self.wait(0.05)
        self._send(stimulus.key(int(key), argument))

    def feed(self, head: int, changes: list[tuple[int, int]], end_us: int) -> None:
        """Send the edges of one pass and move the simulated clock to its end."""
        self._pace(end_us)
        self._send(b"".join(stimulus.edges(head, changes)))
        self.now_us = max(self.now_us, end_us)
        self.wait(0.03)

    def wait(self, seconds: float) -> None:
        """Move the simulated clock; in real time when `speed` is set."""
        self.now_us += int(seconds * 1e6)
        self._pace(self.now_us)
        self._send(stimulus.time(self.now_us))

    def lamps(self) -> Lamps:
        """Wait until the firmware has worked off everything and return what its panel shows."""
        self.sync()
        return self.last_lamps

    def sync(self) -> None:
        """Wait until the firmware has worked off everything that was sent."""
        self._token += 1
        deadline = time.monotonic() + PATIENCE_S
        self._exchange(stimulus.sync(self._token), deadline)
        while self._answered != self._token:
            self._exchange(b"", deadline)

    # ------------------------------------------------------------------------------------------- pipes

    def _pace(self, until_us: int) -> None:
        if self.speed > 0:
            due = self._wall + (until_us - self._start_us) / 1e6 / self.speed
            if (rest := due - time.monotonic()) > 0:
                time.sleep(rest)

    def _send(self, data: bytes) -> None:
        self._exchange(data, time.monotonic() + PATIENCE_S)

    def _exchange(self, data: bytes, deadline: float) -> None:
        """Write all of `data`, taking in what comes while it has to wait; with nothing to write wait for something."""
        process = self._process
        if process is None or process.stdin is None or process.stdout is None:
            raise SimulationError("the firmware is not running")
        pending = memoryview(data)
        if pending:
            pending = pending[self._write(process.stdin.fileno(), pending) :]
            if not pending:
                return
        with selectors.DefaultSelector() as selector:
            selector.register(process.stdout, selectors.EVENT_READ)
            if pending:
                selector.register(process.stdin, selectors.EVENT_WRITE)
            while True:
                events = selector.select(max(0.0, deadline - time.monotonic()))
                if not events:
                    raise SimulationError(f"the firmware did not answer within {PATIENCE_S:.0f} s{self._last_log()}")
                came = False
                for chosen, _ in events:
                    if chosen.fileobj is process.stdout:
                        self._take_in(os.read(process.stdout.fileno(), 65536))
                        came = True
                    else:
                        pending = pending[self._write(process.stdin.fileno(), pending) :]
                if not pending and (came or data):
                    return

    def _write(self, pipe: int, data: memoryview) -> int:
        """Write what the pipe takes of `data` without waiting; return how many bytes that were."""
        try:
            return os.write(pipe, data)
        except BrokenPipeError:
            self._gone()
        except BlockingIOError:
            return 0

    def _take_in(self, data: bytes) -> None:
        if not data:
            self._gone()
        for output in self._decoder.feed(data):
            if output.kind == "L":
                self.last_lamps = Lamps(output.value, output.card_stop)
            elif output.kind == "S":
                self._answered = output.value
            elif output.kind == "H":
                self.thresholds[output.head] = output.value
            else:
                self._ready = True
                self.boot = output.value

    def _gone(self) -> NoReturn:
        process = self._process
        status = process.wait() if process else 0
        self.stop()
        raise SimulationError(f"the firmware ended with status {status}{self._last_log()}")

    def _last_log(self) -> str:
        try:
            text = read_input(self.log_path, "the log of the rig", LARGEST_STATE).decode("utf-8", "replace")
        except BadInput:
            return ""
        lines = text.strip().splitlines()
        return f"; its log ends: {lines[-1]}" if lines else ""
