"""The partitions behind the root file system: journal, vault, store and keys, where root.py says that they lie."""

import rp2

from pico.flash_log import FlashLog
from pico.root import MARKERS, NAMES, PAGE, marked, marker, plan, storage_of


def _first(pages, name):
    """First page of partition `name` in layout `pages`."""
    return sum(pages[: NAMES.index(name)])


def _mark(flash, storage, pages):
    """Write the layout down where it is not yet, one copy after the other."""
    wanted = marker(storage, pages)
    held = bytearray(len(wanted))
    for page in range(storage - MARKERS, storage):
        flash.readblocks(page, held, 0)
        if held != wanted:
            FlashLog(rp2.Flash(start=page * PAGE, len=PAGE), 1).write_page(wanted)


def lay_out(force=False):
    """Lay the storage out for a shoe that never was; return the pages of each of NAMES.

    What lies behind the root is erased when `force` says so; else OSError is raised when something does. The markers
    come last, so that laying out can be cut off and repeated. A shoe that is laid out stays as it is.
    """
    flash = rp2.Flash()
    storage = storage_of(flash)
    pages = None
    try:
        pages = marked(flash, storage)
    except OSError:
        if not force:
            raise
    if pages is None:
        pages = plan(storage)
        held = bytearray(PAGE)  # whole pages: 15 MB are looked through while somebody waits
        blank = b"\xff" * PAGE
        for page in range(pages[0], storage - MARKERS):
            flash.readblocks(page, held, 0)
            if held != blank:
                if not force:
                    raise OSError("flash: page %d holds data, but no marker says whose" % page)
                FlashLog(rp2.Flash(start=page * PAGE, len=PAGE), 1).erase(0)
    _mark(flash, storage, pages)  # the second copy too, when only one was there
    return pages


def open_all(*clock):
    """(journal, vault, store, keys), block devices of board/README.md. Lays out a storage that is blank.

    `clock`: what begins flash operations, as FlashLog takes it.
    Raises OSError when the storage holds what no marker explains, or is too small: nothing is written then.
    """
    pages = lay_out()
    opened = []
    for name in ("journal", "vault", "store", "keys"):
        count = pages[NAMES.index(name)]
        opened.append(FlashLog(rp2.Flash(start=_first(pages, name) * PAGE, len=count * PAGE), count, *clock))
    return tuple(opened)
