"""`shoetool log show`: a log's checkpoint, who signed it, and its entries."""

from __future__ import annotations

from pathlib import Path

import click
from rich.table import Table

from shoetool.cli.examples import examples
from shoetool.cli.exits import FINE
from shoetool.cli.log_options import log_argument, reading
from shoetool.cli.output import console, emit, json_option, print_table
from shoetool.model.errors import BadInput
from shoetool.model.printable import clean
from shoetool.report.sentences import many
from shoetool.transparency.entry import Entry
from shoetool.transparency.findings import DAMAGED, LogFinding, LogWrong
from shoetool.transparency.keeper import default_key
from shoetool.transparency.log_folder import LogFolder
from shoetool.transparency.note import NOTE
from shoetool.transparency.note_key import read_key


@click.command("show", epilog=examples(("log show shoes", "its key and entries")))
@log_argument
@json_option
def command(log: Path, as_json: bool) -> int:
    """Show a log's checkpoint, the names of those who signed it, and its entries. Nothing about a signature is checked.

    The entries are compared with the root hash in the checkpoint. The verifier key is shown where the log's key is.
    """
    held = LogFolder(log)
    rows: list[tuple[int, Entry]] = []
    with reading(log) as advance:
        for place, data in held.load(advance):
            try:
                rows.append((place, Entry.unpack(data)))
            except BadInput as error:
                raise LogWrong(str(log), LogFinding(DAMAGED, f"entry {place}: {error}")) from None
    key_file = default_key(log)
    vkey = read_key(key_file, NOTE).verifier.text if key_file.is_file() else None
    names = [one.name for one in held.note.signatures]
    if as_json:
        emit("log", {
            "command": "show", "log": str(log), "origin": held.checkpoint.origin, "size": held.size,
            "root": held.checkpoint.root.hex(), "vkey": vkey, "signatures": names,
            "entries": [{"entry": place, **entry.to_json()} for place, entry in rows],
        })  # fmt: skip
        return FINE
    out = console()
    table = Table(box=None, pad_edge=False)
    for title in ("entry", "device", "shoe", "index", "records", "head"):
        table.add_column(title, justify="right" if title in ("entry", "shoe", "index") else "left", no_wrap=True)
    for place, entry in rows:
        said = entry.statement
        records = f"{said.first_record} to {said.last_record}"
        table.add_row(str(place), said.device.hex(), str(said.shoe), str(said.index), records, said.head.hex()[:16])
    if rows:
        print_table(out, table)
    out.print(f"{clean(held.checkpoint.origin)}: {many(held.size, 'shoe')}, root {held.checkpoint.root.hex()[:16]}")
    out.print(f"  says that it is signed by {clean(', '.join(names))}")
    if vkey is not None:
        out.print(f"  verifier key, for everybody: {vkey}")
    return FINE
