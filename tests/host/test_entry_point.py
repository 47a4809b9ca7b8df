"""Signals that end the program: quiet from its first line to its last, with the terminal as it was."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
ENTRY = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["scripts"]["shoetool"]

# The program as its installed script starts it, with a signal in the middle of the import of one module.
INTERRUPTED_IMPORT = """
import importlib, os, signal, sys
ending, at = int(sys.argv[1]), sys.argv[2]
class Interrupter:
    def find_spec(self, name, path=None, target=None):
        if name == at:
            os.kill(os.getpid(), ending)
sys.meta_path.insert(0, Interrupter())
sys.argv = ["shoetool", *sys.argv[3:]]
module, function = ENTRY.split(":")
getattr(importlib.import_module(module), function)()
""".replace("ENTRY", repr(ENTRY))


def interrupted(ending: signal.Signals, module: str, *words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", INTERRUPTED_IMPORT, str(int(ending)), module, *words]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("module", ["shoetool.endings", "shoetool.cli", "click", "platformdirs", "shoetool.cli.group"])
def test_ctrl_c_while_the_program_is_loaded_is_quiet(module: str) -> None:
    done = interrupted(signal.SIGINT, module, "--version")
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")


@pytest.mark.parametrize("ending", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
@pytest.mark.parametrize("module", ["shoetool.cli.verify", "shoetool.verify.engine"])
def test_an_end_while_a_command_is_loaded_is_quiet(module: str, ending: signal.Signals) -> None:
    done = interrupted(ending, module, "verify", "x.shoelog")
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")


def test_ctrl_c_that_the_shell_ignores_stays_ignored() -> None:
    command = [sys.executable, "-c", INTERRUPTED_IMPORT, str(int(signal.SIGINT)), "click", "--version"]
    shell = ["sh", "-c", 'trap "" INT; exec "$@"', "sh", *command]
    done = subprocess.run(shell, capture_output=True, text=True, check=False)
    assert done.returncode == 0 and done.stdout.startswith("shoetool") and done.stderr == ""


# A command that hides the cursor, as the live view does, and then waits for its end.
HIDDEN_CURSOR = """
import os, signal, sys, time
import click
from rich.console import Console
from rich.live import Live
from shoetool.cli import build
@click.command("x")
def command():
    with Live("table", console=Console(force_terminal=True), auto_refresh=False):
        os.kill(os.getpid(), int(sys.argv[1]))
        time.sleep(60)
program = build()
program.get_command = lambda ctx, name: command
program(["x"], "shoetool")
"""


@pytest.mark.parametrize("ending", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_whatever_ends_the_live_view_shows_the_cursor_again(ending: signal.Signals) -> None:
    environment = dict(os.environ, TERM="xterm")
    command = [sys.executable, "-c", HIDDEN_CURSOR, str(int(ending))]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False, timeout=60)
    hidden, shown = "\x1b[?25l", "\x1b[?25h"
    assert hidden in done.stdout and done.stdout.rindex(shown) > done.stdout.rindex(hidden)
    assert done.returncode == 130 and "Traceback" not in done.stderr
