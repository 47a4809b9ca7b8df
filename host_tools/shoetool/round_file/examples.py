"""The example round files of the package."""

from __future__ import annotations

import difflib
from importlib.resources import files
from typing import Final

from shoetool.model.errors import BadInput

_FOLDER: Final = "rounds"


def round_example_names() -> tuple[str, ...]:
    """Return the names of the examples."""
    entries = files(__package__).joinpath(_FOLDER).iterdir()
    return tuple(sorted(entry.name.removesuffix(".json") for entry in entries if entry.name.endswith(".json")))


def round_example(name: str) -> str:
    """Return a round file as JSON text. BadInput suggests the nearest name when there is none of that name."""
    names = round_example_names()
    wanted = name.replace("_", "-")
    if wanted not in names:
        close = difflib.get_close_matches(wanted[:60], names, n=1)
        hint = f"did you mean {close[0]}?" if close else f"there are {', '.join(names)}"
        raise BadInput(f"there is no example {name[:60]!r}; {hint}")
    return files(__package__).joinpath(_FOLDER, f"{wanted}.json").read_text(encoding="utf-8")
