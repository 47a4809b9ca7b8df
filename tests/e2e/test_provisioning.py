"""Provisioning and privileged commands as a technician gives them: the commands of shoetool, the whole firmware."""

from __future__ import annotations

import json
import stat
from collections.abc import Iterator
from importlib import resources
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from deal_table import difference, records_of, table
from jsonschema import Draft202012Validator
from shoesim.rig import ROOT, Rig
from shoesim.scenario import Scenario, run_scenario
from shoetool.cli import build
from shoetool.client.authority import fresh_secret
from shoetool.client.client import Client
from shoetool.client.host_clock import read_clock, record_reading
from shoetool.client.key_file import read_key
from shoetool.client.requests import Refused
from shoetool.model.protocol_table import Key, MessageKind, Phase, ShoeKind
from test_heap import AskedShoe
from word_sizes import AS_ON_THE_CHIP

# Bytes that stay free, after a collection, on a provisioned shoe with seven boxes dealt.
FLOOR = {"amd64": 20_000, "i386": 23_000}
FIRMWARE = [ROOT / "firmware" / "main.py", ROOT / "build" / "firmware" / "shoe", ROOT / "build" / "board" / "virtual"]


@pytest.fixture(params=AS_ON_THE_CHIP)
def rig(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Rig]:
    with Rig(tmp_path / "state", interpreter=request.param) as rig:
        yield rig
        assert "Error" not in rig.log_path.read_text()


def run(rig: Rig, *arguments: str | Path, typed: str = "") -> Result:
    words = [str(argument) for argument in arguments]
    return CliRunner(env={"SHOETOOL_PORT": rig.link_path, "SHOETOOL_KEY": ""}).invoke(build(), words, input=typed)


def fine(result: Result) -> str:
    assert result.exit_code == 0, result.output
    return result.stdout


def refused(result: Result, code: int, *said: str) -> None:
    assert result.exit_code == code, result.output
    (line,) = result.stderr.splitlines()
    assert line.startswith("shoetool: "), line
    for part in said:
        assert part in line, line


def document(name: str, text: str) -> dict[str, Any]:
    schema = json.loads((resources.files("shoetool") / "schemas" / f"{name}.schema.json").read_text())
    found: dict[str, Any] = json.loads(text)
    Draft202012Validator(schema).validate(found)
    return found


def test_from_open_to_provisioned_to_another_key(rig: Rig, tmp_path: Path) -> None:
    one, two = tmp_path / "one.shoekey", tmp_path / "two.shoekey"
    assert "OPEN" in fine(run(rig, "info"))
    assert document("info", fine(run(rig, "info", "--json")))["authority"]["state"] == "open"
    refused(run(rig, "configure", "decks=8", "--key", tmp_path / "none"), 2, "no such file")

    result = run(rig, "provision", "--out", one, "--height", "5", typed="n\n")
    assert result.exit_code == 130 and not one.exists() and "nothing was changed" in result.stderr
    told = fine(run(rig, "provision", "--out", one, "--height", "5", typed="y\n"))
    key = read_key(one)
    assert stat.S_IMODE(one.stat().st_mode) == 0o600
    assert key.secret.hex() not in told and key.fingerprint.hex()[:4] in told and "signing key" in told
    assert key.fingerprint.hex() in fine(run(rig, "info"))
    state = document("info", fine(run(rig, "info", "--json")))["authority"]
    assert state == {
        "state": "provisioned",
        "fingerprint": key.fingerprint.hex(),
        "wait_ms": 0,
        "failures": 0,
        "update_announced": False,
    }

    refused(run(rig, "configure", "decks=8"), 3, "is provisioned", "--key")
    assert "written" in fine(run(rig, "configure", "decks=8", "--key", one))
    refused(run(rig, "provision", "--out", two, "--yes"), 2, "is provisioned", "--key")
    refused(run(rig, "provision", "--out", one, "--key", one, "--yes"), 2, "is an input of this command")
    found = document("provision", fine(run(rig, "provision", "--out", two, "--key", one, "--json")))
    assert found["fingerprint"] == read_key(two).fingerprint.hex() and found["height"] == 0

    refused(run(rig, "configure", "decks=6", "--key", one), 3, "wrong key", "1 s")
    refused(run(rig, "configure", "decks=6", "--key", two), 3, "not long ago", "1 s")
    assert "1 wrong key in a row, next try in 1 s" in fine(run(rig, "info"))
    rig.wait(2)
    rig.sync()
    assert "written" in fine(run(rig, "configure", "decks=6", "--key", two))


