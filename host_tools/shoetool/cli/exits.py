"""The exit codes of shoetool, and the one function that turns every error into one line and a code."""

from __future__ import annotations

import contextlib
import os
import platform
import sys
import traceback
from pathlib import Path
from typing import Final

import click
import platformdirs

from shoetool.endings import INTERRUPTED
from shoetool.model.errors import ShoetoolError
from shoetool.model.printable import clean
from shoetool.model.times import file_stamp, now_ms, utc_stamp
from shoetool.model.version import version

FINE: Final = 0
FINDINGS: Final = 1
BAD_INPUT: Final = 2
DEVICE_OR_LINK: Final = 3
INTERNAL: Final = 70
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

EXTRAS: Final = {
    "numpy": "sim",
    "jinja2": "report",
    "reportlab": "print",
    "uvicorn": "serve",
    "mpremote": "flash",
    "matplotlib": "plot",
    "vcd": "plot",
    "pyarrow": "casino",
    "distributed": "cluster",
    "cryptography": "log",
    "filelock": "log",
    "scipy": "audit",
}
"""The packages that only some commands need, and the extra of shoetool that installs each."""

CRASH_FOLDER: Final = "SHOETOOL_CRASH_DIR"


def one_line(text: str) -> str:
    """Fold a message into one clean line."""
    return clean(" ".join(text.split()))


def say(message: str) -> None:
    """Print one line about what went wrong to standard error. Print nothing if standard error is closed."""
    with contextlib.suppress(OSError):
        click.echo(f"shoetool: {one_line(message)}", err=True)


def report(error: BaseException) -> int:
    """Print in one line what went wrong, and return the exit code. An unexpected error also writes a crash report."""
    match error:
        case click.exceptions.Exit():
            return error.exit_code
        case click.exceptions.Abort() | KeyboardInterrupt():
            return INTERRUPTED
        case click.exceptions.NoArgsIsHelpError():
            error.show()  # there was no argument at all: print the whole help
            return BAD_INPUT
        case BrokenPipeError():
            silence_output()
            return PIPE_CLOSED
        case click.ClickException():
            say(_usage(error))
            return BAD_INPUT
        case ShoetoolError():
            say(str(error))
            return error.exit_code
        case ModuleNotFoundError() if (package := str(error.name).partition(".")[0]) in EXTRAS:
            say(f"{package} is missing: this command needs `pip install 'shoetool[{EXTRAS[package]}]'`")
            return BAD_INPUT
        case OSError() if _of_a_port(error):
            say(f"the port failed: {error}")
            return DEVICE_OR_LINK
        case OSError():
            where = f"{error.filename}: " if error.filename is not None else ""
            say(f"{where}{error.strerror or error}")
            return BAD_INPUT
        case _:
            path = write_crash_report(error)
            kept = f"a report is in {path}" if path else "no report could be written"
            say(f"internal error: {type(error).__name__}: {error}; {kept}; please send it to the maintainers")
            return INTERNAL


def _of_a_port(error: OSError) -> bool:
    """Whether pyserial raised it. A command without a port has not loaded that."""
    serial = sys.modules.get("serial")
    return serial is not None and isinstance(error, serial.SerialException)


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
    for name, number in (("stdout", 1), ("stderr", 2)):
        if getattr(sys, name) is None:
            nowhere = os.open(os.devnull, os.O_WRONLY)  # past output_file: it is the null device
            if nowhere != number:
                os.dup2(nowhere, number)
                os.close(nowhere)
            # past output_file: it is a standard stream.
            setattr(sys, name, os.fdopen(number, "w", encoding="utf-8", closefd=False))


def silence_output() -> None:
    """Drop what is still buffered for a closed pipe, so that the interpreter prints no error when it exits."""
    try:
        nowhere = os.open(os.devnull, os.O_WRONLY)  # past output_file: it is the null device
        os.dup2(nowhere, sys.stdout.fileno())
    except (OSError, ValueError):
        pass  # standard output is not a file of this process (a test's buffer): nothing to silence


def write_crash_report(error: BaseException) -> Path | None:
    """Write a traceback with the versions of the software. Return its path; None if no file can be written."""
    now = now_ms()
    folder = Path(os.environ.get(CRASH_FOLDER) or platformdirs.user_state_path("shoetool"))
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
