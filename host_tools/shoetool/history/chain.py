"""The chain of journal pages: headers, CRCs, SHA-256 links, record numbers. Each problem is named with its place.

Feed pages in order; each gives its whole records. A damaged page raises no error: a history with a hole is still a
history, and its holes are its first findings.
"""

from __future__ import annotations

import hashlib
import struct
from binascii import crc32
from bisect import bisect_right
from dataclasses import dataclass
from typing import Final, NamedTuple

from shoetool.history.header_run import HeaderRun
from shoetool.history.torn_step import MOST_TORN, OVERHEAD, goes_on, may_be_torn, programmed
from shoetool.model.errors import BadInput
from shoetool.model.protocol_table import PAGE_FORMAT, PAGE_HEADER_FORMAT, PAGE_MAGIC, PAGE_SIZE, RecordKind
from shoetool.model.records import NAMES, STRUCTS, Record

_HEADER: Final = struct.Struct(PAGE_HEADER_FORMAT)
HEADER_SIZE: Final = _HEADER.size
_U32: Final = struct.Struct("<I")
_PAGE_NUMBER_AT: Final = 8
_MOST_PROBLEMS: Final = 1000
_LAST_NUMBER: Final = 0xFFFFFFFF
_MOST_FLAGS: Final = 0xFF
# Ticks and payload in one call. The length byte and the kind come before them.
_BODIES: Final = {kind: struct.Struct("<I" + layout.format.lstrip("<")) for kind, layout in STRUCTS.items()}
WHOLE: Final = 0x2144DF1C
"""The CRC-32 of any data with its own CRC-32 behind it."""
_BOOT: Final = int(RecordKind.BOOT)


def page_number(page: bytes) -> int:
    """Return the number of a page from its header, unchecked."""
    return int(_U32.unpack_from(page, _PAGE_NUMBER_AT)[0])


def gap(what: str, first: int, last: int) -> str:
    """Return in words which numbered things are missing: `page 2 is missing`, `records 5 to 9 are missing`."""
    return f"{what} {first} is missing" if first == last else f"{what}s {first} to {last} are missing"


class PageHeader(NamedTuple):
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
        """Return the header of a page. BadInput when it is no header, or its CRC is wrong."""
        header = cls._make(_HEADER.unpack_from(page))
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

    `harmless`: a power cut leaves this by design (a torn last record that was never acknowledged).
    """

    kind: str
    page: int | None
    record: int | None
    text: str
    harmless: bool = False


class PageFact(NamedTuple):
    """What is kept of a page after it was read: its header's values, and the SHA-256 of the whole page."""

    page: int
    shoe: int
    device: bytes
    first_record: int
    previous: bytes
    digest: bytes


class _Lost(NamedTuple):
    """Records of a page that cannot be read. `before`: how many whole records come before them."""

    first: int
    last: int
    before: int
    data: bytes


