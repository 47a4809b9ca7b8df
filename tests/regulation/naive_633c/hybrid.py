"""633c.5 with plain ifs, from the text alone: a round at a hybrid gaming table, dealt and settled in cents.

A card is its rank, 1 (ace) to 13 (king). What the text leaves open is read as T33 to T51 say. `Terminal.choices` are
what its player chose, in the order in which he was asked: each time that a card is due his open hands are asked, the
left one first.
"""

from __future__ import annotations

from dataclasses import dataclass, field

ASKED = ("stand", "hit", "double", "split", "surrender", "no_choice")
_BUZZER = {(20, 20): 5, (20, 21): 30, (19, 19): 5, (19, 20): 10, (19, 21): 10}
"""633c.5(v)(3), all rows but the first, as printed: the player's and the dealer's count, odds to 1."""


@dataclass
class Cards:
    """A hand of a player: its cards, wagers in cents, and how it ended."""

    cards: list[int]
    wager: int
    split: bool = False
    double: int = 0
    over: bool = False
    surrendered: bool = False
    wants: bool = False


@dataclass
class Terminal:
    """What one player staked and chose. place: the player position that he selected, 0 without any."""

    wager: int
    place: int = 0
    insurance: int = 0
    even_money: bool = False
    buzzer: int = 0
    choices: list[str] = field(default_factory=list)
    hands: list[Cards] = field(default_factory=list)
    dealer: list[int] = field(default_factory=list)

    @property
    def waits(self) -> bool:
        """Whether a hand waits for the dealer's total: it has not surrendered, is no Blackjack and not over 21."""
        for own in self.hands:
            natural = is_blackjack(own.cards) and not own.split
            if not own.surrendered and not natural and count(own.cards) <= 21:
                return True
        return False


def count(cards: list[int]) -> int:
    """633c.5(h): an ace is 11 unless that passes 21; at most one of them can be."""
    total = 0
    for card in cards:
        total += min(card, 10)
    if 1 in cards and total + 10 <= 21:
        total += 10
    return total


def is_blackjack(cards: list[int]) -> bool:
    return len(cards) == 2 and count(cards) == 21


def choose(terminal: Terminal, automatic: int) -> None:
    """Ask the open hands of a terminal what they want of the next card, 633c.5(p)(2), (r), (z)."""
    for hand in list(terminal.hands):
        if hand.over or hand.wants:
            continue
        word = terminal.choices.pop(0)
        if word == "no_choice":
            word = "hit" if count(hand.cards) <= automatic else "stand"
        if word == "stand":
            hand.over = True
        elif word == "surrender":
            hand.over = True
            hand.surrendered = True
        elif word == "hit":
            hand.wants = True
        elif word == "double":
            hand.double = hand.wager
            hand.wants = True
        elif word == "split":
            second = hand.cards.pop()
            hand.split = True
            hand.wants = True
            at = terminal.hands.index(hand) + 1
            terminal.hands.insert(at, Cards([second], hand.wager, split=True, wants=True))


def take(terminal: Terminal, card: int, aces_complete: bool) -> None:
    """The community card goes to every hand that asked for it, 633c.5(q), (aa)(3)."""
    for hand in terminal.hands:
        if hand.wants:
            hand.wants = False
            first = len(hand.cards) == 1
            hand.cards.append(card)
            if count(hand.cards) >= 21 or hand.double:
                hand.over = True
            if aces_complete and first and hand.cards[0] == 1:
                hand.over = True


