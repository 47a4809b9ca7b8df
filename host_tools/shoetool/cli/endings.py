"""How a command ends when a signal comes: on the spot while it is loaded, tidily once it runs."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from shoetool.endings import ENDINGS, leave_at_once


@contextmanager
def loading() -> Iterator[None]:
    """While modules are loaded, a signal ends the program on the spot."""
    with _restored():
        if _caught():
            leave_at_once()
        yield


@contextmanager
def tidy_end() -> Iterator[None]:
    """Let each signal of ENDINGS end the command as Ctrl-C does: ports are closed, the cursor is shown again.

    Of termination signals only the first counts, so that the way out is whole; a second Ctrl-C cuts it short.
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
    """The signals of ENDINGS that count here: what the surroundings ignore (`nohup`, `&` in a script) stays ignored."""
    if threading.current_thread() is not threading.main_thread():
        return []  # signals are the main thread's
    return [ending for ending in ENDINGS if signal.getsignal(ending) != signal.SIG_IGN]
