"""`shoetool log cosign`: ask witnesses over HTTP, or take their answers, and add them to a log's checkpoint."""

from __future__ import annotations

from pathlib import Path

import click

from shoetool.cli.examples import examples
from shoetool.cli.exits import say
from shoetool.cli.log_options import log_argument, now, read_file, reading, witness_option
from shoetool.cli.options import FILE
from shoetool.cli.output import console, emit, json_option
from shoetool.model.printable import clean
from shoetool.transparency.ask import ask, cosignatures
from shoetool.transparency.checked import odd_time, utc
from shoetool.transparency.keeper import add_signatures
from shoetool.transparency.log_folder import LogFolder
from shoetool.transparency.note import time_of
from shoetool.transparency.note_key import witness_keys


@click.command(
    "cosign",
    epilog=examples(
        ("log cosign shoes answer --witness w1", "add an answer"),
        ("log cosign shoes --url https://w1.example --witness w1", "ask"),
    ),
)
@log_argument
@click.argument("answers", nargs=-1, type=FILE, metavar="[ANSWER]...")
@click.option("--url", "urls", multiple=True, metavar="URL", help="Submission prefix of a witness to ask over HTTP.")
@witness_option
@json_option
def command(
    log: Path, answers: tuple[Path, ...], urls: tuple[str, ...], witnesses: tuple[str, ...], as_json: bool
) -> None:
    """Add the cosignatures of witnesses to a log's checkpoint: from their answers in files, or asked over HTTP.

    Only cosignatures by the witnesses that --witness names are added, once they verify. Each append makes a new
    checkpoint, which must be cosigned anew.
    """
    keys = witness_keys(witnesses)
    if not keys:
        raise click.UsageError("name the witnesses with --witness VKEY")
    if not answers and not urls:
        raise click.UsageError("name ANSWER files, or witnesses to ask with --url")
    held = LogFolder(log)
    added = [one for path in answers for one in cosignatures(read_file(path), held.note, keys, str(path))]
    if urls:
        with reading(log) as advance:
            held.read(advance)
        added += [one for url in urls for one in cosignatures(ask(url, held), held.note, keys, url)]
    add_signatures(log, added, held.note.text)
    for one in added:
        if odd := odd_time(time_of(one), now()):
            say(f"{log}: the cosignature of {one.name} will not count: {odd}")
    if as_json:
        emit("log", {
            "command": "cosign", "log": str(log), "origin": held.checkpoint.origin, "size": held.size,
            "root": held.checkpoint.root.hex(),
            "witnesses": [{"name": one.name, "time": utc(time_of(one))} for one in added],
        })  # fmt: skip
        return
    for one in added:
        console().print(f"{clean(str(log))}: {held.size} entries cosigned by {clean(one.name)} at {utc(time_of(one))}")
