"""The state that a replay keeps: the shoe's configuration, its sides, the round on the table, cards face down."""

from __future__ import annotations

from typing import Final, NamedTuple

from shoetool.model.protocol_table import Game, ShoeKind
from shoetool.model.records import Record
from shoetool.rules.games import game_of_shoe
from shoetool.table.actions import CardPlaced
from shoetool.table.card import DrawnCard
from shoetool.table.round import Round
from shoetool.table.side import Side

OTHER: Final = "other"
OUTSIDE_ROUND: Final = "card outside a round"
CONTINUOUS: Final = 2
"""Bit of `Table.options`: continuous shuffler, 633a.5(h)."""
SWITCH_HANDS: Final = 128
HANDS_LAST: Final = 256
PREMIUM: Final = 512
"""Bits of `Table.options`: switch hands, its cards after the Blackjack hands, Blackjack premium; 633c.4, (j), (k)."""
EXTRA_CARD: Final = 1024
"""Bit of `Table.options`: two 7s get one more card after the dealer's Blackjack, 633c.9(d)(4)."""
NOT_SEALED: Final = "opening of no sealed card"
ROUND_LEFT_OPEN: Final = "round never closed"


class Anomaly(NamedTuple):
    """A record that does not fit what came before it: its number, what is odd as a sentence, and which sort it is."""

    record: int
    text: str
    sort: str = OTHER


class Table:
    """What is known after the record just folded in. One object for the whole replay: read it, do not keep it."""

    def __init__(self) -> None:
        self.game = int(Game.BLACKJACK)
        self.shoe_kind = int(ShoeKind.SINGLE)
        self.decks = 0
        self.batches = (0, 0)
        self.side_a_color = 0
        self.positions = 7
        self.options = 0
        self.antes = 0
        """Positions with a switch hands ante for the rounds to come, as the key for it said."""
        self.seats = 0
        """A bit per position with a main wager for the rounds to come, as the key for it said."""
        self.selected = 0
        """The player position of each terminal, two bits each, as the key for it said; 633c.5(l)."""
        self.inspecting = False
        """The card reader device is being inspected with its test cards."""
        self.number = 0
        """The number of the gaming table."""
        self.double = False
        """Whether the shoe has two sides (633a.1 Double shoe)."""
        self.spanish = False
        """Whether the decks have no 10s (635a.3(a) composition)."""
        self.side_decks = 0
        """Decks on one side."""
        self.shoe_open = False
        self.shoes = 0
        self.rounds = 0
        self.cards = 0
        self.boots = 0
        self.shoe_record = -1
        self.shoe_cards = 0
        """All that came out since this shoe was opened, cards that lay face up in it included."""
        self.shoe_rounds = 0
        self.foreign_told = -1
        """Record of the shoe's last report of a card of another batch."""
        self.sides = [Side(), Side()]
        self.previous_sides: list[Side] | None = None
        self.round: Round | None = None
        self.closed_round: Round | None = None
        """The round that the record just folded in brought to its end (closed, or broken off), else None."""
        self.card: DrawnCard | None = None
        """The card that the record just folded in drew, turned or moved, else None."""
        self.held: list[DrawnCard] = []
        self.face_down: dict[int, DrawnCard] = {}
        self.faults: dict[int, Record] = {}
        self.gap = False
        """Records are missing in the round or shoe at hand: what depends on all of it cannot be judged."""
        self.anomaly: Anomaly | None = None
        """What is odd about the record just folded in, else None."""

    def configure(self, values: tuple[int, ...]) -> None:
        """Take the set-up of a shoe_opened record."""
        (self.game, self.shoe_kind, self.decks, batch_a, batch_b, self.side_a_color, self.positions) = values[:7]
        self.options, self.number = values[7:9]
        self.antes = self.seats = self.selected = 0
        self.batches = (batch_a, batch_b)
        self.double = self.shoe_kind == ShoeKind.DOUBLE
        declared = game_of_shoe(self.game)
        self.spanish = declared is not None and not declared.facts.tens
        self.side_decks = self.decks // 2 if self.double else self.decks

    def antes_of(self, seats: int) -> int:
        """Positions of `seats` that are dealt switch hands cards: with Blackjack premium those with an ante."""
        if not self.options & SWITCH_HANDS:
            return 0
        return seats & self.antes if self.options & PREMIUM else seats

    def side_name(self, index: int) -> str:
        """A side of a double shoe by its letter; a single shoe, and a head that is no side, are the shoe."""
        return f"side {'AB'[index]}" if self.double and index < 2 else "the shoe"

    def batch_size(self) -> int:
        """Cards of a full batch on one side, without the cover card."""
        return self.side_decks * (48 if self.spanish else 52)

    def find(self, number: int) -> DrawnCard | None:
        """The card that record `number` drew, if it lies on the table: held, in a hand, or face down."""
        for drawn in self.held:
            if drawn.record == number:
                return drawn
        if self.round is not None:
            for action in self.round.actions:
                if isinstance(action, CardPlaced) and action.card.record == number:
                    return action.card
        return self.face_down.get(number)
