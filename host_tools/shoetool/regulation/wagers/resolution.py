"""What a wager became before the amounts are known: its outcome, the odds, when it is settled and by which clause."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from typing import TypeVar

from shoetool.model.cards import card_name, total
from shoetool.regulation.odds import Odds
from shoetool.regulation.paytable import Paytable, Row
from shoetool.regulation.round import Box, Note, Source, Stage

from .view import View, initial_cards
from .wager import Bonus, Outcome, Wager

_Amount = TypeVar("_Amount")


class ByStake(dict[int, _Amount]):
    """Stake in cents to an amount, worked out when first asked for: rounds are settled by the thousand."""

    __slots__ = ("_amount",)

    def __init__(self, amount: Callable[[int], _Amount]) -> None:
        self._amount = amount

    def __missing__(self, staked: int) -> _Amount:
        amount = self[staked] = self._amount(staked)
        return amount


class Resolution:
    """The outcome of one wager at one table: immutable, shared by every box that comes to it.

    key: the line's wager (a bonus has its own). wager: key of the wager whose stake it goes by. outcome: key of the
    outcome, or "lost". rows and odds: what is paid, empty and None for a loser; `odds` joins several rows into one.
    paid: stake to whole cents paid beside a returned stake, and the part of a cent left over. back: stake to cents
    that come back, the returned stake and the payout. Both without any share of a meter. order: place of the wager in
    the text. is_bonus: paid beside a wager, without a stake of its own. capped: limited
    by 633a.13(o). apart: paid by an `Entry`, as it takes a share of a meter or is capped.
    result: what it is and what that pays, in words.
    """

    __slots__ = (
        *("apart", "back", "capped", "clause", "is_bonus", "key", "notes", "odds", "order", "outcome", "paid"),
        *("result", "rows", "source", "stage", "wager"),
    )

    def __init__(
        self,
        key: str,
        outcome: str,
        rows: tuple[Row, ...],
        label: str,
        stage: Stage,
        clause: str,
        source: Source,
        order: int,
        notes: tuple[Note, ...] = (),
        bonus_of: str = "",
        capped: bool = False,
    ) -> None:
        self.key = key
        self.wager = bonus_of or key
        self.outcome = outcome
        self.rows = rows
        self.odds = _joined(rows)
        self.result = (
            f"{label}, pays {self.odds.text} ({_clauses(rows)})" if self.odds is not None else f"{label}, loses"
        )
        self.stage = stage
        self.clause = clause
        self.source = source
        self.order = order
        self.notes = notes
        self.capped = capped
        self.apart = capped or (self.odds is not None and self.odds.progressive)
        self.is_bonus = bonus_of != ""
        self.paid = ByStake(self._paid)
        self.back = ByStake(self._back)

    @property
    def wins(self) -> bool:
        """Whether anything is paid."""
        return self.odds is not None

    def returned(self, staked: int) -> int:
        """Cents of the stake that go back to the player."""
        return staked if self.odds is not None and self.odds.returns_stake and not self.is_bonus else 0

    def at_risk(self, staked: int) -> int:
        """Cents that the player had staked in this line: a bonus goes by the stake of its wager and has none itself."""
        return 0 if self.is_bonus else staked

    def _paid(self, staked: int) -> tuple[int, Fraction]:
        if self.odds is None:
            return 0, Fraction(0)
        exact = self.odds.paid(staked)
        return int(exact), exact - int(exact)

    def _back(self, staked: int) -> int:
        return self.returned(staked) + self.paid[staked][0]


def _joined(rows: tuple[Row, ...]) -> Odds | None:
    """The odds of one row, or of two rows paid together (both cards match)."""
    if not rows:
        return None
    odds = rows[0].odds
    for row in rows[1:]:
        text = f"{odds.text} twice" if row.odds == odds else f"{odds.text} and {row.odds.text}"
        odds = Odds(text, odds.kind, odds.ratio + row.odds.ratio)
    return odds


def decide(wager: Wager, table: Paytable, view: View) -> tuple[Outcome | None, Stage, str]:
    """The wager's outcome, None for a loser, when it is settled and by which clause.

    NotYetKnown when one of them depends on cards that the view leaves out.
    """
    outcome = wager.outcome(view)
    if outcome is not None and not all(table.has(key) for key in outcome.rows):
        # The paytable of these decks has no such row (suited pairs with one deck): the outcome is not paid.
        outcome = None
    wait = wager.waits(view, outcome) if wager.waits else None
    stage = _stage(wager, Stage(wait.stage if wait else wager.stage), view)
    if outcome is None:
        return None, stage, wait.clause if wait else wager.collects
    return outcome, stage, outcome.clause or (wait.clause if wait else wager.settles)


def resolved(
    wager: Wager, table: Paytable, order: int, outcome: Outcome | None, stage: Stage, clause: str
) -> Resolution:
    """The resolution of what `decide` answered."""
    source: Source = "house" if wager.electronic else "tray"
    if outcome is None:
        return Resolution(wager.key, "lost", (), wager.nothing, stage, clause, source, order)
    rows = tuple(table.row(key) for key in outcome.rows)
    label = rows[0].outcome.rsplit(": ", 1)[-1]
    notes = _notes(wager, rows)
    return Resolution(
        *(wager.key, outcome.key, rows, label, stage, clause, source, order, notes), capped=outcome.capped
    )


def _stage(wager: Wager, stage: Stage, view: View) -> Stage:
    """The stage, put off in a game dealt from the hand while the players' cards lie face down (633a.12(b)(9)).

    House Money keeps its own: its winnings may be added to the main wager before the player's turn.
    """
    if view.rules.game != "from_the_hand" or wager.key == "house_money" or stage is Stage.AFTER_ALL:
        return stage
    return Stage.AFTER_READER if view.dealer_blackjack else Stage.AFTER_ALL


def resolve_bonus(bonus: Bonus, wager: Wager, row: Row, order: int, stage: Stage) -> Resolution:
    """The resolution of a bonus that was won beside its wager."""
    source: Source = "house" if wager.electronic else "tray"
    notes = _notes(wager, (row,))
    label = f"{row.outcome}, {bonus.reason}"
    return Resolution(bonus.key, bonus.key, (row,), label, stage, bonus.clause, source, order, notes, wager.key)


def _notes(wager: Wager, rows: tuple[Row, ...]) -> tuple[Note, ...]:
    """What the clauses ask for beside paying a winner of a progressive wager."""
    notes: list[Note] = []
    if wager.dealer_verifies:
        notes.append((wager.dealer_verifies, "the dealer verifies that the hand wins"))
    if wager.verify_from is not None:
        most = max(row.odds.for_one for row in rows)
        if most >= wager.verify_from or any(row.odds.progressive for row in rows):
            notes.append((wager.verify_clause, "a floorperson or above verifies the payout"))
    if wager.electronic:
        notes.append(("633a.7(o)(1)(ii)(C)", "credited to the player's game account"))
    return tuple(notes)


def reason(wager: Wager, resolution: Resolution, box: Box, dealer: tuple[int, ...]) -> str:
    """The reason in words: the cards that decided, what they are, and what that pays."""
    return f"{_subject(wager, box, dealer)}: {resolution.result}"


def _clauses(rows: tuple[Row, ...]) -> str:
    if len(rows) == 1:
        return rows[0].clause
    return ", ".join(dict.fromkeys(row.clause for row in rows))


def _subject(wager: Wager, box: Box, dealer: tuple[int, ...]) -> str:
    if wager.subject == "two_cards":
        return f"first two cards {_names(box.initial[0])}"
    if wager.subject == "two_cards_and_up":
        return f"first two cards {_names(box.initial[0])} and up card {card_name(dealer[0])}"
    if wager.subject == "dealer":
        return f"dealer's cards {_names(dealer)}"
    initial = initial_cards(box)
    if wager.subject == "four_cards":
        return f"first four cards {_names(initial)}"
    hands = " and ".join([_names(hand.cards) for hand in box.hands])
    if wager.key == "bad_beat":
        return f"cards {hands} against the dealer's {_names(dealer)} ({total(dealer)[0]})"
    return f"cards {hands}" if len(box.hands) == 1 else f"first two cards {_names(initial)}, split into {hands}"


@lru_cache(maxsize=8192)
def _names(cards: tuple[int, ...]) -> str:
    return " ".join(card_name(card) for card in cards)
