"""The program as a whole: the command table, help, exit codes and the one place that errors leave by."""

from __future__ import annotations

import os
import re
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import click
import pytest
from click.testing import CliRunner
from shoetool.cli import build, exits
from shoetool.cli.commands import COMMANDS
from shoetool.model.errors import BadInput, DeviceError, LinkError
from shoetool.model.places import CRASH_VARIABLE

RUN = [sys.executable, "-m", "shoetool"]


@pytest.fixture
def runner() -> CliRunner:
    return CliRunner()


@pytest.mark.parametrize("name", [entry.name for entry in COMMANDS])
def test_every_command_has_help_with_an_example(runner: CliRunner, name: str) -> None:
    result = runner.invoke(build(), [name, "--help"])
    assert result.exit_code == 0, result.output
    assert f"shoetool {name}" in result.output
    assert "Example" in result.output


def test_help_lists_every_command_and_every_exit_code(runner: CliRunner) -> None:
    output = runner.invoke(build(), ["--help"]).output
    for entry in COMMANDS:
        assert f"  {entry.name} " in output and entry.line in output
    for code, meaning in exits.MEANINGS.items():
        assert f"  {code} " in output and meaning in output


def test_the_version_is_printed(runner: CliRunner) -> None:
    result = runner.invoke(build(), ["--version"])
    assert result.exit_code == 0 and result.output.startswith("shoetool")


def test_no_argument_at_all_shows_the_help(runner: CliRunner) -> None:
    result = runner.invoke(build(), [])
    assert result.exit_code == 2 and "Commands" in result.output


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["nonsense"], "nonsense"),
        (["info", "--nonsense"], "--nonsense"),
        (["completion", "tcsh"], "tcsh"),
        (["completion"], "SHELL"),
    ],
)
def test_wrong_usage_is_one_line_and_exit_code_2(runner: CliRunner, arguments: list[str], said: str) -> None:
    result = runner.invoke(build(), arguments)
    assert result.exit_code == 2
    assert result.stderr.count("\n") == 1 and result.stderr.startswith("shoetool: ")
    assert said.lower() in result.stderr.lower() and "--help" in result.stderr


@pytest.mark.parametrize(("typed", "meant"), [("verfy", "verify"), ("replai", "replay"), ("paytable", "paytables")])
def test_a_mistyped_command_is_told_which_one_may_be_meant(runner: CliRunner, typed: str, meant: str) -> None:
    result = runner.invoke(build(), [typed])
    assert result.exit_code == 2
    assert result.stderr == f"shoetool: no such command {typed!r} (did you mean {meant}?); see 'shoetool --help'\n"


