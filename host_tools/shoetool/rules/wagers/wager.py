"""The declaration of an optional wager for the engine: frozen data on when it settles, and its ordered outcomes.

A predicate is a small pure function of a `View`. The first outcome whose predicate holds is the wager's only outcome.
When outcomes overlap, the best row of the paytable comes first, and only that row is paid (readings 1 to 4, 14).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Final, Literal

from shoetool.rules.games import GAMES
from shoetool.rules.odds import Odds
from shoetool.rules.paytable import Paytable, paytables
from shoetool.rules.round import Stage

from .choice import Choice
from .progressive import Envy, MeterRule
from .view import Choices, View

Subject = Literal[
    "two_cards",
    "two_cards_and_up",
    "two_cards_and_dealer",
    "two_cards_and_third",
    "four_cards",
    "dealer",
    "dealer_poker",
    "hands",
    "hands_and_dealer",
    "shared_hands_and_dealer",
]
Predicate = Callable[[View], bool]


@dataclass(frozen=True, slots=True)
class Outcome:
    """A winning outcome: `key` names it, `pays` the rows of the paytable that are paid for it, one after the other.

    `clause` is the clause that pays it where it is not the wager's own. `capped`: whether its payouts of one round may
    be limited all together (633a.13(o)). `option` says what the house offers with it, "" where it has no choice.
    `unpaid`: what becomes of the wager where the paytable has no row for the outcome, in words; it comes back.
    """

    key: str
    predicate: Predicate
    pays: tuple[str, ...] = ()
    clause: str = ""
    capped: bool = False
    option: str = ""
    unpaid: str = ""

    @property
    def rows(self) -> tuple[str, ...]:
        """Keys of the paytable's rows that are paid; the outcome's own key unless `pays` names others."""
        return self.pays or (self.key,)


@dataclass(frozen=True, slots=True)
class Bonus:
    """A payout beside the wager `of`, whatever that wins: it has no stake of its own and pays its row on the wager's.

    It is paid only where the offer's options name its key; `option` says what the house then offers. picked: what the
    table game system picks for it, which a round tells under the bonus's key; "" for a bonus of the cards alone. rows:
    those of the paytable, the best first, of a bonus that has several; () for one that has the key of its only row.
    least: cents of the wager that it needs. instead: whether it is paid "beside" what the wager wins or "instead" of
    it, None where the text says beside.
    """

    key: str
    title: str
    of: str
    clause: str
    predicate: Predicate
    reason: str
    option: str
    picked: str = ""
    rows: tuple[Outcome, ...] = ()
    least: int = 0
    instead: Choice | None = None

    @property
    def keys(self) -> tuple[str, ...]:
        """Keys of the paytable's rows that it pays."""
        return tuple(one.key for one in self.rows) or (self.key,)

    def row(self, view: View, staked: int) -> str:
        """The key of the paytable's row that is won beside a wager of so many cents, "" for none."""
        if staked < self.least or not self.predicate(view):
            return ""
        if not self.rows:
            return self.key
        return next((one.key for one in self.rows if one.predicate(view)), "")


DRAWS: Final = "draws"
"""The word of `Wager.draw` by which a live wager keeps the dealer drawing."""


@dataclass(frozen=True, slots=True)
class Wait:
    """A settlement that does not happen at the wager's own stage: the stage where it happens, and the clause."""

    stage: Stage
    clause: str


BEFORE_READER: Final = "before_reader"
"""The word of `PressArea.time` by which winnings are added before the reader, and given back at a Blackjack."""
WITH_THE_PRESS: Final = "wager_and_press"
"""The word of `PressArea.doubles` by which a double may be as large as the main wager and what was added."""


@dataclass(frozen=True, slots=True)
class PressArea:
    """Where winnings that were added lie apart from the main wager, in an area of their own, by `clause`.

    They win even money with the main wager, a Blackjack too, by `even_money`; `split` is the clause by which a split
    matches them too. area: the one that asks for the area. time: whether they are added before the reader. doubles: how
    large a double may then be.
    """

    clause: str
    even_money: str
    split: str
    area: str
    time: Choice
    doubles: Choice


@dataclass(frozen=True, slots=True)
class Multiplier:
    """How often `card` is among a player's first two cards multiplies what a winner is paid, by `clause`.

    times: by what, for none of it, one and two. reading: whether that is of the "odds" or of the "return", the wager
    with its payout. reason: which cards do it, in words.
    """

    card: int
    times: tuple[int, int, int]
    clause: str
    reading: Choice
    reason: str

    def factor(self, first: int, second: int) -> int:
        """By what a winner with these two cards is multiplied."""
        return self.times[(first == self.card) + (second == self.card)]

    def odds(self, odds: Odds, factor: int, rules: Choices) -> Odds:
        """The odds so many times over."""
        return odds.times(factor, with_stake=self.reading.of(rules) == "return")


