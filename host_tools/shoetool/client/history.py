"""Fetch pages of the journal, with several requests at a time and pieces as large as the line allows. It can resume."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from shoetool.model.errors import DeviceError
from shoetool.model.protocol_table import PAGE_SIZE, Error, MessageKind
from shoetool.wire.answers import EDGE_BYTES, ShoeEntry, TracePass, unpack_edges, unpack_shoes
from shoetool.wire.frames import MAX_PAYLOAD
from shoetool.wire.messages import pack_request, unpack

from .requests import NoAnswer, Pending, Refused
from .session import WINDOW, Session

Progress = Callable[[int, int], None]
"""A function that is called with (bytes fetched, bytes in all)."""

_HEAD: Final = 8  # the fields page, offset and used of an answer
LARGEST_PIECE: Final = -(-PAGE_SIZE // -(-PAGE_SIZE // (MAX_PAYLOAD - _HEAD)))  # 342: twelve equal pieces make a page
SMALLEST_PIECE: Final = 16
# A piece is asked for twice before it is cut smaller.
_TRIES_PER_PIECE: Final = 2
_GROW_AFTER: Final = 6


@dataclass(frozen=True, slots=True)
class Page:
    """One page as the device holds it: PAGE_SIZE bytes, verbatim, 0xFF where nothing is programmed yet.

    `used` bytes were durable when it was read. A page that is still being written grows: fetch it again later.
    """

    number: int
    data: bytes
    used: int


_LAST_NUMBER: Final = 0xFFFFFFFF
# A history of a shoe of eight decks has some 40 pages. The largest flash of a board, 32 MB, holds this many pages.
_MOST_PAGES: Final = 8192
# One damaged page may be blank. So many blank pages in a row were never written.
_MOST_BLANK: Final = 16
# Far more than any journal can hold.
_MOST_SHOES: Final = 4096
# On a bad line small answers may come through when long ones do not. So many shoes, or bytes of a trace, at a time.
_SHOES_AT_A_TIME: Final = (0, 4, 1)
_TRACE_AT_A_TIME: Final = (0, 96, 24)
_MOST_PARTS: Final = -(-0xFFFF * 3 // _TRACE_AT_A_TIME[-1])  # the longest trace in the smallest parts


def list_shoes(session: Session, from_shoe: int) -> list[ShoeEntry]:
    """Return the histories in the journal, oldest first, from a shoe number on."""
    shoes: list[ShoeEntry] = []
    while True:
        payloads = [pack_request(MessageKind.HISTORY_LIST, from_shoe=from_shoe, most=n) for n in _SHOES_AT_A_TIME]
        answer = unpack(MessageKind.HISTORY_LIST, "answer", _whatever_fits(session, MessageKind.HISTORY_LIST, payloads))
        found = [entry for entry in unpack_shoes(answer["shoes"]) if entry.shoe >= from_shoe]
        if any(later.shoe <= earlier.shoe for earlier, later in pairwise(found)) or len(shoes) > _MOST_SHOES:
            raise DeviceError(f"{session.transport.name}: the shoe's list of histories makes no sense")
        shoes += found
        if not answer["more"] or not found or found[-1].shoe == _LAST_NUMBER:
            return shoes
        from_shoe = found[-1].shoe + 1


def read_trace(session: Session, index: int) -> TracePass | None:
    """Return the raw edges of a recent pass; 0 is the newest. None when there is no such pass."""
    data = b""
    for _ in range(_MOST_PARTS):
        payloads = [pack_request(MessageKind.TRACE, index=index, offset=len(data), most=n) for n in _TRACE_AT_A_TIME]
        try:
            answer = unpack(MessageKind.TRACE, "answer", _whatever_fits(session, MessageKind.TRACE, payloads))
        except Refused as refused:
            if refused.code == Error.BAD_VALUE:
                return None
            raise
        if index >= answer["passes"]:
            return None
        part = answer["data"]
        if answer["offset"] != len(data):
            raise DeviceError(
                f"{session.transport.name}: the shoe answers with another part of the trace than asked for"
            )
        data += part
        if part and len(data) < EDGE_BYTES * answer["edges"]:
            continue
        edges = unpack_edges(data)
        if not part or len(edges) >= answer["edges"]:
            return TracePass(index, answer["head"], answer["kind"], tuple(edges))
    raise DeviceError(f"{session.transport.name}: the shoe sends the trace of a pass in crumbs without end")


def _whatever_fits(session: Session, kind: int, payloads: list[bytes]) -> bytes:
    """Send these requests until an answer comes through, and return it. Each asks for less than the one before."""
    for payload in payloads[:-1]:
        asked = session.submit(kind, payload)
        try:
            while not asked.done and asked.tries <= _TRIES_PER_PIECE:
                session.step(session.timeouts.answer_s)
        finally:
            session.give_up(asked)
        if asked.answer is not None:
            return asked.answer
        if asked.error is not None:
            raise asked.error
    return session.call(kind, payloads[-1])


class PageReader:
    """Reads pages one after another, and remembers how large a piece the line carries.

    While the last pieces of a page come, the first pieces of the next page are requested, so that the line is never
    idle. Once a piece had to be requested again, there are fewer requests at a time: the device may have had no room.
    """

    def __init__(self, session: Session) -> None:
        self._session = session
        self.piece = LARGEST_PIECE
        self._good = 0
        self._pages: dict[int, _Assembly] = {}
        self._under_way: dict[int, _Piece] = {}

    @property
    def name(self) -> str:
        """The name of the port."""
        return self._session.transport.name

    def read(self, number: int, progress: Callable[[int], None] | None = None, following: int | None = None) -> Page:
        """Return one page. `progress` gets the bytes of it fetched so far. The page `following` will be read next.

        Refused (no_such_page) when the device does not hold it, NoAnswer when it stays silent. When the device
        reconnects or restarts meanwhile, the pieces that are here stay.
        """
        try:
            for other in [other for other in self._pages if other != number]:
                self._forget(other)  # requested ahead, but another page is read now
            page = self._read(number, progress, following)
        except BaseException:
            self.close()
            raise
        self._forget(number)  # and the pieces after the used bytes
        return page.finish()

    def close(self) -> None:
        """Forget what is under way."""
        for number in list(self._pages):
            self._forget(number)

    def _forget(self, number: int) -> None:
        del self._pages[number]
        for key, piece in list(self._under_way.items()):
            if piece.page.number == number:
                self._session.give_up(piece.asked)
                del self._under_way[key]

    def _read(self, number: int, progress: Callable[[int], None] | None, following: int | None) -> _Assembly:
        page = self._page(number)
        futile = 0
        session, moved_at, reconnects = self._session, self._session.transport.now(), self._session.counters.reconnects
        while not page.complete:
            self._ask(number, following)
            session.step(session.timeouts.answer_s)
            before = page.have
            for key, piece in list(self._under_way.items()):
                asked = piece.asked
                if asked.tries > 1:
                    session.history_window = WINDOW
                if asked.error is not None and not isinstance(asked.error, NoAnswer):
                    if piece.page is page:
                        raise asked.error
                    following = None  # its own read will find that again
                elif asked.answer is not None:
                    had = piece.page.have
                    piece.page.take(asked.answer)
                    if piece.page.have > had or piece.page.complete or piece.page.ends_before(piece.offset):
                        self._grow()
                    else:
                        # There was an answer, but it holds none of the requested bytes.
                        futile += 1
                        if futile > session.timeouts.noisy_tries:
                            raise NoAnswer(f"{session.transport.name}: page {number} does not arrive")
                elif asked.error is not None or asked.tries > _TRIES_PER_PIECE:
                    futile += 1
                    self._shrink()
                    if futile > session.timeouts.noisy_tries or (
                        asked.error is not None and self.piece == SMALLEST_PIECE
                    ):
                        raise asked.error or NoAnswer(f"{session.transport.name}: page {number} does not arrive")
                else:
                    continue
                session.give_up(asked)
                del self._under_way[key]
            while session.late:
                kind, payload = session.late.popleft()
                if kind == MessageKind.HISTORY_READ:
                    page.take(payload)
            if session.counters.reconnects > reconnects:
                reconnects, moved_at = session.counters.reconnects, session.transport.now()
            elif page.have == before and session.transport.now() - moved_at > session.timeouts.request_s:
                raise NoAnswer(f"{session.transport.name}: page {number} does not arrive")
            if page.have > before:
                futile, moved_at = 0, session.transport.now()
                if progress is not None:
                    progress(page.have)
        return page

    def _page(self, number: int) -> _Assembly:
        return self._pages.setdefault(number, _Assembly(number))

    def _ask(self, number: int, following: int | None) -> None:
        """Fill the window with requests for missing pieces that are not under way: of this page, then of the next."""
        while self._session.may_submit(self._session.history_window):
            for page in [self._page(n) for n in (number, following) if n is not None]:
                there = [(piece.offset, piece.length) for piece in self._under_way.values() if piece.page is page]
                gap = page.gap(there, self.piece)
                if gap is not None:
                    break
            else:
                return
            offset, length = gap
            payload = pack_request(MessageKind.HISTORY_READ, page=page.number, offset=offset, length=length)
            window = self._session.history_window
            asked = self._session.submit(MessageKind.HISTORY_READ, payload, window=window)
            self._under_way[id(asked)] = _Piece(asked, page, offset, length)

    def _grow(self) -> None:
        self._good += 1
        if self._good >= _GROW_AFTER:
            self._good = 0
            self.piece = min(LARGEST_PIECE, self.piece * 2)

    def _shrink(self) -> None:
        self._good = 0
        self.piece = max(SMALLEST_PIECE, self.piece // 2)


@dataclass(frozen=True, slots=True)
class _Piece:
    """A piece of a page that was requested."""

    asked: Pending
    page: _Assembly
    offset: int
    length: int


class _Assembly:
    """The pieces of one page that are here."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.used: int | None = None
        self._data = bytearray(b"\xff" * PAGE_SIZE)
        self._here = bytearray(PAGE_SIZE)
        self.have = 0

    @property
    def complete(self) -> bool:
        return self.used is not None and self._here.find(0, 0, self.used) < 0

    def ends_before(self, offset: int) -> bool:
        """Whether nothing is used from `offset` on."""
        return self.used is not None and offset >= self.used

    def take(self, answer: bytes) -> None:
        fields = unpack(MessageKind.HISTORY_READ, "answer", answer)
        page, offset, used, data = fields["page"], fields["offset"], fields["used"], fields["data"]
        if page != self.number:
            return
        # The page may have grown since the first piece. What was durable then has not changed.
        self.used = max(self.used or 0, min(used, PAGE_SIZE))
        end = min(offset + len(data), self.used)
        if end > offset:
            self._data[offset:end] = data[: end - offset]
            self._here[offset:end] = b"\1" * (end - offset)
        self.have = self._here.count(1)

    def gap(self, under_way: list[tuple[int, int]], most: int) -> tuple[int, int] | None:
        end = PAGE_SIZE if self.used is None else self.used
        offset = 0
        while True:
            offset = self._here.find(0, offset, end)
            if offset < 0:
                return None
            covering = [start + length for start, length in under_way if start <= offset < start + length]
            if not covering:
                break
            offset = max(covering)
        stop = self._here.find(1, offset, end)
        stop = end if stop < 0 else stop
        nexts = [start for start, _ in under_way if start > offset]
        return offset, min(most, min([stop, *nexts]) - offset)

    def finish(self) -> Page:
        return Page(self.number, bytes(self._data), self.used or 0)


def pull(
    reader: PageReader, entry: ShoeEntry, skip: int, progress: Progress | None, following: int | None
) -> Iterator[Page]:
    """Yield the pages of a history from index `skip` on. `progress` counts the skipped pages as fetched.

    The page `following` will be read after the last one, with the same reader. It is requested ahead.
    """
    first, pages = entry.first_page, entry.pages
    if not 0 <= skip < pages <= _MOST_PAGES or first + pages - 1 > _LAST_NUMBER:
        raise DeviceError(f"{reader.name}: the shoe names {pages} pages from {first} on, which cannot be")
    total = pages * PAGE_SIZE
    blank = 0
    for index in range(skip, pages):
        done = index * PAGE_SIZE

        def report(have: int, done: int = done) -> None:
            if progress is not None:
                progress(done + have, total)

        page = reader.read(first + index, report, first + index + 1 if index + 1 < pages else following)
        if progress is not None:
            progress(done + PAGE_SIZE, total)
        blank = 0 if page.data.strip(b"\xff") else blank + 1
        if blank > _MOST_BLANK:
            raise DeviceError(
                f"{reader.name}: the shoe names {pages} pages from {first} on, and those from "
                f"{page.number - _MOST_BLANK} on are blank"
            )
        yield page
