"""A round on the table: drawn cards, hands, the dealer's hand. Plain slots objects; they judge nothing."""

from __future__ import annotations

from typing import Any, Final

from shoetool.model.cards import card_name, total
from shoetool.model.naming import enum_name, irregularity_name, position_name, side_letter
from shoetool.model.protocol_table import HandEnd, Peek, RecordKind, Role, RoundEnd
from shoetool.model.records import Record

SWITCH_HAND: Final = 4
"""Hand number of a position's two switch hands cards, 633c.4(d)."""
FACE_DOWN: Final = -1
"""`DrawnCard.card` while the card lies face down and was not opened: its face is nowhere in the history yet."""


class DrawnCard:
    """One card that left the shoe. `card` is 0..51, UNKNOWN (63) or FACE_DOWN (-1).

    `record` is where it was drawn, `placed` the record that gave it its present place (it differs from `record` when a
    card drawn in error was used later), `opened` the record that turned it (-1: never, or it was never face down).
    """

    __slots__ = ("batch", "box", "card", "hand", "head", "opened", "placed", "record", "role", "sealed")

    def __init__(
        self, record: int, role: int, box: int, hand: int, head: int, card: int, batch: int, sealed: bool
    ) -> None:
        self.record = record
        self.role = role
        self.box = box
        self.hand = hand
        self.head = head
        self.card = card
        self.batch = batch
        self.sealed = sealed
        self.placed = record
        self.opened = -1

    @property
    def face(self) -> int | None:
        """What can be seen of it: None while it lies face down."""
        return None if self.card == FACE_DOWN else self.card

    @property
    def known(self) -> bool:
        """Whether the history tells the face."""
        return 0 <= self.card < 52

    def to_json(self) -> dict[str, Any]:
        """JSON types only; `card` is null while the card lies face down, `unknown` when it could not be read."""
        return {
            "record": self.record,
            "role": enum_name(Role, self.role),
            "position": position_name(self.box),
            "hand": self.hand,
            "side": side_letter(self.head),
            "card": None if self.card == FACE_DOWN else card_name(self.card),
            "face_down": self.card == FACE_DOWN,
            "dealt_face_down": self.sealed,
        }


Step = tuple[Record, DrawnCard | None, int, int, int]


class Hand:
    """One hand of a betting position; `box` 1..7, `hand` 0 (in Blackjack Switch 0 and 1) or what a split made of it.

    `switched`: it exchanged its second card with that of the other hand, 633a.12(a)(4). `switch_hand`: its first two
    cards were the position's switch hands cards, 633c.4(f)(2).
    """

    __slots__ = ("box", "cards", "doubled", "end_record", "ended", "hand", "split", "switch_hand", "switched")

    def __init__(self, box: int, hand: int, split: bool = False) -> None:
        self.box = box
        self.hand = hand
        self.cards: list[DrawnCard] = []
        self.ended = -1
        self.end_record = -1
        self.doubled = False
        self.split = split
        self.switched = False
        self.switch_hand = False

    @property
    def faces(self) -> list[int | None]:
        """What can be seen of its cards, in the order they came; None is a back."""
        return [card.face for card in self.cards]

    @property
    def known(self) -> bool:
        """Whether the face of every card of the hand is known."""
        return all(0 <= card.card < 52 for card in self.cards)

    def total(self) -> tuple[int, bool] | None:
        """Best count and whether it is soft; None while a card is unknown or face down."""
        return total([card.card for card in self.cards]) if self.known else None

    def to_json(self) -> dict[str, Any]:
        """JSON types only."""
        count = self.total()
        return {
            "position": position_name(self.box),
            "hand": self.hand,
            "cards": [card.to_json() for card in self.cards],
            "total": None if count is None else count[0],
            "soft": None if count is None else count[1],
            "doubled": self.doubled,
            "from_split": self.split,
            "switched": self.switched,
            "ended": None if self.ended < 0 else enum_name(HandEnd, self.ended),
        }


_SEATS: Final = [[box for box in range(1, 9) if seats >> (box - 1) & 1] for seats in range(256)]


