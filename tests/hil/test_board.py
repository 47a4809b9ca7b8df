"""What PicoBoard does around the game: prompt, reset causes, card stop, entropy that fails, the RS-485 driver."""

from __future__ import annotations

import pytest
from bench import connect, records_since
from hands import BATCH, Hands
from rig import files, uf2, wiring
from rig.emulated import EmulatedShoe
from shoetool.client.client import Client
from shoetool.model.protocol_table import BootCause, FaultCode, MessageKind, RecordKind, SelfTest
from shoetool.wire.frames import Frame, decode_body
from shoetool.wire.messages import unpack

SEED = 29
STOP_MS = 40  # from the last edge of a card to the output: a fault is let go with what else the card causes
DMA_BUSY = 1 << 24
WATCHDOG_CONTROL = 0x40058000


def cause(client: Client) -> int:
    """Return enum.boot_cause of the last start, from its record."""
    boots = [record for record in records_since(client, 0) if record.kind == RecordKind.BOOT]
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


# In the place of a slot's main: the shoe as it is, but a pin changes when the game has found a fault in a pass.
MAIN = f"""
from machine import Pin
from pico.shoe_main import run_pico as _run


def run_pico(slot, said):
    from shoe.dealing.machine import Dealing

    decide = Dealing.input_pass
    found = Pin({wiring.LINK_DRIVER_ENABLE}, Pin.OUT, value=0)  # nobody uses it here

    def input_pass(self, p):
        events = decide(self, p)
        for event in events:
            if event[0] == {int(RecordKind.FAULT)}:
                found.value(not found.value())
        return events

    Dealing.input_pass = input_pass
    return _run(slot, said)
"""


@pytest.fixture(scope="module")
def telling(firmware: uf2.Firmware, tmp_path_factory: pytest.TempPathFactory) -> EmulatedShoe:
    """A shoe at the first decision of a round. One with slots shows at a pin when it finds a fault."""
    more = None
    if not firmware.frozen:
        more = files.with_main(files.compiled(MAIN, tmp_path_factory.mktemp("telling")))
    shoe = EmulatedShoe(files.flash_of(firmware, more=more), seed=SEED)
    shoe.power_on()
    Hands(shoe, connect(shoe), SEED).start()
    return shoe


def faults_told(shoe: EmulatedShoe, first_frame: int) -> list[tuple[float, int]]:
    """(µs at the last byte, code) of the faults that the shoe has put on the wire as events."""
    told = []
    for at, raw in shoe.frames[first_frame:]:
        frame = decode_body(raw[:-1])
        if isinstance(frame, Frame) and frame.kind == MessageKind.EVENT:
            fields = unpack(MessageKind.EVENT, "unasked", frame.payload)
            if fields["kind"] == RecordKind.FAULT:
                told.append((at, bytes(fields["payload"])[0]))
    return told


@pytest.mark.parametrize(
    ("kind", "batch", "code"),
    [
        ("double_feed", BATCH, FaultCode.DOUBLE_FEED),
        ("card", BATCH + 2, FaultCode.FOREIGN_BATCH),
        ("stuck_present", BATCH, FaultCode.HEAD_STUCK),
    ],
)
def test_the_card_stop_holds_on_the_grid_and_before_the_fault_is_on_the_wire(
    only_emulated: None, firmware: uf2.Firmware, telling: EmulatedShoe, kind: str, batch: int, code: FaultCode
) -> None:
    print("seed", SEED)
    shoe = telling
    hands = Hands(shoe, connect(shoe), SEED)
    hands.client.subscribe().poll(0.1)
    assert not shoe.panel.card_stop
    found: list[float] = []
    shoe.chip.listen(wiring.LINK_DRIVER_ENABLE, lambda: found.append(shoe.chip.now))
    stops, frames = len(shoe.panel.stops), len(shoe.frames)
    hands.pull(kind, batch=batch)
    shoe.wait(1.3)  # a card that the card sensor does not see may have halted for a second
    engaged = next(at for at, on in shoe.panel.stops[stops:] if on)
    after_edge = (engaged - shoe.last_edge_us[0]) / 1000
    print(f"card stop {after_edge:.1f} ms after the last edge")
    assert firmware.frozen or engaged > found[0]
    if code != FaultCode.HEAD_STUCK:  # which waits before it is one
        assert after_edge <= STOP_MS
    told = [at for at, fault in faults_told(shoe, frames) if fault == code]
    assert told and engaged < told[0]


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
