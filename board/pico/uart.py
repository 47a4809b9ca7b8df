"""The line to the table's computer: UART0 at 921,600 baud, 8N1, with DMA both ways.

Received bytes go straight from the UART's data register into a ring in RAM, whatever the processor does: while flash is
erased with interrupts off, nothing is lost that the ring holds (44 ms of a full line; a host has at most eight requests
under way, which are 3 kB). A second DMA channel sets the first one to the ring's start each time that it has come to
its end, so that the ring needs no alignment and the count never runs out. What nobody read in time is dropped as a
whole and counted in `overruns`; the frames that it cuts fail their CRC.

Bytes to send lie in a second ring; each piece that DMA has sent is followed by the next from an interrupt. With an
RS-485 transceiver the driver is enabled before the first bit and dropped after the last stop bit by DMA alone: behind
the data a channel that is paced by a timer of the DMA controller holds the pin high for longer than the UART's FIFO can
take to run empty, and then lets it go. So a processor that is busy never holds the bus.
"""

# pyright: reportMissingImports=false, reportAttributeAccessIssue=false
from array import array

import rp2
import uctypes
from machine import UART, Pin, freq, mem32
from shoe.compat import const, micropython, ptr8

from pico import pins

BAUD = const(921600)
RX_RING = const(4096)
TX_RING = const(2048)
_LAPS = const(4)  # of the receive ring that are told apart
_LAPS_BITS = const(4)  # of the size of four words
_ALL = const(16384)  # _LAPS * RX_RING
_PIECE = const(512)  # most that is sent in one go, so that its room is free again soon
# While more than this is on its way, requests gather: each turn of the application costs time and memory, and their
# answers would wait all the same. It takes 7 ms, in which a turn answers two.
_MUCH = const(640)
_LITTLE = const(32)

_UART0 = const(0x40034000)
_DATA = const(0x00)
_FLAGS = const(0x18)
_FLAG_BUSY = const(1 << 3)
_INTERRUPTS = const(0x38)
_DMA_CONTROL = const(0x48)
_REQUEST_TX = const(20)  # DMA's request lines of UART0
_REQUEST_RX = const(21)
_REQUEST_TIMER_0 = const(59)

_GPIO_IN = const(0xD0000004)
_DMA = const(0x50000000)
_CHANNEL = const(0x40)
_CONTROL_NO_TRIGGER = const(0x10)
_READ_ADDRESS = const(0x00)
_COUNT = const(0x08)
_WRITE_ADDRESS_TRIGGER = const(0x2C)
_TIMER_0 = const(0x420)
_START = const(0x430)  # a bit for each channel
_ABORT = const(0x444)

# The driver's pin is held by overriding its output: DMA cannot reach the registers that Pin.value() writes.
_PIN_CONTROL = 0x40014004 + 8 * pins.UART_DRIVER_ENABLE
_PIN_LOW = const(5 | 2 << 8)  # function SIO, output driven low
_PIN_HIGH = const(5 | 3 << 8)
# When DMA is through, 32 bytes in the FIFO and one on its way take 358 µs; the driver is held for 400 to 450.
_STEPS_A_SECOND = const(20000)
_HOLD_STEPS = const(8)


