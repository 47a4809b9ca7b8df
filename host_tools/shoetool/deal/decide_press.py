"""A press: winnings of an optional wager join the main wager before the player's turn, 633a.7(g)(10), 633c.11(e)."""

from __future__ import annotations

from functools import partial
from typing import Final, NamedTuple

from shoetool.deal.state import BoxState, HandState, PlayPhase, PlayState
from shoetool.deal.turns import box_of, initial_hand
from shoetool.deal.verbs import Verb
from shoetool.model.money import money_words
from shoetool.rules.rule_error import RuleError
from shoetool.rules.wagers import PRESSES, WAGERS
from shoetool.rules.wagers.pressing import PRESS_WORDS, pressed_wager
from shoetool.rules.wagers.switch_hands import first_two


class Pressing(NamedTuple):
    """A press that is allowed: the hand that it joins, and the wager that won it."""

    hand: HandState
    key: str


def press_limit_of(state: PlayState, box: BoxState, key: str) -> int:
    """Most cents of this wager's winnings that may join the main wager; 0 for a loser, or where it was not placed."""
    if key not in box.side:
        return 0
    initial = first_two(state.submission, box)[0]
    return state.submission.press_limit(key, box.side[key], initial, tuple(state.dealer))


def verify_press(
    word: str, state: PlayState, position: int, hand: int | None = None, amount: int | None = None
) -> Pressing:
    """A hand whose wager may be raised by an optional wager's winnings: after the reader, before its turn, also a
    Blackjack.

    `word` says which wager's. `amount` None: all that may be added. 633a.7(g)(10)(i)(B), 633a.7(g)(10)(ii)(A),
    633a.7(g)(10)(ii)(B), reading 19; 633c.11(e), 633c.11(f).
    """
    box = box_of(state, position)
    where = f"position {position}"
    key = pressed_wager(word, box.side, state.submission.wagers, position)
    wager, press = WAGERS[key].title, PRESSES[key]
    of_chapter = press.clause.startswith(state.game.chapter) or state.game.name in WAGERS[key].games
    if key not in box.side or not of_chapter:
        clause = press.clause if of_chapter else state.clauses.side_wagers
        raise RuleError(clause, f"{where}: no {wager} Wager whose winnings could be added")
    if len(box.initial) > 1:
        text = f"{where}: {wager} is paid out in {state.game.title}: its two main wagers are equal"
        raise RuleError(press.two_hands, text)
    undone = WAGERS[key].presses_early(state.submission) and state.void is None
    if (state.void is not None or state.reader == "blackjack") and not undone:
        raise RuleError(press.paid_out, f"{where}: {wager} is paid out: the dealer has Blackjack")
    if state.phase not in (PlayPhase.TURNS, PlayPhase.DEALER) or state.acted >= position:
        raise RuleError(press.clause, f"{where}: {wager} is added after the reader and before the turn")
    mine = initial_hand(state, position, hand, f"add {wager} to", press.clause)
    if key in box.pressed:
        raise RuleError(press.clause, f"{where}: {wager} was added before")
    if mine.end and mine.end != "blackjack" and not (undone and mine.end == "dealer_blackjack"):
        raise RuleError(press.clause, f"{mine.words()}: {wager} cannot be added to a hand that is done")
    most = press_limit_of(state, box, key)
    if not most:
        raise RuleError(WAGERS[key].collects, f"{where}: the {wager} Wager won nothing to add")
    if amount is not None and not 0 < amount <= most:
        text = f"{where}: {money_words(amount)} of {wager} added; at most {money_words(most)}"
        raise RuleError(press.most, text)
    return Pressing(mine, key)


def do_press(state: PlayState, found: Pressing, amount: int | None) -> None:
    """Add winnings to the main wager: splits and doubles match the sum. Those of an area of their own lie apart."""
    mine, key = found
    added = press_limit_of(state, mine.box, key) if amount is None else amount
    mine.box.pressed[key] = added
    if PRESSES[key].apart is None:
        mine.stake += added
        mine.base += added


PRESS_VERBS: Final = tuple(Verb(word, partial(verify_press, word), do_press) for word in PRESS_WORDS)
"""The plain word, and that of each wager whose winnings may be added."""
