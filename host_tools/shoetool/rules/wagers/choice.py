"""How the house reads a clause of a wager or a variation: a setting of the rules submission that it declares."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Protocol


class Offered(Protocol):
    """The part of a wager's offer for its predicates: the options and the paytable that the house chose."""

    @property
    def options(self) -> frozenset[str]: ...
    @property
    def paytable(self) -> str: ...


class Choices(Protocol):
    """The part of a rules submission for the wagers: how the house reads a clause."""

    @property
    def game(self) -> str: ...
    @property
    def choices(self) -> Mapping[str, Any]: ...
    @property
    def wagers(self) -> Mapping[str, Offered]: ...


@dataclass(frozen=True, slots=True)
class Choice:
    """How the house reads a clause: a key of the rules submission that only one wager or variation has.

    words: what may be written, the default first; () for a part of a payout, which is all of it by default. asked: the
    chapter does not settle it, so a submission that offers the wager must write it, and there is no default. beside:
    the choice that it goes with, and the words of that one beside which it changes anything.
    """

    key: str
    clause: str
    meaning: str
    words: tuple[str, ...] = ()
    asked: bool = False
    beside: tuple[Choice, tuple[str, ...]] | None = None

    def of(self, rules: Choices) -> Any:
        """What this rules submission chose: one of the words, or the part as a Fraction; "" for one still asked."""
        if self.asked:
            return rules.choices.get(self.key, "")
        return rules.choices.get(self.key, self.words[0] if self.words else Fraction(1))

    def matters(self, rules: Choices) -> bool:
        """Whether the submission's other choices leave it anything to change."""
        return self.beside is None or self.beside[0].of(rules) in self.beside[1]


def word_of(choice: Choice | None, rules: Choices) -> str:
    """The word that this rules submission chose; "" where there is no choice, or where it must still be made."""
    if choice is None:
        return ""
    word: str = choice.of(rules)
    return word
