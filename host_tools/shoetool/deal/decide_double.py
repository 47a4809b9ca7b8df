"""Doubling, free doubling and rescue: 633a.10, 590.10, 635a.10."""

from __future__ import annotations

from shoetool.deal.state import HandState, PlayPhase, PlayState
from shoetool.deal.turns import box_of, end_turn, in_turn
from shoetool.deal.verbs import Verb
from shoetool.judge.allowed import No, Standing, no_double, no_rescue, standing_of
from shoetool.model.cards import total
from shoetool.model.money import money_words
from shoetool.model.protocol_table import HandEnd, Role
from shoetool.rules.rule_error import RuleError
from shoetool.rules.wagers import PRESSES, WAGERS
from shoetool.rules.wagers.pressing import largest_double
from shoetool.table.actions import Doubled
from shoetool.table.fold import take


def is_free_total(state: PlayState, hand: HandState) -> bool:
    """590.10(a)(1): two cards that count a hard 9, 10 or 11, no ace counted 11 (reading 60).

    A count is soft while an ace counts 11, 633a.1 Soft total, 590.1 Soft total, 635a.1 Soft total; else it is hard,
    633a.1 Hard total, 590.1 Hard total, 635a.1 Hard total.
    """
    count, soft = total(hand.cards)
    return count in state.game.free_double_totals and len(hand.cards) == 2 and not soft


def verify_double(state: PlayState, position: int, hand: int | None = None, amount: int | None = None) -> HandState:
    """A hand that may double with real money, `amount` cents (None: the whole wager).

    It may be a free one where that applies, unless `state.exact`. 633a.10(a): the first two cards of a hand or of a
    split hand, not a Blackjack, at most the wager. 635a.10(a): any number of cards. 590.10(a)(1)-(2): hard 9, 10 and 11
    double free, and only then; split hands too, 590.10(b).
    """
    mine = _verify_cards(state, position, hand, "double")
    clauses = state.clauses
    if is_free_total(state, mine) and (amount is not None or state.exact):
        without = f"without {money_words(amount)}" if amount is not None else "write free_double"
        raise RuleError(clauses.paid_double, f"{mine.words()}: a hard {mine.hand.count()} doubles free, {without}")
    if amount is None:
        return mine
    base = mine.base
    most = largest_double(base, mine.box.pressed, state.submission)
    if not 0 < amount <= most:
        text = f"{mine.words()}: a double of {money_words(amount)} on a wager of {money_words(most)}"
        raise RuleError(clauses.paid_double, text)
    matched = next((key for key in mine.box.pressed if PRESSES[key].double), "")
    if matched and amount < base:
        text = f"{mine.words()}: with {WAGERS[matched].title} added the double must match the whole {money_words(base)}"
        raise RuleError(PRESSES[matched].double, text)
    return mine


def do_double(state: PlayState, mine: HandState, amount: int | None) -> None:
    """Double with real money, free where the hand doubles free unless `state.exact`; then one card."""
    if amount is None and state.game.free_double_totals and is_free_total(state, mine):
        mine.free_double = mine.base
    else:
        most = largest_double(mine.base, mine.box.pressed, state.submission)
        mine.double = most if amount is None else amount
    _one_card(state, mine)


def verify_free_double(
    state: PlayState, position: int, hand: int | None = None, amount: int | None = None
) -> HandState:
    """A hand that may double with a lammer: 590.10(a)(1)."""
    mine = _verify_cards(state, position, hand, "free double")
    if not state.game.free_double_totals:
        raise RuleError(state.clauses.double, f"{mine.words()}: {state.game.title} has no free double")
    if not is_free_total(state, mine):
        raise RuleError(state.clauses.free_double, f"{mine.words()}: only a hard 9, 10 or 11 doubles free")
    if amount:
        raise RuleError(state.clauses.free_double, f"{mine.words()}: a free double takes no {money_words(amount)}")
    return mine


def do_free_double(state: PlayState, mine: HandState, amount: int | None) -> None:
    """Double with a lammer, then one card."""
    mine.free_double = mine.base
    _one_card(state, mine)


def _verify_cards(state: PlayState, position: int, hand: int | None, verb: str) -> HandState:
    mine = in_turn(state, position, hand, verb)
    if no_double(state.game, standing_of(mine.hand)) is No.CARDS:
        text = f"{mine.words()}: a {verb} on {len(mine.cards)} cards; only on the first two"
        raise RuleError(state.clauses.double, text)
    return mine


def _one_card(state: PlayState, mine: HandState) -> None:
    """Exactly one more card, and the hand is done: 633a.7(k)(2), 590.10(c), 590.10(d), 635a.10(a) one card.

    Whether it lies face down, as 633a.10(c) lets the house choose, changes nothing here.
    """
    take(state.round, Doubled, mine.box.position, mine.number)
    state.draw(state.clauses.one_card_double, Role.DOUBLE_DRAW, mine)
    end_turn(state, mine, HandEnd.BUST if mine.hand.count() > 21 else HandEnd.DOUBLED)


def verify_rescue(state: PlayState, position: int, hand: int | None = None, amount: int | None = None) -> HandState:
    """A doubled hand, not over 21, that takes the double back before the dealer plays: 635a.10(d), reading 66."""
    clauses = state.clauses
    if no_rescue(state.game, Standing(())) is No.NOT_OFFERED:
        raise RuleError(clauses.double, f"position {position}: {state.game.title} has no rescue of a double")
    box = box_of(state, position)
    if hand is None:
        doubled = [one for one in box.hands if one.double or one.end == "doubled"]
        mine = doubled[-1] if doubled else box.hands[0]
    else:
        found = box.hand(hand)
        if found is None:
            raise RuleError(clauses.rescue, f"position {position} has no hand number {hand} to rescue")
        mine = found
    if mine.end == "rescued":
        raise RuleError(clauses.rescue, f"{mine.words()}: the double was taken back before")
    wrong = no_rescue(state.game, standing_of(mine.hand))
    if wrong is No.OVER_21:
        raise RuleError(clauses.rescue, f"{mine.words()}: over 21, so the double cannot be taken back")
    if wrong is not None:
        raise RuleError(clauses.rescue, f"{mine.words()}: no double to take back")
    if state.phase not in (PlayPhase.TURNS, PlayPhase.DEALER):
        raise RuleError(clauses.rescue, f"{mine.words()}: too late to take the double back")
    return mine


def do_rescue(state: PlayState, mine: HandState, amount: int | None) -> None:
    """The double goes back to the player, who forfeits the wager."""
    state.end(mine, HandEnd.SURRENDERED)


double = Verb("double", verify_double, do_double)
can_double = double.can
free_double = Verb("free_double", verify_free_double, do_free_double)
can_free_double = free_double.can
rescue = Verb("rescue", verify_rescue, do_rescue)
can_rescue = rescue.can
