"""Events of the dealing machine as the records of a history that the host can read."""

from __future__ import annotations

import sys
from hashlib import sha256
from pathlib import Path
from typing import Any

sys.path += [str(Path(__file__).resolve().parents[at] / "firmware") for at in (1, 2)]

from dealing_table import Table
from shoe import wire_table as t
from shoetool.model.protocol_table import RecordKind
from shoetool.model.records import Record

BOOT = Record(0, 1, 0, RecordKind.BOOT, (0, b"\0\1\0", 0, 7))


def nonce(number: int) -> bytes:
    return sha256(b"nonce %d" % number).digest()[:16]


def record(number: int, event: tuple[Any, ...]) -> Record:
    """An event as the journal would have it."""
    kind, *values = event
    if kind == t.REC_SEALED:
        values = [*values[:4], sha256(nonce(number) + bytes(values[4:6])).digest()]
    elif kind == t.REC_OPENED:
        values.append(nonce(values[0]))
    return Record(number, 1, 40 * number, kind, tuple(values))


def history(table: Table) -> list[Record]:
    return [BOOT, *(record(number, event) for number, event in table.records)]