class Raising:
    """A command that raises what it is given, in place of a real one."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.monkeypatch = monkeypatch

    def run(self, error: BaseException) -> tuple[int, str]:
        @click.command("info")
        def command() -> None:
            raise error

        program = build()
        self.monkeypatch.setattr(program, "get_command", lambda ctx, name: command)
        result = CliRunner().invoke(program, ["info"])
        return result.exit_code, result.stderr


@pytest.fixture
def raising(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Raising:
    monkeypatch.setenv(CRASH_VARIABLE, str(tmp_path / "crash"))
    return Raising(monkeypatch)


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (BadInput("the file is no history"), 2),
        (LinkError("the port is gone"), 3),
        (DeviceError("the shoe refused"), 3),
        (PermissionError(13, "Permission denied", "/x/y"), 2),
        (OSError(28, "No space left on device"), 2),
    ],
)
def test_an_error_leaves_as_one_line_and_its_exit_code(raising: Raising, error: BaseException, code: int) -> None:
    left, said = raising.run(error)
    assert left == code
    assert said.count("\n") == 1 and said.startswith("shoetool: ")


def test_control_characters_of_a_hostile_device_reach_no_terminal(raising: Raising) -> None:
    _, said = raising.run(DeviceError("board \x1b[2J\x07 of\x9b31m a\u202e stranger\nsecond line"))
    assert said.count("\n") == 1
    assert not set("\x1b\x07\x9b\u202e") & set(said)


def test_an_unexpected_error_is_one_line_and_a_crash_report(raising: Raising, tmp_path: Path) -> None:
    left, said = raising.run(ZeroDivisionError("division by zero"))
    assert left == exits.INTERNAL == 70
    assert said.count("\n") == 1 and "ZeroDivisionError" in said
    reports = list((tmp_path / "crash").glob("crash-*.txt"))
    assert len(reports) == 1 and str(reports[0]) in said
    assert "Traceback" in reports[0].read_text()


def test_a_crash_report_that_cannot_be_written_is_said(
    raising: Raising, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    monkeypatch.setenv(CRASH_VARIABLE, str(blocked / "below"))
    left, said = raising.run(RecursionError("deep"))
    assert left == 70 and "no report could be written" in said


def test_ctrl_c_leaves_with_130_and_says_nothing(raising: Raising) -> None:
    left, said = raising.run(KeyboardInterrupt())
    assert left == 130 and not said.strip()


def test_a_closed_pipe_is_quiet() -> None:
    """A real process, since the pipe is what is tested: its reader is gone before it writes."""
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run([*RUN, "--help"], stdout=writing, stderr=subprocess.PIPE, text=True, check=False)
    os.close(writing)
    assert done.returncode == exits.PIPE_CLOSED
    assert done.stderr == ""


def test_a_real_process_shows_no_traceback_for_bad_usage() -> None:
    done = subprocess.run([*RUN, "nonsense"], capture_output=True, text=True, check=False)
    assert done.returncode == 2 and done.stdout == ""
    assert done.stderr.count("\n") == 1 and "Traceback" not in done.stderr


def test_a_terminal_without_unicode_gets_no_traceback() -> None:
    environment = dict(os.environ, PYTHONIOENCODING="ascii", PYTHONUTF8="0")
    done = subprocess.run([*RUN, "--help"], capture_output=True, env=environment, check=False)
    assert done.returncode == 0 and b"Traceback" not in done.stderr


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_scripts_name_the_program(runner: CliRunner, shell: str) -> None:
    result = runner.invoke(build(), ["completion", shell])
    assert result.exit_code == 0
    assert "_SHOETOOL_COMPLETE" in result.output and "shoetool" in result.output


def test_completion_completes_commands() -> None:
    environment = dict(os.environ, _SHOETOOL_COMPLETE="bash_complete", COMP_WORDS="shoetool ver", COMP_CWORD="1")
    code = "from shoetool.cli import main; main()"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=False)
    assert done.returncode == 0 and "verify" in done.stdout and "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("name", "parameter", "typed", "offered"),
    [
        ("simulate", "name", "double", {"double", "double-planted"}),
        ("simulate", "plants", "no_", {"no_burn", "no_dealer_burn"}),
        ("configure", "changes", "de", {"decks="}),
        ("configure", "changes", "game=s", {"game=spanish_21"}),
        ("configure", "changes", "options=", {"options=none", "options=two_batches"}),
    ],
)
def test_completion_knows_scenarios_plants_and_settings(
    name: str, parameter: str, typed: str, offered: set[str]
) -> None:
    command = build().get_command(click.Context(build()), name)
    assert command is not None
    (one,) = (one for one in command.params if one.name == parameter)
    found = {item.value for item in one.shell_complete(click.Context(command), typed) if item.type == "plain"}
    assert offered <= found and all(word.startswith(typed) for word in found)


def test_ctrl_c_in_a_real_process_is_quiet(tmp_path: Path) -> None:
    """The process reads a named pipe that nobody writes, so it is waiting when the signal comes."""
    code = "import sys; from shoetool.cli import build; import click, time\n"
    code += "@click.command('x')\ndef x():\n    print('waiting', flush=True)\n    time.sleep(60)\n"
    code += "p = build(); p.get_command = lambda ctx, name: x; p(['x'], 'shoetool')\n"
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "waiting\n"
    time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=20)
    assert process.returncode == 130 and "Traceback" not in said


@pytest.mark.parametrize("name", [entry.name for entry in COMMANDS])
def test_examples_stand_on_a_line_each_on_a_narrow_terminal(runner: CliRunner, name: str) -> None:
    output = runner.invoke(build(), [name, "--help"], terminal_width=80).output
    head, _, told = output.rpartition("\n  Example")
    assert head, output
    lines = told.splitlines()[1:]
    assert lines and all(line.startswith(f"    shoetool {name}") for line in lines), told
    assert max(map(len, lines)) <= 78


@pytest.mark.parametrize("name", [entry.name for entry in COMMANDS])
def test_every_example_of_the_help_is_a_command_line(name: str) -> None:
    command = build().get_command(click.Context(build()), name)
    assert command is not None and command.epilog
    for line in command.epilog.splitlines():
        if not line.startswith("  shoetool "):
            continue
        words = shlex.split(re.split(r" [|>] |   ", line.strip())[0])
        command.make_context(name, words[2:], resilient_parsing=False).close()
