"""What the dealer and the players do in the variations of 633a.12 and 633c.4 alone: switches, and cards that lie face
down."""

from __future__ import annotations

from typing import Final, cast

from shoetool.judge.allowed import Standing, no_switch
from shoetool.model.cards import is_blackjack, total
from shoetool.model.protocol_table import HandEnd, Key, Role
from shoetool.rules.hands import STANDS_ON
from shoetool.table.actions import HandChosen, Switched
from shoetool.table.fold import take
from shoetool.table.hand import SWITCH_HAND as ASIDE
from shoetool.table.hand import Hand
from shoetool.table.table import PREMIUM

from shoesim.dealer_truth import TrueCard
from shoesim.round_state import RoundState, known, true_cards

_WORTH: Final = {21: 10, 20: 7, 19: 4, 18: 1, 17: -2, 11: 3, 10: 2, 9: 0}
"""What two cards of this count are worth to a player, roughly; all others are worth less."""
_BAD: Final = -2
"""Two cards that are worth so little are given up for two that nobody has seen."""


def switch(play: RoundState, hands: list[Hand]) -> None:
    """Let a position exchange its second cards for better hands, 633a.12(a)(4); now and then for nothing."""
    first, second = hands[0], hands[1]
    if any(no_switch(play.rules.game, Standing(hand.ids, ended=hand.over)) for hand in hands):
        return
    (one, two), (three, four) = first.ids, second.ids
    better = _worth(one, four) + _worth(three, two) > _worth(one, two) + _worth(three, four)
    if better == (play.rng.random() < 0.05):
        return
    play.shoe.key(Key.SWITCH, first.box)
    take(play.round, Switched, first.box)
    for hand in hands:
        hand.cards[1].hand = hand.hand


def _worth(*cards: int) -> int:
    return _WORTH.get(total(cards)[0], -4)


def place_antes(play: RoundState) -> list[int]:
    """The positions that get switch hands cards; with Blackjack premium who placed an ante, 633c.4(k)."""
    if not play.rules.switch_hands:
        return []
    if not play.rules.options & PREMIUM:
        return list(play.boxes)
    boxes = [box for box in play.boxes if play.rng.random() < 0.6]
    play.shoe.key(Key.ANTES, sum(1 << box - 1 for box in boxes))
    return boxes


def deal_asides(play: RoundState) -> None:
    """Deal the switch hands cards in two passes, face down, 633c.4(d); a plant skips one, which comes late."""
    boxes = [box for box in play.boxes if play.round.antes >> box - 1 & 1]
    able = [(number, box) for number in (0, 1) for box in boxes]
    skipped = play.rng.choice(able) if play.due("switch_hand_skipped") and len(boxes) > 1 else None
    for number in (0, 1):
        for box in boxes:
            if (number, box) == skipped:
                play.shoe.key(Key.NO_CARD, box | 16 << number | 64)
                play.happens("switch_hand_skipped")
            else:
                play.next_card(Role.SWITCH_HAND, box, ASIDE, face_down=True)
    if skipped is not None:
        play.next_card(Role.SWITCH_HAND, skipped[1], ASIDE, face_down=True)


def keep_or_switch(play: RoundState) -> None:
    """From the dealer's far right each player with an ante keeps or switches, 633c.4(f). Nobody knows the two cards
    that lie face down: who has a bad hand takes them."""
    for box, asides in sorted(play.round.switch_cards.items(), reverse=True):
        hand, aside = play.round.boxes[box][0], cast(list[TrueCard], list(asides))
        if hand.over:  # dead: the shoe keeps for it
            play_switch, asked = False, False
        else:
            play_switch, asked = (_worth(*hand.ids) <= _BAD) != (play.rng.random() < 0.05), True
        if asked and len(hand.cards) == 2:
            play.shoe.key(Key.SWITCH if play_switch else Key.NEXT_HAND)
        taken = play_switch and len(hand.cards) == 2
        take(play.round, HandChosen, box, taken)
        racked = list(true_cards(hand)) if taken else aside
        play.drawer.to_rack(racked)
        play.move(racked)
        if taken:
            for card in aside:
                card.face_down = False
            play.move(aside, Role.SWITCH_HAND, box)
            play.drawer.expect_no_stop("turning a switch hand")


def shows_cards(play: RoundState, hand: Hand) -> bool:
    """From the hand: who is over 21 shows his cards at once, 633a.12(b)(6)(ii); who has Blackjack does or waits.

    True when that ended the hand.
    """
    if not play.rules.game.cards_face_down or known(hand) or hand.over:
        return False
    if hand.count() <= 21 and not (is_blackjack(hand.ids) and play.rng.random() < 0.5):
        return False
    play.shoe.key(Key.TURN_UP)
    for card in true_cards(hand):
        card.face_down = False
    play.drawer.expect_no_stop("turning a player's cards")
    if known(hand):
        play.end_by_cards(hand)
    else:  # the shoe could not read all of it
        play.shoe.key(Key.NEXT_HAND)
        play.end(hand, HandEnd.STAND)
    return True


def turn_cards(play: RoundState) -> None:
    """From the hand: turn the players' cards after the dealer's, 633a.12(b)(9); the shoe opens what is left."""
    if not play.rules.game.cards_face_down or play.round.revealed < 0 or play.waiting_error is not None:
        return
    if play.dealer_count() < STANDS_ON:
        return  # he stopped short: the shoe waits for his card, and opens all at the end of the round
    for box in play.boxes:
        down = [card for hand in play.round.boxes[box] for card in true_cards(hand) if card.face_down]
        if down and play.rng.random() < 0.8:
            play.shoe.key(Key.TURN_UP, box)
            for card in down:
                card.face_down = False
            play.drawer.expect_no_stop("turning the players' cards")
