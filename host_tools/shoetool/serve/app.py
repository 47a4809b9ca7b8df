"""The web side: a page for browsers, tables as JSON, and a WebSocket for each who watches and knows the token."""

from __future__ import annotations

import asyncio
import contextlib
import hmac
import json
from base64 import b64encode
from collections.abc import AsyncIterator, Callable
from hashlib import sha256
from importlib import resources
from typing import Any, Final

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from shoetool.serve.hub import Hub, Watcher

TOKEN_S: Final = 4.0
"""A WebSocket that has not sent its token by then is closed, before the door ends the connection without a word."""
SEND_S: Final = 20.0
"""A WebSocket that takes no message for so long is closed."""
NO_TOKEN: Final = 4401
NO_TABLE: Final = 4404
TOO_MANY: Final = 1013
Started = Callable[[], contextlib.AbstractAsyncContextManager[None]]
Admit = Callable[[Any, float | None], bool]
"""Gives a place to the address of somebody who has shown the token, for so many seconds or for good; see `Door`."""


class Web:
    """The application over a hub. token: what everybody who watches must know."""

    def __init__(self, hub: Hub, token: str, started: Started, admit: Admit = lambda address, seconds: True) -> None:
        self._hub = hub
        self._token = token.encode()
        self._admit = admit
        page, self._headers = _page()
        self._page = page

        @contextlib.asynccontextmanager
        async def life(app: Starlette) -> AsyncIterator[None]:
            async with started():
                yield

        self.app = Starlette(
            routes=[
                Route("/", self._index),
                Route("/api/tables", self._tables),
                Route("/api/tables/{name}", self._table),
                WebSocketRoute("/ws", self._list),
                WebSocketRoute("/ws/{name}", self._watched),
            ],
            lifespan=life,
        )

    def _knows(self, token: object) -> bool:
        return isinstance(token, str) and token.isascii() and hmac.compare_digest(token.encode(), self._token)

    async def _index(self, request: Request) -> Response:
        """The page. It holds no table: it asks for them with the token that stands behind the # of its address."""
        return HTMLResponse(self._page, headers=self._headers)

    async def _tables(self, request: Request) -> Response:
        return self._answer(request, lambda: self._hub.listing())

    async def _table(self, request: Request) -> Response:
        name = request.path_params["name"]
        return self._answer(request, lambda: self._hub.tables[name].message() if name in self._hub.tables else None)

    def _answer(self, request: Request, body: Callable[[], Any]) -> Response:
        kind, _, token = request.headers.get("authorization", "").partition(" ")
        if kind.lower() != "bearer" or not self._knows(token.strip()):
            told = {"error": "send the token: Authorization: Bearer TOKEN"}
            return JSONResponse(told, 401, {"WWW-Authenticate": "Bearer"})
        if not self._admit(request.client, SEND_S):
            return JSONResponse({"error": "too many watch"}, 503)
        found = body()
        if found is None:
            return JSONResponse({"error": f"there is no such table; there are {', '.join(self._hub.tables)}"}, 404)
        return JSONResponse(found, headers={"Cache-Control": "no-store"})

    async def _list(self, socket: WebSocket) -> None:
        await self._serve(socket, None)

    async def _watched(self, socket: WebSocket) -> None:
        await self._serve(socket, socket.path_params["name"])

    async def _serve(self, socket: WebSocket, name: str | None) -> None:
        """Take the token as the first message, then send messages until one side goes away."""
        watches = False
        with contextlib.suppress(RuntimeError, WebSocketDisconnect):  # it goes away meanwhile
            watches = await self._let_in(socket, name)
        if watches:
            await self._tell(socket, name)

    async def _let_in(self, socket: WebSocket, name: str | None) -> bool:
        """Whether it sent the token and may watch; else it is closed."""
        await socket.accept()
        if not self._knows(await _first(socket)):
            await socket.close(NO_TOKEN, 'send the token as the first message: {"token": "..."}')
        elif name is not None and name not in self._hub.tables:
            await socket.close(NO_TABLE, "there is no such table")
        elif not self._admit(socket.client, None):
            await socket.close(TOO_MANY, "too many watch")
        else:
            return True
        return False

    async def _tell(self, socket: WebSocket, name: str | None) -> None:
        watcher = self._hub.watch(name)
        sending = asyncio.create_task(_send(socket, watcher))
        try:
            while not sending.done():
                await socket.receive()  # nothing is asked for; this notices that it goes away
        except (RuntimeError, WebSocketDisconnect):
            pass
        finally:
            self._hub.leave(watcher)
            sending.cancel()
            with contextlib.suppress(asyncio.CancelledError, Exception):
                await sending


async def _first(socket: WebSocket) -> object:
    """Return the token of the first message; None when it comes too late, or has none."""
    try:
        told = json.loads(await asyncio.wait_for(socket.receive_text(), TOKEN_S))
    except (TimeoutError, ValueError, KeyError, RecursionError):  # KeyError: bytes in place of a text
        return None
    return told.get("token") if isinstance(told, dict) else None


async def _send(socket: WebSocket, watcher: Watcher) -> None:
    """Send what comes. A watcher that takes nothing for `SEND_S` is let go."""
    try:
        while True:
            message = await watcher.next()
            await asyncio.wait_for(socket.send_json(message), SEND_S)
    except TimeoutError:
        with contextlib.suppress(Exception):
            await asyncio.wait_for(socket.close(1008, "too slow"), 1)


def _page() -> tuple[str, dict[str, str]]:
    """The page, and headers that allow its own script and style alone."""
    templates = Environment(
        loader=PackageLoader("shoetool.serve"), autoescape=True, undefined=StrictUndefined, trim_blocks=True
    )
    script = resources.files("shoetool.serve").joinpath("templates", "live.js").read_text(encoding="utf-8")
    shared = resources.files("shoetool.case").joinpath("templates", "page.css").read_text(encoding="utf-8")
    own = resources.files("shoetool.serve").joinpath("templates", "live.css").read_text(encoding="utf-8")
    page = templates.get_template("live.html").render(script=Markup(script), style=Markup(shared + own))
    allowed = f"'sha256-{b64encode(sha256(script.encode()).digest()).decode()}'"
    policy = f"default-src 'none'; style-src 'unsafe-inline'; script-src {allowed}; connect-src 'self'"
    return page, {
        "Content-Security-Policy": f"{policy}; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
        "Referrer-Policy": "no-referrer",
        "X-Content-Type-Options": "nosniff",
        "Cache-Control": "no-store",
    }