@dataclass(frozen=True, slots=True)
class Press:
    """How a wager's winnings may be added to the main wager, by `clause`, before the player's turn.

    portion: which part of them the house lets be added, by `most`; None: all. paid_out: the clause by which the
    winnings are paid out and not added when the dealer has Blackjack; two_hands: the one by which they are where a
    position has two main wagers, "" where none has. double: the one by which a double matches the whole, "" where it
    need not. apart: where they lie and what they are paid, None where they are part of the main wager.
    """

    clause: str
    portion: Choice | None
    most: str
    paid_out: str
    two_hands: str = ""
    double: str = ""
    apart: PressArea | None = None


@dataclass(frozen=True, slots=True)
class ExtraCard:
    """A card that a position is dealt for its wager alone, by `clause`, once a dealer's Blackjack has ended play.

    Positions get theirs from the dealer's left (633c T64). due: asked of the first two cards and the dealer's. whose:
    only positions with the "wager" get one, or "all" at a table that offers it.
    """

    clause: str
    due: Predicate
    whose: Choice


@dataclass(frozen=True, slots=True)
class Growth:
    """How a wager can change with the cards that its player draws; exact odds ask this.

    may_change: whether one more card, or the dealer's up card, may change what these cards of a hand win.
    """

    may_change: Callable[[tuple[int, ...]], bool]


@dataclass(frozen=True, slots=True)
class InSwitch:
    """How Blackjack Switch may offer a wager of Blackjack: from this word of `switch_side_wagers` on.

    needs: a setting, the value it must have, why, and the clause.
    """

    word: Literal["first_hand", "all"]
    needs: tuple[str, str, str, str] | None = None


@dataclass(frozen=True, slots=True)
class Beside:
    """The optional `wager` that must lie beside it: the house offers both by `offered`, a player places both by
    `placed`."""

    wager: str
    offered: str
    placed: str


ON_THE_FIRST_HAND = InSwitch("first_hand")
"""A wager on the first hand's two cards as dealt, on a 20 of either hand, or on the dealer's."""


