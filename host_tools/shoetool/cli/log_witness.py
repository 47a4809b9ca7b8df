"""`shoetool log witness`: be a witness of logs, and cosign checkpoints that only grew."""

from __future__ import annotations

from pathlib import Path

import click

from shoetool.cli.examples import examples
from shoetool.cli.exits import FINE
from shoetool.cli.log_options import now, read_file, reading, warn_if_open
from shoetool.cli.options import FILE, FILE_OR_NAME, FOLDER, KEY_FILE
from shoetool.model.errors import BadInput
from shoetool.transparency.ask import request_of
from shoetool.transparency.log_folder import LogFolder
from shoetool.transparency.note import COSIGNATURE
from shoetool.transparency.note_key import new_key, read_key, verifier_keys, write_key
from shoetool.transparency.proof import ConsistencyProof, parse_proof
from shoetool.transparency.witness import Witness


@click.command(
    "witness",
    epilog=examples(
        ("log witness --new lab.example/w1 --key w1", "a key"),
        ("log witness shoes --key w1 --vkey vkey > answer", "a log"),
        ("log witness request --key w1 --vkey vkey", "a request"),
    ),
)
@click.argument("source", required=False, type=FILE, metavar="[LOG|REQUEST]")
@click.option("--key", required=True, type=KEY_FILE, metavar="FILE", help="The witness's key file.")
@click.option("--new", metavar="NAME", help="Make the key file for a witness of that name, and print its verifier key.")
@click.option(
    "--vkey",
    type=FILE_OR_NAME,
    multiple=True,
    metavar="VKEY",
    help="Verifier key of a log to cosign, or a file with some.",
)
@click.option(
    "--state", type=FOLDER, metavar="FOLDER", help="What was cosigned last. By default it is KEYFILE.seen, beside it."
)
def command(source: Path | None, key: Path, new: str | None, vkey: tuple[str, ...], state: Path | None) -> int:
    """Cosign a log's checkpoint (cosignature/v1), when the log only grew since this witness cosigned it last.

    The source is a log's folder, or a request for a witness as `log prove --old` writes it (`-` is standard input). The
    cosignature goes to standard output; `log cosign` adds it to the log. What was cosigned is remembered before. When a
    log was put back, or shows two sides different entries, nothing is cosigned (exit code 1).
    """
    if (new is None) == (source is None):
        raise click.UsageError("name a LOG or a REQUEST to cosign, or --new NAME for a key")
    if new is not None:
        if vkey or state is not None:
            raise click.UsageError("--new goes with --key only")
        fresh = new_key(new, COSIGNATURE)
        write_key(key, fresh)
        click.echo(fresh.verifier.text)
        return FINE
    if not vkey:
        raise click.UsageError("name the verifier key of the log with --vkey")
    logs = [one for text in vkey for one in verifier_keys(text)]
    if any(one.witness for one in logs):
        raise BadInput("--vkey takes the key of a log, not that of a witness")
    assert source is not None
    own = read_key(key, COSIGNATURE)
    warn_if_open(key)
    witness = Witness(own, state or key.with_name(f"{key.name}.seen"), logs)
    request = _request(source, witness)
    click.echo(witness.add(request, now(), str(source)).line, nl=False)
    return FINE


def _request(source: Path, witness: Witness) -> ConsistencyProof:
    """Return the request in a file, or the one that a log in a folder is for this witness."""
    if source.is_dir():
        log = LogFolder(source)
        with reading(source) as advance:
            log.read(advance)
        last = witness.last(log.checkpoint.origin)
        return request_of(log, 0 if last is None else min(last.size, log.size))
    proof = parse_proof(read_file(source), str(source))
    if not isinstance(proof, ConsistencyProof):
        raise BadInput(
            f"{source}: is a proof about one shoe; a witness is asked with what shoetool log prove --old writes"
        )
    return proof
