"""Where the firmware and MicroPython are looked for: environment, working tree, PATH; else one clear line."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner
from shoesim.places import (
    FIRMWARE,
    MICROPYTHON,
    choose_interpreter,
    find_firmware,
    find_micropython,
    state_folder,
    sweep_states,
)
from shoetool.cli import build
from shoetool.link import virtual_ports
from shoetool.model.errors import BadInput


@pytest.fixture(autouse=True)
def nothing_is_set(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv(FIRMWARE, raising=False)
    monkeypatch.delenv(MICROPYTHON, raising=False)
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))


def program(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("#!/bin/sh\n")
    path.chmod(0o755)
    return path


def test_the_environment_goes_first(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    named = program(tmp_path / "mine")
    program(tmp_path / "build" / "micropython" / "micropython-amd64")
    monkeypatch.setenv(MICROPYTHON, str(named))
    assert find_micropython(tmp_path) == named
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "main.py").write_text("")
    monkeypatch.setenv(FIRMWARE, str(tmp_path / "elsewhere"))
    assert find_firmware(tmp_path) == tmp_path / "elsewhere"


def test_then_the_working_tree_then_the_path(tmp_path: Path) -> None:
    on_path = program(tmp_path / "bin" / "micropython")
    assert find_micropython(tmp_path) == on_path
    built = program(tmp_path / "build" / "micropython" / "micropython-amd64")
    assert find_micropython(tmp_path) == built


@pytest.mark.parametrize("variable", [FIRMWARE, MICROPYTHON])
def test_a_variable_that_names_nothing_is_bad_input(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, variable: str
) -> None:
    monkeypatch.setenv(variable, str(tmp_path / "nothing"))
    for command in (["demo", "--out", str(tmp_path / "out")], ["simulate", "six-deck"]):
        result = CliRunner().invoke(build(), command)
        assert result.exit_code == 2 and variable in result.stderr and result.stderr.count("\n") == 1


def test_without_any_the_way_out_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="make setup"):
        find_micropython(tmp_path)
    with pytest.raises(BadInput, match=FIRMWARE):
        find_firmware(tmp_path)


def test_without_a_micropython_the_firmware_runs_on_this_python(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert choose_interpreter(tmp_path, None) == "python"
    assert choose_interpreter(tmp_path, "i386") == "i386"
    program(tmp_path / "bin" / "micropython")
    assert choose_interpreter(tmp_path, None) == "amd64"
    monkeypatch.setenv(MICROPYTHON, str(tmp_path / "nothing"))
    with pytest.raises(BadInput, match="names"):
        choose_interpreter(tmp_path, None)


def test_the_32_bit_one_comes_from_the_working_tree_alone(tmp_path: Path) -> None:
    program(tmp_path / "bin" / "micropython")
    with pytest.raises(BadInput, match="i386"):
        find_micropython(tmp_path, "i386")


@pytest.fixture
def gone() -> int:
    """The number of a process that has ended."""
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    return process.pid


def test_folders_of_killed_processes_are_taken_away_and_no_others(tmp_path: Path, gone: int) -> None:
    left = [f"shoetool-{gone}-abc"]
    kept = [f"shoetool-{os.getpid()}-abc", "shoetool-notes", f"other-{gone}-abc", "shoetool-99999999999-abc"]
    for name in left + kept:
        (tmp_path / name).mkdir()
        (tmp_path / name / "flash.bin").write_text("")
    (tmp_path / f"shoetool-{gone}-link").symlink_to(tmp_path / "other")
    sweep_states(tmp_path)
    assert sorted(one.name for one in tmp_path.iterdir()) == sorted([*kept, f"shoetool-{gone}-link"])


def test_a_state_folder_names_its_process_and_goes_away() -> None:
    with state_folder() as folder:
        assert folder.is_dir() and f"-{os.getpid()}-" in folder.name
    assert not folder.exists()


def test_notes_of_killed_processes_are_taken_away(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, gone: int) -> None:
    monkeypatch.setattr(virtual_ports, "virtual_folder", lambda: tmp_path)
    (tmp_path / f"{gone}.port").write_text("/dev/pts/98")
    (tmp_path / f"{os.getpid()}.port").write_text("/dev/pts/99")
    assert virtual_ports.announced_ports() == ["/dev/pts/99"]
    assert [one.stem for one in tmp_path.iterdir()] == [str(os.getpid())]
