"""Find the place of a value in a JSON text. Messages name the place, and `json` does not keep it."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Final

Path = Sequence[str | int]
_SPACE: Final = re.compile(r"[ \t\r\n]*")
_DECODER: Final = json.JSONDecoder()


def path_text(path: Path) -> str:
    """Return a path as text, such as `$.positions[0].side.lucky_ladies`."""
    return "$" + "".join(f"[{step}]" if isinstance(step, int) else f".{step[:60]}" for step in path)


def find(text: str, path: Path) -> tuple[int, int]:
    """Return line and column, from 1, of the value at `path` in a JSON text, or of its container when it is missing."""
    at = _skip(text, 0)
    for step in path:
        inner = _member(text, at, step) if isinstance(step, str) else _item(text, at, step)
        if inner is None:
            break
        at = inner
    return place(text, at)


def place(text: str, at: int) -> tuple[int, int]:
    """Return line and column, from 1, of an offset."""
    return text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at)


def _skip(text: str, at: int) -> int:
    match = _SPACE.match(text, at)
    return match.end() if match else at


def _member(text: str, at: int, name: str) -> int | None:
    if text[at : at + 1] != "{":
        return None
    at = _skip(text, at + 1)
    while text[at : at + 1] == '"':
        key, at = _DECODER.raw_decode(text, at)
        at = _skip(text, _skip(text, at) + 1)
        if key == name:
            return at
        _, at = _DECODER.raw_decode(text, at)
        at = _skip(text, _skip(text, at) + 1)
    return None


def _item(text: str, at: int, index: int) -> int | None:
    if text[at : at + 1] != "[":
        return None
    at = _skip(text, at + 1)
    for _ in range(index):
        _, at = _DECODER.raw_decode(text, at)
        at = _skip(text, _skip(text, at) + 1)
    return at
