"""A round while it is played: mutable and fast. The frozen result is a `TableRound`.

The verbs of `decide_*.py` change it in place or, as public functions, change a copy.
"""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import Final

from shoetool.deal.inputs import Irregularity
from shoetool.judge.allowed import Standing, ends_by_cards
from shoetool.model.cards import card_name, total
from shoetool.rules.games import Game, game
from shoetool.rules.games.chapters import PlayClauses
from shoetool.rules.hands import best_total
from shoetool.rules.rule_error import RuleError
from shoetool.rules.submission.rules import RulesSubmission

WAITS: Final = "late"
"""`HandState.end` while a hand waits for its late card, .14(i)."""


class PlayPhase(Enum):
    """How far a round is."""

    BEFORE_READER = auto()
    """The opening deal, and with an ace or ten-count card up insurance, even money and early surrender."""
    TURNS = auto()
    """The players' turns."""
    DEALER = auto()
    """All players' hands are done."""
    OVER = auto()
    """The dealer has finished, or the round is void."""


def _verify_table(submission: RulesSubmission, rules: Game) -> None:
    """RuleError for decks or a shoe that the game is not dealt from."""
    if not rules.decks.allows(submission.decks):
        text = f"{rules.title} is dealt with {rules.decks.words()} decks, not with {submission.decks}"
        raise RuleError(rules.decks.clause, text)
    if submission.shoe not in rules.deal.shoes:
        text = f"{rules.title} is not dealt from a {submission.shoe} shoe but {' or '.join(rules.deal.shoes)}"
        raise RuleError(rules.clauses.from_shoe, text)


class RoundVoid(Exception):
    """The next card voids the round, by `clause`; the engine catches it."""

    def __init__(self, clause: str) -> None:
        super().__init__(clause)
        self.clause = clause


@dataclass(slots=True, eq=False)
class HandState:
    """One hand of a betting position; `end` is "" while it is not finished.

    `base` is the measure for a split or double: the main wager, with the winnings that were added to it. `queued` is
    its place among those that wait for a late card, see `table.turn`.
    """

    box: BoxState
    number: int
    root: int
    stake: int
    base: int
    cards: list[int]
    lammer: int = 0
    double: int = 0
    free_double: int = 0
    from_split: bool = False
    switched: bool = False
    end: str = ""
    queued: int = 0

    @property
    def over(self) -> bool:
        """Whether play on it has ended."""
        return self.end not in ("", WAITS)

    def standing(self) -> Standing:
        """The hand as the judge sees it when a decision is made."""
        doubled = self.double > 0 or self.end == "doubled"
        return Standing(self.cards, self.from_split, doubled, bool(self.end), self.switched)

    def end_by_cards(self) -> str:
        """The end that its cards make, "" while its player decides."""
        end = ends_by_cards(self.standing())
        return "" if end is None else end.name.lower()

    @property
    def total(self) -> int:
        """Best count of the cards, an ace as 11 where that keeps within 21: 633a.3(e)(3), 590.3(d)(3), 635a.3(c)(3)."""
        return best_total(self.cards)

    @property
    def soft(self) -> bool:
        """Whether an ace counts 11: 633a.1 Soft total, 590.1 Soft total, 635a.1 Soft total.

        Else the count is hard: 633a.1 Hard total, 590.1 Hard total, 635a.1 Hard total.
        """
        return total(self.cards)[1]

    def place(self) -> str:
        """Where the hand lies, for a sentence; hands are counted from the left, from 1."""
        hands = self.box.hands
        if len(hands) == 1:
            return f"position {self.box.position}"
        return f"position {self.box.position}, hand {hands.index(self) + 1}"

    def words(self) -> str:
        """Where it lies and what it holds, such as `position 3, hand 1 (10♥ 6♣, 16)`."""
        if not self.cards:
            return f"{self.place()} (no cards)"
        count = f"{'soft ' if self.soft else ''}{self.total}"
        return f"{self.place()} ({' '.join(map(card_name, self.cards))}, {count})"


@dataclass(slots=True, eq=False)
class BoxState:
    """One betting position. `hands` lie left to right as the dealer sees them; `made` counts the hands that each
    initial hand was split into; `player` is who bets, None when not known; `refused` says that he refused a card and
    gets no more."""

    position: int
    wager: int
    side: Mapping[str, int]
    player: str | None = None
    initial: tuple[tuple[int, ...], ...] = ()
    hands: list[HandState] = field(default_factory=list)
    insurance: int = 0
    even_money: bool = False
    pressed: int = 0
    made: list[int] = field(default_factory=list)
    refused: bool = False

    def hand(self, number: int) -> HandState | None:
        """The hand with this number."""
        for hand in self.hands:
            if hand.number == number:
                return hand
        return None