def test_a_wrong_file_and_a_key_for_an_open_shoe_are_refused(rig: Rig, tmp_path: Path) -> None:
    other = tmp_path / "other.shoekey"
    with Rig(tmp_path / "other", interpreter=rig.interpreter) as second:
        fine(run(second, "provision", "--out", other, "--height", "keep", "--yes"))
    refused(run(rig, "configure", "decks=8", "--key", other), 2, "the key file is of shoe")
    refused(run(rig, "provision", "--key", other, "--yes"), 2, "not provisioned")
    state = json.loads(other.read_text())
    with Client.open(rig.link_path) as client:
        state["device"] = client.identify().device.hex()
    forged = tmp_path / "forged.shoekey"
    forged.write_text(json.dumps(state))
    forged.chmod(0o644)
    assert "can be read by others" in run(rig, "configure", "decks=8", "--key", forged).stderr
    forged.chmod(0o600)
    refused(run(rig, "configure", "decks=8", "--key", forged), 3, "not provisioned")


def test_who_has_no_key_fetches_and_does_not_mark(rig: Rig, tmp_path: Path) -> None:
    key = tmp_path / "one.shoekey"
    fine(run(rig, "provision", "--out", key, "--height", "keep", "--yes"))
    rig.key(Key.LOAD, 0)
    rig.key(Key.CLOSE_SHOE)
    rig.sync()
    guest = run(rig, "pull", "--all", "--out", tmp_path / "guest")
    assert "not marked" in guest.stderr and "--key" in guest.stderr
    fine(guest)
    owner = run(rig, "pull", "--all", "--out", tmp_path / "owner", "--key", key, "--json")
    marked = {entry["shoe"]: entry["marked"] for entry in json.loads(fine(owner))["histories"]}
    assert marked[1]
    log = next((tmp_path / "owner").glob("*-00001.shoelog"))
    assert "commands to the shoe needed its key" in run(rig, "verify", log).stdout


def test_an_announced_update_is_known_by_its_digest(rig: Rig, tmp_path: Path) -> None:
    key = tmp_path / "one.shoekey"
    fine(run(rig, "provision", "--out", key, "--height", "keep", "--yes"))
    refused(run(rig, "update", *FIRMWARE, "--to", "0.2.0"), 3, "is provisioned")
    refused(run(rig, "update", *FIRMWARE, "--to", "2"), 2, "not a version")
    other = tmp_path / "shoe"
    other.mkdir()
    (other / "app.mpy").write_bytes(b"new")
    found = document("update", fine(run(rig, "update", other, "--to", "0.2.0", "--key", key, "--json")))
    assert found["announced"] and found["files"] == 1
    assert "an update is announced" in fine(run(rig, "info"))
    dry = document("update", fine(run(rig, "update", *FIRMWARE, "--to", "0.2.0", "--dry-run", "--json")))
    assert not dry["announced"]
    fine(run(rig, "update", *FIRMWARE, "--to", "0.2.0", "--key", key))  # the files that it runs from
    assert "announced" not in fine(run(rig, "info"))


def test_the_play_key_is_written_beside(rig: Rig, tmp_path: Path) -> None:
    key, play = tmp_path / "one.shoekey", tmp_path / "one.playkey"
    fine(run(rig, "provision", "--out", key, "--play-key", play, "--height", "keep", "--yes"))
    assert json.loads(play.read_text())["key"] == read_key(key).play_key().hex()
    with Client.open(rig.link_path) as client:
        opened = client.authority.open_play(bytes.fromhex(json.loads(play.read_text())["key"]))
        now = client.status()
        assert opened.press(Key.LOAD, 0, record=now.next_record, phase=now.phase)[0]


class CommandedShoe(AskedShoe):
    """A shoe whose owner gives privileged commands after every third round, and others try to."""

    def ask(self) -> None:
        """Ask everything, and command."""
        client = self.shoe.client
        if client.status().phase == Phase.READY:
            key = client.authority.key
            client.config_write({"table": 1000 + self.asked})
            client.authority.key = None
            with pytest.raises(Refused):
                client.session.call(MessageKind.CONFIG_WRITE, b"\x03\x08\0\0\0")
            assert key is not None
            client.authority.open_play(key.play_key())
            client.authority.key = key
            point = read_clock(client)
            assert point is not None and record_reading(client, point)
            assert client.authority.state().failures == 0
        super().ask()

    def self_test(self) -> None:
        """A provisioned shoe takes one in half a minute."""
        self.shoe.rig.wait(31)
        self.shoe.rig.sync()
        super().self_test()


@pytest.mark.parametrize("interpreter", AS_ON_THE_CHIP)
def test_commands_in_mid_shoe_find_room_in_the_heap(interpreter: str, tmp_path: Path) -> None:
    scenario = Scenario(decks=6, shoe_kind=ShoeKind.DOUBLE, seed=52, players=(7, 7), rounds=9)
    with table(scenario, tmp_path, interpreter) as shoe:
        key = shoe.client.authority.offer(fresh_secret())
        shoe.client.authority.provision(key, 5)
        shoe.client.authority.key = key
        asked = CommandedShoe(shoe)
        truth = run_scenario(scenario, asked)
        path = shoe.pull()
        log = shoe.rig.log_path.read_text()
    assert not log
    assert asked.asked >= 2, "the host hardly asked"
    assert difference(truth, records_of(path)) is None
    print(f"{interpreter}: heap free {asked.least} at the least")
    assert asked.least >= FLOOR[interpreter]
