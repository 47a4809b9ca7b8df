"""`shoetool serve`: one process owns the lines of shoes, and many watch them."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import ipaddress
import os
import re
import secrets
import socket
import ssl
from collections.abc import AsyncIterator, Mapping
from functools import partial
from pathlib import Path
from typing import Final

import click

from shoetool.cli.device import PORT_VARIABLE, no_shoe, open_client, open_key, scan
from shoetool.cli.examples import examples
from shoetool.cli.exits import FINE, say
from shoetool.cli.options import FILE
from shoetool.cli.output import console
from shoetool.cli.port_search import ports_option
from shoetool.client.authority import CommandKey
from shoetool.client.client import Client
from shoetool.model.errors import BadInput, LinkError
from shoetool.model.input_file import read_input
from shoetool.model.printable import clean
from shoetool.model.text_file import read_text

TOKEN_VARIABLE: Final = "SHOETOOL_TOKEN"
LEAST_TOKEN: Final = 16
LINE_ENDS_S: Final = 2.0
"""So long may the line of a table take to close its port when `serve` ends."""
OWN_FILES: Final = 48
FILES_OF_A_LINE: Final = 8
FILES_OF_A_WEBHOOK: Final = 4
_LISTEN: Final = "127.0.0.1:8633"
_LARGEST_PEM: Final = 1 << 20
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
@click.option("--name", "names", multiple=True, help="Answer under this name too, as behind a proxy; may be repeated.")
@click.option(
    "--key",
    "key_files",
    type=FILE,
    multiple=True,
    metavar="FILE",
    help="The command key of a shoe, with which it takes this computer's time; may be repeated.",
)
@click.option("--webhook", "webhooks", multiple=True, metavar="URL", help="Post alerts here; may be repeated.")
@click.option(
    "--webhook-key-file",
    type=FILE,
    metavar="FILE",
    help="The key that signs alerts (whsec_...). By default one that follows from the token.",
)
@ports_option
def command(
    named: tuple[str, ...],
    listen: str,
    names: tuple[str, ...],
    cert: Path | None,
    cert_key: Path | None,
    without_tls: bool,
    token_file: Path | None,
    key_files: tuple[Path, ...],
    webhooks: tuple[str, ...],
    webhook_key_file: Path | None,
) -> int:
    """Serve the live tables: a page for browsers, WebSockets and JSON for programs, webhooks for alerts.

    It owns the lines of the shoes; whoever watches holds up nobody. It listens on this machine alone unless --listen
    says otherwise, and then with TLS. Who watches needs the token; the printed address holds it when it is a new one.
    LIVE.md has the messages. Ctrl-C or a termination signal ends it.
    """
    import uvicorn  # noqa: F401  # the first that is missing without the extra `serve`

    from shoetool.serve.alert_key import derived_key, read_alert_key
    from shoetool.serve.alerts import Alerts
    from shoetool.serve.door import Door, places
    from shoetool.serve.hub import Hub, Table
    from shoetool.serve.line import Line
    from shoetool.serve.quiet import Quiet
    from shoetool.serve.server import run, server
    from shoetool.serve.table_port import TablePort

    host, port = address(listen)
    if (cert is None) != (cert_key is None):
        raise click.UsageError("--cert and --cert-key go together")
    if not of_this_machine(host) and cert is None and not without_tls:
        raise BadInput(f"{listen} is reached from other machines: give --cert and --cert-key, or add --without-tls")
    verify_certificate(cert, cert_key)
    token = given_token(token_file)
    shown_token = "TOKEN"
    if token is None:
        token = shown_token = secrets.token_urlsafe(24)
    key = derived_key(token) if webhook_key_file is None else read_alert_key(webhook_key_file)
    keys = {key.device: key for key in map(open_key, key_files)}
    ports = tables_of(named)
    hub = Hub({name: Table(name, port=where) for name, where in ports.items()})
    alerts = Alerts(webhooks, key, say)
    hub.on_record = alerts.take

    @contextlib.asynccontextmanager
    async def running() -> AsyncIterator[None]:
        loop = asyncio.get_running_loop()
        posting = asyncio.create_task(alerts.run())
        opening = partial(open_with_key, keys)
        lines = [Line(hub, loop, name, TablePort(where, opening)) for name, where in ports.items()]
        for line in lines:
            line.start()
        try:
            yield
        finally:
            for line in lines:
                line.stop()
            await asyncio.gather(*(asyncio.to_thread(line.join, LINE_ENDS_S) for line in lines))
            posting.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await posting

    quiet = Quiet(say)
    numbers = places(OWN_FILES + FILES_OF_A_LINE * len(ports) + FILES_OF_A_WEBHOOK * len(webhooks))
    with Door(listening(host, port), numbers, cert is not None, quiet.tell) as door:
        web = server(hub, token, door, running, quiet, (host, *names), cert, cert_key)
        shown = f"[{host}]" if ":" in host else host
        out = console()
        for name, where in ports.items():
            out.print(f"table {clean(name)}: {clean(where)}")
        out.print(f"{'http' if cert is None else 'https'}://{shown}:{port}/#token={shown_token}")
        gc.freeze()  # what is loaded stays; the door collects what connections leave
        run(web, door, quiet)
    return FINE


def open_with_key(keys: Mapping[bytes, CommandKey], port: str) -> Client:
    """Open a port, with the command key of the shoe that is there, if it is among these."""
    client = open_client(port)
    client.authority.key = keys.get(client.identify().device)
    return client


def listening(host: str, port: int) -> socket.socket:
    """A socket that listens there. BadInput when that cannot be."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family)
    except OSError as error:
        raise BadInput(f"{host}:{port}: cannot be listened on: {error.strerror or error}") from None


def verify_certificate(cert: Path | None, key: Path | None) -> None:
    """BadInput when certificate and key cannot be read, or do not belong together."""
    if cert is None or key is None:
        return
    for path in (cert, key):
        read_input(path, "a certificate or its key (PEM)", _LARGEST_PEM)
    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(cert, key)  # reads: `ssl` takes names; see above
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


def given_token(path: Path | None) -> str | None:
    """The token from a file or from the environment; None without one. BadInput for one that can be guessed."""
    given = read_text(path, 4096, "a token is one short line").strip() if path else os.environ.get(TOKEN_VARIABLE)
    if given is None:
        return None
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
