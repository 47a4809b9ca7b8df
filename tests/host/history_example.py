"""The worked example of HISTORY_FORMAT.md: one page with three records, small enough to follow byte by byte."""

from __future__ import annotations

from pathlib import Path

from histories import Script
from shoetool.history.chunks import ClockPoint, Configuration, Identity
from shoetool.history.store import ShoelogWriter


def example(path: Path) -> Path:
    """Write the file that the specification walks through."""
    script = Script()
    script.add("boot", 0, b"\x00\x01\x00", 0x12345678, 7)
    script.add("shoe_opened", 0, 0, 6, 1, 2, 0, 7, 0, 42)
    script.add("loaded", 0, 312)
    with ShoelogWriter(path, sync=False) as writer:
        writer.set_identity(Identity(b"TESTSHOE", 1, 0, b"\x00\x01\x00", "virtual"))
        writer.set_configuration(Configuration(0x12345678, ((1, 0), (3, 6))))
        writer.add_clock(ClockPoint(1, 1700, 1_760_000_000_000, 3))
        for page in script.pages(first_page=9, shoe=4):
            writer.append_page(page)
    return path
