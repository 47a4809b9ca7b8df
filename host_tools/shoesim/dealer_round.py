"""One round as the procedure has it, from the seats key to the end of the round, with the slips that were asked for."""

from __future__ import annotations

from shoetool.model.cards import UNKNOWN, is_red
from shoetool.model.protocol_table import (
    Color,
    HandEnd,
    IrregularityCode,
    Key,
    Peek,
    Position,
    Role,
    RoundEnd,
    ShoeKind,
)
from shoetool.rules.hands import STANDS_ON
from shoetool.table.actions import DRAWN, MOVED, Doubled, Reported, Revealed, RoundClosed, SideChosen, Split
from shoetool.table.fold import lay, take
from shoetool.table.hand import Hand
from shoetool.table.table import HANDS_LAST
from shoetool.table.turn import hand_in_turn

from shoesim.dealer_draw import RoundVoidError
from shoesim.dealer_peek import peek
from shoesim.dealer_truth import TrueCard
from shoesim.dealer_variations import deal_asides, keep_or_switch, place_antes, shows_cards, switch, turn_cards
from shoesim.errors import SimulationError
from shoesim.round_state import RoundState, known, true_cards
from shoesim.strategy import Choice, allowed, decide

_SEVEN = 6
_HOLE_MATTERS = (HandEnd.BLACKJACK, HandEnd.SURRENDERED)


