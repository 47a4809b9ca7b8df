"""`shoetool log append`: log the signed shoes of histories."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from shoetool.cli.examples import examples
from shoetool.cli.exits import BAD_INPUT, FINDINGS, FINE, say
from shoetool.cli.log_options import key_option, log_argument, read_histories, reading, show_findings, warn_if_open
from shoetool.cli.options import FILE, keys_option
from shoetool.cli.output import console, emit, json_option
from shoetool.model.printable import clean
from shoetool.transparency.entry import Entry
from shoetool.transparency.findings import LogFinding
from shoetool.transparency.keeper import Keeper, alone, default_key
from shoetool.transparency.log_folder import read_note


@click.command(
    "append",
    epilog=examples(
        ("log append shoes histories/*.shoelog", "log a night"),
        ("log append shoes a.shoelog --key /safe/log.key", "key elsewhere"),
    ),
)
@log_argument
@click.argument("histories", nargs=-1, required=True, type=FILE, metavar="HISTORY...")
@key_option
@keys_option
@json_option
def command(log: Path, histories: tuple[Path, ...], key: Path | None, keys: Path | None, as_json: bool) -> int:
    """Append what each closed shoe of the histories signed, and sign a new checkpoint.

    A history is verified first, as `verify` does. One that is not signed, was changed, or is signed by another key than
    the pinned one is refused and named (exit code 1). A shoe that is in the log already stays as it is. Another head
    for the same shoe is refused: somebody exchanged a history, or put a shoe back to an older state (exit code 1). Only
    one process writes to a log at a time. A power cut leaves the log as it was, or with all that was appended.
    """
    read_note(log)
    key_file = key or default_key(log)
    found, code, failed = read_histories(histories, keys)
    refused: list[LogFinding] = []
    files: dict[int, str] = {}
    entries: list[Entry] = []
    for history in found:
        refused += [replace(one, sentence=f"{history.file}: {one.sentence}") for one in history.refused]
        entries += history.entries
        files |= {id(entry): history.file for entry in history.entries}
        for entry in history.unpinned:
            code = BAD_INPUT
            text = f"nobody pinned a key for device {entry.statement.device.hex()}; see shoetool keys --pin"
            failed.append({"file": history.file, "error": text})
            say(f"{history.file}: {entry.shoe} is not logged: {text}")
    with alone(log), reading(log) as advance:
        keeper = Keeper(log, key_file, advance)
        warn_if_open(key_file)
        done = keeper.append(entries)
    refused += [replace(one, sentence=f"{files[id(entry)]}: {one.sentence}") for entry, one in done.refused]
    holes = [
        f"{hole.words} not in the log yet; {hole.between}" for row in keeper.shoes.rows.values() for hole in row.holes()
    ]
    if as_json:
        emit("log", document(log, keeper, done.size, done.root) | {
            "new": [{"file": files[id(entry)], "entry": place, **entry.to_json()} for place, entry in done.new],
            "known": [{"file": files[id(entry)], "entry": place, **entry.to_json()} for place, entry in done.known],
            "findings": [one.to_json() for one in refused],
            "notes": holes,
            "unreadable": failed,
        })  # fmt: skip
    else:
        show_findings(refused, holes)
        out = console()
        for place, entry in done.new:
            out.print(f"  entry {place}: {entry.shoe} ({clean(files[id(entry)])})")
        known = f", {len(done.known)} known before" if done.known else ""
        out.print(f"{clean(str(log))}: {len(done.new)} new{known}, {done.size} in all, root {done.root.hex()[:16]}")
    return max(code, FINDINGS if refused else FINE)


def document(log: Path, keeper: Keeper, size: int, root: bytes) -> dict[str, Any]:
    """Return what every document of an append says, with JSON types only."""
    return {"command": "append", "log": str(log), "origin": keeper.key.name, "size": size, "root": root.hex()}
