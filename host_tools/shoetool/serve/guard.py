"""Refuses a request under a name that is not this server's, and one from another site's page."""

from __future__ import annotations

from collections.abc import Callable
from ipaddress import ip_address
from urllib.parse import SplitResult, urlsplit

from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send


class Guard:
    """Stands before the application. A name of somebody else's that leads here (DNS rebinding) gets no answer.

    The server's names are the address that the connection came to, `localhost` on the loopback, and `names`. Each
    answer ends its connection, since a place at the door is worth more than a handshake.
    """

    def __init__(self, app: ASGIApp, names: tuple[str, ...], tell: Callable[[str], None]) -> None:
        """Guard `app`. `tell` says what was refused."""
        self._app = app
        self._names = {_plain(name) for name in names}
        self._tell = tell

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or refuse it."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        status, why = self._wrong(headers, str((scope.get("server") or ("",))[0]))
        if scope["type"] == "websocket":
            if why:
                await send({"type": "websocket.close", "code": 1008, "reason": why})
            else:
                await self._app(scope, receive, send)
        elif why:
            await PlainTextResponse(why, status)(scope, receive, _ends(send))
        else:
            await self._app(scope, receive, _ends(send))
        if why:
            self._tell(f"a request was refused: {why}")

    def _wrong(self, headers: Headers, server: str) -> tuple[int, str]:
        hosts, origins = headers.getlist("host"), headers.getlist("origin")
        host = _site(f"//{hosts[0]}") if len(hosts) == 1 else None
        if host is None or not self._own(host, server):
            return 400, "its Host is no name of this server; --name adds one"
        if origins:
            origin = _site(origins[0]) if len(origins) == 1 else None
            if origin is None or (origin.netloc.lower() != host.netloc.lower() and not self._named(origin)):
                return 403, "its Origin is another site"
        return 200, ""

    def _own(self, host: SplitResult, server: str) -> bool:
        name = _plain(host.hostname or "")
        return name == _plain(server) or self._named(host) or (name == "localhost" and _is_loopback(server))

    def _named(self, site: SplitResult) -> bool:
        return _plain(site.hostname or "") in self._names


def _site(text: str) -> SplitResult | None:
    """Return the parts of an address that has a name, and a port at most; None for another text."""
    try:
        found = urlsplit(text)
        if not found.hostname or found.port == 0 or "@" in found.netloc or found.path or found.query or found.fragment:
            return None
    except ValueError:
        return None
    return found


def _plain(name: str) -> str:
    """Return a name or an address in the one way in which they are compared."""
    try:
        return str(ip_address(name))
    except ValueError:
        return name.lower()


def _is_loopback(server: str) -> bool:
    try:
        return ip_address(server).is_loopback
    except ValueError:
        return False


def _ends(send: Send) -> Send:
    """Return a `send` whose answers end the connection."""

    async def ending(message: Message) -> None:
        if message["type"] == "http.response.start":
            message = {**message, "headers": [*message.get("headers", ()), (b"connection", b"close")]}
        await send(message)

    return ending
