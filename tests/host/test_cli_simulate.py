"""`simulate` and `demo` with the firmware on the virtual board, alone and with other commands in other processes."""

from __future__ import annotations

import contextlib
import json
import os
import re
import shlex
import signal
import subprocess
import sys
import time
from dataclasses import replace
from importlib import resources
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NoReturn

import pytest
from click.testing import CliRunner, Result
from jsonschema import Draft202012Validator
from rich.console import Console
from sampled import SOAK
from shoesim.places import find_firmware, find_micropython
from shoesim.plants import PLANTS
from shoesim.rig import ROOT
from shoesim.scenario import PRESETS
from shoetool.cli import build, demo, virtual
from shoetool.link.transport import PortBusy
from shoetool.model.errors import BadInput
from shoetool.model.file_kinds import Kind
from shoetool.model.protocol_table import Game, ShoeKind

PROGRAM = [sys.executable, "-m", "shoetool"]


def matching(pattern: str) -> list[str]:
    """What a shell makes of a pattern with stars in its last part."""
    return sorted(str(path) for path in Path(pattern).parent.glob(Path(pattern).name))


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(build(), [str(argument) for argument in arguments])


def validated(name: str, text: str) -> dict[str, Any]:
    schema = json.loads((resources.files("shoetool") / "schemas" / f"{name}.schema.json").read_text())
    document: dict[str, Any] = json.loads(text)
    Draft202012Validator(schema).validate(document)
    return document


def test_the_list_names_every_scenario_and_every_irregularity() -> None:
    output = run("simulate", "--list").output
    assert all(name in output for name in [*PRESETS, *PLANTS])
    document = validated("scenarios", run("simulate", "--list", "--json").output)
    assert len(document["irregularities"]) == len(PLANTS)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "--list"),
        (["seven-deck"], "six-deck"),
        (["six-deck", "--plant", "wrong_side"], "wrong_side"),
        (["six-deck", "--plant", "nonsense"], "nonsense"),
        (["six-deck", "--plant", "no_burn@zero"], "@"),
        (["six-deck", "--speed", "-1"], "--speed"),
        (["six-deck", "--speed", "nan"], "nan is not a speed"),
        (["six-deck", "--speed", "inf"], "inf is not a speed"),
        (["six-deck", "--speed", "1e-300"], "1e-300 is not a speed"),
    ],
)
def test_what_cannot_be_simulated_is_one_line_and_exit_code_2(arguments: list[str], said: str) -> None:
    result = run("simulate", *arguments)
    assert result.exit_code == 2, result.output
    assert result.stderr.count("\n") == 1 and said in result.stderr


def test_a_simulated_shoe_is_fetched_verified_and_replayed(tmp_path: Path) -> None:
    result = run("simulate", "six-deck", "--rounds", "3", "--seed", "11", "--out", tmp_path, "--json")
    assert result.exit_code == 0, result.output
    document = validated("simulate", result.output)
    assert document["rounds"] == 3 and not document["planted"]
    file = document["files"][-1]
    checked = run("verify", file)
    assert checked.exit_code == 0, checked.output
    assert "verified, 0 findings" in checked.output
    assert run("replay", file).output.count("\nRound ") + run("replay", file).output.startswith("Round ") == 3


def test_a_planted_irregularity_is_found_by_its_clause(tmp_path: Path) -> None:
    result = run("simulate", "six-deck", "--rounds", "4", "--plant", "no_burn", "--out", tmp_path, "--json")
    assert result.exit_code == 0, result.output
    checked = run("verify", json.loads(result.output)["files"][-1])
    assert checked.exit_code == 1 and PLANTS["no_burn"].clause in checked.output


def test_a_plant_without_an_opportunity_is_named_and_the_next_command_works(tmp_path: Path) -> None:
    plants = ("--plant", "no_burn", "--plant", "missed_card@99")
    result = run("simulate", "six-deck", "--rounds", "2", "--speed", "0", *plants, "--out", tmp_path)
    assert result.exit_code == 0, result.output
    assert "not planted: missed_card@99 (2 rounds dealt" in result.stderr
    assert "planted: no_burn in round " in result.stdout
    (following,) = re.findall(r"^next: shoetool (.*)$", result.stdout, re.M)
    checked = run(*shlex.split(following))
    assert checked.exit_code == 1 and PLANTS["no_burn"].clause in checked.output


