"""How the program ends: by a signal while there is nothing to tidy up, and with its exit code. Loads next to nothing.

Every exit of the process goes through here, so that an exit code is one that shoetool chose. Python's own exit code for
an error that nobody caught is 1, which means findings.
"""

import os
import signal
import sys
from typing import NoReturn, TextIO

INTERRUPTED = 130
INTERNAL = 70
ENDINGS = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))
"""The signals that end the program: Ctrl-C, a termination signal, a closed terminal."""
_LONGEST = 500


def leave_at_once() -> None:
    """Let a signal that ends the program end it on the spot: there is nothing to tidy up. Main thread only.

    An exception would not do: within an import Python prints some, and others are taken for a broken module.
    """
    for ending in ENDINGS:
        if signal.getsignal(ending) != signal.SIG_IGN:
            signal.signal(ending, _leave)


def _leave(number: int, frame: object) -> None:
    stop_here()


def stop_here() -> NoReturn:
    """End this process on the spot, with nothing tidied up."""
    os._exit(INTERRUPTED)


def leave(code: int) -> NoReturn:
    """End the program with this exit code. What a stream can no longer take is dropped."""
    for stream in (sys.stdout, sys.stderr):
        drain(stream)
    raise SystemExit(code)


def drain(stream: TextIO | None) -> None:
    """Empty the buffer of a stream. If it takes nothing (a full disk, a closed pipe), its text is dropped.

    Otherwise Python tries again when it ends, prints an error, and changes the exit code to 120.
    """
    if stream is None or stream.closed:
        return
    try:
        stream.flush()
    except (OSError, ValueError):
        try:
            nowhere = os.open(os.devnull, os.O_WRONLY)  # past output_file: the null device
            os.dup2(nowhere, stream.fileno())
            os.close(nowhere)
            stream.flush()
        except (OSError, ValueError):
            pass  # it is no file of this process (a test's buffer): Python does not look at it


def last_word(error: BaseException) -> int:
    """Tell an error that could not be told in any other way, with the plainest means. Returns the exit code."""
    if isinstance(error, KeyboardInterrupt):
        return INTERRUPTED
    try:
        text = "".join(one if one.isprintable() else " " for one in str(error)[:_LONGEST])
        line = f"shoetool: internal error: {type(error).__name__}: {text}; no report could be written\n"
        os.write(2, line.encode("ascii", "backslashreplace"))
    except BaseException:
        pass  # standard error takes nothing either
    return INTERNAL
