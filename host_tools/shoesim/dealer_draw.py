"""The dealer's hand at the shoe: one card taken as the procedure wants it, whatever comes out instead.

Cover cards are set aside, face-up cards left out, a stopped game is cleared with the supervisor key, an empty shoe is
refilled. All that happens is written into the truth.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Protocol

from shoetool.model.cards import is_ten
from shoetool.model.naming import OPTION_BITS
from shoetool.model.protocol_table import Clear, Key, Lamp, Position, Role, ShoeKind
from shoetool.rules.games import GAMES, Game
from shoetool.table.table import EXTRA_CARD, SWITCH_HANDS

from shoesim.dealer_truth import TrueCard, Truth
from shoesim.errors import SimulationError
from shoesim.piles import Item, Piles, least_behind, shuffle_and_cut
from shoesim.plants import PlantBook

READER = 1 << OPTION_BITS["card_reader"]
_FACE_DOWN_DOUBLE = 1 << OPTION_BITS["face_down_double"]
TRIES = 4  # how often a card that could not be read is put back and drawn again


@dataclass(frozen=True, slots=True)
class Lamps:
    """What the panel shows: the lamp bits of the protocol source and the card stop."""

    mask: int
    card_stop: bool

    def on(self, lamp: Lamp) -> bool:
        """Tell whether a lamp is lit."""
        return bool(self.mask >> lamp & 1)

    @property
    def side(self) -> int | None:
        """The head that the side lamps send the dealer to; None when neither or both are lit."""
        lit = self.on(Lamp.DEAL_A), self.on(Lamp.DEAL_B)
        return None if lit[0] == lit[1] else int(lit[1])


class Shoe(Protocol):
    """What a dealer can do to a shoe; the rig and the in-process stand-in of the tests both are one."""

    def key(self, key: Key, argument: int = 0) -> None:
        """Press a panel key."""

    def draw(self, head: int, item: Item) -> None:
        """Pull one thing all the way out through a read head."""

    def peek(self, item: Item) -> None:
        """Slide a card face down into the card reader device and out again, and wait for its answer."""

    def lamps(self) -> Lamps:
        """Wait until the shoe has settled and look at the panel."""

    def wait(self, seconds: float) -> None:
        """Let simulated time pass."""


@dataclass(frozen=True, slots=True)
class Rules:
    """What the table was set up for: its game, and the settings of the protocol source that a dealer must know."""

    game: Game = GAMES["blackjack"]
    shoe_kind: ShoeKind = ShoeKind.SINGLE
    decks: int = 6
    batches: tuple[int, int] = (1, 2)
    side_a_color: int = 0
    positions: int = 7
    max_splits: int = 3
    options: int = 0

    @property
    def sides(self) -> tuple[int, ...]:
        """The heads of this shoe."""
        return (0, 1) if self.shoe_kind == ShoeKind.DOUBLE else (0,)

    @property
    def decks_a_side(self) -> int:
        """Decks in each side."""
        return self.decks // len(self.sides)

    @property
    def cards_a_side(self) -> int:
        """Cards of a full batch on one side."""
        return self.decks_a_side * len(self.game.deck)

    @property
    def double_card_face_down(self) -> bool:
        """Whether the card on a double lies face down, 633a.10(c)."""
        return bool(self.options & _FACE_DOWN_DOUBLE)

    @property
    def reader(self) -> bool:
        """Whether the table has a card reader device, 633a.2(f)."""
        return bool(self.options & READER)

    @property
    def max_hands(self) -> int:
        """Hands that a hand as dealt may become by splits: what the table allows, and never more than the game."""
        return min(self.max_splits + 1, self.game.max_hands or self.max_splits + 1)

    @property
    def switch_hands(self) -> bool:
        """Whether players get two face-down switch hands cards, 633c.4."""
        return bool(self.options & SWITCH_HANDS)

    @property
    def extra_card(self) -> bool:
        """Whether two 7s get one more card after the dealer's Blackjack, 633c.9(d)(4)."""
        return bool(self.options & EXTRA_CARD)

    @property
    def burns(self) -> bool:
        """Whether loads and new dealers owe a burn card: not in a double shoe, 633a.7(d), nor at a hybrid table."""
        return self.shoe_kind == ShoeKind.SINGLE and self.game.facts.burn_card


class RoundVoidError(Exception):
    """The round became void while a card was drawn (635a.13(a) more, (b) more)."""


