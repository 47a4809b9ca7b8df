"""How the house reads a clause of a wager: a setting of the rules submission that the wager declares."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from .view import Choices


@dataclass(frozen=True, slots=True)
class Choice:
    """How the house reads a clause of a wager: a key of the rules submission that only this wager has.

    words: what may be written, the default first; () for a part of a payout, which is all of it by default. asked: the
    chapter does not settle it, so a submission that offers the wager must write it, and there is no default.
    """

    key: str
    clause: str
    meaning: str
    words: tuple[str, ...] = ()
    asked: bool = False

    def of(self, rules: Choices) -> Any:
        """What this rules submission chose: one of the words, or the part as a Fraction; "" for one still asked."""
        if self.asked:
            return rules.choices.get(self.key, "")
        return rules.choices.get(self.key, self.words[0] if self.words else Fraction(1))


def word_of(choice: Choice | None, rules: Choices) -> str:
    """The word that this rules submission chose; "" where there is no choice, or where it must still be made."""
    if choice is None:
        return ""
    word: str = choice.of(rules)
    return word
