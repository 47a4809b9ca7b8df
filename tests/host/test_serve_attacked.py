"""Who has no token costs `shoetool serve` next to nothing, and takes it from nobody who has one.

Each test attacks the command in a child process, over the loopback alone, with a bounded number of sockets.
"""

from __future__ import annotations

import contextlib
import json
import socket
import ssl
import struct
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from sampled import SOAK
from serve_child import TOKEN, ServeChild, handshake, serve_child, until
from shoetool.serve.app import NO_TOKEN
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

MEMORY = 60 << 20
"""So much more memory is far above the noise, and far below what the attacks took before there were limits."""
SAID = 2000
"""So many bytes of standard error are a few lines."""
CROWD = [f"127.0.0.{at}" for at in range(2, 10)]


@pytest.fixture
def child(tmp_path: Path) -> Iterator[ServeChild]:
    with serve_child(tmp_path) as found:
        yield found


def masked(opcode: int, payload: bytes, fin: bool = True, length: int | None = None) -> bytes:
    """Return a frame of a client, masked with zeros. length: what its header says."""
    length = len(payload) if length is None else length
    head = bytes(((0x80 if fin else 0) | opcode,))
    if length < 126:
        head += bytes((0x80 | length,))
    elif length < 65536:
        head += struct.pack(">BH", 0xFE, length)
    else:
        head += struct.pack(">BQ", 0xFF, length)
    return head + bytes(4) + payload


def poured(sockets: list[socket.socket], data: bytes, most: int) -> int:
    """Send `data` again and again into all sockets, `most` bytes each. Return how many bytes they took."""
    left = dict.fromkeys(sockets, most)
    total = 0
    ends = time.monotonic() + 20
    for one in sockets:
        one.setblocking(False)
    while left and time.monotonic() < ends:
        stalled = True
        for one in list(left):
            try:
                count = one.send(data)
            except BlockingIOError:
                continue
            except OSError:
                del left[one]
                continue
            stalled = False
            total += count
            left[one] -= count
            if left[one] <= 0:
                del left[one]
        if stalled:
            time.sleep(0.05)
    return total


def closed_with(socket_: socket.socket) -> int | None:
    """Return the code of the WebSocket's close that comes; None when the connection just ends."""
    socket_.settimeout(15)
    data = b""
    with contextlib.suppress(ConnectionError):
        while more := socket_.recv(4096):
            data += more
            at = data.find(b"\x88")
            if at >= 0 and len(data) >= at + 4:
                return int.from_bytes(data[at + 2 : at + 4])
    return None


def unharmed(child: ServeChild, before: int) -> None:
    """It holds no more memory than before, said next to nothing, and no traceback."""
    grown = child.memory() - before
    assert grown < MEMORY, f"{grown >> 20} MB more"
    assert len(child.said()) < SAID and "Traceback" not in child.said(), child.said()[:SAID]
    assert child.process.poll() is None


BIG = 15 << 20


@pytest.mark.parametrize(
    ("begun", "poured_on"),
    [
        (masked(1, b"", length=BIG + 1), b"x" * 65536),  # a first message of 15 MB that never ends
        (masked(1, b"", fin=False), masked(0, b"", fin=False) * 4096),  # a message of endless empty pieces
        (b"", masked(9, b"") * 8192),  # pings whose answers nobody reads
    ],
    ids=["one long message", "endless pieces", "pings"],
)
def test_an_unfinished_first_message_takes_no_memory(child: ServeChild, begun: bytes, poured_on: bytes) -> None:
    with child.watch() as viewer, contextlib.ExitStack() as stack:
        child.hears_of_a_card(viewer)
        before = child.memory()
        sockets = []
        for at in range(100):
            with contextlib.suppress(OSError, AssertionError):  # it may be ended already
                sockets.append(stack.enter_context(child.upgraded(CROWD[at % len(CROWD)])))
                sockets[-1].send(begun)
        assert len(sockets) > 30, "the attack did not take place"
        assert poured(sockets, poured_on, BIG) > 64 * 4096, "the attack did not take place"
        child.hears_of_a_card(viewer)
        unharmed(child, before)
        until(lambda: child.descriptors() < 40, "the sockets stay open")


