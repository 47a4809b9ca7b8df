"""`shoetool provision`: give a shoe its command key and its signing key."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import Final

import click

from shoetool.cli.device import connected, key_option, port_option
from shoetool.cli.examples import examples
from shoetool.cli.exits import say
from shoetool.cli.output import console, emit, json_option, progress
from shoetool.cli.outputs import OutputFile, output_option
from shoetool.client.authority import AuthorityState, CommandKey, fresh_secret
from shoetool.client.client import Client
from shoetool.client.key_file import default_name, read_key, write_new, write_play_key
from shoetool.client.requests import Refused
from shoetool.model.errors import BadInput, DeviceError, LinkError
from shoetool.model.file_kinds import COMMAND_KEY, PLAY_KEY
from shoetool.model.printable import clean
from shoetool.model.protocol_table import Authority

HEIGHTS: Final = {"5": 5, "10": 10, "15": 15}
_LOOK_EVERY_S: Final = 0.5
_STANDSTILL_S: Final = 60.0  # one leaf takes a second or two without a moving card
_KEEP: Final = """\
{file}
Keep two copies of this file, away from the shoe and from each other. Whoever
has it can change this shoe; without it nobody can: a lost key means erasing
the shoe's flash, and with it the key that signs. Write down what names the
key, and compare it whenever you doubt the shoe (shoetool info):

    {fingerprint}
