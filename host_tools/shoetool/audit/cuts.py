"""How deep the stack was cut, from the table record that lies beside a history."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

from shoetool.audit.told import Told
from shoetool.model.errors import BadInput
from shoetool.model.input_file import LONGEST_DAMAGE, NoFile, open_input

ENDING: Final = ".jsonl"
_LONGEST: Final = 1 << 20
"""A line of a table record that is longer is none."""


def read_cuts(told: Told, path: Path) -> None:
    """Note the cuts that the table record beside a history tells: how many cards from the top, of how many.

    A line that cannot be read is counted. Whether the record fits the history is for `verify` to say.
    """
    sizes = {load.shoe: load.deck.size for load in told.loads}
    behind = 0  # bytes since the last whole line
    try:
        with open_input(path.with_suffix(ENDING), "a table record") as file:
            while behind <= LONGEST_DAMAGE and (line := file.readline(_LONGEST + 1)):
                behind = 0 if line.endswith(b"\n") else behind + len(line)
                _line(told, line, sizes)
    except NoFile:
        return
    except (BadInput, OSError):
        told.bad_lines += 1


def _line(told: Told, line: bytes, sizes: dict[int, int]) -> None:
    if b'"cut"' not in line and line.isascii() and len(line) <= _LONGEST:
        return  # most lines: nothing of them is needed
    try:
        entry: Any = json.loads(line)
        events = entry.get("events", ())
        depths = [event["cards"] for event in events if event.get("event") == "cut" and "cards" in event]
        if not all(isinstance(depth, int) and not isinstance(depth, bool) for depth in depths):
            raise ValueError
        shoe = entry.get("history", {}).get("shoe", next(iter(sizes), None))
    except (ValueError, TypeError, AttributeError, KeyError, RecursionError):
        told.bad_lines += 1
        return
    if shoe in sizes:
        told.cuts += [(depth, sizes[shoe]) for depth in depths]
