"""Ids of clauses: what those of the catalogue stand for, and what people write.

The catalogue's ids are those of the regulation. Where it cuts a clause into several rows, a word or a number stands
behind (`batch`, `#2`); where it folds several into one, the id has their range.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from shoetool.model.errors import BadInput

_SECTION: Final = re.compile(r"(?<![\w.(])(\d{3}[a-z]?)(?:\.(\d{1,3}))?(?=[\s(#,;-]|\.(?!\d)|$)", re.IGNORECASE)
_STEP: Final = r"\(\w{1,4}\)"
_REST: Final = re.compile(rf"((?:{_STEP})*)((?:-{_STEP})?(?:, {_STEP}(?:-{_STEP})?)*)(.*)", re.DOTALL)
_LEAD: Final = re.compile(r"(?:\b58\s*)?\bPa\.?\s*Code\b|§|\b(?:sections?|chapters?|ch)\b\.?", re.IGNORECASE)
_SHOWN: Final = 60
_ROMAN: Final = ("i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x")
_NUMBERED, _ROMAN_STEP, _CAPITAL = 1, 2, 3


@dataclass(frozen=True, slots=True)
class Place:
    """A place in the regulation: chapter `633a`, section number (0: the chapter), the steps below it (`a`, `2`, `i`),
    and the word that the catalogue set behind them ("" for none)."""

    chapter: str
    section: int = 0
    steps: tuple[str, ...] = ()
    word: str = ""

    def __str__(self) -> str:
        section = f".{self.section}" if self.section else ""
        word = self.word if self.word[:1] == "#" or not self.word else f" {self.word}"
        return f"{self.chapter}{section}{''.join(f'({step})' for step in self.steps)}{word}"

    def holds(self, other: Place) -> bool:
        """Whether the other place is this one or lies below it; words are not looked at."""
        if self.chapter != other.chapter or self.section not in (0, other.section):
            return False
        return other.steps[: len(self.steps)] == self.steps


def ordinal(step: str, depth: int) -> int:
    """The number of a step among its like: depth 0 has letters (27 is `aa`), 1 numbers, 2 Roman ones, 3 capitals."""
    if step.isdecimal():
        return int(step)
    if depth == _ROMAN_STEP and step in _ROMAN:
        return _ROMAN.index(step) + 1
    return (len(step) - 1) * 26 + ord(step[0].lower()) - ord("a") + 1


def places(text: str) -> tuple[Place, ...]:
    """The places of one id, in its order. BadInput when it is none."""
    found = _SECTION.match(text)
    rest = _REST.fullmatch(text[found.end() :]) if found else None
    if found is not None and rest is not None:
        chapter, section, word = found[1].lower(), int(found[2] or 0), rest[3].strip(" ,;.")
        steps = tuple(_cased(step, depth) for depth, step in enumerate(re.findall(r"\((\w+)\)", rest[1])))
        if not rest[2]:
            return (Place(chapter, section, steps, word),)
        *above, first = steps or ("",)
        last = _range(f"({first}){rest[2]}", len(above))
        if several := tuple(Place(chapter, section, (*above, step), word) for step in last):
            return several
    raise BadInput(f"{text[:_SHOWN]!r} is no id of a clause: write one such as 633a.9(a)")


def asked(text: str) -> tuple[str, ...]:
    """The ids in what somebody wrote, one after the other, each without what may stand around it.

    BadInput when there is none, or when something else stands before the first one.
    """
    tidy = re.sub(r"\s*\(\s*(\w+)\s*\)", r"(\1)", _LEAD.sub(" ", text))
    tidy = re.sub(r"\)\s*-\s*\(", ")-(", re.sub(r"\)\s*,\s*\(", "), (", " ".join(tidy.split())))
    starts = [found.start() for found in _SECTION.finditer(tidy)]
    if not starts or tidy[: starts[0]].strip(" ,;"):
        raise BadInput(f"{text[:_SHOWN]!r} is no id of a clause: write one such as 633a.9(a), or --search WORD")
    return tuple(tidy[at:to].strip(" ,;") for at, to in zip(starts, [*starts[1:], len(tidy)], strict=True))


def _cased(step: str, depth: int) -> str:
    return step.upper() if depth == _CAPITAL else step.lower()


def _range(text: str, depth: int) -> Iterator[str]:
    """The steps of `(4)-(9), (11)-(14)`."""
    for first, last in re.findall(r"\((\w+)\)(?:-\((\w+)\))?", text):
        for number in range(max(1, ordinal(first, depth)), ordinal(last or first, depth) + 1):
            yield _cased(_step(number, depth), depth)


def _step(number: int, depth: int) -> str:
    """The step of that number, the other way round than `ordinal`."""
    if depth == _NUMBERED:
        return str(number)
    if depth == _ROMAN_STEP:
        return _ROMAN[min(number, len(_ROMAN)) - 1]
    rounds, letter = divmod(number - 1, 26)
    return chr(ord("a") + letter) * (rounds + 1)
