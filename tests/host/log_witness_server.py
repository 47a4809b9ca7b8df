"""A witness on a web server of this machine, for tests: add-checkpoint of c2sp.org/tlog-witness, with its codes."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

from shoetool.model.errors import BadInput
from shoetool.transparency.findings import LogWrong
from shoetool.transparency.proof import ConsistencyProof, parse_proof
from shoetool.transparency.witness import Conflict, Witness

ABOUT_UNKNOWN = "whose key was not named"


def answer(witness: Witness, body: bytes, time: int) -> tuple[int, str, bytes]:
    """(status, content type, body) that the protocol asks for."""
    try:
        request = parse_proof(body, "request")
        assert isinstance(request, ConsistencyProof)
        return 200, "text/plain", witness.add(request, time, "request").line.encode()
    except Conflict as error:
        return 409, "text/x.tlog.size", f"{error.size}\n".encode()
    except LogWrong as error:
        if error.finding.what == "other log":
            return (404 if ABOUT_UNKNOWN in str(error) else 403), "text/plain", str(error).encode()
        return 422, "text/plain", str(error).encode()
    except BadInput as error:
        return 400, "text/plain", str(error).encode()


class Server:
    """A served witness. `status` set: every request is answered so, with `body`. `asked`: the bodies that came."""

    def __init__(self, witness: Witness, time: int) -> None:
        self.witness = witness
        self.time = time
        self.fixed: tuple[int, str, bytes] | None = None
        self.asked: list[bytes] = []
        self.url = ""

    def reply(self, body: bytes) -> tuple[int, str, bytes]:
        self.asked.append(body)
        return self.fixed or answer(self.witness, body, self.time)


@contextmanager
def served(witness: Witness, time: int) -> Iterator[Server]:
    """Serve a witness on a free port."""
    one = Server(witness, time)

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            assert self.path == "/w1/add-checkpoint"
            status, kind, body = one.reply(self.rfile.read(int(self.headers["Content-Length"])))
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
            if status == 301:
                self.send_header("Location", "http://127.0.0.1:1/elsewhere")
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: Any) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Handler)
    one.url = f"http://127.0.0.1:{server.server_port}/w1/"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield one
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
