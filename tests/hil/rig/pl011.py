"""The UART of the RP2040, an ARM PL011, in place of the emulator's, which has neither FIFO levels nor DMA requests.

FIFOs are 32 deep (1 with FEN clear). The transmit interrupt comes when the level falls through its trigger, the receive
interrupt when the level rises to it, the receive timeout 32 bit times after the last byte. DMA requests follow the
FIFOs as UARTDMACR allows. Left out: modem lines, break and parity errors.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

from rp2040py.peripherals import uart as base
from rp2040py.peripherals.uart import RPUART

from . import bits

DR, RSR, FR, IFLS, DMACR = 0x00, 0x04, 0x18, 0x34, 0x48
BUSY, RXFE, TXFF, RXFF, TXFE = 1 << 3, 1 << 4, 1 << 5, 1 << 6, 1 << 7
RX_INTERRUPT, TX_INTERRUPT, RT_INTERRUPT, OE_INTERRUPT = 1 << 4, 1 << 5, 1 << 6, 1 << 10
FRAMING, OVERRUN = 1 << 8, 1 << 11  # in a received word
TRIGGERS = (4, 8, 16, 24, 28, 28, 28, 28)
DEPTH = 32
RX_DMA, TX_DMA = 1, 2
TIMEOUT_BITS = 32


class Pl011(RPUART):
    """Put in place of UART n by `install` before the firmware starts.

    `feed` queues bytes on the wire towards the chip: each takes its character time, whatever the processor does.
    `on_byte(value)` hears every byte as its stop bit ends. `overruns` counts bytes that found the FIFO full.

    `line_baud` is the rate of whoever is at the other end, 0 for the chip's own. Where the two do not agree, each end
    samples the other's bits at its own instants and hears what comes of that. `garbled` counts what was heard so.
    """

    @classmethod
    def install(cls, mcu, n: int) -> Pl011:
        """Turn UART `n` of `mcu` into this one, in place, so that every reference to it stays good."""
        uart = mcu.uart[n]
        uart.__class__ = cls
        uart.line = deque()
        uart.line_baud = 0
        uart.overruns = uart.received = uart.sent = uart.garbled = 0
        uart._ear, uart._far_ear = bits.Sampler(), bits.Sampler()  # the chip's, and that of the other end
        uart._ear_alarm = mcu.clock.create_alarm(uart._listen)
        uart._far_alarm = mcu.clock.create_alarm(uart._listen_far)
        create = mcu.clock.create_alarm
        uart._tx_alarm, uart._rx_alarm = create(uart._tx_done), create(uart._rx_arrived)
        uart._timeout_alarm = create(uart._rx_timeout)
        uart._clear()
        return uart

    on_byte: Callable[[int], None] | None

    def _clear(self) -> None:
        self._tx: deque[int] = deque()
        self._rx: deque[int] = deque()
        self._shifter = -1
        self._levels, self._dma, self._overrun, self._errors = 0x12, 0, False, 0
        for alarm in (self._tx_alarm, self._rx_alarm, self._timeout_alarm):
            alarm.cancel()

    def reset(self) -> None:
        """Registers and FIFOs as at power-on; what is on the wire stays there."""
        super().reset()
        self._clear()
        if self.line:
            self._rx_alarm.schedule(self.character_ns)

    @property
    def bit_ns(self) -> float:
        """Time of a bit at the chip's baud rate."""
        return 16e9 * (self.baud_divider or 1) / self.rp2040.clk_peri

    @property
    def character_ns(self) -> float:
        """Time of a character with its start, stop and parity bits."""
        control = self._line_ctrl_register
        return (2 + self.word_length + (control >> 1 & 1) + (control >> 3 & 1)) * self.bit_ns

    @property
    def _depth(self) -> int:
        return DEPTH if self.fifos_enabled else 1

    @property
    def _rx_trigger(self) -> int:
        return TRIGGERS[self._levels >> 3 & 7] if self.fifos_enabled else 1

    @property
    def _tx_trigger(self) -> int:
        return TRIGGERS[self._levels & 7] if self.fifos_enabled else 0

    # ------------------------------------------------------------------------------------------- the wire

    def feed(self, data: bytes) -> None:
        """Queue bytes on the wire; they follow one another without gaps."""
        idle = not self.line
        self.line.extend(data)
        if idle and self.line:
            self._rx_alarm.schedule(self._incoming_ns())

    def feed_byte(self, value: int) -> None:
        self.feed(bytes((value,)))

    def _incoming_ns(self) -> float:
        return 10e9 / self.line_baud if self.line_baud else self.character_ns

    def _rx_arrived(self) -> None:
        value = self.line.popleft()
        if self.line:
            self._rx_alarm.schedule(self._incoming_ns())
        if self.agrees:
            self._receive(value)
            return
        bit = 1e9 / self.line_baud
        self._ear.put(self.rp2040.clock.nanos - bits.BITS * bit, value, bit)
        self._listen()
        self._ear_alarm.schedule(bits.BITS * self.bit_ns)  # the last one ends when the line has long been silent

    @property
    def agrees(self) -> bool:
        """Whether both ends of the line have one rate."""
        return not self.line_baud or bits.agree(1e9 / self.line_baud, self.bit_ns)

    def _listen(self) -> None:
        for value, broken in self._ear.heard(self.bit_ns, self.rp2040.clock.nanos):
            self.garbled += 1
            self._receive(value | (FRAMING if broken else 0))

    def _listen_far(self) -> None:
        for value, _ in self._far_ear.heard(1e9 / self.line_baud, self.rp2040.clock.nanos):
            self.garbled += 1
            if self.on_byte:
                self.on_byte(value)

    def _receive(self, value: int) -> None:
        if not (self.enabled and self.rx_enabled):
            return
        if len(self._rx) >= self._depth:
            self.overruns += 1
            self._overrun = True
            self._errors |= 8
            self._interrupt_status |= OE_INTERRUPT
        else:
            self.received += 1
            self._rx.append(value | (OVERRUN if self._overrun else 0))
            self._overrun = False
            if len(self._rx) == self._rx_trigger:
                self._interrupt_status |= RX_INTERRUPT
            if self.fifos_enabled:
                self._timeout_alarm.schedule(TIMEOUT_BITS * self.bit_ns)
        self.check_interrupts()

    def _rx_timeout(self) -> None:
        if self._rx:
            self._interrupt_status |= RT_INTERRUPT
            self.check_interrupts()

    # ------------------------------------------------------------------------------------------- the chip

    def _tx_start(self) -> None:
        if self._shifter < 0 and self._tx and self.enabled and self.tx_enabled:
            self._shifter = self._tx.popleft()
            self._tx_alarm.schedule(self.character_ns)
            if len(self._tx) == self._tx_trigger:
                self._interrupt_status |= TX_INTERRUPT
            self.check_interrupts()

    def _tx_done(self) -> None:
        value, self._shifter = self._shifter, -1
        self.sent += 1
        self._tx_start()
        if not self.agrees:
            self._far_ear.put(self.rp2040.clock.nanos - bits.BITS * self.bit_ns, value, self.bit_ns)
            self._listen_far()
            self._far_alarm.schedule(bits.BITS * 1e9 / self.line_baud)
        elif self.on_byte:
            self.on_byte(value)

    def check_interrupts(self) -> None:
        """Pass interrupt and DMA requests on."""
        self.rp2040.set_interrupt(self.irq, bool(self._interrupt_status & self._interrupt_mask))
        dma = self.rp2040.dma
        wants = self.enabled and self._dma & RX_DMA and self._rx
        (dma.set_dreq if wants else dma.clear_dreq)(self.dreq.rx)
        wants = self.enabled and self._dma & TX_DMA and len(self._tx) < self._depth
        (dma.set_dreq if wants else dma.clear_dreq)(self.dreq.tx)

    @property
    def flags(self) -> int:
        return (
            (BUSY if self._shifter >= 0 or self._tx else 0)
            | (0 if self._rx else RXFE)
            | (RXFF if len(self._rx) >= self._depth else 0)
            | (0 if self._tx else TXFE)
            | (TXFF if len(self._tx) >= self._depth else 0)
        )

    def read_uint32(self, offset: int) -> int:
        if offset == DR:
            return self._read_data()
        if offset == RSR:
            return self._errors
        if offset == IFLS:
            return self._levels
        if offset == DMACR:
            return self._dma
        if offset == base.UARTICR:
            return 0
        return super().read_uint32(offset)

    def _read_data(self) -> int:
        if not self._rx:
            return 0
        value = self._rx.popleft()
        self._errors = value >> 8 & 0xF
        if len(self._rx) < self._rx_trigger:
            self._interrupt_status &= ~RX_INTERRUPT
        if self._rx:
            self._timeout_alarm.schedule(TIMEOUT_BITS * self.bit_ns)
        else:
            self._timeout_alarm.cancel()
            self._interrupt_status &= ~RT_INTERRUPT
        self.check_interrupts()
        return value

    def write_uint32(self, offset: int, value: int) -> None:
        if offset == DR:
            if len(self._tx) < self._depth:
                self._tx.append(value & 0xFF)
                if len(self._tx) > self._tx_trigger:
                    self._interrupt_status &= ~TX_INTERRUPT
                self._tx_start()
        elif offset == RSR:
            self._errors = 0
        elif offset == IFLS:
            self._levels = value & 0x3F
        elif offset == DMACR:
            self._dma = value & 7
        elif offset == base.UARTICR:
            self._interrupt_status &= ~self.raw_write_value
        elif offset == base.UARTCR:
            self._ctrl_register = value & 0xFFFF
            self._tx_start()
        else:
            super().write_uint32(offset, value)
        self.check_interrupts()
