"""Short histories written by hand for one clause each: a shoe, one or two rounds, one thing that is wrong.

Cards are written as names ("10C"). Nothing here follows the procedure by itself: each call writes what it says.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1] / "host"))

from histories import Script
from shoetool.model.cards import parse_card
from shoetool.model.protocol_table import Finish, Game, HandEnd, IrregularityCode, Role, ShoeKind
from shoetool.verify import Finding, Report, verify

RACK, SEGREGATED, TABLE, NONE = 14, 13, 12, 15


def face(card: str | int) -> int:
    return card if isinstance(card, int) else parse_card(card)


class Short:
    """A history under construction. `opened=False` leaves the shoe to the test."""

    def __init__(
        self,
        game: Game = Game.BLACKJACK,
        kind: ShoeKind = ShoeKind.SINGLE,
        decks: int | None = None,
        options: int = 0,
        opened: bool = True,
        burn: bool = True,
        color: int = 0,
    ) -> None:
        self.s = Script()
        self.add = self.s.add
        self.game, self.kind, self.options, self.color = game, kind, options, color
        self.decks = decks if decks is not None else 8 if kind else 6
        self.burns: list[int] = []
        self.hole_ref = -1
        self.round = 0
        self.side = 0
        self.add("boot", 0, b"\x00\x01\x00", 0, 1)
        if opened:
            self.open()
            self.load(0, burn=burn and not kind)
            if kind:
                self.load(1, burn=False)

    @property
    def batch(self) -> int:
        return self.decks // (2 if self.kind else 1) * (48 if self.game == Game.SPANISH_21 else 52)

    def open(self) -> None:
        self.add("shoe_opened", self.game, self.kind, self.decks, 1, 2, self.color, 7, self.options, 1)

    def load(self, side: int = 0, cards: int | None = None, burn: bool = True) -> None:
        self.add("loaded", side, self.batch if cards is None else cards)
        if burn:
            self.burn()

    def burn(self, card: str | int = "2C") -> int:
        self.burns.append(self.s.seal(Role.BURN, RACK, 0, self.side, face(card), 1 + self.side))
        return self.burns[-1]

    def start(self, *boxes: int) -> None:
        self.round += 1
        self.add("round_opened", self.round, sum(1 << (box - 1) for box in boxes))

    def card(
        self, role: Role, box: int, card: str | int, hand: int = 0, head: int | None = None, batch: int | None = None
    ) -> int:
        side = self.side if head is None else head
        return self.add("card", role, box, hand, side, face(card), 1 + side if batch is None else batch, 300, 200)

    def give(self, box: int, card: str | int, role: Role = Role.OPENING, hand: int = 0) -> int:
        return self.card(role, box, card, hand)

    def up(self, card: str | int) -> int:
        return self.card(Role.DEALER_UP, 0, card)

    def hole(self, card: str | int, head: int | None = None) -> int:
        side = self.side if head is None else head
        self.hole_ref = self.s.seal(Role.HOLE, 0, 0, side, face(card), 1 + side)
        return self.hole_ref

    def opening(self, first: dict[int, str], up: str, second: dict[int, str], hole: str, skip: bool = False) -> None:
        """The opening deal; `skip`: the first position has its first card already (determinant card)."""
        for index, (box, card) in enumerate(first.items()):
            if not (skip and index == 0):
                self.give(box, card)
        self.up(up)
        for box, card in second.items():
            self.give(box, card)
        self.hole(hole)

    def usual(self) -> None:
        """Positions 1 and 2 with 18 and 19, the dealer with 7 up and a ten-value hole card."""
        self.start(1, 2)
        self.opening({1: "10C", 2: "9C"}, "7C", {1: "8C", 2: "KD"}, "KH")

    def end_hand(self, box: int, why: HandEnd = HandEnd.STAND, hand: int = 0) -> int:
        return self.add("hand_ended", box, hand, why)

    def stand(self, *boxes: int) -> None:
        for box in boxes:
            self.end_hand(box)

    def reveal(self) -> None:
        self.add("revealed", self.hole_ref)
        self.turn()

    def turn(self) -> None:
        self.s.open(self.hole_ref, Role.HOLE, 0, 0)

    def irr(self, code: IrregularityCode, box: int = NONE, hand: int = 0, head: int = 0, detail: int = 0) -> int:
        return self.add("irregularity", code, box, hand, head, detail)

    def close(self, total: int = 17, outcome: int = 0) -> int:
        return self.add("round_closed", self.round, outcome, total)

    def finish_usual(self, total: int = 17) -> None:
        self.stand(1, 2)
        self.reveal()
        self.close(total)

    def whole_round(self) -> None:
        self.usual()
        self.finish_usual()

    def end(self, why: Finish = Finish.DAY_END) -> None:
        for ref in self.burns:
            self.s.open(ref, Role.BURN, RACK, 0)
        self.burns.clear()
        self.add("shoe_closed", why, *self.s.totals())

    def report(self) -> Report:
        return verify(self.s.records)

    def findings(self) -> list[Finding]:
        return self.report().findings
