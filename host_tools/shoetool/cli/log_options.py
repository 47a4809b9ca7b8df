"""What several commands of `shoetool log` share: options, the key of a log, and how findings are printed."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, Final, TypeVar

import click
from rich.style import Style
from rich.text import Text

from shoetool.cli.exits import BAD_INPUT, FINE, one_line, say
from shoetool.cli.options import FILE_OR_NAME, FOLDER, KEY_FILE
from shoetool.cli.output import Advance, console, progress
from shoetool.cli.outputs import OutputFile, output_option
from shoetool.model.errors import BadInput
from shoetool.model.file_kinds import NOTE_KEY
from shoetool.model.input_file import read_start
from shoetool.model.output_file import is_private
from shoetool.model.printable import clean
from shoetool.transparency.checked import Trusted
from shoetool.transparency.findings import LogFinding
from shoetool.transparency.known_keys import KnownKeys
from shoetool.transparency.note import Note
from shoetool.transparency.note_key import log_key, witness_keys
from shoetool.transparency.proof import MOST_BYTES, checkpoint_in
from shoetool.transparency.submitted import Submitted, submitted
from shoetool.trust.keys import read_exported
from shoetool.trust.pins import PinStore

F = TypeVar("F", bound=Callable[..., Any])
_FINDING: Final = Style(color="yellow", bold=True)

_KEY: Final = "The log's key file. By default it is LOG.logkey, beside LOG."
log_argument = click.argument("log", type=FOLDER, metavar="LOG")


def key_option(command: F) -> F:
    """Add --key, the key file of a log, to a command."""
    return click.option("--key", type=KEY_FILE, metavar="FILE", help=_KEY)(command)


def new_key_option(command: F) -> F:
    """Add --key, a key file that is made, to a command."""
    return output_option("--key", type=OutputFile(NOTE_KEY), metavar="FILE", help=_KEY)(command)


def witness_option(command: F) -> F:
    """Add --witness, verifier keys of witnesses, to a command."""
    return click.option(
        "--witness",
        "witnesses",
        type=FILE_OR_NAME,
        multiple=True,
        metavar="VKEY",
        help="Verifier key of a witness, or a file with some. May be given several times.",
    )(command)


def trust_options(command: F) -> F:
    """Add --vkey, --witness and --quorum to a command; `trusted` reads them."""
    command = click.option(
        "--quorum",
        type=click.IntRange(min=1),
        metavar="K",
        help="How many of the witnesses must have cosigned. By default all.",
    )(command)
    command = witness_option(command)
    return click.option(
        "--vkey", type=FILE_OR_NAME, metavar="VKEY", help="Verifier key of the log, or a file that holds it."
    )(command)


def trusted(vkey: str | None, witnesses: tuple[str, ...], quorum: int | None) -> Trusted:
    """Return whom the options name. BadInput: a key that is none, or more cosignatures wanted than witnesses named."""
    keys = witness_keys(witnesses)
    if quorum is not None and quorum > len(keys):
        raise click.UsageError(f"--quorum {quorum} needs as many --witness; {len(keys)} are named")
    return Trusted(None if vkey is None else log_key(vkey), keys, quorum)


def known_keys(keys: Path | None, former: Sequence[Path]) -> KnownKeys:
    """Return the pinned keys, and the former ones in exported files. BadInput when a file is none."""
    found = []
    for path in former:
        one = read_exported(path)
        if one is None:
            raise BadInput(f"{path}: is not an exported key of a shoe; shoetool keys --export writes them")
        found.append(one)
    return KnownKeys(PinStore(keys), found)


def warn_if_open(key_file: Path) -> None:
    """Say so when others can read a key file."""
    if not is_private(key_file):
        say(f"{key_file} can be read by others: chmod 600 it, and begin a new log with a new key")


def read_file(path: Path) -> bytes:
    """Return the content of a proof or a checkpoint; `-` is standard input. BadInput when it cannot be read."""
    if str(path) == "-":
        return sys.stdin.buffer.read(MOST_BYTES + 1)
    return read_start(path, "a proof or a checkpoint", MOST_BYTES + 1)


def older_notes(paths: Sequence[Path]) -> list[tuple[str, Note]]:
    """Return the earlier checkpoints in files: each is one, or a proof that ends with one."""
    return [(str(path), checkpoint_in(read_file(path), str(path))) for path in paths]


def read_histories(files: Sequence[Path], keys: Path | None) -> tuple[list[Submitted], int, list[dict[str, str]]]:
    """Return what histories hold, the exit code so far, and (file, error) of those that cannot be read."""
    store, found, failed, code = PinStore(keys), [], [], FINE
    with progress("reading histories", "files") as advance:
        for count, file in enumerate(files):
            advance(count, len(files))
            try:
                found.append(submitted(file, store))
            except BadInput as error:
                code = BAD_INPUT
                failed.append({"file": str(file), "error": one_line(str(error))})
                say(str(error))
    return found, code, failed


def reading(log: Path) -> AbstractContextManager[Advance]:
    """Show the progress of reading a log."""
    return progress(f"reading {clean(log.name)}", "entries")


def now() -> int:
    """The time that a witness writes: Unix seconds."""
    return int(time.time())


def show_findings(findings: Iterable[LogFinding], notes: Iterable[str] = ()) -> None:
    """Print findings and notes, one a line."""
    out = console()
    for finding in findings:
        out.print(Text("FINDING  ", _FINDING).append(f"{finding.what}: {clean(finding.sentence)}", Style()))
    for note in notes:
        out.print(f"  note: {clean(note)}")
