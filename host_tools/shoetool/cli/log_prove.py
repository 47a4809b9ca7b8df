"""`shoetool log prove`: a proof that a shoe is in the log, or that the log only grew."""

from __future__ import annotations

from pathlib import Path

import click

from shoetool.cli.examples import examples
from shoetool.cli.log_options import log_argument, read_file, reading
from shoetool.cli.options import FILE, keys_option
from shoetool.cli.outputs import OutputFile, output_option
from shoetool.model.errors import BadInput
from shoetool.model.file_kinds import PROOF, REQUEST
from shoetool.model.output_file import write_whole
from shoetool.transparency.ask import request_of
from shoetool.transparency.checkpoint import Checkpoint
from shoetool.transparency.entry import Entry
from shoetool.transparency.findings import FORK, NOT_LOGGED, LogFinding, LogWrong
from shoetool.transparency.log_folder import LogFolder
from shoetool.transparency.proof import InclusionProof, checkpoint_in
from shoetool.transparency.submitted import submitted
from shoetool.trust.pins import PinStore


@click.command(
    "prove",
    epilog=examples(
        ("log prove shoes a.shoelog > a.proof", "that it is logged"),
        ("log prove shoes --since old > grown", "that it only grew"),
        ("log prove shoes --old 0 > request", "for a witness"),
    ),
)
@log_argument
@click.argument("history", required=False, type=FILE)
@click.option("--shoe", type=click.IntRange(min=0), metavar="N", help="Which shoe, when HISTORY holds several.")
@click.option("--since", type=FILE, metavar="FILE", help="Prove that the log grew from the checkpoint in FILE.")
@click.option("--old", type=click.IntRange(min=0), metavar="SIZE", help="As --since, from a number of entries.")
@output_option(
    "--out", type=OutputFile(PROOF, REQUEST), metavar="FILE", help="Write to FILE in place of standard output."
)
@keys_option
def command(
    log: Path,
    history: Path | None,
    shoe: int | None,
    since: Path | None,
    old: int | None,
    out: Path | None,
    keys: Path | None,
) -> None:
    """Write a proof, which anybody can check offline and without the log: `shoetool log check --proof`.

    With HISTORY, the proof shows that what its shoe signed is in the log (c2sp.org/tlog-proof). With --since or --old,
    it shows that nothing before was changed or taken out. That is also the request that a witness is sent
    (c2sp.org/tlog-witness): --old is the size that it cosigned last, 0 at first.
    """
    if sum(one is not None for one in (history, since, old)) != 1:
        raise click.UsageError("name one of HISTORY, --since FILE and --old SIZE")
    if shoe is not None and history is None:
        raise click.UsageError("--shoe goes with HISTORY")
    held = LogFolder(log)
    if history is None:
        with reading(log) as advance:
            held.read(advance)
        proof = request_of(held, _size(since, held) if old is None else old).pack()
    else:
        proof = _inclusion(held, log, history, shoe, keys).pack()
    if out is None:
        click.echo(proof, nl=False)
    else:
        write_whole(out, proof, REQUEST if history is None else PROOF)


def _size(since: Path | None, held: LogFolder) -> int:
    assert since is not None
    older = Checkpoint.parse(checkpoint_in(read_file(since), str(since)).text, str(since))
    if older.origin != held.checkpoint.origin:
        raise BadInput(f"{since}: is a checkpoint of {older.origin}, not of {held.checkpoint.origin}")
    return older.size


def _inclusion(held: LogFolder, log: Path, history: Path, shoe: int | None, keys: Path | None) -> InclusionProof:
    found = submitted(history, PinStore(keys))
    entries = [one for one in (*found.entries, *found.unpinned) if shoe is None or one.statement.shoe == shoe]
    if not entries and found.refused:
        raise LogWrong(str(history), found.refused[0])
    if len(entries) != 1:
        there = ", ".join(str(one.statement.shoe) for one in (*found.entries, *found.unpinned))
        raise BadInput(f"{history}: holds the signed shoes {there}; name one of them with --shoe")
    (entry,) = entries
    said, other = entry.statement, None
    packed, at = entry.pack(), None
    with reading(log) as advance:
        for place, data in held.load(advance):
            if data == packed:
                at = place
            elif _is_shoe(data, said.device, said.shoe):
                other = place
    if at is not None:
        return InclusionProof(at, tuple(held.tree.inclusion(at)), held.note, packed)
    if other is not None:
        text = f"{entry.shoe} is entry {other} with another head than {said.head.hex()[:16]}; see shoetool log check"
        raise LogWrong(str(history), LogFinding(FORK, text))
    raise LogWrong(str(history), LogFinding(NOT_LOGGED, f"{entry.shoe} is not in the log; see shoetool log append"))


def _is_shoe(data: bytes, device: bytes, shoe: int) -> bool:
    try:
        said = Entry.unpack(data).statement
    except BadInput:
        return False
    return (said.device, said.shoe) == (device, shoe)
