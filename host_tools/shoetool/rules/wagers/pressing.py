"""A press: winnings of an optional wager that a player adds to his main wager. Its words, and where they lie then."""

from __future__ import annotations

from collections.abc import Container, Mapping
from typing import Final, NamedTuple

from shoetool.rules.rule_error import RuleError

from .catalogue import PRESSES, title_of
from .view import Choices
from .wager import WITH_THE_PRESS, PressArea

PRESS: Final = "press"
PRESS_WORDS: Final = (PRESS, *(f"{PRESS}.{key}" for key in PRESSES))
"""The words of a decision: that of one wager's winnings, or plain for those of the only wager that has any."""


def press_word(key: str, side: Container[str]) -> str:
    """The word by which the winnings of this wager are added, beside the wagers `side`."""
    return PRESS if sum(one in side for one in PRESSES) < 2 else f"{PRESS}.{key}"


def pressed_wager(word: str, side: Container[str], offered: Container[str], position: int) -> str:
    """The wager whose winnings the word adds beside the wagers `side`; where none has any, one that is not placed.

    offered: the wagers of the table. RuleError for a plain word beside two such wagers.
    """
    key = word.partition(".")[2]
    if key:
        return key
    mine = [key for key in PRESSES if key in side]
    if len(mine) > 1:
        words = " or ".join(f"{PRESS}.{key}" for key in mine)
        text = f"position {position}: winnings of {' or '.join(map(title_of, mine))} may be added; write {words}"
        raise RuleError(PRESSES[mine[0]].clause, text)
    return next(iter(mine or [key for key in PRESSES if key in offered] or PRESSES))


class Apart(NamedTuple):
    """Cents of winnings that were added and lie in an area of their own, as many beside each hand of the position."""

    area: PressArea
    cents: int


def area_of(pressed: Mapping[str, int]) -> Apart | None:
    """The winnings among these that lie apart from the main wager; None where none do."""
    for key, cents in pressed.items():
        area = PRESSES[key].apart
        if area is not None and cents:
            return Apart(area, cents)
    return None


def largest_double(base: int, pressed: Mapping[str, int], rules: Choices) -> int:
    """Most cents of a double on a hand with a main wager of `base` cents, beside these winnings: 633c.11(g)."""
    apart = area_of(pressed)
    if apart is None or apart.area.doubles.of(rules) != WITH_THE_PRESS:
        return base
    return base + apart.cents
