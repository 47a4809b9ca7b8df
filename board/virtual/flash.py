"""Simulated NOR flash on a file: programs clear bits, erases set pages, and the power can fail in between.

A power cut is armed with a budget of bytes: programming spends one per byte, an erase `ERASE_COST`. The operation in
which the budget runs out is left half done, with random bits, and the power's `die` is called, which does not return.

A page whose erase was cut off must be erased again before anything is programmed into it, also where it reads blank:
its cells hold too little charge to keep what is written between them. To program it is misuse.
"""

import os

BLOCK = 256
ERASE_COST = 256
_BLANK = 1024  # bytes written at once: more in one piece may not be free
_ZEROED = 64  # of ERASE_COST: a NOR chip first programs the whole page to 0
_RISEN = 192  # and from here on every bit reads 1, though the page is not erased yet


class FlashMisuse(Exception):
    """What real flash cannot do was asked for: a bit from 0 to 1, a program across a block or page border."""


def tear(block, at, size, done, power):
    """Leave in `block`, the bytes at `at` of a page of `size`, what an erase does that ends after `done`."""
    if done >= _RISEN:
        for i in range(len(block)):
            block[i] = 0xFF
    elif done >= _ZEROED:
        some = done < (_ZEROED + _RISEN) // 2
        for i in range(len(block)):
            block[i] = power.bits() & power.bits() if some else power.bits() | power.bits()
    else:
        reached = size * done // _ZEROED - at  # bytes before it are 0
        if power.bits() & 1:  # or any bit may have gone already
            reached = 0
            for i in range(len(block)):
                block[i] &= power.bits()
        for i in range(min(max(reached, 0), len(block))):
            block[i] = 0
        if 0 <= reached < len(block):
            for i in range(reached, min(reached + 8, len(block))):
                block[i] &= power.bits()


class Power:
    """The supply that all flashes of one board share. `seed` decides what torn operations leave behind."""

    def __init__(self, die, seed=1):
        self._die = die
        self._left = -1
        self._random = (seed * 2654435761 + 97) & 0x3FFFFFFF or 1
        self.scratch = bytearray(BLOCK)  # of all flashes: one thing happens at a time
        self.spent = 0  # bytes programmed and erase costs since start
        self.fired = False
        self.misuse = 0

    def arm(self, budget):
        """Cut the power after `budget` more bytes; None disarms."""
        self._left = -1 if budget is None else budget

    def take(self, wanted):
        """Spend up to `wanted`; return how much of it is still done before the power fails."""
        if self._left < 0:
            self.spent += wanted
            return wanted
        done = min(wanted, self._left)
        self._left -= done
        self.spent += done
        return done

    def fail(self):
        """The power fails now."""
        self.fired = True
        self._die()

    def bits(self):
        """Eight random bits."""
        self._random = (self._random * 1103515245 + 12345) & 0x3FFFFFFF
        return self._random >> 16 & 0xFF


class Flash:
    """What flashes share; a subclass moves the bytes with `_get` and `_set`."""

    def __init__(self, pages, page_size, power):
        self.pages = pages
        self.page_size = page_size
        self._power = power
        self._old = power.scratch
        self.erases = 0
        self.programs = 0
        self.torn = []  # pages whose erase was cut off

    def _get(self, start, buf):
        raise NotImplementedError

    def _set(self, start, buf):
        raise NotImplementedError

    def _misuse(self, text):
        self._power.misuse += 1
        raise FlashMisuse(text)

    def read(self, page, offset, buf):
        """Fill `buf` from `offset` of `page`."""
        if not (0 <= page < self.pages and 0 <= offset and offset + len(buf) <= self.page_size):
            self._misuse("read out of range")
        self._get(page * self.page_size + offset, buf)

    def program(self, page, offset, buf):
        """Clear the bits that are 0 in `buf`; within one block of 256 bytes."""
        n = len(buf)
        if not (0 <= page < self.pages and 0 <= offset and offset + n <= self.page_size):
            self._misuse("program out of range")
        if n and offset // BLOCK != (offset + n - 1) // BLOCK:
            self._misuse("program across a block border")
        start = page * self.page_size + offset
        old = memoryview(self._old)[:n]
        self._get(start, old)
        for i in range(n):
            if old[i] & buf[i] != buf[i]:
                self._misuse("program of a 0 bit to 1")
        if page in self.torn:
            self._misuse("program of a page whose erase was cut off")
        self.programs += 1
        done = self._power.take(n)
        if done == n:
            self._set(start, buf)
            return
        for i in range(done):
            old[i] = buf[i]
        if self._power.bits() & 1:
            old[done] &= buf[done] | self._power.bits()  # the byte in which the power failed
        else:
            for i in range(done, n):  # a block is programmed at once: any bit of the rest may have gone already
                old[i] &= buf[i] | self._power.bits()
        self._set(start, old)
        self._power.fail()

    def erase(self, page):
        """Set all bits of `page`."""
        if not 0 <= page < self.pages:
            self._misuse("erase out of range")
        self.erases += 1
        start = page * self.page_size
        done = self._power.take(ERASE_COST)
        cut = done < ERASE_COST
        if cut != (page in self.torn):
            self._note_torn(page, cut)
        for i in range(BLOCK):
            self._old[i] = 0xFF
        for offset in range(0, self.page_size, BLOCK):
            if cut:
                self._get(start + offset, memoryview(self._old))
                tear(self._old, offset, self.page_size, done, self._power)
            self._set(start + offset, self._old)
        if cut:
            self._power.fail()

    def _note_torn(self, page, torn):
        if torn:
            self.torn.append(page)
        else:
            self.torn.remove(page)


class FileFlash(Flash):
    """Flash in the file `path`, made as erased flash when it is not there; pages that it lacks are added, erased.

    The file has no buffer, so what is programmed outlives a process that is killed. It is not forced onto the disk:
    MicroPython's `flush` would do that, and wait for it, at each block.

    The numbers of torn pages outlive a cut in a file beside it, `path` with .torn, as long as there are any.
    """

    def __init__(self, path, pages, power, page_size=4096):
        super().__init__(pages, page_size, power)
        try:
            file = open(path, "r+b", 0)
        except OSError:
            with open(path, "wb"):
                pass
            file = open(path, "r+b", 0)
        blank = b"\xff" * _BLANK
        for _ in range((pages * page_size - file.seek(0, 2)) // _BLANK):  # a state of a firmware with fewer pages too
            file.write(blank)
        self._file = file
        self._torn_path = path + ".torn"
        try:
            with open(self._torn_path) as file:
                self.torn = [int(word) for word in file.read().split()]
        except OSError:
            pass

    def _note_torn(self, page, torn):
        super()._note_torn(page, torn)
        if self.torn:
            with open(self._torn_path, "w") as file:
                file.write(" ".join([str(number) for number in self.torn]))
        else:
            os.remove(self._torn_path)

    def _get(self, start, buf):
        self._file.seek(start)
        self._file.readinto(buf)

    def _set(self, start, buf):
        self._file.seek(start)
        self._file.write(buf)
