"""Which declarations name a clause: games, optional wagers, mystery bonuses, paytables, settings of a rules submission.

A declaration names a clause in its fields, and in the sentences and results of its functions. A wager of ch. 633c has a
section of its own, so all of that section is about it.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import dataclass, fields, is_dataclass, replace
from functools import cache
from types import FunctionType
from typing import Any, Final

from .clause_ids import Place, places
from .clauses import Clause, below, cited, clauses, own
from .games import GAMES
from .games.game import Game
from .paytable import Paytable, paytables
from .submission.layout import needs
from .submission.settings import METER_SETTINGS, MYSTERY_SETTINGS, SETTINGS, WAGER_SETTINGS, Setting, wager_options
from .wagers.catalogue import WAGERS
from .wagers.mystery import MYSTERIES, Mystery, configurations
from .wagers.wager import Wager

_OWN_SECTIONS: Final = "633c"
"""The chapter that has a section for each wager."""
_DECLARED: Final = "shoetool.rules."
_NAMED: Final = re.compile(r"(?:633a|590|635a|633c)\.\d+(?:\(\w+\))*")


@dataclass(frozen=True, slots=True)
class Citations:
    """Everything that names one clause, each in the order of its own list. needed: whether `shoetool table` lists
    something that a table must have or show by this clause."""

    games: tuple[Game, ...]
    wagers: tuple[Wager | Mystery, ...]
    paytables: tuple[Paytable, ...]
    settings: tuple[Setting, ...]
    needed: bool


def citations(row: Clause) -> Citations:
    """What names this clause."""
    return Citations(
        tuple(_games().get(row.id, ())),
        tuple(_wagers().get(row.id, ())),
        tuple(_paytables().get(row.id, ())),
        tuple(_settings().get(row.id, ())),
        row.id in _needed(),
    )


def with_paytable() -> Set[str]:
    """The ids of the rows that a paytable names."""
    return _paytables().keys()


def named_in(value: Any) -> frozenset[str]:
    """The ids of the rows that a declaration, or a part of one, names."""
    return frozenset(row.id for text in _texts(value, set()) for row in _rows_in(text))


@cache
def own_section(wager: Wager | Mystery) -> tuple[Clause, ...]:
    """All rows of the section that is about this wager or bonus alone, and about no game; () where there is none."""
    section = _section(wager.offered)
    games = {_section(one.clause) for one in GAMES.values() if one.clause}
    taken = {_section(one.offered) for one in WAGERS.values()} if isinstance(wager, Mystery) else set()
    return below(section) if section.chapter == _OWN_SECTIONS and section not in games | taken else ()


def _section(name: str) -> Place:
    place = places(name)[0]
    return Place(place.chapter, place.section)


@cache
def _games() -> Mapping[str, list[Game]]:
    found: dict[str, list[Game]] = defaultdict(list)
    for one in GAMES.values():
        for name in named_in(_as_played(one)):
            found[name].append(one)
    return found


def _as_played(game: Game) -> Game:
    """The game without the clauses that it has of the game that it varies, and by which it is not played."""
    clauses, settling, table = game.clauses, game.settling, game.table
    if not game.facts.surrender:
        clauses = replace(clauses, surrender="", surrender_early="")
        settling = replace(settling, surrender_low="", surrender_revealed="", surrender_reader="")
    if not game.facts.burn_card and not game.facts.burns:
        clauses = replace(clauses, burn="")
    if "double" not in game.facts.shoes:
        clauses = replace(clauses, wrong_side="")
    if game.electronic:  # its wagers lie on terminals
        table = replace(table, main_area="", optional_areas="")
    return replace(game, clauses=clauses, settling=settling, table=table)


@cache
def _wagers() -> Mapping[str, list[Wager | Mystery]]:
    found: dict[str, list[Wager | Mystery]] = defaultdict(list)
    declared: tuple[Wager | Mystery, ...] = (*WAGERS.values(), *MYSTERIES.values())
    for one in declared:
        printed = {of.clause for of in configurations(one.key).values()} if isinstance(one, Mystery) else ()
        section = (row.id for row in own_section(one))
        for name in {*named_in(one), *named_in(tuple(printed)), *section}:
            found[name].append(one)
    return found


@cache
def _paytables() -> Mapping[str, list[Paytable]]:
    found: dict[str, list[Paytable]] = defaultdict(list)
    for one in paytables():
        named = {one.clause, *(row.clause for row in one.rows), *(note.clause for note in one.notes)}
        for row in {row for name in named for row in cited(name)}:
            found[row.id].append(one)
    return found


@cache
def _settings() -> Mapping[str, list[Setting]]:
    found: dict[str, list[Setting]] = defaultdict(list)
    for one in (*SETTINGS, *WAGER_SETTINGS, *wager_options(), *METER_SETTINGS, *MYSTERY_SETTINGS):
        for row in {row for name in one.clauses for row in cited(name)}:
            found[row.id].append(one)
    return found


@cache
def _needed() -> frozenset[str]:
    tables = (_as_played(one).table for one in GAMES.values())
    systems = (one.meter and one.meter.devices for one in WAGERS.values())
    areas = ((one.area, one.shown, one.electronic_table) for one in WAGERS.values())
    bonuses = (one.devices for one in MYSTERIES.values())
    return named_in((needs, *tables, *systems, *areas, *bonuses))


def _texts(value: Any, seen: set[int]) -> Iterator[str]:
    """Every text of a declaration."""
    if isinstance(value, str):
        yield value
        return
    if id(value) in seen:
        return
    seen.add(id(value))
    inner: Iterable[Any] = ()
    if isinstance(value, FunctionType):
        inner = _parts_of(value)
    elif is_dataclass(value):
        inner = (getattr(value, one.name) for one in fields(value))
    elif isinstance(value, Mapping):
        inner = value.values()
    elif isinstance(value, (tuple, list, frozenset)):
        inner = value
    for one in inner:
        yield from _texts(one, seen)


def _parts_of(function: FunctionType) -> Iterator[Any]:
    """What a function of a declaration says and returns, and what it is made of: its sentence, texts and functions."""
    yield from function.__code__.co_consts
    yield from (cell.cell_contents for cell in function.__closure__ or ())
    for name in function.__code__.co_names:
        used = function.__globals__.get(name)
        if isinstance(used, str) or (isinstance(used, FunctionType) and used.__module__.startswith(_DECLARED)):
            yield used


def _rows_in(text: str) -> Iterator[Clause]:
    """The rows that a text names: that of the word behind an id, else those of the clause; none for a mere section."""
    if text in clauses():
        yield clauses()[text]
        return
    for found in _NAMED.finditer(text):
        place, behind = places(found[0])[0], text[found.end() :].lstrip()
        rows = own(place)
        words = [row for row in rows if any(one.word and behind.startswith(one.word) for one in row.places)]
        if words:
            yield max(words, key=lambda row: len(row.id))
        elif place.steps:
            yield from rows or below(place)
