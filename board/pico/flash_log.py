"""A block device of board/README.md on a piece of the RP2040's flash, `rp2.Flash(start=, len=)`.

The flash chip programs blocks of 256 bytes, and the chip's boot ROM whole ones only: what is programmed is set among
0xFF, which changes nothing. While the flash erases (45 ms, 400 at worst) or programs a block (0.4 ms, 3 at worst),
interrupts are off and nothing runs; heads and link go on by PIO and DMA.

`on_time(operation, ...)` calls each of them with its arguments: at a point of the board's clock, so that nobody who
watches the USB port or the supply sees how long it took to get there.

What was programmed or erased is read back. `rp2.Flash` itself checks nothing, not even where its piece ends.
"""

from shoe.compat import const

_BLOCK = const(256)
_SIZE = const(5)  # requests of `ioctl`: the size of a page, erase one
_ERASE = const(6)
_EIO = const(5)

# One thing happens at a time: all partitions share these.
_BLANK = b"\xff" * _BLOCK
_out = bytearray(_BLANK)  # what is programmed
_want = bytearray(_BLOCK)  # what the block should hold afterwards
_held = bytearray(_BLOCK)  # what it holds


def _at_once(operation, *arguments):
    """Wait for nothing."""
    operation(*arguments)


class FlashLog:
    """`pages` pages of `flash`, an object like rp2.Flash that begins where the partition does."""

    def __init__(self, flash, pages, on_time=_at_once):
        self._on_time = on_time
        self.pages = pages
        self.page_size = int(flash.ioctl(_SIZE, 0))  # 4096, the unit of erasing
        self._flash = flash
        self._read = flash.readblocks

    def _check(self, page, offset, size):
        if not (0 <= page < self.pages and 0 <= offset and offset + size <= self.page_size):
            raise ValueError("flash: page %d, offset %d, %d bytes" % (page, offset, size))

    def read(self, page, offset, buf):
        """Fill `buf` from `offset` of `page`."""
        if not (0 <= page < self.pages and 0 <= offset <= self.page_size - len(buf)):
            self._check(page, offset, len(buf))
        self._read(page, buf, offset)

    def program(self, page, offset, buf):
        """Clear the bits that are 0 in `buf`, within one block of 256 bytes. Raises OSError when the flash fails."""
        size = len(buf)
        at = offset & (_BLOCK - 1)
        self._check(page, offset, size)
        if at + size > _BLOCK:
            raise ValueError("flash: program across a block")
        if not size:
            return
        block = offset - at
        flash = self._flash
        flash.readblocks(page, _want, block)
        _want[at : at + size] = buf
        _out[:] = _BLANK
        _out[at : at + size] = buf
        self._on_time(flash.writeblocks, page, _out, block)
        flash.readblocks(page, _held, block)
        if _held != _want:
            raise OSError(_EIO)

    def erase(self, page):
        """Set all bits of `page`. Raises OSError when the flash fails."""
        self._check(page, 0, 0)
        flash = self._flash
        self._on_time(flash.ioctl, _ERASE, page)
        for block in range(0, self.page_size, _BLOCK):
            flash.readblocks(page, _held, block)
            if _held != _BLANK:
                raise OSError(_EIO)

    def write_page(self, buf):
        """Erase page 0 and program `buf`, at most 256 bytes, to its start."""
        self.erase(0)
        self.program(0, 0, buf)
