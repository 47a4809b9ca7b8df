"""Read the fields of a round file. Each has a message that says what it accepts."""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, Final

from shoetool.model.cards import UNKNOWN, parse_card
from shoetool.model.money import cents
from shoetool.round_file.json_place import Path
from shoetool.rules.wagers.pressing import PRESS_WORDS

LONGEST_TEXT: Final = 200
MOST_CARDS: Final = 1000
MOST_POSITIONS: Final = 7
MOST_SELECTED: Final = 3
"""Player positions of a hybrid table, 633c.5(b)(2)."""
MOST_DECISIONS: Final = 200
NO_AMOUNTS: Final[Mapping[str, int]] = {}
LARGEST_WHOLE: Final = 999_999_999
CHOICES: Final = (
    *("hit", "stand", "double", "split", "surrender", "switch", "rescue", "free_double", "free_split"),
    *(*PRESS_WORDS, "refuse_card", "late_card", "dead_hand", "keep", "no_choice"),
)
"""What a player may choose; ROUND_FORMAT.md has the clauses."""
MISSED: Final = ("late_card", "dead_hand")
"""What a player chooses when the dealer missed the card of his `hit`, 633a.14(i)."""
CHOICE_OF_HANDS: Final = ("keep", "switch")
"""The first word of a position with a switch hands ante, 633c.4(f)."""
WITH_AMOUNT: Final = ("double", *PRESS_WORDS)
FACE_DOWN: Final = "?"
"""A card that nobody saw, such as a switch hands card that went to the rack unexposed."""
_CARD: Final = re.compile(r"(10|[2-9AJQKTajqkt])[CDHScdhs♣♦♥♠]")
_HALF: Final = re.compile("[\ud800-\udfff]")
"""Half of a character, which no file can hold."""
_KEY: Final = re.compile(r"[a-z][a-z0-9_]{0,59}")
_MONEY: Final = re.compile(r"\$?([0-9]{1,9}|[0-9]{1,3}(,[0-9]{3}){1,2})(\.[0-9]{1,2})?")


class Fault(Exception):
    """An error in a round file: where it is, what is wrong, and what is allowed."""

    def __init__(self, path: Path, what: str) -> None:
        """Keep the place of the error."""
        super().__init__(what)
        self.path = path
        self.what = what


class Inexact(str):
    """A JSON number with a point or exponent, or no number at all (NaN), as it is written."""

    __slots__ = ()


class Fields(dict[str, Any]):
    """An object of the file with known keys only. Fault names an unknown key and the nearest known one."""

    __slots__ = ("path",)

    def __init__(self, value: Any, path: Path, known: Sequence[str]) -> None:
        """Check the keys."""
        if not isinstance(value, dict):
            raise Fault(path, f"{written(value)} is not an object in braces")
        for key in value:
            if key not in known:
                raise Fault((*path, key), f"there is no such key{hint(key, known)}")
        super().__init__(value)
        self.path = path


def hint(text: str, known: Sequence[str]) -> str:
    """Return the probable meaning, as the end of a sentence."""
    close = difflib.get_close_matches(text[:60], known, n=1)
    return f"; did you mean {close[0]}?" if close else f"; there are {', '.join(known)}"


def written(value: Any) -> str:
    """Return the text from the file, cut short when it is long."""
    if isinstance(value, Inexact):
        text = str(value)
    elif isinstance(value, dict):
        return "an object"
    elif isinstance(value, list):
        return "a list"
    elif value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    elif isinstance(value, int) and value.bit_length() > 128:
        return f"a number of {value.bit_length()} bits"
    else:
        text = repr(value)
    return text if len(text) <= 60 else f"{text[:60]}..."


def integer(fields: Fields, key: str, low: int, high: int) -> int | None:
    """A whole number in this range, or None where the key is missing."""
    if key not in fields:
        return None
    value = fields[key]
    if not isinstance(value, int) or isinstance(value, bool):
        raise Fault((*fields.path, key), f"{written(value)} is not a whole number; write {low} to {high}")
    if not low <= value <= high:
        raise Fault((*fields.path, key), f"{written(value)} is out of range: {low} to {high}")
    return value


def text_field(fields: Fields, key: str) -> str | None:
    """Any words, or None where the key is missing."""
    if key not in fields:
        return None
    value = fields[key]
    if not isinstance(value, str) or isinstance(value, Inexact):
        raise Fault((*fields.path, key), f"{written(value)} is not text; write it in quotes")
    if len(value) > LONGEST_TEXT:
        raise Fault((*fields.path, key), f"has {len(value)} characters; {LONGEST_TEXT} at most")
    if not value.isascii() and _HALF.search(value):
        raise Fault((*fields.path, key), "has half a character (a lone surrogate)")
    return value


def key_field(fields: Fields, key: str) -> str | None:
    """The key of a wager, such as `lucky_ladies`, or None where it is missing."""
    value = text_field(fields, key)
    if value is not None and not _KEY.fullmatch(value):
        raise Fault((*fields.path, key), f"{written(value)} is no key of a wager; shoetool paytables names them")
    return value


