"""TOML as people write it: settings and rules submissions, a few keys deep."""

from __future__ import annotations

import tomllib
from typing import Any, Final

_MOST_DOTS: Final = 100
"""On a line that is no comment. `tomllib` needs memory with the square of a dotted key's length: 1.5 GB for 40 kB."""


def parse_toml(text: str) -> dict[str, Any]:
    """Return the values of a TOML text. ValueError says in one line what is wrong with it."""
    for number, line in enumerate(text.splitlines(), 1):
        if line.count(".") > _MOST_DOTS and not line.lstrip().startswith("#"):
            raise ValueError(f"line {number} has more than {_MOST_DOTS} dots")
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        raise
    except RecursionError:
        raise ValueError("nested too deeply") from None
    except ValueError:
        raise ValueError("a number of too many digits") from None
