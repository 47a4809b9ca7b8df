"""The line to the table's computer: DMA both ways on the emulator's registers, and an RS-485 driver that DMA drops."""

from __future__ import annotations

import importlib
import random
import struct
import sys
from types import SimpleNamespace
from typing import Any

import pytest
from dma_chip import DmaChip
from pico import pins
from rig.flash import ERASE_NS, NorFlash
from rp2040py.peripherals.ssi import CMD_SECTOR_ERASE
from shoe.line.link import MAX_HISTORY_DATA, Link
from shoetool.client.session import WIDE_WINDOW
from shoetool.model.protocol_table import MessageKind
from shoetool.wire.frames import encode_frame

BYTE_US = 10e6 / 921_600


class Line:
    """board/pico/uart.py on a chip: `sent` holds (µs at the end of the stop bit, byte) of each byte on the wire."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, rs485: bool = False) -> None:
        self.chip = DmaChip()
        for name, module in self.chip.modules().items():
            monkeypatch.setitem(sys.modules, name, module)
        monkeypatch.delitem(sys.modules, "pico.uart", raising=False)
        self.module: Any = importlib.import_module("pico.uart")
        monkeypatch.delitem(sys.modules, "pico.uart")
        self.chip.install(monkeypatch, self.module)
        self.sent: list[tuple[float, int]] = []
        self.chip.uart.on_byte = lambda value: self.sent.append((self.chip.now_us, value))
        self.uart = self.module.UartLine(rs485)

    def read_all(self, size: int = 256) -> bytes:
        got = b""
        buf = bytearray(size)
        while n := self.uart.read(buf):
            got += bytes(buf[:n])
        return got

    def bytes_sent(self) -> bytes:
        return bytes(value for _, value in self.sent)


@pytest.fixture
def line(monkeypatch: pytest.MonkeyPatch) -> Line:
    return Line(monkeypatch)


def test_what_comes_at_the_full_rate_is_read_in_order_whatever_the_pauses(line: Line) -> None:
    rng = random.Random(20261121)
    data = rng.randbytes(20_000)
    line.chip.uart.feed(data)
    got = b""
    longest = 0.0
    while len(got) < len(data):
        pause = rng.choice((0, 50, 500, 5_000, 40_000)) * rng.random()
        longest = max(longest, pause)
        line.chip.run_us(pause + 11)
        got += line.read_all(rng.choice((1, 7, 64, 256)))
        assert line.chip.now_us < 2 * len(data) * BYTE_US + 50_000, "the bytes do not come"
    assert got == data
    assert longest > 30_000  # nearly a ring
    assert line.chip.uart.overruns == line.uart.overruns == 0


def test_no_more_is_read_than_was_asked_for_and_the_rest_stays(line: Line) -> None:
    rng = random.Random(20261122)
    data = rng.randbytes(9_000)
    got = b""
    for at in range(0, len(data), 3_000):
        line.chip.uart.feed(data[at : at + 3_000])
        line.chip.run_us(3_003 * BYTE_US)
        while len(got) < at + 3_000:
            buf, most = bytearray(rng.choice((1, 40, 256))), rng.choice((1, 32, 48, 4_096))
            n = line.uart.read(buf, most)
            assert 0 < n <= min(len(buf), most) and not any(buf[n:])
            got += bytes(buf[:n])
    assert got == data and not line.uart.ready()


def test_nothing_is_lost_while_interrupts_are_off_for_the_time_of_an_erase(line: Line) -> None:
    data = bytes(i * 7 & 0xFF for i in range(4_000))
    line.chip.interrupts = False
    line.chip.uart.feed(data)
    line.chip.run_us(44_000)
    line.chip.interrupts = True
    assert line.read_all() == data
    assert not line.uart.ready()


def test_nothing_is_lost_that_comes_while_the_rigs_flash_chip_is_erased(line: Line) -> None:
    """As the suite on the emulated chip feeds it: from the moment at which an erase begins, with the wire full."""
    chip = line.chip
    flash = NorFlash.install(chip.mcu, 1)
    data = random.Random(20261125).randbytes(int(ERASE_NS[CMD_SECTOR_ERASE] / 1000 / BYTE_US) - 60)
    flash.on_operation = lambda name, address, size: chip.uart.feed(data)
    flash._erase(0, 4096, ERASE_NS[CMD_SECTOR_ERASE])
    assert chip.uart.received == len(data) > 4_000, "they did not come meanwhile"
    assert line.read_all() == data
    assert chip.uart.overruns == line.uart.overruns == 0


@pytest.mark.parametrize("before", [0, 1, 100, 4_095])
def test_a_ring_that_was_lapped_is_dropped_as_a_whole_and_said_once(line: Line, before: int) -> None:
    line.chip.uart.feed(bytes(before))
    line.chip.run_us((before + 2) * BYTE_US)
    assert len(line.read_all()) == before
    ring = line.module.RX_RING
    line.chip.uart.feed(b"\x55" * (ring + 3))
    line.chip.run_us((ring + 6) * BYTE_US)
    assert line.read_all() == b"" and line.uart.overruns == 1
    line.chip.uart.feed(b"after")
    line.chip.run_us(8 * BYTE_US)
    assert line.read_all() == b"after" and line.uart.overruns == 1


def test_a_full_ring_read_at_its_last_byte_is_no_overrun(line: Line) -> None:
    ring = line.module.RX_RING
    for _ in range(3):
        data = bytes(i & 0xFF for i in range(ring - 1))
        line.chip.uart.feed(data)
        line.chip.run_us((ring + 1) * BYTE_US)
        assert line.read_all() == data
    assert line.uart.overruns == 0


def test_ready_says_when_there_are_bytes_and_when_there_is_room_again(line: Line) -> None:
    assert not line.uart.ready()
    line.chip.uart.feed(b"x")
    line.chip.run_us(2 * BYTE_US)
    assert line.uart.ready()
    line.read_all()
    assert not line.uart.ready()
    offered = 0
    while n := line.uart.write(bytes(600), 600):
        offered += n
    assert offered == line.module.TX_RING - 1
    assert not line.uart.ready()
    line.chip.run_us(900 * BYTE_US)
    assert line.uart.ready() and not line.uart.ready()


@pytest.mark.parametrize(("card", "most"), [(False, 640), (True, 32)])
def test_requests_gather_while_their_answers_would_have_to_wait(line: Line, card: bool, most: int) -> None:
    line.uart.write(bytes(1500), 1500)
    line.chip.uart.feed(b"request")
    line.chip.run_us(10 * BYTE_US)
    for left in (1400, 1000, most + 40):
        line.chip.run_us((1500 - left) * BYTE_US - line.chip.now_us)
        assert line.uart.busy() and not line.uart.ready(lambda: card)
    line.chip.run_us(100 * BYTE_US)
    assert line.uart.ready(lambda: card) and line.uart.busy() == (not card)
    assert line.read_all() == b"request" and not line.uart.ready(lambda: card)


@pytest.mark.parametrize("pause_us", [1_000, 9_000, 45_000])
def test_as_many_requests_as_the_host_has_under_way_find_room_for_their_answers(line: Line, pause_us: int) -> None:
    link = Link(line.uart.write, 1024)
    link.serve((SimpleNamespace(history_read=lambda page, offset, into: (len(into), 4096)),))
    buf = bytearray(256)
    asked = answered = 0
    while answered < 40:
        while asked < answered + WIDE_WINDOW:
            line.chip.uart.feed(
                encode_frame(MessageKind.HISTORY_READ, 1, asked, struct.pack("<IHH", 7, 0, MAX_HISTORY_DATA))
            )
            asked += 1
        line.chip.run_us(pause_us if answered % 7 == 3 else 1_000)
        while n := line.uart.read(buf):
            link.receive(buf, n)
        link.pump()
        answered = line.bytes_sent().count(0) // 2
    assert link.dropped_answers == 0 and link.frames >= 40


def test_what_is_written_leaves_in_order_and_without_a_gap(line: Line) -> None:
    rng = random.Random(7)
    data = rng.randbytes(12_000)
    at = 0
    while at < len(data):
        piece = data[at : at + rng.randrange(1, 700)]
        at += line.uart.write(piece, len(piece))
        line.chip.run_us(20)
    while not line.uart.idle():
        line.chip.run_us(50)
    assert line.bytes_sent() == data
    gaps = [b[0] - a[0] for a, b in zip(line.sent, line.sent[1:], strict=False)]
    assert max(gaps[100:]) < 1.5 * BYTE_US, "the wire stood still while there was something to send"
    assert line.chip.handled > len(data) // 512


def test_what_is_loaded_waits_for_the_next_write_also_behind_a_piece_that_is_being_sent(line: Line) -> None:
    rng = random.Random(20261123)
    data = rng.randbytes(9_000)
    at = may = 0
    while at < len(data):
        n = min(rng.choice((1, 30, 300)), len(data) - at)
        if rng.random() < 0.5:
            at += line.uart.load(data[at : at + n], n)
        else:
            at += line.uart.write(data[at : at + n], n)
            may = at
        if rng.random() < 0.2:
            assert line.uart.write(b"", 0) == 0
            may = at
        line.chip.run_us(rng.choice((10, 1_000, 20_000)))
        assert line.bytes_sent() == data[: len(line.sent)]
        assert len(line.sent) <= may
    line.uart.write(b"", 0)
    line.chip.run_us(30_000)
    assert line.bytes_sent() == data


def test_what_is_loaded_into_an_empty_ring_leaves_in_one_piece_wherever_the_last_one_ended(line: Line) -> None:
    """Two pieces would need an interrupt in between, whose time could be seen when the first one is short."""
    rng = random.Random(20261125)
    for turn in range(300):
        size = rng.choice((20, 58, 75, 371))
        data = rng.randbytes(size)
        handled, sent = line.chip.handled, len(line.sent)
        line.uart.load(data, size)
        line.uart.write(b"", 0)
        line.chip.run_us((size + 3) * BYTE_US)
        assert line.bytes_sent()[sent:] == data and line.chip.handled == handled + 1, turn


def test_nobody_is_asked_to_take_nothing(line: Line) -> None:
    assert line.uart.write(b"", 0) == 0
    assert line.uart.idle()


def test_close_gives_everything_back(monkeypatch: pytest.MonkeyPatch) -> None:
    line = Line(monkeypatch, rs485=True)
    line.uart.write(b"half a frame", 12)
    line.chip.run_us(30)
    assert len(line.chip.busy()) >= 2  # receiving, and sending or holding the driver
    line.uart.close()
    line.chip.run_us(5_000)
    assert not line.chip.claimed and not line.chip.handlers and not line.chip.busy()
    assert not line.chip.pin(pins.UART_DRIVER_ENABLE)
    line.chip.uart.feed(b"x")
    line.chip.run_us(100)


def test_the_next_line_begins_with_an_empty_ring(line: Line) -> None:
    line.chip.uart.feed(b"old")
    line.chip.run_us(100)
    line.uart.close()
    line.uart = line.module.UartLine()
    assert not line.uart.ready()
    line.chip.uart.feed(b"new")
    line.chip.run_us(100)
    assert line.read_all() == b"new"


@pytest.mark.parametrize("channels", [0, 1, 2, 3])
def test_when_a_channel_is_missing_none_is_left_at_work(line: Line, channels: int) -> None:
    line.uart.close()
    line.chip.channels = channels
    with pytest.raises(OSError):
        line.module.UartLine(rs485=True)
    assert not line.chip.busy() and not line.chip.claimed
    assert not line.chip.pin(pins.UART_DRIVER_ENABLE)


# ------------------------------------------------------------------------------------------------------- RS-485
class Driver:
    """Watches the driver's pin: `spans` of (µs on, µs off)."""

    def __init__(self, line: Line) -> None:
        self.line = line
        self.spans: list[list[float]] = []
        line.chip.mcu.gpio[pins.UART_DRIVER_ENABLE].add_listener(lambda value, last: self.look())
        self.look()

    def look(self) -> None:
        now = self.line.chip.now_us
        on = self.line.chip.pin(pins.UART_DRIVER_ENABLE)
        if on and (not self.spans or len(self.spans[-1]) == 2):
            self.spans.append([now])
        elif not on and self.spans and len(self.spans[-1]) == 1:
            self.spans[-1].append(now)


