"""One record of the journal on the host, and the codec of its payload. Layouts come from protocol.toml.

Decoding is the hot path of replay and verify, so a record is a plain tuple, and no dictionary is built per record. Code
that reads many records unpacks `values` in the order of protocol.toml. Code that reads a few uses `get` or attributes.
"""

from __future__ import annotations

import struct
from typing import Any, Final, NamedTuple

from .errors import BadInput
from .naming import Value, named_fields
from .protocol_table import RECORDS

STRUCTS: Final[dict[int, struct.Struct]] = {kind: struct.Struct(row["fields_format"]) for kind, row in RECORDS.items()}
NAMES: Final[dict[int, str]] = {kind: row["name"] for kind, row in RECORDS.items()}
FIELDS: Final[dict[int, dict[str, int]]] = {
    kind: {name: index for index, (name, _) in enumerate(row["fields"])} for kind, row in RECORDS.items()
}


class Record(NamedTuple):
    """A record: its number in the journal, boot counter, device ticks in ms (30-bit), kind and payload values.

    `values` are in the order of protocol.toml. When this host does not know the kind, the raw payload is the only
    value. Read fields as attributes (`record.role`) or with `get`. Read `dealer_changed.count` with `get("count")`,
    because a tuple has a method of that name.
    """

    number: int
    boot: int
    ticks_ms: int
    kind: int
    values: tuple[Any, ...]

    @property
    def name(self) -> str:
        """Name of the kind in protocol.toml, or `kind_<id>` for a kind that this host does not know."""
        return NAMES.get(self.kind) or f"kind_{self.kind}"

    @property
    def known(self) -> bool:
        """Whether this host knows the kind."""
        return self.kind in NAMES

    def get(self, field: str, default: Any = None) -> Any:
        """Value of a field by its name, or `default` when this kind has no such field."""
        index = FIELDS.get(self.kind, {}).get(field)
        return default if index is None else self.values[index]

    def __getattr__(self, field: str) -> Any:
        index = FIELDS.get(self.kind, {}).get(field)
        if index is None:
            raise AttributeError(f"a {self.name} record has no field {field!r}")
        return self.values[index]

    def fields(self) -> dict[str, Value]:
        """Field names and values in order; `{"payload": bytes}` for a kind that this host does not know."""
        names = FIELDS.get(self.kind)
        return {"payload": self.values[0]} if names is None else dict(zip(names, self.values, strict=True))

    def to_json(self) -> dict[str, Any]:
        """Return the record with JSON types only. `model.naming` names the fields; bytes become hexadecimal text."""
        out: dict[str, Any] = {"record": self.number, "boot": self.boot, "ticks_ms": self.ticks_ms, "kind": self.name}
        return {**out, **named_fields(self.name, self.fields())}


def decode_payload(kind: int, payload: bytes) -> tuple[Any, ...]:
    """Return the values of a payload in field order.

    A longer payload comes from a newer minor version; its tail is left out. An unknown kind gives the raw payload.
    BadInput when the payload is shorter than the kind needs.
    """
    layout = STRUCTS.get(kind)
    if layout is None:
        return (bytes(payload),)
    if len(payload) < layout.size:
        raise BadInput(f"a {NAMES[kind]} record needs {layout.size} bytes and has {len(payload)}")
    return layout.unpack_from(payload)


def decode_record(number: int, boot: int, ticks_ms: int, kind: int, payload: bytes) -> Record:
    """Return the record of a payload from a page or an event message. BadInput when the payload is too short."""
    return Record(number, boot, ticks_ms, kind, decode_payload(kind, payload))
