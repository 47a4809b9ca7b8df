"""Records by name, checked against their layout."""

from __future__ import annotations

from shoetool.model.records import NAMES, Record, Value, decode_record, encode_payload

KINDS = {name: kind for kind, name in NAMES.items()}


def make_record(number: int, name: str, *values: Value, boot: int = 1, ticks_ms: int = 0) -> Record:
    """Return a record of the named kind, checked against its layout."""
    kind = KINDS[name]
    return decode_record(number, boot, ticks_ms, kind, encode_payload(kind, values))
