"""Payloads of the messages in protocol.toml: pack a request, unpack an answer, name an error."""

from __future__ import annotations

import struct
from typing import Any, Final, Literal

from shoetool.model.errors import DeviceError
from shoetool.model.protocol_table import MESSAGES, Error, MessageKind, Setting

ANSWER: Final = 128
Part = Literal["request", "answer", "unasked"]
Value = int | bytes

_LAYOUTS: Final[dict[tuple[int, str], tuple[struct.Struct, tuple[str, ...], str | None]]] = {}
for _kind, _row in MESSAGES.items():
    for _part in ("request", "answer", "unasked"):
        if _part in _row:
            _names = tuple(name for name, _ in _row[_part])
            _rest = _names[-1] if _row[_part] and _row[_part][-1][1] == "rest" else None
            _LAYOUTS[_kind, _part] = (struct.Struct(_row[_part + "_format"]), _names[:-1] if _rest else _names, _rest)

_SIZES: Final = {"u8": 1, "u16": 2, "u32": 4}
_LATER: Final[dict[tuple[int, str], tuple[int, tuple[str, ...]]]] = {
    (_kind, "answer"): (
        sum(_SIZES[form] for name, form in _row["answer"] if name in _row["later"]),
        tuple(_row["later"]),
    )
    for _kind, _row in MESSAGES.items()
    if "later" in _row
}
"""Fields at the end of a message that a device of an older minor version does not send, with their sizes in bytes."""

_SENTENCES: Final[dict[int, str]] = {
    Error.UNKNOWN_MESSAGE: "its firmware does not know this request",
    Error.BAD_LENGTH: "the request has the wrong length",
    Error.BAD_VALUE: "the value is out of range",
    Error.BUSY: "it is busy; try again",
    Error.NO_SUCH_PAGE: "it holds no such page",
    Error.NO_SUCH_RECORD: "it holds no such record",
    Error.NO_SUCH_SHOE: "it holds no history of this shoe",
    Error.NOT_ALLOWED_NOW: "it is not allowed now: a round or a shoe may be under way",
    Error.VERSION: "it speaks another version of the protocol",
    Error.STALE_EPOCH: "it has restarted meanwhile",
    Error.NOT_AUTHORISED: "it needs the command key",
    Error.WRONG_KEY: "wrong key",
    Error.NO_CHALLENGE: "no challenge is in force",
    Error.WAIT: "it was tried not long ago",
    Error.NOT_PROVISIONED: "it is not provisioned",
    Error.NO_ENTROPY: "it has no random numbers",
    Error.NO_MEMORY: "it has no memory left for it now, and nothing was changed; try again",
    Error.FAILED: "it had an unexpected error and has stopped; fetch its log: shoetool info",
}

_WORDS: Final[dict[int, str]] = {
    MessageKind.IDENTIFY: "to say who it is",
    MessageKind.STATUS: "to tell its state",
    MessageKind.CONFIG_READ: "to tell its settings",
    MessageKind.CONFIG_WRITE: "the settings",
    MessageKind.HISTORY_LIST: "to list its histories",
    MessageKind.HISTORY_READ: "to hand out a page of its history",
    MessageKind.HISTORY_FETCHED: "to mark a history as fetched",
    MessageKind.SUBSCRIBE: "to send its records as they come",
    MessageKind.EVENT_READ: "to send records again",
    MessageKind.SELF_TEST: "the self-test",
    MessageKind.TRACE: "to hand out the trace of a read head",
    MessageKind.KEY: "the key press",
    MessageKind.TICKS: "to tell its clock",
    MessageKind.LEVELS: "to tell the light of a read head",
    MessageKind.CALIBRATE: "to calibrate a read head",
    MessageKind.SIGNING_KEY: "to tell its signing key",
    MessageKind.SIGNATURE: "to hand out a signature",
    MessageKind.AUTHORITY: "to tell who may command it",
    MessageKind.HOST_CLOCK: "the time of day",
    MessageKind.CHALLENGE: "to begin a privileged command",
    MessageKind.PRIVILEGED: "the privileged command",
    MessageKind.KEY_OFFER: "the new command key",
    MessageKind.PROVISION: "to be provisioned",
    MessageKind.UPDATE: "the announcement of an update",
    MessageKind.PLAY_OPEN: "to open itself to the play key",
    MessageKind.PLAY: "the key press of the table's controller",
}
"""What a shoe refuses, in words. They follow *the shoe refused*."""


class MessageError(DeviceError):
    """A message whose payload is too short for its kind."""


def pack_request(kind: int, **values: Value) -> bytes:
    """Return the payload of a request from its fields by name. A missing `rest` field is empty."""
    layout, names, rest = _LAYOUTS[kind, "request"]
    payload = layout.pack(*(values[name] for name in names))
    tail = values.get(rest, b"") if rest else b""
    assert isinstance(tail, bytes)
    return payload + tail


def unpack(kind: int, part: Part, payload: bytes) -> dict[str, Any]:
    """Return the fields of a payload by name: an int or bytes each, as protocol.toml has it.

    Bytes after the fields come from a newer minor version and are left out. Fields that an older version's answer lacks
    are left out too. MessageError when the payload is too short.
    """
    layout, names, rest = _LAYOUTS[kind, part]
    later, missing = _LATER.get((kind, part), (0, ()))
    if later and len(payload) == layout.size - later:
        fields = unpack(kind, part, payload + bytes(later))
        return {name: value for name, value in fields.items() if name not in missing}
    if len(payload) < layout.size:
        name = MESSAGES[kind]["name"]
        raise MessageError(f"{name}: the {part} needs {layout.size} bytes and has {len(payload)}")
    fields = dict(zip(names, layout.unpack_from(payload), strict=True))
    if rest:
        fields[rest] = payload[layout.size :]
    return fields


def request_name(kind: int) -> str:
    """Return the name of a message kind in protocol.toml, or its number."""
    row = MESSAGES.get(kind)
    return str(row["name"]) if row else f"message {kind}"


def request_words(kind: int) -> str:
    """Return in words what a shoe refuses with this kind of request. They follow *the shoe refused*."""
    return _WORDS.get(kind) or request_name(kind)


def error_text(request: int, code: int, detail: int) -> str:
    """Return one line about a refused request: which, why, and what the detail means."""
    what = request_words(request)
    if code == Error.BAD_VALUE and request == MessageKind.CONFIG_WRITE:
        setting = Setting(detail).name.lower() if detail in set(Setting) else f"setting {detail}"
        return f"the shoe refused {what}: {setting} is out of range or does not fit the other settings"
    if code == Error.NO_MEMORY and detail:
        return f"the shoe ran out of memory with {what}: it carried it out, or not at all; look before you repeat it"
    try:
        why = _SENTENCES[Error(code)]
    except (ValueError, KeyError):
        why = f"error {code}, which this shoetool does not know"
    return f"the shoe refused {what} ({why})"