class Round:
    """One round as it was dealt.

    `steps` has every record that mattered, in order: (record, card or None, role, box, hand); role, box and hand are
    those that the record gave the card, which a later record may have changed. `antes` has a bit per position with a
    switch hands ante; `asides` the switch hands cards of each, and `chosen` whether it played them (633c.4).
    """

    __slots__ = (
        *("antes", "asides", "boxes", "chosen", "closed", "covers", "dealer", "dealer_total", "determinant"),
        *("hands", "hole", "irregularities", "opening"),
        *("last", "number", "outcome", "record", "refills", "revealed", "seats", "side", "side_record", "steps"),
    )

    def __init__(self, number: int, seats: int, record: int, antes: int = 0) -> None:
        self.number = number
        self.seats = seats
        self.antes = antes
        self.asides: dict[int, list[DrawnCard]] = {}
        self.chosen: dict[int, bool] = {}
        self.record = record
        self.opening: Record | None = None
        """The record that opened it, where it came from a history."""
        self.last = record
        self.closed = -1
        self.outcome = -1
        self.dealer_total = 0
        self.side = -1
        self.side_record = -1
        self.determinant: DrawnCard | None = None
        self.hands: dict[int, Hand] = {}
        self.boxes: dict[int, list[Hand]] = {}
        self.dealer: list[DrawnCard] = []
        self.hole: DrawnCard | None = None
        self.revealed = -1
        self.refills: dict[int, int] = {}
        """Cards that were left on a side when the rack's came in, by the record of that; 633a.14(f)."""
        self.covers: list[Record] = []
        self.irregularities: list[Record] = []
        self.steps: list[Step] = []

    @property
    def peek(self) -> int:
        """What the card reader device answered: enum.peek, -1 when it gave no answer."""
        return self._told(RecordKind.PEEK, Peek.BLACKJACK)

    @property
    def insured(self) -> int:
        """A bit per position that placed insurance, -1 when none was offered."""
        return self._told(RecordKind.INSURANCE, 0xFF)

    def _told(self, kind: RecordKind, most: int) -> int:
        found = (step[0].values[0] for step in self.steps if step[0].kind == kind and step[0].values[0] <= most)
        return next((value for value in found if isinstance(value, int)), -1)

    @property
    def void(self) -> bool:
        """Whether the round was declared void."""
        return self.outcome == RoundEnd.VOID

    @property
    def settled(self) -> bool:
        """Whether the round was closed and counts."""
        return self.outcome == RoundEnd.SETTLED

    def seat_list(self) -> list[int]:
        """Betting positions with a main wager, from the dealer's far left."""
        return _SEATS[self.seats & 0xFF]

    def hand(self, box: int, hand: int) -> Hand:
        """A hand of the round, made when it gets its first card."""
        key = box << 8 | hand
        found = self.hands.get(key)
        if found is None:
            found = self.hands[key] = Hand(box, hand)
            row = self.boxes.setdefault(box, [])
            row.insert(0 if hand == 0 else len(row), found)
        return found

    def switch(self, box: int) -> bool:
        """Exchange the second cards of the two hands of a position; False when it has none to exchange."""
        first, second = (self.hands.get(box << 8 | number) for number in (0, 1))
        if first is None or second is None or len(first.cards) < 2 or len(second.cards) < 2:
            return False
        one, two = first.cards[1], second.cards[1]
        first.cards[1], second.cards[1] = two, one
        two.hand, one.hand = 0, 1
        for hand in (first, second):
            hand.switched = True
            hand.ended = hand.end_record = -1
        return True

    def split_hand(self, hand: Hand, new_hand: int) -> Hand:
        """The new hand of a split: to the right of the one it came from, as it lies on the table."""
        key = hand.box << 8 | new_hand
        new = self.hands[key] = Hand(hand.box, new_hand, split=True)
        row = self.boxes[hand.box]
        row.insert(row.index(hand) + 1, new)
        hand.split = True
        return new

    def dealer_count(self) -> tuple[int, bool] | None:
        """The dealer's best count and whether it is soft; None while a card is unknown or face down."""
        faces = [card.card for card in self.dealer]
        return total(faces) if all(0 <= face < 52 for face in faces) else None

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
            "hands": [hand.to_json() for box in sorted(self.boxes) for hand in self.boxes[box]],
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
                    "cards": [card.to_json() for card in self.asides.get(box, ())],
                    "switched": self.chosen.get(box),
                }
                for box in _SEATS[self.antes & 0xFF]
            ],
            "cover_card": bool(self.covers),
            "outcome": None if self.outcome < 0 else enum_name(RoundEnd, self.outcome),
            "irregularities": [irregularity_name(record.values[0]) for record in self.irregularities],
        }
