"""Records by name, checked against their layout."""

from __future__ import annotations

import struct

from shoetool.model.errors import BadInput
from shoetool.model.protocol_table import RECORDS
from shoetool.model.records import NAMES, STRUCTS, Record, Value, decode_record

KINDS = {name: kind for kind, name in NAMES.items()}


def make_record(number: int, name: str, *values: Value, boot: int = 1, ticks_ms: int = 0) -> Record:
    """Return a record of the named kind, checked against its layout."""
    kind = KINDS[name]
    return decode_record(number, boot, ticks_ms, kind, encode_payload(kind, values))


def encode_payload(kind: int, values: tuple[Value, ...] | list[Value]) -> bytes:
    """Return the payload bytes of the values in field order. BadInput when they do not fit the kind."""
    layout = STRUCTS.get(kind)
    if layout is None:
        if len(values) == 1 and isinstance(values[0], bytes):
            return values[0]
        raise BadInput(f"record kind {kind} is not known")
    for value, (_, field_type) in zip(values, RECORDS[kind]["fields"], strict=False):
        if field_type[0] == "b" and (not isinstance(value, bytes) or len(value) != int(field_type[1:])):
            raise BadInput(f"a {NAMES[kind]} record takes {field_type[1:]} bytes where {value!r} stands")
    try:
        return layout.pack(*values)
    except struct.error as error:
        raise BadInput(f"a {NAMES[kind]} record does not take these values: {error}") from None
