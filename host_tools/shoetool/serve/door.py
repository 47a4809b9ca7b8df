"""The door of the server: who comes in, how many, and how much they may say before they show the token.

`Door` is the socket that listens, and `Visitor` is one connection. Both lie below asyncio, TLS and the web server, so
what they count and end does not depend on how far a connection got in any of these.
"""

from __future__ import annotations

import asyncio
import contextlib
import errno
import gc
import os
import socket
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from ipaddress import IPv6Address, ip_address, ip_network
from typing import Any, Final

from shoetool.model.errors import BadInput

PATIENCE_S: Final = 5.0
"""A connection that has not shown the token by then is ended."""
MOST_BYTES: Final = 4096
"""Nobody sends more in `PATIENCE_S`: there is nothing to send but the token."""
TLS_BYTES: Final = 8192
"""So much more where there is TLS: its handshake, and the frames around what is sent."""
KERNEL_BYTES: Final = 16384
"""So much of a connection waits in the kernel; it would take megabytes."""
BACKLOG: Final = 16
"""So many connections at most are taken in one step of the event loop. The places of those that they end are free after
it."""
_WAITING: Final = 256
"""So many connections wait in the kernel."""
COLLECT: Final = 32
"""After so many connections Python's collector runs. asyncio leaves cycles, with 256 kB each where there is TLS."""
MOST_ANONYMOUS: Final = 64
MOST_KNOWN: Final = 1024
_LEAST: Final = 16
"""With fewer places it does not begin."""
_SPENT: Final = (errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM)
_REST_S: Final = 0.5
_WITHOUT_LIMIT: Final = 4096
_WINDOWS: Final = 512

Address = tuple[str, int]


@dataclass(frozen=True, slots=True)
class Places:
    """How many connections there may be: with the token, without it, and without it from one peer."""

    known: int
    anonymous: int
    peer: int


