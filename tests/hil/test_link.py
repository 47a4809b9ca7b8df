"""The link under trouble: noise on the wire, a host that stops reading, programs of their own at a serial port."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

from bench import check, connect, fetch
from rig.emulated import EmulatedShoe
from shoetool.history.store import ShoelogReader, ShoelogWriter
from shoetool.simulate.scenario import Scenario, run_scenario

SHORT = Scenario(decks=1, players=(2, 2), rounds=1, seed=91, reader=False, count=False)


class NoisyShoe:
    """A shoe on whose wire somebody lets off bursts of noise, both ways, with every step of the dealer."""

    def __init__(self, shoe: EmulatedShoe, seed: int) -> None:
        self._shoe = shoe
        self._rng = Random(f"noise {seed}")
        self.bursts = 0

    def __getattr__(self, name: str) -> Any:
        if name in ("key", "draw", "peek"):
            self._shoe.send(self._rng.randbytes(self._rng.randrange(1, 80)))
            self.bursts += 1
        return getattr(self._shoe, name)


def test_noise_on_the_wire_costs_time_and_no_record(emulated: EmulatedShoe, tmp_path: Path) -> None:
    print("seed", SHORT.seed)
    client = connect(emulated, SHORT)
    noisy = NoisyShoe(emulated, SHORT.seed)
    truth = run_scenario(SHORT, noisy)
    rng = Random(f"spoil {SHORT.seed}")
    spoiled = []

    def spoil(data: bytes) -> bytes:
        if rng.random() < 0.05:
            spoiled.append(len(data))
            at = rng.randrange(len(data))
            return data[:at] + bytes((data[at] ^ 1 << rng.randrange(8),)) + data[at + 1 :]
        return data

    client.transport.spoil = spoil  # type: ignore[attr-defined]
    path = tmp_path / "shoe.shoelog"
    fetch(client, path)
    assert noisy.bursts > 5 and spoiled, "there was no noise"
    check(truth, path)


def test_a_host_that_stops_reading_holds_nothing_up_and_gets_everything_later(
    emulated: EmulatedShoe, tmp_path: Path
) -> None:
    client = connect(emulated, SHORT)
    live = client.subscribe()
    while live.poll(0.2):
        pass
    emulated.deaf = True
    sent = emulated.chip.uart.sent
    truth = run_scenario(SHORT, emulated)
    lost = emulated.chip.uart.sent - sent
    assert lost > 100, "nothing was sent to the host that did not listen"
    emulated.deaf = False
    emulated.take()
    heard: list[Any] = []
    while more := live.poll(1.5):
        heard += more
    path = tmp_path / "shoe.shoelog"
    records = fetch(client, path)
    check(truth, path)
    assert heard == records[records.index(heard[0]) :] and len(heard) > 10


def test_no_byte_is_lost_while_flash_is_erased(emulated: EmulatedShoe) -> None:
    """The UART's bytes come by DMA: requests sent while 45 ms of erasing go on are all answered."""
    client = connect(emulated)
    erases = emulated.chip.flash.erases
    for table in range(6):
        client.config_write({"table": table + 1})
        assert client.config_read()["table"] == table + 1
    assert emulated.chip.flash.erases > erases, "nothing was erased"
    assert emulated.chip.uart.overruns == 0


def test_shoetool_fetches_over_a_serial_port(emulated: EmulatedShoe, tmp_path: Path) -> None:
    """`shoetool pull` as a program of its own, at a pseudo-terminal.

    It waits in real time, of which the emulated shoe needs a multiple: nothing that erases flash is asked of it here.
    """
    scenario = replace(SHORT, seed=92)
    connect(emulated, scenario)
    truth = run_scenario(scenario, emulated)
    program = [sys.executable, "-m", "shoetool"]
    told = emulated.link_terminal([*program, "info", "--port", "{port}"])
    assert told.returncode == 0 and emulated.chip.flash.unique_id.hex() in told.stdout.lower(), told.stdout
    told = emulated.link_terminal([*program, "pull", "--port", "{port}", "--no-mark", "--out", str(tmp_path)])
    assert told.returncode == 0, told.stdout
    pulled = sorted(tmp_path.glob("*.shoelog"))
    assert len(pulled) == 2  # the history before the shoe, and the shoe's
    whole = tmp_path / "whole"
    with ShoelogWriter(whole, sync=False) as writer:
        for path in pulled:
            with ShoelogReader(path) as reader:
                for page in reader.pages():
                    writer.append_page(page)
    check(truth, whole)


def test_mpremote_reaches_the_prompt_and_the_card_stop_holds(emulated: EmulatedShoe) -> None:
    """Ctrl-C on the USB port ends the shoe with the card stop engaged; the journal is left as it was."""
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
