"""A recording as a transport: a request gets the answer that the device gave when it was recorded.

Everything that came from the device is given back in its recorded order, also events, damaged frames and stray text. A
request moves the recording on to the next place where the same request (kind and payload; any session for identify) was
sent. When there is none ahead, the latest answer to it is given once more. An answer gets the sequence number of the
new request. Nothing waits in real time: a recording of an hour replays as fast as it can be read.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

from shoetool.model.protocol_table import MessageKind
from shoetool.wire.decoder import FrameDecoder
from shoetool.wire.frames import DELIMITER, Frame, encode_frame
from shoetool.wire.messages import ANSWER

from .recording import Direction, read_recording, recorded_since_us
from .transport import EndOfRecording, Transport


@dataclass(frozen=True, slots=True)
class _Entry:
    sent: bool
    time_s: float
    raw: bytes
    frame: Frame | None


class ReplayTransport:
    """Plays the device's part of a recording. EndOfRecording when the device sent nothing more."""

    def __init__(self, path: Path) -> None:
        self._name = str(path)
        self._entries = _load(path)
        self._began_us = recorded_since_us(path)
        self._asked_s: dict[int, float] = {}  # kind -> when the request was sent in the recording
        self._answered_s: dict[int, float] = {}
        self._at = 0
        self._until = 0  # entries before this one may be given back
        self._again: list[_Entry] = []  # answers to give once more
        self._clock = 0.0
        self._decoder = FrameDecoder()
        self._sequences: dict[int, int] = {}  # recorded sequence -> sequence of the new request
        # There is no request yet: what came before the first one may be given back.
        self._until = self._next_request(0)

    @property
    def name(self) -> str:
        """Path of the recording."""
        return self._name

    def write(self, data: bytes) -> None:
        """Read the requests, and move on to where they were recorded."""
        for item in self._decoder.feed(data):
            if isinstance(item, Frame):
                self._ask(item)

    def read(self, timeout_s: float) -> bytes:
        """Return the next piece that the device sent, up to where the next request was recorded."""
        if self._again:
            entry = self._again.pop(0)
            self._note_answer(entry)
            return self._restamped(entry)
        while self._at < self._until:
            entry = self._entries[self._at]
            self._at += 1
            if entry.sent:
                continue
            self._clock = max(self._clock, entry.time_s)
            self._note_answer(entry)
            return self._restamped(entry)
        if self._until == len(self._entries):
            raise EndOfRecording(f"{self._name}: the recording ends here")
        if timeout_s <= 0:
            return b""
        # The device is silent until the next request. What follows the last answer came without a request.
        self._clock += timeout_s
        self._until = self._next_request(self._until + 1)
        return b""

    def reopen(self, without: Collection[str] = ()) -> None:
        """A recording is never lost: go on where it is."""

    def close(self) -> None:
        """Do nothing: no file is open."""

    def now(self) -> float:
        """Seconds of the recording, plus the time of waiting for answers that it does not hold."""
        return self._clock

    def sleep(self, seconds: float) -> None:
        """Let time pass on the recording's clock."""
        self._clock += seconds

    def _ask(self, request: Frame) -> None:
        places = [i for i, e in enumerate(self._entries) if e.sent and e.frame and _same(e.frame, request)]
        if not places:
            return
        place = next((i for i in places if i >= self._at), None)
        recorded = self._entries[places[-1] if place is None else place].frame
        assert recorded is not None
        self._asked_s[request.kind] = self._entries[places[-1] if place is None else place].time_s
        self._sequences[recorded.sequence] = request.sequence
        if place is not None:
            self._until = max(self._until, self._next_request(place + 1))
        else:
            # The request comes more often than in the recording: give the latest answer once more.
            answers = [e for e in self._entries[places[-1] :] if e.frame is not None and _answers(e.frame, recorded)]
            self._again += answers[:1]

    def holds(self, kind: int) -> bool:
        """Whether a request of this kind was recorded."""
        return any(entry.sent and entry.frame and entry.frame.kind == kind for entry in self._entries)

    def exchange_ns(self, kind: int) -> tuple[int, int]:
        """Return when the last request of this kind was sent and answered: Unix time in ns at the recording."""
        asked = self._asked_s.get(kind, 0.0)
        answered = max(asked, self._answered_s.get(kind, self._clock))
        asked_us, answered_us = (self._began_us + round(one * 1e6) for one in (asked, answered))
        return asked_us * 1000, answered_us * 1000

    def _note_answer(self, entry: _Entry) -> None:
        if entry.frame is not None and entry.frame.kind >= ANSWER:
            self._answered_s[entry.frame.kind - ANSWER] = entry.time_s

    def _next_request(self, start: int) -> int:
        for index in range(start, len(self._entries)):
            if self._entries[index].sent:
                return index
        return len(self._entries)

    def _restamped(self, entry: _Entry) -> bytes:
        frame = entry.frame
        if frame is None:
            return DELIMITER + entry.raw + DELIMITER
        sequence = frame.sequence
        if frame.kind >= ANSWER or frame.kind == MessageKind.ERROR:
            sequence = self._sequences.get(sequence, sequence)
        return encode_frame(frame.kind, frame.epoch, sequence, frame.payload, frame.version)


def recording_of(transport: Transport) -> ReplayTransport | None:
    """Return the recording at the end of a line, also behind transports with an `inner` one; None for a device."""
    end: Transport | None = transport
    while end is not None and not isinstance(end, ReplayTransport):
        end = getattr(end, "inner", None)
    return end


def _same(recorded: Frame, asked: Frame) -> bool:
    if recorded.kind != asked.kind:
        return False
    return recorded.kind == MessageKind.IDENTIFY or recorded.payload == asked.payload


def _answers(frame: Frame, request: Frame) -> bool:
    return frame.sequence == request.sequence and frame.kind in (request.kind + ANSWER, MessageKind.ERROR)


def _load(path: Path) -> list[_Entry]:
    """Return whole frames, damaged pieces and texts of a recording, in the order in which they were complete."""
    decoders = {Direction.SENT: FrameDecoder(), Direction.CAME: FrameDecoder()}
    entries = []
    last = 0.0
    for direction, time_us, data in read_recording(path):
        last = time_us / 1e6
        if direction in decoders:
            for item in decoders[Direction(direction)].feed(data):
                frame = item if isinstance(item, Frame) else None
                raw = b"" if isinstance(item, Frame) else item.raw
                entries.append(_Entry(direction == Direction.SENT, last, raw, frame))
    for item in decoders[Direction.CAME].flush():
        raw = b"" if isinstance(item, Frame) else item.raw
        entries.append(_Entry(False, last, raw, None))
    return entries
