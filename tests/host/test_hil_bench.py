"""A real bench for tests/hil that is named by half, or is not there: one line, no test run, and no traceback a test."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from rig.link import SimulatedTransport
from sampled import some

ROOT = Path(__file__).resolve().parents[2]
NOWHERE = "/dev/no-such-port"


def hil(**bench: str) -> subprocess.CompletedProcess[str]:
    """Run a file of tests/hil with these variables alone."""
    others = ("HIL_PORT", "HIL_STIMULUS", "RP2_UF2", "PYTEST_ADDOPTS")
    surroundings = {name: value for name, value in os.environ.items() if name not in others and "XDIST" not in name}
    return subprocess.run(
        [sys.executable, "-m", "pytest", "tests/hil/test_deal.py", "-p", "no:cacheprovider", "-n", "0"],
        cwd=ROOT,
        env=surroundings | bench,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize(
    ("named", "said"),
    some([("/no/such.uf2", "/no/such.uf2: there is no such file"), (__file__, "no UF2 for an RP2040")]),
)
def test_a_uf2_that_is_named_and_cannot_be_had_is_an_error_and_no_skip(named: str, said: str) -> None:
    done = hil(RP2_UF2=named)
    assert done.returncode == pytest.ExitCode.USAGE_ERROR
    assert said in done.stderr and "RP2_UF2" in done.stderr and "skipped" not in done.stdout
    assert "Traceback" not in done.stdout + done.stderr


def test_without_a_uf2_the_bench_is_skipped_and_says_how_to_run_it() -> None:
    done = hil()
    assert done.returncode == 0 and "set RP2_UF2 to a MicroPython UF2" in done.stdout


@pytest.mark.parametrize(
    ("named", "missing"),
    some([("HIL_PORT", "HIL_STIMULUS (STIMULUS= of make hil)"), ("HIL_STIMULUS", "HIL_PORT (PORT= of make hil)")]),
)
def test_the_port_that_was_not_named_is(named: str, missing: str) -> None:
    done = hil(**{named: NOWHERE})
    assert done.returncode == pytest.ExitCode.USAGE_ERROR
    assert f"{missing} is missing" in done.stderr and "Traceback" not in done.stdout + done.stderr


def test_a_port_that_cannot_be_opened_is_said_once(tmp_path: Path) -> None:
    done = hil(HIL_PORT=str(tmp_path / "shoe"), HIL_STIMULUS=NOWHERE)
    said = done.stdout + done.stderr
    assert done.returncode == pytest.ExitCode.USAGE_ERROR, said
    assert said.count("no real bench: ") == 1 and NOWHERE in said and "Traceback" not in said


class Silent:
    """A line on which nothing comes, with a clock of whole microseconds as the emulated shoe's."""

    def __init__(self, now_us: int) -> None:
        self.now_us = now_us
        self.advances = 0

    def advance(self, micros: float) -> None:
        self.advances += 1
        assert self.advances < 1_000, "time stands still"
        self.now_us = int(self.now_us + micros)

    def send(self, data: bytes) -> None:
        """Nobody is there."""

    def take(self) -> bytes:
        return b""


@pytest.mark.parametrize("rest_s", [1e-16, 4e-7, 1e-6, 0.0123456789])
def test_a_read_ends_and_time_passes_whatever_part_of_a_microsecond_is_left(rest_s: float) -> None:
    line = Silent(3_032_000)
    transport = SimulatedTransport(line)
    deadline = transport.now() + rest_s
    while transport.now() < deadline:
        assert transport.read(deadline - transport.now()) == b""
    assert line.now_us - 3_032_000 <= rest_s * 1e6 + 1
