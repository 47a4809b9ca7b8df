"""The suite itself: it passes however it is started, and leaves nothing running."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

TESTS = Path(__file__).resolve().parents[1]

INHERITED = """
import signal, subprocess, sys

def test_what_a_test_starts_has_the_signals_of_a_terminal():
    program = "import signal; print(*(signal.getsignal(one) for one in (1, 2, 15)), signal.pthread_sigmask(0, []))"
    said = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True).stdout.split()
    usual = [signal.SIG_DFL, signal.default_int_handler, signal.SIG_DFL]
    assert said == " ".join([*map(str, usual), "set()"]).split(), said
"""
LEAVING = """
import subprocess, sys

def test_it_forgets_what_it_started():
    subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)", "forgotten"], start_new_session=True)
"""
POOLED = """
import multiprocessing

def test_it_takes_a_lock_as_a_pool_does():
    multiprocessing.get_context("spawn").Lock()
"""


def run(tmp_path: Path, program: str, *words: str, **how: object) -> subprocess.CompletedProcess[str]:
    """Run a file of tests as the suite is run, in a process of its own."""
    (tmp_path / "test_one.py").write_text(program)
    (tmp_path / "conftest.py").write_text("from started_programs import watch as pytest_configure\n")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *words, str(tmp_path / "test_one.py")]
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST")}
    environment["PYTHONPATH"] = str(TESTS)
    return subprocess.run(
        command,
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
        **how,  # type: ignore[call-overload]
    )


def _as_a_service() -> None:
    for number in (signal.SIGHUP, signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGTERM])


@pytest.mark.parametrize("workers", ["0", "1"])
def test_ignored_and_blocked_signals_do_not_reach_what_a_test_starts(tmp_path: Path, workers: str) -> None:
    done = run(tmp_path, INHERITED, "-n", workers, preexec_fn=_as_a_service)
    assert done.returncode == 0 and "1 passed" in done.stdout, done.stdout + done.stderr


@pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="this system does not show its processes so")
def test_a_run_that_leaves_a_program_running_fails_and_ends_it(tmp_path: Path) -> None:
    done = run(tmp_path, LEAVING, "-n", "1")
    assert "1 passed" in done.stdout, done.stdout + done.stderr
    assert done.returncode == 1
    (line,) = [line for line in done.stdout.splitlines() if line.startswith("FAILED left running")]
    assert line.endswith("forgotten")
    program = Path("/proc", line.split(": ")[1].split()[0], "cmdline")
    until = time.monotonic() + 60
    while program.exists() and program.read_bytes():  # one that ended has no words, until somebody waits for it
        assert time.monotonic() < until
        time.sleep(0.02)


def test_the_tracker_of_locks_that_python_starts_beside_a_run_is_not_left_running(tmp_path: Path) -> None:
    """It ends with the process that it belongs to: in a run without workers that is the run itself."""
    done = run(tmp_path, POOLED, "-n", "0")
    assert done.returncode == 0 and "left running" not in done.stdout, done.stdout + done.stderr
