"""A pool whose worker processes are killed in the middle of their work: run as a program by test_verify_run.py."""

from __future__ import annotations

import os
import signal
import sys
import time
from pathlib import Path

from shoetool.casino import workers as workers_module
from shoetool.model.errors import BadInput


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


def main(flag: str) -> None:
    """Print the results of work of which one piece kills its process, and what is said when one always does."""
    workers_module.RETRIES = 1
    with workers_module.workers(2, None) as pool:
        work = [pool.submit(dies_once, flag, number) for number in range(6)]
        print([one.result() for one in work], "killed" if Path(flag).exists() else "nobody was killed")
        try:
            pool.submit(dies_always).result()
        except BadInput as error:
            print(error)


def number(wait_s: float) -> int:
    """The number of the process that does this work, which takes so long that each process gets a piece."""
    time.sleep(wait_s)
    return os.getpid()


def orphans() -> None:
    """Print the numbers of the workers, and wait to be killed."""
    with workers_module.workers(2, None) as pool:
        print(*[one.result() for one in [pool.submit(number, 0.5) for _ in range(2)]], flush=True)
        time.sleep(600)


if __name__ == "__main__":
    orphans() if sys.argv[1] == "--orphans" else main(sys.argv[1])
