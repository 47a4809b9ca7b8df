"""`shoetool serve`: one process owns the lines of shoes, and many watch them."""

from __future__ import annotations

import asyncio
import contextlib
import ipaddress
import os
import re
import secrets
import socket
import ssl
from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path
from typing import Final

import click

from shoetool.cli.device import PORT_VARIABLE, no_shoe, open_client, scan
from shoetool.cli.examples import examples
from shoetool.cli.exits import FINE, say
from shoetool.cli.options import FILE
from shoetool.cli.output import console
from shoetool.model.errors import BadInput, LinkError
from shoetool.model.printable import clean
from shoetool.model.text_file import read_text

TOKEN_VARIABLE: Final = "SHOETOOL_TOKEN"
LEAST_TOKEN: Final = 16
_LISTEN: Final = "127.0.0.1:8633"
_TABLE: Final = re.compile(r"[^\s/#?%]{1,60}")


@click.command(
    "serve",
    epilog=examples(
        ("serve", "shoes that are found"),
        ("serve --table 7=/dev/ttyUSB0 --table 8=/dev/ttyUSB1", ""),
        ("serve --listen 0.0.0.0:8633 --cert c --cert-key k", ""),
    ),
)
@click.option(
    "--table",
    "named",
    multiple=True,
    metavar="NAME=PORT",
    help="A table and the port of its shoe; may be repeated. By default every shoe that is found.",
)
@click.option("--listen", default=_LISTEN, show_default=True, metavar="HOST:PORT", help="Where to listen.")
@click.option("--cert", type=FILE, metavar="FILE", help="TLS certificate chain (PEM).")
@click.option("--cert-key", type=FILE, metavar="FILE", help="Its private key (PEM).")
@click.option("--without-tls", is_flag=True, help="Listen beyond this machine without TLS all the same.")
@click.option(
    "--token-file",
    type=FILE,
    metavar="FILE",
    help=f"The token that who watches must know. By default ${TOKEN_VARIABLE}, else a new one.",
)
@click.option("--webhook", "webhooks", multiple=True, metavar="URL", help="Post alerts here; may be repeated.")
def command(
    named: tuple[str, ...],
    listen: str,
    cert: Path | None,
    cert_key: Path | None,
    without_tls: bool,
    token_file: Path | None,
    webhooks: tuple[str, ...],
) -> int:
    """Serve the live tables: a page for browsers, WebSockets and JSON for programs, webhooks for alerts.

    It owns the lines of the shoes; whoever watches holds up nobody. It listens on this machine alone unless --listen
    says otherwise, and then with TLS. Who watches needs the token, which the printed address holds. LIVE.md has the
    messages. Ctrl-C ends it.
    """
    import uvicorn  # slow to load, and an extra installs it

    from shoetool.serve.alerts import Alerts
    from shoetool.serve.app import Web
    from shoetool.serve.hub import Hub, Table
    from shoetool.serve.line import Line

    host, port = address(listen)
    if (cert is None) != (cert_key is None):
        raise click.UsageError("--cert and --cert-key go together")
    if not of_this_machine(host) and cert is None and not without_tls:
        raise BadInput(f"{listen} is reached from other machines: give --cert and --cert-key, or add --without-tls")
    token = the_token(token_file)
    ports = tables_of(named)
    hub = Hub({name: Table(name, port=where) for name, where in ports.items()})
    alerts = Alerts(webhooks, token.encode(), say)
    hub.on_record = alerts.take

    @contextlib.asynccontextmanager
    async def running() -> AsyncIterator[None]:
        loop = asyncio.get_running_loop()
        posting = asyncio.create_task(alerts.run())
        lines = [Line(hub, loop, name, partial(open_client, where)) for name, where in ports.items()]
        for line in lines:
            line.start()
        try:
            yield
        finally:
            for line in lines:
                line.stop()
            posting.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await posting

    verify_certificate(cert, cert_key)
    with listening(host, port) as bound:
        web = Web(hub, token, running)
        config = uvicorn.Config(
            web.app,
            ssl_certfile=cert,
            ssl_keyfile=cert_key,
            log_level="error",
            access_log=False,
            server_header=False,
            timeout_graceful_shutdown=2,
        )
        shown = f"[{host}]" if ":" in host else host
        out = console()
        for name, where in ports.items():
            out.print(f"table {clean(name)}: {clean(where)}")
        out.print(f"{'http' if cert is None else 'https'}://{shown}:{port}/#token={token}")
        uvicorn.Server(config).run(sockets=[bound])
    return FINE


def listening(host: str, port: int) -> socket.socket:
    """A socket that listens there. BadInput when that cannot be."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, backlog=256)
    except OSError as error:
        raise BadInput(f"{host}:{port}: cannot be listened on: {error.strerror or error}") from None


def verify_certificate(cert: Path | None, key: Path | None) -> None:
    """BadInput when certificate and key cannot be read, or do not belong together."""
    if cert is None or key is None:
        return
    for path in (cert, key):
        if not path.is_file():
            raise BadInput(f"{path}: no such file")
    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(cert, key)
    except (ssl.SSLError, OSError) as error:
        raise BadInput(f"{cert}, {key}: no certificate with its key (PEM): {error}") from None


def address(text: str) -> tuple[str, int]:
    """Read HOST:PORT. BadInput says what may be written."""
    host, _, port = text.rpartition(":")
    host = host.removeprefix("[").removesuffix("]")
    if not host or not (port.isascii() and port.isdigit()) or not 0 < int(port) < 65536:
        raise BadInput(f"--listen {text[:60]!r}: write HOST:PORT, such as {_LISTEN} or [::1]:8633")
    return host, int(port)


def of_this_machine(host: str) -> bool:
    """Whether only this machine reaches an address."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def the_token(path: Path | None) -> str:
    """The token: from a file, from the environment, or a new one. BadInput for one that can be guessed."""
    given = read_text(path, 4096, "a token is one short line").strip() if path else os.environ.get(TOKEN_VARIABLE)
    if given is None:
        return secrets.token_urlsafe(24)
    if len(given) < LEAST_TOKEN or not re.fullmatch(r"[A-Za-z0-9_.~-]+", given):
        where = str(path) if path else f"${TOKEN_VARIABLE}"
        raise BadInput(f"{where}: a token has {LEAST_TOKEN} or more letters, digits, - . _ ~")
    return given


def tables_of(named: tuple[str, ...]) -> dict[str, str]:
    """The port of each table. LinkError when no shoe is found, BadInput for a name that cannot be."""
    found: dict[str, str] = {}
    for text in named:
        name, _, where = text.partition("=")
        if not where or not _TABLE.fullmatch(name):
            raise BadInput(f"--table {text[:60]!r}: write NAME=PORT, such as 7=/dev/ttyUSB0")
        if name in found or where in found.values():
            raise BadInput(f"--table {text[:60]!r}: this name or port stands there twice")
        found[name] = where
    if found:
        return found
    if port := os.environ.get(PORT_VARIABLE):
        return {"table": port}
    seen = scan()
    shoes = [one for one in seen if one.identity is not None]
    if not shoes:
        raise LinkError(no_shoe(seen))
    say(f"{len(shoes)} found; --table NAME=PORT names them")
    return {one.identity.device.hex()[-6:]: one.port for one in shoes if one.identity is not None}
