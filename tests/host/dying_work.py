"""Work whose worker process is killed, for test_verify_run.py. Each new process imports this module, so it is small."""

from __future__ import annotations

import os
import signal


def dies_once(flag: str, value: int) -> int:
    """The first process that does this work is killed in the middle of it."""
    try:
        os.close(os.open(flag, os.O_CREAT | os.O_EXCL))
    except FileExistsError:
        return value
    return dies_always()


def dies_always() -> int:
    """Whoever does this work is killed."""
    os.kill(os.getpid(), signal.SIGKILL)
    return -1