def deal(terminals: list[Terminal], cards: list[int], no_hole: bool, automatic: int = 0) -> int:
    """Deal a round from `cards`; how many of them it took. Each terminal gets its hands and the dealer's hand."""
    left = list(cards)
    if no_hole:  # 633c.5(y)
        first, up, second = left.pop(0), left.pop(0), left.pop(0)
        for one in terminals:
            one.hands = [Cards([first, second], one.wager)]
        dealer = [up]
    else:  # 633c.5(n)
        places = sorted({one.place for one in terminals})
        ones = {place: left.pop(0) for place in places}
        dealer = [left.pop(0)]
        twos = {place: left.pop(0) for place in places}
        dealer.append(left.pop(0))
        for one in terminals:
            one.hands = [Cards([ones[one.place], twos[one.place]], one.wager)]
    for one in terminals:
        if count(one.hands[0].cards) == 21:
            one.hands[0].over = True
    if is_blackjack(dealer):  # 633c.5(o)
        for one in terminals:
            one.dealer = dealer
        return len(cards) - len(left)
    while True:
        for one in terminals:
            choose(one, automatic)
        if not any(hand.wants for one in terminals for hand in one.hands):
            break
        card = left.pop(0)
        for one in terminals:
            if no_hole and not any(hand.wants for hand in one.hands):
                one.dealer.append(card)  # for this terminal it is the dealer's already: T44, T45
            take(one, card, no_hole)
    if not no_hole:
        while count(dealer) < 17:  # 633c.5(s)
            dealer.append(left.pop(0))
        for one in terminals:
            one.dealer = dealer
        return len(cards) - len(left)
    while any(_needs(one, up) for one in terminals):
        card = left.pop(0)
        for one in terminals:
            one.dealer.append(card)
    for one in terminals:
        one.dealer = _taken([up, *one.dealer])
    return len(cards) - len(left)


def _taken(stream: list[int]) -> list[int]:
    """The dealer's hand of a stream that may be longer: two cards, then up to 17, 633c.5(bb)."""
    hand = stream[:2]
    for card in stream[2:]:
        if count(hand) >= 17:
            break
        hand.append(card)
    return hand


def _needs(one: Terminal, up: int) -> bool:
    """Whether the dealer's hand of this terminal takes another card that a wager waits for."""
    hand = _taken([up, *one.dealer])
    if len(hand) < 2:
        return True
    return one.waits and count(hand) < 17


def _even(hand: Cards, dealer: list[int]) -> int:
    """Win, loss or push of a hand that is no Blackjack against a dealer's that is none, 633c.5(t)."""
    mine, his = count(hand.cards), count(dealer)
    stake = hand.wager + hand.double
    if mine > 21:
        return -stake  # T36
    if his > 21 or mine > his:
        return stake
    if mine < his:
        return -stake
    return 0


def main(one: Terminal, no_hole: bool) -> int:
    """What the Blackjack wager with its doubles and splits wins, in cents; lost: negative."""
    his = is_blackjack(one.dealer)
    total = 0
    for number, hand in enumerate(one.hands):
        natural = is_blackjack(hand.cards) and not hand.split
        if one.even_money:
            total += hand.wager
        elif hand.surrendered:
            total -= hand.wager if his else hand.wager // 2  # T51
        elif natural:
            total += 0 if his else hand.wager * 3 // 2
        elif not his:
            total += _even(hand, one.dealer)
        elif not no_hole:
            total -= hand.wager
        elif count(hand.cards) > 21:
            total -= hand.wager + hand.double
        elif number == 0:
            total -= hand.wager  # 633c.5(bb)(1), T49
    return total


def insured(one: Terminal) -> int:
    """633c.5(v)(2), (ee)(1): 2 to 1 at a dealer's Blackjack."""
    return 2 * one.insurance if is_blackjack(one.dealer) else -one.insurance


def buzzer(one: Terminal) -> int | None:
    """633c.5(u), (v)(3), the first row that any hand makes; None for a winner that has no row, T39."""
    his = count(one.dealer)
    naturals = [hand for hand in one.hands if is_blackjack(hand.cards) and not hand.split]
    if naturals:
        return 5 * one.buzzer if is_blackjack(one.dealer) else -one.buzzer  # T41
    mine = [count(hand.cards) for hand in one.hands]
    for (player, dealer), odds in _BUZZER.items():
        if player in mine and dealer == his:
            return odds * one.buzzer
    return None if 21 in mine and his == 21 else -one.buzzer
