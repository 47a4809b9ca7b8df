"""This computer's clock beside the shoe's: readings of both, and which of them the shoe takes into its journal.

A shoe does not know the time of day. What it has in its journal of it is chained and signed with the rest.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from typing import Final

from shoetool.history.chunks import ClockPoint
from shoetool.link.replay import recording_of
from shoetool.model.protocol_table import MESSAGES, Error, MessageKind, Phase, RecordKind
from shoetool.model.records import Record
from shoetool.wire.messages import pack_request, unpack

from .client import Client
from .requests import NoAnswer, Refused

AGAIN_S: Final = 3600.0
"""How often the clock is read again. A crystal may be wrong by a third of a second in this time."""
SOON_S: Final = 10.0
GOOD_MS: Final = 250
_TRIES: Final = 5
_SINCE: Final = tuple(int(part) for part in MESSAGES[MessageKind.HOST_CLOCK]["since"].split("."))
_MOST_UNCERTAIN_MS: Final = 0xFFFF
_NOT_TAKEN: Final = frozenset((Error.UNKNOWN_MESSAGE, Error.NOT_ALLOWED_NOW, Error.WAIT, Error.NOT_PROVISIONED))


def read_clock(client: Client) -> ClockPoint | None:
    """Return one reading of the shoe's clock and of this machine's. A recording gives its own reading, or None."""
    recording = recording_of(client.transport)
    if recording is not None and not recording.holds(MessageKind.TICKS):
        return None
    before = time.monotonic_ns()  # somebody may set the time of day meanwhile, by an hour or by years
    ticks = client.ticks()
    half = (time.monotonic_ns() - before) // 2
    wall = time.time_ns() - half
    if recording is not None:
        asked, answered = recording.exchange_ns(MessageKind.TICKS)
        half = (answered - asked) // 2
        wall = asked + half
    return ClockPoint(ticks.boot, ticks.ticks_ms, wall // 1_000_000, -(-half // 1_000_000), ticks.turns)


def record_reading(client: Client, point: ClockPoint) -> int | None:
    """Let the shoe take a reading into its journal, with the command key if there is one. Return its record's number.

    None: its firmware is older than protocol 1.4, it has taken one, or the line is a recording. Refused (busy): try
    again with another reading. NotAuthorised: the key is wrong.
    """
    who = client.identify()
    wall_s, wall_ms = divmod(point.wall_ms, 1000)
    possible = 0 <= wall_s >> 32 < 1 and point.uncertainty_ms <= _MOST_UNCERTAIN_MS
    if recording_of(client.transport) is not None or (who.major, who.minor) < _SINCE or not possible:
        return None
    kind = MessageKind.HOST_CLOCK
    request = pack_request(
        kind, ticks_ms=point.ticks_ms, wall_s=wall_s, wall_ms=wall_ms, uncertainty_ms=point.uncertainty_ms
    )
    authority = client.authority
    proves = authority.key is not None and authority.needs_key() and not authority.is_damaged()
    try:
        answer = authority.call(kind, request) if proves else client.session.call(kind, request)
    except Refused as refused:
        if refused.code in _NOT_TAKEN:
            return None
        raise
    return int(unpack(kind, "answer", answer)["record"])


class HostClock:
    """Reads both clocks of a shoe that is watched, and lets the shoe record it. Call `refresh` and `saw` meanwhile.

    The clock is read at the start, after each restart or reconnect, when a shoe is opened, and each hour. It is read a
    few times more while a card in a throat makes the shoe answer late. The shoe records it only while a shoe is open.
    """

    def __init__(self, client: Client, take: Callable[[ClockPoint], None]) -> None:
        """Prepare. Nothing is read yet. `take` gets each reading."""
        self._client = client
        self._take = take
        self._generation = -1
        self._due = 0.0
        self._tries = 0

    def saw(self, records: Iterable[Record]) -> None:
        """Take in the records that came: a shoe that was opened has no reading yet."""
        if any(one.kind == RecordKind.SHOE_OPENED for one in records):
            self._due, self._tries = 0.0, 0

    def refresh(self) -> None:
        """Read both clocks when it is time. When the shoe does not answer, the old readings stay."""
        session = self._client.session
        now = session.transport.now()
        if session.generation == self._generation and now < self._due:
            return
        if session.generation != self._generation:
            self._tries = 0
        self._tries += 1
        good = False
        try:
            point = read_clock(self._client)
        except (NoAnswer, Refused):
            pass
        else:
            good = point is None or point.uncertainty_ms <= GOOD_MS
            if point is not None:
                self._take(point)
                if good or self._tries >= _TRIES:
                    good = self._record(point)
        self._generation = session.generation
        self._due = session.transport.now() + (AGAIN_S if good or self._tries >= _TRIES else SOON_S)
        if good or self._tries >= _TRIES:
            self._tries = 0

    def _record(self, point: ClockPoint) -> bool:
        """Let the shoe record a reading, if a shoe is open. False: it could not, so try again soon."""
        try:
            if recording_of(self._client.transport) is None and self._client.status().phase != Phase.EMPTY:
                record_reading(self._client, point)
        except (NoAnswer, Refused):
            return False
        return True
