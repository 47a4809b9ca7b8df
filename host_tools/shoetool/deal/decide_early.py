"""What is decided before the player's turn: insurance and even money; and surrender: .8, .9.

From the hand the two cards are turned up for a surrender, 633a.12(b)(6)(i).
"""

from __future__ import annotations

from typing import Final

from shoetool.deal.state import BoxState, HandState, PlayPhase, PlayState
from shoetool.deal.turns import box_of, end_turn, in_turn, initial_hand
from shoetool.deal.verbs import Verb
from shoetool.judge.allowed import No, no_even_money, no_insurance, no_surrender, standing_of
from shoetool.model.cards import card_name
from shoetool.model.money import money_words
from shoetool.model.protocol_table import HandEnd
from shoetool.rules.rule_error import RuleError

_UNINSURED: Final = frozenset({"even_money", "dead"})


def insurance_limit(state: PlayState, box: BoxState, without: HandState | None = None) -> int:
    """The most cents of insurance. A hand that took even money is not insured, nor a dead one, nor `without`."""
    open_hands = sum(hand.end not in _UNINSURED and hand is not without for hand in box.hands)
    return state.submission.insurance_limit(box.wager, open_hands)


def verify_insurance(state: PlayState, position: int, hand: int | None = None, amount: int | None = None) -> BoxState:
    """A position that may insure for `amount` cents: an ace up, before the reader, within the limit.

    633a.8(a)-(b), 590.7(f), 590.8(a)-(b), 635a.8(a)-(b).
    """
    clauses = state.clauses
    box = box_of(state, position)
    if state.dealer and no_insurance(state.game, state.dealer[0]):
        text = f"position {position}: insurance with the {card_name(state.dealer[0])} up; only with an ace"
        raise RuleError(clauses.insurance, text)
    if state.phase != PlayPhase.BEFORE_READER and not (state.game.no_hole and len(state.round.shared) == 2):
        raise RuleError(clauses.insurance_timing, f"position {position}: insurance after the reader was used")
    if box.insurance:
        raise RuleError(clauses.insurance_amount, f"position {position}: a second insurance wager")
    limit = insurance_limit(state, box)
    if all(hand.end == "dead" for hand in box.hands):
        clause = clauses.one_card if any(hand.hand.cards for hand in box.hands) else clauses.no_cards
        raise RuleError(clause, f"position {position}: insurance for a dead hand")
    if not limit:
        text = f"position {position}: insurance beside even money on the same wager"
        raise RuleError(clauses.even_money or clauses.insurance, text)
    if amount is None:
        raise RuleError(clauses.insurance_amount, f"position {position}: insurance without an amount")
    if not 0 < amount <= limit:
        text = f"position {position}: insurance of {money_words(amount)}; at most {money_words(limit)}"
        raise RuleError(clauses.insurance_amount, f"{text} on a wager of {money_words(box.wager)}")
    return box


def do_insurance(state: PlayState, box: BoxState, amount: int | None) -> None:
    """Place the Insurance Wager."""
    box.insurance = amount or 0


def verify_even_money(state: PlayState, position: int, hand: int | None = None, amount: int | None = None) -> HandState:
    """A Blackjack that may be paid 1 to 1 at once, in place of insurance: 633a.8(e), reading 53."""
    clauses = state.clauses
    box = box_of(state, position)
    clause = clauses.even_money or clauses.insurance
    if not (state.game.offers_even_money and state.submission.even_money):
        raise RuleError(clause, f"position {position}: even money is not offered at this table")
    if hand is None and len(box.hands) > 1:
        naturals = [one for one in box.hands if one.end == "blackjack"]
        mine = naturals[0] if naturals else box.hands[0]
    else:
        mine = initial_hand(state, position, hand, "pay even money", clause)
    wrong = no_even_money(state.game, standing_of(mine.hand), state.dealer[0]) if state.dealer else None
    if wrong is No.UP_CARD:
        text = f"{mine.words()}: even money with the {card_name(state.dealer[0])} up; only with an ace"
        raise RuleError(clause, text)
    if state.phase != PlayPhase.BEFORE_READER:
        raise RuleError(clause, f"{mine.words()}: even money after the reader was used")
    if wrong is not None or mine.end != "blackjack":
        raise RuleError(clause, f"{mine.words()}: even money without a Blackjack")
    if box.insurance > insurance_limit(state, box, without=mine):
        raise RuleError(clause, f"{mine.words()}: even money beside insurance on the same wager")
    return mine


def do_even_money(state: PlayState, mine: HandState, amount: int | None) -> None:
    """The Blackjack is paid 1 to 1 and its hand cleared."""
    mine.even_money = mine.box.even_money = True


def verify_surrender(state: PlayState, position: int, hand: int | None = None, amount: int | None = None) -> HandState:
    """A hand of its first two cards that may give up half its wager before any other decision: .9(a).

    Declared in its turn; with an ace or ten-count card up it may be declared before the reader too (reading 52).
    """
    clauses = state.clauses
    if state.phase == PlayPhase.BEFORE_READER:
        mine = initial_hand(state, position, hand, "surrender", clauses.surrender_early)
    else:
        mine = in_turn(state, position, hand, "surrender")
    wrong = no_surrender(state.game, standing_of(mine.hand))
    if wrong is No.NOT_OFFERED:
        raise RuleError(clauses.surrender, f"{mine.words()}: {state.game.title} has no surrender")
    if state.submission.surrender == "none":
        raise RuleError(clauses.surrender, f"{mine.words()}: surrender is not offered at this table")
    if wrong is No.ENDED:
        raise RuleError(clauses.surrender, f"{mine.words()}: no surrender, the hand is done")
    if wrong is No.FROM_SPLIT:
        raise RuleError(clauses.surrender, f"{mine.words()}: a split hand cannot be surrendered")
    if wrong is not None:
        raise RuleError(clauses.surrender, f"{mine.words()}: surrender after a card was drawn; only on the first two")
    return mine


def do_surrender(state: PlayState, mine: HandState, amount: int | None) -> None:
    """The hand is done; insurance on it stays: 633a.9(b), 590.9(b), 635a.9(b)."""
    if state.phase == PlayPhase.TURNS:
        end_turn(state, mine, HandEnd.SURRENDERED)
    else:
        state.end(mine, HandEnd.SURRENDERED)


insurance = Verb("insurance", verify_insurance, do_insurance)
can_insurance = insurance.can
even_money = Verb("even_money", verify_even_money, do_even_money)
can_even_money = even_money.can
surrender = Verb("surrender", verify_surrender, do_surrender)
can_surrender = surrender.can
