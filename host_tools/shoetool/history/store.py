"""History files `*.shoelog`. A write that is cut off at any byte loses at most the last chunk. Reading is a stream.

A file holds the journal pages of one or more shoes of one device in the order of their numbers. The last page may be
written again with more records: the later copy replaces the earlier one.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, Self

from shoetool.history import chunks
from shoetool.history.chain import PageChain, PageHeader, page_number
from shoetool.history.chunks import ClockPoint, Configuration, Identity, SignatureChunk
from shoetool.history.clock import ClockMap
from shoetool.history.readings import recorded_readings
from shoetool.history.start_clock import Moment
from shoetool.history.unread import Unread, contradictory, grew
from shoetool.model.errors import BadInput
from shoetool.model.file_kinds import HISTORY
from shoetool.model.input_file import LARGEST_EVIDENCE, open_input, size_of, unreadable
from shoetool.model.output_file import open_growing, sync_folder
from shoetool.model.protocol_table import PAGE_SIZE
from shoetool.model.records import Record

_MOST_SIGNATURES = 10_000
WANTED = "a shoe history"
_DIGESTED = 1 << 16
"""So many bytes are read at a time for the digest of a file."""


def _check_start(path: Path, start: bytes, file: BinaryIO) -> int:
    """Return the flags of a history. BadInput unless it begins as one does, and is no longer than one can be."""
    flags = chunks.check_header(path, start)
    if size_of(file) > LARGEST_EVIDENCE:
        advice = f"read a copy of its beginning (head -c {LARGEST_EVIDENCE})"
        raise BadInput(f"{path}: has more bytes than a shoe history can have ({LARGEST_EVIDENCE}): {advice}")
    return flags


def _number(page: bytes, before: int | None) -> int | None:
    """Return the number of a page in a file after page `before`: its own, or the next if its header is damaged."""
    try:
        return PageHeader.unpack(page).page
    except BadInput:
        return None if before is None else before + 1


class ShoelogReader:
    """Reads one file as a stream. Open it, iterate `pages` or `records`, then ask what was wrong with it.

    `identity`, `configuration` and `clock` hold what was read so far. What comes before the first page is there from
    the start. `signatures` are those that were read, in the order of the file. `devices` are all devices that the file
    names as its writer. `moment` gives the time of day of a record while it is the last one from `records`. BadInput:
    missing, empty, foreign or newer file.
    """

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        self.name = self.path.name
        """Under which it was first verified: a copy may have another name."""
        self.identity: Identity | None = None
        self.configuration: Configuration | None = None
        self.clock = ClockMap()
        self._all_clocks = False
        self._places: dict[int, int] = {}
        """Where the last copy of each page begins, by the page's number."""
        self._fetched: ClockPoint | None = None
        self._first: tuple[Record, ClockPoint | None] | None = None
        self.signatures: list[SignatureChunk] = []
        self._signatures: set[SignatureChunk] = set()
        self.devices: dict[bytes, None] = {}
        self.scan = chunks.Scan()
        self.chain = PageChain()
        self._unread = Unread()
        self._file = open_input(self.path, WANTED)
        try:
            try:
                start = self._file.read(chunks.HEADER_SIZE)
            except OSError as error:
                raise unreadable(self.path, error) from None
            self._unread.flags = _check_start(self.path, start, self._file)
            for _, tag, body in self._chunks(chunks.Scan()):
                if tag == chunks.PAGE:
                    break
                self._take(tag, body)
        except BaseException:
            self._file.close()
            raise

    def _chunks(self, scan: chunks.Scan) -> Iterator[tuple[int, bytes, bytes]]:
        try:
            yield from chunks.read_chunks(self._file, scan)
        except OSError as error:
            raise unreadable(self.path, error) from None

    def _take(self, tag: bytes, body: bytes) -> None:
        try:
            found: Identity | Configuration | ClockPoint | SignatureChunk
            if tag == chunks.IDENTITY:
                found = self.identity = Identity.unpack(body)
                self.devices[self.identity.device] = None
            elif tag == chunks.CONFIGURATION:
                found = self.configuration = Configuration.unpack(body)
            elif tag == chunks.CLOCK:
                found = ClockPoint.unpack(body)
                self.clock.add(found)
            elif tag == chunks.SIGNATURE:
                found = SignatureChunk.unpack(body)
                self._signed(found)
            else:
                return
            if found.pack() != body:
                self._unread.kinds[tag] = None
        except BadInput as error:
            if len(self.scan.damaged) < 100:
                self.scan.damaged.append(str(error))

    def _signed(self, found: SignatureChunk) -> None:
        if found in self._signatures:
            return
        if len(self.signatures) >= _MOST_SIGNATURES:
            self._unread.signatures += 1
            return
        self._signatures.add(found)
        self.signatures.append(found)

    def pages(self) -> Iterator[bytes]:
        """Yield the 4096 bytes of each page in the order of the file. A page written again replaces its first copy."""
        self.scan, self._unread = chunks.Scan(), Unread(self._unread.flags)
        held: bytes | None = None
        fetched: ClockPoint | None = None  # each fetch reads the clock before it asks for pages
        held_fetched: ClockPoint | None = None
        for offset, tag, body in self._chunks(self.scan):
            if tag != chunks.PAGE:
                self._take(tag, body)
                if tag == chunks.CLOCK and len(body) >= chunks.CLOCK_SIZE:
                    fetched = ClockPoint.unpack(body)
                continue
            self._places[page_number(body)] = offset
            self._take_readings(body)
            if held is not None and page_number(held) != page_number(body):
                self._fetched = held_fetched
                yield held
            elif held is not None and not grew(held, body):
                self._unread.rewritten[page_number(body)] = None
            held, held_fetched = body, fetched
        self._all_clocks = True
        if held is not None:
            self._fetched = held_fetched
            yield held

    def page(self, number: int) -> bytes | None:
        """Read the last copy of a page that `pages` came by once more; None when there was none."""
        if number not in self._places:
            return None
        try:
            self._file.seek(self._places[number])
            found = chunks.read_one(self._file)
        except OSError as error:
            raise unreadable(self.path, error) from None
        return None if found is None else found[1]

    def digest(self) -> str:
        """Return the SHA-256 of the whole file in hexadecimal: of the file that is read here, whatever now has its
        name."""
        found = sha256()
        try:
            self._file.seek(0)  # all other reading seeks its place too
            while part := self._file.read(_DIGESTED):
                found.update(part)
        except OSError as error:
            raise unreadable(self.path, error) from None
        return found.hexdigest()

    def records(self) -> Iterator[Record]:
        """Yield every whole record in order. Afterwards `chain` holds what is wrong with the pages and their chain."""
        self.chain = PageChain()
        self._first = None
        feed = self.chain.feed
        for page in self.pages():
            found = feed(page)
            if found and self._first is None:
                self._first = found[0], self._fetched
            yield from found
        yield from self.chain.end()

    def moment(self, record: Record) -> Moment | None:
        """Return the time of day of a record; None when it is not known. See `ClockMap.moment`.

        The first call reads the file once more unless it was read to its end: a later fetch's reading of the clock
        counts for all records.
        """
        return self._moment(record, self._fetched)

    def span(self) -> tuple[Moment | None, Moment | None]:
        """Return the times of day of the first and the last record, after all were read; None where not known."""
        if self._first is None or self.chain.last is None:
            return None, None
        return self._moment(*self._first), self._moment(self.chain.last, self._fetched)

    def _moment(self, record: Record, fetched: ClockPoint | None) -> Moment | None:
        """Return the time of day of a record whose page was fetched after this reading of the clock."""
        self.read_clocks()
        return self.clock.moment(record.boot, record.ticks_ms, fetched, self.chain.turns_of(record.number))

    def read_clocks(self) -> None:
        """Let `clock` hold all readings of the file: read it once more, unless it was read to its end."""
        if self._all_clocks:
            return
        self._all_clocks = True
        for _, tag, body in self._chunks(chunks.Scan()):
            if tag == chunks.CLOCK and len(body) >= chunks.CLOCK_SIZE:
                self.clock.add(ClockPoint.unpack(body))
            elif tag == chunks.PAGE:
                self._take_readings(body)

    def _take_readings(self, page: bytes) -> None:
        for reading in recorded_readings(page):
            self.clock.add_recorded(reading)

    def notes(self) -> list[str]:
        """Return one line for each problem of the file itself, after it was read."""
        simulated = self.identity is not None and self.identity.simulated
        out = [*self.scan.damaged, *self.clock.notes(simulated), *self.scan.notes()]
        return [*out, *self._unread.notes(), *contradictory(self.signatures), *self.chain.headers.notes]

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class ShoelogWriter:
    """Creates a file or appends to one: a fetch that was cut off goes on where it stopped.

    `next_page` is the page to continue with: the last page of the file again (it may have grown), or None for an empty
    file. `repaired` counts bytes of a half-written chunk that were cut off when the file was opened.
    BadInput: no history, a newer format, another device's history, a page that contradicts the one in the file.
    """

    def __init__(self, path: str | Path, sync: bool = True) -> None:
        self.path = Path(path)
        self.repaired = 0
        self.identity: Identity | None = None
        self.configuration: Configuration | None = None
        self._sync = sync
        self._signatures: set[bytes] = set()
        self._last: bytes | None = None
        self._number: int | None = None
        try:
            self._file = open_growing(self.path, HISTORY)
        except OSError as error:
            raise BadInput(f"{self.path}: cannot be opened: {error.strerror}") from None
        try:
            if not size_of(self._file):
                self._file.write(chunks.pack_header())
                self._flush()
                if sync:
                    self._sync_name()
            else:
                self._resume()
        except BaseException:
            self._file.close()
            raise

    def _resume(self) -> None:
        self._file.seek(0)
        _check_start(self.path, self._file.read(chunks.HEADER_SIZE), self._file)
        scan = chunks.Scan()
        for _, tag, body in chunks.read_chunks(self._file, scan):
            if tag == chunks.PAGE:
                self._number = _number(body, self._number)
                self._last = body
            elif tag == chunks.IDENTITY:
                self.identity = Identity.unpack(body)
            elif tag == chunks.CONFIGURATION:
                self.configuration = Configuration.unpack(body)
            elif tag == chunks.SIGNATURE:
                self._signatures.add(body)
        if scan.given_up:
            raise BadInput(f"{self.path}: is too damaged to continue; move it away and fetch again")
        if scan.damaged:
            # A missing page in the middle would never be fetched, and yet the shoe would hear that all was fetched.
            raise BadInput(f"{self.path}: {scan.damaged[0]}; move the file away and fetch the history again")
        self.repaired = scan.truncated
        self._file.seek(scan.whole_until)
        self._file.truncate()

    @property
    def next_page(self) -> int | None:
        """The number of the page to continue with, or None when the file holds no page yet."""
        return self._number

    def set_identity(self, identity: Identity) -> None:
        """Store who wrote the journal. BadInput when the file belongs to another device."""
        if self.identity == identity:
            return
        if self.identity is not None and self.identity.device != identity.device:
            raise BadInput(
                f"{self.path}: holds a history of device {self.identity.device.hex()}, not of {identity.device.hex()}"
            )
        self.identity = identity
        self._append(chunks.IDENTITY, identity.pack())

    def set_configuration(self, configuration: Configuration) -> None:
        """Store the settings, unless the file already has the same ones."""
        if self.configuration != configuration:
            self.configuration = configuration
            self._append(chunks.CONFIGURATION, configuration.pack())

    def add_clock(self, point: ClockPoint) -> None:
        """Store one reading of both clocks."""
        self._append(chunks.CLOCK, point.pack())

    def add_signature(self, signature: SignatureChunk) -> bool:
        """Store the signature of a shoe. False: the file already has the same one."""
        body = signature.pack()
        if body in self._signatures:
            return False
        self._signatures.add(body)
        self._append(chunks.SIGNATURE, body)
        return True

    def append_page(self, page: bytes, number: int | None = None) -> bool:
        """Store a page (shorter than 4096 bytes: the rest is not yet written, 0xFF). False: the file already has it.

        `number` is the number of the requested page: a damaged header cannot tell it.
        BadInput: more than a page, an older page than the file's last one, or the same page with other records.
        """
        if len(page) > PAGE_SIZE:
            raise BadInput(f"a page of {len(page)} bytes does not fit into {PAGE_SIZE}")
        page = bytes(page) + b"\xff" * (PAGE_SIZE - len(page))
        if number is None:
            number = page_number(page)
        last = self._number
        if self._last is not None and last is not None:
            if number < last:
                raise BadInput(f"{self.path}: page {number} is older than page {last}, which the file has already")
            if number == last:
                if page == self._last:
                    return False
                if not grew(self._last, page):
                    raise BadInput(f"{self.path}: page {number} of the device contradicts the one in the file")
        self._append(chunks.PAGE, page)
        self._last = page
        self._number = number
        return True

    def _append(self, tag: bytes, body: bytes) -> None:
        try:
            self._file.write(chunks.pack_chunk(tag, body))
            self._flush()
        except OSError as error:
            raise BadInput(f"{self.path}: cannot be written: {error.strerror}; what is in it is safe") from None

    def _flush(self) -> None:
        self._file.flush()
        if self._sync:
            os.fsync(self._file.fileno())

    def _sync_name(self) -> None:
        """Make the new file's name durable too: data in a file without a name is lost."""
        try:
            sync_folder(self.path.parent)
        except OSError as error:
            raise BadInput(f"{self.path}: its folder cannot be made durable: {error.strerror}") from None

    def close(self) -> None:
        """Close the file. Everything that was appended is durable."""
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            self.close()
        except OSError:
            if error is None:
                raise  # else an error is already on its way: a disk that rejected a chunk rejects its remains too
