"""Find the line of a key in a TOML text, which `tomllib` does not tell. It serves messages only, so a key that is
written in an unusual way may have no line."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

_HEADER: Final = re.compile(r"^\s*\[\[?\s*([^\[\]#]+?)\s*\]\]?\s*(#.*)?$")
_KEY: Final = re.compile(r"^\s*([A-Za-z0-9_\-.\"' ]+?)\s*=(?!=)")
_INLINE: Final = re.compile(r"([A-Za-z0-9_\-]+)\s*=")


def lines_of(text: str) -> Mapping[str, int]:
    """Return the line, counted from 1, of every table and key by its dotted path, such as `wagers.bad_beat.meter`.

    The keys of an inline table stand on the line of the key that holds it.
    """
    found: dict[str, int] = {}
    table = ""
    for number, line in enumerate(text.splitlines(), 1):
        if match := _HEADER.match(line):
            table = _path(match[1]) + "."
            found.setdefault(table[:-1], number)
        elif match := _KEY.match(line):
            key = table + _path(match[1])
            found.setdefault(key, number)
            rest = line[match.end() :].lstrip()
            if rest.startswith("{"):
                for inner in _INLINE.finditer(rest):
                    found.setdefault(f"{key}.{inner[1]}", number)
    return found


def line_of(lines: Mapping[str, int], where: str) -> int | None:
    """Return the line of a path, or of the nearest table above it that the text names."""
    while where:
        if where in lines:
            return lines[where]
        where = where.rpartition(".")[0]
    return None


def _path(words: str) -> str:
    return ".".join(part.strip().strip("\"'") for part in words.split("."))
