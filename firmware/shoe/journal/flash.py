"""The rules of flash: programming in blocks of 256 bytes, what blank means, and which blank page may be used.

A block device is any object with `pages`, `page_size` (bytes), `read(page, offset, buf)`, `program(page, offset, buf)`
and `erase(page)`. Programming turns bits from 1 to 0 only and never crosses a block; erasing sets a page to 0xFF.

A page that reads blank may have been erased half: when the power fails near the end of an erase, all bits read 1 and
do not hold. Only who saw the erase end can tell. So a page that waits for its use gets the magic of its header, the
first bytes that are programmed into it anyway, as the mark that its erase has ended. A page without it is erased again.
"""

from shoe.compat import const

programmed = [0]  # how often anything was programmed since the start: whoever undoes a step looks whether it was stored
WHOLE = const(0x2144DF1C)  # CRC-32 over bytes and their own CRC-32, as pages, entries and records end with it
_BLOCK = const(256)


def program(device, page, offset, buf):
    """Program all bytes of memoryview `buf` at `offset` of `page`, block by block."""
    programmed[0] += 1
    at = 0
    size = len(buf)
    while at < size:
        n = min(size - at, _BLOCK - ((offset + at) & (_BLOCK - 1)))
        device.program(page, offset + at, buf[at : at + n])
        at += n


def is_blank(device, page, offset, scratch):
    """True when `page` reads 0xFF from `offset` to its end; `scratch` is a bytearray of 256 bytes, overwritten."""
    view = memoryview(scratch)
    blank = b"\xff" * _BLOCK
    while offset < device.page_size:
        n = min(_BLOCK, device.page_size - offset)
        device.read(page, offset, view[:n])
        if scratch != blank if n == _BLOCK else bytes(view[:n]) != blank[:n]:
            return False
        offset += n
    return True


def make_ready(device, page, magic):
    """Erase `page` and mark that this has ended."""
    device.erase(page)
    program(device, page, 0, magic)


def is_ready(device, page, magic, scratch):
    """True when `page` was erased to the end by `make_ready` and nothing was programmed since."""
    n = len(magic)
    view = memoryview(scratch)[:n]
    device.read(page, 0, view)
    return view == magic and is_blank(device, page, n, scratch)
