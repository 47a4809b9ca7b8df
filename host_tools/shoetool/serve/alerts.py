"""Webhooks: an alert is posted as JSON to the addresses that were given, without holding up anything else."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import json
from typing import Final

import httpx2 as httpx

from shoetool.history.clock import TICKS_PERIOD
from shoetool.model.protocol_table import FaultCode, IrregularityCode, RecordKind, RoundEnd
from shoetool.serve.hub import Message

QUEUED: Final = 256
TRIES: Final = 3
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
    """Finds what is an alert among the records of all tables, and posts it. `secret` signs each post (HMAC-SHA-256)."""

    def __init__(self, addresses: tuple[str, ...], secret: bytes, client: httpx.AsyncClient | None = None) -> None:
        self._addresses = addresses
        self._secret = secret
        self._client = client or httpx.AsyncClient(timeout=10.0)
        self._queue: asyncio.Queue[Message] = asyncio.Queue(QUEUED)
        self._cleared: dict[str, list[Message]] = {}
        self.dropped = 0
        """Alerts that found the queue full."""
        self.failed = 0
        """Posts that did not succeed in `TRIES` tries."""

    def take(self, message: Message) -> None:
        """Look at a record message of the hub."""
        why = self.why(message)
        if why is None:
            return
        alert = {key: message[key] for key in ("table", "seq", "received", "record", "sentence")}
        try:
            self._queue.put_nowait({"type": "alert", "why": why, **alert})
        except asyncio.QueueFull:
            self.dropped += 1

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
        while True:
            alert = await self._queue.get()
            body = json.dumps(alert, ensure_ascii=False).encode()
            signed = hmac.new(self._secret, body, hashlib.sha256).hexdigest()
            for address in self._addresses:
                await self._post(address, body, signed)

    async def _post(self, address: str, body: bytes, signed: str) -> None:
        headers = {"Content-Type": "application/json", "X-Shoetool-Signature": f"sha256={signed}"}
        for again in range(TRIES):
            try:
                answer = await self._client.post(address, content=body, headers=headers)
                if answer.is_success:
                    return
            except httpx.HTTPError:
                pass
            await asyncio.sleep(PAUSE_S * 2**again)
        self.failed += 1


def _apart_s(earlier: Message, later: Message) -> float:
    """How long two records lie apart: by the shoe's clock, since those of hours may come at once after a start or a
    lost line; by when they came where the shoe was restarted between them."""
    before, after = earlier["record"], later["record"]
    if before["boot"] == after["boot"]:
        return float((after["ticks_ms"] - before["ticks_ms"]) % TICKS_PERIOD) / 1000
    return float(later["received"] - earlier["received"])
