"""A request under way, how long to wait for its answer, and how it can fail."""

from __future__ import annotations

from dataclasses import dataclass

from shoetool.model.errors import DeviceError, LinkError
from shoetool.model.protocol_table import MAJOR, MINOR
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


class OtherShoe(DeviceError):
    """The shoe that answers on the line is not the one that answered there before."""

    def __init__(self, port: str, device: bytes, before: bytes) -> None:
        super().__init__(f"{port}: another shoe is on this port now ({device.hex()} instead of {before.hex()})")


class Refused(DeviceError):
    """A request that the shoe refused. `code` is a value of enum.error; PROTOCOL.md explains its `detail`."""

    def __init__(self, request: int, code: int, detail: int) -> None:
        super().__init__(error_text(request, code, detail))
        self.request = request
        self.code = code
        self.detail = detail


def no_shoe(port: str, shoe_like: bool, heard: int, sample: bytes) -> NotAShoe:
    """Return why the device on a port is no shoe: it sent `heard` bytes that begin with `sample`."""
    if shoe_like:
        return NotAShoe(f"{port}: a shoe seems to answer here, but no frame arrives whole; check the cable")
    if not heard:
        return NotAShoe(f"{port}: nothing answers; is a shoe connected here, and switched on?")
    shown = sample[:24].decode("ascii", "backslashreplace").strip()
    return NotAShoe(f"{port}: a shoe does not answer here (something sent {heard} bytes that begin with {shown!r})")


def other_protocol(port: str, version: int) -> OtherProtocol:
    """Return which side must be updated. `version`: the version byte of the shoe's frames."""
    major, minor = version >> 4, version & 15
    what = "update shoetool" if major > MAJOR else "update the shoe's firmware"
    return OtherProtocol(f"{port}: this shoe speaks protocol {major}.{minor} and this shoetool {MAJOR}.{MINOR}: {what}")


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