def test_half_requests_at_few_descriptors_stop_nobody(tmp_path: Path) -> None:
    with serve_child(tmp_path, files=256) as child, child.watch() as viewer, contextlib.ExitStack() as stack:
        child.hears_of_a_card(viewer)
        before = child.memory()
        for at in range(320):
            one = stack.enter_context(child.visitor(CROWD[at % len(CROWD)]))
            with contextlib.suppress(OSError):
                one.send(b"GET /api/tables HTTP/1.1\r\nHost: 127.0.0.1\r\nX: ")
        assert child.descriptors() < 256
        child.hears_of_a_card(viewer)
        with child.watch() as late, child.watch(CROWD[0]) as beside:  # also beside one of those who attack
            child.hears_of_a_card(late)
            child.hears_of_a_card(beside)
        begun = child.processor()
        time.sleep(2)
        assert child.processor() - begun < 1, "it is busy with nothing"
        unharmed(child, before)
        until(lambda: child.descriptors() < 40, "the sockets stay open")


def test_descriptors_that_run_out_are_no_noise_and_no_end(tmp_path: Path) -> None:
    """The limit falls while it runs, below what it counted on: each further connection is turned away."""
    import resource

    with serve_child(tmp_path) as child, child.watch() as viewer, contextlib.ExitStack() as stack:
        child.hears_of_a_card(viewer)
        before, limit = child.memory(), child.descriptors() + 3
        resource.prlimit(child.process.pid, resource.RLIMIT_NOFILE, (limit, limit))
        begun = child.processor()
        sockets = [stack.enter_context(child.visitor(CROWD[at % len(CROWD)])) for at in range(60)]
        child.hears_of_a_card(viewer)
        time.sleep(2)
        assert child.processor() - begun < 2, "it is busy with nothing"
        ended = 0
        for one in sockets:
            one.settimeout(10)
            try:
                ended += one.recv(1) == b""
            except ConnectionError:  # it is ended too, before what it sent was read
                ended += 1
        assert ended >= 50, "those that it cannot serve are ended"
        unharmed(child, before)
        with child.watch() as late:
            child.hears_of_a_card(late)


FIRST: dict[str, tuple[int, bytes]] = {
    "half a surrogate": (1, b'{"token":"\\ud800"}'),
    "brackets": (1, b"[" * 3000),
    "a number of many digits": (1, b"1" * 3000),
    "no JSON": (1, b"{"),
    "nothing": (1, b""),
    "a list": (1, b"[]"),
    "another type": (1, b'{"token": 7}'),
    "bytes": (2, b"\xff\xfe"),
    "bytes that are the token": (2, json.dumps({"token": "abcdefghijklmnop-1234"}).encode()),
    "NaN": (1, b"NaN"),
    "a sign that is not ASCII": (1, '{"token": "é"}'.encode()),
}


def test_a_first_message_that_is_no_token_closes_quietly(child: ServeChild) -> None:
    before = child.memory()
    for what, (opcode, message) in FIRST.items():
        with child.upgraded() as one:
            one.sendall(masked(opcode, message))
            assert closed_with(one) == NO_TOKEN, what
    with child.upgraded() as one:
        one.sendall(masked(1, b"\xff\xfe"))
        assert closed_with(one) == 1007, "a text that is none"
    with child.upgraded() as one:
        with contextlib.suppress(OSError):
            one.sendall(masked(1, b"[" * 200_000))
        assert closed_with(one) in (1009, None), "a message that is too long"
    with child.upgraded() as one:
        assert closed_with(one) == NO_TOKEN, "nothing at all"
    unharmed(child, before)


def test_who_has_the_token_cannot_flood_it_either(child: ServeChild) -> None:
    with child.watch() as viewer, child.upgraded(CROWD[0]) as one:
        child.hears_of_a_card(viewer)
        before = child.memory()
        one.sendall(masked(1, json.dumps({"token": TOKEN}).encode()))
        taken = poured([one], masked(9, b"x" * 100) * 100, BIG)
        assert 4096 < taken < BIG, "it takes all, or took nothing"
        child.hears_of_a_card(viewer)
        unharmed(child, before)


