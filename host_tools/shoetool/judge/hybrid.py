"""A hybrid gaming table, 633c.5: choices before a community card, the countdown, each terminal's dealer."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from shoetool.judge import registry as reg
from shoetool.judge import registry_hybrid as own
from shoetool.judge.finding import Objection
from shoetool.model.cards import card_name
from shoetool.model.naming import DRAWS_TO_BIT
from shoetool.model.protocol_table import HandEnd, IrregularityCode, Position, Role
from shoetool.rules.games import Game
from shoetool.table.actions import Action, CardPlaced, CountdownOver, HandEnded, Hit, Insured
from shoetool.table.community import dealer_owes
from shoetool.table.hand import Hand
from shoetool.table.round import Round

_ACE: Final = 0


def not_in_hybrid(rules: Game, options: int, round_: Round, action: Action) -> Iterator[Objection]:
    """Objections to an action at a hybrid table, in a round as it was before it."""
    match action:
        case CardPlaced(role=role, box=Position.COMMUNITY) if role != Role.OPENING:
            yield from _community(rules, round_, action)
        case Hit():
            hand = round_.hands.get(action.box << 8 | action.hand)
            if hand is not None:
                yield from _hit(rules, options, round_, hand, action)
        case HandEnded(why=HandEnd.STAND):
            hand = round_.hands.get(action.box << 8 | action.hand)
            if hand is not None:
                yield from _stood(options, round_, hand, action)
        case Insured() if rules.no_hole and len(round_.shared) > 2:
            text = "insurance was closed after a community card had been dealt."
            yield Objection(own.INSURANCE, text, (round_.shared[2].record, action.record))


def owed_in_hybrid(rules: Game, round_: Round) -> Iterator[Objection]:
    """What is owed in a round of a hybrid table that is over."""
    if rules.facts.player_positions:
        for box in round_.seat_list():
            if not round_.selection(box):
                text = f"terminal {box} took part without a player position."
                yield Objection(own.SELECTED, text, (round_.record,))
    if rules.no_hole and round_.settled:
        for box in round_.seat_list():
            yield from _own_dealer(round_, box)


def _community(rules: Game, round_: Round, placed: CardPlaced) -> Iterator[Objection]:
    """633c.5(q), (aa): all have chosen, and somebody asked for the card."""
    drawn, records = placed.card, (placed.card.record, placed.record)
    if drawn in round_.shared:
        return
    late = next((hand for hand in round_.hands.values() if hand.ended < 0 and not hand.wants), None)
    if late is not None:
        text = f"a community card was dealt before {late.name} had chosen."
        yield Objection(own.CHOICES, text, records, (drawn,), "633c.5(aa)" if rules.no_hole else None)
    elif not rules.no_hole and not any(hand.wants for hand in round_.hands.values()):
        yield Objection(own.NOBODY, "a community card was dealt that no hand had asked for.", records, (drawn,))


def _hit(rules: Game, options: int, round_: Round, hand: Hand, action: Hit) -> Iterator[Objection]:
    """633c.5(r), (r)(1), (r)(2), (z), (aa)(3)(i): who may take a card."""
    record = action.record
    if hand.doubled:
        yield Objection(reg.ONE_CARD, f"{hand.name} doubled and took another card.", (hand.double_record, record))
    elif rules.no_hole and hand.split and len(hand.cards) > 1 and hand.ids[0] % 13 == _ACE:
        text = f"{hand.name}, of split aces, had its card and took another one."
        yield Objection(own.SPLIT_ACES, text, (record,), hand.cards)
    elif hand.known and hand.count() == 21:
        yield Objection(reg.NO_DRAW, f"{hand.name} had 21 and took a card.", (record,), hand.cards)
    elif hand.ended >= 0:
        text = f"{hand.name} had ended its hand and took a card."
        yield Objection(reg.HAND_OVER, text, (hand.end_record, record), hand.cards)
    elif _timed_out(round_, hand) and not (
        rules.no_hole and hand.known and hand.count() <= options >> DRAWS_TO_BIT  # 633c.5(z): the house has it draw
    ):
        text = f"{hand.name} made no choice in time and did not stand."
        yield Objection(own.COUNTDOWN, text, (record,), hand.cards, "633c.5(z)" if rules.no_hole else None)


def _stood(options: int, round_: Round, hand: Hand, action: HandEnded) -> Iterator[Objection]:
    """633c.5(z): the house chose that a hand of so much draws by itself."""
    most = options >> DRAWS_TO_BIT
    if most and _timed_out(round_, hand) and hand.known and hand.count() <= most:
        text = f"{hand.name} made no choice in time and stood; the shoe was set up to draw for it up to {most}."
        yield Objection(own.COUNTDOWN, text, (action.record,), hand.cards, "633c.5(z)")


def _timed_out(round_: Round, hand: Hand) -> bool:
    """Whether a countdown ended without a choice of the terminal since the last community card."""
    for action in reversed(round_.actions):
        if isinstance(action, CardPlaced):
            return False
        if isinstance(action, CountdownOver):
            return bool(action.boxes >> (hand.box - 1) & 1)
    return False


def _own_dealer(round_: Round, box: int) -> Iterator[Objection]:
    """633c.5(aa), (bb): the dealer's hand of a terminal is complete."""
    dealer = round_.dealer_of(box)
    alive = any(hand.ended != HandEnd.DEAD for hand in round_.boxes.get(box, []))
    if not alive or not all(card.known for card in dealer) or not dealer_owes(round_, box):
        return
    told = [one.record for one in round_.irregularities if one.code == IrregularityCode.DEALER_SHORT and one.box == box]
    names = " ".join(card_name(card.card) for card in dealer)
    text = f"the round ended while the dealer's hand of terminal {box} was {names}. He must draw to 17."
    yield Objection(reg.DEALER_SHORT, text, (*told, *(card.record for card in dealer), round_.closed), dealer)
