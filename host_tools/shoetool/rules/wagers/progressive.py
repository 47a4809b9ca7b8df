"""What a progressive wager declares of its meters, and of the envy bonus that another player's hand pays."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from .choice import Choice

ENVY: Final = "envy"
"""The key by which a house offers an envy bonus, where it may choose, and the outcome of a line that pays one."""


@dataclass(frozen=True, slots=True)
class MeterReadings:
    """How the house reads what a section leaves open on its meters; None where nothing is open.

    sharing: winners of the whole share it "equally", or "in_turn": the first one gets it, the next the reset amount.
    sharing_parts: several winners of the same part share it "equally", or "each" of them gets it, or "in_turn": each
    gets that part of what the meter then stands at. secondary: the secondary rate builds the "reserve", or moves the
    "display" too. together: a part that is won beside the whole is one of the meter as it stood ("as_it_stood"), or of
    its reset amount ("of_reset"); or all of them win "in_turn".
    """

    sharing: Choice | None = None
    sharing_parts: Choice | None = None
    secondary: Choice | None = None
    together: Choice | None = None

    def choices(self) -> tuple[Choice, ...]:
        """All of them, as keys of the rules submission."""
        return tuple(filter(None, (self.sharing, self.sharing_parts, self.secondary, self.together)))


@dataclass(frozen=True, slots=True)
class Envy:
    """A payout to players for another player's hand. The amounts stand in the rows of the paytable.

    clause: pays it. amounts: prints the amounts, "" for the clause of the row. option: what the house offers with it,
    by the key `envy`; "" where the paytable alone decides. once: another player pays one, however many such hands he
    has.
    readings, each a choice of the house or None for the first word: whose it is ("others", or the winner's "own");
    most: several of a round pay the largest of them ("round") or each one ("hand"), where the paytable prints a most;
    amount: as "printed", or "scaled" down for a wager of less than `scaled_from` cents; boxes: a "player" with several
    boxes counts once, or each "box"; holder: "any" hand of another player counts, or only one with this "wager"; rows:
    "all" with an amount pay one, or only that of the word.
    """

    clause: str
    amounts: str = ""
    option: str = ""
    once: bool = False
    goes_to: Choice | None = None
    most: Choice | None = None
    amount: Choice | None = None
    scaled_from: int = 0
    boxes: Choice | None = None
    holder: Choice | None = None
    rows: Choice | None = None

    def choices(self) -> tuple[Choice, ...]:
        """All of them, as keys of the rules submission."""
        return tuple(filter(None, (self.goes_to, self.most, self.amount, self.boxes, self.holder, self.rows)))


@dataclass(frozen=True, slots=True)
class MeterRule:
    """The meter of a progressive wager, or its several meters where the paytable names them.

    least: cents that it starts with and is reset to at least, by `clause`; 0 where the paytable prints the figures.
    beside: the same beside a wager of so many cents, where the clause goes by the wager.
    shared: the clause that shares it among winners, "" where the chapter has none. by_wager: winners of the whole share
    it in proportion to their wagers, else equally. tenth_from_house: any payout of a tenth of the meter or more is kept
    out too. locked_out: the clause by which the system takes no wager once the deal has begun. devices: what the table
    needs, each with its clause; {wager} stands for the wager. apart: the clause that keeps its payouts out of the table
    inventory container, and the winner's cards on the table; "" for that of `shared`. readings: how the house reads
    what the text leaves open.
    """

    least: int
    clause: str
    shared: str
    locked_out: str
    devices: tuple[tuple[str, str], ...]
    by_wager: bool = False
    tenth_from_house: bool = False
    apart: str = ""
    readings: MeterReadings = MeterReadings()
    beside: tuple[tuple[int, int], ...] = ()

    def least_beside(self, wager: int) -> int:
        """Cents that the meter starts with and is reset to at least, beside a wager of so many cents."""
        return next((amount for staked, amount in self.beside if staked == wager), self.least)


AT_EACH_POSITION = (
    ("a progressive system that takes the {wager} at each position", "633a.2(d)(1)"),
    ("a lock-out of {wager}s once the dealer has begun to deal", "633a.2(d)(2)"),
)
"""The devices of a progressive wager that lies on the layout."""


def progressive_system(system: str, device: str, lock_out: str) -> tuple[tuple[str, str], ...]:
    """What the table of a progressive wager of ch. 633c needs, each with the clause that is given for it."""
    linked = "a progressive table game system (605a.7) for the {wager}; where it is linked to others, by 605a.8"
    return (
        (linked, system),
        ("a device at each position that takes or acknowledges the {wager}", device),
        ('a lock-out of {wager}s once the dealer has said "no more bets"', lock_out),
    )


def sharing(key: str, clause: str) -> Choice:
    """How winners of the whole of one meter share it; the section does not say (633c T5)."""
    words = "several who win the whole of one meter in a round share it, or each in turn gets it as it then stands (T5)"
    return Choice(f"{key}_sharing", clause, words, ("equally", "in_turn"), asked=True)


def sharing_parts(key: str, clause: str) -> Choice:
    """How winners of the same part of one meter share it; the section does not say (633c T5)."""
    words = (
        "where the paytable pays a part of a meter, such as 10%: several who win it in a round share it, or each gets "
        "it, or each in turn gets that part of what the meter then shows (T5)"
    )
    return Choice(f"{key}_sharing_parts", clause, words, ("equally", "each", "in_turn"), asked=True)


def together(key: str, clause: str) -> Choice:
    """Which amount a part of the meter is taken of when the whole is won in the same round (633c T6)."""
    words = (
        "a part won beside the whole is one of the meter as it stood when bets were closed, or once reset; or each "
        "winner in turn wins of what the meter then shows (T6)"
    )
    return Choice(f"{key}_together", clause, words, ("as_it_stood", "of_reset", "in_turn"))


def secondary(key: str, clause: str) -> Choice:
    """What the secondary rate feeds (633c T8)."""
    words = "the secondary increment builds a reserve for the next reset, or moves the displayed meter too (T8)"
    return Choice(f"{key}_secondary", clause, words, ("reserve", "display"))


def to_one(key: str, clause: str) -> Choice:
    """Whether odds "to 1" return a wager that lies in the tray already (633c T4)."""
    words = 'odds "to 1" give the wager back that was put into the tray before the deal, or it is kept (T4)'
    return Choice(f"{key}_to_one", clause, words, ("back", "kept"))


def beside_sum(key: str, clause: str) -> Choice:
    """Whether a fixed sum returns a wager that lies in the tray already (633c T4)."""
    words = "a fixed sum is all that a winner gets, or the wager that was put into the tray comes back with it (T4)"
    return Choice(f"{key}_beside_sum", clause, words, ("kept", "back"))