class UartLine:
    """The line. `rs485`: drive the transceiver's enable pin. OSError when no DMA channel is free."""

    def __init__(self, rs485=False):
        self.overruns = 0
        self.hold = 0  # pins of the read heads: while one of them is High no further piece begins
        self._channels = []
        self._drop = None
        self._uart = UART(0, BAUD, tx=Pin(pins.UART_TX), rx=Pin(pins.UART_RX), rxbuf=32, txbuf=32)
        mem32[_UART0 + _INTERRUPTS] = 0  # MicroPython's driver only sets it up; DMA does the rest
        try:
            self._start_receiving()
            self._start_sending(rs485)
        except BaseException:
            self.close()  # DMA would go on into a ring that is nobody's any more
            raise
        mem32[_UART0 + _DMA_CONTROL] = 3

    def _channel(self):
        """One more DMA channel that `close` stops."""
        dma = rp2.DMA()
        self._channels.append(dma)
        return dma

    # ------------------------------------------------------------------------------------------------ receive
    def _start_receiving(self):
        self._rx = bytearray(RX_RING)
        # The ring's start, four times, which the second channel reads in turn: where it is says how often it came by.
        # MicroPython's heap gives out multiples of 16 bytes, so that DMA can go round in them.
        self._starts = array("I", [uctypes.addressof(self._rx)] * _LAPS)
        self._read = 0  # in all laps, as `_front`
        self._last_front = 0
        data = self._rx_data = self._channel()
        again = self._rx_again = self._channel()
        again.config(
            read=self._starts,
            write=_DMA + _CHANNEL * data.channel + _WRITE_ADDRESS_TRIGGER,
            count=1,
            ctrl=again.pack_ctrl(size=2, inc_write=False, ring_size=_LAPS_BITS),
        )
        data.config(
            read=_UART0 + _DATA,
            write=self._rx,
            count=RX_RING,
            ctrl=data.pack_ctrl(size=0, inc_read=False, treq_sel=_REQUEST_RX, chain_to=again.channel),
            trigger=True,
        )

    def _front(self):
        """Where DMA puts the next byte, counted through all laps."""
        laps = -1
        left = 0
        while laps != self._rx_again.read:
            laps = self._rx_again.read
            left = self._rx_data.count
        if left:  # else a lap is ending at this moment, and the next look tells how
            self._last_front = ((laps >> 2 & _LAPS - 1) + 1) * RX_RING - left
        return self._last_front

    def read(self, buf, most=RX_RING):
        """Move received bytes, `most` at most, into `buf`; return their number."""
        front = self._front()
        n = (front - self._read) % _ALL
        if n > RX_RING:
            self.overruns += 1
            self._read = front
            return 0
        at = self._read % RX_RING
        n = min(n, RX_RING - at, len(buf), most)
        if n:
            _copy(buf, 0, self._rx, at, n)
            self._read = (self._read + n) % _ALL
        return n

    def busy(self):
        """Whether bytes are on their way that an event would have to wait for."""
        return self._queued() > _LITTLE

    def ready(self, card=None):
        """True when there are bytes to read that should not wait, or room again for bytes that `write` refused.

        They wait while much is on its way, or anything at all while `card()`, if it is given, says so.
        """
        if self._front() != self._read:
            queued = self._queued()
            if queued <= _LITTLE or (queued <= _MUCH and not (card and card())):
                return True
        if self._refused and self._room() >= _PIECE:
            self._refused = False
            return True
        return False

    # ------------------------------------------------------------------------------------------------ send
    def _start_sending(self, rs485):
        self._tx = bytearray(TX_RING)
        self._tx_at = uctypes.addressof(self._tx)
        self._head = 0  # first byte that is not sent
        self._tail = 0  # behind the last byte that is here
        self._goal = 0  # behind the last byte that may be sent; what was loaded lies between
        self._sending = 0  # bytes of the piece that DMA is sending
        self._refused = False
        data = self._tx_data = self._channel()
        chain_to = data.channel
        begins = []
        if rs485:
            mem32[_PIN_CONTROL] = _PIN_LOW
            Pin(pins.UART_DRIVER_ENABLE, Pin.OUT, value=0)
            mem32[_PIN_CONTROL] = _PIN_LOW
            mem32[_DMA + _TIMER_0] = 1 << 16 | freq() // _STEPS_A_SECOND
            self._levels = array("I", [_PIN_HIGH] * _HOLD_STEPS + [_PIN_LOW])
            drop = self._drop = self._channel()
            self._drop_control = drop.pack_ctrl(size=2, inc_write=False, treq_sel=_REQUEST_TIMER_0)
            self._drop_switch = _DMA + _CHANNEL * drop.channel + _CONTROL_NO_TRIGGER
            drop.config(read=self._levels, write=_PIN_CONTROL, count=_HOLD_STEPS + 1, ctrl=self._drop_control)
            chain_to = drop.channel
            place = _DMA + _CHANNEL * drop.channel
            begins = [
                self._drop_switch, 0, _DMA + _ABORT, 1 << drop.channel, _PIN_CONTROL, _PIN_HIGH,
                place + _READ_ADDRESS, uctypes.addressof(self._levels), place + _COUNT, _HOLD_STEPS + 1,
                self._drop_switch, self._drop_control,
            ]  # fmt: skip
        # Address and value of each store that begins a piece which `arm` made ready: what `_send` does.
        self.begins = begins + [_DMA + _START, 1 << data.channel]
        data.config(
            write=_UART0 + _DATA,
            ctrl=data.pack_ctrl(
                size=0, inc_write=False, treq_sel=_REQUEST_TX, chain_to=chain_to, irq_quiet=False
            ),
        )  # fmt: skip
        self._done = self._sent  # made once: an interrupt may not allocate
        data.irq(handler=self._done, hard=True)

    def _room(self):
        return TX_RING - 1 - ((self._tail - self._head) & (TX_RING - 1))

    def _queued(self):
        """Bytes that DMA has yet to send; a piece more or less while one ends."""
        waiting = (self._tail - self._head) & (TX_RING - 1)
        sending = self._sending
        return waiting - sending + self._tx_data.count if sending else waiting

    def write(self, buf, n):
        """Offer n bytes of `buf`; return how many were taken, 0 when there is no room. All that is here is sent."""
        taken = self.load(buf, n) if n > 0 else 0
        self._goal = self._tail
        if not self._sending and self._head != self._goal:
            self._send()
        return taken

    def load(self, buf, n):
        """As `write`, but none of it is sent before the next `write` or the stores of `begins`."""
        if self._head == self._tail and not self._sending:
            self._head = self._tail = self._goal = 0  # so that what leaves at a point of the clock is in one piece
        tail = self._tail
        n = min(n, self._room())
        if not n:
            self._refused = True
            return 0
        first = min(n, TX_RING - tail)
        _copy(self._tx, tail, buf, 0, first)
        if n > first:
            _copy(self._tx, 0, buf, first, n - first)
        self._tail = (tail + n) & (TX_RING - 1)
        return n

    def arm(self):
        """Make what is here ready, so that the stores of `begins` send it; interrupts are off until then.

        False when nothing waits, or a piece is under way: then the next one follows it.
        """
        self._goal = self._tail
        if self._sending or self._head == self._tail:
            return False
        self._take_piece()
        return True

    def disarm(self):
        """The stores were not done."""
        self._sending = 0

    def _sent(self, dma):
        """DMA has put its piece into the UART's FIFO: the next one, unless a head sees a card: `write` goes on."""
        self._head = (self._head + self._sending) & (TX_RING - 1)
        self._sending = 0
        if self._head != self._goal and not mem32[_GPIO_IN] & self.hold:
            self._send()

    def _send(self):
        """Send from the head on; no DMA is sending."""
        drop = self._drop
        if drop is not None:
            # The last piece's drop may be under way. Disabled before the abort, which is safe then (RP2040-E13).
            mem32[self._drop_switch] = 0
            drop.active(0)
            mem32[_PIN_CONTROL] = _PIN_HIGH
            drop.read = self._levels
            drop.count = _HOLD_STEPS + 1
            mem32[self._drop_switch] = self._drop_control
        self._take_piece()
        self._tx_data.active(1)

    def _take_piece(self):
        """The next piece is that from the head on: DMA has only to begin."""
        head = self._head
        n = self._goal - head if self._goal > head else TX_RING - head
        if n > _PIECE:
            n = _PIECE
        self._sending = n
        data = self._tx_data
        data.read = self._tx_at + head
        data.count = n

    def idle(self):
        """True when the last stop bit of all that was written has left."""
        return not self._sending and not mem32[_UART0 + _FLAGS] & _FLAG_BUSY

    def close(self):
        """Stop both ways and give the channels and the UART back."""
        mem32[_UART0 + _DMA_CONTROL] = 0
        for dma in self._channels:
            dma.irq(None)  # an abort may raise an interrupt as if all were sent (RP2040-E13)
            mem32[_DMA + _CHANNEL * dma.channel + _CONTROL_NO_TRIGGER] = 0  # so that neither starts the other
        for dma in self._channels:
            dma.active(0)  # before MicroPython 1.27 close() alone leaves a channel as it is
            dma.close()
        self._channels = []
        if self._drop is not None:
            mem32[_PIN_CONTROL] = _PIN_LOW
            Pin(pins.UART_DRIVER_ENABLE, Pin.IN, Pin.PULL_DOWN)
        self._uart.deinit()


@micropython.viper
def _copy(out: ptr8, at: int, data: ptr8, start: int, n: int):  # pyright: ignore
    """Copy `n` bytes of `data` from `start` on into `out` from `at` on; slices would take of the heap."""
    for i in range(n):
        out[at + i] = data[start + i]
