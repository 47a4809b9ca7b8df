"""A transport that notices when nothing answers any more, so that a view of the table is not taken for a live one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from shoetool.link import Disconnected, Transport
from shoetool.link.replay import recording_of

from .client import Client

# A shoe answers within milliseconds. With the second in which an idle client asks nothing that makes two. A line that
# is slower is waited for: see `watch_line`.
SILENCE_S: Final = 1.0


class LineWatch:
    """Stands before another transport and tells when its line is lost and when it is back.

    `on_lost` gets the seconds since the last byte came; it is called once, until `on_back` was. Bytes alone are not
    enough for that, since another device may have got the port: say `answered` when the client is content.
    `silence_s` tells how long an answer may be away.
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
        """Say that the shoe answered: a line that was told to be lost is back."""
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

    def reopen(self) -> None:
        """Open the line again after Disconnected. LinkError when that does not succeed; it may be tried again."""
        self._line.reopen()

    def close(self) -> None:
        """Give the line back; closing twice is fine."""
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
    """Have a client tell when its line is lost and back; call what is returned after each of its answers.

    It is lost when an answer is away for twice as long as the client waits for one on this line, and for a second at
    least. A recording has no line that could be lost.
    """

    def silence_s() -> float:
        return max(SILENCE_S, 2 * client.session.answer_s)

    if recording_of(client.transport) is not None:
        return lambda: None
    watch = LineWatch(client.transport, on_lost, on_back, silence_s)
    client.transport = client.session.transport = watch
    return watch.answered
