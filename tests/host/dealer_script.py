"""A dealer who plays whole shoes into a `Script`: legal random games, and one planted irregularity when asked.

Written from the clauses and from protocol.toml, as the tests' own statement of what a history looks like; it shares no
code with the firmware, the replay or the checks.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

from histories import Script
from shoetool.model.protocol_table import (
    FaultCode,
    Finish,
    Game,
    HandEnd,
    Position,
    Role,
    ShoeKind,
)
from shoetool.model.protocol_table import (
    IrregularityCode as Irr,
)

SPANISH_TENS = {9, 22, 35, 48}
COVER = 52


def count(cards: list[int]) -> int:
    hard = sum(min(card % 13 + 1, 10) for card in cards)
    return hard + 10 if hard <= 11 and any(card % 13 == 0 for card in cards) else hard


@dataclass
class Table:
    """What the house set."""

    game: Game = Game.BLACKJACK
    kind: ShoeKind = ShoeKind.SINGLE
    decks: int = 6
    seats: int = 0b1111111
    color: int = 0
    options: int = 0

    @property
    def sides(self) -> int:
        return 2 if self.kind == ShoeKind.DOUBLE else 1

    @property
    def batch(self) -> int:
        return self.decks // self.sides * (48 if self.game == Game.SPANISH_21 else 52)


class Hand:
    def __init__(self, box: int, number: int, split: bool = False) -> None:
        self.box, self.number, self.split = box, number, split
        self.cards: list[int] = []
        self.ended: HandEnd | None = None
        self.held_back = False


class Dealer:
    """Plays; `plant` names the irregularity to commit once, at the first round that allows it from round 2 on."""

    def __init__(self, table: Table, seed: int, plant: str = "", script: Script | None = None) -> None:
        self.table = table
        self.rng = random.Random(seed)
        self.plant = plant
        self.planted = False
        self.script = script or Script()
        self.add = self.script.add
        self.stacks: list[list[int]] = [[], []]
        self.loaded = [0, 0]
        self.out = [0, 0]
        self.covers = [False, False]
        self.round = 0
        self.sealed_burns: list[int] = []
        self.held: tuple[int, int] | None = None  # record and card of a card drawn in error
        self.held_sealed = False
        self.side = 0
        self.phase = 1
        self.due_box = 15
        self.in_round = False

    # ------------------------------------------------------------------------------------------------ shoe
    def fresh(self, side: int) -> list[int]:
        deck = [c for c in range(52) if self.table.game != Game.SPANISH_21 or c not in SPANISH_TENS]
        stack = deck * (self.table.decks // self.table.sides)
        self.rng.shuffle(stack)
        return stack

    def open_shoe(self) -> None:
        t = self.table
        self.add(
            "shoe_opened", t.game, t.kind, t.decks, 1, 2, t.color, 7 if t.game != Game.FREE_BET else 6, t.options, 9
        )
        for side in range(t.sides):
            self.load(side)

    def load(self, side: int) -> None:
        stack = self.fresh(side)
        if self.plant == "missing_card":
            self.planted = True
            stack.pop(len(stack) // 2)
        if self.plant == "extra_card":
            self.planted = True
            card = stack[0]
            copies = stack.count(card) + 1
            stack = [other for other in stack if other != card]
            stack[3:3] = [card] * copies
        behind = self.rng.randint(-(-self.table.batch // 4), self.table.batch // 2)
        if self.plant == "cover_card_too_deep":
            self.planted = True
            behind = self.table.batch // 4 - 10
        if self.plant in ("too_few_cards", "refill_without_burn"):
            behind = 0
        stack.insert(len(stack) - behind, COVER)
        if self.plant in ("too_few_cards", "refill_without_burn"):
            stack.remove(COVER)
        self.stacks[side] = stack
        self.loaded[side] = self.table.batch
        self.out[side] = 0
        self.covers[side] = False
        self.add("loaded", side, self.table.batch)
        if self.table.kind == ShoeKind.SINGLE and not (self.plant == "no_burn" and self.mark()):
            self.burn()

    def mark(self) -> bool:
        """Note that the plant happened; True once."""
        if self.planted:
            return False
        self.planted = True
        return True

    def want(self, name: str, enough: bool = True) -> bool:
        return self.plant == name and enough and self.round >= 2 and self.mark()

    def pull(self, side: int) -> int:
        """The next card of a side; cover cards and refills on the way are recorded."""
        while True:
            if not self.stacks[side]:
                self.refill(side)
            card = self.stacks[side].pop(0)
            if card == COVER:
                self.add("cover_card", side, self.phase, self.due_box, 1 + side)
                self.covers[side] = True
                continue
            self.out[side] += 1
            return card

    def refill(self, side: int) -> None:
        self.mark()
        self.add("irregularity", Irr.TOO_FEW_CARDS, 15, 0, side, 0)
        stack = self.fresh(side)[:100]
        self.stacks[side] = [*stack, COVER]
        self.add("refilled", side, 100)
        if self.plant != "refill_without_burn":
            card = self.stacks[side].pop(0)
            self.sealed_burns.append(self.script.seal(Role.BURN, Position.RACK, 0, side, card, 1 + side))

    def burn(self) -> None:
        self.phase, self.due_box = 2, Position.RACK
        card = self.pull(0)
        self.sealed_burns.append(self.script.seal(Role.BURN, Position.RACK, 0, 0, card, 1))

    def new_dealer(self, number: int) -> None:
        self.add("dealer_changed", number)
        if self.table.kind == ShoeKind.SINGLE and not self.want("no_dealer_burn"):
            self.burn()

    # ------------------------------------------------------------------------------------------------ cards
    def give(self, role: Role, box: int, hand: int = 0) -> int:
        """One card to its place, face up; a held card first."""
        self.due_box = box
        if self.held is not None:
            record, card = self.held
            self.held = None
            if self.held_sealed:
                self.script.open(record, role, box, hand)
            else:
                self.add("moved", record, role, box, hand)
            return card
        if self.want("face_up_card", role == Role.OPENING) or (
            self.plant == "second_face_up" and role == Role.OPENING and self.round >= 2 and self.blanks < 2
        ):
            self.blank()
        side = self.side
        if self.wrong:
            side = 1 - side
            self.add("irregularity", Irr.WRONG_SIDE, box, hand, side, 0)
        if self.want("unreadable_card", role in (Role.OPENING, Role.DRAW)):
            self.pull(side)
            self.add("fault", FaultCode.UNREADABLE, side, 3)
            self.add("cleared", FaultCode.UNREADABLE, 1)
            self.add("irregularity", Irr.CARD_UNKNOWN, box, hand, side, 0)
            self.add("card", role, box, hand, side, 63, 0, 300, 0)
            return 63
        if self.want("foreign_card", role == Role.OPENING):
            self.add("fault", FaultCode.FOREIGN_BATCH, side, 30)
            self.add("irregularity", Irr.FOREIGN_BATCH, box, hand, side, 7)
            self.add("card", Role.STOPPED, Position.RACK, 0, side, 7, 30, 300, 200)
            self.add("cleared", FaultCode.FOREIGN_BATCH, 3)
        if self.plant in ("ten_found", "second_ten") and role == Role.OPENING and self.round >= 2:
            need = 2 if self.plant == "second_ten" else 1
            while self.tens < need:
                self.tens += 1
                self.mark()
                code = Irr.TEN_FOUND if self.tens == 1 else Irr.SECOND_TEN_FOUND
                self.add("card", Role.DISCARDED, Position.RACK, 0, side, 22, 1, 300, 200)
                self.add("irregularity", code, box, hand, side, 22)
        card = self.pull(side)
        self.add("card", role, box, hand, side, card, 1 + side, 300, 200)
        return card

    tens = 0
    blanks = 0
    wrong = False

    def blank(self) -> None:
        self.blanks += 1
        self.planted = True
        self.pull(self.side)
        code = Irr.FACE_UP_CARD
        if self.plant == "second_face_up" and self.blanks == 2:
            code = Irr.SECOND_FACE_UP_CARD
        self.add("irregularity", code, 15, 0, self.side, 0)

    def end_hand(self, hand: Hand, why: HandEnd) -> None:
        hand.ended = why
        self.add("hand_ended", hand.box, hand.number, why)

    # ------------------------------------------------------------------------------------------------ a round
    def seats(self) -> list[int]:
        return [box for box in range(1, 8) if self.table.seats >> (box - 1) & 1]

    def void(self) -> None:
        self.add("round_closed", self.round, 1, 0)
        self.in_round = False

    def play_round(self) -> None:
        self.round += 1
        self.wrong = False
        self.phase, self.due_box = 1, 15
        if self.want("drawn_in_error"):
            self.side = self.rng.randrange(self.table.sides)
            card = self.pull(self.side)
            record = self.script.seal(Role.HELD, Position.TABLE, 0, self.side, card, 1 + self.side)
            self.add("irregularity", Irr.DRAWN_IN_ERROR, 15, 0, self.side, 0)
            self.held, self.held_sealed = (record, card), True
        elif self.table.kind == ShoeKind.DOUBLE:
            self.side = self.rng.randrange(2)
        self.add("round_opened", self.round, self.table.seats)
        self.in_round = True
        boxes = self.seats()
        hands = {box: [Hand(box, 0)] for box in boxes}
        first = self.determinant(boxes[0]) if self.table.kind == ShoeKind.DOUBLE else None
        if self.table.kind == ShoeKind.DOUBLE and self.want("wrong_side"):
            self.wrong = True
        self.phase = 4
        skipped = self.rng.choice(boxes[1:]) if self.want("hand_without_cards", len(boxes) > 2) else 0
        single = self.rng.choice(boxes[1:]) if self.want("hand_with_one_card", len(boxes) > 2) else 0
        for box in boxes:
            if box == skipped:
                self.add("irregularity", Irr.HAND_WITHOUT_CARDS, box, 0, 0, 0)
                self.end_hand(hands[box][0], HandEnd.DEAD)
            elif first is not None and box == boxes[0]:
                hands[box][0].cards.append(first)
            else:
                hands[box][0].cards.append(self.give(Role.OPENING, box))
            if self.blanks == 2 or self.tens == 2:
                return self.void()
        if self.swap():  # one position is dealt before its turn
            hands[boxes[-1]][0].cards.append(self.give(Role.OPENING, boxes[-1]))
        misses = self.want("dealer_misses_card")
        if misses:
            self.add("irregularity", Irr.DEALER_MISSED_CARD, 0, 0, 0, 0)
            dealer = []
        else:
            dealer = [self.give(Role.DEALER_UP, 0)]
        for box in boxes:
            hand = hands[box][0]
            if hand.ended is None and box != single and len(hand.cards) < 2:
                hand.cards.append(self.give(Role.OPENING, box))
        if single:
            self.add("irregularity", Irr.HAND_WITH_ONE_CARD, single, 0, 0, 0)
            hands[single][0].cards.append(self.give(Role.LATE, single))
        if misses:
            dealer.append(self.give(Role.DEALER_UP, 0))
        self.due_box = 0
        side = 1 - self.side if self.wrong else self.side
        hole = self.pull(side)
        hole_record = self.script.seal(Role.HOLE, 0, 0, side, hole, 1 + side)
        dealer.append(hole)
        for box in boxes:
            hand = hands[box][0]
            if hand.ended is None and len(hand.cards) == 2 and 63 not in hand.cards and count(hand.cards) == 21:
                self.end_hand(hand, HandEnd.BLACKJACK)
        self.players(hands)
        self.dealer_plays(hands, dealer, hole_record)
        return None

    def swap(self) -> bool:
        return False

    def determinant(self, first_box: int) -> int | None:
        self.phase, self.due_box = 3, first_box
        if self.held is not None:
            record, card = self.held
            self.held = None
        else:
            record, card = -1, self.pull(self.side)
        red = 13 <= card < 39
        named = 0 if red == (self.table.color == 0) else 1
        match = named == self.side
        role, box = (Role.DETERMINANT_FIRST, first_box) if match else (Role.DETERMINANT_ASIDE, Position.SEGREGATED)
        if record >= 0:
            self.script.open(record, role, box, 0)
        else:
            self.add("card", role, box, 0, self.side, card, 1 + self.side, 300, 200)
        self.side = named
        self.add("side_chosen", named)
        return card if match else None

    def players(self, hands: dict[int, list[Hand]]) -> None:
        self.phase = 5
        missed: list[Hand] = []
        for box in sorted(hands):
            row = hands[box]
            index = 0
            while index < len(row):
                self.play_hand(row[index], row, missed)
                index += 1
        for hand in missed:  # it grows when one of them is missed again
            self.add("irregularity", Irr.MISSED_CARD, hand.box, hand.number, 0, 0)
            hand.ended = None
            hand.cards.append(self.give(Role.LATE, hand.box, hand.number))
            self.play_hand(hand, hands[hand.box], missed)
        if self.held is not None:
            self.add("irregularity", Irr.CARD_DISCARDED, 15, 0, 0, 0)
            self.add("moved", self.held[0], Role.DISCARDED, Position.RACK, 0)
            self.held = None

    def play_hand(self, hand: Hand, row: list[Hand], missed: list[Hand]) -> None:
        spanish = self.table.game == Game.SPANISH_21
        while hand.ended is None:
            if len(hand.cards) == 1:
                hand.cards.append(self.give(Role.SPLIT_SECOND, hand.box, hand.number))
            if 63 in hand.cards:
                return self.end_hand(hand, HandEnd.STAND)
            total = count(hand.cards)
            if total > 21:
                return self.end_hand(hand, HandEnd.BUST)
            if total == 21:
                return self.end_hand(hand, HandEnd.TWENTY_ONE)
            two = len(hand.cards) == 2
            values = [min(card % 13 + 1, 10) for card in hand.cards]
            choice = self.rng.random()
            if two and not hand.split and choice < 0.04:
                return self.end_hand(hand, HandEnd.SURRENDERED)
            if two and values[0] == values[1] and len(row) < 4 and choice < 0.5:
                new = Hand(hand.box, len(row), split=True)
                hand.split = True
                self.add("split", hand.box, hand.number, new.number)
                new.cards.append(hand.cards.pop())
                row.insert(row.index(hand) + 1, new)
                continue
            if (two or spanish) and 8 < total < 12 and choice < 0.7:
                self.add("doubled", hand.box, hand.number)
                if self.table.options & 1 and self.held is None:
                    card = self.pull(self.side)
                    record = self.script.seal(Role.DOUBLE_DRAW, hand.box, hand.number, self.side, card, 1 + self.side)
                    self.doubles.append((record, hand))
                else:
                    card = self.give(Role.DOUBLE_DRAW, hand.box, hand.number)
                hand.cards.append(card)
                return self.end_hand(hand, HandEnd.DOUBLED)
            if total < 15 or (total < 18 and choice < 0.3):
                if self.want("missed_card"):
                    self.end_hand(hand, HandEnd.STAND)
                    missed.append(hand)
                    return None
                hand.cards.append(self.give(Role.DRAW, hand.box, hand.number))
                if hand.cards[-1] == 63:
                    return self.end_hand(hand, HandEnd.STAND)
                continue
            if self.want("drawn_in_error_exposed", self.held is None):
                card = self.pull(self.side)
                record = self.add("card", Role.DRAW, hand.box, hand.number, self.side, card, 1 + self.side, 300, 200)
                self.add("irregularity", Irr.DRAWN_IN_ERROR_EXPOSED, hand.box, hand.number, self.side, 0)
                self.add("moved", record, Role.HELD, Position.TABLE, 0)
                self.held, self.held_sealed = (record, card), False
            self.end_hand(hand, HandEnd.STAND)
            if self.want("draw_after_stand"):
                hand.cards.append(self.give(Role.DRAW, hand.box, hand.number))
            return None
        return None

    def dealer_plays(self, hands: dict[int, list[Hand]], dealer: list[int], hole: int) -> None:
        self.phase = 6
        self.due_box = 0
        every = [hand for row in hands.values() for hand in row]
        alive = [
            hand
            for hand in every
            if hand.ended in (HandEnd.STAND, HandEnd.TWENTY_ONE, HandEnd.DOUBLED)
            and (63 in hand.cards or count(hand.cards) <= 21)
        ]
        known = [hand for hand in alive if 63 not in hand.cards]
        if known and self.want("hole_not_revealed"):
            self.add("irregularity", Irr.HOLE_NOT_REVEALED, 0, 0, 0, 0)
            self.script.open(hole, Role.HOLE, 0, 0)
            return self.close(0)
        if alive:
            self.add("revealed", hole)
        if 63 in dealer:
            self.script.open(hole, Role.HOLE, 0, 0)
            return self.close(0)
        self.script.open(hole, Role.HOLE, 0, 0)
        while alive and count(dealer) < 17:
            if known and self.want("dealer_stops_short", self.needs_dealer(known)):
                self.add("irregularity", Irr.DEALER_SHORT, 0, 0, 0, 0)
                return self.close(count(dealer))
            dealer.append(self.give(Role.DEALER_DRAW, 0))
            if dealer[-1] == 63:
                return self.close(0)
        if alive and 17 <= count(dealer) <= 21 and self.want("dealer_draws_on_17"):
            self.phase = 7
            card = self.pull(self.side)
            self.add("irregularity", Irr.DEALER_DREW_ON_17, 0, 0, self.side, 0)
            self.add("card", Role.DISCARDED, Position.RACK, 0, self.side, card, 1 + self.side, 300, 200)
        elif alive and 17 <= count(dealer) <= 21 and self.want("dealer_keeps_card_on_17"):
            dealer.append(self.give(Role.DEALER_DRAW, 0))
        return self.close(count(dealer) if alive else 0)

    def needs_dealer(self, known: list[Hand]) -> bool:
        if self.table.game != Game.SPANISH_21:
            return True
        return any(count(hand.cards) < 21 for hand in known)

    doubles: list[tuple[int, Hand]]

    def close(self, total: int) -> None:
        for record, hand in self.doubles:
            self.script.open(record, Role.DOUBLE_DRAW, hand.box, hand.number)
        self.doubles.clear()
        self.add("round_closed", self.round, 0, total)
        self.in_round = False

    # ------------------------------------------------------------------------------------------------ whole shoe
    def play_shoe(self, most: int = 1000, count_after: bool = True, boot: bool = True) -> Script:
        """Boot, open, deal to the cover card (at most `most` rounds), count, close."""
        self.doubles = []
        if boot:
            self.add("boot", 0, b"\x00\x01\x00", 0x1234, 3)
        self.open_shoe()
        self.new_dealer(1)
        while self.round < most and not any(self.covers):
            if self.round and self.rng.random() < 0.1:
                self.new_dealer(2)
            self.play_round()
            if self.tens == 2 or self.blanks == 2:
                break
            if self.plant in ("too_few_cards", "refill_without_burn") and self.planted:
                break
        if any(self.covers) and not self.in_round and self.phase in (1, 2):
            self.play_round()
        for side in range(self.table.sides):
            if self.covers[side]:
                self.add("finished", side, Finish.COVER_CARD, self.out[side])
        if self.plant == "round_after_cover" and any(self.covers):
            self.mark()
            self.play_round()
        if count_after and self.plant not in ("too_few_cards",):
            for side in range(self.table.sides):
                if self.covers[side]:
                    self.count_side(side)
        self.close_shoe()
        return self.script

    def count_side(self, side: int) -> None:
        for card in self.stacks[side]:
            self.add("card", Role.COUNTED, Position.RACK, 0, side, card, 1 + side, 200, 200)
            self.out[side] += 1
        short = self.table.batch - self.out[side]
        verdict = 0 if short == 0 else 1 if short > 0 else 2
        self.stacks[side] = []
        self.add("counted", side, verdict, self.table.batch, self.out[side], 63)

    def close_shoe(self) -> None:
        for record in self.sealed_burns:
            self.script.open(record, Role.BURN, Position.RACK, 0)
        self.sealed_burns.clear()
        if self.held is not None:
            self.held = None
        self.add("shoe_closed", Finish.COVER_CARD, *self.script.totals())


def shoe(table: Table | None = None, seed: int = 1, plant: str = "", most: int = 1000) -> Script:
    """One whole shoe as a script."""
    return Dealer(table or Table(), seed, plant).play_shoe(most)
