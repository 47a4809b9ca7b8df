"""How fast an emulated RP2040 hands over a history, against the line and against `mpremote fs cp` of the same bytes.

`RP2_UF2=... python tests/bench/rp2040_transfer.py [--cards 150] [--seed 1]`. Cards are counted until the history has
some pages, then it is pulled over the UART. The same bytes lie as a file on the root; mpremote's own transport copies
them over USB on the same simulated clock. Both times are simulated; USB is the emulator's, no slower than a real one.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

from rp2040_shoe import Figure, run_alone, switched_on, table  # sets the path, so before the others

# isort: split
import mpremote.transport_serial as mpremote_serial
import numpy as np
from rig import image, uf2
from rig.emulated import EmulatedShoe
from shoetool.model.protocol_table import Key
from shoetool.simulate.pull import IDEAL, pull
from shoetool.simulate.scenario import Scenario

LINE_BAUD = 921_600
BITS = 10  # of a byte on the line
REACH_SHARE = 0.85
REACH_RATIO = 10.0
QUICK = replace(IDEAL.profile, slowest=1.2, fastest=2.5, hesitation=0.0)


class UsbSerial:
    """The USB port of an emulated shoe as pyserial shows it; waiting for bytes lets simulated time pass."""

    def __init__(self, shoe: EmulatedShoe) -> None:
        self._shoe = shoe
        self.timeout = 5.0

    def write(self, data: bytes) -> int:
        self._shoe.chip.usb.write(data)
        self._shoe.advance(100)
        return len(data)

    def inWaiting(self) -> int:
        if not self._shoe.chip.usb.output:
            self._shoe.advance(1000)
        return len(self._shoe.chip.usb.output)

    def read(self, size: int = 1) -> bytes:
        output = self._shoe.chip.usb.output
        if len(output) < size:
            self._shoe.run_until(lambda: len(output) >= size, self.timeout * 1e6)
        data = bytes(output[:size])
        del output[:size]
        return data


def mpremote_seconds(shoe: EmulatedShoe, path: str, wanted: bytes) -> float:
    """Return the simulated seconds that mpremote's transport takes to copy a file from the shoe."""
    real = mpremote_serial.time
    mpremote_serial.time = SimpleNamespace(
        monotonic=lambda: shoe.now_us / 1e6, sleep=lambda seconds: shoe.advance(seconds * 1e6)
    )
    try:
        transport: Any = mpremote_serial.SerialTransport.__new__(mpremote_serial.SerialTransport)
        transport.__dict__.update(
            in_raw_repl=False, use_raw_paste=True, device_name="emulated", mounted=False, serial=UsbSerial(shoe),
            is_pty=False,
        )  # fmt: skip
        shoe.chip.usb.take()
        transport.enter_raw_repl(soft_reset=False)
        began = shoe.now_us
        copied = transport.fs_readfile(path)
        took = (shoe.now_us - began) / 1e6
        transport.exit_raw_repl()
    finally:
        mpremote_serial.time = real
    assert copied == wanted, "mpremote copied other bytes"
    return took


def measure(seed: int, cards: int = 150) -> list[Figure]:
    """Return the figures of one run."""
    scenario = Scenario(decks=8, reader=False)
    shoe, client = switched_on(seed, scenario)
    rng = np.random.default_rng(seed)
    shoe.key(Key.LOAD, 0)
    shoe.key(Key.COUNT, 0)
    for card in rng.integers(0, 52, cards).tolist():
        start = shoe.now_us + 30_000
        changes, end = pull(card, 1, 0, start, rng, IDEAL, QUICK)
        shoe.feed(0, changes, end)
    shoe.wait(0.5)
    entries = client.history_list()
    first_sent = shoe.chip.uart.sent
    began = shoe.now_us
    history = b"".join(page.data for entry in entries for page in client.pull_shoe(entry))
    took = (shoe.now_us - began) / 1e6
    sent = shoe.chip.uart.sent - first_sent
    line = LINE_BAUD / BITS
    rate = len(history) / took
    firmware = uf2.find()
    shoe.power_off()
    flash = shoe.flash
    end_of_storage = firmware.storage + firmware.pages * image.PAGE
    storage = image.change(flash[firmware.storage : end_of_storage], {"history": history})
    shoe.flash = flash[: firmware.storage] + storage
    shoe.power_on()
    copying = mpremote_seconds(shoe, "/history", history)
    ratio = copying / took
    return [
        Figure(
            f"history transfer, {len(history)} bytes",
            "85 % of the line rate",
            f"{100 * rate / line:.0f} % ({rate / 1000:.1f} kB/s; with headers {100 * sent / took / line:.0f} %)",
            rate >= REACH_SHARE * line,
        ),
        Figure(
            "history transfer against mpremote fs cp",
            "10 times",
            f"{ratio:.1f} times ({took:.2f} s, {copying:.2f} s, both simulated)",
            ratio >= REACH_RATIO,
        ),
    ]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cards", type=int, default=150)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    print("seed", options.seed)
    figures = measure(options.seed, options.cards)
    print(table(figures))
    return 0 if all(figure.good is not False for figure in figures) else 1


if __name__ == "__main__":
    sys.exit(run_alone(main))
