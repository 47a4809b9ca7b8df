"""One round at a hybrid gaming table, 633c.5: player positions, choices before each community card, the countdown.

Terminals choose as they like and none is in turn. A card is shared: it gets one place, whoever takes it.
"""

from __future__ import annotations

from typing import Final

from shoetool.model.naming import DRAWS_TO_BIT
from shoetool.model.protocol_table import HandEnd, Key, Position, Role
from shoetool.rules.games.game import ACE
from shoetool.table.actions import CountdownOver, Doubled, Hit, Split
from shoetool.table.community import dealer_owes, dealer_takes
from shoetool.table.fold import take
from shoetool.table.hand import Hand

from shoesim.dealer_round import RoundPlay
from shoesim.round_state import known
from shoesim.strategy import Choice

_TOO_LATE: Final = 0.08
"""How often a terminal makes no choice before the countdown ends."""
_MOVES: Final = 0.1
"""How often a terminal selects another player position."""


class HybridPlay(RoundPlay):
    """Plays one round at a hybrid table, with a hole card or without one."""

    # ------------------------------------------------------------------------------------------- opening deal

    def _seat(self) -> None:
        """Each terminal selects a player position where there are any, 633c.5(l); then the wagers are placed."""
        most = self.rules.game.facts.player_positions
        selected = self.drawer.selected
        for box in self.boxes if most else ():
            at = 2 * box - 2
            if selected >> at & 3 and self.rng.random() >= _MOVES:
                continue
            position = self.rng.randint(1, most)
            selected = selected & ~(3 << at) | position << at
            self.shoe.key(Key.SELECT, box | position << 4)
        self.drawer.selected = self.round.selected = selected
        super()._seat()

    def _opening(self) -> None:
        """The deal of 633c.5(n) or, without a hole card, 633c.5(y)."""
        self._plan_slips()
        places = [int(Position.COMMUNITY)]
        if self.rules.game.facts.player_positions:
            used = sorted({self.round.selection(box) for box in self.boxes})
            places = [Position.PLAYER_1 - 1 + number for number in used]
        for place in places:
            self.next_card(Role.OPENING, place)
        self.next_card(Role.DEALER_UP, Position.DEALER)
        for place in places:
            self.next_card(Role.OPENING, place)
        if not self.rules.game.no_hole:
            self.next_card(Role.HOLE, Position.DEALER, face_down=True)
        self.drawer.expect_no_stop("the opening deal")

    # ------------------------------------------------------------------------------------------- players

    def _play_hands(self) -> None:
        """All choose, then a community card comes for those who want one, 633c.5(p)(2), (q), (z), (aa)."""
        for hand in self.all_hands():
            if not hand.over:
                self.end_by_cards(hand)
        while True:
            self._choose()
            if not any(hand.wants for hand in self.all_hands()):
                return
            asked = [hand for hand in self.all_hands() if hand.wants]
            self.next_card(Role.DRAW, Position.COMMUNITY)
            for hand in asked:
                self._after_card(hand)

    def _choose(self) -> None:
        """Every hand that has to choose does, in any order; who does not is chosen for when the countdown ends."""
        open_ = [hand for hand in self.all_hands() if not hand.over and not hand.wants]
        self.rng.shuffle(open_)
        late = {hand.box for hand in open_ if self.rng.random() < _TOO_LATE}
        told = [hand for hand in open_ if hand.box not in late]
        for at, hand in enumerate(told):
            waits = at + 1 < len(told) or bool(late)
            if waits and any(one.wants for one in self.all_hands()) and self.waiting_error is None:
                self._draw_before_choices()
            self._carry_out(self.decision(hand), hand)
        if late:
            self._countdown(late)

    def _draw_before_choices(self) -> None:
        """The dealer draws while a terminal still chooses: the card waits, unseen, and is the next one, 633a.14(b)."""
        if not self.due("drawn_before_choices"):
            return
        self.waiting_error = self.drawer.take(self.head, Role.HELD, Position.TABLE, face_down=True)
        self.happens("drawn_before_choices", self.waiting_error)

    def _carry_out(self, choice: Choice, hand: Hand) -> None:
        """Press what the terminal sends; its key names the hand."""
        named = hand.box | hand.hand << 4
        if choice == Choice.DRAW:
            self.shoe.key(Key.HIT, named)
            take(self.round, Hit, hand.box, hand.hand)
        elif choice == Choice.STAND:
            self.shoe.key(Key.NEXT_HAND, named)
            self.end(hand, HandEnd.STAND)
        elif choice == Choice.SURRENDER:
            self.shoe.key(Key.SURRENDER, named)
            self.end(hand, HandEnd.SURRENDERED)
        elif choice == Choice.DOUBLE:
            self.shoe.key(Key.DOUBLE, named)
            take(self.round, Doubled, hand.box, hand.hand)
        else:
            self.shoe.key(Key.SPLIT, named)
            take(self.round, Split, hand.box, hand.hand, len(self.round.boxes[hand.box]))

    def _countdown(self, late: set[int]) -> None:
        """The time is up: a hand without a choice stands, or draws up to the count that the house set, 633c.5(z)."""
        self.shoe.key(Key.COUNTDOWN)
        take(self.round, CountdownOver, sum(1 << box - 1 for box in late))
        most = self.rules.options >> DRAWS_TO_BIT
        for hand in self.all_hands():
            if hand.over or hand.wants:
                continue
            if known(hand) and hand.count() <= most:
                take(self.round, Hit, hand.box, hand.hand)
            else:
                self.end(hand, HandEnd.STAND)

    def _after_card(self, hand: Hand) -> None:
        """What a hand's cards end, a double, and without a hole card split aces, 633c.5(r)(2), (aa)(3)(i)."""
        if hand.doubled:
            self.end_double(hand)
            return
        aces = self.rules.game.no_hole and hand.split and hand.ids[0] % 13 == ACE and known(hand)
        if not self.end_by_cards(hand) and aces:
            self.end(hand, HandEnd.STAND)

    # ------------------------------------------------------------------------------------------- dealer

    def _play_dealer(self) -> None:
        """The dealer's cards: after the hole card, 633c.5(s); without one, for every terminal, 633c.5(aa), (bb)."""
        if not self.rules.game.no_hole:
            super()._play_dealer()
            return
        while any(dealer_owes(self.round, box) for box in self.boxes):
            if self.due("dealer_stops_short") and self.dealer_known() and self.waiting_error is None:
                self.happens("dealer_stops_short")
                return
            self.next_card(Role.DEALER_DRAW, Position.COMMUNITY)
        takes = any(dealer_takes(self.round, box) for box in self.boxes)
        if self.dealer_known() and not takes and self.due("dealer_draws_on_17"):
            self.draw_by_accident()