@pytest.mark.skipif(not SOAK, reason="it takes 8 s: `make soak` waits for it")
def test_who_watches_for_long_is_not_ended(child: ServeChild) -> None:
    """The times and places of those without the token are none of theirs."""
    with child.watch() as viewer, contextlib.ExitStack() as stack:
        child.hears_of_a_card(viewer)
        time.sleep(6)
        for _ in range(200):
            stack.enter_context(child.visitor())
        for _ in range(3):
            child.hears_of_a_card(viewer)


def certificate(folder: Path) -> tuple[Path, Path]:
    """Write a certificate for 127.0.0.1 and its key."""
    import datetime
    from ipaddress import ip_address

    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec

    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "serve")])
    now = datetime.datetime.now(datetime.UTC)
    made = x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(key.public_key()).serial_number(1)
    made = made.not_valid_before(now - datetime.timedelta(1)).not_valid_after(now + datetime.timedelta(1))
    alternative = x509.SubjectAlternativeName([x509.IPAddress(ip_address("127.0.0.1"))])
    signed = made.add_extension(alternative, critical=False).sign(key, hashes.SHA256())
    cert, private = folder / "cert.pem", folder / "key.pem"
    cert.write_bytes(signed.public_bytes(serialization.Encoding.PEM))
    kinds = (serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    private.write_bytes(key.private_bytes(*kinds))
    return cert, private


@pytest.mark.skipif(not SOAK, reason="it takes 8 s: `make soak` waits for it")
def test_half_handshakes_of_tls_stop_nobody(tmp_path: Path) -> None:
    cert, key = certificate(tmp_path)
    trusting = ssl.create_default_context(cafile=str(cert))
    options = ("--cert", str(cert), "--cert-key", str(key))

    with serve_child(tmp_path, *options, files=256) as child, contextlib.ExitStack() as stack:
        address = f"wss://127.0.0.1:{child.port}/ws/7"

        def watch() -> ClientConnection:
            viewer = stack.enter_context(connect(address, ssl=trusting, open_timeout=20))
            viewer.send(json.dumps({"token": TOKEN}))
            return viewer

        viewer = watch()
        child.hears_of_a_card(viewer)
        before = child.memory()
        begun = [
            b"",
            b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
            b"GET / HTTP/1.1\r\n",
            b"\x16\x03\x01\x40\x00" + b"x" * 9000,
        ]
        for at in range(320):
            one = stack.enter_context(child.visitor(CROWD[at % len(CROWD)]))
            with contextlib.suppress(OSError):
                one.send(begun[at % len(begun)])
        child.hears_of_a_card(viewer)
        child.hears_of_a_card(watch())
        unharmed(child, before)
        until(lambda: child.descriptors() < 40, "the sockets stay open")


def test_who_says_nothing_is_ended(child: ServeChild) -> None:
    """At every step of a connection: none of them has longer than the time that is stated."""
    steps: list[Callable[[socket.socket], object]] = [
        lambda one: None,
        lambda one: one.send(b"G"),
        lambda one: one.send(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n"),
        lambda one: one.send(b"POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 99999\r\n\r\nx"),
        lambda one: one.send(handshake(child.port)[:-2]),
        lambda one: one.send(handshake(child.port) + masked(1, b"{", fin=False)),
    ]
    with contextlib.ExitStack() as stack:
        sockets = [stack.enter_context(child.visitor()) for _ in steps]
        for step, one in zip(steps, sockets, strict=True):
            step(one)
        for one in sockets:
            one.settimeout(15)
            with contextlib.suppress(ConnectionError):
                while one.recv(4096):  # TimeoutError: it stays open
                    pass


def test_a_request_of_one_byte_at_a_time_is_ended(child: ServeChild) -> None:
    with child.visitor() as one:
        ends = time.monotonic() + 20
        one.settimeout(0.2)
        with contextlib.suppress(ConnectionError):
            one.send(b"GET / HTTP/1.1\r\nX: ")
            while time.monotonic() < ends:
                one.send(b"x")
                with contextlib.suppress(TimeoutError):
                    if one.recv(1) == b"":
                        return
            raise AssertionError("it stays open")


# ------------------------------------------------------------------------------------------------------ who asks
def answered(child: ServeChild, request: bytes) -> bytes:
    with child.visitor() as one:
        one.sendall(request)
        one.settimeout(10)
        data = b""
        with contextlib.suppress(ConnectionError):
            while b"\r\n\r\n" not in data and (more := one.recv(4096)):
                data += more
        return data


def test_only_its_own_names_are_answered(tmp_path: Path) -> None:
    """A name of somebody else's that leads here (DNS rebinding) is refused, and so is his page."""
    with serve_child(tmp_path, "--name", "Pit.example") as child:
        port = child.port
        good = (f"127.0.0.1:{port}", "127.0.0.1", "localhost", f"LOCALHOST:{port}", "pit.example", "pit.example:443")
        bad = (
            "evil.example",
            f"evil.example:{port}",
            "127.0.0.1.evil.example",
            "127.0.0.2",
            "",
            "[::1]",
            "a@localhost",
        )
        for host in (*good, *bad):
            page = answered(child, f"GET / HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())
            opened = answered(child, handshake(port, host=host) if host else handshake(port, host=" "))
            if host in good:
                assert page.startswith(b"HTTP/1.1 200") and opened.startswith(b"HTTP/1.1 101"), host
            else:
                assert page.startswith(b"HTTP/1.1 400") and not opened.startswith(b"HTTP/1.1 101"), host
        assert answered(child, b"GET / HTTP/1.0\r\n\r\n").startswith(b"HTTP/1.1 400"), "no name at all"
        for origin, may in (
            (f"http://127.0.0.1:{port}", True),
            ("https://pit.example", True),
            ("http://evil.example", False),
            (f"http://localhost:{port + 1}", False),
            ("null", False),
        ):
            opened = answered(child, handshake(port, more=f"Origin: {origin}"))
            assert opened.startswith(b"HTTP/1.1 101" if may else b"HTTP/1.1 403"), origin
        assert "Traceback" not in child.said() and len(child.said()) < SAID


def test_errors_are_one_line_a_minute(child: ServeChild) -> None:
    """Hundreds of broken connections of each kind: what they cause is told once, and then counted."""
    begun = time.monotonic()
    for at in range(200):
        with contextlib.suppress(OSError), child.visitor(CROWD[at % len(CROWD)]) as one:
            one.sendall(
                [
                    b"\x16\x03\x01\x00\x05hello",
                    b"GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n",
                    b"GET /ws/7 HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n",
                    handshake(child.port) + masked(1, b"\xff"),
                    handshake(child.port) + b"\xff" * 100,
                    b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX: " + b"x" * 9000,
                ][at % 6]
            )
            one.settimeout(0.05)
            with contextlib.suppress(TimeoutError):
                one.recv(4096)
    with child.watch() as viewer:
        child.hears_of_a_card(viewer)
    lines = child.said().splitlines()
    minutes = int(time.monotonic() - begun) // 60
    assert len(lines) <= 2 + minutes and all(line.startswith("shoetool: ") for line in lines), lines


# ------------------------------------------------------------------------------------------------------ its end
def test_it_ends_with_0_at_a_termination_signal(child: ServeChild) -> None:
    with child.watch() as viewer, child.visitor():
        child.hears_of_a_card(viewer)
        child.process.terminate()
        assert child.process.wait(20) == 0
        with pytest.raises(ConnectionClosed) as closed:
            while True:
                viewer.recv(timeout=10)
        assert closed.value.rcvd is not None and closed.value.rcvd.code == 1012
    assert "Traceback" not in child.said()


@pytest.mark.parametrize("configured", [True, False])
def test_only_a_new_token_is_printed(tmp_path: Path, configured: bool) -> None:
    given = "configured-token-1234"
    with serve_child(tmp_path, token=given if configured else None) as child:
        until(lambda: f":{child.port}/" in child.out.read_text(), "the address is not printed")
        printed = child.out.read_text()
        assert given not in printed + child.said()
        if configured:
            assert "#token=TOKEN" in printed
        else:
            token = printed.split("#token=")[1].split()[0]
            with child.watch(token=token) as viewer:
                child.hears_of_a_card(viewer)
