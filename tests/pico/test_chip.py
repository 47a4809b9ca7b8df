"""Reset causes over what the watchdog block keeps and loses, and what the watchdog may."""

from __future__ import annotations

import importlib
import sys
from types import ModuleType
from typing import Any

import pytest
from rp2040py.clock.simulation_clock import SimulationClock
from rp2040py.rp2040 import RP2040
from rp2040py.simulator import Simulator

CONTROL = 0x40058000
ENABLED = 1 << 30
FORCED, TIMED_OUT = 2, 1


class Board:
    """board/pico/chip.py over the emulator's watchdog; `reset` and `power_cut` are what the chip itself would do."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.clock = SimulationClock()
        self.mcu = RP2040(self.clock)
        self.simulator = Simulator(rp2040=self.mcu)
        self.bitten = 0
        self.mcu.watchdog.on_watchdog_trigger = self._bite
        board = self

        class Mem32:
            def __getitem__(self, at: int) -> int:
                return board.mcu.read_uint32(at)

            def __setitem__(self, at: int, value: int) -> None:
                board.mcu.write_uint32(at, value)

        class Wdt:
            def __init__(self, timeout: int) -> None:
                assert timeout <= 8388
                self.load = 2000 * timeout  # it counts twice a µs, erratum E1
                self.feed()
                board.mcu.write_uint32(CONTROL, ENABLED)

            def feed(self) -> None:
                board.mcu.write_uint32(CONTROL + 4, self.load)

        machine = ModuleType("machine")
        machine.__dict__.update(mem32=Mem32(), WDT=Wdt, unique_id=lambda: b"\xe6CHIP__\x01", reset=self.forced)
        machine.__dict__.update(ADC=lambda pin: type("Adc", (), {"read_u16": lambda self: self_level[pin]})())
        self_level = {29: 33095}  # 5.00 V / 3
        monkeypatch.setitem(sys.modules, "machine", machine)
        monkeypatch.delitem(sys.modules, "pico.chip", raising=False)
        self.chip: Any = importlib.import_module("pico.chip")
        monkeypatch.delitem(sys.modules, "pico.chip")

    def _bite(self) -> None:
        self.bitten += 1

    def forced(self) -> None:
        self.mcu.write_uint32(CONTROL, 1 << 31)

    def power_cut(self) -> None:
        self.mcu.watchdog.reset()

    def wait_ms(self, ms: int) -> None:
        for _ in range(ms):
            self.clock.tick(1e6)


@pytest.fixture
def board(monkeypatch: pytest.MonkeyPatch) -> Board:
    return Board(monkeypatch)


def test_each_cause_is_told_apart(board: Board) -> None:
    chip = board.chip
    assert chip.take_boot_cause() == chip.POWER_ON
    board.forced()
    assert chip.take_boot_cause() == chip.SOFT
    chip.start_watchdog(100)
    board.wait_ms(101)
    assert board.bitten
    chip.stop_watchdog()
    assert chip.take_boot_cause() == chip.WATCHDOG
    for cause in (chip.SOFT, chip.UPDATE, chip.CRASH, chip.WATCHDOG):
        chip.note_boot_cause(cause)
        board.forced()
        assert chip.take_boot_cause() == cause
        board.forced()
        assert chip.take_boot_cause() == chip.SOFT, "what was noted counts once"
    chip.note_boot_cause(chip.CRASH)
    board.power_cut()
    assert chip.take_boot_cause() == chip.POWER_ON


def test_a_prompt_between_a_watchdog_reset_and_a_soft_one_does_not_hide_it(board: Board) -> None:
    chip = board.chip
    chip.take_boot_cause()
    chip.start_watchdog(50)
    board.wait_ms(51)
    chip.stop_watchdog()
    assert chip.take_boot_cause() == chip.WATCHDOG
    chip.note_boot_cause(chip.SOFT)  # Ctrl-C: the reason register still says that the watchdog timed out
    assert chip.take_boot_cause() == chip.SOFT


def test_rubbish_in_the_scratch_register_is_a_power_on(board: Board) -> None:
    for rubbish in (0, 0xFFFFFFFF, 0x6AB73121, 0xB007C0D3, 5):
        board.mcu.write_uint32(board.chip.SCRATCH, rubbish)
        assert board.chip.take_boot_cause() == board.chip.POWER_ON
    board.mcu.write_uint32(board.chip.SCRATCH, board.chip.MARK | 77)
    assert board.chip.take_boot_cause() == board.chip.SOFT


def test_the_registers_of_boot_rom_and_sdk_are_left_alone(board: Board) -> None:
    for i in range(1, 8):
        board.mcu.write_uint32(0x4005800C + 4 * i, 0x1000 + i)
    board.chip.take_boot_cause()
    board.chip.note_boot_cause(4)
    assert [board.mcu.read_uint32(0x4005800C + 4 * i) for i in range(1, 8)] == [0x1000 + i for i in range(1, 8)]


def test_the_watchdog_bites_without_food_and_can_be_stopped(board: Board) -> None:
    dog = board.chip.start_watchdog(100)
    for _ in range(5):
        board.wait_ms(90)
        dog.feed()
    assert not board.bitten
    board.wait_ms(101)
    assert board.bitten
    board.bitten = 0
    board.chip.start_watchdog(100)
    board.chip.stop_watchdog()
    board.wait_ms(300)
    assert not board.bitten


def test_id_and_supply(board: Board) -> None:
    assert board.chip.unique_id() == b"\xe6CHIP__\x01"
    assert abs(board.chip.supply_mv() - 5000) <= 1


def test_the_causes_are_those_of_the_protocol(board: Board) -> None:
    from shoetool.model.protocol_table import BootCause

    assert {cause.name: int(cause) for cause in BootCause} == {
        name: getattr(board.chip, name) for name in ("POWER_ON", "WATCHDOG", "SOFT", "UPDATE", "CRASH")
    }
