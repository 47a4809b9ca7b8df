"""`rp2.Flash` as a model: what MicroPython's ports/rp2/rp2_flash.c and the flash chip do, and nothing kinder.

Programming ANDs bits, takes whole blocks of 256 bytes only and checks no border; erasing sets a page to 0xFF. The
power (virtual.flash.Power) can fail in between: a byte of programming that is not 0xFF costs one, an erase 256. What
was under way is left torn: of a program any of the bits that it was to clear, of an erase what virtual.flash.tear
leaves, and to program such a page before it is erased again is misuse. Where the power's `die` comes back, for code
that an exception cannot end, all later erases and programs do nothing and say -5.
"""

from virtual.flash import BLOCK, ERASE_COST, tear

PAGE = 4096
DEAD = -5


class Misuse(Exception):
    """The boot ROM's routines would not come back from this."""


class Chip:
    """The storage of one chip: `data` outlives a power cut. `busy` hears (operation, page) of each that begins."""

    def __init__(self, pages, power, page_size=PAGE, data=None):
        self.pages = pages
        self.page_size = page_size
        self.power = power
        self.data = data if data is not None else bytearray(b"\xff") * (pages * page_size)
        self.erased = [0] * pages
        self.programmed = [0] * pages
        self.busy = None
        self.torn = set()  # pages whose erase was cut off
        self.dead = False

    def _fail(self):
        self.power.fail()
        self.dead = True
        return DEAD

    def erase(self, page):
        """Set all bits of `page`."""
        if self.dead:
            return DEAD
        if not 0 <= page < self.pages:
            raise Misuse(f"erase of page {page} of {self.pages}")
        if self.busy:
            self.busy("erase", page)
        self.erased[page] += 1
        start = page * self.page_size
        done = self.power.take(ERASE_COST)
        if done < ERASE_COST:
            self.torn.add(page)
            view = memoryview(self.data)[start : start + self.page_size]
            tear(view, 0, self.page_size, done, self.power)
            return self._fail()
        self.torn.discard(page)
        self.data[start : start + self.page_size] = b"\xff" * self.page_size
        return 0

    def program(self, at, buf):
        """Clear the bits at byte `at` that are 0 in `buf`."""
        if self.dead:
            return DEAD
        if at % BLOCK or len(buf) % BLOCK:
            raise Misuse(f"program of {len(buf)} bytes at {at}: not whole blocks")
        if not 0 <= at <= at + len(buf) <= len(self.data):
            raise Misuse(f"program behind the storage, at {at}")
        if self.torn.intersection(range(at // self.page_size, (at + len(buf) - 1) // self.page_size + 1)):
            self.power.misuse += 1
            raise Misuse(f"program at {at} of a page whose erase was cut off")
        if self.busy:
            self.busy("program", at // self.page_size)
        self.programmed[at // self.page_size] += 1
        size = len(buf)
        whole = bytes(buf)
        cost = size - whole.count(b"\xff")
        done = self.power.take(cost)
        if done == cost:
            bits = int.from_bytes(self.data[at : at + size], "little") & int.from_bytes(whole, "little")
            self.data[at : at + size] = bits.to_bytes(size, "little")
            return None
        in_order = self.power.bits() & 1
        for i, byte in enumerate(buf):
            if byte == 0xFF:
                continue
            if in_order and done <= 0:
                self.data[at + i] &= byte | (self.power.bits() if done == 0 else 0xFF)
            elif in_order or done > 0:
                self.data[at + i] &= byte
            else:
                self.data[at + i] &= byte | self.power.bits()
            done -= 1
        return self._fail()


class Flash:
    """rp2.Flash(start=, len=) of `chip`."""

    def __init__(self, chip, start=0, len=-1):
        whole = chip.pages * chip.page_size
        size = whole - start if len == -1 else len
        if start % chip.page_size or size % chip.page_size or not (0 <= start < whole and 0 < size <= whole - start):
            raise ValueError
        self._chip = chip
        self._start = start
        self._size = size

    def readblocks(self, page, buf, offset=0):
        """Fill `buf`."""
        data = self._chip.data
        at = self._start + page * self._chip.page_size + offset
        end = at + len(buf)
        if not 0 <= at <= end <= len(data):
            raise Misuse(f"read behind the storage, at {at}")
        buf[:] = data[at:end]

    def writeblocks(self, page, buf, offset=None):
        """Program `buf`; without an offset after erasing as many pages."""
        size = self._chip.page_size
        if offset is None:
            for i in range(len(buf) // size):
                self._chip.erase(self._start // size + page + i)
        return self._chip.program(self._start + page * size + (offset or 0), buf)

    def ioctl(self, request, argument):
        """4: pages, 5: their size, 6: erase one."""
        if request == 4:
            return self._size // self._chip.page_size
        if request == 5:
            return self._chip.page_size
        if request == 6:
            return self._chip.erase(self._start // self._chip.page_size + argument)
        return 0 if request in (1, 2, 3) else None


class Module:
    """What `import rp2` finds."""

    def __init__(self, chip):
        self.chip = chip

    def Flash(self, start=0, len=-1):
        """rp2.Flash of this chip."""
        return Flash(self.chip, start, len)
