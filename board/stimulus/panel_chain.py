"""The shoe's panel, played by PIO: what its 74HC165s would send, and what its 74HC595s would have got.

The shoe shifts a chain of 48 bits each way, then pulses LATCH. DMA keeps the keys flowing to the PIO and what comes
into a ring, so that no scan waits for this program. A change of the keys is seen a few scans later, as the FIFO holds
some.
"""

# ruff: noqa: F821
# pyright: reportUndefinedVariable=false, reportMissingImports=false, reportCallIssue=false
import rp2
import uctypes
from machine import Pin, mem32
from pins import CLOCK, KEYS_OUT, LAMPS_IN, LATCH

REGISTERS = 6
_HALF = 24  # bits: the chain goes in two words
_MACHINE = 4  # of PIO1
_PIO1 = 0x50300000
_TXF0 = 0x10
_RXF0 = 0x20
_TX_REQUEST = 8
_RX_REQUEST = 12
_WORD = 2
_RING_BITS = 3  # two words
_FOR_EVER = 0xFFFFFFFF


@rp2.asm_pio(
    out_init=rp2.PIO.OUT_HIGH, out_shiftdir=rp2.PIO.SHIFT_LEFT, in_shiftdir=rp2.PIO.SHIFT_LEFT,
    autopull=True, pull_thresh=24, autopush=True, push_thresh=24,
)  # fmt: skip
def chain(latch=LATCH, clock=CLOCK):  # as defaults: asm_pio takes the module's names away while it runs this
    wrap_target()
    wait(0, gpio, latch)
    wait(1, gpio, latch)
    set(y, 1)
    label("half")
    set(x, 23)
    label("bit")
    out(pins, 1)
    wait(1, gpio, clock)
    in_(pins, 1)
    wait(0, gpio, clock)
    jmp(x_dec, "bit")
    jmp(y_dec, "half")
    wrap()


class PanelChain:
    """Keys by their place in the chain, as board/pico/panel_keys.py counts them."""

    def __init__(self):
        self._memory = bytearray(2 * 8 + 8)
        base = (uctypes.addressof(self._memory) + 7) & ~7
        self._keys_at = base
        self._lamps_at = base + 8
        self._keys = bytearray(b"\xff" * REGISTERS)
        self._show_keys()
        mem32[self._lamps_at] = mem32[self._lamps_at + 4] = 0
        for pin in (LATCH, CLOCK, LAMPS_IN):
            Pin(pin, Pin.IN, Pin.PULL_UP if pin == LATCH else Pin.PULL_DOWN)
        self._machine = rp2.StateMachine(_MACHINE, chain, out_base=Pin(KEYS_OUT), in_base=Pin(LAMPS_IN))
        self._send, self._take = rp2.DMA(), rp2.DMA()
        self._send.config(
            read=self._keys_at,
            write=_PIO1 + _TXF0,
            count=_FOR_EVER,
            ctrl=self._send.pack_ctrl(
                size=_WORD, inc_write=False, ring_sel=False, ring_size=_RING_BITS, treq_sel=_TX_REQUEST
            ),
            trigger=True,
        )
        self._take.config(
            read=_PIO1 + _RXF0,
            write=self._lamps_at,
            count=_FOR_EVER,
            ctrl=self._take.pack_ctrl(
                size=_WORD, inc_read=False, ring_sel=True, ring_size=_RING_BITS, treq_sel=_RX_REQUEST
            ),
            trigger=True,
        )
        self._machine.active(1)

    def press(self, place, down):
        """Hold a key down or let it go."""
        register, bit = place >> 3, place & 7
        if register < REGISTERS:
            self._keys[register] = self._keys[register] & ~(1 << bit) | (not down) << bit
            self._show_keys()

    def outputs(self):
        """The last chain that the shoe has shifted out, in the order of shifting."""
        first, second = mem32[self._lamps_at], mem32[self._lamps_at + 4]
        return bytes(
            (first >> 16 & 255, first >> 8 & 255, first & 255, second >> 16 & 255, second >> 8 & 255, second & 255)
        )

    def _show_keys(self):
        keys = self._keys
        for half in range(2):
            at = 3 * half
            mem32[self._keys_at + 4 * half] = keys[at] << 24 | keys[at + 1] << 16 | keys[at + 2] << 8
