"""Time from reset to ready of an emulated RP2040, with an empty journal and with a full one.

`RP2_UF2=... [RP2_IMAGE=...] python tests/bench/rp2040_boot.py [--seed 1]`, and in `make bench-rp2040`. RP2_UF2 is a
MicroPython, which starts the files of a slot; RP2_IMAGE, if it is named, a UF2 into which firmware/manifest.py froze
the firmware, as for a table. What a full flash holds: full_flash.py. A blank flash is laid out by its first start.
"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

import full_flash
from pico import root
from rp2040_shoe import EmulatedShoe, Figure, files, run_alone, table, uf2

IMAGE = "RP2_IMAGE"
REACH_MS = {"image": 1000, "slot": 5000}  # the slot is for the workbench


def ready_ms(flash: bytes, seed: int) -> int:
    """Milliseconds from reset to ready that the shoe itself tells."""
    shoe = EmulatedShoe(flash, seed=seed)
    shoe.power_on()
    return shoe.boot_ms


def filled(firmware: uf2.Firmware, flash: bytes, seed: int) -> tuple[bytes, str]:
    """The flash with its partitions full, and what is in them; the root's files stay as they are."""
    storage, words = full_flash.fill(flash[firmware.storage :], seed)
    return flash[: firmware.storage] + storage, words


def blank_flash(firmware: uf2.Firmware, flash: bytes) -> bytes:
    """The same without the markers of a layout."""
    return flash[: firmware.storage + (firmware.pages - root.MARKERS) * root.PAGE]


def measure(seed: int) -> list[Figure]:
    """Reset to ready: slot and image, empty and full, and the first start of a blank board."""
    found = []
    for firmware in (uf2.find(), *([uf2.load(Path(os.environ[IMAGE]))] if os.environ.get(IMAGE) else [])):
        name = "image" if firmware.frozen else "slot"
        flash = files.flash_of(firmware)
        full, words = filled(firmware, flash, seed)
        for what, content in (
            ("empty journal", flash),
            (words, full),
            (f"first start of a blank storage of {firmware.pages} pages", blank_flash(firmware, flash)),
        ):
            took = ready_ms(content, seed)
            reach = content != blank_flash(firmware, flash)  # a blank storage is laid out once
            found.append(
                Figure(
                    f"reset to ready, {name}: {what}",
                    f"{REACH_MS[name] / 1000} s" if reach else "",
                    f"{took / 1000:.2f} s",
                    took <= REACH_MS[name] if reach else None,
                )
            )
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    print("seed", options.seed, "on", uf2.find().path.name, os.environ.get(IMAGE, f"(no {IMAGE}: slots only)"))
    figures = measure(options.seed)
    print(table(figures))
    return 0 if all(figure.good is not False for figure in figures) else 1


if __name__ == "__main__":
    sys.exit(run_alone(main))
