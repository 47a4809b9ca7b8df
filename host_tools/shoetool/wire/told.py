"""A frame told with the names of PROTOCOL.md: its message, its fields, and what their values stand for.

For people who read a line. The client reads answers with `unpack`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from shoetool.model import protocol_table as table
from shoetool.model.cards import COVER_CARD, TEST_CARDS, UNKNOWN, card_name

from .frames import Frame
from .messages import ANSWER

_SIZES: Final = {"u8": 1, "u16": 2, "u32": 4}
_LATER: Final = {(row["name"], name) for row in table.MESSAGES.values() for name in row.get("later", ())}
_ALIKE: Final = (table.MessageKind.IDENTIFY, table.MessageKind.ERROR)
"""The messages that are the same in all major versions."""
Fields = Sequence[tuple[str, str]]


@dataclass(slots=True)
class Told:
    """A message, or the record or message in it, with JSON types only.

    `name` as in PROTOCOL.md, `part` request, answer, unasked or record. `fields`: numbers; text; bytes in hexadecimal;
    or a list of items, each with fields of its own, or with `cut`, bytes of one that is not whole. `names`: for fields
    whose values have one. `inner`: the record of an event, or the message that `privileged` carries. `rest`: bytes
    behind the fields, hexadecimal, as a newer version may send them. `problem`: why the fields end early.
    """

    name: str
    part: str
    fields: dict[str, Any] = field(default_factory=dict)
    names: dict[str, Any] = field(default_factory=dict)
    inner: Told | None = None
    rest: str = ""
    problem: str = ""

    def to_json(self) -> dict[str, Any]:
        """Return what there is of it as a JSON object."""
        out: dict[str, Any] = {"name": self.name, "part": self.part, "fields": self.fields, "names": self.names}
        if self.inner is not None:
            out["inner"] = self.inner.to_json()
        return out | {key: text for key, text in (("rest", self.rest), ("problem", self.problem)) if text}

    def text(self) -> str:
        """Return it in one line. Text of a device stands there as it came: it is not yet safe to print."""
        told = [self.name, "answered" if self.part == "answer" else ""]
        told += [_shown(name, value, self.names.get(name)) for name, value in self.fields.items()]
        told += [f"rest={self.rest}"] if self.rest else []
        told += [f"[{self.problem}]"] if self.problem else []
        told += [self.inner.text()] if self.inner is not None else []
        return " ".join(one for one in told if one)


def tell(frame: Frame, asked: int | None = None) -> Told:
    """Return what a frame says. `asked`: the message that a `privileged` request carried, to read its answer."""
    kind = frame.kind - ANSWER if frame.kind >= ANSWER else frame.kind
    row = table.MESSAGES.get(kind, {})
    if frame.major != table.MAJOR and kind not in _ALIKE:
        row = {}
    part = "answer" if frame.kind >= ANSWER else "unasked" if "unasked" in row else "request"
    return _message(kind, row, part, frame.payload, asked)


def carried(frame: Frame) -> int | None:
    """Return the kind of the message that a `privileged` request carries, None for any other frame."""
    return frame.payload[0] if frame.kind == table.MessageKind.PRIVILEGED and frame.payload else None


def _message(kind: int, row: Mapping[str, Any], part: str, payload: bytes, asked: int | None) -> Told:
    if part not in row:
        return Told(f"message_{kind}", part, rest=payload.hex())
    return _fields(Told(row["name"], part), row[part], payload, asked)


def _fields(told: Told, layout: Fields, payload: bytes, asked: int | None = None) -> Told:
    """Read the fields of a layout from a payload, as far as they go."""
    at = 0
    for name, form in layout:
        place = f"{told.name}.{name}"
        if form == "rest":
            _rest(told, name, place, payload[at:], asked)
            return told
        size = _SIZES.get(form) or int(form[1:])
        raw = payload[at : at + size]
        if len(raw) < size:
            if raw or (told.name, name) not in _LATER:
                told.problem = f"{name} is cut off" if raw else f"{name} is missing"
            return told
        at += size
        _put(told.fields, told.names, place, form, raw)
    told.rest = payload[at:].hex()
    return told


def _put(fields: dict[str, Any], names: dict[str, Any], place: str, form: str, raw: bytes) -> None:
    """Put one field of a fixed size, and the name of its value."""
    name = place.rpartition(".")[2]
    if form in _SIZES:
        fields[name] = int.from_bytes(raw, "little")
        called = value_name(place, fields[name])
    else:
        fields[name] = raw.hex()
        called = ".".join(map(str, raw)) if form == "b3" else None
    if called is not None:
        names[name] = called


def _rest(told: Told, name: str, place: str, raw: bytes, asked: int | None) -> None:
    """Put what a closing `rest` holds: text, a record, a message, items, or bytes."""
    form = table.RESTS.get(place, "")
    if form == "text":
        told.fields[name] = raw.decode("utf-8", "replace")
    elif form == "record" and (row := table.RECORDS.get(told.fields["kind"])) is not None:
        told.inner = _fields(Told(row["name"], "record"), row["fields"], raw)
    elif form == "message" and (kind := told.fields.get("request", asked)) is not None:
        told.inner = _message(kind, table.MESSAGES.get(kind, {}), told.part, raw, None)
    elif isinstance(form, tuple):
        _items(told, name, place, form, raw)
    else:
        told.fields[name] = raw.hex()


def _items(told: Told, name: str, place: str, layout: Fields, raw: bytes) -> None:
    """Put items of a fixed size. They are counted from offset 0, so the first one may have begun before."""
    size = sum(_SIZES[form] for _, form in layout)
    at = min(-int(told.fields.get("offset", 0)) % size, len(raw))
    items: list[dict[str, Any]] = [{"cut": raw[:at].hex()}] if at else []
    names: list[dict[str, Any]] = [{}] if at else []
    for begin in range(at, len(raw), size):
        whole = raw[begin : begin + size]
        items.append({})
        names.append({})
        if len(whole) < size:
            items[-1]["cut"] = whole.hex()
            break
        for one, form in layout:
            _put(items[-1], names[-1], f"{place}.{one}", form, whole[: _SIZES[form]])
            whole = whole[_SIZES[form] :]
    told.fields[name] = items
    if any(names):
        told.names[name] = names


def value_name(place: str, value: int) -> Any:
    """Return the name of a value of a field, such as `card.role`; a list for bits; None without one."""
    name = place.rpartition(".")[2]
    if (kind := table.FIELD_BITS.get(place) or table.FIELD_BITS.get(name)) is not None:
        members = getattr(table, kind)
        bits = (bit for bit in range(value.bit_length()) if value >> bit & 1)
        return [members(bit).name.lower() if bit in set(members) else f"bit_{bit}" for bit in bits] or None
    kind = table.FIELD_NAMES.get(place) or table.FIELD_NAMES.get(name)
    if kind is None:
        return None
    if kind == "Card":
        return card_name(value) if value in (*range(COVER_CARD), COVER_CARD, *TEST_CARDS, UNKNOWN) else None
    members = getattr(table, kind)
    return members(value).name.lower() if value in set(members) else None


def _shown(name: str, value: Any, called: Any) -> str:
    """Return a field as `name=value (its name)`."""
    if isinstance(value, list):
        items = [_item(item, called[at] if called else {}) for at, item in enumerate(value)]
        return f"{name}=[{'; '.join(items)}]"
    words = ", ".join(called) if isinstance(called, list) else called
    return f"{name}={value!r}" if name in ("board", "text") else f"{name}={value}" + (f" ({words})" if words else "")


def _item(item: Mapping[str, Any], names: Mapping[str, Any]) -> str:
    return " ".join(_shown(one, value, names.get(one)) for one, value in item.items())
