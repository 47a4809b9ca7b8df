"""Records as they happen, in order and without gaps. A record that the line lost is requested again by its number."""

from __future__ import annotations

from typing import Final

from shoetool.model.errors import BadInput, DeviceError
from shoetool.model.protocol_table import Error, MessageKind
from shoetool.model.records import Record, decode_record
from shoetool.wire.answers import Status
from shoetool.wire.messages import MessageError, pack_request, unpack

from .history import list_shoes
from .requests import NoAnswer, Refused
from .session import Session

FROM_NEXT: Final = 0xFFFFFFFF
_LARGEST_BATCH: Final = 16
# More records than a page of the journal holds: a damaged page may have to be skipped record by record.
_MOST_SKIPS: Final = 400


class JournalErased(DeviceError):
    """The shoe has fewer records than it had: what was read of it before is not in its journal any more."""


class Live:
    """The stream of records from number `start` on (None: from the next one). One per session."""

    def __init__(self, session: Session, start: int | None) -> None:
        self._session = session
        self._next = start
        self._end = 0  # records below this exist on the device
        self._early: dict[int, Record] = {}
        self._generation = -1
        self._batch = _LARGEST_BATCH
        self._skips = 0  # in a row, without a record in between
        self._asked_at = 0.0  # when the end of the journal was last known
        self._moved_at = 0.0  # when the last event came
        self.gone: list[tuple[int, int]] = []
        """Records (first, last + 1) that the device had overwritten before they could be fetched."""
        self.requested_again = 0
        self.unreadable: list[int] = []
        """Numbers of records whose payload did not fit their kind."""

    @property
    def next_number(self) -> int | None:
        """Number of the next record; None before the first answer."""
        return self._next

    def poll(self, timeout_s: float) -> list[Record]:
        """Return the records that have come, in order. Empty when none came within `timeout_s`.

        Asks for the status when the line has been quiet for `poll_s`, so that a lost last record is noticed.
        """
        clock = self._session.transport
        deadline = clock.now() + timeout_s
        listened = False
        while True:
            self._subscribe()
            self._absorb()
            if ready := self._ready():
                return ready
            now = clock.now()
            due = self._asked_at + self._session.timeouts.poll_s
            if self._missing():
                # If a later record is here, or the device skipped some, this one is lost. Else it may still come.
                due = now if self._early or self._skips else self._moved_at + self._session.answer_s
                if now >= due:
                    self._ask_again()
                    continue
            elif now >= due:
                self._look_for_a_lost_tail()
                continue
            if now >= deadline and listened:
                return []
            self._session.step(max(0.0, min(deadline, due) - now))
            listened = True

    def close(self) -> None:
        """Tell the device that nobody listens now."""
        payload = pack_request(MessageKind.SUBSCRIBE, on=0, from_record=FROM_NEXT)
        self._session.call(MessageKind.SUBSCRIBE, payload)

    def _subscribe(self) -> None:
        if self._session.identity is not None and self._generation == self._session.generation:
            return
        start = FROM_NEXT if self._next is None else self._next
        payload = pack_request(MessageKind.SUBSCRIBE, on=1, from_record=start)
        answer = unpack(MessageKind.SUBSCRIBE, "answer", self._session.call(MessageKind.SUBSCRIBE, payload))
        self._generation = self._session.generation
        self._set_end(int(answer["next_record"]))
        if self._next is None:
            self._next = self._end
        self._asked_at = self._moved_at = self._session.transport.now()

    def _set_end(self, end: int) -> None:
        if self._next is not None and end < self._next:
            raise JournalErased(
                f"{self._session.transport.name}: the journal of this shoe was erased "
                f"(record {self._next} was due and it holds {end})"
            )
        self._end = max(self._end, end)

    def _absorb(self) -> None:
        events = self._session.events
        while events:
            payload = events.popleft()
            try:
                fields = unpack(MessageKind.EVENT, "unasked", payload)
            except MessageError:
                continue
            number, boot, ticks_ms, kind, body = fields.values()
            if number == FROM_NEXT:
                raise DeviceError(f"{self._session.transport.name}: the shoe sends record {number}, which cannot be")
            self._end = max(self._end, number + 1)
            if self._next is None or number < self._next or number in self._early:
                continue
            self._moved_at = self._session.transport.now()
            try:
                self._early[number] = decode_record(number, boot, ticks_ms, kind, body)
            except BadInput:
                self.unreadable.append(number)
                self._early[number] = Record(number, boot, ticks_ms, 0, (body,))

    def _ready(self) -> list[Record]:
        ready = []
        while self._next is not None and (record := self._early.pop(self._next, None)) is not None:
            ready.append(record)
            self._next += 1
        if ready:
            self._skips = 0
            self._asked_at = self._session.transport.now()
        return ready

    def _missing(self) -> bool:
        return self._next is not None and self._next < self._end

    def _ask_again(self) -> None:
        """Let the device send the missing records again, until the first of them is here."""
        assert self._next is not None
        wanted = self._next
        clock, timeouts = self._session.transport, self._session.timeouts
        deadline = clock.now() + timeouts.request_s
        for _ in range(timeouts.noisy_tries):
            if clock.now() > deadline:
                break
            until = min([number for number in self._early if number > wanted], default=self._end)
            count = min(self._batch, until - wanted)
            payload = pack_request(MessageKind.EVENT_READ, from_record=wanted, count=count)
            try:
                raw = self._session.call(MessageKind.EVENT_READ, payload)
            except Refused as refused:
                if refused.code != Error.NO_SUCH_RECORD:
                    raise
                self._without(wanted)
                return
            self.requested_again += count
            answer = unpack(MessageKind.EVENT_READ, "answer", raw)
            # The device sends the events before the answer: a record that is not here now was lost.
            self._absorb()
            first = int(answer["first"])
            if first > wanted:
                self._skip_to(min(first, until))
                return
            if wanted in self._early:
                self._batch = min(_LARGEST_BATCH, self._batch * 2)
                return
            self._batch = max(1, self._batch // 2)
            if self._generation != self._session.generation:
                return
        raise NoAnswer(f"{self._session.transport.name}: record {wanted} does not arrive")

    def _without(self, wanted: int) -> None:
        """Handle that the device does not have the wanted record: not yet, or not any more."""
        end = self._durable_end()
        if end <= wanted:
            self._end = end
            return
        oldest = min((entry.first_record for entry in list_shoes(self._session, 0)), default=end)
        self._skip_to(max(wanted + 1, min(oldest, end)))

    def _skip_to(self, number: int) -> None:
        assert self._next is not None
        self._skips += 1
        if self._skips > _MOST_SKIPS:
            raise DeviceError(
                f"{self._session.transport.name}: the shoe reports records up to {self._end - 1}, "
                f"but sends none from {self.gone[-_MOST_SKIPS][0]} on"
            )
        self.gone.append((self._next, number))
        self._next = number

    def _look_for_a_lost_tail(self) -> None:
        end = self._durable_end()
        if self._generation == self._session.generation:
            self._set_end(end)

    def _durable_end(self) -> int:
        """Return the number after the last record that may be read."""
        status = Status.unpack(self._session.call(MessageKind.STATUS))
        self._asked_at = self._session.transport.now()
        return min(status.next_record, status.durable_record)
