"""Requests and answers on one line: retries, a window of several requests, restarts of the device, lost lines.

There are no threads. Code that waits for something calls `step`, which reads the line once and handles what came.
`Timeouts` bounds every wait, so nothing here can hang.
"""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from shoetool.link.replay import recording_of
from shoetool.link.transport import Disconnected, Transport
from shoetool.model.errors import LinkError
from shoetool.model.protocol_table import MAJOR, Error, MessageKind
from shoetool.wire import greeting
from shoetool.wire.answers import Identity
from shoetool.wire.decoder import FrameDecoder, Item
from shoetool.wire.frames import VERSION, BadFrame, Frame, StrayText, encode_frame
from shoetool.wire.messages import ANSWER, pack_request, request_name, unpack

from .recovery import recover
from .requests import Counters, NoAnswer, OtherShoe, Pending, Refused, Timeouts, no_shoe, other_protocol
from .round_trip import RoundTrip

# The device tells apart 16 sequences before the newest, and keeps 8 answers. On a slow line five of the longest answers
# can wait. The window stays within all of these. An RP2040 has room for six, which bridges a longer pause.
WINDOW: Final = 4
WIDE_WINDOW: Final = 6
# A damaged frame was probably the oldest awaited answer: send its request again this soon.
_AFTER_DAMAGE_S: Final = 0.02
_FIRST_ANSWERS: Final = {bytes((VERSION, kind)) for kind in (MessageKind.IDENTIFY + ANSWER, MessageKind.ERROR)}
_BUSY_S: Final = 0.05
_KEPT_EVENTS: Final = 4096


