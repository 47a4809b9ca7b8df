"""The rules of flash: programming in blocks of 256 bytes, and what blank means.

A block device is any object with `pages`, `page_size` (bytes), `read(page, offset, buf)`, `program(page, offset, buf)`
and `erase(page)`. Programming turns bits from 1 to 0 only and never crosses a block; erasing sets a page to 0xFF.
"""

from shoe.compat import const

WHOLE = const(0x2144DF1C)  # CRC-32 over bytes and their own CRC-32, as pages, entries and records end with it
_BLOCK = const(256)


def program(device, page, offset, buf):
    """Program all bytes of memoryview `buf` at `offset` of `page`, block by block."""
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
