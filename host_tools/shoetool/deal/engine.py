"""One engine for every game: a round from its stakes, its cards in drawn order and its decisions by name."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from types import MappingProxyType
from typing import Any, Final

from shoetool.deal.deal import burn, deal_opening, take_determinant
from shoetool.deal.dealer import play_dealer, verify_nothing_left
from shoetool.deal.decide_choose import keep, switch_hand, unasked
from shoetool.deal.decide_double import double, free_double, rescue
from shoetool.deal.decide_draw import hit, stand
from shoetool.deal.decide_early import even_money, insurance, surrender
from shoetool.deal.decide_irregular import dead_hand, late_card, refuse_card
from shoetool.deal.decide_press import PRESS_VERBS
from shoetool.deal.decide_split import free_split, split, switch
from shoetool.deal.hybrid import choose_as_told
from shoetool.deal.inputs import Decision, Irregularity, Stake
from shoetool.deal.irregular import after_the_deal, find_voiding_card, make_void, take_note, verify_composition
from shoetool.deal.stakes import place_stakes
from shoetool.deal.state import WAITS, BoxState, PlayPhase, PlayState, RoundVoid
from shoetool.deal.turns import begin_turns
from shoetool.deal.verbs import Verb
from shoetool.model.protocol_table import Role, RoundEnd
from shoetool.rules.hands import best_total
from shoetool.rules.round import Box, Hand, TableRound, own_cards
from shoetool.rules.rule_error import RuleError
from shoetool.rules.submission.rules import RulesSubmission
from shoetool.rules.wagers.switch_hands import OFFERED
from shoetool.table.actions import RoundClosed
from shoetool.table.fold import take
from shoetool.table.hand import card_after

_VERBS: Final = (
    *(hit, stand, double, split, surrender, insurance, even_money, switch, free_double, free_split, rescue),
    *(*PRESS_VERBS, refuse_card, late_card, dead_hand, keep),
)
DECISIONS: Final[MappingProxyType[str, Verb]] = MappingProxyType({verb.name: verb for verb in _VERBS})

BEFORE_THE_READER: Final = frozenset({"insurance", "even_money", "surrender", "keep"})
"""Decisions that are made before the reader is used, where the up card asks for it."""
_CHOOSING: Final = PlayPhase.CHOOSING
_EARLY: Final = frozenset({"insurance", "even_money"})


def play(
    submission: RulesSubmission,
    stakes: Sequence[Stake],
    cards: Iterable[int],
    decisions: Iterable[Decision],
    irregularities: Sequence[Irregularity] = (),
    *,
    burned: int | None = None,
    determinant_from: str | None = None,
    exact: bool = False,
    late: Sequence[int] = (),
) -> TableRound:
    """Return the round that these cards and decisions make. RuleError when the rules do not allow it.

    cards: ids in the order they left the shoe, the hole card where it was dealt. The first `burned` of them went to
    the rack and may be 63 (unknown); None: as many as the game burns before every round (one from the hand, else 0).
    determinant_from: side of a double shoe ("A", "B") that the first card was drawn from as the determinant; None:
    the cards begin with the first player's.
    decisions: in the order of the table: insurance, even money (and early surrender) first, then turn by turn. Those
    after a late card may stand beside the others of their position.
    late: betting positions in the order of their late cards; (): in the order in which they were missed.
    exact: a double or split is paid with real money. Else it is free where the clause says so, as the keys of a shoe do
    not tell which it was.
    """
    given = (submission, stakes, cards, irregularities)
    state = open_round(*given, burned=burned, determinant_from=determinant_from, exact=exact)
    state.late_order = list(late)
    decide_all(state, decisions)
    return close_round(state)


def decide_all(state: PlayState, decisions: Iterable[Decision]) -> None:
    """Make decisions in place; each that waits for a late card when its hand is in turn."""
    if state.game.facts.community:
        _choose_all(state, list(decisions))
        return
    kept: list[Decision] = []
    for decision in decisions:
        if _waits(state, decision):
            kept.append(decision)
        else:
            decide(state, decision)
    while kept:
        later: list[Decision] = []
        for decision in kept:
            if len(later) < len(kept) - 1 and _waits(state, decision):
                later.append(decision)
            else:
                decide(state, decision)
        kept = later


def _choose_all(state: PlayState, decisions: list[Decision]) -> None:
    """A hybrid table: insurance and even money come first, and then all terminals choose, 633c.5(o), (p)(2), (z)."""
    early = [decision for decision in decisions if decision.name in _EARLY]
    for decision in early:
        decide(state, decision)
    if state.void is not None:
        return
    if state.phase == PlayPhase.BEFORE_READER:
        try:
            begin_turns(state)
        except RoundVoid as found:
            make_void(state, found.clause)
    left = [decision for decision in decisions if decision.name not in _EARLY]
    if state.void is None and state.phase == PlayPhase.TURNS:
        choose_as_told(state, left)
    elif left:
        decide(state, left[0])


def _waits(state: PlayState, decision: Decision) -> bool:
    """Whether a decision follows a late card that is still to come: the turn is at another position.

    A round file keeps the words of a position together. But those after its late card come after all other positions'.
    """
    turn = state.turn
    if turn is None or turn.box.position == decision.position:
        return False
    box = state.by_position.get(decision.position)
    return box is not None and any(hand.end == WAITS for hand in box.hands)


def open_round(
    submission: RulesSubmission,
    stakes: Sequence[Stake],
    cards: Iterable[int],
    irregularities: Sequence[Irregularity] = (),
    *,
    burned: int | None = None,
    determinant_from: str | None = None,
    exact: bool = False,
) -> PlayState:
    """The round after the opening deal, before any decision; arguments as `play`."""
    state = PlayState(submission, list(cards), exact)
    deal_on(state, stakes, irregularities, burned=burned, determinant_from=determinant_from)
    return state


def deal_on(
    state: PlayState,
    stakes: Sequence[Stake],
    irregularities: Sequence[Irregularity] = (),
    *,
    burned: int | None = None,
    determinant_from: str | None = None,
) -> None:
    """Place the stakes and deal the opening deal in place; arguments as `play`."""
    place_stakes(state, stakes)
    if irregularities:
        take_note(state, irregularities)
    count = state.game.deal.burns if burned is None else burned
    if count or burned is not None:
        burn(state, count)
    if determinant_from is not None:
        take_determinant(state, determinant_from)
    verify_composition(state, state.cards)
    if not irregularities:
        deal_opening(state)
        return
    find_voiding_card(state)
    try:
        deal_opening(state)
    except RoundVoid as found:
        make_void(state, found.clause)
        return
    after_the_deal(state)


def decide(state: PlayState, decision: Decision) -> None:
    """Make a decision in place, using the reader first when the turns begin with it; RuleError if not allowed."""
    name = decision.name
    if name == "switch" and OFFERED.of(state.submission) != "none":
        verb: Verb | None = switch_hand
    else:
        verb = DECISIONS.get(name)
    if state.phase == _CHOOSING and name in DECISIONS and verb not in (keep, switch_hand):
        raise unasked(state)
    if state.turn is None and (
        state.phase == PlayPhase.TURNS or (state.phase == PlayPhase.BEFORE_READER and name not in BEFORE_THE_READER)
    ):
        try:
            begin_turns(state)
        except RoundVoid as found:
            make_void(state, found.clause)
    if verb is None:
        text = f"position {decision.position}: {name!r} is not a decision; there are {', '.join(DECISIONS)}"
        raise RuleError(state.clauses.choices, text)
    if state.void is not None:
        raise RuleError(state.void, f"position {decision.position}: no {name}, the round is void")
    try:
        verb.act(state, decision.position, decision.hand, decision.amount)
    except RoundVoid as found:
        make_void(state, found.clause)


def close_round(state: PlayState) -> TableRound:
    """Let the dealer play, reject cards that are left over, and freeze the round."""
    try:
        discarded = _finish(state)
    except RoundVoid as found:
        make_void(state, found.clause)
        discarded = _finish(state)
    return table_round(state, discarded)


def _finish(state: PlayState) -> tuple[int, ...]:
    """The dealer's part; returns the cards that he drew by accident."""
    if state.void is None:
        if state.voids is not None:
            state.pass_over(state.at)
        if state.phase == PlayPhase.CHOOSING:
            raise unasked(state)
        if state.phase in (PlayPhase.BEFORE_READER, PlayPhase.TURNS) and state.turn is None:
            begin_turns(state)
        play_dealer(state)
    left = state.at < len(state.cards) and state.voids is None
    discarded = verify_nothing_left(state) if left else ()
    if state.void is None:
        total = 0 if state.game.no_hole else best_total(state.dealer)
        take(state.round, RoundClosed, state.round.number, RoundEnd.SETTLED, total)
    return discarded


