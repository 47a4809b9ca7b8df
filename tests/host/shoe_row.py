"""Shoes of one device that follow one another, a signed file each: what a night leaves behind."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

from histories import Script, cut_pages
from signed_histories import Key, file_name, key, sign_pages, write


def opened(script: Script) -> None:
    script.add("shoe_opened", 0, 0, 6, 1, 2, 1, 6, 7, 42)


class Row:
    """Deals shoes one after another: `deal` writes the file of the next one and returns it."""

    def __init__(self, folder: Path, by: Key | None = None) -> None:
        self.folder = folder
        self.by = by or key()
        self.shoe = self.page = self.record = self.index = 0
        self.previous = bytes(32)

    def deal(self, behind: int = 0, fetched: int | None = None, signed: bool = True) -> Path:
        """`behind` records follow its end, of which `fetched` are in the file."""
        self.shoe += 1
        script = Script(self.record, 0)
        opened(script)
        script.add("loaded", 0, 312)
        script.add("shoe_closed", 3, 0, 0)
        pages = cut_pages(script.records, self.page, self.shoe, self.previous)
        signature = sign_pages(pages, self.by, self.index)
        for crc in range(behind):
            script.add("configured", crc)
        whole = cut_pages(script.records, self.page, self.shoe, self.previous)
        kept = script.records if fetched is None else script.records[: len(script.records) - behind + fetched]
        pages = cut_pages(kept, self.page, self.shoe, self.previous)
        self.page += len(whole)
        self.record = script.next
        self.previous = sha256(whole[-1]).digest()
        if signed:
            self.index += 1
        self.folder.mkdir(parents=True, exist_ok=True)
        return write(self.folder / file_name(shoe=self.shoe), pages, [signature] if signed else [])

    def night(self, count: int) -> list[Path]:
        return [self.deal() for _ in range(count)]
