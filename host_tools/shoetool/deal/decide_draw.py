"""Drawing and standing: 633a.7(k), 590.7(j), 635a.7(j).

Cards are dealt as each player decides, face up: 633a.7(j), 633a.12(b)(7), 590.7(i), 635a.7(i).
"""

from __future__ import annotations

from typing import Final

from shoetool.deal.state import HandState, PlayState
from shoetool.deal.turns import advance, end_turn
from shoetool.deal.verbs import Verb, of_a_turn
from shoetool.model.protocol_table import HandEnd, Role

_DRAW: Final = Role.DRAW
_STAND: Final = HandEnd.STAND


def do_hit(state: PlayState, mine: HandState, amount: int | None) -> None:
    """633a.7(k): deal one more card, face up. At 21 and over 21 the hand is done."""
    state.acted = max(state.acted, mine.box.position)
    state.draw(state.clauses.draw, _DRAW, mine)
    state.end_by_cards(mine)
    if mine.end:
        advance(state)


def do_stand(state: PlayState, mine: HandState, amount: int | None) -> None:
    """633a.7(i)(2): the hand is done."""
    end_turn(state, mine, _STAND)


hit = Verb("hit", of_a_turn("card"), do_hit)
can_hit = hit.can
stand = Verb("stand", of_a_turn("stand"), do_stand)
can_stand = stand.can
