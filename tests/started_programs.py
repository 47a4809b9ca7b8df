"""The programs that tests start: each has the signals of a terminal, and none runs on after the tests.

What is left when the run ends is ended, named, and fails the run. Each process that tests start inherits a mark in its
environment, however far down it was started. Linux shows the environment of one's own processes; elsewhere nothing is
looked for.
"""

from __future__ import annotations

import os
import signal
import time
from multiprocessing import resource_tracker
from pathlib import Path
from uuid import uuid4

import pytest

_MARK = "SMART_SHOE_TEST_RUN"
_GRACE_S = 5.0
"""So long may what was ended by its test take to leave."""


def watch(config: pytest.Config) -> None:
    """Set the signals of this process, and let its first process look for what is left at the end."""
    _pass_on_no_ignored_signals()
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(LeftRunning(), "left-running")


def _pass_on_no_ignored_signals() -> None:
    """Give programs that tests start the signals of a terminal, however this run was started.

    A shell ignores Ctrl-C for what it runs in its background, nohup and service managers ignore SIGHUP, and children
    inherit both. A signal that has a handler is an ordinary one for a program that is started; this run still ignores
    it.
    """
    signal.signal(signal.SIGINT, signal.default_int_handler)
    for number in signal.valid_signals() - {signal.SIGINT, signal.SIGPIPE, signal.SIGXFSZ}:  # Python ignores those two
        if signal.getsignal(number) == signal.SIG_IGN:
            signal.signal(number, lambda *_: None)
    signal.pthread_sigmask(signal.SIG_SETMASK, [])


class LeftRunning:
    """The pytest plugin of a run's first process. Its workers inherit the mark, and a run within a run has both."""

    def __init__(self) -> None:
        self._mark = f"{_MARK}_{uuid4().hex}"
        os.environ[self._mark] = "1"

    def processes(self) -> dict[int, str]:
        """Return the processes of this run, each with its command line: not this one, and not its tracker of locks.

        Python starts the tracker with the first lock or pool of a process. It ends when that process ends.
        """
        tracker = getattr(resource_tracker._resource_tracker, "_pid", None)
        found = {}
        for folder in Path("/proc").glob("[0-9]*"):
            try:
                if f"{self._mark}=1".encode() not in (folder / "environ").read_bytes().split(b"\0"):
                    continue
                words = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace").strip()
            except OSError:  # it has left, or is another user's
                continue
            number = int(folder.name)
            if words and number not in (os.getpid(), tracker):  # one that ended and was not waited for has no words
                found[number] = words
        return found

    @pytest.hookimpl(trylast=True)  # after the workers were told to leave
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """End what is left, and fail the run by it."""
        until = time.monotonic() + _GRACE_S
        while (left := self.processes()) and time.monotonic() < until:
            time.sleep(0.1)
        for number, words in left.items():
            print(f"\nFAILED left running by a test, and ended now: {number} {words[:200]}")
            try:
                os.kill(number, signal.SIGKILL)
            except ProcessLookupError:
                continue
        if left:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED
