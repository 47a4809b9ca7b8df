"""Random bytes from the ring oscillator: sampled by DMA, tested as it goes on, conditioned by SHA-256.

The RP2040 has no random number generator, only a ring oscillator that nothing regulates: one bit of its state can be
read. Here a DMA channel reads it every 50 µs, some three hundred of its periods, for as long as bytes are wanted, and
the processor has no part in it. Every sample goes through the two continuous health tests of NIST SP 800-90B (section
4.4, repetition count and adaptive proportion), set for 1/5 bit of min-entropy a sample and one false alarm in 2^30
tests. 2,560 samples, ten for each bit that comes out, and the key that the block before left go into one SHA-256, which
gives 32 bytes and the next key: who reads them later from RAM learns nothing of those that were given out before. At
1/5 bit that is 512 bits in for 256 out; 320 would do (SP 800-90B, 3.1.5.1.2).

That 1/5 bit is a claim, not a measurement: how much a given chip's oscillator gives has to be estimated from its raw
samples, see `raw`. A source that sticks, or leans to one side by more than the claim allows, is found.
"""

# pyright: reportMissingImports=false, reportAttributeAccessIssue=false
import hashlib
import time
from array import array

import rp2
from machine import Timer, freq, mem32
from shoe.compat import MICROPYTHON, const, micropython, ticks_diff

BLOCK = const(32)  # bytes that come out of one block of samples
SAMPLES = const(512)  # taken in one go
ROUNDS = const(5)  # of them for a block
POOL = const(64)  # bytes kept ready: four nonces
REPETITION_CUTOFF = const(151)  # 1 + 30 / (1/5)
WINDOW = const(1024)
PROPORTION_CUTOFF = const(952)
_RANDOM_BIT = const(0x4006001C)
_DMA = const(0x50000000)
_CHANNEL = const(0x40)
_CONTROL = const(0x10)
_BUSY = const(1 << 24)
_TIMER_1 = const(0x424)
_REQUEST_TIMER_1 = const(60)
_SAMPLES_A_SECOND = const(20000)
_ROUND_MS = const(26)  # in which a round of samples is there
_MOST_MS = const(1000)  # a block takes 128 ms
_IO_ERROR = const(5)

# Places of a test's state, `array("i")`.
LAST = const(0)  # bit of the last sample
RUN = const(1)  # how many in a row were like it
LEFT = const(2)  # samples until the window ends
FIRST = const(3)  # first bit of the window
LIKE_IT = const(4)  # bits of the window that are like the first one
STATE = const(5)

if not MICROPYTHON:

    def ptr32(buf):
        """Return `buf`, whose memory the machine code gets at by itself."""
        return buf

    ptr8 = ptr32


@micropython.viper
def healthy(state: ptr32, samples: ptr8, n: int) -> int:  # pyright: ignore
    """Put the lowest bits of `n` samples through both tests; return 1, or 0 when one of them fails."""
    last = int(state[0])
    run = int(state[1])
    left = int(state[2])
    first = int(state[3])
    like_it = int(state[4])
    good = 1
    for i in range(n):
        bit = int(samples[i]) & 1
        if bit == last:
            run += 1
            if run >= 151:
                good = 0
        else:
            last = bit
            run = 1
        if left == 0:
            left = 1024
            first = bit
            like_it = 0
        if bit == first:
            like_it += 1
            if like_it >= 952:
                good = 0
        left -= 1
    state[0] = last
    state[1] = run
    state[2] = left
    state[3] = first
    state[4] = like_it
    return good


class Entropy:
    """The source; it begins to gather at once. OSError when no DMA channel is free."""

    def __init__(self):
        self.failures = 0
        self._samples = bytearray(SAMPLES)
        self._state = array("i", [2, 0, 0, 0, 0])
        self._key = b""
        self._pool = bytearray(POOL)
        self._ready = 0  # bytes of the pool, from its beginning on
        self._dma = rp2.DMA()
        self._control = _DMA + _CHANNEL * self._dma.channel + _CONTROL
        mem32[_DMA + _TIMER_1] = 1 << 16 | freq() // _SAMPLES_A_SECOND
        self._fields = self._dma.pack_ctrl(size=0, inc_read=False, treq_sel=_REQUEST_TIMER_1)
        self._timer = None
        try:
            self._begin()
            # While the board starts nobody calls `work`; two blocks are ready when the start wants the first bytes.
            self._timer = Timer(-1, period=_ROUND_MS, callback=self._at_start)
        except BaseException:
            self.close()  # DMA would go on into samples that are nobody's any more
            raise

    def holds(self, n):
        """Whether `draw(n)` would not wait."""
        return self._ready >= n

    def draw(self, n):
        """`n` random bytes. Waits when fewer are ready, 4 ms a byte; OSError when a health test fails."""
        self._end_start()
        out = bytearray(n)
        at = 0
        start = time.ticks_ms()
        while True:
            taken = min(n - at, self._ready)
            self._ready -= taken
            pool = self._pool
            for i in range(taken):  # from its end, and wiped: nothing is given out twice
                out[at + i] = pool[self._ready + i]
                pool[self._ready + i] = 0
            at += taken
            if at == n:  # what is to be taken in waits: how long that takes would show when a card is sealed
                return bytes(out)
            failures = self.failures
            if self.work():
                start = time.ticks_ms()
            if self.failures != failures or ticks_diff(time.ticks_ms(), start) > _MOST_MS:
                raise OSError(_IO_ERROR)

    def work(self):
        """Take in the samples that are there, if there is room for more bytes; True when there were some.

        After a failed test all that was gathered is thrown away and a whole block begins anew.
        """
        self._end_start()
        return self._work()

    def _at_start(self, timer):
        self._work()

    def _end_start(self):
        """From the first call from outside on, those calls alone take samples in, and nothing comes between them."""
        if self._timer is not None:
            self._timer.deinit()
            self._timer = None

    def _work(self):
        if not self._gathering:
            if self._ready > POOL - BLOCK:
                return False
            self._begin()
        if mem32[self._control] & _BUSY:
            return False
        samples = self._samples
        if not healthy(self._state, samples, SAMPLES):
            self.failures += 1
            for i in range(POOL):
                self._pool[i] = 0
            self._ready = 0
            for i in range(STATE):
                self._state[i] = 0
            self._state[LAST] = 2
            self._begin()
            return True
        self._hash.update(samples)
        self._rounds += 1
        if self._rounds < ROUNDS:
            self._sample()
        else:
            self._condition()
        return True

    def raw(self, n):
        """`n` samples as they come, a bit a byte, untested: what an estimate of the chip's min-entropy starts from."""
        self._end_start()
        out = b""
        while len(out) < n:
            self._sample()
            start = time.ticks_ms()
            while mem32[self._control] & _BUSY:
                if ticks_diff(time.ticks_ms(), start) > _MOST_MS:
                    raise OSError(_IO_ERROR)
            out += bytes(self._samples)
        self._begin()
        return out[:n]

    def close(self):
        """Give back the DMA channel, and forget what was ready."""
        self._end_start()
        self._ready = 0
        for i in range(POOL):
            self._pool[i] = 0
        self._key = b""
        mem32[self._control] = 0
        self._dma.active(0)  # before MicroPython 1.27 close() alone leaves the channel as it is
        self._dma.close()

    def _begin(self):
        """A new block."""
        self._hash = hashlib.sha256(self._key)
        self._rounds = 0
        self._gathering = True
        self._sample()

    def _sample(self):
        self._dma.config(read=_RANDOM_BIT, write=self._samples, count=SAMPLES, ctrl=self._fields, trigger=True)

    def _condition(self):
        """The block is whole."""
        block = self._hash.digest()
        self._key = hashlib.sha256(block + b"key").digest()
        self._pool[self._ready : self._ready + BLOCK] = hashlib.sha256(block + b"out").digest()
        self._ready += BLOCK
        self._gathering = False
        if self._ready <= POOL - BLOCK:
            self._begin()
