"""Runs a case in a folder of its own and in this process: the files that it writes, and what each command prints.

Nothing is taken out of an output. It holds no path, version or width of a terminal: the commands run in the case's
folder, name files by their names and print into a pipe. Times of day are those of the history, in UTC.
"""

from __future__ import annotations

import contextlib
import io
import os
import tempfile
import traceback
from collections.abc import Iterator, Mapping
from hashlib import sha256
from pathlib import Path

from click.testing import CliRunner
from golden_case import Case, Command, Golden, write_text
from shoetool.cli import build
from shoetool.cli.watching import Watch
from shoetool.history.store import ShoelogReader
from shoetool.model.times import Zone
from shoetool.report.time_of_day import TimesOfDay

DIGITS = 10
MONITOR = "monitor"
MARK = "# to change"
"""The name under which a case's mark lies beside its outputs."""


KEPT = (".json", ".jsonl", ".toml")
"""Files of the corpus that are kept as they are, since what makes them settles and plays too: the judge is asked about
the frozen ones, so that its answers can be compared whatever became of the making."""


class GoldenCrash(Exception):
    """A command, or the making of a case, ended with a defect of its own; its traceback."""


def digest(data: bytes) -> str:
    """The first 10 hexadecimal digits of SHA-256: enough to see a change."""
    return sha256(data).hexdigest()[:DIGITS]


def run_case(case: Case, kept: Mapping[str, str] | None = None) -> Golden:
    """Make the files of a case and run its commands. GoldenCrash names the case and the command.

    `kept`: frozen files, which take the place of those that were made otherwise.
    """
    with _folder_of_its_own():
        try:
            commands = case.make()
        except Exception as error:
            raise GoldenCrash(f"its files could not be made\n{''.join(traceback.format_exception(error))}") from None
        paths = sorted(path for path in Path().iterdir() if path.is_file())
        files = {path.name: digest(path.read_bytes()) for path in paths}
        texts = {path.name: path.read_text(encoding="utf-8") for path in paths if path.suffix in KEPT}
        replaced = [name for name, text in texts.items() if (kept or {}).get(name, text) != text]
        for name in replaced:
            write_text(name, (kept or {})[name])
        outputs: dict[str, str] = {}
        for command in commands:
            name = " ".join(command).replace(" --timezone UTC", "")
            assert name not in outputs, f"{case.name}: {name} stands twice"
            try:
                outputs[name] = monitored(command) if command[0] == MONITOR else printed(command)
            except GoldenCrash as crash:
                raise GoldenCrash(f"{name}\n{crash}") from None
    if case.due is not None:
        outputs[MARK] = case.due.text()
    return Golden(case.name, files, outputs, texts, tuple(replaced))


@contextlib.contextmanager
def _folder_of_its_own() -> Iterator[None]:
    """A fresh folder as the current one, with a store of keys and of crash reports that is the case's alone."""
    before = Path.cwd()
    names = ("SHOETOOL_KEYS", "SHOETOOL_CRASH_DIR", "XDG_STATE_HOME")
    kept = {name: os.environ.get(name) for name in names}
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as state:
        os.environ.update(dict.fromkeys(names, state))
        os.chdir(folder)
        try:
            yield
        finally:
            os.chdir(before)
            for name, value in kept.items():
                if value is None:
                    os.environ.pop(name, None)
                else:
                    os.environ[name] = value


def printed(command: Command) -> str:
    """What a command writes to standard output, then to standard error, and its exit code."""
    with contextlib.ExitStack() as stack:
        crash: list[BaseException] = []
        stack.enter_context(_crashes_into(crash))
        result = CliRunner().invoke(build(), list(command))
    if crash:
        raise GoldenCrash("".join(traceback.format_exception(crash[0])))
    text = result.stdout
    if result.stderr:
        text += f"--- standard error\n{result.stderr}"
    return f"{text}--- exit code {result.exit_code}\n"


@contextlib.contextmanager
def _crashes_into(found: list[BaseException]) -> Iterator[None]:
    """Keep the exception of a defect, of which the program itself prints the report's path."""
    from shoetool.cli import exits

    write = exits.write_crash_report

    def keep(error: BaseException) -> None:
        found.append(error)

    exits.write_crash_report = keep  # type: ignore[assignment]
    try:
        yield
    finally:
        exits.write_crash_report = write


def monitored(command: Command) -> str:
    """What `monitor --json` prints of the records of the history that the command names last: its last step, without a
    line and a shoe."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out), ShoelogReader(Path(command[-1])) as reader:
        times = TimesOfDay(reader.moment, Zone("UTC"))
        with Watch(as_json=True, times=times) as watch:
            for record in reader.records():
                watch.show([record])
    return out.getvalue()
