"""Mystery bonuses: a contribution wins the meter by taking it past a hidden value, 633c.14 and 633c.6(j).

The text of 633c.6(j) gives figures alone; it is won as by 633c.14(c)(3) (T57).
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from importlib.resources import files
from typing import Any, Final

from shoetool.model.errors import BadInput
from shoetool.model.money import cents

from .choice import Choice

PASSED: Final = Choice(
    "mystery_passed",
    "633c.14(c)(3)",
    "a contribution wins by taking the meter above the hidden value, or to it too (T93)",
    ("above", "at_or_above"),
)
ORDER: Final = Choice(
    "mystery_order",
    "633c.14(c)(2)",
    "contributions of a round count as the system accepted them, or by position; or all of the round share (T94)",
    ("accepted", "position", "shared"),
)
MAXIMUM: Final = Choice(
    "mystery_maximum",
    "633c.14(c)(7)",
    "the winner gets what the meter shows, or the maximum at most; the rest then stays in the meter (T95)",
    ("paid", "capped"),
)
CHOICES: Final = (PASSED, ORDER, MAXIMUM)
PAID_FROM: Final = ("tray", "slip")
"""From where a bonus may be paid: the table inventory, or by a slip of the progressive system."""


@dataclass(frozen=True, slots=True)
class Configuration:
    """One printed configuration. Cents; `wager` is the least wager that contributes, 0 where none is printed."""

    bonus: str
    name: str
    wager: int
    minimum: int
    maximum: int
    rate: Fraction
    clause: str

    def contribution(self, staked: int) -> Fraction:
        """Exact cents that a wager adds to the meter, 633c.14(c)(2); 0 for one below the least wager."""
        return self.rate * staked if staked >= self.wager else Fraction(0)

    def in_range(self, value: int) -> bool:
        """Whether the hidden value may be so many cents, both ends included, 633c.14(c)(3)."""
        return self.minimum <= value <= self.maximum

    def to_json(self) -> dict[str, Any]:
        """JSON types only; amounts in cents."""
        amounts = {"wager": self.wager, "minimum": self.minimum, "maximum": self.maximum}
        return {"name": self.name, **amounts, "rate": str(self.rate)}


@dataclass(frozen=True, slots=True)
class Mystery:
    """One mystery bonus: the wagers that qualify, and the clauses of what is done.

    offered: allows it, with Blackjack of this chapter. qualifies: who may win it. grows: by what the meter does.
    hidden: the value and who wins.
    resets: back to the minimum. pays: all of the meter. paid_from: what a house may choose, by `sources`: the "tray"
    or a "slip" of the progressive system. light: the dealer checks it before a payout; validates: a floorperson does.
    stay: the cards of a winner who is not paid from the tray stay on the table, "" where the text does not say so.
    devices: what the table needs, each with its clause.
    """

    key: str
    title: str
    wagers: tuple[str, ...]
    offered: str
    qualifies: str
    grows: str
    hidden: str
    resets: str
    pays: str
    paid_from: tuple[str, ...]
    sources: str
    light: str
    validates: str
    devices: tuple[tuple[str, str], ...]
    stay: str = ""
    chapter: str = "633a"


MUST_HIT_BY: Final = Mystery(
    key="must_hit_by",
    title="Must-Hit-By Mystery bonus",
    wagers=("jackpot_party", "blazing_7s", "hit_and_run", "straight_jack"),
    offered="633c.14(a)",
    qualifies="633c.14(c)(1)",
    grows="633c.14(c)(2)",
    hidden="633c.14(c)(3)",
    resets="633c.14(c)(5)(iv)",
    pays="633c.14(c)(7)",
    paid_from=PAID_FROM,
    sources="633c.14(c)(6)",
    light="633c.14(c)(5)(i)",
    validates="633c.14(c)(5)(ii)",
    devices=(
        ("the display of the progressive system says that the Must-Hit-By Mystery bonus is offered", "633c.14(b)"),
        ("a light of the progressive system that shows a winner of the Must-Hit-By Mystery bonus", "633c.14(c)(5)(i)"),
    ),
)
SUPER_4_MYSTERY: Final = Mystery(
    key="super_4_mystery",
    title="Super 4 mystery progressive",
    wagers=("super_4",),
    offered="633c.6(j)",
    qualifies="633c.6(j)",
    grows="633c.6(j)",
    hidden="633c.6(j)",
    resets="633c.6(j)",
    pays="633c.6(j)",
    paid_from=("slip",),
    sources="633c.6(h)(4)",
    light="633c.6(h)(2)",
    validates="633c.6(h)(3)",
    devices=(("a light of the progressive system that shows a winner of the Super 4 mystery", "633c.6(h)(2)"),),
    stay="633c.6(h)(4)",
)
MYSTERIES: Final = {mystery.key: mystery for mystery in (MUST_HIT_BY, SUPER_4_MYSTERY)}
"""By key: meters, commitments and payments of a mystery bonus are named by it."""


@cache
def configurations(bonus: str) -> Mapping[str, Configuration]:
    """The printed configurations of a bonus, by name: `A1` is paytable A for a $1 wager. BadInput for another key."""
    if bonus not in MYSTERIES:
        raise BadInput(f"there is no mystery bonus {bonus[:60]!r}; there are {', '.join(MYSTERIES)}")
    text = files("shoetool.rules").joinpath("mysteries.toml").read_text(encoding="utf-8")
    document = tomllib.loads(text)[bonus]
    clause = document["clause"]
    return {name: _read(bonus, name, row, clause) for name, row in document.items() if isinstance(row, dict)}


def configuration(bonus: str, name: str) -> Configuration:
    """One configuration. BadInput, with the clause, when the text prints none of that name."""
    found = configurations(bonus)
    if name not in found:
        clause = next(iter(found.values())).clause
        raise BadInput(f"{clause}: {MYSTERIES[bonus].title} has no configuration {name[:20]!r}: {', '.join(found)}")
    return found[name]


def _read(bonus: str, name: str, row: Mapping[str, Any], clause: str) -> Configuration:
    amounts = cents(row["wager"]) if "wager" in row else 0, cents(row["minimum"]), cents(row["maximum"])
    return Configuration(bonus, name, *amounts, Fraction(row["rate"].removesuffix("%")) / 100, clause)
