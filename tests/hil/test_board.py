"""What PicoBoard does around the game: prompt, reset causes, card stop, entropy that fails, the RS-485 driver."""

from __future__ import annotations

from typing import Any

import pytest
from bench import connect
from hands import Hands
from rig import files, uf2
from rig.emulated import EmulatedShoe
from shoetool.client import Client
from shoetool.model.protocol_table import BootCause, FaultCode, RecordKind, SelfTest

SEED = 29
STOP_MS = 10  # from a fault found to the output
DMA_BUSY = 1 << 24
WATCHDOG_CONTROL = 0x40058000


def cause(client: Client) -> int:
    """Return enum.boot_cause of the last start, from its record."""
    end = client.status().next_record
    boots = [record for record in client.records(0, idle_s=0.05) if record.kind == RecordKind.BOOT]
    assert boots and boots[-1].number < end
    return int(boots[-1].values[0])


def busy_channels(shoe: EmulatedShoe) -> list[int]:
    return [n for n in range(12) if shoe.chip.mcu.read_uint32(0x50000010 + 0x40 * n) & DMA_BUSY]


def test_ctrl_c_leaves_a_quiet_chip_and_ctrl_d_starts_it_again(emulated: EmulatedShoe) -> None:
    assert cause(connect(emulated)) == BootCause.POWER_ON
    assert len(busy_channels(emulated)) >= 4  # the heads and the link
    emulated.chip.interrupt()
    assert b"shoe stopped, the card stop holds" in emulated.log
    assert emulated.panel.card_stop and emulated.panel.lamps == 0
    assert busy_channels(emulated) == []
    assert not emulated.chip.mcu.read_uint32(0x50200000) & 0xF  # no state machine of PIO0 runs
    assert not emulated.chip.mcu.read_uint32(WATCHDOG_CONTROL) & 1 << 30
    emulated.wait(9.0)  # longer than the watchdog's time
    assert not emulated.chip.resets
    emulated.chip.usb.write(b"\x04")
    emulated.wait_ready()
    assert cause(connect(emulated)) == BootCause.SOFT


def test_a_reset_that_was_announced_as_an_update_is_one(emulated: EmulatedShoe) -> None:
    emulated.chip.execute("from pico import chip\nchip.note_boot_cause(3)")
    emulated.chip.usb.write(b"import machine\rmachine.reset()\r")
    emulated.wait_ready()
    assert emulated.chip.resets
    assert cause(connect(emulated)) == BootCause.UPDATE


def test_an_oscillator_that_sticks_fails_the_self_test_and_no_card_is_sealed_with_it(emulated: EmulatedShoe) -> None:
    client = connect(emulated)
    emulated.chip.oscillator.stuck = 1
    taken = emulated.chip.oscillator.samples
    emulated.wait(0.5)
    failed = client.self_test().failed
    assert failed >> SelfTest.ENTROPY & 1
    assert client.self_test().failed == failed, "what it loads is loaded again"
    assert emulated.chip.oscillator.samples > taken, "nobody asked the oscillator"
    assert emulated.panel.card_stop


def test_the_card_stop_holds_before_the_fault_is_on_the_wire(playing: Any, only_emulated: None) -> None:
    print("seed", SEED)
    hands = Hands(playing, connect(playing), SEED)
    assert not playing.panel.card_stop
    stops = len(playing.panel.stops)
    hands.pull("double_feed")
    playing.wait(0.3)
    assert FaultCode.DOUBLE_FEED in {r.values[0] for r in hands.news() if r.kind == RecordKind.FAULT}
    engaged = next(at for at, on in playing.panel.stops[stops:] if on)
    after = (engaged - playing.last_edge_us[0]) / 1000
    print(f"card stop {after:.1f} ms after the last edge")
    assert after <= 2 * STOP_MS  # what is left of reading the card is in it


@pytest.fixture(scope="module")
def rs485(firmware: uf2.Firmware) -> EmulatedShoe:
    """A shoe whose transceiver's driver has to be enabled."""
    shoe = EmulatedShoe(files.flash_of(firmware, {"rs485": True}), seed=3)
    shoe.power_on()
    return shoe


def test_an_rs485_driver_is_on_around_every_answer_and_off_in_between(only_emulated: None, rs485: EmulatedShoe) -> None:
    uart = rs485.chip.uart
    hear = uart.on_byte
    while_off = []
    sent = []

    def note(value: int) -> None:
        sent.append(rs485.chip.now)
        if not rs485.sends:
            while_off.append(rs485.chip.now)
        hear(value)

    uart.on_byte = note
    client = connect(rs485)
    for _ in range(5):
        client.status()
        rs485.wait(0.002)
        assert not rs485.sends
    assert len(sent) > 200 and not while_off
