"""`shoetool archive check`: prove that the files, the custody log and the index of an archive agree."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from contextlib import closing
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from shoetool.cli.casino_run import many_histories
from shoetool.cli.examples import examples
from shoetool.cli.exits import FINDINGS, FINE
from shoetool.cli.options import FILE, FILE_OR_NAME, FOLDER, KEY_FILE, keys_option
from shoetool.cli.output import Advance, console, emit, json_option, progress
from shoetool.model.file_kinds import CUSTODY_HEAD
from shoetool.model.output_file import write_state
from shoetool.model.printable import clean
from shoetool.model.times import now_ms, utc_stamp
from shoetool.report.sentences import many
from shoetool.trust.pins import PinStore

if TYPE_CHECKING:
    from shoetool.archive.check import Checked
    from shoetool.archive.keeper import Archive, CaughtUp
    from shoetool.transparency.note import SigningKey, VerifierKey


@click.command(
    "check",
    epilog=examples(
        "archive check vault",
        ("archive check vault --noted HASH", "against a hash that you noted"),
        (
            "archive check vault --head vault.head --key shoes.logkey",
            "against the head of yesterday; sign that of today",
        ),
        ("archive check vault --verify", "verify every history again"),
        ("archive check vault --rebuild", "make the index anew"),
    ),
)
@click.argument("place", type=FOLDER, metavar="ARCHIVE")
@click.option(
    "--noted", metavar="HASH", help="Hash of a line of the custody log that somebody noted: it must be there."
)
@click.option(
    "--head", type=FILE, metavar="FILE", help="Signed head of the custody log: its line must be there. See --key."
)
@click.option(
    "--vkey",
    type=FILE_OR_NAME,
    metavar="VKEY",
    help="With --head: the verifier key of who signed it, or a file that holds it.",
)
@click.option(
    "--key",
    type=KEY_FILE,
    metavar="FILE",
    help="With --head: the key file of a log. When nothing is found, it signs the head of now, and FILE gets it.",
)
@click.option(
    "--verify", "again", is_flag=True, help="Verify every history again, and compare it with what the index holds."
)
@click.option("--rebuild", is_flag=True, help="Make the index anew from the files and the custody log first.")
@click.option("--jobs", type=click.IntRange(1, 512), metavar="N", help="Use so many processes; else one for each core.")
@keys_option
@json_option
def command(
    place: Path,
    noted: str | None,
    head: Path | None,
    vkey: str | None,
    key: Path | None,
    again: bool,
    rebuild: bool,
    jobs: int | None,
    keys: Path | None,
    as_json: bool,
) -> int:
    """Hash every file again, follow the chain of the custody log, and compare both with what the index holds.

    What a cut-off add left to do is done first. Exits with code 1 when something was changed, taken out or put in. The
    log holds a digest of what was entered into the index of each history. Whoever can write to all three can make them
    agree: note the last hash that this prints at another place, and use --verify.
    """
    from shoetool.archive.keeper import Archive
    from shoetool.casino.judged import Asked

    if noted is not None and not re.fullmatch("[0-9a-f]{64}", noted):
        raise click.UsageError("--noted takes the 64 hexadecimal digits of a hash")
    signing = _Signing.of(head, vkey, key)
    if signing is not None:
        if noted is not None:
            raise click.UsageError("--noted goes without --head")
        noted = signing.noted()
    pinned = PinStore(keys).pinned()
    with closing(Archive(place, Asked(pinned))) as archive:
        checking = _Checking(archive, jobs)
        caught_up = checking.catch_up(rebuild)
        checked = checking.check(noted, again)
    checked.notes += caught_up.notes
    checked.found += caught_up.found
    if checking.trouble is not None and not checked.found:
        checked.found.append(checking.trouble)
    written = signing is not None and not checked.found and signing.write(checked)
    if as_json:
        document = {
            **asdict(checked),
            "verified_again": checked.verified_again if again else None,
            "head": str(head) if written else None,
        }
        emit("archive_check", {"archive": str(place), "caught_up": caught_up.histories, **document})
    else:
        _show(checked, caught_up.histories, again)
        if written:
            console().print(f"signed head: {clean(str(head))}")
    return FINDINGS if checked.found else FINE


class _Signing:
    """The file with a signed head. What it says is noted, and it gets the head of now when there is a key."""

    def __init__(self, head: Path, verifier: VerifierKey, key: SigningKey | None) -> None:
        self._head = head
        self._verifier = verifier
        self._key = key

    @classmethod
    def of(cls, head: Path | None, vkey: str | None, key: Path | None) -> _Signing | None:
        """Return what the options ask for; None without --head."""
        if head is None:
            if vkey is not None or key is not None:
                raise click.UsageError("--vkey and --key go with --head FILE")
            return None
        if (vkey is None) == (key is None):
            raise click.UsageError("--head needs --vkey to compare, or --key to sign too")
        from shoetool.transparency.note import NOTE
        from shoetool.transparency.note_key import log_key, read_key

        if key is not None:
            own = read_key(key, NOTE)
            return cls(head, own.verifier, own)
        assert vkey is not None
        return cls(head, log_key(vkey), None)

    def noted(self) -> str | None:
        """Return the hash that the file says; None when there is none yet, and one is to be signed."""
        from shoetool.archive.head import read_head

        if self._key is not None and not self._head.exists():
            return None
        return read_head(self._head, self._verifier).last

    def write(self, checked: Checked) -> bool:
        """Sign the head of now, if there is a key."""
        from shoetool.archive.head import Head

        if self._key is None:
            return False
        head = Head(checked.lines, checked.last, utc_stamp(now_ms()))
        write_state(self._head, head.signed(self._key), CUSTODY_HEAD)
        return True


class _Checking:
    """What is done, with its progress. `trouble`: why the index could not be brought up to the log."""

    def __init__(self, archive: Archive, jobs: int | None) -> None:
        self._archive = archive
        self._jobs = jobs or os.cpu_count() or 1
        self.trouble: str | None = None

    def catch_up(self, rebuild: bool) -> CaughtUp:
        """Bring the index up to the log."""
        from shoetool.archive.keeper import CaughtUp
        from shoetool.casino.workers import workers
        from shoetool.model.errors import BadInput

        try:
            if not self._archive.index.writable:
                return self._not_caught_up(rebuild)
            with self._archive.index.writing():
                if not self._archive.behind() and not rebuild:
                    return CaughtUp()
                with workers(self._jobs, None) as hands:
                    return self._archive.catch_up(hands, rebuild)
        except BadInput as error:
            self.trouble = str(error)
            return CaughtUp()

    def _not_caught_up(self, rebuild: bool) -> CaughtUp:
        """Say what was not entered where nothing can be written."""
        from shoetool.archive.keeper import CaughtUp
        from shoetool.model.errors import BadInput

        folder, out = self._archive.folder, CaughtUp()
        if rebuild:
            raise BadInput(f"{folder}: cannot be written, so its index is not made anew here: --rebuild a copy")
        if lacks := self._archive.behind():
            out.notes.append(f"{folder}: cannot be written, so the {lacks} lines that the index lacks were not entered")
        return out

    def check(self, noted: str | None, again: bool) -> Checked:
        """Compare files, log and index."""
        from shoetool.archive.check import Check
        from shoetool.casino.workers import workers

        with progress("checking the archive", "bytes") as advance:
            checking = Check(self._archive, self._more(advance), noted)
            checked = checking.run()
        if again:
            with progress("verifying again", "bytes") as advance, workers(self._jobs, None) as hands:
                checking.again(hands, self._more(advance))
        return checked

    def _more(self, advance: Advance) -> Callable[[int], None]:
        size, done = self._archive.index.size, 0

        def more(part: int) -> None:
            nonlocal done
            done += part
            advance(done, size)

        return more


def _show(checked: Checked, caught_up: int, again: bool) -> None:
    out = console()
    if caught_up:
        out.print(f"of the custody log, entered into the index now: {many_histories(caught_up)}")
    for line in checked.found:
        out.print(f"FOUND: {clean(line)}")
    for line in checked.notes:
        out.print(f"note: {clean(line)}")
    out.print(f"{many_histories(checked.histories)} in the custody log, {checked.entered:,} of them in the index")
    if again:
        out.print(f"verified again: {many_histories(checked.verified_again)}")
    out.print(f"last line of the custody log: {checked.last} (line {checked.lines:,})")
    if checked.line_of_noted is not None:
        out.print(f"the hash that was noted is that of line {checked.line_of_noted:,}; up to it no line was changed")
    if checked.found:
        out.print(many(len(checked.found), "finding"))
    elif checked.not_compared and not again:
        out.print(
            "files and custody log agree; what the index holds was not compared for "
            f"{many_histories(checked.not_compared)}"
        )
    else:
        out.print("files, custody log and index agree")
