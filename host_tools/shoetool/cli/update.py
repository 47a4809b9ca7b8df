"""`shoetool update`: announce new firmware to a shoe before it is copied there."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import click

from shoetool.cli.device import connected, key_option, port_options
from shoetool.cli.examples import examples
from shoetool.cli.options import FILE
from shoetool.cli.output import console, emit, json_option
from shoetool.client.firmware_digest import firmware_digest, firmware_files
from shoetool.flash.device_files import find
from shoetool.model.errors import BadInput
from shoetool.report.sentences import many

_VERSION: Final = re.compile(r"(\d{1,3})\.(\d{1,3})\.(\d{1,3})", re.ASCII)


@click.command(
    "update",
    epilog=examples(
        ("update --key table7.shoekey", "what `shoetool flash` would copy"),
        ("update main.py shoe virtual --to 0.2.0 --key table7.shoekey", ""),
    ),
)
@click.argument("files", nargs=-1, metavar="[FILE|FOLDER]...", type=FILE)
@click.option("--to", "version", metavar="X.Y.Z", help="The version of these files.")
@click.option("--dry-run", is_flag=True, help="Print the digest, send nothing.")
@key_option
@port_options
@json_option
def command(
    files: tuple[Path, ...],
    version: str | None,
    dry_run: bool,
    key_file: Path | None,
    port: str | None,
    record: Path | None,
    as_json: bool,
) -> None:
    """Send a shoe the SHA-256 of its new firmware. At each start the shoe compares it with its own files.

    Without FILE, the command announces the files that `shoetool flash` copies. Else name the files as they lie on the
    shoe: main.py and the folders of its packages. Then copy them and restart the shoe. When its files are neither the
    old nor the announced ones, the shoe stops with the fault `firmware`.
    """
    if files:
        if version is None:
            raise click.UsageError("Missing option '--to'.")
        named = firmware_files(files)
        count, digest = len(named), firmware_digest(named)
    else:
        carried = find()
        count, digest = len(carried.root) + len(carried.slot), bytes.fromhex(carried.digest)
        version = version or carried.version
    numbers = parse_version(version)
    if not dry_run:
        with connected(port, record, key_file=key_file) as client:
            open_shoe = not client.authority.needs_key()
            client.authority.announce(numbers, digest)
    if as_json:
        body = {"digest": digest.hex(), "firmware": version, "files": count, "announced": not dry_run}
        emit("update", body)
        return
    says = console()
    says.print(f"SHA-256 over {many(count, 'file')}:")
    says.print(f"  {digest.hex()}")
    if dry_run:
        says.print("dry run: nothing was sent")
    elif open_shoe:
        says.print("recorded; the shoe is not provisioned, so it does not compare the firmware")
    else:
        says.print("announced: copy the files and restart the shoe; it stops when it finds others")


def parse_version(text: str) -> tuple[int, int, int]:
    """Return the three numbers of a version. BadInput when it is no version."""
    found = _VERSION.fullmatch(text)
    if found is None or any(int(part) > 255 for part in found.groups()):
        raise BadInput(f"{text!r} is not a version: three numbers up to 255, such as 0.2.0")
    major, minor, patch = (int(part) for part in found.groups())
    return major, minor, patch
