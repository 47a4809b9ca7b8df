"""The chain of journal pages: headers, CRCs, SHA-256 links, record numbers; what does not fit is named with its place.

Feed pages in order; each gives its whole records. Nothing is raised for a damaged page: a history with a hole is still
a history, and the holes are its first findings.
"""

from __future__ import annotations

import hashlib
import struct
from binascii import crc32
from dataclasses import dataclass
from typing import Any, Final

from shoetool.model.errors import BadInput
from shoetool.model.protocol_table import PAGE_FORMAT, PAGE_HEADER_FORMAT, PAGE_MAGIC, PAGE_SIZE, RecordKind
from shoetool.model.records import NAMES, STRUCTS, Record

_HEADER: Final = struct.Struct(PAGE_HEADER_FORMAT)
HEADER_SIZE: Final = _HEADER.size
_U32: Final = struct.Struct("<I")
_PAGE_NUMBER_AT: Final = 8
_MOST_PROBLEMS: Final = 1000
# Ticks and payload in one call; the length byte and the kind stand before them.
_BODIES: Final = {kind: struct.Struct("<I" + layout.format.lstrip("<")) for kind, layout in STRUCTS.items()}
_BOOT: Final = int(RecordKind.BOOT)


def page_number(page: bytes) -> int:
    """Number of a page as its header claims it, unchecked."""
    return int(_U32.unpack_from(page, _PAGE_NUMBER_AT)[0])


@dataclass(frozen=True, slots=True)
class PageHeader:
    """The 64 bytes that open a page, in the order of protocol.toml."""

    magic: bytes
    format: int
    flags: int
    boot: int
    page: int
    shoe: int
    first_record: int
    device: bytes
    previous: bytes
    crc: int

    @classmethod
    def unpack(cls, page: bytes) -> PageHeader:
        """Header of a page; BadInput when it is none or its CRC is wrong."""
        header = cls(*_HEADER.unpack_from(page))
        if header.magic != PAGE_MAGIC:
            raise BadInput("it does not start as a journal page")
        if header.crc != crc32(page[: HEADER_SIZE - 4]):
            raise BadInput("its header is damaged (CRC)")
        if header.format != PAGE_FORMAT:
            raise BadInput(f"its format {header.format} is newer than this shoetool reads ({PAGE_FORMAT})")
        return header


@dataclass(frozen=True, slots=True)
class ChainProblem:
    """One place where the pages do not fit: what kind, in which page and record, in words.

    `harmless` is set for what a power cut leaves behind by design (a torn last record that was never acknowledged).
    """

    kind: str
    page: int | None
    record: int | None
    text: str
    harmless: bool = False

    def to_json(self) -> dict[str, Any]:
        """JSON types only."""
        return {
            "kind": self.kind,
            "page": self.page,
            "record": self.record,
            "text": self.text,
            "harmless": self.harmless,
        }


