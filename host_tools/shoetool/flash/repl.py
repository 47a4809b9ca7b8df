"""MicroPython's raw REPL on a USB port, through mpremote's transport: text in, Python literals out, one-line errors.

The transport prints what it does not understand, and lets serial errors through. Here they become LinkError.
"""

from __future__ import annotations

import ast
import binascii
import contextlib
import io
import os
import struct
import time
from collections.abc import Callable, Iterator
from typing import Any, Final

from mpremote.transport import TransportError
from mpremote.transport_serial import SerialTransport

from shoetool.flash.boards import INSTALL, in_boot_loader
from shoetool.link.port_errors import close_quietly, library_calls, reason
from shoetool.link.port_names import about_port, port_keys
from shoetool.link.serial_port import open_port
from shoetool.link.system_ports import Whereabouts, known_as, ports_if_listed
from shoetool.model.errors import DeviceError, LinkError

ENTER_S: Final = 5.0
"""How long a board may take from Ctrl-C to the prompt of the raw REPL, before the next try."""
ENTER_TRIES: Final = 3
ANSWER_S: Final = 120.0
"""How long a board may work without a byte of output: a self-test, an emulated board."""
RETURN_S: Final = 20.0
"""How long a USB port may be away while its board starts."""
CHUNK: Final = 1024
"""Bytes of a file in one line of the raw REPL."""
_INTERRUPT: Final = b"\x03"
_FRIENDLY: Final = b"\r\x02"
_RESTART: Final = b"\x04"


class LineLost(LinkError):
    """The port went away during the work."""


class NoAnswer(LinkError):
    """The port is there, but no MicroPython prompt answers on it."""


class BoardError(DeviceError):
    """A piece of program failed on the board. The text is the last line that it printed."""


class _Impatient:
    """A serial port whose reads fail `patience_s` after the last write: mpremote would read endless output for ever."""

    def __init__(self, port: Any, patience_s: float) -> None:
        self._port = port
        self._patience_s = patience_s
        self._deadline = time.monotonic() + patience_s

    def write(self, data: bytes) -> None:
        self._port.write(data)
        self._deadline = time.monotonic() + self._patience_s

    def read(self, size: int) -> Any:
        self._check()
        return self._port.read(size)

    def inWaiting(self) -> Any:
        self._check()
        return self._port.in_waiting

    def _check(self) -> None:
        if time.monotonic() > self._deadline:
            raise TransportError("it talks, and shows no prompt")


