"""Splitting and resplitting, free or with an equal wager; the exchange of cards in Switch: .11, 633a.12(a)(4)."""

from __future__ import annotations

from shoetool.deal.state import BoxState, HandState, PlayPhase, PlayState
from shoetool.deal.turns import advance, box_of, in_turn
from shoetool.deal.verbs import Verb
from shoetool.judge.allowed import No, no_split, no_switch, standing_of
from shoetool.model.cards import VALUES, card_name
from shoetool.model.money import money_words
from shoetool.rules.rule_error import RuleError
from shoetool.rules.wagers.pressing import area_of
from shoetool.table.actions import Split, Switched
from shoetool.table.fold import take


def is_free_pair(state: PlayState, hand: HandState) -> bool:
    """590.11(b): any pair but one of ten-count cards splits free."""
    return state.game.free_split and VALUES[hand.cards[0]] != 10


def verify_split(state: PlayState, position: int, hand: int | None = None, amount: int | None = None) -> HandState:
    """A hand that may be split: two cards of equal value, with an equal wager, within the number of splits.

    `amount` is the wager on the second hand in cents; None: as much as the clause asks for, nothing where it is
    free unless `state.exact`.
    633a.11(a), (c); 590.11(a)-(b), (d); 635a.11(a), (c). What was added and lies apart is matched too, 633c.11(g).
    """
    mine = _verify_pair(state, position, hand, "split")
    if is_free_pair(state, mine) and (amount is not None or state.exact):
        without = f"without {money_words(amount)}" if amount is not None else "write free_split"
        text = f"{mine.words()}: a pair of {card_name(mine.cards[0])[:-1]}s splits free, {without}"
        raise RuleError(state.clauses.free_split, text)
    apart = area_of(mine.box.pressed)
    due = mine.base + (apart.cents if apart is not None else 0)
    if amount is not None and amount != due:
        text = f"{mine.words()}: {money_words(amount)} on the second hand, where {money_words(due)} is asked for"
        raise RuleError(state.clauses.paid_split if apart is None else apart.area.split, text)
    return mine


def do_split(state: PlayState, mine: HandState, amount: int | None) -> None:
    """Two hands of one, the second with an equal wager, free where the pair splits free unless `state.exact`."""
    _part(state, mine, is_free_pair(state, mine))


def verify_free_split(state: PlayState, position: int, hand: int | None = None, amount: int | None = None) -> HandState:
    """A hand that may be split with a lammer: 590.11(b)(2), any pair but one of ten-count cards."""
    mine = _verify_pair(state, position, hand, "free split")
    if not state.game.free_split:
        raise RuleError(state.clauses.split, f"{mine.words()}: {state.game.title} has no free split")
    if not is_free_pair(state, mine):
        raise RuleError(state.clauses.paid_split, f"{mine.words()}: ten-count cards split only with an equal wager")
    if amount:
        raise RuleError(state.clauses.free_split, f"{mine.words()}: a free split takes no {money_words(amount)}")
    return mine


def do_free_split(state: PlayState, mine: HandState, amount: int | None) -> None:
    """Two hands of one: the real wager stays with the left hand, a lammer is the wager of the right one."""
    _part(state, mine, True)


def _verify_pair(state: PlayState, position: int, hand: int | None, verb: str) -> HandState:
    mine = in_turn(state, position, hand, verb)
    cards = mine.cards
    clauses = state.clauses
    wrong = no_split(standing_of(mine.hand))
    if wrong is No.CARDS:
        raise RuleError(clauses.split, f"{mine.words()}: a {verb} of {len(cards)} cards; only two cards can be split")
    if wrong is No.UNEQUAL:
        text = f"{mine.words()}: {card_name(cards[0])} and {card_name(cards[1])} are not of equal value"
        raise RuleError(clauses.split, text)
    if state.round.of_root(mine.hand) >= state.submission.max_hands:
        most = state.submission.max_hands
        raise RuleError(clauses.split_limit, f"{mine.words()}: already split into {most} hands, the most there may be")
    return mine


def _part(state: PlayState, mine: HandState, free: bool) -> None:
    """The second card becomes a hand to the right; the left one gets its second card at once, 633a.11(b).

    Each then decides like any hand, a double and another split included: 633a.11(c) decisions, 590.11(d) decisions,
    635a.11(c) decisions. Of a free split the real wager stays on the left, 590.11(b)(2)(i)-(ii), bust or not,
    590.11(c) bust.
    """
    box = mine.box
    state.acted = max(state.acted, box.position)
    number = len(box.hands)
    take(state.round, Split, box.position, mine.number, number)
    base = mine.base
    stake, lammer = (0, base) if free else (base, 0)
    new = HandState(box, state.round.hand(box.position, number), stake, base, lammer)
    box.hands.insert(box.hands.index(mine) + 1, new)
    advance(state)


def verify_switch(state: PlayState, position: int, hand: int | None = None, amount: int | None = None) -> BoxState:
    """A position that may exchange the second cards of its two hands, before it decides anything else.

    633a.12(a)(4).
    """
    box = box_of(state, position)
    clauses = state.clauses
    wrong = [no_switch(state.game, standing_of(mine.hand)) for mine in box.hands]
    if No.NOT_OFFERED in wrong:
        raise RuleError("633a.12(a)", f"position {position}: {state.game.title} has no switch of cards")
    if No.SWITCHED in wrong:
        raise RuleError(clauses.switch, f"position {position}: its second cards were switched before")
    if state.acted >= position:
        raise RuleError(clauses.switch, f"position {position}: a switch comes before every other decision of its turn")
    if state.phase == PlayPhase.BEFORE_READER:
        in_turn(state, position, None, "switch")
    turn = state.turn
    if turn is not None and turn.box.position < position:
        raise RuleError(clauses.turn_order, f"position {position}: no switch out of turn: {turn.words()} is in turn")
    if state.void is not None or state.reader == "blackjack" or state.round.revealed >= 0:
        in_turn(state, position, None, "switch")
    for mine, why in zip(box.hands, wrong, strict=True):
        if why or mine.end == "even_money":
            raise RuleError(clauses.switch, f"{mine.words()} has no second card to switch")
    return box


def do_switch(state: PlayState, box: BoxState, amount: int | None) -> None:
    """Exchange the second cards; a 21 that this makes is no Blackjack, 633a.12(a)(5)(iii)-(iv)."""
    state.acted = max(state.acted, box.position)
    take(state.round, Switched, box.position)
    for mine in box.hands:
        state.end_by_cards(mine)
    state.phase = PlayPhase.TURNS
    advance(state)


split = Verb("split", verify_split, do_split)
can_split = split.can
free_split = Verb("free_split", verify_free_split, do_free_split)
can_free_split = free_split.can
switch = Verb("switch", verify_switch, do_switch)
can_switch = switch.can
