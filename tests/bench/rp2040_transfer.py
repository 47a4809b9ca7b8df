"""How fast an emulated RP2040 hands over a history, against the line and against `mpremote fs cp` of the same bytes.

`RP2_UF2=... python tests/bench/rp2040_transfer.py [--pages 12] [--seed 1]`. Whole shoes of a full journal are pulled
over the UART, one after another, until there are so many pages. The share is bytes of history, without any header, in a
simulated second from the first request to the last byte, of the 92,160 that the line carries. The same bytes lie as a
file on the root; mpremote's own transport copies them over USB on the same simulated clock: all that its `fs cp` does
once it is connected, with its soft reset, and the copying alone. USB is the emulator's, no slower than a real one.
"""

from __future__ import annotations

import argparse
import sys
from types import SimpleNamespace
from typing import Any

from rp2040_shoe import EmulatedShoe, Figure, files, run_alone, table, uf2  # sets the path, so before the others

# isort: split
import full_flash
import mpremote.transport_serial as mpremote_serial
from rig import image
from shoetool.client.client import Client
from shoetool.model.protocol_table import PAGE_MAGIC, PAGE_SIZE

LINE_BAUD = 921_600
BITS = 10  # of a byte on the line
NUMBER_AT = 8  # of a page, in its header
REACH_SHARE = 0.85
REACH_RATIO = 10.0


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


def mpremote_seconds(shoe: EmulatedShoe, path: str, wanted: bytes) -> tuple[float, float]:
    """Return the simulated seconds of mpremote's `fs cp` of a file from the shoe: in all, and of the copying alone."""
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
        began = shoe.now_us
        transport.enter_raw_repl(soft_reset=True)
        entered = shoe.now_us
        copied = transport.fs_readfile(path, progress_callback=lambda done, size: None)
        ended = shoe.now_us
        transport.exit_raw_repl()
    finally:
        mpremote_serial.time = real
    assert copied == wanted, "mpremote copied other bytes"
    return (shoe.now_us - began) / 1e6, (ended - entered) / 1e6


def first_pages(storage: bytes, count: int) -> bytes:
    """Return the oldest pages of the journal that lies in `storage`."""
    held = {}
    for at in range(0, len(storage), PAGE_SIZE):
        if storage[at : at + len(PAGE_MAGIC)] == PAGE_MAGIC:
            held[int.from_bytes(storage[at + NUMBER_AT : at + NUMBER_AT + 4], "little")] = at
    return b"".join(storage[held[number] : held[number] + PAGE_SIZE] for number in sorted(held)[:count])


def measure(seed: int, pages: int = 12) -> list[Figure]:
    """Return the figures of one run."""
    firmware = uf2.find()
    flash = files.flash_of(firmware)
    storage, _ = full_flash.fill(flash[firmware.storage :], seed)
    wanted = first_pages(storage, pages)
    storage = image.change(storage, {"history": wanted})
    shoe = EmulatedShoe(flash[: firmware.storage] + storage, seed=seed)
    shoe.power_on()
    opened = shoe.now_us
    client = Client(shoe.transport())
    entries = client.history_list()
    began = shoe.now_us
    first_sent = shoe.chip.uart.sent
    history = b""
    for entry, then in zip(entries, [*entries[1:], None], strict=True):
        if len(history) >= len(wanted):
            break
        history += b"".join(page.data for page in client.pull_shoe(entry, then=then))
    ended = shoe.now_us
    assert history.startswith(wanted), "other pages than those in flash"
    took = (ended - began) / 1e6
    line = LINE_BAUD / BITS
    rate = len(history) / took
    busy = (shoe.chip.uart.sent - first_sent) / took / line
    print(f"{len(history)} bytes in {took:.3f} s", flush=True)
    command, copying = (seconds * len(history) / len(wanted) for seconds in mpremote_seconds(shoe, "/history", wanted))
    whole = (ended - opened) / 1e6
    return [
        Figure(
            f"history transfer, {len(history)} bytes",
            "85 % of the line rate",
            f"{100 * rate / line:.0f} % ({rate / 1000:.1f} kB/s; with headers {100 * busy:.0f} %)",
            rate >= REACH_SHARE * line,
        ),
        Figure(
            "history transfer against mpremote fs cp, copying alone",
            f"10 times; the line itself is {line * copying / len(history):.1f} times",
            f"{copying / took:.1f} times ({took:.2f} s, {copying:.2f} s, both simulated)",
            copying / took >= REACH_RATIO,
        ),
        Figure(
            "history transfer against mpremote fs cp, from the first byte of the conversation to the last",
            "",
            f"{command / whole:.1f} times ({whole:.2f} s, {command:.2f} s, both simulated)",
        ),
    ]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=12)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    print("seed", options.seed)
    figures = measure(options.seed, options.pages)
    print(table(figures))
    return 0 if all(figure.good is not False for figure in figures) else 1


if __name__ == "__main__":
    sys.exit(run_alone(main))