@pytest.mark.parametrize("interrupts", [True, False])
@pytest.mark.parametrize("size", [1, 2, 31, 32, 33, 34, 100, 371])
def test_the_driver_is_on_from_before_the_first_bit_to_after_the_last_stop_bit(
    monkeypatch: pytest.MonkeyPatch, size: int, interrupts: bool
) -> None:
    line = Line(monkeypatch, rs485=True)
    driver = Driver(line)
    line.chip.run_us(100)
    line.chip.interrupts = interrupts
    begin = line.chip.now_us
    line.uart.write(bytes(size), size)
    line.chip.run_us(size * BYTE_US + 1_500)
    assert len(line.sent) == size
    assert len(driver.spans) == 1 and len(driver.spans[0]) == 2, driver.spans
    on, off = driver.spans[0]
    assert begin <= on <= line.sent[0][0] - BYTE_US + 0.5  # before the start bit
    assert off > line.sent[-1][0]
    assert off - line.sent[-1][0] < 460


def test_the_driver_stays_on_between_pieces_and_frames_that_follow_each_other(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = random.Random(485)
    line = Line(monkeypatch, rs485=True)
    driver = Driver(line)
    written = 0
    for _ in range(150):
        n = rng.choice((1, 5, 30, 40, 200))
        written += line.uart.write(bytes(n), n)
        line.chip.run_us(rng.choice((0, 5, 100, 380, 400, 420, 450, 500, 12_000)) + rng.random())
    while not line.uart.idle():
        line.chip.run_us(50)
    line.chip.run_us(1_000)
    assert len(line.sent) == written
    assert len(driver.spans) > 10 and all(len(span) == 2 for span in driver.spans)
    spans = iter(driver.spans)
    on, off = next(spans)
    for end, _ in line.sent:
        while end > off:
            on, off = next(spans)
        assert on <= end - BYTE_US + 0.5 and end < off, "a byte left while the driver was off"
