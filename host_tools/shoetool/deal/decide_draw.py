"""Drawing and standing: 633a.7(k), 590.7(j), 635a.7(j); and what only an irregular round has: .14(c), (i).

Cards are dealt as each player decides, face up: 633a.7(j), 633a.12(b)(7), 590.7(i), 635a.7(i).
"""

from __future__ import annotations

from shoetool.deal.state import HandState, PlayState
from shoetool.deal.turns import WAITS, end_turn, in_turn
from shoetool.deal.verbs import Verb, of_a_turn
from shoetool.rules.rule_error import RuleError


def do_hit(state: PlayState, mine: HandState, amount: int | None) -> None:
    """633a.7(k): deal one more card, face up. At 21 and over 21 the hand is done."""
    state.acted = max(state.acted, mine.box.position)
    mine.cards.append(state.draw(state.clauses.draw, mine))
    total = mine.total
    if total >= 21:
        end_turn(state, mine, "bust" if total > 21 else "twenty_one")


def do_stand(state: PlayState, mine: HandState, amount: int | None) -> None:
    """633a.7(i)(2): the hand is done."""
    end_turn(state, mine, "stand")


hit = Verb("hit", of_a_turn("card"), do_hit)
can_hit = hit.can
stand = Verb("stand", of_a_turn("stand"), do_stand)
can_stand = stand.can


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
    end_turn(state, mine, "stand")


def do_late_card(state: PlayState, mine: HandState, amount: int | None) -> None:
    """The hand asked for a card that the dealer missed, and waits: .14(i).

    Its card comes after the other players' cards and before the hole card shows, then it goes on.
    """
    state.late.append(mine)
    end_turn(state, mine, WAITS)


def do_dead_hand(state: PlayState, mine: HandState, amount: int | None) -> None:
    """The hand asked for a card that the dealer missed. It is called dead, its wager returned: .14(i)."""
    end_turn(state, mine, "dead")


refuse_card = Verb("refuse_card", verify_refuse_card, do_refuse_card)
can_refuse_card = refuse_card.can
late_card = Verb("late_card", of_a_turn("late card"), do_late_card)
can_late_card = late_card.can
dead_hand = Verb("dead_hand", of_a_turn("dead hand"), do_dead_hand)
can_dead_hand = dead_hand.can