def one_of(fields: Fields, key: str, words: Sequence[str]) -> str | None:
    """One of these words, or None where the key is missing."""
    if key not in fields:
        return None
    value = fields[key]
    if not isinstance(value, str) or value not in words:
        near = hint(value, words) if isinstance(value, str) else f"; there are {', '.join(words)}"
        raise Fault((*fields.path, key), f"{written(value)} is none of the words{near}")
    return value


def money(value: Any, path: Path, signed: bool = False) -> int:
    """Cents of dollars in text, such as "12.50", or of a whole number of dollars; `signed` allows + and -."""
    if isinstance(value, Inexact):
        raise Fault(path, f'{written(value)} is not exact; write money in quotes, such as "12.50"')
    if isinstance(value, int) and not isinstance(value, bool):
        if abs(value) > LARGEST_WHOLE or (value < 0 and not signed):
            raise Fault(path, f'{written(value)} is not an amount of money here; write dollars, such as "12.50"')
        return value * 100
    if isinstance(value, str):
        sign = value[:1] if signed and value[:1] in ("+", "-") else ""
        try:
            amount = _cents(value[len(sign) :])
        except ValueError:
            pass
        else:
            return -amount if sign == "-" else amount
    raise Fault(path, f'{written(value)} is not an amount of money; write dollars, such as "12.50"')


@lru_cache(maxsize=1000)  # a table record has few different amounts; what is not an amount is not kept
def _cents(text: str) -> int:
    if not _MONEY.fullmatch(text):
        raise ValueError(text)
    return cents(text)


def wagers(fields: Fields, key: str) -> Mapping[str, int]:
    """Amounts by wager, in cents; empty where the key is missing."""
    if key not in fields:
        return NO_AMOUNTS
    value = fields[key]
    path = (*fields.path, key)
    if not isinstance(value, dict):
        raise Fault(path, f'{written(value)} is not an object such as {{"lucky_ladies": "5.00"}}')
    if len(value) > MOST_DECISIONS:
        raise Fault(path, f"has {len(value)} wagers; no table has so many")
    return {name: money(amount, (*path, name)) for name, amount in value.items()}


def cards(value: Any, path: Path, only: Path | None = None) -> tuple[int, ...]:
    """Card ids of a list of names such as "10♥". `only` is the place of a single card that is no list in the file. A
    list may have "?", a card that nobody saw (UNKNOWN)."""
    if not isinstance(value, list):
        raise Fault(path, f'{written(value)} is not a list of cards such as ["10♥", "AS"]')
    if len(value) > MOST_CARDS:
        raise Fault(path, f"has {len(value)} cards; no round has so many")
    found = []
    for index, name in enumerate(value):
        try:
            found.append(UNKNOWN if name == FACE_DOWN and only is None else _card(name))
        except (TypeError, ValueError):
            where = only if only is not None else (*path, index)
            what = f'{written(name)} is not a card; write a rank and a suit, such as "10H" or "A♠"'
            raise Fault(where, what) from None
    return tuple(found)


def lying(value: Any, path: Path) -> tuple[int, ...]:
    """Card ids of a hand as it lies, text such as "K♥ 6♦"."""
    if not isinstance(value, str) or isinstance(value, Inexact) or not value.split():
        raise Fault(path, f'{written(value)} is not a hand; write its cards, such as "K♥ 6♦"')
    return cards(value.split(), path, path)


@lru_cache(maxsize=1000)  # there are few different names; what is no name is not kept
def _card(name: str) -> int:
    if not _CARD.fullmatch(name):
        raise ValueError(name)
    return parse_card(name)


def decisions(value: Any, path: Path) -> tuple[tuple[str, int | None], ...]:
    """(word, cents or None) of a list of words, and of objects such as {"double": "10.00"}.

    A late card or a dead hand answers the `hit` before it, which got no card. Both words together are one decision.
    """
    if not isinstance(value, list):
        raise Fault(path, f'{written(value)} is not a list of decisions such as ["hit", "stand"]')
    if len(value) > MOST_DECISIONS:
        raise Fault(path, f"has {len(value)} decisions; no hand has so many")
    found: list[tuple[str, int | None]] = []
    for index, one in enumerate(value):
        decision = _decision(one, (*path, index))
        if decision[0] in MISSED:
            if found[-1:] != [("hit", None)]:
                told = f'{decision[0]} answers a hit that the dealer missed; write "hit" before it'
                raise Fault((*path, index), told)
            found.pop()
        found.append(decision)
    return tuple(found)


def _decision(value: Any, path: Path) -> tuple[str, int | None]:
    if isinstance(value, str) and value in CHOICES:
        return value, None
    if isinstance(value, dict) and len(value) == 1:
        word, amount = next(iter(value.items()))
        if word in WITH_AMOUNT:
            return word, money(amount, (*path, word))
        raise Fault((*path, word), f"only {' and '.join(WITH_AMOUNT)} take an amount")
    near = hint(value, CHOICES) if isinstance(value, str) else f"; there are {', '.join(CHOICES)}"
    raise Fault(path, f"{written(value)} is not a decision{near}")
