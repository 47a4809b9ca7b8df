"""A second evaluator of the two-, three- and four-card wagers, written from the texts alone and on purpose naively.

It shares nothing with `shoetool.rules`: cards are (rank, suit) texts such as ("10", "hearts"), rules are `if`s in
the order of the paytables, payouts are the figures of the regulation as text. Slow is fine; like the code under test it
must not be. `payout_x` gives the payout as the paytable words it, or None where the wager loses.
"""

from __future__ import annotations

Card = tuple[str, str]

RANKS = ["ace", "2", "3", "4", "5", "6", "7", "8", "9", "10", "jack", "queen", "king"]
SUITS = ["clubs", "diamonds", "hearts", "spades"]


def card(number: int) -> Card:
    """The card of a number 0..51 of the printed code: thirteen clubs, diamonds, hearts, spades, aces first."""
    return RANKS[number % 13], SUITS[number // 13]


def points(cards: list[Card]) -> int:
    """Point count, 633a.3(e): an ace is 11 unless that takes the count over 21."""
    count = 0
    aces = 0
    for rank, _ in cards:
        if rank == "ace":
            aces = aces + 1
            count = count + 11
        elif rank in ("jack", "queen", "king"):
            count = count + 10
        else:
            count = count + int(rank)
    while count > 21 and aces > 0:
        count = count - 10
        aces = aces - 1
    return count


def blackjack(first: Card, second: Card) -> bool:
    """An ace and a card of value 10, 633a.1."""
    tens = ("10", "jack", "queen", "king")
    return (first[0] == "ace" and second[0] in tens) or (second[0] == "ace" and first[0] in tens)


def next_to(one: str, other: str) -> bool:
    """Ranks in sequence; an ace stands next to the 2 and next to the king."""
    circle = [*RANKS, "ace"]
    return any({circle[i], circle[i + 1]} == {one, other} for i in range(13))


def payout_lucky_ladies(first: Card, second: Card, up: Card, hole: Card) -> str | None:
    """633a.13(c)."""
    lady = ("queen", "hearts")
    if points([first, second]) != 20:
        return None
    if first == lady and second == lady:
        if blackjack(up, hole):
            return "1,000 to 1"
        return "200 to 1"
    if first == second:
        return "25 to 1"
    if first[1] == second[1]:
        return "10 to 1"
    return "4 to 1"


def payouts_match_the_dealer(first: Card, second: Card, up: Card, decks: int, chapter: str) -> list[str]:
    """633a.13(d), 635a.12(e): each card that matches is paid."""
    same, different = {
        ("633a", 6): ("11 to 1", "4 to 1"),
        ("633a", 8): ("14 to 1", "3 to 1"),
        ("635a", 6): ("9 to 1", "4 to 1"),
        ("635a", 8): ("12 to 1", "3 to 1"),
    }[chapter, decks]
    paid = []
    for one in (first, second):
        if one[0] == up[0]:
            if one[1] == up[1]:
                paid.append(same)
            else:
                paid.append(different)
    return paid


def payout_in_between(first: Card, second: Card, up: Card, ace_high: bool = True) -> str | None:
    """633a.13(e), the spread being how many ranks lie between the two cards."""
    order = [*RANKS[1:], "ace"] if ace_high else RANKS
    if first[0] == second[0] and second[0] == up[0]:
        return "30 to 1"
    low = min(order.index(first[0]), order.index(second[0]))
    high = max(order.index(first[0]), order.index(second[0]))
    between = order[low + 1 : high]
    if up[0] not in between:
        return None
    if len(between) == 1:
        return "10 to 1"
    if len(between) == 2:
        return "6 to 1"
    if len(between) == 3:
        return "4 to 1"
    return "1 to 1"


def payout_royal_match(first: Card, second: Card, paytable: str) -> str | None:
    """633a.13(f), without the Crown Treasure."""
    royal, suited = {
        "A": ("10 to 1", "3 to 1"),
        "B": ("5 to 1", "3 to 1"),
        "C": ("30 to 1", "2.5 to 1"),
        "D": ("25 to 1", "2.5 to 1"),
        "E": ("50 to 1", "2 to 1"),
    }[paytable]
    if first[1] != second[1]:
        return None
    if {first[0], second[0]} == {"king", "queen"}:
        return royal
    return suited


def crown_treasure(first: Card, second: Card, up: Card, hole: Card) -> bool:
    """633a.7(g)(4): player and dealer both with a king and a queen of one suit."""
    player = {first[0], second[0]} == {"king", "queen"} and first[1] == second[1]
    dealer = {up[0], hole[0]} == {"king", "queen"} and up[1] == hole[1]
    return player and dealer


def payout_bet_the_set(first: Card, second: Card, paytable: str) -> str | None:
    """633a.13(g); with one deck there is no suited pair to pay."""
    suited, pair = {
        "A": (None, "15 to 1"),
        "B": ("25 to 1", "10 to 1"),
        "C": ("15 to 1", "10 to 1"),
        "D": ("12 to 1", "10 to 1"),
    }[paytable]
    if first[0] != second[0]:
        return None
    if first[1] == second[1] and suited is not None:
        return suited
    return pair


def payout_kings_bounty(first: Card, second: Card, up: Card, hole: Card) -> str | None:
    """633a.13(h)."""
    if points([first, second]) != 20:
        return None
    if first == ("king", "spades") and second == ("king", "spades"):
        if blackjack(up, hole):
            return "1,000 to 1"
        return "200 to 1"
    if first == second and first[0] == "king":
        return "50 to 1"
    if first == second and first[0] in ("queen", "jack", "10"):
        return "25 to 1"
    if first[1] == second[1]:
        return "9 to 1"
    if first[0] == "king" and second[0] == "king":
        return "6 to 1"
    return "4 to 1"


def payout_super_match(four: list[Card], decks: int) -> str | None:
    """633a.13(i): ranks of the first four cards."""
    pay = {
        6: {"four": "40 to 1", "two pair": "8 to 1", "three": "5 to 1", "pair": "1 to 1"},
        8: {"four": "50 to 1", "two pair": "7 to 1", "three": "5 to 1", "pair": "1 to 1"},
    }[decks]
    ranks = [rank for rank, _ in four]
    counts = sorted(ranks.count(rank) for rank in set(ranks))
    if counts == [4]:
        return pay["four"]
    if counts == [2, 2]:
        return pay["two pair"]
    if counts == [1, 3]:
        return pay["three"]
    if counts == [1, 1, 2]:
        return pay["pair"]
    return None


def payout_three_card_poker(first: Card, second: Card, up: Card, paytable: str) -> str | None:
    """633a.13(k) with the ranks of 633a.6(e)(9)."""
    straight_flush, three, straight, flush = {
        "A": ("9 to 1", "9 to 1", "9 to 1", "9 to 1"),
        "B": ("30 to 1", "20 to 1", "10 to 1", "5 to 1"),
    }[paytable]
    ranks = {first[0], second[0], up[0]}
    one_suit = first[1] == second[1] == up[1]
    runs = [set(RANKS[i : i + 3]) for i in range(11)] + [{"queen", "king", "ace"}]
    if ranks in runs:
        return straight_flush if one_suit else straight
    if len(ranks) == 1:
        return three
    if one_suit:
        return flush
    return None


def payout_house_money(first: Card, second: Card, decks: int) -> str | None:
    """633a.13(n)."""
    same_suit = first[1] == second[1]
    if same_suit and {first[0], second[0]} == {"ace", "king"}:
        return "9 to 1"
    if same_suit and next_to(first[0], second[0]):
        return "5 to 1" if decks == 1 else "4 to 1"
    if first[0] == second[0]:
        return "3 to 1"
    if next_to(first[0], second[0]):
        return "1 to 1"
    return None


def payout_straight_jack(hand: list[Card]) -> str | None:
    """633a.13(m) of a hand that was not split, in the order its cards came; meter shares as the paytable words them.

    Each card is tried at both ends of the run; the first that fits neither ends it, and a card that takes the hand over
    21 does not count.
    """
    if not next_to(hand[0][0], hand[1][0]):
        return None
    run = None
    circle = [*RANKS, "ace"]
    for i in range(13):
        if {circle[i], circle[i + 1]} == {hand[0][0], hand[1][0]}:
            run = [i, i + 1]
    assert run is not None
    length = 2
    for i in range(2, len(hand)):
        if points(hand[: i + 1]) > 21:
            break
        rank = hand[i][0]
        if run[0] > 0 and circle[run[0] - 1] == rank:
            run[0] -= 1
        elif run[1] < 13 and circle[run[1] + 1] == rank:
            run[1] += 1
        else:
            break
        length += 1
    if length == 2:
        return "3 to 1"
    if length == 3:
        return "15 to 1"
    if length == 4:
        return "50 to 1"
    if length == 5:
        return "200 to 1"
    assert length == 6 and points(hand[:6]) == 21
    for rank, suit in hand[:6]:
        if rank == "ace":
            return "100% of meter and 200 to 1" if suit == "spades" else "10% of meter and 200 to 1"
    raise AssertionError("a run of six within 21 has an ace")


def payout_hit_and_run(dealer: list[Card]) -> str | None:
    """633a.13(l): the card that takes the dealer over 21 counts."""
    if len(dealer) == 2 and blackjack(dealer[0], dealer[1]):
        return "4 for 1"
    if len(dealer) >= 8:
        return "100% of meter"
    return {5: "8 for 1", 6: "25 for 1", 7: "200 for 1"}.get(len(dealer))


def payout_bad_beat(player: list[Card], dealer: list[Card], any_20: bool) -> str | None:
    """633a.13(j): the final 20 of a player against the dealer's hand, without the random bonuses."""
    if points(player) != 20:
        return None
    if points(dealer) == 21:
        if len(dealer) == 2:
            return "10 for 1"
        if len(dealer) == 3:
            return "25 for 1"
        if len(dealer) == 4:
            return "50 for 1"
        if len(dealer) == 5:
            return "100 for 1"
        if len(dealer) == 6:
            return "1,000 for 1"
        return "100% of meter"
    return "1 for 1" if any_20 else None


def payout_push_22(dealer: list[Card], paytable: str) -> str | None:
    """590.12(c), by the suits and colors of all cards of a dealer's 22."""
    if points(dealer) != 22:
        return None
    suits = {suit for _, suit in dealer}
    if len(suits) == 1:
        return "50 to 1"
    if suits == {"hearts", "diamonds"} or suits == {"clubs", "spades"}:
        return "20 to 1"
    return {"A": "8 to 1", "B": "7 to 1"}[paytable]
