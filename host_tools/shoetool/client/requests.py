"""A request under way, how long to wait for its answer, and how it can fail."""

from __future__ import annotations

from dataclasses import dataclass

from shoetool.model.errors import DeviceError, LinkError
from shoetool.wire.messages import error_text


@dataclass(frozen=True, slots=True)
class Timeouts:
    """How long to wait, in seconds, and how often to ask.

    The wait for an answer is at least `answer_s`. It is longer when answers were slower on this line.

    A request is given up after `tries` tries in a row when nothing at all came from the line, or after `noisy_tries`
    tries in all. `identify` is given up after `identify_tries`, unless the bytes look like a shoe's answer that was
    damaged on the way. No request takes longer than `request_s`. The time in which the line was lost, at most
    `reconnect_s`, is not counted. When the shoe refuses a request because it is busy, the request is sent again for
    `busy_s`. `reconnect_s` = 0 turns reconnecting off.
    """

    answer_s: float = 0.5
    slow_answer_s: float = 10.0
    request_s: float = 20.0
    tries: int = 6
    noisy_tries: int = 200
    identify_tries: int = 8
    busy_s: float = 3.0
    reconnect_s: float = 30.0
    reconnect_every_s: float = 0.25
    poll_s: float = 1.0


class NoAnswer(LinkError):
    """A shoe that answered before no longer answers."""


class NotAShoe(LinkError):
    """The device at the other end is no shoe: it sends nothing, or nothing that is a frame."""


class OtherProtocol(DeviceError):
    """A shoe with another major version of the protocol."""


class Refused(DeviceError):
    """A request that the shoe refused. `code` is a value of enum.error; PROTOCOL.md explains its `detail`."""

    def __init__(self, request: int, code: int, detail: int) -> None:
        super().__init__(error_text(request, code, detail))
        self.request = request
        self.code = code
        self.detail = detail


@dataclass(slots=True)
class Pending:
    """A request under way. `answer` or `error` is set when it is done.

    It is given up at `until`. Each reconnect moves this time on by as long as it took, at most to `latest`.
    """

    kind: int
    payload: bytes
    repeatable: bool
    timeout_s: float | None  # None: the usual time of answers on this line
    sequence: int = 0
    epoch: int = 0
    tries: int = 0
    silent: int = 0
    heard: int = 0
    due: float = 0.0
    until: float = 0.0
    latest: float = 0.0
    revived: bool = False
    answer: bytes | None = None
    error: LinkError | DeviceError | None = None

    @property
    def done(self) -> bool:
        """Whether there is an answer or an error."""
        return self.answer is not None or self.error is not None


@dataclass(slots=True)
class Counters:
    """Counts of what went wrong on the line."""

    damaged: int = 0
    texts: int = 0
    retries: int = 0
    reconnects: int = 0
    restarts: int = 0
    unknown: int = 0
