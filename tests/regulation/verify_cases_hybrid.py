"""Cases of 633c.5: a hybrid gaming table, with and without a hole card."""

from __future__ import annotations

from shoetool.judge import registry_hybrid as reg
from shoetool.model.protocol_table import Game, HandEnd, Position, Role
from shoetool.verify import BREACH
from short_shoe import Short
from verify_case import case

P1, P2, SHARED = Position.PLAYER_1, Position.PLAYER_2, Position.COMMUNITY


class Table(Short):
    """With a hole card: terminals 1 and 2 at player positions 1 and 2 with 12 and 19; the dealer has 17."""

    def __init__(self, selected: int = 0b1001) -> None:
        super().__init__(Game.HYBRID, burn=False)
        self.add("selected", selected)
        self.start(1, 2)
        places = (P1, P2) if selected >> 2 else (P1,)
        for place in places:
            self.give(place, "10C" if place == P1 else "10D")
        self.up("7C")
        for place in places:
            self.give(place, "2S" if place == P1 else "9S")
        self.hole("KH")

    def shared(self, card: str) -> None:
        self.give(SHARED, card, Role.DRAW)

    def over(self) -> Short:
        self.reveal()
        self.close()
        self.end()
        return self


class NoHole(Short):
    """Without: terminals 1 and 2 have 16 of the first and the third card; the dealer shows an ace."""

    def __init__(self, first: str = "10C", second: str = "6D", draws_to: int = 0, up: str = "AH") -> None:
        super().__init__(Game.HYBRID_NO_HOLE, options=draws_to << 11, burn=False)
        self.start(1, 2)
        self.give(SHARED, first)
        self.up(up)
        self.give(SHARED, second)

    def shared(self, card: str | int, role: Role = Role.DRAW) -> int:
        return self.give(SHARED, card, role)

    def over(self, total: int = 19) -> Short:
        self.close(total)
        self.end()
        return self


@case(reg.SELECTED, BREACH)
def a_terminal_took_part_without_a_player_position() -> Short:
    table = Table(selected=0b0001)
    table.stand(1, 2)
    return table.over()


@case(reg.CHOICES, BREACH)
def a_community_card_came_before_a_hand_had_chosen() -> Short:
    table = Table()
    table.add("hit", 1, 0)
    table.shared("9H")
    table.end_hand(1, HandEnd.TWENTY_ONE)
    table.stand(2)
    return table.over()


@case(reg.NOBODY, BREACH)
def a_community_card_came_that_nobody_had_asked_for() -> Short:
    table = Table()
    table.stand(1, 2)
    table.shared("9H")
    return table.over()


@case(reg.COUNTDOWN, BREACH)
def a_hand_without_a_choice_took_a_card() -> Short:
    table = Table()
    table.stand(2)
    table.add("countdown", 1)
    table.add("hit", 1, 0)
    table.shared("9H")
    table.end_hand(1, HandEnd.TWENTY_ONE)
    return table.over()


@case(reg.SPLIT_ACES, BREACH)
def a_hand_of_split_aces_took_a_second_card() -> Short:
    table = NoHole("AC", "AD")
    table.add("split", 1, 0, 1)
    table.stand(2)
    table.shared("5H")
    table.end_hand(1)
    table.add("hit", 1, 1)
    table.shared("3H")
    table.end_hand(1, hand=1)
    table.shared("8H", Role.DEALER_DRAW)
    return table.over()


@case(reg.INSURANCE, BREACH)
def insurance_was_placed_after_a_community_card() -> Short:
    table = NoHole()
    table.stand(2)
    table.add("hit", 1, 0)
    table.shared("4H")
    table.add("insurance", 1)
    table.stand(1)
    table.shared("4C", Role.DEALER_DRAW)
    table.shared("2H", Role.DEALER_DRAW)
    return table.over(17)
