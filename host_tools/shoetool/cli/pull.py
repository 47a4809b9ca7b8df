"""`shoetool pull`: fetch histories off a shoe into files."""

from __future__ import annotations

from pathlib import Path

import click

from shoetool.cli.device import connected, key_option, port_options
from shoetool.cli.examples import examples
from shoetool.cli.exits import say
from shoetool.cli.options import keys_option
from shoetool.cli.output import console, emit, json_option
from shoetool.cli.outputs import OutputFolder, output_option
from shoetool.cli.pulling import choose, compare_with_last, pull_histories, recorded_first
from shoetool.model.file_kinds import HISTORY
from shoetool.model.places import keys_folder
from shoetool.model.printable import clean


@click.command(
    "pull",
    epilog=examples(
        ("pull", "what was not fetched yet"),
        ("pull --all --out histories", "everything in the journal"),
        ("pull --shoe 12 --no-mark", "one history, as a guest"),
    ),
)
@click.option("--all", "everything", is_flag=True, help="Fetch every history, also those that were fetched before.")
@click.option("--shoe", "shoes", type=click.IntRange(min=0), multiple=True, help="Fetch this one; may be repeated.")
@output_option("--out", type=OutputFolder(HISTORY), default=Path(), help="Folder for the *.shoelog files.")
@click.option("--no-mark", is_flag=True, help="Do not tell the shoe that its closed histories were fetched.")
@click.option(
    "--erased", is_flag=True, help="The shoe's flash was erased on purpose: forget what it listed at the last fetch."
)
@keys_option
@key_option
@port_options
@json_option
def command(
    everything: bool,
    shoes: tuple[int, ...],
    out: Path,
    no_mark: bool,
    erased: bool,
    keys: Path | None,
    key_file: Path | None,
    port: str | None,
    record: Path | None,
    as_json: bool,
) -> None:
    """Fetch histories into files named DEVICE-NUMBER.shoelog.

    When a fetch was cut off, run the same command again: it goes on where it stopped. You may fetch an open history
    too, and fetch it again later. The shoe overwrites only histories that were fetched, the oldest closed one first.
    Anybody may fetch. But a provisioned shoe accepts the mark "fetched" only with its key.

    What the shoe lists is compared with what it listed last time. If the shoe was put back to an older state, the
    command says so and exits with code 3. Then nothing is fetched, written or marked.
    """
    with connected(port, record, key_file=key_file) as client:
        device = client.identify().device.hex()
        entries = client.history_list()
        compare_with_last(client, entries, keys_folder(keys), erased)
        chosen = choose(entries, everything, shoes)
        damaged = not no_mark and client.authority.is_damaged()
        mark = not (no_mark or damaged) and (key_file is not None or not client.authority.needs_key())
        chosen = recorded_first(client, entries, chosen)
        pulled = pull_histories(client, chosen, out, mark)
    if not mark and not no_mark and any(entry.closed for entry in chosen):
        why = "the shoe's stored key is damaged" if damaged else "the shoe is provisioned; name its key file with --key"
        say(f"not marked as fetched: {why}")
    if as_json:
        emit("pull", {"device": device, "histories": [one.document() for one in pulled]})
        return
    if not pulled:
        console().print("nothing to fetch: every history was fetched before (see --all)")
    for one in pulled:
        console().print(f"{clean(str(one.path))}  {one.label()}")
