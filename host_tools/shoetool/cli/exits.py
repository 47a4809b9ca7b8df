"""The exit codes of shoetool, and the one function that turns every error into one line and a code."""

from __future__ import annotations

import contextlib
import os
import platform
import select
import sys
import threading
import traceback
from pathlib import Path
from typing import Any, Final

import click

from shoetool.endings import INTERNAL as INTERNAL
from shoetool.endings import INTERRUPTED, drain, last_word
from shoetool.model.errors import ShoetoolError
from shoetool.model.missing_module import missing_module
from shoetool.model.places import crash_folder
from shoetool.model.printable import clean
from shoetool.model.times import file_stamp, now_ms, utc_stamp
from shoetool.model.version import version

FINE: Final = 0
FINDINGS: Final = 1
BAD_INPUT: Final = 2
DEVICE_OR_LINK: Final = 3
PIPE_CLOSED: Final = 141

MEANINGS: Final[dict[int, str]] = {
    FINE: "fine",
    FINDINGS: "findings: the command worked and found something wrong",
    BAD_INPUT: "bad input or usage: a file, option or value that cannot be used",
    DEVICE_OR_LINK: "device or link: no shoe, a busy port, a lost line, a refusal",
    INTERNAL: "a defect of shoetool: one line, and a crash report in a file",
    INTERRUPTED: "interrupted with Ctrl-C or a termination signal",
    PIPE_CLOSED: "the reader of the output went away",
}


def one_line(text: str) -> str:
    """Fold a message into one clean line."""
    return clean(" ".join(text.split()))


def say(message: str) -> None:
    """Print one line about what went wrong to standard error. Print nothing if standard error is closed."""
    with contextlib.suppress(OSError, ValueError):
        click.echo(f"shoetool: {one_line(message)}", err=True)


def report(error: BaseException) -> int:
    """Print in one line what went wrong, and return the exit code. An unexpected error also writes a crash report.

    It raises nothing: even when there is no memory left, or no stack, the error is told.
    """
    try:
        return _report(error)
    except BaseException:
        return last_word(error)


def _report(error: BaseException) -> int:
    match error:
        case click.exceptions.Exit():
            return error.exit_code
        case click.exceptions.Abort() | KeyboardInterrupt():
            return INTERRUPTED
        case click.exceptions.NoArgsIsHelpError():
            error.show()  # there was no argument at all: print the whole help
            return BAD_INPUT
        case BrokenPipeError() if _reader_gone():
            drain(sys.stdout)
            return PIPE_CLOSED
        case click.ClickException():
            say(_usage(error))
            return BAD_INPUT
        case ShoetoolError():
            say(str(error))
            return error.exit_code
        case ImportError() if why := missing_module(error):
            say(why)
            return BAD_INPUT
        case OSError():
            say(f"{_place(error)}{error.strerror or error}")
            return BAD_INPUT
        case _:
            path = write_crash_report(error)
            kept = f"a report is in {path}; please send it to the maintainers" if path else "no report could be written"
            say(f"internal error: {type(error).__name__}: {error}; {kept}")
            return INTERNAL


_PRINTING: Final = ("click.", "rich.", "shoetool.cli.group.", "shoetool.cli.output.")
"""The modules that write to standard output and standard error, and those below them."""


def _place(error: OSError) -> str:
    """Return where it happened, as `file: `. An error of the output names no file: who raised it shows what it is."""
    if error.filename is not None:
        return f"{error.filename}: "
    names = [str(frame.f_globals.get("__name__", "")) for frame, _ in traceback.walk_tb(error.__traceback__)]
    return "the output cannot be written: " if names and f"{names[-1]}.".startswith(_PRINTING) else ""


def _reader_gone() -> bool:
    """Whether the reader of the output has gone, and not that of another pipe. True where the system cannot tell."""
    for stream in (sys.stdout, sys.stderr):
        try:
            asked = select.poll()
            asked.register(stream.fileno(), 0)
            if asked.poll(0):
                return True
        except (OSError, ValueError, AttributeError):
            return True  # it is no file of this process, or this is Windows
    return False


def _usage(error: click.ClickException) -> str:
    """Return a usage error as one line that names the help to read."""
    message = error.format_message().rstrip(".")
    context = getattr(error, "ctx", None)
    if isinstance(context, click.Context):
        return f"{message}; see '{context.command_path} --help'"
    return message


def open_missing_streams() -> None:
    """Open every stream that the shell closed (`>&-`) on the null device.

    Output is then dropped, and no file of ours gets the number of a standard stream.
    """
    for number, name, mode in ((0, "stdin", "r"), (1, "stdout", "w"), (2, "stderr", "w")):
        if getattr(sys, name) is None:
            nowhere = os.open(os.devnull, os.O_RDWR)  # past output_file: it is the null device  # reads: nothing
            if nowhere != number:
                os.dup2(nowhere, number)
                os.close(nowhere)
            setattr(sys, name, os.fdopen(number, mode, encoding="utf-8", closefd=False))


_thread_codes: list[int] = []
"""The exit codes of the errors that ended a thread."""


def catch_the_rest() -> None:
    """Let the errors that Python itself would print be told in one line: those of threads, and those of tidying up."""
    _thread_codes.clear()
    threading.excepthook = _thread_ended
    sys.unraisablehook = _untidy


def _thread_ended(failed: threading.ExceptHookArgs) -> None:
    if failed.exc_value is not None and not isinstance(failed.exc_value, SystemExit):
        _thread_codes.append(report(failed.exc_value))


def with_threads(code: int) -> int:
    """Return the exit code of a command, given its own. A thread that an error ended makes no success of it."""
    return max([code, *_thread_codes]) if code in (FINE, FINDINGS) else code


def _untidy(failed: Any) -> None:
    """Tell an error that nobody can catch: in `__del__`, or when the program ends. The result stays what it is."""
    error = failed.exc_value
    with contextlib.suppress(BaseException):
        if error is not None and not isinstance(error, (KeyboardInterrupt, BrokenPipeError)):
            path = None if isinstance(error, OSError) else write_crash_report(error)
            kept = f"; a report is in {path}" if path else ""
            say(f"an error while tidying up: {type(error).__name__}: {error}{kept}")


def write_crash_report(error: BaseException) -> Path | None:
    """Write a traceback with the versions of the software. Return its path; None if no file can be written."""
    folder = crash_folder()
    if folder is None:
        return None
    now = now_ms()
    path = folder / f"crash-{file_stamp(now)}.txt"
    lines = [
        f"shoetool {version()} on Python {platform.python_version()}, {platform.platform()}\n",
        f"at {utc_stamp(now)}\n",
        f"command: {clean(' '.join(sys.argv))}\n\n",
        *traceback.format_exception(error),
    ]
    try:
        folder.mkdir(parents=True, exist_ok=True)
        # past output_file: the last handler leans on as little as it can.
        path.write_text("".join(lines), encoding="utf-8", errors="backslashreplace")  # names may hold any byte
    except OSError:
        return None
    return path
