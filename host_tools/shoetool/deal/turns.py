"""Whose turn it is: the reader step, players from the dealer's far left, split hands from the left, late cards last."""

from __future__ import annotations

from typing import Final

from shoetool.deal.state import BoxState, HandState, PlayPhase, PlayState, RoundVoid
from shoetool.model.cards import card_name, is_blackjack
from shoetool.rules.rule_error import RuleError

WAITS: Final = "late"
"""`HandState.end` while a hand waits for its late card, .14(i)."""

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


def end_turn(state: PlayState, hand: HandState, end: str) -> None:
    """The hand in turn has ended, and the next one is in turn."""
    state.acted = max(state.acted, hand.box.position)
    hand.end = end
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
        state.reader = "blackjack"
        for box in state.boxes:
            for hand in box.hands:
                if not hand.end:
                    hand.end = "dealer_blackjack"
        state.turn = None
        state.phase = PlayPhase.DEALER
        return
    state.reader = "no_blackjack"
    state.phase = PlayPhase.TURNS
    advance(state)


def advance(state: PlayState) -> None:
    """Go to the next hand that has a decision to make, dealing a split hand its second card when it is its turn.

    633a.7(i), 633a.11(b). When no hand is left, the late cards are dealt, and at last the dealer is in turn.
    """
    boxes = state.boxes
    index = state.turn_box
    count = len(boxes)
    while index < count:
        box = boxes[index]
        for hand in box.hands:
            if hand.end:
                continue
            if box.refused:
                hand.end = "stand"
                continue
            if len(hand.cards) == 1:
                hand.cards.append(state.draw(state.clauses.split_order, hand))
                if hand.total == 21:
                    hand.end = "twenty_one"
                    continue
            state.turn = hand
            state.turn_box = index
            return
        index += 1
    state.turn_box = count
    state.turn = None
    _deal_late_cards(state)


def _deal_late_cards(state: PlayState) -> None:
    """After all others, hands that missed a card get it, .14(i), and go on as long as they count less than 21, .7(k).

    A player who refused a card meanwhile gets no late one, .14(c). Then the dealer is in turn.
    """
    while state.late:
        hand = _next_late(state)
        if hand.box.refused:
            hand.end = "stand"
            continue
        hand.cards.append(state.draw(state.clauses.missed_card, hand))
        total = hand.total
        hand.end = "bust" if total > 21 else "twenty_one" if total == 21 else ""
        if not hand.end:
            state.turn = hand
            return
    state.phase = PlayPhase.DEALER


def _next_late(state: PlayState) -> HandState:
    """Take the next hand that waits: that of the next position of `late_order`, else the one missed first."""
    position = state.late_order.pop(0) if state.late_order else 0
    for index, hand in enumerate(state.late):
        if hand.box.position == position:
            return state.late.pop(index)
    return state.late.pop(0)


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
