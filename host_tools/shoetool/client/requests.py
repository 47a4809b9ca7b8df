"""What a request under way is, how long to wait for it, and the ways in which it can fail."""

from __future__ import annotations

from dataclasses import dataclass

from shoetool.model.errors import DeviceError, LinkError
from shoetool.wire import error_text


@dataclass(frozen=True, slots=True)
class Timeouts:
    """How long to wait, in seconds, and how often to ask.

    An answer is waited for `answer_s` at least, and longer on a line on which answers were seen to take longer.

    A request is given up after `tries` tries in a row during which nothing at all came from the line, or after
    `noisy_tries` tries altogether; `identify` after `identify_tries`, unless what comes looks like a shoe's answer that
    was damaged on the way. Whatever comes meanwhile, none takes longer than `request_s`; the time in which the line was
    lost, at most `reconnect_s`, is not counted. A request that is refused because the shoe is busy is put again for
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
    """A shoe that answered before does not answer any more."""


class NotAShoe(LinkError):
    """What is at the other end is no shoe: it says nothing, or nothing that is a frame."""


class OtherProtocol(DeviceError):
    """A shoe of another major version of the protocol."""


class Refused(DeviceError):
    """A request that the shoe refused; `code` is of enum.error, `detail` as PROTOCOL.md says for it."""

    def __init__(self, request: int, code: int, detail: int) -> None:
        super().__init__(error_text(request, code, detail))
        self.request = request
        self.code = code
        self.detail = detail


@dataclass(slots=True)
class Pending:
    """A request under way. `answer` or `error` is set when it is done.

    It is given up at `until`, which moves on with each reconnect by as long as that took, up to `latest`.
    """

    kind: int
    payload: bytes
    repeatable: bool
    timeout_s: float | None  # None: as long as answers take on this line
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
    """What the line did to us."""

    frames: int = 0
    damaged: int = 0
    texts: int = 0
    retries: int = 0
    reconnects: int = 0
    restarts: int = 0
    unknown: int = 0
    foreign_version: int = 0