"""


@click.command(
    "provision",
    epilog=examples(
        ("provision", "a new shoe, on the bench"),
        ("provision --key table7.shoekey", "replace its key"),
        ("provision --play-key table7.playkey", "and one for a hybrid table"),
    ),
)
@output_option(
    "--out", type=OutputFile(COMMAND_KEY, resumes=True), help="The key file; DEVICE-FINGERPRINT.shoekey by default."
)
@output_option(
    "--play-key",
    type=OutputFile(PLAY_KEY),
    metavar="FILE",
    help="Write a play key too, for a hybrid table's controller: it can press keys and nothing else.",
)
@click.option(
    "--height",
    type=click.Choice([*HEIGHTS, "keep"]),
    help="Height of the signing key's tree: 10 signs 1024 shoes (the default). `keep` leaves the signing key as it is. "
    "That is the default when a key is replaced.",
)
@click.option("--yes", is_flag=True, help="Ask no questions.")
@key_option
@port_option
@json_option
def command(
    out: Path | None,
    play_key: Path | None,
    height: str | None,
    yes: bool,
    key_file: Path | None,
    port: str | None,
    as_json: bool,
) -> None:
    """Give a shoe the key that its commands need from then on, and let it make its signing key.

    Do it where nobody listens on the line: the first key goes over it in the clear. To replace a key, name its file
    with --key; then the old key hides the new one on the line. There is no --record here, so that no recording holds a
    key.
    """
    if play_key is not None and play_key.exists():
        raise BadInput(f"{play_key}: exists; a key file is never overwritten: name another")
    with connected(port, None, key_file=key_file) as client:
        before = client.authority.state()
        left = None
        if key_file is None:
            left = left_behind(client, out, before)
        else:
            refuse_existing(out)
        if left is not None and left.fingerprint == before.fingerprint:
            key_file = out
            client.authority.key = left
        check_may(client, before, key_file)
        levels = 0 if height == "keep" or (height is None and before.provisioned) else HEIGHTS[height or "10"]
        if left is not None and out is not None and key_file == out:
            say(f"the key in {out} is in force already: a run before this one was broken off")
            key, file, levels = left, out, max(0, before.signing_total.bit_length() - 1)
        else:
            if not yes and not as_json:
                ask(client, before)
            if left is not None and out is not None:
                say(f"the key in {out} was never put in force: a run before this one was broken off; it is replaced")
                out.unlink()
            key, file = agree(client, out)
            put_in_force(client, key, file, levels)
        if not as_json:  # now: the signing key takes a while, and the user must see this even if he interrupts
            tell(key, file)
        if play_key is not None:
            write_play_key(play_key, key)
        if levels:
            watch_signing_key(client, file)
    if as_json:
        body = {"device": key.device.hex(), "fingerprint": key.fingerprint.hex(), "file": str(file)}
        emit("provision", {**body, "play_key": None if play_key is None else str(play_key), "height": levels})
        return
    says = console()
    if play_key is not None:
        says.print(f"{clean(str(play_key))} is for the hybrid table's controller alone.")
    if levels:
        says.print("The shoe has a new signing key: pin its public half now:")
        says.print("  shoetool keys --device --pin" + (" --replace" if before.provisioned else ""))


def refuse_existing(out: Path | None) -> None:
    """Raise BadInput when the file is there: the key that replaces another one gets a file of its own."""
    if out is not None and out.exists():
        raise BadInput(f"{out}: exists; a key file is never overwritten: name another")


def left_behind(client: Client, out: Path | None, state: AuthorityState) -> CommandKey | None:
    """Return the key of a file that a run before left when it was broken off, None when there is no file.

    It is a key of this shoe: the one that is in force, or, at a shoe that is open, one that never was. BadInput when
    the file is anything else, or the shoe is provisioned with another key: the file may hold the only copy of one.
    """
    if out is None or not out.exists():
        return None
    try:
        key: CommandKey | None = read_key(out)
    except BadInput:
        key = None
    device = client.identify().device
    if key is None or key.device != device or (state.provisioned and key.fingerprint != state.fingerprint):
        refuse_existing(out)
    return key


def tell(key: CommandKey, file: Path) -> None:
    """Print that the key is in force, where its file is, and what to do with it."""
    says = console()
    says.print(f"provisioned: commands to shoe {key.device.hex()} need its key from now on")
    says.print(_KEEP.format(file=clean(str(file)), fingerprint=spaced(key.fingerprint)))


def check_may(client: Client, state: AuthorityState, key_file: Path | None) -> None:
    """Raise BadInput when this shoe cannot be provisioned so."""
    name = client.transport.name
    if state.state == Authority.DAMAGED:
        act = "fetch the histories, then erase its flash, see firmware/SECURITY.md"
        raise BadInput(f"{name}: the shoe's stored key is damaged; {act}")
    if state.provisioned and key_file is None:
        raise BadInput(f"{name}: this shoe is provisioned (key {state.fingerprint.hex()}); its key file goes to --key")
    if not state.provisioned and key_file is not None:
        raise BadInput(f"{name}: this shoe is not provisioned and has no key; run without --key")


def ask(client: Client, state: AuthorityState) -> None:
    """Print what is going to happen and ask whether it may. Ends the command when it may not."""
    device = client.identify().device.hex()
    says = console()
    if state.provisioned:
        says.print(f"Shoe {device} gets a new command key in place of {state.fingerprint.hex()}.")
    else:
        says.print(f"Shoe {device} is open: whoever is on its line may change it.")
        says.print("From now on settings, faults, marks of fetched histories, updates and keys over")
        says.print("the wire need a key.")
        says.print("The key goes over this line once. Go on only if nobody else is on the line.")
    try:
        click.confirm("Go on?", abort=True)
    except click.Abort:
        click.echo(err=True)  # without an answer the line of the question is still open
        say("not provisioned, nothing was changed (--yes asks nothing)")
        raise


def agree(client: Client, out: Path | None) -> tuple[CommandKey, Path]:
    """Agree on a key with the shoe and keep it; nothing is in force yet."""
    key = client.authority.offer(fresh_secret())
    file = out or default_name(key)
    write_new(file, key)
    return key, file


def put_in_force(client: Client, key: CommandKey, file: Path, height: int) -> None:
    """Put the key in force. Remove its file when the shoe refuses. When the line fails, ask whether it is in force."""
    try:
        client.authority.provision(key, height)
    except Refused:
        file.unlink()
        raise
    except KeyboardInterrupt:
        say(f"interrupted; {file} may be in force: {_until(key)}")
        raise
    except LinkError as error:
        with contextlib.suppress(LinkError):
            if client.authority.state().fingerprint == key.fingerprint:
                client.authority.key = key
                return
        raise LinkError(f"{error}; {file} may be in force: {_until(key)}") from error
    client.authority.key = key


def _until(key: CommandKey) -> str:
    return f"keep it until shoetool info names another key than {key.fingerprint.hex()}"


def watch_signing_key(client: Client, file: Path) -> None:
    """Show how far the shoe is with its signing key until it is made. After Ctrl-C the shoe goes on alone.

    DeviceError when the shoe makes no progress for a minute.
    """
    line, most = client.transport, -1
    try:
        with progress("signing key", "leaves") as advance:
            while (state := client.authority.state()).signing_total:
                if state.signing_done > most:
                    most, moved_at = state.signing_done, line.now()
                elif line.now() - moved_at > _STANDSTILL_S:
                    raise DeviceError(
                        f"{line.name}: the shoe is provisioned (its key is in {file}), but its signing key stands at "
                        f"{most} of {state.signing_total} leaves; restart it, and look with: shoetool keys --device"
                    )
                advance(state.signing_done, state.signing_total)
                line.sleep(_LOOK_EVERY_S)
    except KeyboardInterrupt:
        say("interrupted; the shoe is provisioned and goes on making its signing key: shoetool keys --device")
        raise


def spaced(fingerprint: bytes) -> str:
    """Return a fingerprint in groups of four digits, to be read aloud."""
    text = fingerprint.hex()
    return " ".join(text[at : at + 4] for at in range(0, len(text), 4))
