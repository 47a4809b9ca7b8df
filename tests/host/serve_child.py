"""`shoetool serve` in a child process, over a shoe on a pseudo-terminal, and somebody who watches it."""

from __future__ import annotations

import contextlib
import json
import os
import resource
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pty_shoe import PtyShoe
from websockets.sync.client import ClientConnection, connect

TOKEN = "abcdefghijklmnop-1234"
ENDS_S = 30.0
HOST_TOOLS = str(Path(__file__).resolve().parents[2] / "host_tools")


@dataclass
class ServeChild:
    """A running server. `shoe` is the shoe of table 7."""

    process: subprocess.Popen[bytes]
    port: int
    shoe: PtyShoe
    out: Path
    err: Path

    def memory(self) -> int:
        """Return the bytes of memory that it holds now."""
        pages = Path(f"/proc/{self.process.pid}/statm").read_text().split()[1]
        return int(pages) * os.sysconf("SC_PAGE_SIZE")

    def descriptors(self) -> int:
        """Return how many files and sockets it has open."""
        return len(list(Path(f"/proc/{self.process.pid}/fd").iterdir()))

    def processor(self) -> float:
        """Return the seconds of a processor that it took so far."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def said(self) -> str:
        """Return what it wrote to standard error so far."""
        return self.err.read_text(errors="replace")

    def visitor(self, source: str = "127.0.0.1") -> socket.socket:
        """Return a connection to it, from an address of this machine."""
        return socket.create_connection(("127.0.0.1", self.port), 10, source_address=(source, 0))

    def upgraded(self, source: str = "127.0.0.1", path: str = "/ws/7") -> socket.socket:
        """Return a connection that speaks WebSocket and has said nothing yet."""
        found = self.visitor(source)
        found.sendall(handshake(self.port, path))
        answer = b""
        while b"\r\n\r\n" not in answer:
            more = found.recv(4096)
            assert more, answer
            answer += more
        assert answer.startswith(b"HTTP/1.1 101"), answer
        return found

    @contextlib.contextmanager
    def watch(self, source: str = "127.0.0.1", path: str = "/ws/7", token: str = TOKEN) -> Iterator[ClientConnection]:
        """Yield a viewer who sent the token."""
        address = f"ws://127.0.0.1:{self.port}{path}"
        with connect(address, sock=self.visitor(source), open_timeout=10, compression=None) as found:
            found.send(json.dumps({"token": token}))
            yield found

    def deal(self) -> None:
        """Let the shoe record one more card."""
        self.shoe.service.script.add("card", 0, 1, 0, 0, 8, 1, 120, 200)

    def hears_of_a_card(self, viewer: ClientConnection) -> None:
        """Deal a card, and see that a viewer is told of it."""
        self.deal()
        number = self.shoe.service.script.records[-1].number
        ends = time.monotonic() + ENDS_S
        while True:
            message: dict[str, Any] = json.loads(viewer.recv(timeout=max(0.1, ends - time.monotonic())))
            if message["type"] == "record" and message["record"]["record"] == number:
                return


def handshake(port: int, path: str = "/ws/7", host: str = "", more: str = "") -> bytes:
    """Return a request for a WebSocket."""
    lines = [
        f"GET {path} HTTP/1.1",
        f"Host: {host or f'127.0.0.1:{port}'}",
        "Upgrade: websocket",
        "Connection: Upgrade",
        "Sec-WebSocket-Version: 13",
        "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
        *([more] if more else []),
    ]
    return ("\r\n".join(lines) + "\r\n\r\n").encode()


def until(true: Callable[[], bool], what: str, seconds: float = ENDS_S) -> None:
    """Wait for something. It fails when that takes far too long."""
    ends = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < ends, what
        time.sleep(0.02)


def free_port() -> int:
    """Return a port of this machine that nobody has."""
    with socket.create_server(("127.0.0.1", 0)) as found:
        port: int = found.getsockname()[1]
        return port


def begin(files: int | None = None) -> None:
    """In the child: the signals of a shell's foreground, and so many descriptors."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)
    if files is not None:
        resource.setrlimit(resource.RLIMIT_NOFILE, (files, files))


@contextlib.contextmanager
def serve_child(folder: Path, *words: str, token: str | None = TOKEN, files: int | None = None) -> Iterator[ServeChild]:
    """Run the command until the block ends; then it is ended whatever happened."""
    out, err = folder / "serve.out", folder / "serve.err"
    path = os.pathsep.join(filter(None, (HOST_TOOLS, os.environ.get("PYTHONPATH"))))
    environment = {**os.environ, "PYTHONUNBUFFERED": "1", "PYTHONPATH": path}
    environment.pop("SHOETOOL_TOKEN", None)
    if token is not None:
        environment["SHOETOOL_TOKEN"] = token
    port = free_port()
    with PtyShoe() as shoe, out.open("wb") as to_out, err.open("wb") as to_err:
        command = [sys.executable, "-m", "shoetool", "serve", "--table", f"7={shoe.port}"]
        process = subprocess.Popen(
            [*command, "--listen", f"127.0.0.1:{port}", *words],
            stdin=subprocess.DEVNULL,
            stdout=to_out,
            stderr=to_err,
            env=environment,
            cwd=folder,
            preexec_fn=lambda: begin(files),
        )
        child = ServeChild(process, port, shoe, out, err)
        try:
            until(lambda: process.poll() is not None or listens(port), "it does not start")
            assert process.poll() is None, child.said()
            yield child
        finally:
            process.kill()
            process.wait(10)


def listens(port: int) -> bool:
    """Whether somebody listens there."""
    try:
        socket.create_connection(("127.0.0.1", port), 1).close()
    except OSError:
        return False
    return True
