"""Which chapters a test plays: a test that names a clause of ch. 590 or 635a must play a game of that chapter.

Blackjack's tests prove nothing of the other two chapters, although most duties read alike there. So each place where
play begins notes the chapter: a round is dealt by the rules, a round is settled, a history opens a shoe, the firmware
opens one, a layout is drawn up. A test that names a clause of a chapter that it did not play fails. So no such mark
stands in a suite that passes, and COVERAGE.md counts none.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterator
from functools import cache, wraps
from pathlib import Path
from typing import Any, Final

import pytest

CLAUSES: Final = Path(__file__).resolve().parents[1] / "host_tools" / "shoetool" / "rules" / "clauses.toml"
HELD: Final = ("590", "635a")
"""Chapters whose clauses only a test of their own game proves."""
LAYOUT: Final = "layout of "
"""Before a chapter: its layout was drawn up. That proves clauses of its section 2, which no round shows."""


class Finder:
    """Finds catalogue ids in text: the longest id that stands there, and only a whole one.

    A clause of several duties, `633c.1(f)#1` and so on, is found as `633c.1(f)` too.
    """

    def __init__(self, clauses: list[str]) -> None:
        longest_first = sorted({*clauses, *map(clause_of, clauses)}, key=len, reverse=True)
        self.pattern = re.compile(f"(?:{'|'.join(re.escape(clause) for clause in longest_first)})(?![\\w(])")

    def __call__(self, text: str) -> set[str]:
        """Every id that the text names; line breaks count as blanks."""
        return set(self.pattern.findall(re.sub(r"\s+", " ", text)))


def clause_of(duty: str) -> str:
    """The clause as the chapter numbers it, of a duty inside it: `633c.1(f)` of `633c.1(f)#2`."""
    return duty.partition("#")[0]


@cache
def catalogue() -> frozenset[str]:
    """Every id of the catalogue."""
    return frozenset(clause for chapter in tomllib.loads(CLAUSES.read_text()).values() for clause in chapter)


@cache
def finder() -> Finder:
    """The finder of the catalogue's ids."""
    return Finder(sorted(catalogue()))


def named(item: pytest.Item) -> set[str]:
    """The clauses that a test names, in its marks and in its docstring."""
    docstring = getattr(getattr(item, "function", None), "__doc__", None) or ""
    told = {clause for clause in finder()(docstring) if clause in catalogue()}
    return told | {clause for mark in item.iter_markers("clause") for clause in mark.args}


def proven(item: pytest.Item) -> set[str]:
    """The clauses that a test is said to prove: one that is run for each game proves those of its own chapter."""
    chapter = _chapter_of(getattr(item, "callspec", None))
    return {clause for clause in named(item) if not chapter or _chapter(clause) == chapter}


def _chapter(clause: str) -> str:
    """Ch. 633c has wagers of the games of ch. 633a."""
    return clause.partition(".")[0].replace("633c", "633a")


def _chapter_of(parameters: Any) -> str:
    """The chapter of the game that a test is run for: its parameter `game`, or that in its `settings` of a shoe."""
    from shoetool.rules.games import GAMES

    given = {} if parameters is None else parameters.params
    if isinstance(given.get("settings"), dict):
        given = {"game": 0, **given["settings"]}
    value = given.get("game")
    if isinstance(value, int):
        return _chapter_of_shoe(value)
    return GAMES[value].chapter if isinstance(value, str) and value in GAMES else ""


def _chapter_of_shoe(number: int) -> str:
    from shoetool.rules.games import game_of_shoe

    game = game_of_shoe(number)
    return "" if game is None else game.chapter


def not_played(clauses: set[str], played: set[str]) -> list[str]:
    """The clauses of ch. 590 and 635a whose chapter is not among those `played`."""
    found = []
    for clause in sorted(clauses):
        chapter, _, rest = clause.partition(".")
        shown = LAYOUT + chapter in played and rest.startswith("2(")
        if chapter in HELD and chapter not in played and not shown:
            found.append(clause)
    return found


class Played:
    """Pytest plugin: notes the chapters that each test plays, and fails one that names a clause of another."""

    def __init__(self) -> None:
        self.chapters: set[str] = set()
        self.patch = pytest.MonkeyPatch()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Iterator[None]:
        """What a fixture made earlier, perhaps for other tests, is not played by this one."""
        self.chapters.clear()
        yield
        missing = not_played(proven(item), self.chapters)
        if missing:
            pytest.fail(f"names {', '.join(missing)}, and played no game of that chapter", pytrace=False)

    def pytest_collection_finish(self) -> None:
        """Note every play from now on. Nothing of the project is imported before its tests import it."""
        from shoe.dealing.machine import Dealing
        from shoe.wire_table import REC_SHOE_OPENED
        from shoetool.deal.state import PlayState
        from shoetool.rules.submission import layout
        from shoetool.settle import engine
        from shoetool.settle.terms import Terms
        from shoetool.table.table import Table

        self._note(PlayState, "__post_init__", lambda state: state.submission.chapter)
        self._note(Table, "configure", lambda table, values: _chapter_of_shoe(values[0]))
        self._note(engine, "terms_of", lambda submission: submission.chapter)
        self._note(Terms, "offer", lambda table, *_: table.game.chapter)
        self._note(layout, "_areas", lambda submission, _: LAYOUT + submission.chapter)

        def opened(dealing: object, event: tuple[int, ...], number: int) -> str:
            return _chapter_of_shoe(event[1]) if event[0] == REC_SHOE_OPENED else ""

        self._note(Dealing, "recorded", opened)

    def pytest_unconfigure(self) -> None:
        """Note nothing any more."""
        self.patch.undo()

    def _note(self, owner: Any, name: str, chapter: Callable[..., str]) -> None:
        """Note the chapter of each call of `owner.name`, found from what it was called with."""
        inner = getattr(owner, name)

        @wraps(inner)
        def noted(*given: Any, **by_name: Any) -> Any:
            self.chapters.add(chapter(*given))
            return inner(*given, **by_name)

        self.patch.setattr(owner, name, noted)