@dataclass
class Session:
    """One conversation with one shoe over one transport.

    `seed` fixes the session number and the first sequence number, for tests. `on_text` gets (source, text): stray text
    with the source "text", and the device's log lines with the source "log".
    """

    transport: Transport
    timeouts: Timeouts = field(default_factory=Timeouts)
    seed: int | None = None
    on_text: Callable[[str, str], None] | None = None

    def __post_init__(self) -> None:
        self._chance = chance = random.Random(self.seed)
        self._number = chance.randrange(1 << 32)
        self._sequence = chance.randrange(1 << 16)
        self._decoder = FrameDecoder()
        self._pending: dict[int, Pending] = {}
        self._identifying: Pending | None = None
        self._old_epochs: set[int] = set()
        self._round_trip = RoundTrip()
        self._heard = 0
        self._sample = b""
        self._shoe_like = False  # damaged frames came that begin as a shoe's first answers do
        self._spoke = False  # a whole frame came
        self._restarted = False
        self._other_version: int | None = None
        self.identity: Identity | None = None
        self.generation = 0
        """Grows with each reconnect and each restart of the device. These end all subscriptions."""
        self.events: deque[bytes] = deque(maxlen=_KEPT_EVENTS)
        self.late: deque[tuple[int, bytes]] = deque(maxlen=64)
        """Answers (kind, payload) to requests that were given up. Some are still useful."""
        self.counters = Counters()
        self.history_window = WIDE_WINDOW
        """How many requests for pieces of pages are under way at a time. WINDOW for good once one was sent again."""

    @property
    def epoch(self) -> int:
        """Epoch of the device; 0 until it is identified."""
        return self.identity.epoch if self.identity else 0

    @property
    def number(self) -> bytes:
        """The session's number as `identify` sends it, 4 bytes."""
        return self._number.to_bytes(4, "little")

    @property
    def answer_s(self) -> float:
        """How long to wait for an answer on this line, as measured. Never less than in `timeouts`."""
        return self._round_trip.wait_s(self.timeouts.answer_s)

    # ------------------------------------------------------------------------------------------------ opening

    def connect(self) -> Identity:
        """Identify the device. NotAShoe, OtherProtocol, OtherShoe, or Disconnected when the line is lost meanwhile."""
        fresh = self._identify()
        before = self.identity
        if before is not None and fresh.device != before.device:
            raise OtherShoe(self.transport.name, fresh.device, before.device)
        if before is not None and fresh.epoch != before.epoch:
            self._old_epochs.add(before.epoch)
            self.counters.restarts += 1
        self._old_epochs.discard(fresh.epoch)
        self.identity = fresh
        self.generation += 1
        self._restarted = False
        self._carry_over()
        return fresh

    def _identify(self) -> Identity:
        if recording_of(self.transport) is None:
            greet = Pending(greeting.KIND, b"", True, None)
            self._reach(greet, self._greet, lambda: self._spoke)
        payload = pack_request(MessageKind.IDENTIFY, session=self._number)
        asked = Pending(MessageKind.IDENTIFY, payload, True, None, self._next_sequence())
        self._reach(asked, self._send, lambda: asked.done)
        if asked.error is not None:
            raise asked.error
        assert asked.answer is not None
        identity = Identity.unpack(asked.answer)
        if identity.major != MAJOR:
            raise other_protocol(self.transport.name, identity.major << 4 | identity.minor & 15)
        return identity

    def _reach(self, asked: Pending, send: Callable[[Pending], None], done: Callable[[], bool]) -> None:
        """Send a request again and again until it is `done`. NotAShoe when no shoe answers, OtherProtocol."""
        name = self.transport.name
        asked.until = self.transport.now() + self.timeouts.request_s
        heard = self._heard
        self._sample = b""
        self._shoe_like = self._spoke = False
        self._other_version = None
        self._identifying = asked
        self._round_trip.forget()
        try:
            while not done():
                now = self.transport.now()
                if asked.due <= now:
                    most = self.timeouts.noisy_tries if self._shoe_like else self.timeouts.identify_tries
                    if asked.tries >= most or now >= asked.until:
                        raise no_shoe(name, self._shoe_like, self._heard - heard, self._sample)
                    send(asked)
                self._take(self.transport.read(max(0.0, asked.due - self.transport.now())))
                if self._other_version is not None:
                    raise other_protocol(name, self._other_version)
        finally:
            self._identifying = None

    def _greet(self, asked: Pending) -> None:
        """Send what a shoe answers and a prompt ignores: nothing else is sent before a shoe has spoken.

        A greeting is longer than `identify`. On a line that loses bytes it goes twice, so that one of both arrives.
        """
        asked.due = self.transport.now() + self.answer_s
        for _ in range(2 if asked.tries else 1):
            self.transport.write(greeting.greeting(self._chance))
        asked.tries += 1

    def _carry_over(self) -> None:
        """Continue requests under way in the new conversation. None may be carried out twice."""
        pending = list(self._pending.values())
        self._pending.clear()
        for asked in pending:
            if asked.epoch != self.epoch:
                if not asked.repeatable:
                    asked.error = LinkError(
                        f"{self.transport.name}: the shoe restarted while {request_name(asked.kind)} was under way; "
                        "look at what it shows before you repeat it"
                    )
                    continue
                asked.sequence = self._next_sequence()
                asked.epoch = self.epoch
            asked.due = self.transport.now()
            asked.silent = 0
            self._pending[asked.sequence] = asked

    def _recover(self, lost: LinkError, reopen: bool) -> None:
        """Restore the conversation within `reconnect_s`, or raise `lost`; OtherShoe if only another shoe answers."""
        lost_at = self.transport.now()

        def connect(anew: bool) -> None:
            if anew:
                self._decoder = FrameDecoder()
            self.connect()

        recover(self.transport, connect, self.timeouts, lost, reopen)
        self.counters.reconnects += 1
        for asked in self._pending.values():
            asked.until = min(asked.until + self.transport.now() - lost_at, asked.latest)

    # ----------------------------------------------------------------------------------------------- requests

    def call(
        self, kind: int, payload: bytes = b"", *, repeatable: bool = True, timeout_s: float | None = None
    ) -> bytes:
        """Send one request and return its answer. `repeatable`: it does no harm to repeat it after a restart.

        Refused when the device refuses it. NoAnswer or Disconnected when the device cannot be reached in time.
        """
        patient_until = self.transport.now() + self.timeouts.busy_s
        while True:
            asked = self.submit(kind, payload, repeatable=repeatable, timeout_s=timeout_s)
            try:
                while not asked.done:
                    self.step(self.timeouts.answer_s)
            finally:
                self.give_up(asked)
            if asked.answer is not None:
                return asked.answer
            assert asked.error is not None
            busy = isinstance(asked.error, Refused) and asked.error.code == Error.BUSY
            if not busy or self.transport.now() >= patient_until:
                raise asked.error
            # A refused request was not carried out. A card is in a throat, but not for long.
            self.transport.sleep(_BUSY_S)

    def submit(
        self,
        kind: int,
        payload: bytes = b"",
        *,
        repeatable: bool = True,
        timeout_s: float | None = None,
        window: int = WINDOW,
    ) -> Pending:
        """Start a request. Call `step` until it is done. Waits while the window is full."""
        if self.identity is None:
            self.connect()
        while not self.may_submit(window):
            self.step(self.timeouts.answer_s)
        asked = Pending(kind, payload, repeatable, timeout_s, self._next_sequence(), self.epoch)
        asked.due = self.transport.now()
        asked.until = asked.due + self.timeouts.request_s
        asked.latest = asked.until + self.timeouts.reconnect_s
        self._pending[asked.sequence] = asked
        return asked

    def give_up(self, asked: Pending) -> None:
        """Forget a request. An answer that still comes goes to `late`."""
        self._pending.pop(asked.sequence, None)

    def may_submit(self, window: int = WINDOW) -> bool:
        """Whether one more request fits into a window of sequences that begins at the oldest one under way."""
        return all((self._sequence + 1 - sequence) & 0xFFFF < window for sequence in self._pending)

    def _next_sequence(self) -> int:
        self._sequence = (self._sequence + 1) & 0xFFFF
        return self._sequence

    def step(self, wait_s: float) -> None:
        """Send what is due, read the line once for at most `wait_s`, and handle what came. Recovers a lost line."""
        try:
            if any(asked.tries and asked.due <= self.transport.now() for asked in self._pending.values()):
                self._take(self.transport.read(0.0))  # the caller did something else: answers may wait here
            self._send_due()
            wait = wait_s
            for asked in self._pending.values():
                wait = min(wait, asked.due - self.transport.now())
            self._take(self.transport.read(max(0.0, wait)))
        except Disconnected as lost:
            self._recover(lost, reopen=True)
        if self._restarted:
            self._recover(LinkError(f"{self.transport.name}: the shoe restarted and answers no more"), reopen=False)

    def _send_due(self) -> None:
        now = self.transport.now()
        for asked in [a for a in self._pending.values() if a.due <= now]:
            exhausted = asked.silent >= self.timeouts.tries
            late = asked.tries > 0 and now >= asked.until
            if exhausted and not late and not asked.revived and self.timeouts.reconnect_s > 0:
                # The device may be restarting, which takes longer than an answer.
                asked.revived = True
                self._recover(self._no_answer(asked), reopen=False)
                return
            if exhausted or late or asked.tries >= self.timeouts.noisy_tries:
                asked.error = self._no_answer(asked)
                self.give_up(asked)
                continue
            self._send(asked)

    def _no_answer(self, asked: Pending) -> NoAnswer:
        return NoAnswer(
            f"{self.transport.name}: the shoe does not answer {request_name(asked.kind)} (asked {asked.tries} times)"
        )

    def _send(self, asked: Pending) -> None:
        if asked.tries:
            self.counters.retries += 1
        asked.tries += 1
        asked.silent = asked.silent + 1 if asked.heard == self._heard else 0
        asked.heard = self._heard
        now = self.transport.now()
        asked.due = min(now + (asked.timeout_s or self.answer_s), max(asked.until, now + _AFTER_DAMAGE_S))
        if asked.timeout_s is None:  # else the device itself takes long
            self._round_trip.sent(asked.kind, asked.sequence, now)
        self.transport.write(encode_frame(asked.kind, asked.epoch, asked.sequence, asked.payload))

    # ------------------------------------------------------------------------------------------- what comes in

    def _take(self, data: bytes) -> None:
        self._heard += len(data)
        if len(self._sample) < 64:
            self._sample += data[:64]
        for item in self._decoder.feed(data):
            self._item(item)

    def _item(self, item: Item) -> None:
        match item:
            case Frame():
                self._frame(item)
            case BadFrame():
                self.counters.damaged += 1
                # Version and kind follow the first COBS byte. Neither of them is zero.
                self._shoe_like |= item.raw[1:3] in _FIRST_ANSWERS
                self._hasten()
            case StrayText():
                self.counters.texts += 1
                if self.on_text is not None:
                    self.on_text("text", item.text)

    def _hasten(self) -> None:
        oldest = self._identifying or next(iter(self._pending.values()), None)
        if oldest is not None and oldest.tries:
            oldest.due = min(oldest.due, self.transport.now() + _AFTER_DAMAGE_S)

    def _frame(self, frame: Frame) -> None:
        if frame.major != MAJOR:
            self._other_version = frame.version
            return
        if frame.kind == MessageKind.EVENT:
            self.events.append(frame.payload)  # durable, whichever epoch of the device it comes from
        elif frame.kind == MessageKind.LOG:
            if self.on_text is not None:
                self.on_text("log", frame.payload.decode("utf-8", "replace"))
        elif frame.kind == MessageKind.ERROR:
            self._refusal(frame)
        elif frame.kind >= ANSWER:
            self._answer(frame)
        else:
            self.counters.unknown += 1  # from a newer minor version, or our own on a line with an echo
            return
        self._spoke = True
        known = self.identity is None or frame.epoch == self.epoch or frame.epoch in self._old_epochs
        if not known and self._identifying is None:
            self._restarted = True

    def _answer(self, frame: Frame) -> None:
        kind = frame.kind - ANSWER
        self._round_trip.answered(kind, frame.sequence, self.transport.now())
        asked = self._find(frame.sequence, kind)
        if asked is None:
            self.late.append((kind, frame.payload))
        else:
            asked.answer = frame.payload
            self.give_up(asked)

    def _refusal(self, frame: Frame) -> None:
        request, code, detail = unpack(MessageKind.ERROR, "unasked", frame.payload).values()
        asked = self._find(frame.sequence, request)
        if code == Error.STALE_EPOCH:
            # The request is sent again in the new epoch. A late refusal of a request that is long done does not count.
            if asked is not None and frame.epoch != self.epoch:
                self._restarted = True
                # Its only copy reached the device after the restart and was not carried out: repeating it is safe.
                asked.repeatable |= asked.tries == 1
                return
            if asked is None or asked.epoch != frame.epoch:
                return
            # The request was sent in the very epoch that the device names. It contradicts itself; no retry would help.
        if asked is not None:
            asked.error = Refused(request, code, detail)
            self.give_up(asked)

    def _find(self, sequence: int, kind: int) -> Pending | None:
        asked = self._identifying
        if asked is None or asked.sequence != sequence:
            asked = self._pending.get(sequence)
        return asked if asked is not None and asked.kind == kind else None
