"""From one turn to the next: the reader's step, the cards that a hand is owed, and why a hand is not in turn."""

from __future__ import annotations

from typing import Final

from shoetool.deal.state import WAITS, BoxState, HandState, PlayPhase, PlayState, RoundVoid
from shoetool.model.cards import card_name, is_blackjack
from shoetool.model.protocol_table import HandEnd, Peek, Role
from shoetool.rules.rule_error import RuleError
from shoetool.rules.wagers import View
from shoetool.rules.wagers.catalogue import extra_card
from shoetool.table.actions import Peeked
from shoetool.table.fold import take

_DONE: Final = {
    "stand": "has stood already",
    "bust": "is over 21",
    "twenty_one": "has 21",
    "blackjack": "has Blackjack",
    "doubled": "was doubled",
    "surrendered": "was surrendered",
    "rescued": "took its double back",
    "dead": "is dead",
    "even_money": "was paid even money",
    WAITS: "waits for its late card",
}


def begin_turns(state: PlayState) -> None:
    """After the deal, use the reader where the up card asks for it; then the first hand is in turn. 633a.7(h), (i)."""
    if state.phase == PlayPhase.BEFORE_READER:
        use_reader(state)
    else:
        advance(state)


def end_turn(state: PlayState, hand: HandState, why: HandEnd) -> None:
    """The hand in turn has ended, and the next one is in turn."""
    state.acted = max(state.acted, hand.box.position)
    state.end(hand, why)
    advance(state)


def use_reader(state: PlayState) -> None:
    """633a.7(h): with an ace or ten-count card up, tell whether the dealer has Blackjack; if so no more cards."""
    if state.phase != PlayPhase.BEFORE_READER:
        shown = card_name(state.dealer[0]) if state.dealer else "no card"
        raise RuleError(state.clauses.reader, f"the reader may not be used now, with the {shown} up")
    if state.failed == "voided":
        raise RoundVoid(state.clauses.reader_failed)
    if state.failed == "played_on":
        state.phase = PlayPhase.TURNS
        advance(state)
        return
    if is_blackjack(state.dealer):
        take(state.round, Peeked, Peek.BLACKJACK)
        for hand in state.hands():
            if not hand.end:
                _deal_extra_card(state, hand)
                state.end(hand, HandEnd.DEALER_BLACKJACK)
        state.turn = None
        state.phase = PlayPhase.DEALER
        return
    take(state.round, Peeked, Peek.NO_BLACKJACK)
    state.phase = PlayPhase.TURNS
    advance(state)


def _deal_extra_card(state: PlayState, hand: HandState) -> None:
    """Deal the card that an optional wager gets after a dealer's Blackjack, 633c.9(d)(4); it decides nothing else."""
    initial = tuple(card for cards in hand.box.initial for card in cards)
    view = View(state.submission, initial, tuple(state.dealer))
    extra = extra_card(hand.box.side, view)
    if extra is not None:
        state.draw(extra.clause, Role.DRAW, hand)


def advance(state: PlayState) -> None:
    """Go on to the hand in turn that has a decision to make. First it gets what it is owed: the second card of a split
    hand, 633a.11(b), or its late card, .14(i), unless its player refused a card, .14(c). When no hand is left, the
    dealer is in turn. At a hybrid table no hand is: all choose before the next card, 633c.5(p)(2), (z)."""
    if state.game.facts.community:
        return
    while (next_one := state.round.in_turn()) is not None:
        hand = box_of(state, next_one.box).hand(next_one.hand)
        assert hand is not None
        if next_one.queued:
            hand = _served(state, hand)
        if hand.box.refused:
            state.end(hand, HandEnd.STAND)
            continue
        if next_one.queued:
            state.draw(state.clauses.missed_card, Role.LATE, hand)
        elif len(next_one.cards) == 1:
            state.draw(state.clauses.split_order, Role.SPLIT_SECOND, hand)
        else:
            state.turn = hand
            return
        state.end_by_cards(hand)
    state.turn = None
    state.phase = PlayPhase.DEALER


def _served(state: PlayState, first: HandState) -> HandState:
    """Of those that wait for late cards the one that the dealer served next, where that is known, else the first."""
    position = state.late_order.pop(0) if state.late_order else 0
    return next((hand for hand in state.hands() if hand.end == WAITS and hand.box.position == position), first)


def in_turn(state: PlayState, position: int, number: int | None, verb: str) -> HandState:
    """The hand in turn if it is this one; else RuleError that tells why this hand cannot `verb` now."""
    hand = state.turn
    if hand is not None and hand.box.position == position and (number is None or number == hand.number):
        return hand
    raise _out_of_turn(state, position, number, verb)


def box_of(state: PlayState, position: int) -> BoxState:
    """The betting position; RuleError when it has no main wager."""
    box = state.by_position.get(position)
    if box is None:
        text = f"position {position} has no {state.game.wager_name} and takes no part in the round"
        raise RuleError(state.clauses.main_wager, text)
    return box


def initial_hand(state: PlayState, position: int, number: int | None, verb: str, clause: str) -> HandState:
    """A hand as dealt, before the turns: hand `number`, or the only one of the position."""
    hand = box_of(state, position).hand(number or 0)
    if hand is None:
        raise RuleError(clause, f"position {position} has no hand number {number} to {verb}")
    return hand


def _out_of_turn(state: PlayState, position: int, number: int | None, verb: str) -> RuleError:
    clauses = state.clauses
    box = box_of(state, position)
    if state.phase == PlayPhase.BEFORE_READER:
        return RuleError(clauses.reader, f"position {position}: no {verb} before the reader was used")
    if state.void is not None:
        return RuleError(state.void, f"position {position}: no {verb}, the round is void")
    if state.reader == "blackjack":
        text = f"position {position}: no {verb}, the dealer has Blackjack ({names(state.dealer)})"
        return RuleError(clauses.dealer_blackjack, text)
    if number is not None:
        hand = box.hand(number)
        if hand is None:
            return RuleError(clauses.choices, f"position {position} has no hand number {number} to {verb}")
    else:
        open_hands = [hand for hand in box.hands if not hand.end]
        hand = open_hands[0] if open_hands else box.hands[-1]  # the one that the input most likely means
    if not hand.end:
        turn = state.turn
        if turn is not None and turn.box is box:
            text = f"{hand.place()}: no {verb} before the hand on its left is complete: {turn.words()} is in turn"
            return RuleError(clauses.split_order, text)
        whose = "the dealer" if turn is None or state.phase == PlayPhase.OVER else turn.words()
        return RuleError(clauses.turn_order, f"{hand.place()}: no {verb} out of turn: {whose} is in turn")
    clause = {
        "bust": clauses.draw,
        "twenty_one": clauses.no_draw_21,
        "blackjack": clauses.no_draw_21,
        "doubled": clauses.one_card_double,
        "rescued": clauses.rescue,
        WAITS: clauses.missed_card,
    }.get(hand.end, clauses.choices)
    return RuleError(clause, f"{hand.words()} {_DONE[hand.end]}: no {verb}")


def names(cards: list[int]) -> str:
    """Names of cards, for a sentence."""
    return " ".join(map(card_name, cards))
