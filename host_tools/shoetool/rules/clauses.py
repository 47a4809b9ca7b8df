"""The clauses of 58 Pa. Code that the project reads, by id: what each asks, in our own words, and who does it."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from difflib import get_close_matches
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Any, Final, TypeVar

from shoetool.model.errors import BadInput

from .clause_ids import Place, asked, ordinal, places

CHAPTERS: Final = MappingProxyType(
    {
        "633a": "Blackjack",
        "590": "Free Bet Blackjack",
        "635a": "Spanish 21",
        "633c": "side wagers and variations of Blackjack",
    }
)
"""The chapters, in the order of the catalogue."""
BY: Final = MappingProxyType({"S": "shoe", "R": "card reader device", "H": "host", "P": "people"})
"""Who can do or check what a clause asks."""
_NEAREST: Final = 3
_FEW: Final = 4
_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Clause:
    """One row of the catalogue.

    id: the regulation's, with a word or `#2` behind it where the clause has several rows. kind: what it is about. by:
    the letters of `BY`. asks: what it asks, in our own words. places: those of the regulation that it stands for.
    """

    id: str
    kind: str
    by: tuple[str, ...]
    asks: str
    places: tuple[Place, ...]


@dataclass(frozen=True, slots=True)
class Found:
    """What there is at one id: the rows of the clause itself, and those below it. section: whether the id is that of a
    section or a chapter."""

    name: str
    own: tuple[Clause, ...]
    below: tuple[Clause, ...]
    section: bool

    @property
    def in_full(self) -> tuple[Clause, ...]:
        """The rows that answer the question: those of the clause, or a few below one that has none. A section has no
        such rows."""
        if self.section:
            return ()
        return self.own or (self.below if len(self.below) <= _FEW else ())

    @property
    def listed(self) -> tuple[Clause, ...]:
        """The other rows."""
        return tuple(row for row in (*self.own, *self.below) if row not in self.in_full)


@cache
def clauses() -> MappingProxyType[str, Clause]:
    """Every row by its id, in the catalogue's order."""
    found = {}
    for chapter in _data("clauses.toml").values():
        for name, (kind, by, asks) in chapter.items():
            found[name] = Clause(name, kind, tuple(by.split()), " ".join(asks.split()), places(name))
    return MappingProxyType(found)


@cache
def reasons() -> MappingProxyType[str, str]:
    """Why no code and test of its own is behind a clause, by its id; most have both and are not in here."""
    return MappingProxyType({name: one["why"] for one in _data("reasons.toml")["reason"] for name in one["clauses"]})


def own(place: Place) -> tuple[Clause, ...]:
    """The rows of just this clause: those with its word where it has one."""
    rows = _own().get((place.chapter, place.section, place.steps), ())
    word = place.word.casefold()
    whole = [row for row in rows if any(one.word.casefold() == word for one in row.places)]
    if word and not whole:
        whole = [row for row in rows if any(one.word.casefold().startswith(word) for one in row.places)]
    return tuple(whole if word else rows)


def below(place: Place) -> tuple[Clause, ...]:
    """The rows of the clauses below this one, of its section or chapter."""
    if place.word:
        return ()
    rows = clauses().values() if place.section == 0 else _sections().get((place.chapter, place.section), ())
    mine = own(place)
    return tuple(row for row in rows if any(map(place.holds, row.places)) and row not in mine)


@cache
def cited(name: str) -> tuple[Clause, ...]:
    """The rows that a name in a declaration means: those of the clause itself, else those below it; () for no id."""
    try:
        found = places(name)
    except BadInput:
        return ()
    rows = [row for place in found for row in (own(place) or below(place))]
    return tuple(dict.fromkeys(rows))


def look_up(text: str) -> tuple[Found, ...]:
    """What there is at each of the ids that somebody wrote. BadInput names the nearest ids of one that is not there.

    text: one id or several, as people write them: `58 Pa. Code § 633a.9(a)(2)`, `633a.9 (a)`, `590.3`, `633c`.
    """
    found = []
    for together in map(_known, asked(text)):
        mine = tuple(dict.fromkeys(row for place in together for row in own(place)))
        under = tuple(dict.fromkeys(row for place in together for row in below(place)))
        name = mine[0].id if len(mine) == 1 else ", ".join(map(str, together))
        section = not any(place.steps or place.word for place in together)
        found.append(Found(name, mine, tuple(row for row in under if row not in mine), section))
    return tuple(found)


def search(words: str, rows: Iterable[Clause]) -> tuple[Clause, ...]:
    """Those of the rows that say all of these words, in their id, their kind or what they ask."""
    wanted = words.casefold().split()
    return tuple(row for row in rows if all(word in f"{row.id} {row.kind} {row.asks}".casefold() for word in wanted))


def _known(name: str) -> tuple[Place, ...]:
    if name in clauses():
        return clauses()[name].places
    found = places(name)
    for place in found:
        if not _rows(place):
            close = _nearest(place)
            nearest = f"; the nearest {'is' if len(close) == 1 else 'are'} {_and(close)}" if close else ""
            which = f"no clause {name[:60]} among those of chapters {_and(CHAPTERS)} that can be checked"
            raise BadInput(f"{which}{nearest}")
    return found


def _nearest(place: Place) -> list[str]:
    """The ids that stand nearest to one that does not exist; none for a chapter that does not."""
    named = _rows(replace(place, word=""))
    if named:  # the clause exists, and has no row of that word
        words = {row.places[0].word.casefold(): row.id for row in named}
        close = get_close_matches(place.word.casefold(), words, _NEAREST)
        return [words[word] for word in close] or [row.id for row in named[:_NEAREST]]
    sections = {one.section for row in clauses().values() for one in row.places if one.chapter == place.chapter}
    if place.section not in sections:
        return [f"{place.chapter}.{number}" for number in _closest(sections, place.section, int)]
    depth = len(place.steps) - 1
    while depth and not _rows(Place(place.chapter, place.section, place.steps[:depth])):
        depth -= 1
    parent = Place(place.chapter, place.section, place.steps[:depth])
    steps = {one.steps[depth] for row in below(parent) for one in row.places if parent.holds(one)}
    near = _closest(steps, ordinal(place.steps[depth], depth), lambda step: ordinal(step, depth))
    return [*([str(parent)] if own(parent) and depth else []), *(f"{parent}({step})" for step in near)]


def _closest(found: Iterable[_T], wanted: int, number: Callable[[_T], int]) -> list[_T]:
    """Those whose numbers are closest to this one, in their order."""
    return sorted(sorted(found, key=lambda one: abs(number(one) - wanted))[:_NEAREST], key=number)


def _rows(place: Place) -> tuple[Clause, ...]:
    return own(place) + below(place)


def _and(names: Iterable[str]) -> str:
    *most, last = names
    return f"{', '.join(most)} and {last}" if most else last


@cache
def _sections() -> dict[tuple[str, int], list[Clause]]:
    """The rows of each section, by chapter and number."""
    found: dict[tuple[str, int], list[Clause]] = {}
    for row in clauses().values():
        found.setdefault((row.places[0].chapter, row.places[0].section), []).append(row)
    return found


@cache
def _own() -> dict[tuple[str, int, tuple[str, ...]], list[Clause]]:
    """The rows of each clause, by chapter, section and steps."""
    found: dict[tuple[str, int, tuple[str, ...]], list[Clause]] = {}
    for row in clauses().values():
        for place in row.places:
            found.setdefault((place.chapter, place.section, place.steps), []).append(row)
    return found


def _data(name: str) -> dict[str, Any]:
    return tomllib.loads(files(__package__).joinpath(name).read_text(encoding="utf-8"))
