"""Measure how long answers take on a line, so that the client waits long enough on a slow one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

_LONGEST_S: Final = 8.0
_MOST_SENT: Final = 32


@dataclass(slots=True)
class _Sent:
    """A request: when it was first sent, how often, how many answers came, and when the first of them came."""

    at: float
    times: int = 0
    answers: int = 0
    answered_at: float = 0.0


class RoundTrip:
    """Estimates the round trip as TCP does (RFC 6298): its smoothed mean and deviation.

    A request that was sent more than once counts only when all its answers have come. Then the first answer belongs to
    the first sending. Else nobody knows which sending an answer belongs to.
    """

    def __init__(self) -> None:
        self._mean: float | None = None
        self._deviation = 0.0
        self._sent: dict[tuple[int, int], _Sent] = {}

    def wait_s(self, least: float) -> float:
        """Return how long to wait for an answer before the next try: `least` seconds, more on a slower line."""
        if self._mean is None:
            return least
        return max(least, min(self._mean + 4 * self._deviation, _LONGEST_S))

    def sent(self, kind: int, sequence: int, now: float) -> None:
        """Note that a request was sent, for the first time or again."""
        one = self._sent.setdefault((kind, sequence), _Sent(now))
        one.times += 1
        if len(self._sent) > _MOST_SENT:
            del self._sent[next(iter(self._sent))]

    def answered(self, kind: int, sequence: int, now: float) -> None:
        """Note that an answer came, the first one to that request or a further one."""
        one = self._sent.get((kind, sequence))
        if one is None:
            return
        one.answers += 1
        if one.answers == 1:
            one.answered_at = now
        if one.answers == one.times:
            del self._sent[kind, sequence]
            self._took(one.answered_at - one.at)

    def forget(self) -> None:
        """Forget all requests: the line was lost or the device restarted, so no answers will come."""
        self._sent.clear()

    def _took(self, seconds: float) -> None:
        if self._mean is None:
            self._mean, self._deviation = seconds, seconds / 2
        else:
            self._deviation += (abs(seconds - self._mean) - self._deviation) / 4
            self._mean += (seconds - self._mean) / 8
