"""What is decided before the player's turn: insurance, even money, a press of winnings; and surrender: .8, .9.

From the hand the two cards are turned up for a surrender, 633a.12(b)(6)(i).
"""

from __future__ import annotations

from collections.abc import Container
from typing import Final

from shoetool.deal.state import BoxState, HandState, PlayPhase, PlayState
from shoetool.deal.turns import box_of, end_turn, in_turn, initial_hand
from shoetool.deal.verbs import Verb
from shoetool.judge.allowed import No, no_even_money, no_insurance, no_surrender, standing_of
from shoetool.model.cards import card_name
from shoetool.model.money import money_words
from shoetool.model.protocol_table import HandEnd
from shoetool.rules.paytable import paytable
from shoetool.rules.rule_error import RuleError
from shoetool.rules.wagers import PRESSES, WAGERS
from shoetool.rules.wagers.switch_hands import first_two

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
    if state.phase != PlayPhase.BEFORE_READER:
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


def press_limit_of(state: PlayState, box: BoxState) -> int:
    """Most cents of an optional wager's winnings that may join the main wager; 0 for a loser."""
    key = pressable_wager(box.side)
    if key not in box.side:
        return 0
    submission = state.submission
    table = paytable(key, submission.wagers[key].paytable, submission.decks)
    initial = first_two(submission, box)[0]
    return WAGERS[key].press_limit(initial, tuple(state.dealer), box.side[key], table, submission)


def pressable_wager(side: Container[str]) -> str:
    """The wager of these whose winnings may join the main wager; where none of them may, one that is not placed."""
    return next(iter([key for key in PRESSES if key in side] or PRESSES))


def verify_press(state: PlayState, position: int, hand: int | None = None, amount: int | None = None) -> HandState:
    """A hand whose wager may be raised by an optional wager's winnings: after the reader, before its turn, also a
    Blackjack.

    `amount` None: all that may be added. 633a.7(g)(10)(i)(B), 633a.7(g)(10)(ii)(A), 633a.7(g)(10)(ii)(B); reading 19.
    """
    box = box_of(state, position)
    where = f"position {position}"
    key = pressable_wager(box.side)
    wager, press = WAGERS[key].title, PRESSES[key]
    of_chapter = press.clause.startswith(state.game.chapter)
    if key not in box.side or not of_chapter:
        clause = press.clause if of_chapter else state.clauses.side_wagers
        raise RuleError(clause, f"{where}: no {wager} Wager whose winnings could be added")
    if len(box.initial) > 1:
        text = f"{where}: {wager} is paid out in {state.game.title}: its two main wagers are equal"
        raise RuleError(press.two_hands, text)
    if state.void is not None or state.reader == "blackjack":
        raise RuleError(press.paid_out, f"{where}: {wager} is paid out: the dealer has Blackjack")
    if state.phase not in (PlayPhase.TURNS, PlayPhase.DEALER) or state.acted >= position:
        raise RuleError(press.clause, f"{where}: {wager} is added after the reader and before the turn")
    mine = initial_hand(state, position, hand, f"add {wager} to", press.clause)
    if box.pressed:
        raise RuleError(press.clause, f"{where}: {wager} was added before")
    if mine.end and mine.end != "blackjack":
        raise RuleError(press.clause, f"{mine.words()}: {wager} cannot be added to a hand that is done")
    most = press_limit_of(state, box)
    if not most:
        raise RuleError(WAGERS[key].collects, f"{where}: the {wager} Wager won nothing to add")
    if amount is not None and not 0 < amount <= most:
        text = f"{where}: {money_words(amount)} of {wager} added; at most {money_words(most)}"
        raise RuleError(press.most, text)
    return mine


def do_press(state: PlayState, mine: HandState, amount: int | None) -> None:
    """Add winnings to the main wager: splits and doubles match the sum."""
    added = press_limit_of(state, mine.box) if amount is None else amount
    mine.box.pressed = added
    mine.stake += added
    mine.base += added


insurance = Verb("insurance", verify_insurance, do_insurance)
can_insurance = insurance.can
even_money = Verb("even_money", verify_even_money, do_even_money)
can_even_money = even_money.can
surrender = Verb("surrender", verify_surrender, do_surrender)
can_surrender = surrender.can
press = Verb("press", verify_press, do_press)
can_press = press.can
