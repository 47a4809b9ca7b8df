"""`make test` runs a part of what `make soak` runs whole, where each case takes long and they are much alike."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TypeVar

T = TypeVar("T")
SOAK = bool(os.environ.get("SOAK"))


def some(values: Iterable[T], every: int = 2) -> list[T]:
    """Return every second value, or every `every`-th, the first among them; in a soak all of them."""
    return list(values)[:: 1 if SOAK else every]
