"""Switch hands and Blackjack premium, 633c.4: how the face-down cards were dealt, the choice, what became of them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from shoetool.judge import registry_variations as reg
from shoetool.judge.finding import Objection
from shoetool.model.protocol_table import HandEnd, Peek, Position, Role
from shoetool.table.actions import (
    DRAWN,
    FURTHER_ROLES,
    SKIPS,
    CardPlaced,
    Doubled,
    HandChosen,
    HandEnded,
    Insured,
    Peeked,
    Revealed,
    Split,
)
from shoetool.table.card import DrawnCard
from shoetool.table.hand import SWITCH_HAND, place
from shoetool.table.round import Round
from shoetool.table.table import HANDS_LAST

_FIRST_CARDS: Final = frozenset((int(Role.OPENING), int(Role.DETERMINANT_FIRST), int(Role.LATE)))
_BLACKJACK_HANDS: Final = frozenset((int(Role.OPENING), int(Role.DEALER_UP), int(Role.HOLE)))
_DECIDED: Final = (HandEnd.STAND, HandEnd.SURRENDERED)


def switch_hands(options: int, round_: Round) -> Iterator[Objection]:
    """633c.4(d)-(f), (j), (k) on a round that is over."""
    if not (round_.antes or round_.switch_cards or round_.chosen):
        return
    came: dict[int, int] = {}  # by the record that drew a card: the record that first laid it, in this round
    for placed in round_.placed:
        came.setdefault(placed.card.record, placed.record)
    cards = sorted(
        (card for aside in round_.switch_cards.values() for card in aside), key=lambda card: came[card.record]
    )
    yield from _passes(round_, cards)
    yield from _before_or_after(options, round_, cards, came)
    yield from _chosen_in_time(round_, cards, came)
    for box, aside in round_.switch_cards.items():
        if box in round_.chosen:
            check = _played if round_.chosen[box] else _kept
            yield from check(round_, box, aside)


def _passes(round_: Round, cards: list[DrawnCard]) -> Iterator[Objection]:
    """633c.4(d)(1)-(2): face down, one card to each position with an ante and then a second one, from the far left."""
    for drawn, role, box, hand, record, how in round_.placed:
        if how == DRAWN and not drawn.sealed and role == Role.SWITCH_HAND and hand == SWITCH_HAND:
            text = f"a switch hands card of position {box} was dealt face up."
            yield Objection(reg.HANDS_FACE_DOWN, text, (record,), (drawn,))
    boxes = [box for box in round_.seat_list() if round_.antes >> (box - 1) & 1]
    for box, aside in round_.switch_cards.items():
        if box not in boxes:
            text = f"position {box} was dealt switch hands cards without an ante."
            yield Objection(reg.HANDS_ANTE, text, [card.record for card in aside], aside)
    skipped = {box for code, box, hand, *_ in round_.irregularities if code in SKIPS and hand == SWITCH_HAND}
    plan = [box for box in (*boxes, *boxes) if box not in skipped]
    seen = [card for card in cards if _owner(round_, card) not in skipped and _owner(round_, card) in boxes]
    got = [_owner(round_, card) for card in seen]
    if got == plan or (not round_.settled and got == plan[: len(got)]):
        return
    at = next((i for i, (one, two) in enumerate(zip(got, plan, strict=False)) if one != two), min(len(got), len(plan)))
    clause = "633c.4(d)(2)" if at >= len(plan) // 2 else None
    due = f"due to {place(plan[at])}" if at < len(plan) else "due to nobody"
    went = f"{place(got[at])} got it" if at < len(got) else "no card came"
    records = [round_.record, *(card.record for card in seen)]
    text = f"switch hands card {at + 1} was {due} and {went}."
    yield Objection(reg.HANDS_PASSES, text, records, seen, clause)


def _owner(round_: Round, card: DrawnCard) -> int:
    return next(box for box, aside in round_.switch_cards.items() if card in aside)


def _before_or_after(options: int, round_: Round, cards: list[DrawnCard], came: dict[int, int]) -> Iterator[Objection]:
    """633c.4(e), (j): all of them before the Blackjack hands, or all of them after."""
    aside = {card.record for card in cards}
    others = [
        came[drawn.record]
        for drawn, role, *_ in round_.placed
        if role in _BLACKJACK_HANDS and drawn.record not in aside
    ]
    if not others or not cards:
        return
    last = bool(options & HANDS_LAST)
    numbers = [came[number] for number in aside]
    wrong = min(numbers) < max(others) if last else max(numbers) > min(others)
    if wrong:
        text = f"a switch hands card was not dealt {'after' if last else 'before'} the Blackjack hands."
        yield Objection(reg.HANDS_ORDER, text, sorted(aside), cards, "633c.4(j)" if last else None)


def _chosen_in_time(round_: Round, cards: list[DrawnCard], came: dict[int, int]) -> Iterator[Objection]:
    """633c.4(f): every player with an ante chooses before any other card, the reader and all that comes after it."""
    aside = {card.record for card in cards}
    last_card = max((came[number] for number in aside), default=-1)
    choices = [choice.record for choice in round_.of(HandChosen)]
    left = [box for box in round_.seat_list() if round_.antes >> (box - 1) & 1 and box not in round_.chosen]
    if left and round_.settled:
        text = f"{place(left[0])} was not asked to choose between its two hands."
        yield Objection(reg.HANDS_CHOICE, text, (round_.record, round_.closed))
    if not choices:
        return
    # Where there is nothing to choose, the shoe itself keeps, as soon as it knows: a dead hand, or no two switch cards.
    dead = {hand.box for hands in round_.boxes.values() for hand in hands if hand.ended == HandEnd.DEAD}
    two = {box for box, asides in round_.switch_cards.items() if len(asides) == 2}
    asked = [choice.box for choice in round_.of(HandChosen) if choice.box in two - dead]
    if asked != sorted(asked, reverse=True):
        first = next(late for one, late in pairwise(asked) if late > one)
        text = f"position {first} was asked after a position on its left; the dealer begins at his far right."
        yield Objection(reg.HANDS_CHOICE, text, choices)
    if min(choices) < last_card:
        text = "a player chose before all switch hands cards were dealt."
        yield Objection(reg.HANDS_CHOICE, text, (min(choices), last_card))
    dealt = round_.last if round_.hole is None else round_.hole.record
    for action in round_.actions:
        if action.record > max(choices):
            return
        shown: tuple[DrawnCard, ...] = ()
        match action:
            case CardPlaced(card=drawn, role=role) if (
                role in FURTHER_ROLES and drawn.record not in aside and drawn.record > dealt
            ):
                what, shown = "a card was dealt", (drawn,)
            case Peeked(result=Peek.NO_BLACKJACK | Peek.BLACKJACK):
                what = "the card reader device was used"
            case Insured() | Doubled() | Split() | Revealed():
                what = "play went on"
            case HandEnded(why=why) if why in _DECIDED:
                what = "play went on"
            case _:
                continue
        text = f"{what} before every player had chosen between two hands."
        yield Objection(reg.HANDS_CHOICE, text, (action.record, max(choices)), shown)
        return


def _kept(round_: Round, box: int, aside: list[DrawnCard]) -> Iterator[Objection]:
    """633c.4(f)(1): the face-down cards go to the rack unexposed."""
    turned = [card for card in aside if card.sealed and round_.record < card.opened <= round_.last]
    left = [card for card in aside if (card.role, card.box) != (Role.DISCARDED, Position.RACK)]
    if turned:
        text = f"position {box} kept its face-up cards, but its face-down cards were turned."
        records = [number for card in turned for number in (card.record, card.opened)]
        yield Objection(reg.HANDS_KEPT, text, records, turned)
    elif left and round_.closed >= 0:
        text = f"position {box} kept its face-up cards and its face-down cards did not go to the discard rack."
        yield Objection(reg.HANDS_KEPT, text, [card.record for card in left])


def _played(round_: Round, box: int, aside: list[DrawnCard]) -> Iterator[Objection]:
    """633c.4(f)(2): the face-up cards go to the rack, both face-down cards are turned and become the hand."""
    up: dict[int, DrawnCard] = {}
    turned: set[int] = set()
    asked = True
    for action in round_.actions:
        if not isinstance(action, CardPlaced):
            asked = asked and not (isinstance(action, HandChosen) and action.box == box)
            continue
        drawn, role, at, hand, *_ = action
        if asked and at == box and role in _FIRST_CARDS and hand == 0:
            up[drawn.record] = drawn
        elif role == Role.SWITCH_HAND and at == box and hand != SWITCH_HAND:
            turned.add(drawn.record)
        elif drawn.record in up:
            del up[drawn.record]
    if round_.closed < 0:
        return
    if up:
        text = f"position {box} played its face-down cards and a face-up card did not go to the discard rack."
        yield Objection(reg.HANDS_PLAYED, text, list(up), list(up.values()))
    if len(aside) != 2 or any(card.record not in turned for card in aside):
        text = f"position {box} played its face-down cards, but not both of them became its hand."
        yield Objection(reg.HANDS_PLAYED, text, [card.record for card in aside])
