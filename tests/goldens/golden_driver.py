"""A dealer driven by hand: each call is one key, one card or one card in the reader, right or wrong, and nothing else.

The firmware's own dealing hears it and makes the records, as on a table.
"""

from __future__ import annotations

from in_process_shoe import InProcessShoe, PassStandIn
from shoesim.piles import Item, full_batch
from shoesim.scenario import Scenario
from shoetool.model.cards import COVER_CARD, TEST_CARDS, UNKNOWN, parse_card
from shoetool.model.protocol_table import Game, Inspection, Key, Pass, Phase, ShoeKind
from shoetool.model.records import Record

BEFORE_QUARTER = 200
"""Cards of six decks that may come before the cover card: at least 78 lie behind it."""


class Driven:
    """A shoe under somebody's hands; all methods do what they say, whether the procedure allows it or not."""

    def __init__(
        self,
        game: Game = Game.BLACKJACK,
        kind: ShoeKind = ShoeKind.SINGLE,
        decks: int = 6,
        reader: bool = False,
        max_splits: int = 3,
    ) -> None:
        self.scenario = Scenario(game, kind, decks, reader=reader, max_splits=max_splits, players=(1, 4))
        self.shoe = InProcessShoe(self.scenario)

    # --------------------------------------------------------------------------------------- one thing at a time
    def key(self, key: Key, argument: int = 0) -> Driven:
        """Press a key."""
        self.shoe.key(key, argument)
        return self

    def draw(self, *cards: str | int, head: int = 0, batch: int | None = None, damaged: bool = False) -> Driven:
        """Draw cards, of the side's batch or of another one, readable or not."""
        for card in cards:
            face = parse_card(card) if isinstance(card, str) else card
            own = self.scenario.batches[head]
            self.shoe.draw(head, Item(face, own if batch is None else batch, damaged=damaged))
        return self

    def cover(self, head: int = 0, batch: int | None = None) -> Driven:
        """Draw a cover card."""
        return self.draw(COVER_CARD, head=head, batch=batch)

    def peek(self, card: str | int, damaged: bool = False) -> Driven:
        """Slide a card into the card reader device and out."""
        face = parse_card(card) if isinstance(card, str) else card
        self.shoe.peek(Item(face, self.scenario.batches[0], damaged=damaged))
        return self

    def dirty(self, head: int = 0) -> Driven:
        """The read head is blocked."""
        self.shoe._record(self.shoe.dealing.input_pass(PassStandIn(Pass.BLOCKED, UNKNOWN, 0, head)))
        return self

    # --------------------------------------------------------------------------------------- what comes together
    def start(self, burn: str = "2C") -> Driven:
        """Inspect the reader if there is one, load, burn."""
        if self.scenario.reader:
            self.inspect()
        for side in self.scenario.rules.sides:
            self.key(Key.LOAD, side)
        if self.scenario.rules.burns:
            self.draw(burn)
        return self

    def inspect(self) -> Driven:
        """The reader passes its inspection."""
        self.key(Key.READER_TEST, Inspection.BEGIN)
        for card in TEST_CARDS:
            self.peek(card)
        return self

    def open(self, *positions: int) -> Driven:
        """Name the positions and begin a round."""
        return self.key(Key.SEATS, sum(1 << position - 1 for position in positions)).key(Key.DEAL)

    def deal(self) -> Driven:
        """A round of positions 1 and 2 up to their turn: 18 and 19 against a 7 with a king in the hole."""
        return self.open(1, 2).draw("10C", "9C", "7C", "8C", "KD", "KH")

    def stand(self, times: int = 2) -> Driven:
        """So many hands stand."""
        for _ in range(times):
            self.key(Key.NEXT_HAND)
        return self

    def finish(self) -> Driven:
        """The dealer turns his hole card, and the round ends."""
        return self.key(Key.REVEAL).key(Key.END_ROUND)

    def round(self) -> Driven:
        """A whole round by the book."""
        return self.deal().stand().finish()

    def close(self) -> Driven:
        """The gaming day ends."""
        return self.key(Key.CLOSE_SHOE)

    # --------------------------------------------------------------------------------------- the rest of a shoe
    def rest(self, *without: str) -> list[int]:
        """The cards of the batch that have not come out, but for these."""
        out: list[int] = [item.card for item in full_batch(self.scenario.declared, self.scenario.decks, 1)]
        drawn = [one[2] for one in self.shoe.inputs if one[0] == "draw" and one[2] < COVER_CARD and one[3] == 1]
        for card in (*drawn, *map(parse_card, without)):
            out.remove(card)
        return out

    def play_on(self, cards: list[int]) -> Driven:
        """Play rounds of position 1, which always stands, until the cards are used up."""
        left = list(cards)
        self.open(1)
        while left:
            match self.shoe.dealing.phase:
                case Phase.PLAYERS:
                    self.key(Key.NEXT_HAND)
                case Phase.DEALER if not self.shoe.dealing.st.revealed:
                    self.key(Key.REVEAL)
                case Phase.SETTLING:
                    self.key(Key.END_ROUND)
                case Phase.READY:
                    self.key(Key.DEAL)
                case _:
                    self.draw(left.pop(0))
        return self

    def records(self) -> list[Record]:
        """The history so far."""
        return self.shoe.history()