class Repl:
    """The raw REPL of the board on `port`. `enter` first; use it as a context manager."""

    def __init__(self, port: str) -> None:
        """Open the port. LinkError, one line, when that fails."""
        self.port = port
        self.reached = False
        """Whether a board has shown its raw prompt. Before that, nothing can have changed on it."""
        listed = ports_if_listed()
        self._first = Whereabouts.of(port, known_as(port_keys(port), listed), listed)
        self._transport = self._open()

    def __enter__(self) -> Repl:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def refuse(self, text: str) -> DeviceError:
        """Return an error that names the port."""
        return DeviceError(f"{self.port}: {text}")

    def close(self) -> None:
        """Close the port."""
        close_quietly(self._transport)

    def _open(self) -> Any:
        with _quiet(), library_calls(lambda error: why_not_opened(self.port)):
            # mpremote recognizes a pseudo-terminal only by its own name.
            transport = SerialTransport(
                real if (real := os.path.realpath(self.port)).startswith("/dev/pts/") else self.port
            )
            transport.serial.timeout = ANSWER_S
            transport.serial.write_timeout = ANSWER_S
        return transport

    @contextlib.contextmanager
    def _guarded(self) -> Iterator[None]:
        """Turn an error on the line into one line for people."""
        with _quiet(), library_calls(self._failed):
            yield

    def _failed(self, error: Exception) -> LineLost | NoAnswer:
        if isinstance(error, TransportError):
            return NoAnswer(f"{self.port}: the board stopped answering: {reason(error)}")
        if isinstance(error, struct.error):  # mpremote raises this when a board went silent in the middle of a line
            return NoAnswer(f"{self.port}: the board stopped answering")
        return LineLost(
            f"{self.port}: the line was lost ({type(error).__name__}); is the board unplugged or switched off?"
        )

    # ------------------------------------------------------------------------------------------ the prompt
    def enter(self) -> None:
        """Interrupt the running program, restart MicroPython with boot.py alone, and enter the raw prompt. NoAnswer."""
        for _ in range(ENTER_TRIES):
            port = self._transport.serial
            with contextlib.suppress(NoAnswer), self._guarded():
                port.timeout = ENTER_S  # on a pseudo-terminal mpremote waits in read itself
                self._transport.serial = _Impatient(port, 2 * ENTER_S)
                try:
                    self._transport.enter_raw_repl(soft_reset=True, timeout_overall=ENTER_S)
                finally:
                    self._transport.serial = port
                port.timeout = ANSWER_S
                self.reached = True
                return
        raise NoAnswer(
            f"{self.port}: no MicroPython prompt answers. A table unit (board.json: repl = false) keeps it shut; "
            f"else {INSTALL}"
        )

    def run(self, program: str, timeout_s: float = ANSWER_S) -> bytes:
        """Run `program` on the board and return what it printed. BoardError with its last line when it raised."""
        with self._guarded():
            self._transport.exec_raw_no_follow(program)
            out, failed = self._transport.follow(timeout_s)
        if failed:
            lines = failed.decode("utf-8", "replace").strip().splitlines()
            raise BoardError(lines[-1] if lines else "an error without a text")
        return bytes(out)

    def ask(self, expression: str, timeout_s: float = ANSWER_S) -> Any:
        """Return the value of `expression` on the board. The value must be a Python literal."""
        lines = self.run(f"print(repr({expression}))", timeout_s).strip().splitlines()
        try:
            return ast.literal_eval(lines[-1].decode())
        except (IndexError, ValueError, SyntaxError):
            raise BoardError(f"{expression}: the board did not answer with a value") from None

    def send(self, write: str, data: bytes, sent: Callable[[int], None] = lambda n: None) -> None:
        """Call the board's function `write` with `data`, piece by piece. `sent(n)` gets the size of each piece."""
        for at in range(0, len(data), CHUNK):
            piece = data[at : at + CHUNK]
            text = binascii.b2a_base64(piece, newline=False).decode()
            self.run(f"{write}(a2b_base64('{text}'))")
            sent(len(piece))

    # ------------------------------------------------------------------------------------------ restarting
    def restart(self) -> None:
        """Leave the raw REPL and restart MicroPython with boot.py and main.py, as after power on."""
        with self._guarded():
            self._transport.exit_raw_repl()
            self._transport.read_until(1, b">>> ", timeout=ENTER_S)
            self._transport.serial.write(_RESTART)

    def listen(self, ready: Callable[[bytes], bool], timeout_s: float) -> bytes:
        """Read the board's output until `ready` accepts all of it, or for `timeout_s`. Reopens a port that goes."""
        said = b""
        deadline = time.monotonic() + timeout_s
        while not ready(said) and time.monotonic() < deadline:
            try:
                with self._guarded():
                    self._transport.serial.timeout = 0.1
                    said += self._transport.serial.read(max(1, self._transport.serial.in_waiting))
            except LineLost:
                self._reopen()
        with contextlib.suppress(LinkError), self._guarded():
            self._transport.serial.timeout = ANSWER_S
        return said

    def let_go(self) -> None:
        """After an interruption: start the board's own program again if the board still answers. Raises nothing."""
        with contextlib.suppress(LinkError), self._guarded():
            port = self._transport.serial
            port.write_timeout = 1
            port.write(_INTERRUPT)
            time.sleep(0.1)
            port.write(_FRIENDLY + _RESTART)
            port.flush()

    def _reopen(self) -> None:
        self.close()
        deadline = time.monotonic() + RETURN_S
        while True:
            for name in self._first.names_now():
                self.port = name
                with contextlib.suppress(LinkError):
                    self._transport = self._open()
                    return
            if time.monotonic() > deadline:
                raise LineLost(f"{self._first.name}: the board did not come back after its restart")
            time.sleep(0.1)


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """Hide the text that mpremote prints when it did not understand the board."""
    with contextlib.redirect_stdout(io.StringIO()):
        yield


def why_not_opened(port: str) -> LinkError:
    """Return one line that says why a port cannot be opened. mpremote does not say it."""
    try:
        close_quietly(open_port(port))
    except LinkError as error:
        text = str(error)
        if "there is no such port" in text and about_port(port) is None:
            text = f"{port}: there is no such port; {in_boot_loader() or f'a new board has none: {INSTALL}'}"
        return LinkError(text)
    return LinkError(f"{port}: the port was busy; try again")
