"""`shoetool log check`: check a log, or one proof, offline."""

from __future__ import annotations

from pathlib import Path

import click

from shoetool.cli.examples import examples
from shoetool.cli.exits import FINDINGS, FINE
from shoetool.cli.log_options import (
    known_keys,
    now,
    older_notes,
    read_file,
    read_histories,
    reading,
    show_findings,
    trust_options,
    trusted,
)
from shoetool.cli.options import FILE, keys_option
from shoetool.cli.output import console, emit, json_option
from shoetool.model.printable import clean
from shoetool.report.findings import verdict_line
from shoetool.report.sentences import many
from shoetool.transparency.check import LogCheck
from shoetool.transparency.check_proof import check_proof
from shoetool.transparency.checked import Checked
from shoetool.transparency.checkpoint import Checkpoint


@click.command(
    "check",
    epilog=examples(
        ("log check shoes --vkey vkey", "a log"),
        ("log check shoes --vkey vkey a.shoelog", "is it in it?"),
        ("log check shoes --vkey vkey --since old", "only grown?"),
        ("log check --proof a.proof --vkey vkey a.shoelog", "a proof"),
    ),
)
@click.argument("paths", nargs=-1, type=FILE, metavar="[LOG] [HISTORY]...")
@click.option("--proof", type=FILE, metavar="FILE", help="Check this proof, without the log.")
@trust_options
@click.option("--since", multiple=True, type=FILE, metavar="FILE", help="An earlier checkpoint, or a proof with one.")
@click.option(
    "--new-only", is_flag=True, help="Do not verify again what shoes signed before the checkpoint of --since."
)
@keys_option
@click.option(
    "--former-key",
    "former",
    multiple=True,
    type=FILE,
    metavar="FILE",
    help="A key of a device from before it was provisioned anew, as keys --export wrote it.",
)
@json_option
def command(
    paths: tuple[Path, ...],
    proof: Path | None,
    vkey: str | None,
    witnesses: tuple[str, ...],
    quorum: int | None,
    since: tuple[Path, ...],
    new_only: bool,
    keys: Path | None,
    former: tuple[Path, ...],
    as_json: bool,
) -> int:
    """Check a log offline: every entry and signature, the tree, the tiles, who signed the checkpoint, and the shoes.

    A shoe that is missing between two others is named, and so are two heads for one shoe and an index that was used
    twice. Each HISTORY must be in the log. With --since, the log must have grown from an earlier checkpoint. It is
    called verified only when --vkey signed the checkpoint, the keys of all shoes are pinned, and each HISTORY could be
    read. Whether the newest shoe of a device was withheld no log can show, until the next one is logged. Exits with
    code 1 when there are findings.
    """
    trust = trusted(vkey, witnesses, quorum)
    older = older_notes(since)
    if proof is None and not paths:
        raise click.UsageError("name a LOG, or a proof with --proof FILE")
    if proof is not None and len(paths) > 1:
        raise click.UsageError("--proof is about one history: name one HISTORY at most")
    if new_only and (proof is not None or len(since) != 1):
        raise click.UsageError("--new-only goes with LOG and one --since FILE")
    known = known_keys(keys, former)
    found, code, failed = read_histories(paths if proof is not None else paths[1:], keys)
    name = str(paths[0] if proof is None else proof)
    if proof is not None:
        done = check_proof(read_file(proof), name, trust, older, found, known, now(), failed)
    else:
        unchecked = Checkpoint.parse(older[0][1].text, older[0][0]).size if new_only else 0
        check = LogCheck(paths[0], trust, known, now(), unchecked)
        with reading(paths[0]) as advance:
            done = check.run(older, found, advance)
        done.unreadable = failed
    if as_json:
        emit("log", {"command": "check", "log": name, **done.to_json()})
    else:
        show(name, done, bool(proof))
    return max(code, FINDINGS if done.findings else FINE)


def show(name: str, done: Checked, is_proof: bool) -> None:
    """Print what was found, the shoes of each device, and the verdict."""
    out = console()
    show_findings(done.findings, done.notes)
    for row in done.devices:
        shoes = f"shoe {row['first']}" if row["first"] == row["last"] else f"shoes {row['first']} to {row['last']}"
        whole = ", none missing between them" if row["shoes"] > 1 and not row["missing"] else ""
        pinned = ", key not pinned" if row["device"] in done.unpinned else ""
        out.print(f"  device {row['device']}: {shoes} ({row['shoes']} logged){whole}{pinned}")
    for one in done.present:
        out.print(f"  {clean(one['file'])}: shoe {one['shoe']} is entry {one['entry']}")
    if is_proof and done.unpinned:
        out.print(f"  the key of device {done.unpinned[0]} is not pinned: see shoetool keys")
    for witness in done.witnesses:
        if witness.counts:
            out.print(f"  witness {clean(witness.name)} cosigned it at {witness.time}")
    details = [f"{clean(done.origin)}, {many(done.size, 'shoe')}, root {done.root[:16]}"]
    if done.witnesses:
        details.append(f"{done.cosigned} of {len(done.witnesses)} witnesses")
    if done.findings:
        out.print(verdict_line(clean(name), "findings", many(len(done.findings), "finding"), ", ".join(details)))
    elif done.why_not:
        out.print(verdict_line(clean(name), "", f"nothing wrong, not verified: {done.why_not}", ", ".join(details)))
    else:
        since = f" since entry {done.unchecked}" if done.unchecked else ""
        out.print(verdict_line(clean(name), "verified", f"verified{since}", ", ".join(details)))