class PageChain:
    """Folds pages into records and keeps what is wrong. Memory: one page hash and the problems (at most 1000)."""

    def __init__(self) -> None:
        self.problems: list[ChainProblem] = []
        self.pages = 0
        self.records = 0
        self.first_record: int | None = None
        self.last_record: int | None = None
        self.device: bytes | None = None
        self.shoes = 0
        self._shoe: int | None = None
        self._page: int | None = None
        self._digest = b""
        self._next = -1
        self._boot = -1
        self._torn: tuple[int, int] | None = None

    @property
    def ok(self) -> bool:
        """Whether every page and record fits, apart from what a power cut leaves behind."""
        return all(problem.harmless for problem in self.problems)

    def _problem(self, kind: str, page: int | None, record: int | None, text: str, harmless: bool = False) -> None:
        if len(self.problems) < _MOST_PROBLEMS:
            self.problems.append(ChainProblem(kind, page, record, text, harmless))

    def feed(self, page: bytes) -> list[Record]:
        """Whole records of the next page, in order; an unusable page gives none and a problem."""
        self.pages += 1
        if len(page) != PAGE_SIZE:
            self._problem("page size", None, None, f"A page has {len(page)} bytes in place of {PAGE_SIZE}.")
            return []
        try:
            header = PageHeader.unpack(page)
        except BadInput as error:
            self._problem("page header", self._page, None, f"The page after page {self._page} is unusable: {error}.")
            self._digest = b""
            self._page = None
            return []
        self._link(header)
        out = self._body(page, header)
        self._page = header.page
        self._digest = hashlib.sha256(page).digest()
        if out:
            if self.first_record is None:
                self.first_record = out[0].number
            self.last_record = out[-1].number
            self.records += len(out)
        return out

    def end(self) -> None:
        """Say that no page follows: a torn record at the very end was never acknowledged."""
        if self._torn is not None:
            page, record = self._torn
            self._torn = None
            self._problem("torn record", page, record, _torn_text(page, record), harmless=True)

    def _link(self, header: PageHeader) -> None:
        """Compare a page's header with the page before it."""
        page = header.page
        if self.device is None:
            self.device = header.device
        elif header.device != self.device:
            self._problem(
                "device",
                page,
                None,
                f"Page {page} comes from device {header.device.hex()}, the pages before it from {self.device.hex()}.",
            )
        if header.shoe != self._shoe:
            self._shoe = header.shoe
            self.shoes += 1
        if self._page is not None:
            if page == self._page + 1:
                if self._digest and header.previous != self._digest:
                    self._problem(
                        "chain",
                        page,
                        header.first_record,
                        f"Page {page} does not continue page {self._page}: the SHA-256 of page {self._page} differs "
                        f"from the one stored in page {page}. One of them was changed.",
                    )
            elif page > self._page:
                self._problem(
                    "page gap", page, None, f"Pages {self._page + 1} to {page - 1} are missing before page {page}."
                )
            else:
                self._problem("page order", page, None, f"Page {page} stands after page {self._page}.")
        first = header.first_record
        if self._torn is not None:
            torn_page, record = self._torn
            self._torn = None
            if first == record:
                self._problem("torn record", torn_page, record, _torn_text(torn_page, record), harmless=True)
            else:
                self._problem(
                    "record", torn_page, record, f"Record {record} in page {torn_page} is damaged and was left out."
                )
                self._next = first if first == record + 1 else self._next
        if self._next >= 0 and first != self._next:
            if first > self._next:
                missing = f"Records {self._next} to {first - 1} are missing"
            else:
                missing = f"Record numbers go back from {self._next} to {first}"
            self._problem("record gap", page, first, f"{missing} before page {page}.")

    def _body(self, page: bytes, header: PageHeader) -> list[Record]:
        """Records of a page whose header is good."""
        out: list[Record] = []
        append = out.append
        new = tuple.__new__
        u32 = _U32.unpack_from
        number = header.first_record
        boot = header.boot
        bodies = _BODIES
        offset = HEADER_SIZE
        bad: list[int] = []
        while offset + 10 <= PAGE_SIZE:
            length = page[offset]
            if length == 0xFF:
                break
            end = offset + 6 + length
            if end + 4 > PAGE_SIZE:
                bad.append(number)
                break
            if crc32(page[offset:end], crc32(number.to_bytes(4, "little"))) != u32(page, end)[0]:
                # A changed record leaves its neighbours whole; after a torn one nothing follows.
                bad.append(number)
                if len(bad) > 3:
                    break
            else:
                for lost in bad:
                    self._problem(
                        "record", header.page, lost, f"Record {lost} in page {header.page} is damaged and was left out."
                    )
                bad.clear()
                kind = page[offset + 1]
                body = bodies.get(kind)
                if body is not None and body.size <= length + 4:
                    values = body.unpack_from(page, offset + 2)
                    if kind == _BOOT and (out or boot == self._boot):
                        boot += 1
                    append(new(Record, (number, boot, values[0], kind, values[1:])))
                elif body is None:
                    ticks = u32(page, offset + 2)[0]
                    append(new(Record, (number, boot, ticks, kind, (page[offset + 6 : end],))))
                else:
                    self._problem(
                        "record", header.page, number, f"Record {number} is too short for a {NAMES[kind]} record."
                    )
            number += 1
            offset = end + 4
        if bad:
            number = bad[0]
            self._torn = (header.page, number)
        elif page[offset:].strip(b"\xff"):
            self._problem("page tail", header.page, number, f"Page {header.page} holds data after its last record.")
        self._next = number
        self._boot = boot
        return out


def _torn_text(page: int, record: int) -> str:
    return (
        f"Record {record} at the end of page {page} was cut off while it was written (power cut); "
        "it was never acknowledged and its number was used again."
    )
