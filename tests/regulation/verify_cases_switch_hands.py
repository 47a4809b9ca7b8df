"""Cases of 633c.4: switch hands and Blackjack premium."""

from __future__ import annotations

from shoetool.judge import registry_variations as reg
from shoetool.model.protocol_table import Role
from shoetool.table.table import PREMIUM, SWITCH_HANDS
from shoetool.verify import BREACH
from short_shoe import RACK, Short, face
from verify_case import case

ASIDE = 4


class Hands(Short):
    """Positions 1 and 2 with 18 and 19 face up, and 20 and 15 face down; the dealer has 17."""

    def __init__(self, options: int = 0, antes: int = 3) -> None:
        super().__init__(options=SWITCH_HANDS | options)
        if options & PREMIUM:
            self.add("antes", antes)
        self.down: dict[int, list[int]] = {1: [], 2: []}
        self.up_cards: dict[int, list[int]] = {1: [], 2: []}
        self.racked: list[int] = []
        self.start(1, 2)

    def aside(self, box: int, card: str) -> None:
        self.down[box].append(self.s.seal(Role.SWITCH_HAND, box, ASIDE, 0, face(card), 1))

    def asides(self, *boxes: int) -> Hands:
        for box in boxes or (1, 2, 1, 2):
            self.aside(box, "KS" if box == 1 else "10H" if not self.down[2] else "5H")
        return self

    def hands(self) -> Hands:
        for box, card in ((1, "10C"), (2, "9C")):
            self.up_cards[box].append(self.give(box, card))
        self.up("7C")
        for box, card in ((1, "8C"), (2, "KD")):
            self.up_cards[box].append(self.give(box, card))
        self.hole("KH")
        return self

    def keep(self, box: int, turned: bool = False, racked: bool = True) -> Hands:
        self.add("switch_hand", box, 0)
        for ref in self.down[box]:
            if turned:
                self.s.open(ref, Role.DISCARDED, RACK, 0)
            elif racked:
                self.add("moved", ref, Role.DISCARDED, RACK, 0)
        if not turned:
            self.racked += self.down[box]
        return self

    def switch(self, box: int, taken: int = 2, turned: int = 2) -> Hands:
        self.add("switch_hand", box, 1)
        for ref in self.up_cards[box][:taken]:
            self.add("moved", ref, Role.DISCARDED, RACK, 0)
        for ref in self.down[box][:turned]:
            self.s.open(ref, Role.SWITCH_HAND, box, 0)
        self.racked += self.down[box][turned:]
        return self

    def over(self) -> Short:
        self.stand(1, 2)
        self.reveal()
        self.close()
        for ref in self.racked:  # like a burn card
            self.s.open(ref, Role.DISCARDED, RACK, 0)
        self.end()
        return self


@case(reg.HANDS_PASSES, BREACH)
def both_cards_go_to_a_position_before_the_next() -> Short:
    return Hands().asides(1, 1, 2, 2).hands().switch(2).keep(1).over()


@case(reg.HANDS_FACE_DOWN, BREACH)
def a_switch_hands_card_lies_face_up() -> Short:
    s = Hands()
    s.asides(1, 2, 1)
    up = s.card(Role.SWITCH_HAND, 2, "5H", ASIDE)
    s.hands().keep(2).keep(1)
    s.add("moved", up, Role.DISCARDED, RACK, 0)
    return s.over()


@case(reg.HANDS_ORDER, BREACH)
def the_blackjack_hands_come_first() -> Short:
    return Hands().hands().asides().keep(2).keep(1).over()


@case(reg.HANDS_ANTE, BREACH)
def a_position_without_an_ante_gets_switch_hands_cards() -> Short:
    s = Hands(PREMIUM, antes=2).asides().hands().keep(2)
    s.racked += s.down[1]
    return s.over()


@case(reg.HANDS_CHOICE, BREACH)
def a_card_is_drawn_before_the_last_player_chose() -> Short:
    s = Hands().asides().hands().keep(2)
    s.give(1, "2D", Role.DRAW)
    return s.keep(1).over()


@case(reg.HANDS_KEPT, BREACH)
def the_cards_of_a_kept_hand_are_turned() -> Short:
    return Hands().asides().hands().keep(2).keep(1, turned=True).over()


@case(reg.HANDS_PLAYED, BREACH)
def one_of_each_hand_is_played() -> Short:
    return Hands().asides().hands().switch(2, taken=1, turned=1).keep(1).over()
