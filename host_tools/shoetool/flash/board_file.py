"""`board.json`: the equipment of one board. It is checked here; the device accepts errors (board/pico/settings.py)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from shoetool.model.errors import BadInput
from shoetool.model.input_file import read_input

LARGEST: Final = 4096
_TRUTH: Final = "true or false"
TAKES: Final[Mapping[str, str]] = {
    "link": "uart or cdc",
    "rs485": _TRUTH,
    "heads": "1, 2 or 3",
    "cards": "poker or bridge",
    "panel": _TRUTH,
    "repl": _TRUTH,
}
"""The allowed values of each setting of the board, in words."""


def _fits(name: str, value: Any) -> bool:
    if name in ("link", "cards"):
        return value in TAKES[name].split(" or ")
    if name == "heads":
        return type(value) is int and 1 <= value <= 3
    return isinstance(value, bool)


def read_board_file(path: Path) -> bytes:
    """Return the bytes of board.json for the settings in `path`, the same for the same settings. BadInput: an error."""
    content = read_input(path, "a board's settings", LARGEST, "too large for a board's settings")
    try:
        said = json.loads(content.decode("utf-8"), object_pairs_hook=_once)
    except (ValueError, RecursionError) as error:
        raise BadInput(f"{path}: no JSON file: {error}") from None
    if not isinstance(said, dict):
        raise BadInput(f"{path}: not an object of settings, such as {{" + '"link": "uart"}')
    for name, value in said.items():
        if name not in TAKES:
            raise BadInput(f"{path}: there is no setting {name!r} of a board; there are {', '.join(TAKES)}")
        if not _fits(name, value):
            raise BadInput(f"{path}: {name} takes {TAKES[name]}, not {json.dumps(value)[:60]}")
    return json.dumps(said, sort_keys=True).encode() + b"\n"


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object without repeated names: nobody could say which value counts."""
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a setting stands twice")
    return found
