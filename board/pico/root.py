"""How the flash behind the program is shared out, and a root file system that keeps within its share.

MicroPython's `_boot.py` mounts a file system over the whole storage, `rp2.Flash()`, and formats it anew when that
fails. So the file system must name the whole storage, but only its first pages are its own: behind them lie the
journal and the keys. `Root` is that storage with every page behind the share shown as a bad block, which littlefs goes
around. Whatever writes files does so through it: `boot.py` puts it in place at each start, before a prompt or a tool
gets to write.

A page at the end of the storage, and a copy of it, say how the shoe was laid out: the layout of a shoe in use is what
these say, whatever a newer firmware would choose. Used alone (installed as /root.py) and as pico.root: it imports
nothing but MicroPython's own.
"""

import binascii
import struct

PAGE = 4096
KEPT = 8  # pages of the root that tools leave free, see `room`
MARKERS = 2  # pages at the end of the storage, both with the same content
NAMES = ("root", "vault", "store", "keys", "journal")  # in the order of their places in flash
_LEAST = (32, 2, 12, 6, 12)  # pages below which a layout cannot be right
_MAGIC = b"SHOELAY1"
_MARKER = "<8sIIIIIIII"  # magic, pages of storage, page size, pages of each of NAMES, CRC-32 of what stands before it
_MARKER_SIZE = 40
_COUNT = 4  # requests of `ioctl`: blocks, size of one, erase one
_ERASE = 6
_BAD_BLOCK = -84  # littlefs: this block is worn out, take another
_PRODUCT = (256, 2, 12, 128, 640)  # 100 shoes of 416 cards
_SMALL = (208, 2, 12, 34, 0)  # for development: about 20 shoes; the journal is what is left


def plan(storage):
    """Pages of each of NAMES for a shoe that is laid out anew on `storage` pages. Raises OSError when too few."""
    if storage >= sum(_PRODUCT) + MARKERS:
        return _PRODUCT
    journal = storage - sum(_SMALL) - MARKERS
    if journal < 90:
        raise OSError("flash: %d pages of storage are too few for a shoe, 352 are needed" % storage)
    return _SMALL[:4] + (min(journal, _PRODUCT[4]),)


def storage_of(flash):
    """Pages of block device `flash`."""
    return int(flash.ioctl(_COUNT, 0))


def marker(storage, pages):
    """What the marker of a storage of `storage` pages laid out as `pages` holds."""
    head = struct.pack(_MARKER[:-1], _MAGIC, storage, PAGE, *pages)
    return head + struct.pack("<I", binascii.crc32(head))


def marked(flash, storage):
    """The layout that the markers name, as `plan` returns it; None when none was ever written whole.

    Raises OSError when they hold something else, or name a layout that cannot be this storage's.
    """
    blank = False
    for page in range(storage - MARKERS, storage):
        held = bytearray(_MARKER_SIZE)
        flash.readblocks(page, held, 0)
        values = struct.unpack(_MARKER, held)
        if values[-1] == binascii.crc32(bytes(held[:-4])) and values[0] == _MAGIC:
            pages = tuple(values[3:8])
            if values[1] != storage:
                raise OSError(
                    "flash: laid out for %d pages of storage, this MicroPython has %d: install the one that it was "
                    "laid out with" % (values[1], storage)
                )
            if (
                values[2] != PAGE
                or sum(pages) + MARKERS > storage
                or any(pages[i] < _LEAST[i] for i in range(len(pages)))
            ):
                raise OSError("flash: the marker names a layout that cannot be: %s" % (pages,))
            return pages
        blank = held == b"\xff" * _MARKER_SIZE
    if blank:  # the last one, which is written when the one before it is whole
        return None
    raise OSError("flash: the layout markers are damaged")


def share(flash):
    """Pages of the root file system: what the shoe was laid out with, else what it would be laid out with."""
    storage = storage_of(flash)
    return (marked(flash, storage) or plan(storage))[0]


class Root:
    """Block device over all of `flash`, of which only the first `pages` pages can be written."""

    def __init__(self, flash, pages):
        self.pages = pages
        self.refused = 0  # requests to write behind the share
        self.readblocks = flash.readblocks  # littlefs reads without a detour
        self._flash = flash

    def writeblocks(self, page, buf, offset=None):
        """Program `buf` at `offset` of `page`; without an offset erase first. -84 behind the share."""
        if page * PAGE + (offset or 0) + len(buf) > self.pages * PAGE:
            self.refused += 1
            return _BAD_BLOCK
        if offset is None:
            return self._flash.writeblocks(page, buf)
        return self._flash.writeblocks(page, buf, offset)

    def ioctl(self, request, argument):
        """As rp2.Flash's; erasing a page behind the share gives -84."""
        if request == _ERASE and argument >= self.pages:
            self.refused += 1
            return _BAD_BLOCK
        return self._flash.ioctl(request, argument)


def device():
    """The root's block device on this chip. Raises OSError as `marked` and `plan` do."""
    import rp2

    flash = rp2.Flash()
    return Root(flash, share(flash))


def remount():
    """Take the root file system that `_boot.py` mounted, and mount it again within its share."""
    import os

    import vfs

    held = vfs.VfsLfs2(device(), progsize=256)  # pyright: ignore[reportArgumentType]
    os.chdir("/")
    vfs.umount("/")
    vfs.mount(held, "/")


def format_root():
    """Make the root file system anew, empty, over the whole storage and within its share, and mount it."""
    import vfs

    vfs.VfsLfs2.mkfs(device(), progsize=256)  # pyright: ignore[reportArgumentType]
    remount()


def room():
    """Bytes of whole pages that tools may still give to files on the root; a file takes whole pages, a folder two.

    KEPT pages stay free: littlefs moves a directory to a fresh page now and then, also while it removes a file, and
    fails with ENOSPC when it finds none. Only `format_root()` helps a root that was filled up and came to that.
    """
    import os

    import rp2

    told = os.statvfs("/")
    return max(0, share(rp2.Flash()) - KEPT - (told[2] - told[3])) * PAGE
