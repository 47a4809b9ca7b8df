"""The dealer's hand and the end of the round: he turns the hole card and draws to 17 if it matters. No card is left."""

from __future__ import annotations

from shoetool.deal.hybrid import left_over as hybrid_left_over
from shoetool.deal.hybrid import needs_no_card, play_dealers
from shoetool.deal.state import BoxState, PlayPhase, PlayState
from shoetool.deal.turns import names
from shoetool.model.protocol_table import Position, Role
from shoetool.rules.hands import STANDS_ON, best_total
from shoetool.rules.rule_error import RuleError
from shoetool.rules.submission.rules import draw_for
from shoetool.rules.wagers import WAGERS
from shoetool.table.actions import Revealed
from shoetool.table.fold import take


def side_waits(state: PlayState, box: BoxState) -> bool:
    """Whether an optional wager of the position depends on cards the dealer may draw; reading 21.

    Those of a box without its first cards are returned: 633a.14(g).
    """
    return not draw_for(state.submission).isdisjoint(box.side) and all(len(cards) > 1 for cards in box.initial)


def must_draw(state: PlayState) -> bool:
    """Whether some wager waits for the dealer's total, so that he draws to 17: 633a.7(m)-(n)."""
    if state.reader == "blackjack":
        return False
    if state.game.facts.community:
        return True  # 633c.5(s): he draws for nobody too
    return _hand_waits(state) or any(box.side and side_waits(state, box) for box in state.boxes)


def _hand_waits(state: PlayState) -> bool:
    return any(not one.even_money and one.hand.needs_total(state.game) for one in state.hands())


def _draw_clause(state: PlayState) -> str:
    """The clause by which the dealer draws: the game's, or that of the only wager that waits for his cards."""
    if not _hand_waits(state):
        waiting = draw_for(state.submission)
        found = [WAGERS[key].draw for box in state.boxes for key in box.side if key in waiting]
        if found and None not in found:
            return next(one.clause for one in found if one is not None)
    return state.clauses.dealer_draw


def play_dealer(state: PlayState) -> None:
    """Turn the hole card and draw: 633a.7(l)-(n), 590.7(k)-(m), 635a.7(k)-(m). RuleError while a hand is not done."""
    if state.game.no_hole:
        play_dealers(state)
        return
    if state.phase != PlayPhase.DEALER:
        raise undecided(state)
    take(state.round, Revealed, state.round.dealer[1].record)
    state.phase = PlayPhase.OVER
    if must_draw(state):
        _draw_to_17(state)


def _draw_to_17(state: PlayState) -> None:
    clause = _draw_clause(state)
    while (count := best_total(state.dealer)) < STANDS_ON:
        if state.at >= len(state.cards):
            text = f"the dealer has {count} ({names(state.dealer)}) and must draw, and no card is left"
            raise RuleError(clause, text)
        state.draw(clause, Role.DEALER_DRAW)


def undecided(state: PlayState) -> RuleError:
    """Return the error for a round in which a hand has not ended."""
    hand = state.turn
    if hand is None:
        return RuleError(state.clauses.choices, "the players' turns have not begun")
    return RuleError(state.clauses.choices, f"{hand.words()} made no decision: it must stand, draw or choose otherwise")


def verify_nothing_left(state: PlayState) -> tuple[int, ...]:
    """Reject cards that no hand could get. Returns those that the dealer drew by accident on 17, .14(d)."""
    discarded: list[int] = []
    refused = any(box.refused for box in state.boxes)
    for at in range(state.at, len(state.cards)):
        note = state.aside.get(at)
        kind = "" if note is None else note.kind
        if kind == "dealer_extra" and _stands(state):
            discarded.append(state.cards[at])
        elif kind not in {"face_up", "ten_found"} and not (kind == "exposed" and refused):
            raise left_over(state, at)
        state.lay(state.cards[at], Role.DISCARDED, Position.RACK)
    state.at = len(state.cards)
    return tuple(discarded)


def _stands(state: PlayState) -> bool:
    if state.game.no_hole:
        return needs_no_card(state)
    return state.round.revealed >= 0 and best_total(state.dealer) >= STANDS_ON


def left_over(state: PlayState, at: int) -> RuleError:
    """Return the error for a card after the round's last one."""
    clauses = state.clauses
    note = state.aside.get(at)
    if note is not None and note.kind == "exposed":
        text = f"{state.card_words(at)} was exposed in error; it lies nowhere, and no player refused it"
        return RuleError(clauses.discard, text)
    if note is not None and note.kind == "too_few":
        return RuleError(clauses.too_few_burn, f"{state.card_words(at)} went to the rack, but nobody needed a card")
    card = f"{state.card_words(at)} is left over"
    more = len(state.cards) - at - 1
    if more:
        card = f"{state.card_words(at)} and {more} more are left over"
    if state.game.no_hole and state.void is None:
        return hybrid_left_over(state, card)
    total = best_total(state.dealer)
    dealer = f"the dealer has {total} ({names(state.dealer)})"
    if state.void is not None:
        return RuleError(state.void, f"{card}: the round is void")
    if state.reader == "blackjack":
        return RuleError(clauses.dealer_blackjack, f"{card}: the dealer has Blackjack ({names(state.dealer)})")
    if total >= STANDS_ON:
        return RuleError(clauses.dealer_draw, f"{card}: {dealer} and stands")
    if not must_draw(state):
        return RuleError(clauses.no_dealer_draw, f"{card}: {dealer}, and his total decides no wager")
    return RuleError(clauses.dealer_draw, f"{card}: {dealer}")
