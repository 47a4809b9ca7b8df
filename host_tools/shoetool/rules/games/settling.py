"""How a game settles its main wager: ordered outcomes with pure predicates, and the clause of every step.

The engine (`settle`) holds the behaviour. The data declared here holds the differences between games.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

from shoetool.rules.round import Stage

Result = Literal["win", "push", "lose"]


class Showdown(NamedTuple):
    """The facts for a predicate: one hand of a player against the dealer's hand, both as they ended.

    total: best count. cards: how many. natural: a Blackjack as dealt, neither split nor switched to. switched_21: the
    two-card 21 of a switch (633a.12(a)(5)(iii)). The dealer's total counts every card he drew. colored: a Blackjack of
    one suit or color for which the table pays more; tie_pays: one against the dealer's that wins (633c.4(i), (o)).
    high_up: an ace or ten-count card up. doubled: the hand was. drew: it was split, or has more than two cards.
    """

    total: int
    cards: int
    natural: bool
    switched_21: bool
    dealer_total: int
    dealer_cards: int
    dealer_blackjack: bool
    colored: bool = False
    tie_pays: bool = False
    high_up: bool = False
    doubled: bool = False
    drew: bool = False


@dataclass(frozen=True, slots=True)
class MainOutcome:
    """One outcome of the main wager. The first outcome whose predicate holds is the only one.

    row: key of the paytable's row that a win pays. words: the reason, with {total} and {dealer} for the two counts.
    name: what the hand is called where its Blackjack is paid before the dealer's cards are known.
    """

    key: str
    predicate: Callable[[Showdown], bool]
    result: Result
    clause: str
    words: str
    row: str = ""
    name: str = "Blackjack"

    def by(self, clause: str) -> MainOutcome:
        """The same outcome by the clause of a chapter."""
        return replace(self, clause=clause)


@dataclass(frozen=True, slots=True)
class CardBonus:
    """Better odds for the cards of a winning hand that counts 21; `key` is the row of the `card_bonus` paytable."""

    key: str
    predicate: Callable[[tuple[int, ...]], bool]


@dataclass(frozen=True, slots=True)
class FixedBonus:
    """A fixed sum in addition to a bonus's payout (635a.12(c)), and one for every other player.

    of: keys of the bonuses it comes with. up_rank: rank of the dealer's up card. sums: (least cents of the original
    wager, row of the `bonus` paytable), the largest first. others: row for the other players. clause: the rule.
    """

    of: frozenset[str]
    up_rank: int
    sums: tuple[tuple[int, str], ...]
    others: str
    clause: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Settling:
    """Clauses and outcomes of a game's main wager; "" where the chapter has no such rule.

    outcomes: in order; the first that holds is the hand's. outcomes_exempt: those of a table where a dealer's 22 does
    not return the wager on a Blackjack (reading 58). otherwise: (choice, word, outcome) of those that come first where
    the house chose so. stages: in the order in which the chapter settles them.
    blackjack_low: a player's Blackjack against an up card with which no reader is used; blackjack_once: against an ace
    or ten-count card, paid at once; blackjack_held: paid when the hole card is revealed. surrender_low: up card 2-9;
    surrender_revealed: ace or ten-count card, settled with the hole card; surrender_reader: after the reader, in the
    player's turn. insurance_won, insurance_lost. double_back, split_back: what a dealer Blackjack does not take.
    doubled: pays a winning double. tucked: a split hand over 21 whose wager waits for the other hands; tucked_returned:
    gives it back where the rules submission has that (reading 63). rescued.
    bonuses: in order, for hands that are neither doubled nor split.
    """

    outcomes: tuple[MainOutcome, ...]
    stages: tuple[Stage, ...]
    blackjack_low: str
    blackjack_once: str = ""
    blackjack_held: str = ""
    surrender_low: str
    surrender_revealed: str = ""
    surrender_reader: str = ""
    insurance_won: str
    insurance_lost: str
    double_back: str = ""
    split_back: str = ""
    doubled: str
    outcomes_exempt: tuple[MainOutcome, ...] = ()
    otherwise: tuple[tuple[str, str, MainOutcome], ...] = ()
    tucked: str = ""
    tucked_returned: str = ""
    rescued: str = ""
    bonuses: tuple[CardBonus, ...] = ()
    fixed_bonus: FixedBonus | None = None
