"""A round played again from its actions: opening deal, players' cards, hand by hand, against the procedure."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from shoetool.model.cards import VALUES, card_name
from shoetool.model.protocol_table import HandEnd, Peek, RecordKind, Role
from shoetool.table.actions import MISSES, apply
from shoetool.table.card import DrawnCard
from shoetool.table.hand import DEAD, Hand
from shoetool.table.round import Round, Step
from shoetool.table.turn import hands_in_order
from shoetool.verify import registry as reg
from shoetool.verify.context import Context, faces
from shoetool.verify.findings import BREACH
from shoetool.verify.from_the_hand import check_from_the_hand
from shoetool.verify.opening import Opening
from shoetool.verify.switch import check_switch

_PLAYS: Final = frozenset((int(Role.DRAW), int(Role.DOUBLE_DRAW), int(Role.SPLIT_SECOND)))
_NO_BLACKJACK: Final = (HandEnd.STAND, HandEnd.TWENTY_ONE, HandEnd.DOUBLED, HandEnd.SURRENDERED)


def play_again(ctx: Context, round_: Round) -> list[Hand]:
    """Check opening deal, turns and hands of a round; return its hands as they stood at the end.

    The round is folded once more, now that the faces of its cards are known: before each action its check is asked.
    """
    again = Round(round_.number, round_.seats, round_.record, round_.antes)
    opening = Opening(ctx, round_)
    for step in round_.steps:
        opening.watch(again, step)
        check = _CHECKS.get(step[0].kind) if step[1] is None else _draw if step[2] in _PLAYS else None
        if check is not None:
            check(ctx, round_, again, step)
        apply(again, step)
    opening.check()
    hands = list(again.hands.values())
    if round_.settled:
        _finished_hands(ctx, round_, hands)
    if ctx.rules.deal.from_the_hand:
        check_from_the_hand(ctx, round_, hands)
    return hands


def _draw(ctx: Context, round_: Round, again: Round, step: Step) -> None:
    record, drawn, _, box, number = step
    if drawn is None or not 0 < box < 9:
        return
    mine = again.hands.get(box << 8 | number)
    if mine is not None and drawn in mine.cards:
        return  # it lies there already
    due = next((hand for hand in hands_in_order(again) if hand.ended < 0 and not hand.waits), None)
    if due is not None and due is not mine and (mine is None or mine.ended < 0):
        _out_of_turn(ctx, round_, drawn, mine or Hand(box, number), due)
    if mine is not None:
        _may_draw(ctx, round_, drawn, mine, record[0])


def _out_of_turn(ctx: Context, round_: Round, drawn: DrawnCard, hand: Hand, due: Hand) -> None:
    same = hand.box == due.box
    ctx.add(
        reg.SPLIT_ORDER if same else reg.TURN,
        BREACH,
        (drawn.record, drawn.placed),
        f"{hand.name} got a card while {due.name} had not ended its hand.",
        faces((drawn,)),
        round_,
    )


def _may_draw(ctx: Context, round_: Round, drawn: DrawnCard, hand: Hand, at: int) -> None:
    """633a.7(k), (k)(1), (k)(2): who may get one more card."""
    if hand.doubled:
        if len(hand.cards) > hand.cards_at_double:
            ctx.add(
                reg.ONE_CARD,
                BREACH,
                (hand.double_record, drawn.record),
                f"{hand.name} doubled and got more than one card.",
                faces((drawn,)),
                round_,
            )
        return
    # A card of the hand that was turned only later told nobody its total now; dealt from the hand it told the player.
    seen = hand.known and not any(card.opened > at for card in hand.cards)
    known = seen or (hand.known and ctx.rules.deal.from_the_hand)
    if known and len(hand.cards) > 1 and hand.count() == 21:
        ctx.add(
            reg.NO_DRAW,
            BREACH,
            (drawn.record, drawn.placed),
            f"{hand.name} had 21 and got a further card.",
            faces((*hand.cards, drawn)),
            round_,
        )
    elif (hand.ended >= 0 and not hand.waits) or (seen and hand.count() > 21):
        ctx.add(
            reg.HAND_OVER,
            BREACH,
            (hand.end_record, drawn.record, drawn.placed),
            f"{hand.name} had ended its hand and got a further card.",
            faces((*hand.cards, drawn)),
            round_,
        )


def _ended(ctx: Context, round_: Round, again: Round, step: Step) -> None:
    """633a.7(k): the hand ended for the reason that its cards show."""
    record, why = step[0].number, step[0].values[2]
    hand = _hand_of(again, step)
    if hand is None:
        return
    reports = [report.values for report in again.irregularities]
    wrong = None
    before_turn = round_.revealed < 0 or record < round_.revealed
    rescued = ctx.rules.offers_rescue and hand.ended == HandEnd.DOUBLED and why == HandEnd.SURRENDERED and before_turn
    if hand.ended >= 0 and hand.missed <= hand.end_record and not rescued:
        wrong = "ended twice"
    elif why == HandEnd.DEAD and not any(code in MISSES and box == hand.box for code, box, *_ in reports):
        wrong = "was ended as dead and no irregularity says why"
    elif why == HandEnd.DEALER_BLACKJACK and not any(
        step[0].kind == RecordKind.PEEK and step[0].values[0] == Peek.BLACKJACK for step in round_.steps
    ):
        wrong = "was ended by a dealer's Blackjack that nobody had told"
    elif why == HandEnd.DOUBLED and not hand.doubled:
        wrong = "was ended as doubled and never was"
    if wrong:
        ctx.add(reg.HAND_OVER, BREACH, (record,), f"{hand.name} {wrong}.", faces(hand.cards), round_)
        return
    # A card that lay face down tells the total only later.
    if not hand.known or any(card.opened > record for card in hand.cards):
        return
    count = hand.count()
    two = len(hand.cards) == 2
    if why == HandEnd.BUST and count <= 21:
        wrong = f"was ended as over 21 with {count}"
    elif why == HandEnd.TWENTY_ONE and count != 21:
        wrong = f"was ended as 21 with {count}"
    elif why == HandEnd.BLACKJACK and not (two and count == 21 and not hand.split and not hand.switched):
        wrong = "was ended as Blackjack and is none"
    elif why in (HandEnd.STAND, HandEnd.DOUBLED) and count > 21:
        wrong = f"stood with {count}"
    elif two and count == 21 and not hand.split and not hand.switched and why in _NO_BLACKJACK:
        wrong = "had Blackjack and was ended otherwise"
    if wrong:
        ctx.add(reg.HAND_OVER, BREACH, (record,), f"{hand.name} {wrong}.", faces(hand.cards), round_)
    if why == HandEnd.SURRENDERED and not ctx.rules.offers_surrender:
        text = f"{hand.name} surrendered; {ctx.rules.title} has no surrender."
        ctx.add(reg.SURRENDER, BREACH, (record,), text, faces(hand.cards), round_, ctx.rules.clauses.surrender)
        return
    rescue = ctx.rules.offers_rescue and hand.doubled and count <= 21  # 635a.10(d)
    if why == HandEnd.SURRENDERED and not rescue and (not two or hand.split or hand.doubled):
        ctx.add(
            reg.SURRENDER,
            BREACH,
            (record,),
            f"{hand.name} surrendered after another decision.",
            faces(hand.cards),
            round_,
        )


def _doubled(ctx: Context, round_: Round, again: Round, step: Step) -> None:
    """633a.10(a), 635a.10(a) cards: which hand may double."""
    hand = _hand_of(again, step)
    if hand is None:
        return
    count = len(hand.cards)
    wrong = None
    if hand.doubled:
        wrong = "doubled twice"
    elif hand.ended >= 0:
        wrong = "doubled after its hand had ended"
    elif ctx.rules.double_cards is None:
        wrong = "doubled on one card" if count < 2 else None
    elif count != ctx.rules.double_cards:
        wrong = f"doubled on {count} cards"
    if wrong is None and count == 2 and hand.known and not hand.split and hand.count() == 21 and not hand.switched:
        wrong = "doubled on Blackjack"
    if wrong:
        ctx.add(reg.DOUBLE_HAND, BREACH, (step[0].number,), f"{hand.name} {wrong}.", faces(hand.cards), round_)


def _split(ctx: Context, round_: Round, again: Round, step: Step) -> None:
    """633a.11(a), 590.11(d) limit: who may split."""
    record, (box, _, new_hand) = step[0].number, step[0].values
    hand = _hand_of(again, step)
    if hand is None or box << 8 | new_hand in again.hands:
        return
    pair = hand.cards
    if len(pair) != 2 or hand.ended >= 0 or hand.doubled:
        text = f"{hand.name} split a hand of {len(pair)} cards" if len(pair) != 2 else f"{hand.name} split late"
        ctx.add(reg.SPLIT_PAIR, BREACH, (record,), f"{text}.", faces(pair), round_)
    elif hand.known and VALUES[pair[0].card] != VALUES[pair[1].card]:
        names = " and ".join(card_name(card.card) for card in pair)
        text = f"{hand.name} split {names}, which differ in value."
        ctx.add(reg.SPLIT_PAIR, BREACH, (record,), text, faces(pair), round_)
    hands = len(again.boxes[box]) + 1
    if ctx.rules.max_hands is not None and hands > ctx.rules.max_hands:
        ctx.add(reg.SPLIT_LIMIT, BREACH, (record,), f"position {box} has {hands} hands.", (), round_)


def _hand_of(again: Round, step: Step) -> Hand | None:
    """The hand that a record names."""
    box, number = step[0].values[:2]
    return again.hands.get(box << 8 | number)


_CHECKS: Final[dict[int, Callable[[Context, Round, Round, Step], None]]] = {
    int(RecordKind.HAND_ENDED): _ended,
    int(RecordKind.DOUBLED): _doubled,
    int(RecordKind.SPLIT): _split,
    int(RecordKind.SWITCHED): check_switch,
}
"""(context, the round, the round as it was before the action, the action)."""


def _finished_hands(ctx: Context, round_: Round, hands: list[Hand]) -> None:
    for hand in hands:
        if hand.ended in DEAD:
            continue
        if hand.ended < 0 and hand.cards and not hand.waits:
            text = f"the hand of {hand.name} never ended."
            ctx.add(reg.HAND_OVER, BREACH, (round_.closed,), text, faces(hand.cards), round_)
            continue
        if hand.doubled and len(hand.cards) <= hand.cards_at_double:
            ctx.add(reg.ONE_CARD, BREACH, (hand.double_record,), f"{hand.name} doubled and got no card.", (), round_)
        elif hand.split and len(hand.cards) < 2:
            text = f"{hand.name} was split off and never got its second card."
            ctx.add(reg.SPLIT_ORDER, BREACH, (round_.last,), text, faces(hand.cards), round_)
