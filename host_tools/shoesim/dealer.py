"""A dealer who runs a table from the first load to the last cover card, as the procedure has it or as a plant asks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Final

from shoetool.model.protocol_table import Clear, Key, Position, Role, ShoeKind

from shoesim.dealer_draw import Drawer, Rules, Shoe
from shoesim.dealer_peek import inspect
from shoesim.dealer_round import RoundPlay
from shoesim.dealer_truth import Truth
from shoesim.errors import SimulationError
from shoesim.hybrid_round import HybridPlay
from shoesim.piles import Item, Piles, full_batch, least_behind, shuffle_and_cut
from shoesim.plants import PlantBook

_ANY_ROUND: Final = 1 << 30


@dataclass(frozen=True, slots=True, kw_only=True)
class Habits:
    """How the simulated table runs beside the rules; a scenario has them.

    `rounds`: rounds at most on a shoe (None: to the cover card); `shoes`: histories, one after the other; `players`:
    least and most betting positions in play; `dealer_every`: rounds until the next dealer comes; `count`: the rest of
    a side is counted after its cover card came; `behind`: cards behind the cover card (None: a legal depth by seed).
    """

    rounds: int | None = None
    shoes: int = 1
    players: tuple[int, int] = (4, 7)
    dealer_every: int = 12
    count: bool = True
    behind: int | None = None


@dataclass(frozen=True, slots=True)
class Progress:
    """Reported after every round and shoe: cards drawn of `cards` on the side nearest to its end."""

    shoe: int
    round: int
    drawn: int
    cards: int


class Dealer:
    """Plays a whole scenario on a shoe; `run` returns the truth."""

    def __init__(
        self,
        shoe: Shoe,
        rules: Rules,
        habits: Habits,
        book: PlantBook,
        seed: int,
        on_progress: Callable[[Progress], None] | None = None,
    ) -> None:
        self.rng = Random(f"dealer {seed}")
        self.rules = rules
        self.habits = habits
        self.piles = Piles()
        self.truth = Truth(seed)
        self.drawer = Drawer(shoe, rules, self.piles, self.truth, book, self.rng)
        self.play = HybridPlay if rules.game.facts.community else RoundPlay
        self.shoe = shoe
        self.book = book
        self.on_progress = on_progress
        self.boxes: list[int] = []
        self.since_change = 0
        self.day_begun = False  # the reader was inspected, or left uninspected
        self.missing: set[int] = set()  # sides that were loaded with a card too few

    def run(self) -> Truth:
        """Load, deal and count every shoe of the scenario; the last history is closed with the close-shoe key."""
        for number in range(self.habits.shoes):
            if number and not self.drawer.cover_out:
                self.shoe.key(Key.CLOSE_SHOE)
                self.day_begun = False
            self._begin_day()
            self._load(sorted(self.drawer.cover_out) or list(self.rules.sides))
            while not self._shoe_is_over():
                self._before_round()
                if self._is_empty():  # the burn card was the last one
                    break
                play = self.play(self.drawer, self._seat_players(), self.rng)
                self.truth.played.append(play.round)
                play.play()
                self._report_progress()
            self._after_last_round()
        self.shoe.key(Key.CLOSE_SHOE)
        self.drawer.expect_no_stop("the end of the shoe")
        self.truth.plants = self.book.happened
        return self.truth

    def _begin_day(self) -> None:
        """Inspect the card reader device before the first shoe of a gaming day, 633a.2(f)."""
        if self.day_begun or not self.rules.reader:
            return
        self.day_begun = True
        if self.book.due("no_inspection", _ANY_ROUND):
            self.book.happens("no_inspection", 1)
        else:
            inspect(self.drawer)

    # ------------------------------------------------------------------------------------------- loading

    def _load(self, sides: list[int]) -> None:
        drawer = self.drawer
        drawer.rounds = drawer.selected = 0
        drawer.voided = False
        self.truth.shoes += 1
        for side in sides:
            self.piles.sides[side] = self._new_stack(side)
            drawer.cover_out.discard(side)
            drawer.refilled.discard(side)
            self.shoe.key(Key.LOAD, side)
            self.drawer.expect_no_stop("a load")
            if self.rules.burns:
                self._burn("no_burn")

    def _burn(self, skip: str) -> None:
        """Burn one card face down, 633a.7(c); a plant leaves it out, which shows when the round is opened."""
        deal = self.rules.game.deal
        early = skip == "no_burn" and not deal.burns
        if self.book.due(skip, _ANY_ROUND if early else self.drawer.rounds + 1):
            self.book.happens(skip, self.drawer.rounds + 1, clause=deal.burn_clause or None)
            self.drawer.burn_skipped = True
            return
        self.drawer.take(0, Role.BURN, Position.RACK, face_down=True)

    def _new_stack(self, side: int) -> list[Item]:
        """Collect, shuffle and cut a batch and place its cover card, 633a.5; plants change the batch here."""
        batch = self.rules.batches[side]
        full = full_batch(self.rules.game, self.rules.decks_a_side, batch)
        cards = self.piles.take_batch(batch)
        if sorted(item.card for item in cards) != sorted(item.card for item in full):
            cards = full  # a new batch at the beginning, and after one that was not whole
        least = least_behind(len(cards))
        behind = self.habits.behind
        if behind is None:
            behind = least + self.rng.randint(0, max(0, len(cards) // 12))
        if self.book.due("missing_card", _ANY_ROUND):
            lost = cards.pop(self.rng.randrange(len(cards)))
            self.piles.removed.append(lost)
            self.missing.add(side)
        if self.book.due("too_few_cards", _ANY_ROUND):
            behind = 0
        elif self.book.due("cover_card_too_deep", _ANY_ROUND):
            behind = self.rng.randint(least // 2, least - 1)
        stack = shuffle_and_cut(cards, batch, behind, self.rng)
        if self.book.due("extra_card", _ANY_ROUND) and self.drawer.extra_card is None:
            stack = shuffle_and_cut(cards, batch, behind + 1, self.rng)  # a quarter lies behind it all the same
            self._add_extra_card(stack, batch, behind)
        return stack

    def _add_extra_card(self, stack: list[Item], batch: int, behind: int) -> None:
        """Put one copy too many of a card in, and all its copies so early that the last one comes out."""
        extra = self.rng.choice([item.card for item in stack if not item.is_cover])
        stack.insert(self.rng.randrange(5, max(6, len(stack) // 3)), Item(extra, batch))
        early = (self.book.planned("extra_card") or 1) * 14
        window = range(2, max(12, min(early, len(stack) - behind - 1)))
        places = self.rng.sample(window, min(len(window), self.rules.decks_a_side + 1))
        copies = [index for index, item in enumerate(stack) if item.card == extra]
        for place in places:
            if stack[place].card == extra or stack[place].is_cover:
                continue
            index = copies[-1]
            if index in places:
                copies.pop()
                continue
            stack[place], stack[index] = stack[index], stack[place]
            copies.pop()
        self.drawer.extra_card = extra

    # ------------------------------------------------------------------------------------------- rounds

    def _is_empty(self) -> bool:
        """Whether a side holds no card. Where its cover card did not come before the last one, it lay too deep."""
        empty = {side for side in self.rules.sides if not self.piles.left(side)}
        for _ in empty - self.drawer.cover_out - self.drawer.refilled:
            self.book.happens("cover_card_too_deep", self.drawer.rounds)
        self.drawer.cover_out |= empty
        return bool(empty)

    def _shoe_is_over(self) -> bool:
        self._is_empty()
        limit = self.habits.rounds
        return bool(self.drawer.cover_out) or (limit is not None and self.drawer.rounds >= limit)

    def _before_round(self) -> None:
        self.since_change += 1
        skip = self.book.due("no_dealer_burn", self.drawer.rounds + 1)
        if skip or (self.since_change > self.habits.dealer_every and self.drawer.rounds > 0):
            self.since_change = 0
            self.shoe.key(Key.NEW_DEALER)
            if self.rules.burns and not self.rules.game.deal.burns:
                self._burn("no_dealer_burn")
        if self.rules.game.deal.burns and self.drawer.rounds > 0:
            self._burn("no_burn")

    def _seat_players(self) -> list[int]:
        """Return the betting positions in play: mostly those of the last round, now and then others."""
        least, most = self.habits.players
        positions = range(1, self.rules.positions + 1)
        if not self.boxes or self.rng.random() < 0.15:
            most = min(most, self.rules.positions)
            self.boxes = sorted(self.rng.sample(positions, self.rng.randint(min(least, most), most)))
        return self.boxes

    def _report_progress(self) -> None:
        if self.on_progress is None:
            return
        left = min(self.piles.left(side) for side in self.rules.sides)
        cards = self.rules.cards_a_side
        self.on_progress(Progress(self.truth.shoes, self.drawer.rounds, cards - left, cards))

    # ------------------------------------------------------------------------------------------- the end of a shoe

    def _after_last_round(self) -> None:
        if not self.drawer.cover_out:
            return
        if self.book.due("round_after_cover", _ANY_ROUND) and not self.drawer.voided:
            self._deal_on()
        if self.habits.count and not self.drawer.voided:
            for side in sorted(self.drawer.cover_out):
                self._count(side)

    def _deal_on(self) -> None:
        """Deal on after the last round, though the cards must be shuffled first, 633a.7(e)."""
        side = min(self.drawer.cover_out)
        if not self.piles.left(side):
            return
        first = len(self.truth.cards)
        for _ in range(min(3, self.piles.left(side))):
            self.drawer.take(side, Role.STOPPED, Position.TABLE, face_down=True)
        self.book.happens("round_after_cover", self.drawer.rounds, range(first, len(self.truth.cards)))

    def _count(self, side: int) -> None:
        """Draw the rest of a side to prove that no card is missing, 633a.7(e)(1)-(2)."""
        self.shoe.key(Key.COUNT, side)
        while self.piles.left(side):
            self.drawer.take(side, Role.COUNTED, Position.RACK)
        self.shoe.key(Key.COUNT, side)
        missing = side in self.missing
        if missing:
            self.missing.discard(side)
            clause = "633a.7(e)(2)" if self.rules.shoe_kind == ShoeKind.DOUBLE else None
            self.book.happens("missing_card", 0, clause=clause)
        if self.drawer.stopped():
            extra = any(plant.name == "extra_card" for plant in self.book.happened)
            if not (missing or extra or self.drawer.extra_card is not None):
                raise SimulationError(f"the count of side {side} found something wrong")
            self.drawer.clear(Clear.RESUME)
