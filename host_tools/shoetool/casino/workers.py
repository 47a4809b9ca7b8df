"""Who does the work: this process, a pool of processes on this machine, or a Dask cluster. All three take `submit`."""

from __future__ import annotations

import gc
import os
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing import get_context, parent_process
from multiprocessing.connection import wait
from typing import Any, Final, Protocol, TypeVar

from shoetool.endings import stop_here
from shoetool.model.errors import BadInput

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)
ANSWERS_S: Final = 10
"""How long to wait for a scheduler's first answer."""
RETRIES: Final = 3
"""How often a piece of work is given to another worker when the one that had it ended."""

COLLECT_AFTER: Final = 100_000
"""Objects that are made and not yet freed; Python's own threshold is 700."""


class Waiting(Protocol[T_co]):
    """A piece of work under way."""

    def result(self) -> T_co:
        """Wait for the result."""


class Workers(Protocol):
    """Takes pieces of work. `width`: how many of them are done at the same time."""

    width: int

    def submit(self, function: Callable[..., T], *arguments: Any) -> Waiting[T]:
        """Begin a piece of work."""


class _Now:
    """A piece of work that is done when somebody asks for its result."""

    def __init__(self, work: Callable[[], Any]) -> None:
        self.result = work


class Alone:
    """This process does the work."""

    width = 1

    def submit(self, function: Callable[..., T], *arguments: Any) -> Waiting[T]:
        """Begin a piece of work."""
        return _Now(lambda: function(*arguments))


class _Again:
    """Work of a pool. When a worker process ends in the middle, the pool is made anew and the work given out again."""

    def __init__(self, pool: Pool, function: Callable[..., Any], arguments: tuple[Any, ...]) -> None:
        self._pool, self._function, self._arguments = pool, function, arguments
        self._future = pool.begin(function, arguments)

    def result(self) -> Any:
        """Wait for the result. BadInput when worker processes end again and again."""
        for _ in range(RETRIES):
            try:
                return self._future.result()
            except BrokenProcessPool:
                self._pool.renew()
                self._future = self._pool.begin(self._function, self._arguments)
        try:
            return self._future.result()
        except BrokenProcessPool:
            raise BadInput(
                f"a worker process ended {RETRIES + 1} times over the same work (was it killed, or is there too little "
                "memory?); what was done is kept: run the same command again, with fewer --jobs"
            ) from None


def begin_work() -> None:
    """Prepare this process, which a pool has started, for its work.

    It looks for reference cycles seldom. A history leaves few of them, and makes many short-lived objects that the
    collector would look through in vain.
    """
    gc.set_threshold(COLLECT_AFTER)
    threading.Thread(target=_end_with_parent, name="parent", daemon=True).start()


def _end_with_parent() -> None:
    """End this process when the one that started it has ended, in whatever way. A pool's pipe does not tell: the
    workers hold both its ends."""
    parent = parent_process()
    if parent is not None:
        wait([parent.sentinel])
        stop_here()


class Pool:
    """Processes of this machine."""

    def __init__(self, jobs: int) -> None:
        self.width = jobs
        self._executor = self._made()

    def _made(self) -> ProcessPoolExecutor:
        """Start the processes. BadInput when that fails again and again, or cannot be."""
        for _ in range(RETRIES + 1):
            try:
                return self._started()
            except (BrokenProcessPool, BrokenPipeError):
                why = "one ended before it began to work (was it killed, or is there too little memory?)"
            except (OSError, ImportError, NotImplementedError) as error:  # no room in /dev/shm, or for a process
                why = str(getattr(error, "strerror", None) or error)
                break
        raise BadInput(f"no {self.width} processes can be started: {why}; with --jobs 1 this process does the work")

    def _started(self) -> ProcessPoolExecutor:
        """Start the processes. Ctrl-C is for this process alone, which then ends them."""
        executor = None
        try:
            with _no_interrupts():
                executor = ProcessPoolExecutor(self.width, get_context("spawn"), begin_work)
                # A process is started for each piece of work that finds none free.
                for future in [executor.submit(os.getpid) for _ in range(self.width)]:
                    future.result()
            return executor
        except BaseException:
            if executor is not None:
                _end(executor)
            raise

    def submit(self, function: Callable[..., T], *arguments: Any) -> Waiting[T]:
        """Begin a piece of work."""
        return _Again(self, function, arguments)

    def begin(self, function: Callable[..., Any], arguments: tuple[Any, ...]) -> Future[Any]:
        """Give work to the pool as it is now."""
        try:
            return self._executor.submit(function, *arguments)
        except BrokenProcessPool:
            self._executor = self._made()
            return self._executor.submit(function, *arguments)

    def renew(self) -> None:
        """Make the pool anew, unless another piece of work has done so already."""
        try:
            self._executor.submit(os.getpid).result()
        except BrokenProcessPool:
            self._executor = self._made()

    def close(self) -> None:
        """End the processes, whatever they are doing."""
        _end(self._executor)


class Cluster:
    """The workers of a Dask cluster, which see the histories under the same paths."""

    def __init__(self, address: str) -> None:
        """Connect to a scheduler. BadInput: it does not answer, or has no workers."""
        import distributed  # it takes a while

        connect: Any = distributed.Client

        try:
            self._client = connect(address, timeout=ANSWERS_S, set_as_default=False)
        except (OSError, ValueError) as error:
            raise BadInput(f"no Dask scheduler answers at {address}: {error}") from None
        self.width = sum(self._client.nthreads().values())
        if not self.width:
            self._client.close()
            raise BadInput(f"the Dask scheduler at {address} has no workers: start some (dask worker {address})")

    def submit(self, function: Callable[..., T], *arguments: Any) -> Waiting[T]:
        """Begin a piece of work. The scheduler gives it to another worker when the one that has it goes away."""
        future: Waiting[T] = self._client.submit(function, *arguments, pure=False, retries=RETRIES)
        return future

    def close(self) -> None:
        """Leave the cluster, which stays."""
        self._client.close()


def _end(executor: ProcessPoolExecutor) -> None:
    """End the processes of a pool, whatever they are doing."""
    processes = list((executor._processes or {}).values())
    executor.shutdown(wait=False, cancel_futures=True)
    for process in processes:
        process.terminate()


@contextmanager
def workers(jobs: int, scheduler: str | None) -> Iterator[Workers]:
    """Yield the workers: those of a Dask scheduler if one is named, else `jobs` processes, or this one for one job."""
    if scheduler is None and jobs == 1:
        yield Alone()
        return
    made = Pool(jobs) if scheduler is None else Cluster(scheduler)
    try:
        yield made
    finally:
        made.close()


@contextmanager
def _no_interrupts() -> Iterator[None]:
    """Ignore Ctrl-C meanwhile; processes that are started inherit that."""
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