class RoundPlay(RoundState):
    """Plays one round; `play` does all of it. The caller has settled burns and new dealers before."""

    def play(self) -> None:
        """Deal the whole round. Raises SimulationError when the shoe disagrees with the procedure."""
        drawer = self.drawer
        drawer.blanks = drawer.tens = 0
        self._draw_in_error_before()
        drawer.burn_skipped = False
        self._seat()
        self.shoe.key(Key.DEAL)
        drawer.rounds += 1
        drawer.round = self.number
        drawer.truth.rounds += 1
        try:
            self._opening()
            keep_or_switch(self)
            if peek(self):
                self._end_hands()
            self._play_hands()
            self._play_dealer()
            turn_cards(self)
        except RoundVoidError:
            take(self.round, RoundClosed, self.number, RoundEnd.VOID, 0)
            self.drawer.piles.clear()
            drawer.round = 0
            return
        self._end()

    def _seat(self) -> None:
        self.shoe.key(Key.SEATS, sum(1 << box - 1 for box in self.boxes))
        self.round.antes = sum(1 << box - 1 for box in place_antes(self))

    def _end(self) -> None:
        self.shoe.key(Key.END_ROUND)
        if self.waiting_error is not None:  # nobody could use the exposed card, 633a.14(c) discard
            self.move([self.waiting_error])
            self.happens("card_discarded", self.waiting_error)
            self.book.ends_as("drawn_in_error_exposed", "card_discarded")
        take(self.round, RoundClosed, self.number, RoundEnd.SETTLED, self.dealer_count())
        self.drawer.expect_no_stop("the end of the round")
        self.drawer.piles.clear()
        self.drawer.round = 0

    # ------------------------------------------------------------------------------------------- opening deal

    def _draw_in_error_before(self) -> None:
        """A card drawn before the round is due, unseen: it becomes the next card, 633a.14(b)."""
        if not self.due("drawn_in_error") or self.drawer.burn_skipped:
            return
        self.head = self.rng.choice(self.rules.sides)
        if self.drawer.piles.left(self.head) < 2:
            return
        self.waiting_error = self.drawer.take(self.head, Role.HELD, Position.TABLE, face_down=True)
        self.waiting_error.round = self.number
        self.happens("drawn_in_error", self.waiting_error)

    def _plan_slips(self) -> None:
        """Prepare the cards that lie wrong in the shoe for this round, some cards ahead of the opening deal."""
        drawer = self.drawer
        stack = drawer.piles.sides[self.head]
        ahead = [i for i, item in enumerate(stack[: 2 * len(self.boxes)]) if not item.is_cover]
        if not ahead:
            return
        if self.due("second_face_up") and len(ahead) > 2:
            for index in self.rng.sample(ahead, 2):
                stack[index].face_up = True
        elif self.due("face_up_card"):
            stack[self.rng.choice(ahead)].face_up = True
        if self.due("unreadable_card"):
            stack[self.rng.choice([i for i in ahead if not stack[i].face_up] or ahead)].damaged = True
        if self.due("foreign_card"):
            drawer.put_foreign_card(self.head, self.rng.choice(ahead))
        if self.due("second_ten"):
            drawer.put_ten(self.head, self.rng.choice(ahead))
            drawer.put_ten(self.head, self.rng.choice(ahead))
        elif self.due("ten_found"):
            drawer.put_ten(self.head, self.rng.choice(ahead))

    def _determinant(self) -> TrueCard | None:
        """Draw the determinant card; return it when it is the first player's first card, 633a.7(d)(1)-(2)."""
        if self.waiting_error is None:
            self.head = self.rng.choice(self.rules.sides)
        source = self.head
        waiting, self.waiting_error = self.waiting_error, None
        card = waiting or self.drawer.take(self.head, Role.DETERMINANT_FIRST, self.boxes[0])
        color = Color.RED_SUITS if is_red(card.card) else Color.BLACK_SUITS
        chosen = 0 if color == self.rules.side_a_color else 1
        if chosen == source:
            card.role, card.box, card.hand = Role.DETERMINANT_FIRST, self.boxes[0], 0
        else:
            card.role, card.box = Role.DETERMINANT_ASIDE, Position.SEGREGATED
            self.drawer.set_aside(card)
        card.face_down = False
        lay(self.round, card, DRAWN if waiting is None else MOVED)
        take(self.round, SideChosen, chosen)
        seen = self.shoe.lamps().side
        if seen != chosen:
            raise SimulationError(f"determinant {card.card} sends the round to side {chosen}, the lamps to {seen}")
        self.head = chosen
        if self.due("wrong_side"):
            self.head = 1 - chosen
            self.happens("wrong_side")
        return card if chosen == source else None

    def _opening(self) -> None:
        """Deal the opening cards: boxes, dealer's up card, boxes, hole card, 633a.7(f)."""
        first = self._determinant() if self.rules.shoe_kind == ShoeKind.DOUBLE else None
        self._plan_slips()
        if not self.rules.options & HANDS_LAST:
            deal_asides(self)
        skipped = self._choose_skipped("hand_without_cards", 1 if first is not None else 0)
        down = self.rules.game.cards_face_down
        dealt = self.all_hands()
        for hand in dealt:
            if first is not None and hand is dealt[0]:
                continue
            if hand is skipped:
                self.shoe.key(Key.NO_CARD, hand.box | hand.hand << 6)
                take(self.round, Reported, IrregularityCode.HAND_WITHOUT_CARDS, hand.box, hand.hand, 0, 0)
                self.end(hand, HandEnd.DEAD)
                self.happens("hand_without_cards")
            else:
                self.next_card(Role.OPENING, hand.box, hand.hand, face_down=down)
        misses = self.due("dealer_misses_card")
        if misses:
            self.shoe.key(Key.MISSED_DEALER)
            self.happens("dealer_misses_card")
        else:
            self.next_card(Role.DEALER_UP, Position.DEALER)
        late = self._choose_skipped("hand_with_one_card", 0)
        for hand in dealt:
            if hand is late:
                self.shoe.key(Key.NO_CARD, hand.box | hand.hand << 6)
                take(self.round, Reported, IrregularityCode.HAND_WITH_ONE_CARD, hand.box, hand.hand, 0, 0)
                self.happens("hand_with_one_card")
            elif not hand.over:
                self.next_card(Role.OPENING, hand.box, hand.hand, face_down=down)
        if late is not None:
            self.next_card(Role.LATE, late.box, late.hand, face_down=down)
        if misses:
            self.next_card(Role.DEALER_UP, Position.DEALER)
        self.next_card(Role.HOLE, Position.DEALER, face_down=True)
        if self.rules.options & HANDS_LAST:
            deal_asides(self)
        self.drawer.expect_no_stop("the opening deal")

    def _choose_skipped(self, name: str, first: int) -> Hand | None:
        """Return the hand that a plant skips; never the only one alive."""
        able = [hand for hand in self.all_hands()[first:] if not hand.over]
        if not self.due(name) or len(able) < 2:
            return None
        return self.rng.choice(able)

    # ------------------------------------------------------------------------------------------- players

    def _end_hands(self) -> None:
        """The reader says Blackjack: no hand gets another card, 633a.7(h) result, but two 7s where the shoe is set up
        for it, 633c.9(d)(4)."""
        sevens: list[Hand] = []
        for hand in self.all_hands():
            if hand.over or self.end_by_cards(hand):
                continue
            if self.rules.extra_card and all(card.shown % 13 == _SEVEN for card in true_cards(hand)):
                sevens.append(hand)
            else:
                self.end(hand, HandEnd.DEALER_BLACKJACK)
        for hand in sevens:
            self.next_card(Role.DRAW, hand.box, hand.hand)
            self.end(hand, HandEnd.DEALER_BLACKJACK)

    def _play_hands(self) -> None:
        for box in self.boxes:
            hands = self.round.boxes[box]
            if self.rules.game.facts.switch:
                switch(self, hands)
            while (hand := hand_in_turn(hands)) is not None and not hand.queued:
                self._play_hand(hand)
        self._tell_missed()
        while (hand := self.round.in_turn()) is not None:
            self.next_card(Role.LATE, hand.box, hand.hand)
            self._play_hand(hand)  # it goes on, 633a.7(k)
            self._tell_missed()

    def _tell_missed(self) -> None:
        """Report the cards that were missed, 633a.14(i); who refused a card meanwhile gets no late one."""
        for hand in self.all_hands():
            if hand in self.missed:
                self.shoe.key(Key.MISSED, hand.box | (1 + hand.hand) << 4)
                take(self.round, Reported, IrregularityCode.MISSED_CARD, hand.box, hand.hand, 0, 0)
        self.missed.clear()

    def _play_hand(self, hand: Hand) -> None:
        """Play a hand to its end, or until a card that it asked for is missed."""
        while not hand.over:
            if len(hand.cards) == 1:
                self.next_card(Role.SPLIT_SECOND, hand.box, hand.hand)
            if self.end_by_cards(hand) or shows_cards(self, hand):
                return
            choice = self.decision(hand)
            if choice == Choice.DRAW and self.waiting_error is not None and self._refuses(hand):
                return
            if choice == Choice.DRAW and self.due("missed_card") and self.waiting_error is None:
                self.happens("missed_card")
                self.shoe.key(Key.NEXT_HAND)
                self.end(hand, HandEnd.STAND)
                self.missed.append(hand)
            elif choice == Choice.STAND and self._draws_in_error(hand):
                self.end(hand, HandEnd.STAND)
            else:
                self._carry_out(choice, hand)

    def decision(self, hand: Hand) -> Choice:
        """What the player of a hand asks for."""
        splits_left = self.rules.max_hands - self.round.of_root(hand)
        may = allowed(self.rules.game, hand.ids, from_split=hand.split, splits_left=splits_left)
        choice = decide(hand.ids, self.dealer[0].card, may, self.rng)
        return Choice.STAND if hand.count() >= 21 else choice  # the shoe does not know it, the dealer sees it

    def _carry_out(self, choice: Choice, hand: Hand) -> None:
        """Carry out a decision."""
        if choice in (Choice.DOUBLE, Choice.SPLIT, Choice.SURRENDER):
            for card in true_cards(hand):
                card.face_down = False  # from the hand the shoe opens them, 633a.12(b)(6)(i)
        if choice == Choice.DRAW:
            self.next_card(Role.DRAW, hand.box, hand.hand)
        elif choice == Choice.STAND:
            self.shoe.key(Key.NEXT_HAND)
            self.end(hand, HandEnd.STAND)
        elif choice == Choice.SURRENDER:
            self.shoe.key(Key.SURRENDER)
            self.end(hand, HandEnd.SURRENDERED)
        elif choice == Choice.DOUBLE:
            self.shoe.key(Key.DOUBLE)
            take(self.round, Doubled, hand.box, hand.hand)
            down = self.rules.double_card_face_down
            self.next_card(Role.DOUBLE_DRAW, hand.box, hand.hand, face_down=down)
            self.end_double(hand)
        else:
            self.shoe.key(Key.SPLIT)
            number = len(self.round.boxes[hand.box])
            take(self.round, Split, hand.box, hand.hand, number)
            self.round.hand(hand.box, number).cards[0].hand = number
        if self.rules.game.cards_face_down and choice != Choice.DRAW:
            self.drawer.expect_no_stop("turning a player's cards")

    def _draws_in_error(self, hand: Hand) -> bool:
        """Draw for a hand that stands, and show it: the next card, 633a.14(c). False when it is not to happen now."""
        if not self.due("drawn_in_error_exposed") or self.waiting_error is not None:
            return False
        if hand.count() >= 21 or not self.dealer_known():
            return False
        card = self.drawer.take(self.head, Role.HELD, Position.TABLE)
        lay(self.round, card)
        self.shoe.key(Key.HOLD, 1)
        self.shoe.key(Key.NEXT_HAND)
        self.waiting_error = card
        self.happens("drawn_in_error_exposed", card)
        return True

    def _refuses(self, hand: Hand) -> bool:
        """Let a player refuse the exposed card now and then: he gets no more cards, 633a.14(c) refusal."""
        if self.rng.random() < 0.7:
            return False
        self.shoe.key(Key.DISCARD, 1)
        self.happens("card_refused")
        take(self.round, Reported, IrregularityCode.CARD_REFUSED, hand.box, hand.hand, 0, 0)
        for other in self.round.boxes[hand.box]:
            if other in self.missed:
                self.missed.remove(other)
            elif not other.over:
                self.end(other, HandEnd.STAND)
        return True

    # ------------------------------------------------------------------------------------------- dealer

    def _play_dealer(self) -> None:
        """Turn the hole card and draw to 17, 633a.7(l)-(n)."""
        waiting = [hand for hand in self.all_hands() if hand.needs_total(self.rules.game)]
        for_nobody = self.rules.game.facts.community and self.round.peek != Peek.BLACKJACK  # 633c.5(s)
        must_draw, clear = bool(waiting) or for_nobody, any(map(known, waiting)) or for_nobody
        if clear and self.due("hole_not_revealed"):
            self.happens("hole_not_revealed")
            if self.dealer_count() < STANDS_ON and self.dealer_known():  # he left his draws out as well
                self.happens("dealer_stops_short")
            return
        if must_draw or self._must_reveal() or self.rng.random() < 0.5:
            self.shoe.key(Key.REVEAL)
            self.drawer.expect_no_stop("turning the hole card")
            take(self.round, Revealed, self.dealer[1].record)
        count = self.dealer_count()
        while must_draw and count < STANDS_ON:
            if clear and self.due("dealer_stops_short") and self.dealer_known() and self.waiting_error is None:
                self.happens("dealer_stops_short")
                return
            self.next_card(Role.DEALER_DRAW, Position.DEALER)
            count = self.dealer_count()
        if (
            self.round.revealed >= 0
            and self.dealer_known()
            and STANDS_ON <= count <= 21
            and self.due("dealer_draws_on_17")
        ):
            self.draw_by_accident()

    def draw_by_accident(self) -> None:
        """Draw a card that the dealer does not need, and discard it, 633a.14(d)."""
        self.happens("dealer_draws_on_17", self.drawer.take(self.head, Role.DISCARDED, Position.RACK))

    def _must_reveal(self) -> bool:
        """Tell whether the hole card can matter though the dealer need not draw: he may have Blackjack."""
        possible = self.rules.game.asks_reader(self.dealer[0].card) or self.dealer[0].shown == UNKNOWN
        ends = (HandEnd.TWENTY_ONE, HandEnd.DEALER_BLACKJACK, *(_HOLE_MATTERS if possible else ()))
        return any(hand.ended in ends for hand in self.all_hands())
