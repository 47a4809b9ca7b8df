"""The shared cards of a hybrid gaming table, 633c.5: which hands, and which terminals' dealer, each of them goes to.

A card is one `DrawnCard` in every hand that it serves. Whether it was allowed is asked elsewhere.
"""

from __future__ import annotations

from typing import Final

from shoetool.model.cards import VALUES, total
from shoetool.model.protocol_table import HandEnd, Position, Role
from shoetool.rules.hands import STANDS_ON
from shoetool.table.card import DrawnCard
from shoetool.table.round import Round

_SECOND_DECIDES: Final = frozenset((int(HandEnd.BLACKJACK), int(HandEnd.SURRENDERED), int(HandEnd.DEAD)))
"""Ends of a hand that the dealer's second card decides, 633c.5(aa)(1), T51."""
_PLAYED: Final = frozenset((int(HandEnd.STAND), int(HandEnd.TWENTY_ONE), int(HandEnd.DOUBLED)))


def lay(round_: Round, drawn: DrawnCard, role: int, at: int) -> None:
    """Lay a shared card. In the deal it is of all terminals at its player position, 633c.5(n)(1), (3), and without a
    hole card of all that there are, (y)(1), (3). Later it goes to the hands that asked for one, and to the dealer of a
    terminal that has made all its choices, (q), (aa), (bb)."""
    round_.shared.append(drawn)
    if role == Role.OPENING:
        for box in round_.seat_list():
            if at == Position.COMMUNITY:
                round_.own.setdefault(box, [])
            elif round_.selection(box) != at - Position.PLAYER_1 + 1:
                continue
            round_.hand(box, 0).cards.append(drawn)
        return
    for box in round_.own:
        if dealer_takes(round_, box):
            round_.own[box].append(drawn)
    for hand in round_.hands.values():
        if hand.wants:
            hand.cards.append(drawn)
            hand.wants = False


def take(round_: Round, drawn: DrawnCard) -> None:
    """A shared card goes elsewhere: who got it by a choice waits for another."""
    round_.shared.remove(drawn)
    for hand in round_.hands.values():
        dealt = 1 if hand.split else 2
        hand.wants = hand.wants or drawn in hand.cards[dealt:]
    for own in round_.own.values():
        if drawn in own:
            own.remove(drawn)


def dealer_takes(round_: Round, box: int) -> bool:
    """Without a hole card: whether the next community card is the dealer's for this terminal, 633c.5(aa), (bb)."""
    hands = round_.boxes.get(box, [])
    if any(hand.ended < 0 for hand in hands):
        return False
    dealer = round_.dealer_of(box)
    if len(dealer) < 2:
        return True
    if all(hand.ended in _SECOND_DECIDES for hand in hands):
        return False
    if not all(card.known for card in dealer):
        # Whatever a card is that nobody read: with 17 in aces for such cards he stands, with less he may have to draw.
        return sum(VALUES[card.card] if card.known else 1 for card in dealer) < STANDS_ON
    return total([card.card for card in dealer])[0] < STANDS_ON


def dealer_owes(round_: Round, box: int) -> bool:
    """Whether a wager of the terminal waits for that card. Where all its hands are over 21, only the second card."""
    if not dealer_takes(round_, box):
        return False
    return len(round_.dealer_of(box)) < 2 or any(hand.ended in _PLAYED for hand in round_.boxes.get(box, []))