@dataclass(frozen=True, slots=True)
class Wager:
    """One optional wager, with all its facts: which games offer it, and at which odds, is in its paytables.

    offered, settles, pays: catalogue ids of the clauses that allow it, settle it and print its paytable; `collects` the
    one by which a loser is taken. stage: when it settles unless `waits` answers with another (633a.7(g) exceptions;
    what a dealer Blackjack decides); `waiting` is the clause that is named when one that waits was settled too soon, ""
    for that of its line; `timing` when one was not settled straight after the deal, "" for that of the game. subject:
    what the reason in words names; depends_on: what its outcome depends on, where that is more. nothing: the words for
    an outcome that none of the rows names. before_main: one that waited for the reader goes before the main wager even
    where losers are collected first. needs_dealer_draw: whether a live wager keeps the dealer drawing (reading 21);
    hand_decides: it does so only beside a hand that waits for the dealer itself. meter: that of a progressive wager.
    draw: how the house reads whether a live wager keeps the dealer drawing where the wager's own section speaks of it,
    "draws" or "stops"; then `needs_dealer_draw` says nothing. verify_from: units for 1 from which a floorperson
    verifies the payout, by `verify_clause`; `dealer_verifies` is the clause by which the dealer verifies a winner.
    electronic: the clause by which the wager lies in a game account, "" for one on the layout. one_bonus: the clause by
    which the house offers one of its bonuses at most, "" where it may offer all. multiplier: which of a player's cards
    multiply the odds, None where none do. press: how its winnings may be added to the main wager, None where they may
    not. switch: whether Blackjack Switch may offer it. choices: how the house reads its clauses. amounts: the only
    wagers in cents that a house may offer, by `offered`; () where it has limits of its own. area: the clause that asks
    for its area on the layout, "" for that of the game. light: the clause by which the light of the progressive system
    is checked before a payout. gathered: the clause by which the wagers lie in the tray before the deal; to_one:
    whether odds "to" then give the wager "back" or it is "kept"; beside_sum: the same where a fixed sum is paid. envy:
    what another player's hand pays. beside: the optional wager without which it may not be placed. up_to_main: the
    clause by which it is no larger than `times_main` main wagers. electronic_table: the clause by which only a fully
    automated electronic gaming table offers it. extra: the card that is dealt for it after a dealer's Blackjack.
    amounts_by: the clause of `amounts`, "" for `offered`. growth: of a wager on the cards that the player draws. kind:
    equal for two faces that no outcome tells apart, so that exact odds may count them together; None: each face by
    itself. shown: the clause by which a terminal explains it.
    """

    key: str
    title: str
    offered: str
    settles: str
    collects: str
    pays: str
    stage: Stage
    subject: Subject
    nothing: str
    outcomes: tuple[Outcome, ...]
    waits: Callable[[View, Outcome | None], Wait | None] | None = None
    waiting: str = ""
    timing: str = ""
    before_main: bool = False
    needs_dealer_draw: bool = False
    hand_decides: bool = False
    draw: Choice | None = None
    meter: MeterRule | None = None
    verify_from: int | None = None
    verify_clause: str = ""
    dealer_verifies: str = ""
    electronic: str = ""
    multiplier: Multiplier | None = None
    press: Press | None = None
    bonuses: tuple[Bonus, ...] = ()
    one_bonus: str = ""
    switch: InSwitch | None = None
    choices: tuple[Choice, ...] = ()
    amounts: tuple[int, ...] = ()
    area: str = ""
    light: str = ""
    gathered: str = ""
    to_one: Choice | None = None
    beside_sum: Choice | None = None
    envy: Envy | None = None
    beside: Beside | None = None
    up_to_main: str = ""
    times_main: int = 1
    electronic_table: str = ""
    extra: ExtraCard | None = None
    amounts_by: str = ""
    growth: Growth | None = None
    kind: Callable[[int], int] | None = None
    shown: str = ""
    depends_on: Subject | None = None

    @property
    def every_choice(self) -> tuple[Choice, ...]:
        """How the house reads its clauses, and those of its meters and its envy bonus."""
        found = self.choices
        times = None if self.multiplier is None else self.multiplier.reading
        own = (self.draw, times, self.to_one, self.beside_sum, *(bonus.instead for bonus in self.bonuses))
        found += tuple(dict.fromkeys(choice for choice in own if choice is not None))
        found += () if self.extra is None else (self.extra.whose,)
        area = None if self.press is None else self.press.apart
        found += () if area is None else (area.time, area.doubles)
        if self.meter is not None:
            found += self.meter.readings.choices()
        return found + (self.envy.choices() if self.envy is not None else ())

    @property
    def cards(self) -> Subject:
        """The cards that its outcome depends on."""
        return self.depends_on or self.subject

    @property
    def prints_meters(self) -> bool:
        """Whether its paytables fix the figures of its meters, so that a rules submission does not repeat them."""
        return any(table.meters for table in paytables(self.key))

    @property
    def games(self) -> tuple[str, ...]:
        """The games in which the chapters offer it, by its paytables."""
        return tuple(dict.fromkeys(game for table in paytables(self.key) for game in table.games))

    @property
    def chapter(self) -> str:
        """The chapter of 58 Pa. Code that allows it, such as `633c`."""
        return self.offered.partition(".")[0]

    @property
    def capped(self) -> bool:
        """Whether a house may limit what its best row pays in a round."""
        return any(outcome.capped for outcome in self.outcomes)

    def outcome(self, view: View) -> Outcome | None:
        """The wager's one outcome, or None when it loses."""
        for outcome in self.outcomes:
            if outcome.predicate(view):
                return outcome
        return None

    def press_portion(self, rules: Choices) -> Fraction:
        """Which part of a payout may be added to the main wager; 0 where none may, or a position has two of them."""
        if self.press is None or GAMES[rules.game].deal.hands > 1:
            return Fraction(0)
        portion: Fraction = Fraction(1) if self.press.portion is None else self.press.portion.of(rules)
        return portion

    def pressable(self, payout: int, rules: Choices) -> int:
        """Most cents of a payout of so many that may be added to the main wager."""
        portion = self.press_portion(rules)
        return payout * portion.numerator // portion.denominator

    def presses_early(self, rules: Choices) -> bool:
        """Whether its winnings are added before the reader, so that a dealer's Blackjack gives them back."""
        area = None if self.press is None else self.press.apart
        return area is not None and bool(area.time.of(rules) == BEFORE_READER)

    def press_limit(
        self, initial: tuple[int, ...], dealer: tuple[int, ...], staked: int, table: Paytable, rules: Choices
    ) -> int:
        """Most cents of its winnings that may be added to the main wager; 0 when nothing was won.

        initial: the player's two cards. dealer: his first two; a Blackjack leaves nothing to add to, but to one who
        added it before. staked: cents of this wager. table: its paytable.
        """
        view = View(rules, initial, dealer)
        outcome = self.outcome(view)
        if outcome is None or (view.dealer_blackjack and not self.presses_early(rules)):
            return 0
        return self.pressable(int(table.row(outcome.key).odds.paid(staked)), rules)


def at_dealer_blackjack(view: View, outcome: Outcome | None) -> Wait | None:
    """Straight after the reader when the dealer has a Blackjack: no more cards come (633a.7(h) result)."""
    return Wait(Stage.AFTER_READER, "633a.7(h) result") if view.dealer_blackjack else None
