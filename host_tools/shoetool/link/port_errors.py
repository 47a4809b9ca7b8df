"""The one place where an exception of a serial library becomes an error of ours.

pyserial and mpremote raise what their back ends raise: OSError and its kin, `termios.error` (which is no OSError),
ValueError, TypeError, struct.error, RuntimeError and more. No list of them stays complete. So the rule goes by place: a
block of `library_calls` holds calls of the library and nothing of ours, and whatever it raises is the library's.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterator
from typing import Any, Final

from shoetool.model.errors import LinkError, ShoetoolError

_NUMBERS: Final = 4096  # no system has larger error numbers in `errno`


@contextlib.contextmanager
def library_calls(as_error: Callable[[Exception], LinkError]) -> Iterator[None]:
    """Turn any exception of the calls in the block into the LinkError that `as_error` makes of it.

    Errors of ours pass, and so does a lack of memory. What is no `Exception`, such as Ctrl-C, passes too.
    """
    try:
        yield
    except (ShoetoolError, MemoryError):
        raise
    except Exception as error:
        raise as_error(error) from error


def close_quietly(port: Any) -> None:
    """Close a port of the library. A port that is gone may fail at that too; then there is nothing left to close."""
    with contextlib.suppress(LinkError), library_calls(lambda error: LinkError(str(error))):
        port.close()


def error_number(error: BaseException | None) -> int | None:
    """Return the system's error number; that of the error that caused this one, when the library left it out."""
    looked_at: list[BaseException] = []  # an error that is raised again may be its own cause
    while error is not None and not any(error is one for one in looked_at):
        looked_at.append(error)
        # `termios.error` has its number in `args` alone.
        for number in (getattr(error, "errno", None), *error.args[:1]):
            if isinstance(number, int) and 0 < number < _NUMBERS:
                return number
        error = error.__cause__ or error.__context__
    return None


def reason(error: Exception) -> str:
    """Return one line that says why the library failed: the system's own words where it has some."""
    number = error_number(error)
    if number is not None:
        return os.strerror(number)
    return " ".join(str(error).split()) or type(error).__name__
