"""Switch hands: each player keeps the two cards dealt face up, or plays the two that lie face down, 633c.4(f).

Then the round goes on as in Blackjack, with either hand: 633c.4(g), 633c.4(h); in Blackjack premium by 633c.4(m),
633c.4(n).
"""

from __future__ import annotations

from shoetool.deal.deal import begin, chooser
from shoetool.deal.state import BoxState, PlayPhase, PlayState
from shoetool.deal.turns import box_of
from shoetool.deal.verbs import Verb
from shoetool.model.cards import card_name
from shoetool.model.protocol_table import Position, Role
from shoetool.rules.rule_error import RuleError
from shoetool.table.actions import MOVED, TURNED, HandChosen
from shoetool.table.card import DrawnCard
from shoetool.table.fold import lay, take

_CLAUSE = "633c.4(f)"


def verify_keep(state: PlayState, position: int, hand: int | None = None, amount: int | None = None) -> BoxState:
    """A position with an ante that is asked, from the dealer's far right: it has two hands of two cards, 633c.4(f)."""
    box = box_of(state, position)
    where = f"position {position}"
    if not box.ante:
        raise RuleError("633c.4(k)", f"{where}: no choice between two hands without a switch hands ante")
    if position in state.round.chosen:
        raise RuleError(_CLAUSE, f"{where}: it had chosen between its two hands before")
    asked = chooser(state)
    if state.phase != PlayPhase.CHOOSING or asked is None:
        raise RuleError(_CLAUSE, f"{where}: no choice between two hands now, before any other card is dealt only")
    if asked is not box:
        if len(state.round.switch_cards.get(position, ())) < 2 or any(one.end == "dead" for one in box.hands):
            raise RuleError(_CLAUSE, f"{where}: it has no two hands to choose between")
        text = f"{where}: position {asked.position} is asked before it, from the dealer's far right"
        raise RuleError(_CLAUSE, text)
    return box


def verify_switch_hand(state: PlayState, position: int, hand: int | None = None, amount: int | None = None) -> BoxState:
    """A position that may play its two face-down cards, whose faces are known, for its two face-up ones."""
    box = verify_keep(state, position, hand, amount)
    for card in state.round.switch_cards[position]:
        if not card.known:
            text = f"position {position}: it plays a switch hands card that is {card_name(card.card)}; write its face"
            raise RuleError("633c.4(f)(2)", text)
    if len(box.hands[0].cards) != 2:
        raise RuleError("633c.4(f)(2)", f"{box.hands[0].words()}: no two face-up cards to exchange")
    return box


def do_keep(state: PlayState, box: BoxState, amount: int | None) -> None:
    """The two face-down cards go to the rack unexposed, 633c.4(f)(1)."""
    _choose(state, box, False)
    for card in list(state.round.switch_cards[box.position]):
        _move(state, card, Role.DISCARDED, Position.RACK, MOVED)
    _next(state)


def do_switch_hand(state: PlayState, box: BoxState, amount: int | None) -> None:
    """The two face-up cards go to the rack, the face-down ones are turned and become the hand, 633c.4(f)(2).

    The same in Blackjack premium, 633c.4(l).
    """
    _choose(state, box, True)
    asides = list(state.round.switch_cards[box.position])
    box.aside = tuple(card.card for card in asides)
    for card in list(box.hands[0].hand.cards):
        _move(state, card, Role.DISCARDED, Position.RACK, MOVED)
    for card in asides:
        _move(state, card, Role.SWITCH_HAND, box.position, TURNED)
    _next(state)


def _choose(state: PlayState, box: BoxState, switched: bool) -> None:
    take(state.round, HandChosen, box.position, int(switched))
    box.switched = switched


def _move(state: PlayState, card: DrawnCard, role: Role, box: int, how: int) -> None:
    card.role, card.box, card.hand = role, box, 0
    lay(state.round, card, how)


def _next(state: PlayState) -> None:
    if chooser(state) is None:
        begin(state)


def unasked(state: PlayState) -> RuleError:
    """Return the error for a round in which a position has not chosen between its two hands."""
    box = chooser(state)
    assert box is not None
    text = f"position {box.position}: it did not say whether it keeps or switches its hand"
    return RuleError(_CLAUSE, f"{text}, before any other card and any other decision")


keep = Verb("keep", verify_keep, do_keep)
can_keep = keep.can
switch_hand = Verb("switch", verify_switch_hand, do_switch_hand)
can_switch_hand = switch_hand.can
