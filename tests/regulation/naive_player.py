"""A second player of rounds, as plain as can be and written from the texts alone: recursion, no state, no checks.

It deals the cards of a legal round and tells which hand got which cards and how it ended; irregular rounds apart.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from shoetool.deal import Decision, Stake
from shoetool.rules.round import TableRound


def count(cards: Sequence[int]) -> int:
    best = 0
    hard = sum(10 if card % 13 > 8 else card % 13 + 1 for card in cards)
    for elevens in range(sum(card % 13 == 0 for card in cards) + 1):
        if hard + 10 * elevens <= 21:
            best = hard + 10 * elevens
    return best or hard


def finish(hand: list[int], deck: Iterator[int], said: list[str], rescued: bool = False) -> list[tuple[list[int], str]]:
    """The hand and what it was split into, from the left, each with its end."""
    while True:
        if len(hand) == 1:
            hand.append(next(deck))
        if count(hand) > 21:
            return [(hand, "bust")]
        if count(hand) == 21:
            return [(hand, "twenty_one")]
        word = said.pop(0)
        if word == "stand":
            return [(hand, "stand")]
        if word == "surrender":
            return [(hand, "surrendered")]
        if word == "hit":
            hand.append(next(deck))
        elif word in ("double", "free_double"):
            hand.append(next(deck))
            if said[:1] == ["rescue"]:
                said.pop(0)
                return [(hand, "rescued")]
            return [(hand, "bust" if count(hand) > 21 else "doubled")]
        elif word in ("split", "free_split"):
            left, right = [hand[0]], [hand[1]]
            return finish(left, deck, said) + finish(right, deck, said)


def play_plainly(
    game: str, stakes: Sequence[Stake], hands: int, cards: Sequence[int], decisions: Sequence[Decision]
) -> tuple[dict[int, list[tuple[list[int], str]]], list[int]]:
    """Hands of each position with their ends, and the dealer's cards. `hands`: how many each box is dealt."""
    deck = iter(cards)
    boxes = [stake.position for stake in stakes]
    row = {(box, number): [next(deck)] for box in boxes for number in range(hands)}
    dealer = [next(deck)]
    for hand in row.values():
        hand.append(next(deck))
    dealer.append(next(deck))
    blackjack = count(dealer) == 21
    even = {(d.position, d.hand) for d in decisions if d.name == "even_money"}
    early = {d.position for d in decisions if d.name == "surrender"} if blackjack else set()
    ended = {}
    for box in boxes:
        mine = [d.name for d in decisions if d.position == box and not d.name.startswith("press")]
        said = [name for name in mine if name not in ("insurance", "even_money")]
        dealt = [row[box, number] for number in range(hands)]
        switched = said[:1] == ["switch"]
        if switched:
            said.pop(0)
            dealt[0][1], dealt[1][1] = dealt[1][1], dealt[0][1]
        ended[box] = []
        for number, hand in enumerate(dealt):
            if (box, number) in even:
                ended[box].append((hand, "even_money"))
            elif count(hand) == 21 and not switched:
                ended[box].append((hand, "blackjack"))
            elif blackjack:
                ended[box].append((hand, "surrendered" if box in early else "dealer_blackjack"))
            else:
                ended[box] += finish(hand, deck, said)
    waiting = [hand for one in ended.values() for hand, end in one if end in ("stand", "doubled", "twenty_one")]
    if game == "spanish_21":
        waiting = [hand for hand in waiting if count(hand) < 21 or len(hand) == 2]
    if game == "switch":
        waiting += [hand for one in ended.values() for hand, end in one if end == "blackjack"]
    waiting += [[] for stake in stakes if {"hit_and_run", "push_22"} & set(stake.side)]
    while waiting and count(dealer) < 17:
        dealer.append(next(deck))
    assert next(deck, None) is None
    return ended, dealer


def of_round(round_: TableRound) -> tuple[dict[int, list[tuple[list[int], str]]], list[int]]:
    """The same of a `TableRound`."""
    hands = {box.position: [(list(hand.cards), hand.end) for hand in box.hands] for box in round_.boxes}
    return hands, list(round_.dealer)
