"""What an optional wager is to the engine: a frozen declaration of when it settles and of its ordered outcomes.

A predicate is a small pure function of a `View`. The first outcome whose predicate holds is the wager's only outcome:
where outcomes overlap, the best row of the paytable stands first and is the one paid (readings 1 to 4, 14).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Final, Literal

from .view import View

StageName = Literal["after_deal", "after_reader", "in_turn", "hole_card", "main", "after_all"]
Subject = Literal["two_cards", "two_cards_and_up", "four_cards", "dealer", "hands"]

HOUSE_GAMES: Final = ("blackjack", "from_the_hand")
"""Games in which one hand of two cards lies in each box, as the wagers on "the player's initial two cards" need it."""


Predicate = Callable[[View], bool]


@dataclass(frozen=True, slots=True)
class Outcome:
    """A winning outcome: `key` names it, `pays` the rows of the paytable that are paid for it, one after the other.

    `clause` is the clause that pays it where it is not the wager's own. `capped`: whether its payouts of one round may
    be limited all together (633a.13(o)).
    """

    key: str
    predicate: Predicate
    pays: tuple[str, ...] = ()
    clause: str = ""
    capped: bool = False

    @property
    def rows(self) -> tuple[str, ...]:
        """Keys of the paytable's rows that are paid; the outcome's own key unless `pays` names others."""
        return self.pays or (self.key,)


@dataclass(frozen=True, slots=True)
class Bonus:
    """A payout beside the wager `of`, whatever that wins: it has no stake of its own and pays its row on the wager's.

    It is paid only where the offer's options name its key.
    """

    key: str
    title: str
    of: str
    clause: str
    predicate: Predicate
    reason: str


@dataclass(frozen=True, slots=True)
class Wait:
    """A settlement that does not happen at the wager's own stage: where it happens instead, and by which clause."""

    stage: StageName
    clause: str


@dataclass(frozen=True, slots=True)
class Wager:
    """One optional wager.

    offered, settles, pays: catalogue ids of the clauses that allow it, settle it and print its paytable; `collects` the
    one by which a loser is taken. games: where it may be offered. stage: when it settles unless `waits` answers with
    another (633a.7(g) exceptions; what a dealer Blackjack decides). subject: what its outcome depends on, and what the
    reason in words names. nothing: the words for an outcome that none of the rows names. needs_dealer_draw: whether a
    live wager keeps the dealer drawing (reading 21). progressive: whether it has a meter. verify_from: units for 1 from
    which a floorperson verifies the payout, by `verify_clause`; `dealer_verifies` is the clause by which the dealer
    verifies a winner. electronic: the wager lies in a game account, not on the layout. special_pair: the card of which
    two have a row of their own; all else that the deal's cards decide stays the same when suits are exchanged
    throughout. depends, depends_on_dealer: what the outcome of a wager on more than the deal's cards depends on in the
    box and in the dealer's hand; equal values share a resolution.
    """

    key: str
    title: str
    games: tuple[str, ...]
    offered: str
    settles: str
    collects: str
    pays: str
    stage: StageName
    subject: Subject
    nothing: str
    outcomes: tuple[Outcome, ...]
    waits: Callable[[View, Outcome | None], Wait | None] | None = None
    needs_dealer_draw: bool = False
    progressive: bool = False
    verify_from: int | None = None
    verify_clause: str = ""
    dealer_verifies: str = ""
    electronic: bool = False
    bonuses: tuple[Bonus, ...] = ()
    special_pair: int | None = None
    depends: Callable[[View], Hashable] | None = None
    depends_on_dealer: Callable[[View], Hashable] | None = None

    @property
    def on_the_deal(self) -> bool:
        """Whether a hand's two cards and the up card mostly decide: losers at least, as with Straight Jack."""
        return self.stage == "after_deal" and self.subject != "four_cards"

    def dealer_key(self, view: View) -> Hashable:
        """What the outcome depends on in the dealer's hand, beside a Blackjack."""
        return None if self.depends_on_dealer is None else self.depends_on_dealer(view)

    def outcome(self, view: View) -> Outcome | None:
        """The wager's one outcome, or None when it loses."""
        for outcome in self.outcomes:
            if outcome.predicate(view):
                return outcome
        return None


def at_dealer_blackjack(view: View, outcome: Outcome | None) -> Wait | None:
    """Straight after the reader when the dealer has a Blackjack: no more cards come (633a.7(h) result)."""
    return Wait("after_reader", "633a.7(h) result") if view.dealer_blackjack else None
