"""Decisions that only an irregular round has: a refused card, a late card, a dead hand; .14(c), (i)."""

from __future__ import annotations

from shoetool.deal.state import HandState, PlayState
from shoetool.deal.turns import advance, end_turn, in_turn
from shoetool.deal.verbs import Verb, of_a_turn
from shoetool.model.protocol_table import HandEnd, IrregularityCode
from shoetool.rules.rule_error import RuleError
from shoetool.table.actions import Reported
from shoetool.table.fold import take


def verify_refuse_card(
    state: PlayState, position: int, hand: int | None = None, amount: int | None = None
) -> HandState:
    """A hand that refuses a card which was drawn in error and seen: 633a.14(c) refusal."""
    mine = in_turn(state, position, hand, "refusal of a card")
    if not state.next_card_is("exposed"):
        text = f"{mine.words()}: refuses a card, and the next card was not exposed in error"
        raise RuleError(state.clauses.refused, text)
    return mine


def do_refuse_card(state: PlayState, mine: HandState, amount: int | None) -> None:
    """The player gets no more cards in this round, on any of his hands and boxes; reading 40."""
    player = mine.box.player
    for box in state.boxes:
        if box is mine.box or (player is not None and box.player == player):
            box.refused = True
    take(state.round, Reported, IrregularityCode.CARD_REFUSED, mine.box.position, mine.number, 0, 0)
    end_turn(state, mine, HandEnd.STAND)


def do_late_card(state: PlayState, mine: HandState, amount: int | None) -> None:
    """The hand asked for a card that the dealer missed, and waits: .14(i).

    Its card comes after the other players' cards and before the hole card shows, then it goes on.
    """
    state.acted = max(state.acted, mine.box.position)
    take(state.round, Reported, IrregularityCode.MISSED_CARD, mine.box.position, mine.number, 0, 0)
    advance(state)


def do_dead_hand(state: PlayState, mine: HandState, amount: int | None) -> None:
    """The hand asked for a card that the dealer missed. It is called dead, its wager returned: .14(i)."""
    take(state.round, Reported, IrregularityCode.MISSED_CARD, mine.box.position, mine.number, 0, 0)
    end_turn(state, mine, HandEnd.DEAD)


refuse_card = Verb("refuse_card", verify_refuse_card, do_refuse_card)
can_refuse_card = refuse_card.can
late_card = Verb("late_card", of_a_turn("late card"), do_late_card)
can_late_card = late_card.can
dead_hand = Verb("dead_hand", of_a_turn("dead hand"), do_dead_hand)
can_dead_hand = dead_hand.can
