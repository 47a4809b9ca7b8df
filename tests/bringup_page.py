"""board/BRINGUP.md, taken apart: its commands, and what it says that they print."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "board" / "BRINGUP.md"
_FENCE = re.compile(r"^```(sh|text)\n(.*?)^```$", re.M | re.S)


@dataclass(slots=True)
class Command:
    """A command line of the page. `text`: what the page says that it prints, which stands `at` these places there."""

    line: str
    text: str | None = None
    at: tuple[int, int] = (0, 0)


def page() -> str:
    """The whole page."""
    return PAGE.read_text(encoding="utf-8")


def commands() -> list[Command]:
    """Every command line in the order of the page. An output belongs to the line before it."""
    found: list[Command] = []
    for fence in _FENCE.finditer(page()):
        if fence[1] == "sh":
            found += [Command(line) for line in fence[2].splitlines()]
        else:
            found[-1].text, found[-1].at = fence[2], fence.span(2)
    return found
