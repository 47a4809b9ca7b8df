"""The declaration of a game for the engine: frozen data on its deal, its hand rules and their clauses.

A game has no behaviour except small pure predicates. `deal` plays every game.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from shoetool.model.cards import copies_per_deck
from shoetool.rules.games.chapters import PlayClauses, TableClauses
from shoetool.rules.games.game_table import GameFacts, ShoeKind
from shoetool.rules.games.settling import Settling
from shoetool.rules.hands import best_total

DealTo = Literal["players", "dealer", "positions", "community"]

ACE: Final = 0


@dataclass(frozen=True, slots=True)
class DealStep:
    """One pass of the opening deal: a card to every hand of the players, to each player position that a terminal of a
    hybrid table selected, to the dealer, or one that is every player's."""

    to: DealTo
    face_up: bool
    clause: str


@dataclass(frozen=True, slots=True)
class DealPlan:
    """How the opening cards leave the shoe or the hand, players from the dealer's far left.

    `hands` is the number of hands each box gets (two in Switch), `burns` the number of cards that go to the rack
    before every round (one from the hand), `shoes` the kinds of shoe the game may be dealt from.
    """

    steps: tuple[DealStep, ...]
    hands: int = 1
    burns: int = 0
    burn_clause: str = ""
    shoes: tuple[ShoeKind, ...] = ("single",)

    @property
    def from_the_hand(self) -> bool:
        """Whether the game is dealt from the hand alone, and from no shoe."""
        return self.shoes == ("hand",)


def deal_plan(facts: GameFacts, *clauses: str, burn_clause: str = "") -> DealPlan:
    """The plan of `facts`, with the clause of each pass, or one for all of them."""
    each = clauses * len(facts.deal) if len(clauses) == 1 else clauses
    steps = tuple(DealStep(to, up, clause) for (to, up), clause in zip(facts.deal, each, strict=True))
    return DealPlan(steps, facts.hands, facts.burns, burn_clause, facts.shoes)


@dataclass(frozen=True, slots=True)
class DeckRule:
    """How many decks a game allows: `least` to `most` (None: no limit), or only those of `exactly`."""

    clause: str
    least: int = 1
    most: int | None = None
    exactly: tuple[int, ...] = ()

    def allows(self, decks: int) -> bool:
        """Whether the game may be dealt with this many decks."""
        if self.exactly:
            return decks in self.exactly
        return decks >= self.least and (self.most is None or decks <= self.most)

    def words(self) -> str:
        """The rule in words, such as `6 or 8` or `at most 2`."""
        if self.exactly:
            return " or ".join(map(str, self.exactly))
        return f"at least {self.least}" if self.most is None else f"{self.least} to {self.most}"


def deck_rule(clause: str, facts: GameFacts) -> DeckRule:
    """The rule of `facts`, by `clause`."""
    return DeckRule(clause, facts.decks_least, facts.decks_most, facts.decks_exactly)


@dataclass(frozen=True, slots=True)
class OneSurrender:
    """A game's only way to settle a surrender: its word in a submission, the clause, and the time."""

    way: str
    clause: str
    when: str


@dataclass(frozen=True, slots=True)
class Game:
    """One game of the regulation.

    `name` is the key of rules submissions and round files; `chapter` such as `633a`; `wager_name` what its main wager
    is called. `facts` are those that the shoe has too, from firmware/games.toml, which says what each is.
    `free_double_totals` are the hard totals that double free, `free_split` whether a pair that is not of ten-count
    cards splits free. `max_hands` fixes to how many hands one may be split (None: the rules submission does).
    `settling` is how its main wager is settled, and `table` what its table needs. `clause` makes it
    a variation of its chapter's game ("" for that game itself), `settings` are those of a rules submission that only it
    has, `defaults` what a submission of it has unless it says otherwise. `borrows` is the game whose optional wagers it
    may offer beside its own, where the submission has that. `counterparts` are the clauses of ch. 633a that a check
    names, each with the one that this game has in its place. `electronic` is the clause by which its wagers
    are placed and paid electronically, "" for one on a layout.
    """

    name: str
    title: str
    chapter: str
    wager_name: str
    facts: GameFacts
    decks: DeckRule
    deal: DealPlan
    insurance_ranks: frozenset[int]
    offers_even_money: bool
    free_double_totals: frozenset[int]
    free_split: bool
    max_hands: int | None
    leaking_reader_voids: bool
    clauses: PlayClauses
    settling: Settling
    table: TableClauses
    clause: str = ""
    settings: tuple[str, ...] = ()
    defaults: Mapping[str, Any] = field(default_factory=dict)
    one_surrender: OneSurrender | None = None
    borrows: str = ""
    counterparts: Mapping[str, str] = field(default_factory=dict)
    electronic: str = ""

    deck: tuple[int, ...] = field(init=False, compare=False, repr=False)
    """The card ids of one deck in sequence: 52, or 48 where the 10s are missing (635a.3(a) composition)."""
    no_hole: bool = field(init=False, compare=False, repr=False)
    """Whether the dealer gets no hole card, 633c.5(w); then each terminal has a dealer's hand of its own."""
    cards_face_down: bool = field(init=False, compare=False, repr=False)
    """Whether the players' cards are dealt face down."""

    def __post_init__(self) -> None:
        deck = tuple(card for card in range(52) if copies_per_deck(card, not self.facts.tens))
        steps = self.deal.steps
        for name, fact in (
            ("deck", deck),
            ("no_hole", all(step.face_up for step in steps)),
            ("cards_face_down", any(step.to == "players" and not step.face_up for step in steps)),
        ):
            object.__setattr__(self, name, fact)

    def asks_reader(self, up: int) -> bool:
        """633a.7(h), 590.7(g), 635a.7(g): whether the card reader device is used with this card up."""
        return up % 13 in self.facts.reader_ranks

    def meets_dealer(self, blackjack: bool) -> bool:
        """Whether a hand that is neither over 21 nor out of the round is settled against the dealer's; a Blackjack may
        be paid at once."""
        return not blackjack or self.facts.blackjack_waits

    def waits_for_total(self, cards: Sequence[int], blackjack: bool) -> bool:
        """Whether the dealer's total can still change what such a hand wins, so that he draws to 17: 633a.7(m)-(n),
        590.7(l)-(m), 635a.7(l)-(m).

        A 21 in three cards or more wins in Spanish 21 whatever he draws, 635a.7(n)(2) and (4). A split hand's 21 in two
        cards ties a dealer's 21 in more.
        """
        wins = self.facts.long_21_wins and len(cards) > 2 and best_total(cards) == 21
        return self.meets_dealer(blackjack) and not wins

    @property
    def voided_by_reader(self) -> frozenset[str]:
        """Clauses by which the reader voids a round after its deal, when the wagers of 633a.7(g) are settled."""
        misused = {self.clauses.reader_misused} if self.leaking_reader_voids else set()
        return frozenset({self.clauses.reader_failed} | misused)
