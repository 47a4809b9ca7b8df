"""`shoetool log init`: begin a log with a new key."""

from __future__ import annotations

from pathlib import Path

import click

from shoetool.cli.examples import examples
from shoetool.cli.log_options import log_argument, new_key_option
from shoetool.cli.output import console, emit, json_option
from shoetool.model.printable import clean
from shoetool.transparency.keeper import begin, default_key, signed_note
from shoetool.transparency.note_key import good_name


@click.command("init", epilog=examples("log init shoes --origin casino.example/shoes"))
@log_argument
@click.option("--origin", required=True, metavar="NAME", help="The log's name, such as casino.example/shoes.")
@new_key_option
@json_option
def command(log: Path, origin: str, key: Path | None, as_json: bool) -> None:
    """Begin a log in the new folder LOG, with a new key, and print its verifier key.

    Hand the verifier key to all who will check the log. The name stands in the first line of each checkpoint, and can
    never be changed. No two logs may have the same. The key file is for its keeper alone, and never lies in LOG.
    """
    key_file = key or default_key(log)
    vkey = begin(log, good_name(origin), key_file).verifier.text
    if as_json:
        emit("log", {"command": "init", "log": str(log), "origin": origin, "key": str(key_file), "vkey": vkey})
        return
    out = console()
    out.print(f"{clean(str(log))}: a new log, {clean(origin)}")
    out.print(f"  key {clean(str(key_file))}: keep a copy of it, and of {clean(signed_note(key_file).name)} beside it")
    out.print(f"  verifier key, for everybody: {vkey}")
