"""The opening deal, 633a.7(f): who was dealt each of its cards, in the order in which they were drawn."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from shoetool.judge import registry as reg
from shoetool.judge.finding import Objection
from shoetool.model.cards import is_ten
from shoetool.model.protocol_table import IrregularityCode, Position, Role
from shoetool.rules.games import Game, game
from shoetool.table.actions import NO_RECORD, OPENING_ROLES, CardPlaced
from shoetool.table.card import DrawnCard
from shoetool.table.hand import place
from shoetool.table.round import Round

_SHOWN: Final = OPENING_ROLES - {int(Role.HOLE)}


class Opening:
    """Watches the actions of a round; `owed` compares what was dealt with the plan of the game."""

    def __init__(self, rules: Game) -> None:
        self.rules = rules
        self.dealt: list[int] = []
        """To whom each card went: a box and, in the bits above, its hand."""
        self._cards: list[DrawnCard] = []

    def watch(self, again: Round, placed: CardPlaced) -> None:
        """One card; `again` is the round before it. A card that gets another place (633a.14(g)) keeps its turn."""
        drawn, role, box, hand, _, how = placed
        if how and drawn in self._cards:
            at = self._cards.index(drawn)
            if role == Role.DISCARDED and self.dealt[at] & 15 in again.chosen:
                return  # switch hands: it was dealt as it should be, and the position plays its other cards
            if self.rules.facts.tens or not is_ten(drawn.card):  # a 10 was dealt, then taken out
                if role in OPENING_ROLES:
                    self.dealt[at] = box | hand << 4
                else:
                    del self.dealt[at], self._cards[at]
                return
        if role in OPENING_ROLES:
            self.dealt.append(box | hand << 4)
            self._cards.append(drawn)

    def owed(self, round_: Round) -> Iterator[Objection]:
        """633a.7(f): two passes from the far left, the dealer's up card between them and his hole card at the end."""
        plan = _plan(self.rules.name, round_.seats, round_.selected)
        hole = round_.hole
        if hole is not None and not hole.sealed and hole.record == hole.placed:
            yield Objection(reg.HOLE_CARD, "the dealer's hole card was dealt face up.", (hole.record,), (hole,))
        if self.dealt == [box for box, _ in plan]:
            return
        skipped: set[int] = set()
        for code, box, hand, *_ in round_.irregularities:
            if code in (IrregularityCode.HAND_WITHOUT_CARDS, IrregularityCode.HAND_WITH_ONE_CARD):
                skipped.add(box | hand << 4)
            elif code == IrregularityCode.DEALER_MISSED_CARD:
                skipped.add(0)
        steps = [(index, box, check) for index, (box, check) in enumerate(plan) if box not in skipped]
        seen = [box for box in self.dealt if box not in skipped]
        for at, (index, box, check) in enumerate(steps):
            if at < len(seen) and seen[at] == box:
                continue
            if at >= len(seen) and not round_.settled:
                return
            got = f"{place(seen[at] & 15)} got it" if at < len(seen) else "no card came"
            records = [placed.record for placed in round_.placed if placed.role in OPENING_ROLES]
            shown = [placed.card for placed in round_.placed if placed.role in _SHOWN]
            text = f"card {index + 1} of the opening deal was due to {place(box & 15)} and {got}."
            yield Objection(check, text, [round_.record, *records], shown)
            return
        if len(seen) > len(steps):
            text = f"{place(seen[len(steps)] & 15)} got a card of the opening deal after it was over."
            yield Objection(reg.PASS_2, text, (round_.record, round_.last))


@lru_cache(maxsize=1024)
def _plan(name: str, seats: int, selected: int) -> list[tuple[int, str]]:
    """To whom each card of the opening deal goes, as in `Opening.dealt`, and the check of its pass. Most rounds of a
    shoe have the same."""
    rules, round_ = game(name), Round(0, seats, NO_RECORD, 0, selected)
    chosen = sorted({round_.selection(box) for box in round_.seat_list()} - {0})
    hands = [number << 4 for number in range(rules.deal.hands)]  # 633a.12(a)(3)
    places = {
        "players": [box | hand for box in round_.seat_list() for hand in hands],
        "dealer": [0],
        "positions": [Position.PLAYER_1 - 1 + number for number in chosen],
        "community": [int(Position.COMMUNITY)],
    }
    passes, dealers = iter((reg.PASS_1, reg.PASS_2)), iter((reg.UP_CARD, reg.HOLE_CARD))
    checks = [(step, next(dealers if step.to == "dealer" else passes)) for step in rules.deal.steps]
    return [(box, check) for step, check in checks for box in places[step.to]]