def table_round(state: PlayState, discarded: tuple[int, ...]) -> TableRound:
    """The `TableRound` of a state whose dealer has finished."""
    dealt = (
        state.submission.game,
        state.submission.decks,
        tuple([_frozen(state, box) for box in state.boxes]),
        tuple(state.dealer),
    )
    shared = state.round.shared
    return TableRound(
        *(*dealt, state.round.revealed >= 0, state.reader, discarded),
        void=state.void,
        community=tuple(card.card for card in shared if card.role != Role.OPENING),
    )


def _frozen(state: PlayState, box: BoxState) -> Box:
    hands = []
    dealt = [hand.hand for hand in box.hands]
    for number, (hand, lying) in enumerate(zip(box.hands, dealt, strict=True), 1):
        wagers = hand.stake, hand.lammer, hand.double, hand.free_double
        end: Any = hand.end
        hands.append(Hand(number, own_cards(tuple(lying.ids), end), *wagers, lying.split, end, lying.switched))
    third = card_after(dealt, sum(map(len, box.initial)))
    return Box(
        *(box.position, box.wager, box.initial, tuple(hands), box.insurance, box.even_money, box.side, box.pressed),
        *(box.player or "", box.ante, box.switched, box.aside),
        third=None if third is None else third.card,
        dealer=tuple(card.card for card in state.round.dealer_of(box.position)) if state.game.no_hole else (),
    )
