"""A transport that notices when the shoe no longer answers, so that nobody mistakes an old view for a live one."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Final

from shoetool.link.replay import recording_of
from shoetool.link.transport import Disconnected, Transport

from .client import Client

# A shoe answers within milliseconds, and an idle client asks nothing for one second: two seconds in all. On a slower
# line the limit is longer: see `watch_line`.
SILENCE_S: Final = 1.0


class LineWatch:
    """Wraps another transport and reports when its line is lost and when it is back.

    `on_lost` gets the seconds since the last byte came. It is not called again before `on_back` was called. Bytes alone
    do not bring the line back, because another device may use the port now: call `answered` when the client has its
    answer. `silence_s` returns how long an answer may take.
    """

    def __init__(
        self,
        line: Transport,
        on_lost: Callable[[float], None],
        on_back: Callable[[], None],
        silence_s: Callable[[], float] = lambda: SILENCE_S,
    ) -> None:
        self._line = line
        self._on_lost = on_lost
        self._on_back = on_back
        self._silence_s = silence_s
        self._heard_at = line.now()
        self._asked_at: float | None = None  # the first request since then
        self._told = False
        self.lost = False

    def answered(self) -> None:
        """Take note that the shoe answered. A line that was reported as lost is back."""
        if self._told and not self.lost:
            self._told = False
            self._on_back()

    @property
    def name(self) -> str:
        """Name of the line."""
        return self._line.name

    def write(self, data: bytes) -> None:
        """Send all of `data`. Disconnected when the line is gone."""
        if self._asked_at is None:
            self._asked_at = self._line.now()
        try:
            self._line.write(data)
        except Disconnected:
            self._lose()
            raise

    def read(self, timeout_s: float) -> bytes:
        """Bytes that have come; empty when none come within `timeout_s`. Disconnected when the line is gone."""
        try:
            data = self._line.read(timeout_s)
        except Disconnected:
            self._lose()
            raise
        if data:
            self._heard_at, self._asked_at = self._line.now(), None
            self.lost = False
        elif self._asked_at is not None and self._line.now() - self._asked_at >= self._silence_s():
            self._lose()
        return data

    def reopen(self, without: Collection[str] = ()) -> None:
        """Open the line again after Disconnected. LinkError when that does not succeed; it may be tried again."""
        self._line.reopen(without)

    def close(self) -> None:
        """Close the line; closing twice is fine."""
        self._line.close()

    def now(self) -> float:
        """Seconds of the line's clock."""
        return self._line.now()

    def sleep(self, seconds: float) -> None:
        """Wait on that clock."""
        self._line.sleep(seconds)

    def _lose(self) -> None:
        self.lost = True
        if not self._told:
            self._told = True
            self._on_lost(self._line.now() - self._heard_at)


def watch_line(client: Client, on_lost: Callable[[float], None], on_back: Callable[[], None]) -> Callable[[], None]:
    """Let a client report when its line is lost and back. Call the returned function after each of its answers.

    The line is lost when an answer takes twice as long as the client waits for one on this line, and a second at least.
    A recording has no line that could be lost.
    """

    def silence_s() -> float:
        return max(SILENCE_S, 2 * client.session.answer_s)

    if recording_of(client.transport) is not None:
        return lambda: None
    watch = LineWatch(client.transport, on_lost, on_back, silence_s)
    client.transport = client.session.transport = watch
    return watch.answered
