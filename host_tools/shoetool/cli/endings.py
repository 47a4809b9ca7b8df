"""How a signal ends a command: at once while its modules are loaded, and with a tidy end when it runs."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from shoetool.endings import ENDINGS, leave_at_once


@contextmanager
def loading() -> Iterator[None]:
    """While modules are loaded, a signal ends the program at once."""
    with _restored():
        if _caught():
            leave_at_once()
        yield


@contextmanager
def tidy_end() -> Iterator[None]:
    """Let each signal of ENDINGS end the command as Ctrl-C does: ports are closed, the cursor is shown again.

    Only the first termination signal counts, so that the tidy end is complete. A second Ctrl-C ends it at once.
    """

    def interrupt(number: int, frame: FrameType | None) -> None:
        for ending in _caught():
            if ending != signal.SIGINT:
                signal.signal(ending, signal.SIG_IGN)
        raise KeyboardInterrupt

    with _restored():
        for ending in _caught():
            signal.signal(ending, interrupt)
        yield


@contextmanager
def _restored() -> Iterator[None]:
    """Put the handlers of all ENDINGS back at the end."""
    before = {ending: signal.getsignal(ending) for ending in _caught()}
    try:
        yield
    finally:
        for ending, handler in before.items():
            signal.signal(ending, handler)


def _caught() -> list[signal.Signals]:
    """The signals of ENDINGS that count here. A signal that the parent ignores (`nohup`, `&`) stays ignored."""
    if threading.current_thread() is not threading.main_thread():
        return []  # only the main thread gets signals
    return [ending for ending in ENDINGS if signal.getsignal(ending) != signal.SIG_IGN]