@dataclass(slots=True, eq=False)
class PlayState:
    """A round in play: its rules, its boxes in order, the drawn cards and how far they are used, and whose turn it is.

    `aside` maps the index of a drawn card to its irregularity; `discards` are cards that no hand kept. `lates` counts
    the late cards (.14(i)); `late_order` are the positions in the order in which the dealer served them, where that is
    known: no clause gives one. `turn` is the hand in turn, `acted` the last position that decided. `void` is the clause
    that voids the round, `voids` the index of the card that will, with its clause. `failed` is what a floorperson rules
    when the reader fails as it is used, .14(k): "voided", "played_on" or "". `exact` says that a double or split is one
    with real money: a shoe's keys mean free ones too.
    """

    submission: RulesSubmission
    cards: list[int]
    money: bool
    exact: bool = False
    at: int = 0
    boxes: list[BoxState] = field(default_factory=list)
    by_position: dict[int, BoxState] = field(default_factory=dict)
    dealer: list[int] = field(default_factory=list)
    discards: list[int] = field(default_factory=list)
    irregular: tuple[Irregularity, ...] = ()
    aside: dict[int, Irregularity] = field(default_factory=dict)
    lates: int = 0
    late_order: list[int] = field(default_factory=list)
    phase: PlayPhase = PlayPhase.BEFORE_READER
    turn: HandState | None = None
    acted: int = 0
    reader: str | None = None
    revealed: bool = False
    failed: str = ""
    void: str | None = None
    voids: tuple[int, str] | None = None
    fresh: int = 0
    known: bool = True
    game: Game = field(init=False)
    clauses: PlayClauses = field(init=False)

    def __post_init__(self) -> None:
        self.game = game(self.submission.game)
        _verify_table(self.submission, self.game)
        self.clauses = self.game.clauses

    def copy(self) -> PlayState:
        """An independent copy; rules, side wagers and drawn cards are shared, as nothing changes them."""
        new = copy(self)
        new.dealer, new.discards, new.late_order = self.dealer[:], self.discards[:], self.late_order[:]
        new.aside = dict(self.aside)
        twins: dict[int, HandState] = {}
        new.boxes = []
        for box in self.boxes:
            twin = copy(box)
            twin.made, twin.hands = box.made[:], []
            for hand in box.hands:
                twins[id(hand)] = copied = copy(hand)
                copied.box, copied.cards = twin, hand.cards[:]
                twin.hands.append(copied)
            new.boxes.append(twin)
        new.by_position = {box.position: box for box in new.boxes}
        new.turn = None if self.turn is None else twins[id(self.turn)]
        return new

    def hands(self) -> list[HandState]:
        """The players' hands as they lie."""
        return [hand for box in self.boxes for hand in box.hands]

    def draw(self, clause: str, hand: HandState | None) -> int:
        """The next card of the drawn order, for this hand or the dealer's; cards that section 14 sets aside are passed.

        RuleError by `clause` when none is left.
        """
        cards = self.cards
        at = self.at
        if self.aside:
            at = self.pass_over(at)
        if at >= len(cards):
            who = "the dealer" if hand is None else hand.words() if hand.cards else hand.place()
            raise RuleError(clause, f"{who} needs a card, and none is left of the {len(cards)} drawn")
        self.at = at + 1
        card = cards[at]
        if not self.known and not 0 <= card < 52:
            who = "the dealer" if hand is None else hand.place()
            raise RuleError(clause, f"card {at + 1}, for {who}, is {card_name(card)}: a hand needs a known card")
        return card

    def pass_over(self, at: int) -> int:
        """Index of the next card that may be used, from `at`; those before it go to the discards."""
        while at < len(self.cards):
            note = self.aside.get(at)
            if note is None or note.kind in {"unexposed", "exposed"}:
                break
            if note.kind == "dealer_extra":
                text = f"{self.card_words(at)} is marked as drawn by the dealer on 17, but a hand waits for a card"
                raise RuleError(self.clauses.dealer_17, text)
            self.discards.append(self.cards[at])
            at += 1
            self.at = at
            if self.voids is not None and self.voids[0] < at:
                raise RoundVoid(self.voids[1])
        return at

    def next_card_is(self, kind: str) -> bool:
        """Whether the next card that may be used has this irregularity; changes nothing."""
        for at in range(self.at, len(self.cards)):
            note = self.aside.get(at)
            if note is None or note.kind in {"unexposed", "exposed"}:
                return note is not None and note.kind == kind
        return False

    def card_words(self, at: int) -> str:
        """A drawn card with its place in the drawn order, such as `card 14 (10♥)`."""
        return f"card {at + 1} ({card_name(self.cards[at])})"

    def up(self) -> int:
        """The dealer's up card."""
        return self.dealer[0]
