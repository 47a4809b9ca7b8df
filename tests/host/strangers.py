"""Runs the program in hostile surroundings: as a user without a home, and with a fault planted before it starts."""

from __future__ import annotations

import os
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import click

ROOT = Path(__file__).resolve().parents[2]
STRANGER = 54_321
"""A number that no user of this machine has."""
PATHS = os.pathsep.join([str(ROOT / "host_tools"), str(Path(click.__file__).parents[1])])
BARE = {"PATH": "/usr/bin:/bin", "PYTHONPATH": PATHS, "PYTHONDONTWRITEBYTECODE": "1"}
"""No HOME, no XDG folder, nothing of shoetool's own."""
NO_ENTRY = """
import pwd
def unknown(number):
    raise KeyError(f"getpwuid(): uid not found: {number}")
pwd.getpwuid = unknown
"""
START = """
import sys
sys.argv[0] = "shoetool"
from shoetool.start import main
main()
"""

Done = subprocess.CompletedProcess[str]


def planted(fault: str, *words: str | Path, **how: Any) -> Done:
    """Run the program with some lines of Python before it, which plant a fault. It has no home folder."""
    return run([sys.executable, "-c", NO_ENTRY + fault + START], *words, **how)


def run(command: list[str], *words: str | Path, **how: Any) -> Done:
    """Run the program; what it prints is kept, unless it goes elsewhere."""
    settings: dict[str, Any] = {"env": BARE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    return subprocess.run([*command, *map(str, words)], check=False, timeout=120, **{**settings, **how})


@cache
def stranger() -> tuple[str, ...]:
    """A Python that a user without a home and an entry can start, with all that the program needs; empty: none here."""
    if os.geteuid() != 0:
        return ()
    for python in (sys.executable, "/usr/bin/python3"):
        try:
            done = run([python, "-c", "import click, rich, shoetool.cli"], cwd="/", **AS_STRANGER)
        except OSError:
            continue  # it lies in a folder of somebody else
        if done.returncode == 0:
            return (python,)
    return ()


AS_STRANGER: dict[str, Any] = {"user": STRANGER, "group": STRANGER, "extra_groups": []}


def one_line(done: Done, code: int, *said: str) -> None:
    """It ended with this code, and said in one line of the program all that is wanted."""
    assert done.returncode == code, (done.returncode, done.stderr)
    lines = (done.stderr or "").splitlines()
    assert len(lines) == 1 and lines[0].startswith("shoetool: "), done.stderr
    for word in said:
        assert word in lines[0], lines[0]
