"""Why a player's card or decision was not allowed, and what is owed to his hand at the end of a round."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final

from shoetool.judge import registry as reg
from shoetool.judge.allowed import No, no_double, no_rescue, no_split, no_surrender, no_switch, standing_of
from shoetool.judge.finding import Objection
from shoetool.judge.registry_variations import SWITCH
from shoetool.model.cards import card_name
from shoetool.model.naming import many
from shoetool.model.protocol_table import HandEnd, IrregularityCode, Peek, Role
from shoetool.rules.games import Game
from shoetool.table.actions import MISSES, Action, CardPlaced, Doubled, HandEnded, Split, Switched
from shoetool.table.card import DrawnCard
from shoetool.table.hand import DEAD, Hand
from shoetool.table.round import Round

_NO_SWITCH: Final = {
    No.NOT_OFFERED: "switched, and the game has no switch",
    No.SWITCHED: "switched twice",
    No.CARDS: "did not have two cards in each of its two hands",
    No.ENDED: "switched after another decision",
}


def switched(rules: Game, round_: Round, action: Switched) -> Iterator[Objection]:
    """633a.12(a)(4): in its turn a position exchanges the second cards of its hands before it decides anything else.

    `round_` is as it was before the action.
    """
    box = action.box
    hands = [round_.hands[key] for key in (box << 8, box << 8 | 1) if key in round_.hands]
    mine = [card for hand in hands for card in hand.cards]
    wrong = next(filter(None, (no_switch(rules, standing_of(hand)) for hand in hands)), None)
    if len(hands) < 2:
        wrong = No.CARDS
    due = round_.in_turn()
    if wrong or (due is not None and not due.queued and due.box < box):
        words = _NO_SWITCH[wrong] if wrong else "switched before its turn"
        yield Objection(SWITCH, f"position {box} {words}.", (action.record,), mine)


# Plain integers are quicker than members of an enumeration, and every hand is asked about.
_STAND: Final = int(HandEnd.STAND)
_21: Final = int(HandEnd.TWENTY_ONE)
_BUST: Final = int(HandEnd.BUST)
_BLACKJACK: Final = int(HandEnd.BLACKJACK)
_DOUBLED: Final = int(HandEnd.DOUBLED)
_SURRENDERED: Final = int(HandEnd.SURRENDERED)
_DEAD: Final = int(HandEnd.DEAD)
_DEALER_BLACKJACK: Final = int(HandEnd.DEALER_BLACKJACK)
PLAYED: Final = frozenset((int(Role.DRAW), int(Role.DOUBLE_DRAW), int(Role.SPLIT_SECOND)))
"""Roles of the cards that `why_not` asks about."""
_NO_BLACKJACK: Final = frozenset((_STAND, _21, _DOUBLED, _SURRENDERED))


def why_not(rules: Game, round_: Round, action: Action) -> Iterable[Objection]:
    """Objections to a player's action in a round as it was before it; none where it was allowed.

    A face that the round knows by now counts, also where it was turned later: then the objection says only what could
    be known at the time.
    """
    if isinstance(action, CardPlaced):
        drawn, role, box, number, record, _ = action
        if role not in PLAYED or not 0 < box < 8:
            return ()
        return _drawn(rules, round_, drawn, round_.hands.get(box << 8 | number) or Hand(box, number), record)
    decision = _DECISIONS.get(type(action))
    if decision is not None:
        decided: Any = action
        hand = round_.hands.get(decided.box << 8 | decided.hand)
        return () if hand is None else decision(rules, round_, action, hand)
    return switched(rules, round_, action) if isinstance(action, Switched) else ()


def owed_to_hands(round_: Round) -> Iterator[Objection]:
    """What is missing in the hands of a round that was closed and counts."""
    # 633a.14(c) refusal: who refuses a card gets no further one, not even the second card of a split hand.
    refused = {told.box for told in round_.irregularities if told.code == IrregularityCode.CARD_REFUSED}
    for hand in round_.hands.values():
        if hand.ended in DEAD:
            continue
        if hand.ended < 0 and hand.cards and not hand.waits:
            yield Objection(reg.HAND_OVER, f"the hand of {hand.name} never ended.", (round_.closed,), hand.cards)
        elif hand.doubled and len(hand.cards) <= hand.cards_at_double:
            yield Objection(reg.ONE_CARD, f"{hand.name} doubled and got no card.", (hand.double_record,))
        elif hand.split and len(hand.cards) < 2 and hand.box not in refused:
            text = f"{hand.name} was split off and never got its second card."
            yield Objection(reg.SPLIT_ORDER, text, (round_.last,), hand.cards)


def _drawn(rules: Game, round_: Round, drawn: DrawnCard, hand: Hand, record: int) -> Iterator[Objection]:
    """A card beyond the opening deal: in turn, and to a hand that may draw."""
    if drawn in hand.cards:
        return  # it lies there already
    due = round_.in_turn() if hand.ended < 0 else None
    if due is not None and due is not hand and not due.queued:
        check = reg.SPLIT_ORDER if hand.box == due.box else reg.TURN
        text = f"{hand.name} got a card while {due.name} had not ended its hand."
        yield Objection(check, text, (drawn.record, drawn.placed), (drawn,))
    if hand.cards or hand.ended >= 0:
        yield from _one_more(rules, drawn, hand, record)


def _one_more(rules: Game, drawn: DrawnCard, hand: Hand, record: int) -> Iterator[Objection]:
    """633a.7(k), (k)(1), (k)(2): who may get one more card."""
    if hand.doubled:
        if len(hand.cards) > hand.cards_at_double:
            text = f"{hand.name} doubled and got more than one card."
            yield Objection(reg.ONE_CARD, text, (hand.double_record, drawn.record), (drawn,))
        return
    # A card of the hand that was turned only later told nobody its total now; dealt from the hand it told the player.
    count = 0 if (known := hand.total()) is None else known[0]
    seen = known is not None and not _turned_after(hand, record)
    if count == 21 and len(hand.cards) > 1 and (seen or rules.cards_face_down):
        text = f"{hand.name} had 21 and got a further card."
        yield Objection(reg.NO_DRAW, text, (drawn.record, drawn.placed), (*hand.cards, drawn))
    elif (hand.ended >= 0 and not hand.waits) or (seen and count > 21):
        text = f"{hand.name} had ended its hand and got a further card."
        yield Objection(reg.HAND_OVER, text, (hand.end_record, drawn.record, drawn.placed), (*hand.cards, drawn))


def _turned_after(hand: Hand, record: int) -> bool:
    """Whether a card of the hand lay face down until after `record`."""
    for card in hand.cards:  # noqa: SIM110  a loop takes half as long, and every hand is asked
        if card.opened > record:
            return True
    return False


def _ended(rules: Game, round_: Round, action: HandEnded, hand: Hand) -> Iterator[Objection]:
    """633a.7(k): the hand ended for the reason that its cards show."""
    record, why = action.record, action.why
    if wrong := _cannot_end(rules, round_, hand, why):
        yield Objection(reg.HAND_OVER, f"{hand.name} {wrong}.", (record,), hand.cards)
        return
    count = hand.total()
    if count is None or _turned_after(hand, record):
        return  # a card that lay face down tells the total only later
    if wrong := _wrong_end(hand, why, count[0]):
        yield Objection(reg.HAND_OVER, f"{hand.name} {wrong}.", (record,), hand.cards)
    if why != _SURRENDERED:
        return
    standing = standing_of(hand)._replace(ended=False)  # by this surrender
    wrong_now = no_surrender(rules, standing)
    if wrong_now is No.NOT_OFFERED:
        text = f"{hand.name} surrendered; {rules.title} has no surrender."
        yield Objection(reg.SURRENDER, text, (record,), hand.cards, rules.clauses.surrender)
    elif wrong_now is not None and no_rescue(rules, standing) is not None:
        yield Objection(reg.SURRENDER, f"{hand.name} surrendered after another decision.", (record,), hand.cards)


def _cannot_end(rules: Game, round_: Round, hand: Hand, why: int) -> str | None:
    """Why a hand cannot have ended so, whatever its cards count."""
    if hand.ended >= 0 and hand.missed <= hand.end_record:
        rescued = hand.ended == _DOUBLED and why == _SURRENDERED and round_.revealed < 0
        if not (rules.facts.rescue and rescued):
            return "ended twice"
    if why == _DEAD:
        told = any(report.code in MISSES and report.box == hand.box for report in round_.irregularities)
        return None if told else "was ended as dead without a reported reason"
    if why == _DEALER_BLACKJACK and round_.peek != Peek.BLACKJACK:
        return "was ended by a dealer's Blackjack that was not known"
    return "was ended as doubled and was not doubled" if why == _DOUBLED and not hand.doubled else None


def _wrong_end(hand: Hand, why: int, count: int) -> str | None:
    """Why the cards of a hand, which count so much, do not show the reason for which it ended."""
    natural = count == 21 and standing_of(hand).blackjack
    if why == _BUST and count <= 21:
        return f"was ended as over 21 with {count}"
    if why == _21 and count != 21:
        return f"was ended as 21 with {count}"
    if why == _BLACKJACK and not natural:
        return "was ended as Blackjack and is not Blackjack"
    if count > 21 and why in (_STAND, _DOUBLED):
        return f"stood with {count}"
    return "had Blackjack and was ended for another reason" if natural and why in _NO_BLACKJACK else None


def _doubled(rules: Game, round_: Round, action: Doubled, hand: Hand) -> Iterator[Objection]:
    """633a.10(a), 635a.10(a) cards: which hand may double."""
    wrong = no_double(rules, standing_of(hand))
    if wrong is not None:
        words = {
            No.DOUBLED: "doubled twice",
            No.ENDED: "doubled after its hand had ended",
            No.CARDS: f"doubled on {many(len(hand.cards), 'card')}",
            No.BLACKJACK: "doubled on Blackjack",
        }
        yield Objection(reg.DOUBLE_HAND, f"{hand.name} {words[wrong]}.", (action.record,), hand.cards)


def _split(rules: Game, round_: Round, action: Split, hand: Hand) -> Iterator[Objection]:
    """633a.11(a), 590.11(d) limit: who may split."""
    record, new_hand = action.record, action.new_hand
    if hand.box << 8 | new_hand in round_.hands:
        return
    pair = hand.cards
    wrong = no_split(standing_of(hand))
    if wrong is not None:
        words = {
            No.CARDS: f"a hand of {many(len(pair), 'card')}",
            No.ENDED: "late",
            No.UNEQUAL: " and ".join(card_name(card.card) for card in pair) + ", which differ in value",
        }
        yield Objection(reg.SPLIT_PAIR, f"{hand.name} split {words[wrong]}.", (record,), pair)
    hands = len(round_.boxes[hand.box]) + 1
    if rules.max_hands is not None and hands > rules.max_hands:
        yield Objection(reg.SPLIT_LIMIT, f"position {hand.box} has {hands} hands.", (record,))


_DECISIONS: Final[dict[type[Action], Callable[[Game, Round, Any, Hand], Iterator[Objection]]]] = {
    HandEnded: _ended,
    Doubled: _doubled,
    Split: _split,
}
