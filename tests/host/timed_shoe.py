"""A dealt shoe across midnight: a round every half hour from 22:00 on, with the clock read when it was fetched."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import dealer_script
from histories import IDENTITY, Script
from shoetool.history.chunks import ClockPoint, Identity
from shoetool.history.store import ShoelogWriter
from shoetool.model.records import Record

EVENING = datetime(2026, 11, 20, 22, 0, tzinfo=UTC)
"""The first round begins at 22:00 UTC, 17:00 in New York; round 5 at midnight UTC."""
ROUND_MS = 1_800_000
STEP_MS = 2_000
FETCHED_MS = 5 * 3_600_000
FIRST_TICKS = (1 << 30) - 7_200_000
"""Ticks at the first round: they begin anew at midnight UTC."""


def timed(script: Script) -> Script:
    """The records of a shoe in real time: round n begins n - 1 half hours after the first, a record each 2 s."""
    at, records = -STEP_MS, []
    for record in script.records:
        at += STEP_MS
        if record.name == "round_opened":
            at = (record.values[0] - 1) * ROUND_MS
        elif not any(one.name == "round_opened" for one in records):
            at = -STEP_MS
        records.append(Record(record[0], record[1], (FIRST_TICKS + at) & 0x3FFFFFFF, record[3], record[4]))
    script.records = records
    return script


def reading(after_ms: int = FETCHED_MS, uncertainty_ms: int = 20, wrong_ms: int = 0, boot: int = 1) -> ClockPoint:
    """What a computer reads so long after the first round, its clock being wrong by `wrong_ms`."""
    wall = round(EVENING.timestamp() * 1000) + after_ms + wrong_ms
    return ClockPoint(boot, (FIRST_TICKS + after_ms) & 0x3FFFFFFF, wall, uncertainty_ms)


def write(path: Path, *readings: ClockPoint, script: Script | None = None, identity: Identity = IDENTITY) -> Path:
    """The history file of the shoe with these readings of the clock."""
    with ShoelogWriter(path, sync=False) as writer:
        writer.set_identity(identity)
        for point in readings:
            writer.add_clock(point)
        for page in (timed(dealer_script.shoe(most=20)) if script is None else script).pages():
            writer.append_page(page)
    return path
