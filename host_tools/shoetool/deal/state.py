"""A round file's round while it is played: the round as it lies on the table, and the wagers on it.

What happens is an action (`table.actions`) that the round takes, as those of a shoe's records; the wagers are no
record's. The frozen result is a `TableRound`. The verbs of `decide_*.py` change the state in place or, as public
functions, change a copy.
"""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import Final

from shoetool.deal.inputs import Irregularity
from shoetool.judge.allowed import ends_by_cards, standing_of
from shoetool.model.cards import card_name, total
from shoetool.model.protocol_table import HandEnd, Position, Role
from shoetool.rules.games import Game, game
from shoetool.rules.games.chapters import PlayClauses
from shoetool.rules.round import Reader
from shoetool.rules.rule_error import RuleError
from shoetool.rules.submission.rules import RulesSubmission
from shoetool.table.actions import NO_RECORD, HandEnded
from shoetool.table.card import DrawnCard
from shoetool.table.fold import lay, take
from shoetool.table.hand import SWITCH_HAND, Hand
from shoetool.table.hand import place as place_words
from shoetool.table.round import ANSWERS, Round

_FACE_DOWN: Final = frozenset((int(Role.HOLE), int(Role.SWITCH_HAND)))
_DEALER: Final = int(Position.DEALER)
WAITS: Final = "late"
"""`HandState.end` while a hand waits for its late card, .14(i)."""


class PlayPhase(Enum):
    """How far a round is."""

    CHOOSING = auto()
    """Switch hands: players choose between two hands, 633c.4(f)."""
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
    """One hand of a betting position: as it lies on the table, and the wagers on it.

    `base` is the measure for a split or double: the main wager, with the winnings that are part of it. `even_money`:
    it was paid 1 to 1 and cleared.
    """

    box: BoxState
    hand: Hand
    stake: int
    base: int
    lammer: int = 0
    double: int = 0
    free_double: int = 0
    even_money: bool = False

    @property
    def number(self) -> int:
        """Its number within its position."""
        return self.hand.hand

    @property
    def cards(self) -> list[int]:
        """The ids of its cards, in the order they came."""
        return self.hand.ids

    @property
    def end(self) -> str:
        """How play on it ended (`rules.round.HandEnd`), "" before, WAITS until its late card comes."""
        hand = self.hand
        return "even_money" if self.even_money else WAITS if hand.queued else hand.end_name

    def place(self) -> str:
        """Where the hand lies, for a sentence; hands are counted from the left, from 1."""
        hands = self.box.hands
        if len(hands) == 1:
            return f"position {self.box.position}"
        return f"position {self.box.position}, hand {hands.index(self) + 1}"

    def words(self) -> str:
        """Where it lies and what it holds, such as `position 3, hand 1 (10♥ 6♣, 16)`."""
        if not self.hand.cards:
            return f"{self.place()} (no cards)"
        count, soft = total(self.cards)
        return f"{self.place()} ({' '.join(map(card_name, self.cards))}, {'soft ' if soft else ''}{count})"


@dataclass(slots=True, eq=False)
class BoxState:
    """One betting position. `hands` lie left to right as the dealer sees them; `player` is who bets, None when not
    known; `refused` says that he refused a card and gets no more. `ante` is the switch hands ante in cents, `switched`
    what he chose, None where he had no choice between two hands; `aside` the two cards that he switched to. `pressed`
    are cents of winnings that joined the main wager, by the key of the optional wager that won them."""

    position: int
    wager: int
    side: Mapping[str, int]
    player: str | None = None
    initial: tuple[tuple[int, ...], ...] = ()
    hands: list[HandState] = field(default_factory=list)
    insurance: int = 0
    even_money: bool = False
    pressed: dict[str, int] = field(default_factory=dict)
    refused: bool = False
    ante: int = 0
    switched: bool | None = None
    aside: tuple[int, ...] = ()

    def hand(self, number: int) -> HandState | None:
        """The hand with this number."""
        for hand in self.hands:
            if hand.hand.hand == number:
                return hand
        return None


