"""Plays edges into the four lines of a head: PIO counts the time between them, DMA brings them from RAM."""

# ruff: noqa: F821
# pyright: reportUndefinedVariable=false, reportMissingImports=false, reportCallIssue=false
# pyright: reportArgumentType=false, reportAttributeAccessIssue=false
import rp2
from machine import Pin, mem32
from pins import HEAD_LINES

CLOCK_HZ = 10_000_000
COUNTS = 3  # of the clock that a word takes beyond its own count
MOST = 8192  # edges at once
_DMA_TRIGGER = 0x50000430  # MULTI_CHAN_TRIGGER
_PIO0 = 0x50200000
_TXF = 0x10
_WORD = 2


@rp2.asm_pio(
    out_init=(rp2.PIO.OUT_LOW,) * HEAD_LINES, out_shiftdir=rp2.PIO.SHIFT_RIGHT, autopull=True, pull_thresh=32,
    fifo_join=rp2.PIO.JOIN_TX,
)  # fmt: skip
def play():
    """A word: 28 bits of counts to wait, then the lines' state in the upper four."""
    wrap_target()
    out(x, 28)
    label("wait")
    jmp(x_dec, "wait")
    out(pins, 4)
    wrap()


class Player:
    """One head's light. `load` takes edges, `begin` starts all heads that have some at the same instant."""

    def __init__(self, head, first_pin):
        self._machine = rp2.StateMachine(head, play, freq=CLOCK_HZ, out_base=Pin(first_pin))
        self._machine.active(1)
        self._dma = rp2.DMA()
        self._words = b""  # held while DMA reads from it
        self._loaded = False
        self._control = self._dma.pack_ctrl(
            size=_WORD, inc_read=True, inc_write=False, treq_sel=head, irq_quiet=True
        )  # fmt: skip
        self._target = _PIO0 + _TXF + 4 * head
        for line in range(HEAD_LINES):
            Pin(first_pin + line).init(mode=Pin.ALT, alt=Pin.ALT_PIO0)

    def load(self, words):
        """Take words for the next start; False when there are too many or the last ones still play."""
        if self.left() or len(words) > 4 * MOST:
            return False
        self._words = words
        self._loaded = True
        return True

    @staticmethod
    def begin(players):
        """Start; False when nothing was loaded."""
        mask = 0
        for player in players:
            if player._loaded:
                player._loaded = False
                player._dma.config(
                    read=player._words, write=player._target, count=len(player._words) // 4, ctrl=player._control
                )
                mask |= 1 << player._dma.channel
        mem32[_DMA_TRIGGER] = mask
        return mask != 0

    def left(self):
        """Edges that have not been brought to the PIO."""
        return self._dma.count if self._dma.active() else 0
