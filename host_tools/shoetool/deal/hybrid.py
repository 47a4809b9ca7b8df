"""A round at a hybrid gaming table, 633c.5: shared cards, and choices that every hand makes before the next card.

Terminals choose as they like and none is in turn. The choices of one terminal are taken in their order: each pass asks
its hands that have not chosen, from the left, and then one community card comes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Final

from shoetool.deal.decide_double import verify_double
from shoetool.deal.decide_early import verify_surrender
from shoetool.deal.decide_split import verify_split
from shoetool.deal.inputs import Decision
from shoetool.deal.state import HandState, PlayPhase, PlayState
from shoetool.deal.turns import in_turn
from shoetool.model.cards import card_name
from shoetool.model.protocol_table import HandEnd, Position, Role
from shoetool.rules.games.game import ACE, DealStep
from shoetool.rules.hands import STANDS_ON, best_total
from shoetool.rules.rule_error import RuleError
from shoetool.table.actions import CountdownOver, Doubled, Hit, Split
from shoetool.table.community import dealer_owes
from shoetool.table.fold import take

NO_CHOICE: Final = "no_choice"
CHOICES: Final = ("hit", "stand", "double", "split", "surrender", NO_CHOICE)


def deal_shared(state: PlayState, step: DealStep) -> None:
    """One pass of the opening deal to the player positions that are selected, 633c.5(n)(1), (3), or to all terminals,
    633c.5(y)(1), (3)."""
    places = [int(Position.COMMUNITY)]
    if step.to == "positions":
        selected = sorted({state.round.selection(box.position) for box in state.boxes})
        places = [Position.PLAYER_1 - 1 + number for number in selected]
    for place in places:
        state.draw_shared(step.clause, Role.OPENING, place)


def choose_all(state: PlayState, ask: Callable[[HandState], Decision]) -> None:
    """Ask each hand that has still to choose, then deal the community card that they want, until all have ended.

    633c.5(p)(2), 633c.5(q), 633c.5(r), 633c.5(z), 633c.5(aa)(3). RuleError for a choice that a hand may not make.
    """
    while True:
        for hand in state.hands():
            if not hand.end and not hand.hand.wants:
                _choose(state, hand, ask(hand))
        if not any(hand.hand.wants for hand in state.hands()):
            break
        state.draw_shared(state.clauses.draw, Role.DRAW, Position.COMMUNITY)
        for hand in state.hands():
            _after_card(state, hand)
    state.turn = None
    state.phase = PlayPhase.DEALER


def choose_as_told(state: PlayState, decisions: Iterable[Decision]) -> None:
    """Make these choices, those of each terminal in their order. RuleError too where one is missing or left over."""
    queues: dict[int, list[Decision]] = {}
    for decision in decisions:
        queues.setdefault(decision.position, []).append(decision)
    for position in queues:
        if position not in state.by_position:
            in_turn(state, position, None, "choice")
    choose_all(state, lambda hand: _next(state, hand, queues.get(hand.box.position, [])))
    for position, left in queues.items():
        if left:
            place = state.by_position[position].hands[0].place()
            text = f"{place}: {left[0].name} is left over: every hand of the terminal is complete"
            raise RuleError(state.clauses.choices, text)


def _next(state: PlayState, hand: HandState, left: list[Decision]) -> Decision:
    if not left:
        text = (
            f"{hand.words()} made no choice: it must stand, hit or choose otherwise; {NO_CHOICE} when the time was up"
        )
        raise RuleError(state.clauses.choices, text)
    decision = left.pop(0)
    if decision.name not in CHOICES:
        text = f"{hand.words()}: no {decision.name} at a hybrid table; there are {', '.join(CHOICES)}"
        raise RuleError(state.clauses.choices, text)
    return decision


def _choose(state: PlayState, hand: HandState, decision: Decision) -> None:
    position, number = hand.box.position, hand.number
    state.turn = hand
    if decision.name == "double":
        verify_double(state, position, number, decision.amount)
        hand.double = hand.base if decision.amount is None else decision.amount
        take(state.round, Doubled, position, number)
    elif decision.name == "split":
        verify_split(state, position, number, decision.amount)
        _split(state, hand)
    elif decision.name == "surrender":
        verify_surrender(state, position, number)
        state.end(hand, HandEnd.SURRENDERED)
    elif decision.name == "hit":
        take(state.round, Hit, position, number)
    elif decision.name == NO_CHOICE:
        take(state.round, CountdownOver, 1 << position - 1)
        if hand.hand.count() <= state.submission.countdown_draws_to:
            take(state.round, Hit, position, number)
        else:
            state.end(hand, HandEnd.STAND)
    else:
        state.end(hand, HandEnd.STAND)


def _split(state: PlayState, hand: HandState) -> None:
    """Two hands of one, which both take the next card (reading 81)."""
    box = hand.box
    number = len(box.hands)
    take(state.round, Split, box.position, hand.number, number)
    new = HandState(box, state.round.hand(box.position, number), hand.base, hand.base)
    box.hands.insert(box.hands.index(hand) + 1, new)


def _after_card(state: PlayState, hand: HandState) -> None:
    """End a hand that its cards end, a double, and without a hole card split aces: 633c.5(r)(2), (aa)(3)(i)."""
    if hand.end:
        return
    if hand.double:
        state.end(hand, HandEnd.BUST if hand.hand.count() > 21 else HandEnd.DOUBLED)
        return
    state.end_by_cards(hand)
    if not hand.end and state.game.no_hole and hand.hand.split and hand.cards[0] % 13 == ACE:
        state.end(hand, HandEnd.STAND)


def play_dealers(state: PlayState) -> None:
    """Deal community cards until the dealer's hand of every terminal is complete, 633c.5(aa), (bb)."""
    if state.phase != PlayPhase.DEALER:
        raise RuleError(state.clauses.choices, "the players have not chosen")
    while (waiting := next(_waiting(state), None)) is not None:
        if state.at >= len(state.cards):
            names = " ".join(card_name(card.card) for card in state.round.dealer_of(waiting))
            text = f"the dealer's hand of terminal {waiting} is {names} and needs a card, and no card is left"
            raise RuleError(state.clauses.dealer_draw, text)
        state.draw_shared(state.clauses.dealer_draw, Role.DEALER_DRAW, Position.COMMUNITY)
    state.phase = PlayPhase.OVER


def needs_no_card(state: PlayState) -> bool:
    """Whether no wager of any terminal waits for another card of the dealer's, without a hole card."""
    return next(_waiting(state), None) is None


def _waiting(state: PlayState) -> Iterator[int]:
    """The terminals of which a wager waits for another card of the dealer's."""
    return (box.position for box in state.boxes if dealer_owes(state.round, box.position))


def left_over(state: PlayState, card: str) -> RuleError:
    """The error for a card after the round's last one, without a hole card."""
    least = min(best_total([card.card for card in state.round.dealer_of(box.position)]) for box in state.boxes)
    told = "stands in every hand" if least >= STANDS_ON else "needs no further card in any hand"
    return RuleError(state.clauses.dealer_draw, f"{card}: the dealer {told}")
