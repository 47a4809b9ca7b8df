"""The link under trouble: noise on the wire, a host that stops reading, programs of their own at a serial port."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest
from bench import check, connect, fetch, histories
from rig.emulated import EmulatedShoe
from shoetool.client import Client
from shoetool.history.store import ShoelogReader, ShoelogWriter
from shoetool.simulate.scenario import Scenario, run_scenario

SHORT = Scenario(decks=1, players=(2, 2), rounds=1, seed=91, reader=False, count=False)
MOST_FETCHES = 20  # until a piece was spoiled: a fast line brings few of them


class NoisyShoe:
    """A shoe on whose wire somebody lets off bursts of noise with every step of the dealer."""

    def __init__(self, shoe: Any, seed: int) -> None:
        self._shoe = shoe
        self._rng = Random(f"noise {seed}")
        self.bursts = 0

    def __getattr__(self, name: str) -> Any:
        if name in ("key", "draw", "peek"):
            self._shoe.send(self._rng.randbytes(self._rng.randrange(1, 80)))
            self.bursts += 1
        return getattr(self._shoe, name)


class SpoilingLine:
    """A transport on which every twentieth piece that comes from the shoe has a wrong bit."""

    def __init__(self, transport: Any, seed: int) -> None:
        self._transport = transport
        self._rng = Random(f"spoil {seed}")
        self.spoiled = 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self._transport, name)

    def read(self, timeout_s: float) -> bytes:
        data: bytes = self._transport.read(timeout_s)
        if not data or self._rng.random() >= 0.05:
            return data
        self.spoiled += 1
        at = self._rng.randrange(len(data))
        return data[:at] + bytes((data[at] ^ 1 << self._rng.randrange(8),)) + data[at + 1 :]


def test_noise_on_the_wire_costs_time_and_no_record(shoe: Any, tmp_path: Path) -> None:
    print("seed", SHORT.seed)
    connect(shoe, SHORT)
    noisy = NoisyShoe(shoe, SHORT.seed)
    truth = run_scenario(SHORT, noisy)
    line = SpoilingLine(shoe.transport(), SHORT.seed)
    client = Client(line)
    path = tmp_path / "shoe.shoelog"
    for _ in range(MOST_FETCHES):
        fetch(shoe, client, path)
        if line.spoiled:
            break
        path.unlink()
    assert noisy.bursts > 5 and line.spoiled, "there was no noise"
    check(truth, path)


def test_a_host_that_stops_reading_holds_nothing_up_and_gets_everything_later(shoe: Any, tmp_path: Path) -> None:
    client = connect(shoe, SHORT)
    live = client.subscribe()
    while live.poll(0.2):
        pass
    truth = run_scenario(SHORT, shoe)
    assert shoe.lose() > 100, "nothing was sent to the host that did not listen"
    heard: list[Any] = []
    while more := live.poll(1.5):
        heard += more
    path = tmp_path / "shoe.shoelog"
    records = fetch(shoe, client, path)
    check(truth, path)
    assert heard[-len(records) :] == records[-len(heard) :] and len(heard) > 10


def test_no_byte_is_lost_while_flash_is_erased(shoe: Any) -> None:
    """The UART's bytes come by DMA: requests sent while 45 ms of erasing go on are all answered."""
    client = connect(shoe)
    emulated = shoe if isinstance(shoe, EmulatedShoe) else None  # which shows that it happened
    erases = emulated.chip.flash.erases if emulated else 0
    for table in range(6):
        client.config_write({"table": table + 1})
        assert client.config_read()["table"] == table + 1
    assert client.session.counters.damaged == client.session.counters.retries == 0
    if emulated:
        assert emulated.chip.flash.erases > erases, "nothing was erased"
        assert emulated.chip.uart.overruns == 0


def test_shoetool_fetches_over_a_serial_port(shoe: Any, tmp_path: Path) -> None:
    """`shoetool pull` as a program of its own, at a pseudo-terminal or at the real port.

    It waits in real time, of which the emulated shoe needs a multiple: nothing that erases flash is asked of it here.
    """
    scenario = replace(SHORT, seed=92)
    client = connect(shoe, scenario)
    truth = run_scenario(scenario, shoe)
    program = [sys.executable, "-m", "shoetool"]
    told = shoe.link_terminal([*program, "info", "--port", "{port}"])
    assert told.returncode == 0 and client.identify().device.hex() in told.stdout.lower(), told.stdout
    wanted = [word for entry in histories(shoe, client) for word in ("--shoe", str(entry.shoe))]
    told = shoe.link_terminal([*program, "pull", "--port", "{port}", "--no-mark", *wanted, "--out", str(tmp_path)])
    assert told.returncode == 0, told.stdout
    pulled = sorted(tmp_path.glob("*.shoelog"))
    assert len(pulled) == len(wanted) // 2
    whole = tmp_path / "whole"
    with ShoelogWriter(whole, sync=False) as writer:
        for path in pulled:
            with ShoelogReader(path) as reader:
                for page in reader.pages():
                    writer.append_page(page)
    check(truth, whole)


@pytest.mark.parametrize("typed", [0, 3_000])
def test_mpremote_reaches_the_prompt_and_the_card_stop_holds(emulated: EmulatedShoe, typed: int) -> None:
    """Ctrl-C on the USB port ends the shoe with the card stop engaged, whatever somebody typed there before."""
    assert not emulated.panel.card_stop
    emulated.chip.usb.write(b"?" * typed)
    emulated.wait(1.0)
    assert not emulated.panel.card_stop
    told = emulated.usb_terminal(
        [
            sys.executable,
            "-m",
            "mpremote",
            "connect",
            "{port}",
            "resume",
            "exec",
            "import os; print(sorted(os.listdir('/')))",
        ]
    )
    assert told.returncode == 0 and "'main.py'" in told.stdout, told.stdout
    assert emulated.panel.card_stop