@dataclass(slots=True, eq=False)
class PlayState:
    """A round in play: its rules, the round on the table, its boxes in order, the drawn cards and how far they are
    used, and whose turn it is.

    `aside` maps the index of a drawn card to its irregularity. `late_order` are the positions in the order in which the
    dealer served them with late cards (.14(i)), where that is known: no clause gives one. `turn` is the hand in turn,
    `acted` the last position that decided. `void` is the clause that voids the round, `voids` the index of the card
    that will, with its clause. `failed` is what a floorperson rules when the reader fails as it is used, .14(k):
    "voided", "played_on" or "". `exact` says that a double or split is one with real money: a shoe's keys mean free
    ones too.
    """

    submission: RulesSubmission
    cards: list[int]
    exact: bool = False
    at: int = 0
    round: Round = field(default_factory=lambda: Round(1, 0, NO_RECORD))
    boxes: list[BoxState] = field(default_factory=list)
    by_position: dict[int, BoxState] = field(default_factory=dict)
    irregular: tuple[Irregularity, ...] = ()
    aside: dict[int, Irregularity] = field(default_factory=dict)
    late_order: list[int] = field(default_factory=list)
    phase: PlayPhase = PlayPhase.BEFORE_READER
    turn: HandState | None = None
    acted: int = 0
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
        shared = (self.submission, self.game, self.clauses, self.cards, *[box.side for box in self.boxes])
        return deepcopy(self, {id(one): one for one in shared})

    def lay(self, card: int, role: Role, box: int, hand: int = 0) -> None:
        """A card leaves the shoe and gets its place."""
        lay(self.round, DrawnCard(len(self.round.actions), role, box, hand, 0, card, 0, role in _FACE_DOWN))

    def end(self, hand: HandState, why: HandEnd) -> None:
        """Play on a hand ends."""
        take(self.round, HandEnded, hand.hand.box, hand.hand.hand, why)

    def end_by_cards(self, hand: HandState) -> None:
        """End a hand if its cards do. Only the first two make a Blackjack: 633a.1 Blackjack, 590.1 Blackjack, 635a.1
        Blackjack."""
        why = ends_by_cards(standing_of(hand.hand))
        if why is not None:
            self.end(hand, why)

    @property
    def dealer(self) -> list[int]:
        """The dealer's cards: up card, hole card, draws in order."""
        return [card.card for card in self.round.dealer]

    @property
    def reader(self) -> Reader | None:
        """What the card reader device told, None before."""
        return ANSWERS.get(self.round.peek)

    def hands(self) -> list[HandState]:
        """The players' hands as they lie."""
        return [hand for box in self.boxes for hand in box.hands]

    def draw(self, clause: str, role: Role, hand: HandState | None = None) -> None:
        """Lay the next card of the drawn order on this hand or the dealer's; what section 14 sets aside is passed.

        RuleError by `clause` when none is left.
        """
        cards = self.cards
        at = self.at
        if self.aside:
            at = self.pass_over(at)
        if at >= len(cards):
            who = "the dealer" if hand is None else hand.words() if hand.hand.cards else hand.place()
            raise RuleError(clause, f"{who} needs a card, and none is left of the {len(cards)} drawn")
        self.at = at + 1
        card = cards[at]
        if not self.known and not 0 <= card < 52:
            who = "the dealer" if hand is None else hand.place()
            raise RuleError(clause, f"card {at + 1}, for {who}, is {card_name(card)}: a hand needs a known card")
        if hand is None:
            self.lay(card, role, _DEALER)
        else:
            self.lay(card, role, hand.hand.box, hand.hand.hand)

    def draw_shared(self, clause: str, role: Role, place: int) -> None:
        """Lay the next card as one that terminals of a hybrid table share. RuleError by `clause` when none is left."""
        at = self.pass_over(self.at) if self.aside else self.at
        if at >= len(self.cards):
            raise RuleError(
                clause, f"{place_words(place)} needs a card, and none is left of the {len(self.cards)} drawn"
            )
        self.at = at + 1
        self.lay(self.cards[at], role, place)

    def draw_aside(self, clause: str, box: BoxState) -> None:
        """Lay the next card face down as a switch hands card of the position; its face need not be known.

        RuleError by `clause` when none is left.
        """
        at = self.pass_over(self.at) if self.aside else self.at
        if at >= len(self.cards):
            text = f"position {box.position} needs a switch hands card, and none is left of the {len(self.cards)} drawn"
            raise RuleError(clause, text)
        self.at = at + 1
        self.lay(self.cards[at], Role.SWITCH_HAND, box.position, SWITCH_HAND)

    def pass_over(self, at: int) -> int:
        """Index of the next card that may be used, from `at`; those before it go to the discards."""
        while at < len(self.cards):
            note = self.aside.get(at)
            if note is None or note.kind in {"unexposed", "exposed"}:
                break
            if note.kind == "dealer_extra":
                text = f"{self.card_words(at)} is marked as drawn by the dealer on 17, but a hand waits for a card"
                raise RuleError(self.clauses.dealer_17, text)
            self.lay(self.cards[at], Role.DISCARDED, Position.RACK)
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
