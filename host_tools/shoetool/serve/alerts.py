"""Webhooks: an alert is posted as JSON to the addresses that were given, without holding up anything else."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable
from typing import Final

import httpx2 as httpx

from shoetool.history.start_clock import TICKS_PERIOD
from shoetool.model.errors import BadInput
from shoetool.model.printable import clean
from shoetool.model.protocol_table import FaultCode, IrregularityCode, RecordKind, RoundEnd
from shoetool.serve.alert_key import new_id, signed_headers
from shoetool.serve.hub import Message

QUEUED: Final = 256
TRIES: Final = 3
PATIENCE_S: Final = 10.0
"""So long may a receiver take for an answer."""
PAUSE_S: Final = 0.5
"""Before the second try; twice as long before each further one."""
CLEARS: Final = 3
CLEARS_S: Final = 600.0
"""So many cleared faults in so many seconds are an alert."""

_ODD_CARDS: Final = {
    RecordKind.IRREGULARITY.name.lower(): (IrregularityCode.EXTRA_CARD, IrregularityCode.FOREIGN_BATCH),
    RecordKind.FAULT.name.lower(): (
        *(FaultCode.EXTRA_CARD, FaultCode.FOREIGN_BATCH, FaultCode.HOLE_CARD, FaultCode.COUNT_WRONG),
    ),
}
"""Reports of a card too many, one of another batch, a hole card that is another one, and a count that is wrong."""


class Alerts:
    """Finds what is an alert among the records of all tables, and posts it. `secret` signs each post; see `alert_key`.

    Each address has a queue of its own, so one that does not answer holds up no other. `tell` says in words when an
    address takes no alerts, and when it takes them again. BadInput for an address that is none.
    """

    def __init__(
        self,
        addresses: tuple[str, ...],
        secret: bytes,
        tell: Callable[[str], None],
        client: httpx.AsyncClient | None = None,
    ) -> None:
        self.receivers = tuple(Receiver(address, secret, tell, client) for address in addresses)
        self._cleared: dict[str, list[Message]] = {}

    def take(self, message: Message) -> None:
        """Look at a record message of the hub."""
        why = self.why(message)
        if why is None:
            return
        alert = {key: message[key] for key in ("table", "seq", "received", "record", "sentence")}
        for receiver in self.receivers:
            receiver.put({"type": "alert", "why": why, **alert})

    def why(self, message: Message) -> str | None:
        """Why a record is an alert; None for all others."""
        record = message["record"]
        kind = record["kind"]
        if kind == RecordKind.REFILLED.name.lower():
            return "refill"
        if kind == RecordKind.ROUND_CLOSED.name.lower() and record.get("outcome") == RoundEnd.VOID.name.lower():
            return "void"
        if record.get("code") in {code.name.lower() for code in _ODD_CARDS.get(kind, ())}:
            return str(record["code"])
        if kind == RecordKind.CLEARED.name.lower():
            cleared = self._cleared.setdefault(message["table"], [])
            cleared.append(message)
            cleared[:] = [one for one in cleared if _apart_s(one, message) < CLEARS_S]
            if len(cleared) >= CLEARS:
                return f"{len(cleared)} clears in {CLEARS_S / 60:.0f} minutes"
        return None

    async def run(self) -> None:
        """Post what is queued, until cancelled."""
        await asyncio.gather(*(receiver.run() for receiver in self.receivers))


class Receiver:
    """One address: how many alerts are `waiting` for it, also the one that is on its way; how many it `missed`."""

    def __init__(
        self, address: str, secret: bytes, tell: Callable[[str], None], client: httpx.AsyncClient | None = None
    ) -> None:
        self._address = _web_address(address)
        self._secret = secret
        self._tell = tell
        self._client = client or httpx.AsyncClient(timeout=PATIENCE_S)
        self._queue: asyncio.Queue[Message] = asyncio.Queue(QUEUED)
        self.waiting = self._untold = 0
        self.missed = 0

    def put(self, alert: Message) -> None:
        """Let an alert wait for its turn. It is missed when too many wait already."""
        try:
            self._queue.put_nowait(alert)
            self.waiting += 1
        except asyncio.QueueFull:
            self._miss(f"{QUEUED} wait for it")

    async def run(self) -> None:
        """Post what waits, one after the other, until cancelled."""
        try:
            while True:
                alert = await self._queue.get()
                why_not = await self._post(json.dumps(alert, ensure_ascii=False).encode())
                self.waiting -= 1
                if why_not is not None:
                    self._miss(why_not)
                elif self._untold:
                    self._tell(f"{self} takes alerts again; {self._untold} were not posted")
                    self._untold = 0
        finally:
            self.missed += self.waiting
            if self.missed:
                self._tell(f"{self}: {self.missed} alerts were not posted")

    def _miss(self, why: str) -> None:
        self.missed += 1
        self._untold += 1
        if self._untold == 1:
            self._tell(f"{self} did not take an alert ({why}). Each further one is tried")

    async def _post(self, body: bytes) -> str | None:
        """Post it. Return why it was not taken, or None when it was."""
        alert_id = new_id()  # the same for each try, so that a receiver takes it once
        why = None
        for again in range(TRIES):
            headers = signed_headers(self._secret, alert_id, int(time.time()), body)
            try:
                answer = await self._client.post(self._address, content=body, headers=headers)
                if answer.is_success:
                    return None
                why = f"it answers {answer.status_code}"
            except httpx.HTTPError as error:
                why = clean(str(error)) or type(error).__name__
            await asyncio.sleep(PAUSE_S * 2**again)
        return why

    def __str__(self) -> str:
        """Its name without the path, which may hold a secret."""
        return f"the webhook at {clean(self._address.netloc.decode())}"


def _web_address(text: str) -> httpx.URL:
    try:
        url = httpx.URL(text)
    except httpx.InvalidURL:
        url = httpx.URL()
    if url.scheme not in ("http", "https") or not url.host:
        raise BadInput(f"--webhook {clean(text)}: write an address such as https://alerts.example/shoe")
    return url


def _apart_s(earlier: Message, later: Message) -> float:
    """How long two records lie apart: by the shoe's clock, since those of hours may come at once after a start or a
    lost line; by when they came where the shoe was restarted between them."""
    before, after = earlier["record"], later["record"]
    if before["boot"] == after["boot"]:
        return float((after["ticks_ms"] - before["ticks_ms"]) % TICKS_PERIOD) / 1000
    return float(later["received"] - earlier["received"])