class Drawer:
    """Takes cards out of the shoe and keeps piles and truth right."""

    def __init__(self, shoe: Shoe, rules: Rules, piles: Piles, truth: Truth, book: PlantBook, rng: Random) -> None:
        self.shoe = shoe
        self.rules = rules
        self.piles = piles
        self.truth = truth
        self.book = book
        self.rng = rng
        self.round = 0  # number of the round in play, 0 between rounds
        self.rounds = 0  # rounds opened on this shoe
        self.selected = 0  # the player position of each terminal, two bits each, 633c.5(l)
        self.cover_out: set[int] = set()
        self.extra_card: int | None = None  # card id of which one copy too many was put in
        self.blanks = 0  # face-up cards in this round
        self.tens = 0  # 10s in this round, Spanish 21
        self.refilled: set[int] = set()  # sides that hold rack cards, not a full batch
        self.voided = False  # a round was voided: the cards must be shuffled, and some may be out of play
        self.burn_skipped = False  # a burn card is still owed

    def take(self, head: int, role: Role, box: int, hand: int = 0, *, face_down: bool = False) -> TrueCard:
        """Take the next usable card for its purpose and return it.

        Raises RoundVoidError when what came out voids the round, SimulationError when the shoe does something that
        the procedure does not explain.
        """
        while True:
            if not self.piles.sides.get(head):
                self._refill(head)
            item = self.piles.draw(head)
            if item.is_cover:
                self._set_cover_aside(head, item)
            elif item.face_up:
                self._leave_face_up_card_out(head, item)
            elif item.batch != self.rules.batches[head]:
                self._remove_foreign_card(head, item)
            elif not self.rules.game.facts.tens and is_ten(item.card):
                self._remove_ten(head, item)
            elif self._pull(head, item, role):
                return self._note(head, item, role, box, hand, face_down)

    def _note(self, head: int, item: Item, role: Role, box: int, hand: int, face_down: bool) -> TrueCard:
        if role in (Role.BURN, Role.DISCARDED, Role.COUNTED):
            self.piles.rack.append(item)
        elif role == Role.DETERMINANT_ASIDE:
            self.piles.segregated.append(item)
        else:
            self.piles.in_play.append(item)
        cards = self.truth.cards
        card = TrueCard(len(cards), (role, box, hand), item, head, self.round, face_down)
        cards.append(card)
        return card

    def _pull(self, head: int, item: Item, role: Role) -> bool:
        """Pull a card of this side; tell whether it may be used.

        A copy too many is taken out and the next card takes its place, unless it has chosen the side already.
        """
        for _ in range(TRIES):
            self.shoe.draw(head, item)
            if not self.stopped():
                return True
            if item.damaged:
                self.book.happens("unreadable_card", self.round, (len(self.truth.cards),))
                self.clear(Clear.CARD_UNKNOWN)
                return True
            if item.card == self.extra_card:
                self.extra_card_shows()
                if role == Role.DETERMINANT_FIRST:
                    self.clear(Clear.RESUME)
                    return True
                self.clear(Clear.CARD_REMOVED)
                self._note_removed(head, item, Role.DISCARDED, Position.NONE)
                return False
            self.clear(Clear.REREAD)
        raise SimulationError(f"card {item.card} on side {head} could not be read in {TRIES} tries")

    def stopped(self) -> bool:
        """Look whether the card stop is engaged."""
        return self.shoe.lamps().card_stop

    def expect_no_stop(self, after: str) -> None:
        """Raise SimulationError when the game is stopped though nothing is wrong.

        A face-down copy too many of a card shows when it is turned; the floorperson lets the round go on.
        """
        if not self.stopped():
            return
        if self.extra_card is not None:
            self.extra_card_shows()
            self.clear(Clear.RESUME)
        else:
            raise SimulationError(f"the shoe stopped the game after {after} in round {self.round}")

    def clear(self, how: Clear) -> None:
        """Press the supervisor key and see that the game goes on."""
        self.shoe.key(Key.SUPERVISOR, int(how))
        if self.stopped():
            raise SimulationError(f"the card stop stays engaged after supervisor {how.name.lower()}")

    def _set_cover_aside(self, head: int, item: Item) -> None:
        for _ in range(TRIES):
            self.shoe.draw(head, item)
            if not self.stopped():
                break
            self.clear(Clear.REREAD)
        self.piles.covers.append(item)
        self.truth.cover_after.append((head, len(self.truth.cards)))
        self.cover_out.add(head)
        if head not in self.refilled and self.piles.left(head) < least_behind(self.rules.cards_a_side):
            self.book.happens("cover_card_too_deep", self.round)
        self.expect_no_stop("a cover card")

    def _leave_face_up_card_out(self, head: int, item: Item) -> None:
        self.shoe.draw(head, item)
        (self.piles.segregated if self.rules.shoe_kind == ShoeKind.DOUBLE else self.piles.rack).append(item)
        self.blanks += 1
        self.truth.blanks += 1
        self.expect_no_stop("a face-up card")
        if self.rules.game.clauses.second_face_up_card and self.blanks > 1:
            self.book.happens("second_face_up", self.round)
            self._void(head)
        self.book.happens("face_up_card", self.round)

    def _note_removed(self, head: int, item: Item, role: Role, box: int) -> None:
        """Note a card that was taken out of play for good."""
        self.piles.removed.append(item)
        self.truth.cards.append(TrueCard(len(self.truth.cards), (role, box, 0), item, head, self.round))

    def extra_card_shows(self) -> None:
        """Note that the one copy too many became visible."""
        self.book.happens("extra_card", self.round)
        self.extra_card = None

    def _remove_foreign_card(self, head: int, item: Item) -> None:
        """A card of another batch stops the game and is taken out."""
        self.shoe.draw(head, item)
        if not self.stopped():
            raise SimulationError(f"the shoe did not stop at a card of batch {item.batch} in round {self.round}")
        self.book.happens("foreign_card", self.round, (len(self.truth.cards),))
        self.clear(Clear.CARD_REMOVED)
        self._note_removed(head, item, Role.STOPPED, Position.TABLE)

    def _remove_ten(self, head: int, item: Item) -> None:
        self.shoe.draw(head, item)
        self.tens += 1
        self._note_removed(head, item, Role.DISCARDED, Position.NONE)
        if self.tens > 1:
            self.book.happens("second_ten", self.round)
            if self.stopped():
                self.clear(Clear.CARD_REMOVED)
            self._void(head)
        self.book.happens("ten_found", self.round)
        self.expect_no_stop("a 10")

    def _void(self, head: int) -> None:
        self.voided = True
        self.cover_out.add(head)
        raise RoundVoidError

    def _refill(self, head: int) -> None:
        """Too few cards: shuffle and cut rack and segregated cards, load, burn one, go on (633a.14(f))."""
        batch = self.rules.batches[head]
        cards = [item for place in (self.piles.rack, self.piles.segregated) for item in place if item.batch == batch]
        if not cards:
            raise SimulationError(f"side {head} is empty and there are no cards to refill it")
        for place in (self.piles.rack, self.piles.segregated):
            place[:] = [item for item in place if item.batch != batch]
        for item in cards:
            item.face_up = False
        self.piles.covers[:] = [item for item in self.piles.covers if item.batch != batch]
        behind = min(len(cards), least_behind(self.rules.cards_a_side))
        self.piles.sides[head] = shuffle_and_cut(cards, batch, behind, self.rng)
        self.refilled.add(head)
        self.cover_out.discard(head)  # a cover card is set again
        self.shoe.key(Key.REFILL, head)
        self.book.happens("too_few_cards", self.round)
        self.take(head, Role.BURN, Position.RACK, face_down=True)

    def set_aside(self, card: TrueCard) -> None:
        """Move the card drawn last from the table to the segregated area (633a.7(d)(2) mismatch)."""
        if self.piles.in_play and self.piles.in_play[-1].card == card.card:
            self.piles.segregated.append(self.piles.in_play.pop())

    def to_rack(self, cards: list[TrueCard]) -> None:
        """Put the paper of cards that lie on the table into the discard rack."""
        for card in cards:
            item = next(item for item in self.piles.in_play if (item.card, item.batch) == (card.card, card.batch))
            self.piles.in_play.remove(item)
            self.piles.rack.append(item)

    def put_ten(self, head: int, index: int) -> None:
        """Put a 10 of this side's batch into the stack (Spanish 21 has none)."""
        ten = self.rng.choice([card for card in range(52) if is_ten(card)])
        self.piles.sides[head].insert(index, Item(ten, self.rules.batches[head]))

    def put_foreign_card(self, head: int, index: int) -> None:
        """Put a card of a batch into the stack that is not loaded on this side."""
        foreign = next(batch for batch in range(1, 63) if batch not in self.rules.batches)
        if self.rules.shoe_kind == ShoeKind.DOUBLE and self.rng.random() < 0.5:
            foreign = self.rules.batches[1 - head]
        self.piles.sides[head].insert(index, Item(self.rng.randrange(52), foreign))