def test_an_end_that_comes_while_a_shoe_is_announced_leaves_nothing_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(virtual, "virtual_folder", lambda: tmp_path / "virtual")
    written = []

    write_state = virtual.write_state

    def interrupted(note: Path, text: str, kind: Kind) -> None:
        write_state(note, text, kind)
        written.append(note.stat().st_size)
        raise KeyboardInterrupt

    monkeypatch.setattr(virtual, "write_state", interrupted)
    with pytest.raises(KeyboardInterrupt), virtual.announced("/dev/pts/99"):
        raise AssertionError
    assert written == [11] and not list((tmp_path / "virtual").iterdir())


@pytest.mark.parametrize("ending", [signal.SIGHUP, signal.SIGTERM])
def test_a_closed_terminal_leaves_nothing_over(tmp_path: Path, ending: signal.Signals) -> None:
    environment = dict(os.environ, TMPDIR=str(tmp_path), XDG_STATE_HOME=str(tmp_path / "state"))
    serving = subprocess.Popen(
        [*PROGRAM, "simulate", "six-deck", "--serve", "--json"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
    )
    try:
        assert serving.stdout is not None
        validated("simulate", serving.stdout.readline())
        notes = tmp_path / "state" / "shoetool" / "virtual"
        while not list(notes.glob("*.port")):
            time.sleep(0.02)
        assert len(list(tmp_path.glob("shoetool-*"))) == 1
    finally:
        serving.send_signal(ending)
        _, said = serving.communicate(timeout=30)
    assert serving.returncode == 130 and "Traceback" not in said
    assert not list(notes.glob("*.port")) and not list(tmp_path.glob("shoetool-*"))


def acts_of(monkeypatch: pytest.MonkeyPatch) -> list[demo.Act]:
    """The acts of the demo that is run next."""
    play, acts = demo.play, []

    def kept(*how: Any) -> demo.Act:
        acts.append(play(*how))
        return acts[-1]

    monkeypatch.setattr(demo, "play", kept)
    return acts


def test_the_demo_finds_exactly_what_was_planted_and_the_commands_it_names_work(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    acts = acts_of(monkeypatch)
    result = run("demo", "--speed", "0", "--out", tmp_path / "demo")
    assert result.exit_code == 0, result.output
    clean, planted = (act.document() for act in acts)
    assert clean["agrees"] and clean["found"] == [] and planted["agrees"] and planted["found"]
    assert "verified, 0 findings" in result.output and "nothing else" in result.output
    assert "the forged history was caught by its signature" in result.output and "(pinned)" in result.output
    assert "nonce and face agree with the commitment" in result.output
    named = [line.split("#")[0].strip() for line in result.output.splitlines() if line.startswith("  shoetool ")]
    assert len(named) >= 4
    for line in named:
        words = shlex.split(line)
        if "--serve" in words:
            continue  # its own test below
        words = [path for word in words for path in (matching(word) if "*" in word else [word])]
        assert run(*words[1:]).exit_code in (0, 1), line


@pytest.mark.skipif(not SOAK, reason="it deals the whole demo once more: `make soak` does")
def test_the_demo_fails_loudly_when_a_finding_is_missing_and_says_so_as_json(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    name, _ = demo.ACTS[0]
    monkeypatch.setattr(demo, "PRESETS", {**PRESETS, name: replace(PRESETS[name], rounds=3)})  # nothing to find there
    real, dropped = demo.verify, []
    acts = acts_of(monkeypatch)

    def forgetful(history: Any, **more: Any) -> Any:
        report = real(history, **more)
        if report.findings:
            dropped.append(report.findings.pop())
        return report

    monkeypatch.setattr(demo, "verify", forgetful)
    result = run("demo", "--speed", "0", "--seed", "3", "--out", tmp_path, "--json")
    assert dropped, "a finding was taken away"
    assert result.exit_code == 1 and "FAILED" in result.stderr
    document = validated("demo", result.stdout)
    clean, planted = document["shoes"]
    assert clean["found"] == [] and clean["agrees"]
    assert planted["planted"] and not planted["agrees"] and not document["agrees"]
    assert document["sealed"]["agrees"] and document["sealed"]["sealed"] < document["sealed"]["opened"]
    assert document["forged"]["caught"] and len(set(document["forged"]["exchanged"])) == 2
    assert all(finding["records"] for finding in planted["found"]), "each finding names the records that prove it"
    screen = Console(width=200)
    with screen.capture() as shown:
        demo.conclude(screen, acts[-1])
    assert f"PLANTED AND NOT FOUND: {dropped[-1].clause}" in shown.get()


def test_a_served_shoe_is_there_for_other_shells_until_ctrl_c(tmp_path: Path) -> None:
    find_firmware(ROOT), find_micropython(ROOT)
    serving = subprocess.Popen(
        [*PROGRAM, "simulate", "six-deck", "--serve", "--rounds", "2", "--speed", "0", "--json"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert serving.stdout is not None and serving.stderr is not None
        port = validated("simulate", serving.stdout.readline())["port"]
        dealt = serving.stderr.readline()
        assert "dealt: 2 rounds" in dealt, dealt
        watched = run("monitor", "--from", "0", "--until-closed", "--port", port)
        assert watched.exit_code == 0 and "Round 2 closes" in watched.output, watched.output
        assert run("pull", "--all", "--out", tmp_path, "--port", port).exit_code == 0
        assert run("info", "--json", "--port", port).exit_code == 0
        assert all(run("verify", file).exit_code == 0 for file in tmp_path.glob("*.shoelog"))
    finally:
        serving.send_signal(signal.SIGINT)
        _, said = serving.communicate(timeout=30)
    assert serving.returncode == 130 and "Traceback" not in said


@pytest.mark.begins_first
def test_a_served_shoe_can_be_configured_while_the_dealer_waits(tmp_path: Path) -> None:
    find_firmware(ROOT), find_micropython(ROOT)
    words = ["simulate", "switch-hands", "--serve", "--wait", "10", "--rounds", "2", "--speed", "0", "--json"]
    serving = subprocess.Popen([*PROGRAM, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        assert serving.stdout is not None and serving.stderr is not None
        port = validated("simulate", serving.stdout.readline())["port"]
        assert "the dealer waits 10 s" in serving.stderr.readline()
        told = run("configure", "table=7", "decks=8", "--port", port)
        assert told.exit_code == 0, told.output
        assert "dealt: 2 rounds" in serving.stderr.readline()
        assert run("pull", "--all", "--out", tmp_path, "--port", port).exit_code == 0
        (closed,) = tmp_path.glob("*-00001.shoelog")
        assert validated("replay", run("replay", closed, "--json").stdout)["rounds"][0]["switch_hands"]
        assert '"table": 7' in run("verify", closed, "--json").stdout
    finally:
        serving.send_signal(signal.SIGINT)
        _, said = serving.communicate(timeout=30)
    assert serving.returncode == 130 and "Traceback" not in said


def test_a_scenario_follows_what_a_shoe_is_configured_to() -> None:
    scenario = PRESETS["six-deck"]
    assert scenario.configured(scenario.settings()) == scenario
    for changes in (
        {"decks": 8},
        {"game": Game.FREE_BET, "positions": 5},
        {"shoe_kind": ShoeKind.DOUBLE, "batch_a": 3},
    ):
        settings = {**scenario.settings(), **{name: int(value) for name, value in changes.items()}}
        followed = scenario.configured(settings)
        assert followed.settings() == settings and followed.players[1] <= settings["positions"]


@pytest.mark.parametrize("name", PRESETS)
def test_every_scenario_is_what_its_own_settings_say(name: str) -> None:
    assert PRESETS[name].configured(PRESETS[name].settings()) == PRESETS[name]


def test_settings_that_a_scenario_cannot_be_dealt_with_are_said(monkeypatch: pytest.MonkeyPatch) -> None:
    scenario = PRESETS["double-planted"]
    client = SimpleNamespace(config_read=lambda: {**scenario.settings(), "shoe_kind": int(ShoeKind.SINGLE)})
    monkeypatch.setattr(virtual, "open_client", lambda port: contextlib.nullcontext(client))
    with pytest.raises(BadInput, match="cannot be dealt with the settings that the shoe has now: "):
        virtual.as_configured(SimpleNamespace(link_path="x"), scenario)  # type: ignore[arg-type]


def test_a_line_that_is_watched_leaves_the_scenario_as_it_is(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def busy(port: str) -> NoReturn:
        raise PortBusy(f"{port}: busy")

    monkeypatch.setattr(virtual, "open_client", busy)
    scenario = PRESETS["six-deck"]
    assert virtual.as_configured(SimpleNamespace(link_path="x"), scenario) is scenario  # type: ignore[arg-type]
    assert "another program has the line" in capsys.readouterr().err


def test_a_wait_without_a_served_shoe_is_refused() -> None:
    result = run("simulate", "six-deck", "--wait", "5")
    assert result.exit_code == 2 and "--wait needs --serve" in result.stderr


def test_one_round_is_a_round_and_not_rounds(tmp_path: Path) -> None:
    result = run("simulate", "six-deck", "--rounds", "1", "--plant", "missed_card@9", "--out", tmp_path)
    assert result.exit_code == 0, result.output
    assert result.stdout.startswith("1 round, ") and "(1 round dealt, " in result.stderr