class PageChain:
    """Folds pages into records and keeps the problems. Memory: some 300 bytes a page, and at most 1000 problems."""

    def __init__(self) -> None:
        self.problems: list[ChainProblem] = []
        self.facts: list[PageFact] = []
        """One for each page with a good header, in the order of the file."""
        self.pages = 0
        self.records = 0
        self.first_record: int | None = None
        self.last: Record | None = None
        """The last record so far."""
        self.device: bytes | None = None
        self.shoes = 0
        self._shoe: int | None = None
        self._page: int | None = None
        self._digest = b""
        self._next = -1
        self._torn: tuple[int, int] | None = None
        self._doubtful: list[Record] = []
        self._turns: list[tuple[int, int]] = []
        """(first record, flags) of each page whose flags differ from the page before."""
        self._turns_known = True
        self.headers = HeaderRun()

    @property
    def shoe(self) -> int | None:
        """The device's number of the shoe that the last page belongs to; None before the first page."""
        return self._shoe

    @property
    def last_record(self) -> int | None:
        """The number of the last record so far."""
        return None if self.last is None else self.last.number

    def turns_of(self, number: int) -> int | None:
        """Return how often the device's ticks had wrapped since its start when it wrote record `number`.

        None: its page does not tell, or the pages are in no order.
        """
        index = bisect_right(self._turns, (number, _MOST_FLAGS)) - 1
        if index < 0 or not self._turns_known or not self._turns[index][1]:
            return None
        return self._turns[index][1] - 1

    @property
    def ok(self) -> bool:
        """Whether every page and record fits, apart from what a power cut leaves behind."""
        return all(problem.harmless for problem in self.problems)

    def _problem(self, kind: str, page: int | None, record: int | None, text: str, harmless: bool = False) -> None:
        if len(self.problems) < _MOST_PROBLEMS:
            self.problems.append(ChainProblem(kind, page, record, text, harmless))

    def feed(self, page: bytes) -> list[Record]:
        """Return the whole records of the next page, in order. An unusable page gives no records and a problem.

        Records after a damaged one at the end of a page come with the next page or from `end`. Only then is it known
        whether they count, or whether a power cut left them.
        """
        self.pages += 1
        if len(page) != PAGE_SIZE:
            self._problem("page size", None, None, f"A page has {len(page)} bytes instead of {PAGE_SIZE}.")
            return []
        try:
            header = PageHeader.unpack(page)
        except BadInput as error:
            self._problem("page header", self._page, None, f"The page after page {self._page} is unusable: {error}.")
            self._digest = b""
            self._page = None
            return []
        follows = self._page == header.page - 1 and self._next == header.first_record
        self._link(header)
        out = self._settle(header.first_record) if self._torn is not None else []
        if self._next >= 0 and header.first_record != self._next:
            self._number_gap(header)
        if self._turns and header.first_record < self._turns[-1][0]:
            self._turns_known = False
        if not self._turns or self._turns[-1][1] != header.flags:
            self._turns.append((header.first_record, header.flags))
        found = self._body(page, header)
        out += found
        after = None if self._torn is not None else found[-1].boot if found else header.boot
        self.headers.take(header.page, header.flags, header.boot, after, follows)
        self._page = header.page
        self._digest = hashlib.sha256(page).digest()
        self.facts.append(
            PageFact(header.page, header.shoe, header.device, header.first_record, header.previous, self._digest)
        )
        self._count(out)
        return out

    def end(self) -> list[Record]:
        """End the chain: no page follows. A step that was cut off at the very end was never acknowledged."""
        out = self._settle(None)
        self._count(out)
        return out

    def _count(self, out: list[Record]) -> None:
        if out:
            if self.first_record is None:
                self.first_record = out[0].number
            self.last = out[-1]
            self.records += len(out)

    def _settle(self, first: int | None) -> list[Record]:
        """Decide about the damaged end of the page before. It is torn if the next page uses its record number again."""
        if self._torn is None:
            return []
        page, number = self._torn
        doubtful = self._doubtful
        self._torn, self._doubtful = None, []
        if first is None or first == number:
            self._problem(
                "torn record",
                page,
                number,
                f"The step that begins with record {number} at the end of page {page} was cut off while it was written "
                "(power cut); it was never acknowledged.",
                harmless=True,
            )
            return []
        self._damaged(page, number, doubtful[0].number - 1 if doubtful else number)
        self._next = max(number + 1, doubtful[-1].number + 1 if doubtful else 0)
        return doubtful

    def _damaged(self, page: int, first: int, last: int) -> None:
        many = f"Records {first} to {last} in page {page} are damaged and were left out."
        one = f"Record {first} in page {page} is damaged and was left out."
        self._problem("record", page, first, one if first == last else many)

    def _number_gap(self, header: PageHeader) -> None:
        first = header.first_record
        if first > self._next:
            missing = gap("Record", self._next, first - 1)
        else:
            missing = f"Record numbers go back from {self._next} to {first}"
        self._problem("record gap", header.page, first, f"{missing} before page {header.page}.")

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
                missing = gap("Page", self._page + 1, page - 1)
                self._problem("page gap", page, header.first_record, f"{missing} before page {page}.")
            else:
                self._problem("page order", page, None, f"Page {page} stands after page {self._page}.")

    def _body(self, page: bytes, header: PageHeader) -> list[Record]:
        """Return the records of a page with a good header. Those after a damaged record may wait in `_doubtful`."""
        out: list[Record] = []
        append = out.append
        new = tuple.__new__
        u32 = _U32.unpack_from
        number = header.first_record
        boot = header.boot
        bodies = _BODIES
        offset = HEADER_SIZE
        lost: list[_Lost] = []
        while offset + OVERHEAD <= PAGE_SIZE:
            length = page[offset]
            if length == 0xFF and not programmed(page[offset:]):
                break
            if number > _LAST_NUMBER:
                self._problem(
                    "record", header.page, None, f"Record {number} is not possible: numbers end at {_LAST_NUMBER}."
                )
                break
            after = offset + OVERHEAD + length
            if (
                length == 0xFF
                or after > PAGE_SIZE
                or crc32(page[offset:after], crc32(number.to_bytes(4, "little"))) != WHOLE
            ):
                found = goes_on(page, offset, number)
                if found is None:
                    break
                lost.append(_Lost(number, found[1] - 1, len(out), page[offset : found[0]]))
                offset, number = found
                continue
            kind = page[offset + 1]
            body = bodies.get(kind)
            if body is not None and body.size <= length + 4:
                values = body.unpack_from(page, offset + 2)
                if kind == _BOOT:
                    boot += 1
                append(new(Record, (number, boot, values[0], kind, values[1:])))
            elif body is None:
                ticks = u32(page, offset + 2)[0]
                append(new(Record, (number, boot, ticks, kind, (page[offset + 6 : after - 4],))))
            else:
                self._problem(
                    "record", header.page, number, f"Record {number} is too short for a {NAMES[kind]} record."
                )
            number += 1
            offset = after
        self._next = number
        rest = page[offset:] if number <= _LAST_NUMBER else b""
        if lost or programmed(rest):
            self._damaged_end(header.page, out, lost, rest)
        return out

    def _damaged_end(self, page: int, out: list[Record], lost: list[_Lost], rest: bytes) -> None:
        """Keep back records that a cut-off step may have left. Report damage that no power cut leaves."""
        if not programmed(rest) and len(lost) == 1:
            after = out[lost[0].before :]
            if may_be_torn(lost[0].data, after):
                del out[lost[0].before :]
                self._torn, self._doubtful = (page, lost[0].first), after
                self._next = lost[0].first
                return
        for stretch in lost:
            self._damaged(page, stretch.first, stretch.last)
        if not programmed(rest):
            return
        if may_be_torn(rest, []):
            self._torn = (page, self._next)
            return
        self._problem(
            "record",
            page,
            self._next,
            f"{programmed(rest)} bytes of page {page} from record {self._next} on cannot be read; a step that a power "
            f"cut tore leaves {MOST_TORN} at most: records that were there are damaged and were left out.",
        )
