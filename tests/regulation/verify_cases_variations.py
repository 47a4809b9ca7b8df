"""Cases of 633a.12: Blackjack Switch, and Blackjack dealt from the hand."""

from __future__ import annotations

from shoetool.judge import registry_variations as reg
from shoetool.model.protocol_table import Game, HandEnd, Role
from shoetool.verify import BREACH, CANNOT_TELL
from short_shoe import Short, face
from verify_case import case


def switch(*after: str) -> Short:
    """Position 1 with 16 and 15, then 19 and 12; `after`: what else is done, in order."""
    s = Short(Game.SWITCH)
    s.start(1)
    for card, hand in (("10C", 0), ("6C", 1)):
        s.give(1, card, hand=hand)
    s.up("7C")
    for card, hand in (("6D", 0), ("9D", 1)):
        s.give(1, card, hand=hand)
    s.hole("KH")
    for what in after:
        if what == "switch":
            s.add("switched", 1)
        elif what == "draw":
            s.give(1, "2D", Role.DRAW)
    s.end_hand(1)
    s.end_hand(1, hand=1)
    s.reveal()
    s.close()
    s.end()
    return s


@case(reg.SWITCH, BREACH)
def a_switch_comes_after_a_card() -> Short:
    return switch("draw", "switch")


class Hand(Short):
    """From the hand: positions 1 and 2 with 18 and 19, all cards face down but the dealer's 7."""

    def __init__(self, decks: int = 2, up: bool = False) -> None:
        super().__init__(Game.FROM_THE_HAND, decks=decks)
        self.deal_round(up)

    def deal_round(self, up: bool = False) -> None:
        self.down: dict[int, list[int]] = {1: [], 2: []}
        self.start(1, 2)
        self.deal(1, "10C", up)
        self.deal(2, "9C")
        self.up("7C")
        self.deal(1, "8C")
        self.deal(2, "KD")
        self.hole("KH")

    def deal(self, box: int, card: str, up: bool = False) -> None:
        if up:
            self.give(box, card)
        else:
            self.down[box].append(self.s.seal(Role.OPENING, box, 0, 0, face(card), 1))

    def turn_up(self, box: int) -> None:
        for ref in self.down.pop(box, ()):
            self.s.open(ref, Role.OPENING, box, 0)

    def close_round(self, *boxes: int) -> None:
        self.reveal()
        for box in boxes:
            self.turn_up(box)
        self.close()

    def over(self, *boxes: int) -> Short:
        """Turn the hole card and these positions' cards; close round and shoe."""
        self.close_round(*boxes)
        for box in tuple(self.down):
            self.turn_up(box)
        self.end()
        return self


@case(reg.HAND_DECKS, BREACH)
def three_decks_are_dealt_from_the_hand() -> Short:
    s = Hand(decks=3)
    s.stand(1, 2)
    return s.over(1, 2)


@case(reg.ROUND_BURN, BREACH)
def a_second_round_from_the_hand_has_no_burn_card() -> Short:
    s = Hand()
    s.stand(1, 2)
    s.close_round(1, 2)
    s.deal_round()
    s.stand(1, 2)
    return s.over(1, 2)


@case(reg.FACE_DOWN_CARDS, BREACH)
def a_players_first_card_lies_face_up() -> Short:
    s = Hand(up=True)
    s.stand(1, 2)
    return s.over(1, 2)


@case(reg.TURNED_OVER, BREACH)
def a_double_comes_before_the_cards_are_turned() -> Short:
    s = Hand()
    s.add("doubled", 1, 0)
    s.give(1, "2D", Role.DOUBLE_DRAW)
    s.end_hand(1, HandEnd.DOUBLED)
    s.stand(2)
    return s.over(1, 2)


@case(reg.OVER_21, BREACH)
def a_hand_over_21_stands() -> Short:
    s = Hand()
    s.give(1, "9D", Role.DRAW)
    s.stand(1, 2)
    return s.over(1, 2)


@case(reg.EXTRA_CARDS, BREACH)
def an_extra_card_lies_face_down() -> Short:
    s = Hand()
    drawn = s.s.seal(Role.DRAW, 1, 0, 0, face("2D"), 1)
    s.stand(1, 2)
    s.reveal()
    s.s.open(drawn, Role.DRAW, 1, 0)
    s.turn_up(1)
    s.turn_up(2)
    s.close()
    s.end()
    return s


@case(reg.TURNED_AT_THE_END, CANNOT_TELL)
def a_players_cards_are_turned_after_the_round() -> Short:
    s = Hand()
    s.stand(1, 2)
    return s.over(1)
