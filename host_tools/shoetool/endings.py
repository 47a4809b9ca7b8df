"""The signals that end the program, and how they do so while there is nothing to tidy up. Loads next to nothing."""

import os
import signal

INTERRUPTED = 130
ENDINGS = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))
"""The signals that end the program: Ctrl-C, a termination signal, a closed terminal."""


def leave_at_once() -> None:
    """Let a signal that ends the program end it on the spot: there is nothing to tidy up. Main thread only.

    An exception would not do: within an import Python prints some, and others are taken for a broken module.
    """
    for ending in ENDINGS:
        if signal.getsignal(ending) != signal.SIG_IGN:
            signal.signal(ending, _leave)


def _leave(number: int, frame: object) -> None:
    os._exit(INTERRUPTED)
