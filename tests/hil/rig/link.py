"""The far end of the shoe's line: a transport on the simulated clock, and pseudo-terminals for other programs."""

from __future__ import annotations

import contextlib
import os
import subprocess
import tty
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Protocol

from shoetool.link.transport import Disconnected

STEP_US = 1000.0  # how often a host looks; serial adapters hand over bytes once a millisecond


class Line(Protocol):
    """What the transports need of a bench."""

    now_us: int

    def advance(self, micros: float) -> None: ...
    def send(self, data: bytes) -> None: ...
    def take(self) -> bytes: ...


class SimulatedTransport:
    """shoetool's transport onto an emulated shoe: reading and sleeping let simulated time pass, nothing else does."""

    def __init__(self, line: Line, name: str = "emulated shoe") -> None:
        self._line = line
        self.name = name
        self.plugged = True

    def write(self, data: bytes) -> None:
        """Put bytes on the wire."""
        self._check()
        self._line.send(data)

    def read(self, timeout_s: float) -> bytes:
        """Bytes that have come, at most `timeout_s` simulated seconds later."""
        self._check()
        end = self._line.now_us + timeout_s * 1e6
        while not (data := self._line.take()):
            left = end - self._line.now_us
            if left <= 0:
                return b""
            # A host that sums up seconds may be left with a part of a microsecond, which `now_us` does not count.
            self._line.advance(min(STEP_US, max(left, 1.0)))
        return data

    def reopen(self, without: Collection[str] = ()) -> None:
        """The simulated cable is in again at once."""
        self.plugged = True

    def close(self) -> None:
        """Nothing to give back."""

    def now(self) -> float:
        """Simulated seconds."""
        return self._line.now_us / 1e6

    def sleep(self, seconds: float) -> None:
        """Let simulated time pass."""
        self._line.advance(seconds * 1e6)

    def _check(self) -> None:
        if not self.plugged:
            raise Disconnected(f"{self.name}: the line was lost")


class Terminal:
    """A pseudo-terminal in the place of a serial port; `path` is what other programs open."""

    def __init__(self) -> None:
        self._master, self._slave = os.openpty()
        tty.setraw(self._slave)
        os.set_blocking(self._master, False)
        self.path = os.ttyname(self._slave)
        self._waiting = b""

    def __enter__(self) -> Terminal:
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self._master)
        os.close(self._slave)

    def exchange(self, outgoing: bytes) -> bytes:
        """Offer bytes to the program at the other end, return what it has sent."""
        self._waiting += outgoing
        if self._waiting:
            with contextlib.suppress(BlockingIOError):
                self._waiting = self._waiting[os.write(self._master, self._waiting) :]
        try:
            return os.read(self._master, 4096)
        except BlockingIOError:
            return b""


def run_beside(
    command: Sequence[str],
    carry: Callable[[], None],
    env: Mapping[str, str] | None = None,
    most_turns: int = 600_000,
) -> subprocess.CompletedProcess[str]:
    """Run a program of its own while `carry` moves bytes and simulated time; return what it printed.

    TimeoutError, and the program ended, when it takes more than `most_turns` turns.
    """
    with subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=env
    ) as process:
        assert process.stdout is not None
        os.set_blocking(process.stdout.fileno(), False)
        printed = b""
        try:
            for _ in range(most_turns):
                carry()
                with contextlib.suppress(BlockingIOError):  # it has printed nothing since
                    printed += os.read(process.stdout.fileno(), 65536)
                if process.poll() is not None:
                    break
            else:
                raise TimeoutError(f"{command[0]} did not end; it printed: {printed.decode()}")
        finally:
            if process.poll() is None:
                process.kill()
        printed += process.stdout.read() or b""
    return subprocess.CompletedProcess(command, process.returncode, printed.decode())
