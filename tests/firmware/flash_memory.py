"""Flash in memory and a power cut as an exception, for tests and campaigns within one process."""

from virtual import flash
from virtual.flash import BLOCK, Flash, FlashMisuse

__all__ = ["FlashMisuse", "MemoryFlash", "Power", "PowerCut"]


class PowerCut(BaseException):
    """The power failed (in tests within one process; a board process dies instead)."""


def _raise_cut():
    raise PowerCut


class Power(flash.Power):
    """A supply whose failure raises PowerCut."""

    def __init__(self, seed=1):
        super().__init__(_raise_cut, seed)


class MemoryFlash(Flash):
    """Flash in a bytearray, for tests and campaigns; `data` outlives a power cut."""

    def __init__(self, pages, power, page_size=4096, data=None):
        super().__init__(pages, page_size, power)
        if data is None:
            data = bytearray(pages * page_size)
            blank = b"\xff" * BLOCK
            for start in range(0, len(data), BLOCK):
                data[start : start + BLOCK] = blank
        self.data = data

    def _get(self, start, buf):
        buf[:] = memoryview(self.data)[start : start + len(buf)]

    def _set(self, start, buf):
        self.data[start : start + len(buf)] = buf
