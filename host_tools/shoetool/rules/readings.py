"""How the project reads the regulation where it is silent or not clear: package data, with the clauses it is for."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from .clause_ids import Place, places
from .clauses import Clause


@dataclass(frozen=True, slots=True)
class Reading:
    """One reading: its name (`52`, `T13`), the clauses it is for, the open point, how it is read, and more on that."""

    name: str
    clauses: tuple[str, ...]
    point: str
    short: str
    more: str
    places: tuple[Place, ...]

    @property
    def text(self) -> str:
        """The whole of it."""
        return f"{self.short}. {self.more}" if self.more else self.short

    def is_for(self, row: Clause) -> bool:
        """Whether it is for this row: one of its clause, or of a clause above it."""
        return any(place.holds(one) and place.word in ("", one.word) for place in self.places for one in row.places)


@cache
def readings() -> tuple[Reading, ...]:
    """Every reading, in the order of firmware/READINGS.md."""
    document = tomllib.loads(files(__package__).joinpath("readings.toml").read_text(encoding="utf-8"))
    return tuple(
        Reading(
            one["name"],
            tuple(one["clauses"]),
            one["point"],
            " ".join(one["reading"].split()),
            " ".join(one.get("more", "").split()),
            tuple(place for name in one["clauses"] for place in places(name)),
        )
        for one in document["reading"]
    )
