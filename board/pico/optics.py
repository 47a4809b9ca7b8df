"""The read heads: a PIO state machine a head watches the four lines, DMA carries each change into RAM with its time.

No interrupt and no processor has a part in it: garbage collection, a flash that is being erased with interrupts off, or
a busy USB delay when an edge is read and lose none, up to 511 unread ones a head. What did not fit is reported.
"""

# pyright: reportMissingImports=false
from array import array

import rp2
from machine import Pin, mem32
from shoe.compat import const

from pico import optics_program, optics_ring
from pico.optics_ring import ENTRIES

_LINES = const(4)
_PRINTED_ALIKE = const(7)  # PRESENT, CLOCK_A, CLOCK_B
_PIO0 = const(0x50200000)
_FDEBUG = const(0x08)  # bit of each state machine: it waited for room in its receive FIFO
_RECEIVED = const(0x20)  # receive FIFO of state machine 0, the others behind it
_REQUEST_OF_PIO0 = const(4)  # DMA's request lines of PIO0's receive FIFOs
_TIMER_US = const(0x40054028)  # TIMERAWL, the counter that ticks_us() reads
_DMA = const(0x50000000)
_CHANNEL = const(0x40)
_WRITE_ADDRESS = const(0x04)
_CONTROL_NO_TRIGGER = const(0x10)
_GPIO_IN = const(0xD0000004)
_BYTE = const(0)
_WORD = const(2)
_STATE_RING_BITS = const(9)  # 2^9 bytes
_TIME_RING_BITS = const(11)
_TIME_RING = const(2048)
_MOST_LOOKS = const(8)


class Optics:
    """Read heads on PIO0. `first_pins`: for each head the lowest of its four pins: PRESENT, CLOCK_A, CLOCK_B, DATA.

    OSError when DMA channels or state machines are taken.
    """

    def __init__(self, first_pins):
        self._first_pins = first_pins
        count = len(first_pins)
        # Rings lie at multiples of their size: those of times first, so that those of states follow in place.
        self._memory = bytearray(count * (_TIME_RING + ENTRIES) + _TIME_RING - 16)
        base = (_address(self._memory) + _TIME_RING - 1) & ~(_TIME_RING - 1)
        self._times_at = base
        self._states_at = base + count * _TIME_RING
        self._control = [array("i", [0] * optics_ring.CONTROL) for _ in first_pins]
        self._looks = 0
        self._machines = [rp2.StateMachine(head) for head in range(count)]
        self._channels = [(rp2.DMA(), rp2.DMA()) for _ in first_pins]
        for first in first_pins:
            for line in range(_LINES):
                Pin(first + line, Pin.IN, Pin.PULL_DOWN)  # a head that is not there sees nothing
        try:
            for head in range(count):
                self._start(head)
        except BaseException:
            self.close()  # DMA would go on into rings that are nobody's any more
            raise

    def read(self, head, times, lines):
        """Move up to len(lines) edges of `head` into `times` and `lines`, as board/README.md says; allocates nothing.

        Return their number, or once when edges were lost -1, and -2 when they came faster than any card makes them; the
        head is watched anew from then on.
        """
        n = optics_ring.take(self._control[head], times, lines, len(lines))
        if n < 0:
            if optics_ring.flooded(self._control[head]):
                n = optics_ring.FLOODED
            self._start(head)
        return n

    def begin(self):
        """Watch every head anew: what was seen before is forgotten, the state found now counts as an edge."""
        for head in range(len(self._machines)):
            self._start(head)

    def unread(self, heads=-1):
        """Whether `read` has anything to hand out for one of the heads in the mask `heads`."""
        for head in range(len(self._control)):
            if heads >> head & 1 and optics_ring.unread(self._control[head]):
                return True
        return False

    def pins(self, heads):
        """Mask of the pins of the lines that are printed alike on all cards, of the heads in the mask `heads`."""
        mask = 0
        for head in range(len(self._first_pins)):
            if heads >> head & 1:
                mask |= _PRINTED_ALIKE << self._first_pins[head]
        return mask

    def waiting(self):
        """Whether `read` has something to say that should not wait; asked once a millisecond or so.

        While a card goes by, its edges are left to gather, since each turn of the application costs time and memory.
        """
        worth = 0
        for control in self._control:
            worth |= optics_ring.unread(control)
        self._looks = self._looks + 1 if worth else 0
        if worth < 2 and self._looks < _MOST_LOOKS:
            return False
        self._looks = 0
        return True

    def due(self):
        """Whether a card has just gone by, or there is something else that `read` should take at once."""
        for control in self._control:
            if optics_ring.unread(control) > 1:
                return True
        return False

    def lines(self, head):
        """The state of the four lines of `head` now, as in `read`."""
        return mem32[_GPIO_IN] >> self._first_pins[head] & 15

    def close(self):
        """Stop watching and give back state machines, DMA channels and the program's place."""
        for head in range(len(self._machines)):
            self._stop(head)
            for channel in self._channels[head]:
                channel.close()
        self._machines = self._channels = []
        try:
            rp2.PIO(0).remove_program(optics_program.watch)
        except ValueError:  # no head got so far
            pass

    def _stop(self, head):
        self._machines[head].active(0)
        for channel in self._channels[head]:
            # Disabled before it is aborted: an abort alone may start the channel it is chained to.
            mem32[_DMA + _CHANNEL * channel.channel + _CONTROL_NO_TRIGGER] = 0
        for channel in self._channels[head]:
            channel.active(0)

    def _start(self, head):
        """Begin anew with empty rings; the state found first counts as an edge when it is not the last one read."""
        self._stop(head)
        states = self._states_at + ENTRIES * head
        times = self._times_at + _TIME_RING * head
        for at in range(states, states + ENTRIES, 4):
            mem32[at] = 0xFFFFFFFF
        state_channel, time_channel = self._channels[head]
        control = self._control[head]
        control[optics_ring.NEXT] = 0
        control[optics_ring.STATES] = states
        control[optics_ring.STAMPS] = times
        control[optics_ring.STATES_WRITTEN] = _DMA + _CHANNEL * state_channel.channel + _WRITE_ADDRESS
        control[optics_ring.STAMPS_WRITTEN] = _DMA + _CHANNEL * time_channel.channel + _WRITE_ADDRESS
        control[optics_ring.STALLS] = _PIO0 + _FDEBUG
        control[optics_ring.STALLED] = 1 << head
        machine = self._machines[head]
        while machine.rx_fifo():
            machine.get()
        machine.init(optics_program.watch, freq=optics_program.CLOCK_HZ, in_base=Pin(self._first_pins[head]))
        time_channel.config(
            read=_TIMER_US,
            write=times,
            count=1,
            ctrl=time_channel.pack_ctrl(
                size=_WORD,
                inc_read=False,
                ring_sel=True,
                ring_size=_TIME_RING_BITS,
                chain_to=state_channel.channel,
                high_pri=True,
            ),
        )
        state_channel.config(
            read=_PIO0 + _RECEIVED + 4 * head,
            write=states,
            count=1,
            ctrl=state_channel.pack_ctrl(
                size=_BYTE,
                inc_read=False,
                ring_sel=True,
                ring_size=_STATE_RING_BITS,
                treq_sel=_REQUEST_OF_PIO0 + head,
                chain_to=time_channel.channel,
                high_pri=True,
            ),
            trigger=True,
        )
        machine.active(1)


def _address(buf):
    """Where `buf` lies in RAM."""
    import uctypes

    return uctypes.addressof(buf)
