"""The second Pico's program on an emulated RP2040: what it plays into pins, and what its panel says and hears."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from rig import image, uf2, wiring
from rig.chip import Chip
from rig.stimulus import LEAD_US, Stimulus, words
from shoesim.passes import HAND
from shoesim.pull import NOMINAL, pull

PROGRAM = Path(__file__).resolve().parents[2] / "board" / "stimulus"
FIRST = tuple(head[0] for head in wiring.HEADS)


class UsbPort:
    """The USB of an emulated chip as a serial port."""

    def __init__(self, chip: Chip) -> None:
        self.chip = chip

    def write(self, data: bytes) -> None:
        self.chip.usb.write(data)

    def read(self, size: int) -> bytes:
        self.chip.run_until(lambda: len(self.chip.usb.output) >= size, 2e6)
        data = bytes(self.chip.usb.output[:size])
        del self.chip.usb.output[:size]
        return data


@pytest.fixture
def chip(firmware: uf2.Firmware) -> Iterator[Chip]:
    if firmware.frozen:
        pytest.skip(f"{firmware.path.name} would start the shoe that is frozen into it")
    files = {path.name: path.read_bytes() for path in PROGRAM.glob("*.py")}
    gap = b"\xff" * (firmware.storage - len(firmware.flash))
    chip = Chip(firmware.flash + gap + image.build(firmware.pages, files))
    chip.run_until(lambda: chip.usb.dtr)
    chip.run(300_000)
    chip.usb.take()
    yield chip


def edges_of(head: int, seed: int, start: int) -> list[tuple[int, int]]:
    changes, _ = pull(17, 1, head, start, np.random.default_rng(seed), NOMINAL, HAND)
    return changes


def test_words_keep_the_times_between_edges_without_adding_up() -> None:
    """Each word takes its count and three more at 10 MHz; 20 s without light takes no more than the counter holds."""
    changes = [(100, 1), (101, 3), (350, 2), (30_000_350, 0), (30_000_351, 1)]
    data = words(changes)
    at, seen = 0, []
    for i in range(0, len(data), 4):
        word = int.from_bytes(data[i : i + 4], "little")
        at += (word & (1 << 28) - 1) + 3
        if not seen or seen[-1][1] != word >> 28:
            seen.append((at, word >> 28))
    assert [(time / 10 - LEAD_US, lines) for time, lines in seen] == [(at - 100.0, lines) for at, lines in changes]


def test_too_many_edges_are_refused() -> None:
    with pytest.raises(ValueError, match="takes 8192"):
        words([(i, i & 1) for i in range(9000)])


def test_passes_of_two_heads_come_out_of_the_pins_at_their_times(chip: Chip) -> None:
    stimulus = Stimulus(UsbPort(chip))
    heard: dict[int, list[tuple[float, int]]] = {0: [], 1: []}
    for head, seen in heard.items():
        for line in range(4):

            def hear(head: int = head, seen: list[tuple[float, int]] = seen) -> None:
                state = sum(bool(chip.pin(FIRST[head] + i)) << i for i in range(4))
                if not seen or seen[-1][1] != state:
                    seen.append((chip.now, state))

            chip.listen(FIRST[head] + line, hear)
    wanted = {0: edges_of(0, 3, 1000), 1: edges_of(1, 4, 1000)}
    chip.clock.loop.exact = True
    stimulus.play(wanted)
    chip.run(max(changes[-1][0] for changes in wanted.values()) - 1000 + 10_000)
    chip.clock.loop.exact = False
    assert stimulus.left() == 0
    for head, changes in wanted.items():
        seen = heard[head]
        assert [lines for _, lines in seen] == [lines for _, lines in changes]
        first, begun = changes[0][0], seen[0][0]
        assert max(abs((at - begun) - (due - first)) for (at, _), (due, _) in zip(seen, changes, strict=True)) < 1.0


class Shoe:
    """The shoe's end of the panel's chain, bit by bit: shifts 48 bits each way, then pulses LATCH."""

    def __init__(self, chip: Chip) -> None:
        self.chip = chip
        for pin, level in ((wiring.PANEL_LATCH, True), (wiring.PANEL_CLOCK, False), (wiring.PANEL_OUT, False)):
            self.drive(pin, level)

    def drive(self, pin: int, level: bool) -> None:
        self.chip.drive(pin, level)
        self.chip.run(1)

    def scan(self, out: bytes) -> bytes:
        came = 0
        for bit in range(8 * len(out)):
            self.drive(wiring.PANEL_OUT, bool(out[bit >> 3] >> (7 - (bit & 7)) & 1))
            came = came << 1 | bool(self.chip.pin(wiring.PANEL_IN))
            self.drive(wiring.PANEL_CLOCK, True)
            self.drive(wiring.PANEL_CLOCK, False)
        self.drive(wiring.PANEL_LATCH, False)
        self.drive(wiring.PANEL_LATCH, True)
        return came.to_bytes(len(out), "big")


def test_keys_go_to_the_shoe_and_lamps_come_back(chip: Chip) -> None:
    stimulus = Stimulus(UsbPort(chip))
    shoe = Shoe(chip)
    shoe.drive(wiring.PANEL_LATCH, False)
    shoe.drive(wiring.PANEL_LATCH, True)
    for _ in range(4):
        shoe.scan(bytes(6))
    assert shoe.scan(bytes(6)) == b"\xff" * 6
    stimulus.press(17, True)
    for _ in range(6):
        keys = shoe.scan(b"\0\0\0\0\x05\xa1")
    assert keys == bytes((0xFF, 0xFF, 0xFD, 0xFF, 0xFF, 0xFF))
    stimulus.press(17, False)
    for _ in range(6):
        keys = shoe.scan(b"\0\0\0\0\x05\xa1")
    assert keys == b"\xff" * 6
    chip.drive(wiring.CARD_STOP, False)
    shown = stimulus.outputs()
    assert (shown.lamps, shown.selected, shown.card_stop) == (0x1A1, 2, True)
    chip.drive(wiring.CARD_STOP, True)
    assert not stimulus.outputs().card_stop


def test_the_reset_button_is_pressed_and_let_go(chip: Chip) -> None:
    stimulus = Stimulus(UsbPort(chip))
    levels: list[tuple[float, bool | None]] = []
    chip.listen(2, lambda: levels.append((chip.now, chip.pin(2))))
    stimulus.reset_shoe()
    down = [at for at, level in levels if level is False]
    up = [at for at, level in levels if level is None]
    assert len(down) == 1 and up and 19_000 < up[-1] - down[0] < 25_000
    assert chip.pin(2) is None


def test_an_unknown_command_is_answered_and_harms_nothing(chip: Chip) -> None:
    port = UsbPort(chip)
    port.write(b"x")
    assert port.read(1) == b"!"
    Stimulus(port)
