"""A round on the table: its hands, the dealer's, and every action in order. It judges nothing."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import Any, Final, TypeVar

from shoetool.model.cards import total
from shoetool.model.naming import enum_name, irregularity_name, player_position, side_letter
from shoetool.model.protocol_table import Peek, Role, RoundEnd
from shoetool.model.records import Record
from shoetool.rules.round import Reader
from shoetool.table.actions import Action, CardPlaced, CoverCame, Insured, Peeked, Reported
from shoetool.table.card import DrawnCard
from shoetool.table.hand import Hand
from shoetool.table.turn import hand_in_turn

_A = TypeVar("_A", bound=Action)
ANSWERS: Final[dict[int, Reader]] = {int(Peek.BLACKJACK): "blackjack", int(Peek.NO_BLACKJACK): "no_blackjack"}
"""What the card reader device told, by enum.peek."""
_VOID: Final = int(RoundEnd.VOID)
_SETTLED: Final = int(RoundEnd.SETTLED)
_SEATS: Final = [[box for box in range(1, 9) if seats >> (box - 1) & 1] for seats in range(256)]


class Round:
    """One round as it was dealt.

    `actions` has all of them in order; `fold.apply` takes one. `antes` has a bit per position with a
    switch hands ante; `switch_cards` the switch hands cards of each, and `chosen` whether it played them (633c.4).
    """

    __slots__ = (
        *("actions", "antes", "boxes", "chosen", "closed", "covers", "dealer", "dealer_total", "determinant"),
        *("hands", "hole", "irregularities", "latest", "opening", "own", "selected", "shared", "switch_cards"),
        *("last", "number", "outcome", "peeked", "placed", "record", "refills", "revealed", "seats"),
        *("side", "side_record"),
    )

    def __init__(self, number: int, seats: int, record: int, antes: int = 0, selected: int = 0) -> None:
        self.number = number
        self.seats = seats
        self.antes = antes
        self.switch_cards: dict[int, list[DrawnCard]] = {}
        self.chosen: dict[int, bool] = {}
        self.record = record
        self.opening: Record | None = None
        """The record that opened it, where it came from a history."""
        self.latest: Record | None = None
        """The record of its latest action."""
        self.last = record
        self.closed = -1
        self.outcome = -1
        self.dealer_total = 0
        self.side = -1
        self.side_record = -1
        self.determinant: DrawnCard | None = None
        self.hands: dict[int, Hand] = {}
        self.boxes: dict[int, list[Hand]] = {}
        """The hands of each position as they lie, positions from the dealer's far left."""
        self.dealer: list[DrawnCard] = []
        self.selected = selected
        """Hybrid table: the player position of each terminal, two bits each, 633c.5(l)."""
        self.shared: list[DrawnCard] = []
        """Hybrid table: the cards that terminals share, as they came: community cards too; 633c.5(n), (q), (y)."""
        self.own: dict[int, list[DrawnCard]] = {}
        """Without a hole card: the dealer's cards of each terminal but his first, 633c.5(aa), (bb)."""
        self.hole: DrawnCard | None = None
        self.revealed = -1
        self.refills: dict[int, int] = {}
        """Cards that were left on a side when the rack's came in, by the record of that; 633a.14(f)."""
        self.covers: list[CoverCame] = []
        self.irregularities: list[Reported] = []
        self.actions: list[Action] = []
        self.peeked: list[Peeked] = []
        """Of them the answers of the card reader device."""
        self.placed: list[CardPlaced] = []
        """Of them each time that a card got a place."""

    @property
    def peek(self) -> int:
        """What the card reader device answered: enum.peek, -1 when it gave no answer."""
        return next((one.result for one in self.peeked if one.result <= Peek.BLACKJACK), -1)

    @property
    def insured(self) -> int:
        """A bit per position that placed insurance, -1 when none was offered."""
        return next((one.boxes for one in self.of(Insured) if one.boxes <= 0xFF), -1)

    def of(self, kind: type[_A]) -> list[_A]:
        """Its actions of one kind, in order."""
        return [action for action in self.actions if isinstance(action, kind)]

    @property
    def void(self) -> bool:
        """Whether the round was declared void."""
        return self.outcome == _VOID

    @property
    def settled(self) -> bool:
        """Whether the round was closed and counts."""
        return self.outcome == _SETTLED

    def seat_list(self) -> list[int]:
        """Betting positions with a main wager, from the dealer's far left."""
        return _SEATS[self.seats & 0xFF]

    def hand(self, box: int, hand: int) -> Hand:
        """A hand of the round, made when it gets its first card."""
        key = box << 8 | hand
        found = self.hands.get(key)
        if found is None:
            row = self.boxes.setdefault(box, [])
            if not row and max(self.boxes) > box:
                self.boxes = dict(sorted(self.boxes.items()))
            found = Hand(box, hand, root=hand)
            self.add(found, 0 if hand == 0 else len(row))
        return found

    def add(self, hand: Hand, at: int) -> None:
        """Lay a new hand into the row of its position. at: how many hands lie to its left."""
        row = self.boxes[hand.box]
        row.insert(at, hand)
        self.hands[hand.box << 8 | hand.hand] = hand
        if hand.hand == 1 or (len(row) > 1 and any(one.hand == 1 for one in row)):
            for one in row:
                one.of_several = True

    def of_root(self, hand: Hand) -> int:
        """How many hands there are of the hand as dealt that this one was split off."""
        return sum(one.root == hand.root for one in self.boxes[hand.box])

    def in_order(self) -> Iterator[Hand]:
        """The hands as they lie: positions clockwise from the dealer's far left, in each from its left."""
        return chain.from_iterable(self.boxes.values())

    def in_turn(self) -> Hand | None:
        """The hand that is next; None when no hand is left."""
        return hand_in_turn(self.in_order())

    @property
    def up_card(self) -> DrawnCard | None:
        """The dealer's card that lies face up since the deal."""
        return next((card for card in self.dealer if card.role == Role.DEALER_UP), None)

    def selection(self, box: int) -> int:
        """The player position of 1 to 3 that a terminal selected, 0 for none."""
        return player_position(self.selected, box) if self.selected else 0

    def dealer_of(self, box: int) -> list[DrawnCard]:
        """The dealer's hand that a position plays against: one of its own where there is no hole card."""
        return [*self.dealer[:1], *self.own[box]] if box in self.own else self.dealer

    def dealer_count(self) -> tuple[int, bool] | None:
        """The dealer's best count and whether it is soft; None while a card is unknown or face down."""
        faces = [card.card for card in self.dealer]
        return total(faces) if not faces or (min(faces) >= 0 and max(faces) < 52) else None

    def to_json(self) -> dict[str, Any]:
        """JSON types only: hands from the dealer's far left, every card in the order it came to its hand."""
        count = self.dealer_count() if self.dealer else None
        return {
            "round": self.number,
            "first_record": self.record,
            "last_record": self.last,
            "seats": list(self.seat_list()),
            "side": side_letter(self.side),
            "determinant": None if self.determinant is None else self.determinant.to_json(),
            "hands": [hand.to_json() for hand in self.in_order()],
            "dealer": {
                "cards": [card.to_json() for card in self.dealer],
                "total": None if count is None else count[0],
                "revealed": self.revealed >= 0,
                "peek": None if self.peek < 0 else enum_name(Peek, self.peek),
            },
            "insurance": None if self.insured < 0 else list(_SEATS[self.insured & 0xFF]),
            "switch_hands": [
                {
                    "position": box,
                    "cards": [card.to_json() for card in self.switch_cards.get(box, ())],
                    "switched": self.chosen.get(box),
                }
                for box in _SEATS[self.antes & 0xFF]
            ],
            "cover_card": bool(self.covers),
            "outcome": None if self.outcome < 0 else enum_name(RoundEnd, self.outcome),
            "irregularities": [irregularity_name(one.code) for one in self.irregularities],
            **self._hybrid_json(),
        }

    def _hybrid_json(self) -> dict[str, Any]:
        """What only a round of a hybrid table has, 633c.5."""
        found: dict[str, Any] = {}
        if self.shared:
            found["shared"] = [card.to_json() for card in self.shared]
        if self.selected:
            found["selected"] = [self.selection(box) for box in range(1, 8)]
        if self.own:
            found["dealers"] = [
                {"position": box, "cards": [card.to_json() for card in cards], "total": _total(cards)}
                for box in sorted(self.own)
                for cards in [self.dealer_of(box)]
            ]
        return found


def _total(cards: list[DrawnCard]) -> int | None:
    faces = [card.card for card in cards]
    return total(faces)[0] if all(0 <= face < 52 for face in faces) else None
