"""Finding and opening the shoe that a command talks to."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, TypeVar

import click

from shoetool.cli.exits import say
from shoetool.cli.options import FILE
from shoetool.cli.outputs import OutputFile, output_option
from shoetool.cli.port_search import port_filter, ports_option
from shoetool.client.authority import CommandKey
from shoetool.client.client import Client
from shoetool.client.discovery import Found, discover
from shoetool.client.key_file import KEY_VARIABLE, read_key
from shoetool.flash.boards import in_boot_loader
from shoetool.link.port_names import is_regular
from shoetool.link.ports import RECORDING_SCHEME
from shoetool.link.virtual_ports import announced_ports
from shoetool.model.errors import LinkError
from shoetool.model.file_kinds import RECORDING
from shoetool.model.output_file import check_output, is_private

F = TypeVar("F", bound=Callable[..., Any])
PORT_VARIABLE: Final = "SHOETOOL_PORT"
OnText = Callable[[str, str], None]


def port_option(command: F) -> F:
    """Add --port and --ports to a command that talks to a shoe."""
    port = click.option(
        "--port",
        metavar="PORT",
        envvar=PORT_VARIABLE,
        help="Serial port, pseudo-terminal or recording (*.shoelink). By default, the only shoe that is found.",
    )
    return port(ports_option(command))


def key_option(command: F) -> F:
    """Add --key to a command that a provisioned shoe carries out only with its key."""
    return click.option(
        "--key",
        "key_file",
        type=FILE,
        metavar="FILE",
        envvar=KEY_VARIABLE,
        help="The shoe's key file. A provisioned shoe needs it.",
    )(command)


def port_options(command: F) -> F:
    """Add --port, --ports and --record to a command that talks to a shoe."""
    record = output_option(
        "--record",
        type=OutputFile(RECORDING),
        metavar="FILE",
        help="Record everything that goes over the line in a new *.shoelink file.",
    )
    return port_option(record(command))


@contextmanager
def connected(
    port: str | None, record: Path | None, on_text: OnText | None = None, key_file: Path | None = None
) -> Iterator[Client]:
    """Open the shoe on a port, or the only shoe there is, and close it afterwards. LinkError, DeviceError, BadInput.

    `key_file`: the file with the command key for privileged commands.
    """
    if record is not None:
        check_output(record, RECORDING)
    key = None if key_file is None else open_key(key_file)
    with open_client(port or find_port(), record, on_text) as client:
        client.authority.key = key
        yield client


def open_key(path: Path) -> CommandKey:
    """Read a key file. Warns when other users can read it too. BadInput when it is no key file."""
    key = read_key(path)
    if not is_private(path):
        say(f"{path} can be read by others: chmod 600 it, and provision the shoe anew")
    return key


def open_client(port: str, record: Path | None = None, on_text: OnText | None = None) -> Client:
    """Open a port by name. A regular file is opened as a recording."""
    if "://" not in port and not port.startswith(RECORDING_SCHEME) and is_regular(port):
        port = RECORDING_SCHEME + port
    return Client.open(port, record=record, on_text=on_text)


def find_port() -> str:
    """Return the port of the only shoe on this machine. LinkError when there is none, or more than one."""
    found = scan()
    shoes = [one for one in found if one.identity is not None]
    if len(shoes) == 1:
        return shoes[0].port
    if not shoes:
        raise LinkError(no_shoe(found))
    listed = ", ".join(f"{one.port} ({one.identity.device.hex()})" for one in shoes if one.identity is not None)
    raise LinkError(f"{len(shoes)} shoes are connected: {listed}; choose one with --port")


def no_shoe(found: list[Found]) -> str:
    """Return one line that says why no shoe answered on any of the ports that were tried."""
    waiting = in_boot_loader()
    if not found:
        return f"no shoe answers on any serial port; {waiting or 'plug one in, or name a port with --port'}"
    virtual = announced_ports()
    for one in sorted(found, key=lambda one: one.port not in virtual):
        if one.busy:
            what = "the shoe on " if one.port in virtual else "no shoe answers; "
            return f"{what}{one.port}: {one.problem}; end that one first"
    if waiting:
        return f"no shoe answers; {waiting}"
    if len(found) == 1 and found[0].problem:
        return f"no shoe answers on {found[0].port}, the only serial port: {found[0].problem}"
    ports = f"{len(found)} serial port{'s' if len(found) != 1 else ''}"
    return f"no shoe answers on {ports} (see shoetool devices --all); plug one in, or name a port with --port"


def scan(on_port: Callable[[str], None] | None = None) -> list[Found]:
    """Ask every serial port and every virtual shoe that announces itself for its identity, as far as --ports allows."""
    return discover(announced_ports(), only=port_filter(), on_port=on_port, on_problem=say)
