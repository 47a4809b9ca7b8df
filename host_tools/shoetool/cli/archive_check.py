"""`shoetool archive check`: prove that the files, the custody log and the index of an archive agree."""

from __future__ import annotations

import re
from contextlib import closing
from dataclasses import asdict
from pathlib import Path

import click

from shoetool.cli.casino_run import many_histories
from shoetool.cli.examples import examples
from shoetool.cli.exits import FINDINGS, FINE
from shoetool.cli.options import FOLDER, keys_option
from shoetool.cli.output import console, emit, json_option, progress
from shoetool.model.printable import clean
from shoetool.report.sentences import many
from shoetool.trust.pins import PinStore


@click.command(
    "check",
    epilog=examples("archive check vault", ("archive check vault --noted HASH", "against a hash that you noted")),
)
@click.argument("place", type=FOLDER, metavar="ARCHIVE")
@click.option(
    "--noted", metavar="HASH", help="Hash of a line of the custody log that somebody noted: it must be there."
)
@keys_option
@json_option
def command(place: Path, noted: str | None, keys: Path | None, as_json: bool) -> int:
    """Hash every file again, follow the chain of the custody log, and compare both with the index.

    What a cut-off add left to do is done first; an index that was moved away is made anew. Exits with code 1 when
    something was changed, taken out or put in. Note the last hash that it prints at another place: who has it can tell
    later that the log was not written anew.
    """
    from shoetool.archive.check import check
    from shoetool.archive.keeper import Archive
    from shoetool.casino.judged import Asked
    from shoetool.model.errors import BadInput

    if noted is not None and not re.fullmatch("[0-9a-f]{64}", noted):
        raise click.UsageError("--noted takes the 64 hexadecimal digits of a hash")
    pinned = PinStore(keys).pinned()
    with closing(Archive(place, Asked(pinned))) as archive:
        trouble: str | None = None
        notes: list[str] = []
        behind = 0
        try:
            behind, notes = archive.bring_up()
        except BadInput as error:
            trouble, behind = str(error), 0
        size = archive.index.size
        done = 0
        with progress("checking the archive", "bytes") as advance:

            def more(part: int) -> None:
                nonlocal done
                done += part
                advance(done, size)

            checked = check(archive, more, noted)
        checked.notes += notes
        if trouble is not None and not checked.found:
            checked.found.append(trouble)
    if as_json:
        emit("archive_check", {"archive": str(place), "caught_up": behind, **asdict(checked)})
    else:
        out = console()
        if behind:
            out.print(f"of the custody log, entered into the index now: {many_histories(behind)}")
        for line in checked.found:
            out.print(f"FOUND: {clean(line)}")
        for line in checked.notes:
            out.print(f"note: {clean(line)}")
        out.print(f"{many_histories(checked.histories)} in the custody log, {checked.entered:,} of them in the index")
        out.print(f"last line of the custody log: {checked.last}")
        out.print(many(len(checked.found), "finding") if checked.found else "files, custody log and index agree")
    return FINDINGS if checked.found else FINE