def places(own: int) -> Places:
    """Return the places that fit into this process's descriptors, `own` of which it needs for itself.

    BadInput when there are too few.
    """
    free = descriptors() - own - BACKLOG
    if free < _LEAST:
        raise BadInput(
            f"this process may open {descriptors()} files, and serve needs {own + BACKLOG + _LEAST}: ulimit -n"
        )
    anonymous = min(MOST_ANONYMOUS, free // 4)
    return Places(min(MOST_KNOWN, free - anonymous), anonymous, anonymous // 2)


def descriptors() -> int:
    """Return how many files this process may open."""
    if sys.platform == "win32":
        return _WINDOWS  # so many its select takes
    import resource

    limit = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    return _WITHOUT_LIMIT if limit == resource.RLIM_INFINITY else min(limit, _WITHOUT_LIMIT)


def peer_of(host: str) -> str:
    """Return who counts as one peer: an IPv4 address, or the network of 64 bits that one IPv6 customer has."""
    try:
        address = ip_address(host.partition("%")[0])
    except ValueError:
        return host
    if isinstance(address, IPv6Address):
        if address.ipv4_mapped is not None:
            return str(address.ipv4_mapped)
        return str(ip_network((address, 64), strict=False))
    return str(address)


class Visitor(socket.socket):
    """One connection. More than its share of bytes is the end of it, as if the other side had gone away."""

    door: Door
    address: Address
    peer: str
    left = 0
    since = 0.0
    timer: asyncio.TimerHandle | None = None

    def recv(self, bufsize: int, flags: int = 0, /) -> bytes:
        """Receive no more than may come; nothing when more comes than that."""
        room = self._room(bufsize)
        data = super().recv(room, flags) if room else b""
        self.left -= len(data)
        return data

    def recv_into(self, buffer: Any, nbytes: int = 0, flags: int = 0, /) -> int:
        """Do the same into a buffer, as asyncio does below TLS."""
        room = self._room(nbytes or len(buffer))
        count = super().recv_into(buffer, room, flags) if room else 0
        self.left -= count
        return count

    def _room(self, wanted: int) -> int:
        now = time.monotonic()
        if now - self.since >= PATIENCE_S:
            self.since, self.left = now, self.door.share
        if self.left <= 0:
            self.door.tell(f"a connection from {self.peer} was ended: it sent more than {self.door.share} bytes")
        return min(wanted, max(self.left, 0))

    def end(self) -> None:
        """End the connection. The event loop sees that the other side is gone, and closes it."""
        with contextlib.suppress(OSError):
            self.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        """Close it, and give its place back."""
        self.door.leave(self)
        super().close()


class Door(socket.socket):
    """The socket that listens. Who comes in has a place among those without the token, until `admit`.

    When these places are taken, the newcomer gets that of the oldest one, of the peer who has most of them. So nobody
    keeps others out by holding places, and who has shown the token keeps his own.
    """

    def __init__(self, listening: socket.socket, numbers: Places, tls: bool, tell: Callable[[str], None]) -> None:
        """Take over a socket that listens. `tell` says what was refused."""
        super().__init__(listening.family, listening.type, listening.proto, listening.detach())
        self.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, KERNEL_BYTES)  # each connection begins with it
        self.places = numbers
        self.share = MOST_BYTES + TLS_BYTES * tls
        self.tell = tell
        self._visitors: dict[Address, Visitor] = {}
        self._anonymous: dict[str, list[Visitor]] = {}
        self._known: set[Visitor] = set()
        self._spare = _nothing()
        self._rests_until = 0.0
        self._closed_ones = 0

    def listen(self, backlog: int = BACKLOG, /) -> None:
        """Let more wait than asyncio asks for, which takes so many at a step."""
        super().listen(_WAITING)

    def accept(self) -> tuple[socket.socket, Any]:
        """Take the next connection in. BlockingIOError when there is none that can be taken."""
        if time.monotonic() < self._rests_until:
            raise BlockingIOError(errno.EAGAIN, "it rests")
        try:
            connection, where = super().accept()
        except OSError as error:
            if error.errno in _SPENT:
                self._turn_away(error)
            raise
        return self._welcome(connection, where), where

    def _welcome(self, connection: socket.socket, where: Any) -> Visitor:
        visitor = Visitor(connection.family, connection.type, connection.proto, connection.detach())
        visitor.door, visitor.address, visitor.peer = self, (str(where[0]), int(where[1])), peer_of(str(where[0]))
        visitor.since, visitor.left = time.monotonic(), self.share
        self._make_room(visitor.peer)
        self._visitors[visitor.address] = visitor
        self._anonymous.setdefault(visitor.peer, []).append(visitor)
        visitor.timer = asyncio.get_running_loop().call_later(PATIENCE_S, visitor.end)
        return visitor

    def _make_room(self, peer: str) -> None:
        own = self._anonymous.get(peer, [])
        if len(own) < self.places.peer:
            if sum(map(len, self._anonymous.values())) < self.places.anonymous:
                return
            own = max(self._anonymous.values(), key=len)
        oldest = own[0]
        self.tell(f"a connection from {oldest.peer} was ended: too many wait without the token")
        self._give_back(oldest)
        oldest.end()

    def _turn_away(self, error: OSError) -> None:
        """Take the connection with the spare descriptor and close it, so that it does not come up for ever."""
        self.tell(f"a connection was turned away: {error.strerror}")
        try:
            os.close(self._spare)
            super().accept()[0].close()
            self._spare = _nothing()
        except BlockingIOError:
            self._spare = _nothing()
            raise
        except OSError:
            self._rests_until = time.monotonic() + _REST_S  # asyncio leaves the door alone for a second at this error
            raise error from None
        raise BlockingIOError(errno.EAGAIN, "turned away")

    def admit(self, address: Address | None, seconds: float | None = None) -> bool:
        """Whether the visitor at an address, who has shown the token, got a place: for `seconds`, or for good."""
        visitor = self._visitors.get((str(address[0]), int(address[1]))) if address else None
        if visitor is None or (visitor not in self._known and len(self._known) >= self.places.known):
            return False
        self._give_back(visitor)
        self._known.add(visitor)
        if seconds is not None:
            visitor.timer = asyncio.get_running_loop().call_later(seconds, visitor.end)
        return True

    def leave(self, visitor: Visitor) -> None:
        """Forget a visitor whose connection is closed."""
        self._give_back(visitor)
        if self._visitors.get(visitor.address) is visitor:
            del self._visitors[visitor.address]
            self._closed_ones += 1
            if self._closed_ones % COLLECT == 0:
                gc.collect()

    def _give_back(self, visitor: Visitor) -> None:
        if visitor.timer is not None:
            visitor.timer.cancel()
            visitor.timer = None
        self._known.discard(visitor)
        waiting = self._anonymous.get(visitor.peer, [])
        if visitor in waiting:
            waiting.remove(visitor)
            if not waiting:
                del self._anonymous[visitor.peer]

    def close(self) -> None:
        """Close it and its spare descriptor."""
        if self._spare >= 0:
            with contextlib.suppress(OSError):
                os.close(self._spare)
            self._spare = -1
        super().close()


def _nothing() -> int:
    return os.open(os.devnull, os.O_RDONLY)  # reads: nothing, a number is kept for later
