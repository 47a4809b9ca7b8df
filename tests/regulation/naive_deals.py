"""Every deal of two, three or four cards, and what each optional wager on it wins: from the texts alone, with numpy.

Nothing is shared with `shoetool.odds`, nor with the predicates of `shoetool.rules.wagers`. A deal is a row of faces in
the order drawn. All rows are looked at, faces that repeat among them: 52 * 52 * 52 * 52 of four cards. No order and no
suit stands for another.

With d decks a row comes in d ways for each face that it has once, in d * (d - 1) for one that it has twice, and so on.
That depends on nothing but how many of its pairs of places hold the same face, so one count settles all numbers of
decks.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import combinations
from typing import Any

import numpy as np

Mask = Any
Found = list[tuple[str, Mask]]
"""The outcomes from the best to the least, each with the rows in which it holds; a row wins the first that does."""

CLUBS, DIAMONDS, HEARTS, SPADES = range(4)
SUITS = ("clubs", "diamonds", "hearts", "spades")
ACE, JACK, QUEEN, KING = 1, 11, 12, 13
ALL_RANKS = range(1, 14)
NO_TENS = (*range(1, 10), 11, 12, 13)
REPEATS = {
    (2, 0): (1, 1),
    (2, 1): (2,),
    (3, 0): (1, 1, 1),
    (3, 1): (2, 1),
    (3, 3): (3,),
    (4, 0): (1, 1, 1, 1),
    (4, 1): (2, 1, 1),
    (4, 2): (2, 2),
    (4, 3): (3, 1),
    (4, 6): (4,),
}
"""By the cards of a row and the pairs of places that hold the same face: how often each of its faces occurs."""


def falling(number: int, times: int) -> int:
    """number * (number - 1) * ..., so many factors."""
    ways = 1
    for taken in range(times):
        ways *= number - taken
    return ways


class Rows:
    """All rows of so many cards. An array of a place spans its own axis alone; masks of several places span theirs."""

    def __init__(self, ranks: Sequence[int], cards: int) -> None:
        faces = [(rank, suit) for suit in range(4) for rank in ranks]
        self.cards, self.faces = cards, len(faces)

        def along(place: int, numbers: Sequence[int]) -> Any:
            shape = [1] * cards
            shape[place] = len(numbers)
            return np.array(numbers, dtype=np.int8).reshape(shape)

        places = range(cards)
        self.rank = [along(place, [rank for rank, _ in faces]) for place in places]
        self.suit = [along(place, [suit for _, suit in faces]) for place in places]
        self.red = [(suit == DIAMONDS) | (suit == HEARTS) for suit in self.suit]
        self.value = [np.minimum(rank, 10) for rank in self.rank]
        self.same = {
            (one, other): (self.rank[one] == self.rank[other]) & (self.suit[one] == self.suit[other])
            for one, other in combinations(places, 2)
        }
        self._alike = sum(same.astype(np.int8) for same in self.same.values())

    def is_card(self, place: int, rank: int, suit: int) -> Mask:
        return (self.rank[place] == rank) & (self.suit[place] == suit)

    def count(self, one: int, other: int) -> Any:
        """633a.3(e): the point count of two cards; an ace is 11 unless that passes 21."""
        hard = self.value[one] + self.value[other]
        ace = (self.rank[one] == ACE) | (self.rank[other] == ACE)
        return np.where(ace & (hard <= 11), hard + 10, hard)

    def blackjack(self, one: int, other: int) -> Mask:
        """633a.1: an ace and a card of value 10."""
        return self.count(one, other) == 21

    def two_ranks(self, one: int, other: int, low: int, high: int) -> Mask:
        """Whether the two cards have these ranks, in any order."""
        first, second = self.rank[one], self.rank[other]
        return ((first == low) & (second == high)) | ((first == high) & (second == low))

    def one_suit(self, *places: int) -> Mask:
        found = self.suit[places[0]] == self.suit[places[1]]
        for place in places[2:]:
            found = found & (self.suit[places[0]] == self.suit[place])
        return found

    def in_ranks(self, *ranks: int) -> Mask:
        """Whether the cards of the row, all of them, have just these ranks in any order: no rank comes twice."""
        found = True
        for rank in ranks:
            here = False
            for place in range(self.cards):
                here = here | (self.rank[place] == rank)
            found = found & here
        return found

    def _won(self, found: Found) -> Any:
        """The place of each row's outcome; one more than the last for a loser."""
        won = np.full((self.faces,) * self.cards, len(found), dtype=np.int8)
        for place in reversed(range(len(found))):
            np.copyto(won, place, where=found[place][1])
        return won

    def counted(self, found: Found) -> dict[str, dict[int, int]]:
        """By outcome, "lost" among them, and by pairs of places that hold the same face: how many rows."""
        won = self._won(found)
        pairs = len(self.same) + 1
        counts = np.bincount((won * np.int16(pairs) + self._alike).ravel(), minlength=(len(found) + 1) * pairs)
        names = [*(name for name, _ in found), "lost"]
        return {
            name: {alike: int(counts[at * pairs + alike]) for alike in range(pairs) if counts[at * pairs + alike]}
            for at, name in enumerate(names)
        }

    def counted_by_values(self, found: Found) -> dict[tuple[int, int, int], dict[str, dict[int, int]]]:
        """The same of three cards, by the values 1 (ace) to 10 of the first two, the lower first, and of the third."""
        low, high = (pick(self.value[0], self.value[1]).astype(np.int32) for pick in (np.minimum, np.maximum))
        kinds, pairs = len(found) + 1, len(self.same) + 1
        key = (((low * 11 + high) * 11 + self.value[2]) * kinds + self._won(found)) * pairs + self._alike
        names = [*(name for name, _ in found), "lost"]
        into: dict[tuple[int, int, int], dict[str, dict[int, int]]] = {}
        for place, number in enumerate(np.bincount(key.ravel()).tolist()):
            if number:
                rest, alike = divmod(place, pairs)
                rest, at = divmod(rest, kinds)
                values = rest // 121, rest // 11 % 11, rest % 11
                into.setdefault(values, {}).setdefault(names[at], {})[alike] = number
        return into

    def chances(self, counted: dict[str, dict[int, int]], decks: int) -> dict[str, Fraction]:
        """The chance of each outcome that can come with so many decks."""
        every = falling(self.faces * decks, self.cards)
        found = {}
        for name, rows in counted.items():
            ways = 0
            for alike, number in rows.items():
                of_row = 1
                for times in REPEATS[self.cards, alike]:
                    of_row *= falling(decks, times)
                ways += number * of_row
            if ways:
                found[name] = Fraction(ways, every)
        return found


# ---------------------------------------------------------------------------------------------------- two cards
def royal_match_21(rows: Rows) -> Found:
    """633a.1, 633a.7(g)(4): king and queen of one suit, or two other cards of one suit."""
    suited = rows.one_suit(0, 1)
    return [("royal_match", suited & rows.two_ranks(0, 1, QUEEN, KING)), ("suited_match", suited)]


def bet_the_set_21(rows: Rows) -> Found:
    """633a.1, 633a.7(g)(5)."""
    pair = rows.rank[0] == rows.rank[1]
    return [("suited_pair", pair & rows.one_suit(0, 1)), ("pair", pair)]


def house_money(rows: Rows, house_money_ace: str) -> Found:
    """633a.1, 633a.13(n): ranks in a row; the ace stands beside the 2, the king, or both."""
    first, second = rows.rank[0], rows.rank[1]
    straight = np.abs(first - second) == 1
    if house_money_ace == "high":
        straight = straight & ~rows.two_ranks(0, 1, ACE, 2)
    if house_money_ace in ("high", "both"):
        straight = straight | rows.two_ranks(0, 1, ACE, KING)
    suited = rows.one_suit(0, 1)
    return [
        ("ace_king_suited", suited & rows.two_ranks(0, 1, ACE, KING)),
        ("two_card_straight_flush", straight & suited),
        ("pair", first == second),
        ("two_card_straight", straight),
    ]


def perfect_pairs(rows: Rows) -> Found:
    """633c.1(f)."""
    pair = rows.rank[0] == rows.rank[1]
    color = rows.red[0] == rows.red[1]
    return [("perfect_pair", pair & rows.one_suit(0, 1)), ("colored_pair", pair & color), ("mixed_pair", pair)]


# -------------------------------------------------------------------------------------- two cards and the up card
def match_the_dealer(rows: Rows) -> Found:
    """633a.7(g)(2), 635a.7(f): each card of the up card's rank is paid, in its suit or in another."""
    ranked = [rows.rank[place] == rows.rank[2] for place in (0, 1)]
    same = [ranked[place] & (rows.suit[place] == rows.suit[2]) for place in (0, 1)]
    other = [ranked[place] & ~same[place] for place in (0, 1)]
    return [
        ("two_same_suit", same[0] & same[1]),
        ("one_of_each", (same[0] & other[1]) | (other[0] & same[1])),
        ("two_different_suit", other[0] & other[1]),
        ("same_suit", same[0] | same[1]),
        ("different_suit", other[0] | other[1]),
    ]


def match_the_dealer_progressive(rows: Rows) -> Found:
    """633c.3(a)."""
    ranked = [rows.rank[place] == rows.rank[2] for place in (0, 1)]
    same = [ranked[place] & (rows.suit[place] == rows.suit[2]) for place in (0, 1)]
    both = same[0] & same[1]
    return [
        ("two_suited_aces_of_spades", both & rows.is_card(2, ACE, SPADES)),
        ("two_suited", both),
        ("one_suited_one_non_suited", (same[0] & ranked[1]) | (same[1] & ranked[0])),
        ("one_suited", same[0] | same[1]),
        ("two_non_suited", ranked[0] & ranked[1]),
        ("one_non_suited", ranked[0] | ranked[1]),
    ]


def in_between(rows: Rows, in_between_ace: str) -> Found:
    """633a.7(g)(3), 633a.13(e): how many ranks lie between the two cards, if the up card is one of them."""
    place = [np.where((rank == ACE) & (in_between_ace == "high"), 14, rank) for rank in rows.rank]
    low, high = np.minimum(place[0], place[1]), np.maximum(place[0], place[1])
    between = (low < place[2]) & (place[2] < high)
    spread = high - low - 1
    triple = (rows.rank[0] == rows.rank[1]) & (rows.rank[1] == rows.rank[2])
    return [
        ("triple_match", triple),
        ("one_card_spread", between & (spread == 1)),
        ("two_card_spread", between & (spread == 2)),
        ("three_card_spread", between & (spread == 3)),
        ("all_others", between),
    ]


def _three_in_a_row(rows: Rows, low_ace: bool, high_ace: bool) -> Mask:
    found = rows.in_ranks(2, 3, 4)
    for low in range(3, 12):
        found = found | rows.in_ranks(low, low + 1, low + 2)
    if low_ace:
        found = found | rows.in_ranks(ACE, 2, 3)
    if high_ace:
        found = found | rows.in_ranks(QUEEN, KING, ACE)
    return found


def _poker(rows: Rows, low_ace: bool, high_ace: bool) -> Found:
    flush = rows.one_suit(0, 1, 2)
    straight = _three_in_a_row(rows, low_ace, high_ace)
    three = (rows.rank[0] == rows.rank[1]) & (rows.rank[1] == rows.rank[2])
    return [
        ("straight_flush", straight & flush),
        ("three_of_a_kind", three),
        ("straight", straight),
        ("flush", flush),
    ]


def three_card_poker(rows: Rows) -> Found:
    """633a.6(e)(9), 633a.1: the ace ends a straight at either side."""
    return _poker(rows, True, True)


def top_3(rows: Rows) -> Found:
    """633c.7(d), (e)."""
    flush = rows.one_suit(0, 1, 2)
    three = (rows.rank[0] == rows.rank[1]) & (rows.rank[1] == rows.rank[2])
    return [
        ("three_of_a_kind_suited", three & flush),
        ("straight_flush", _three_in_a_row(rows, True, True) & flush),
        ("three_of_a_kind", three),
    ]


def trilux_deluxe(rows: Rows, trilux_deluxe_ace: str) -> Found:
    """633c.11(h), (j)."""
    return _poker(rows, trilux_deluxe_ace != "high", trilux_deluxe_ace != "low")


def upcard_luck(rows: Rows, upcard_luck_soft: str) -> Found:
    """633c.15(f), (g): against a 2 to 7 alone; ace-8 and ace-9 count 19 and 20, or 9 and 10."""
    shown = (rows.rank[2] >= 2) & (rows.rank[2] <= 7)
    count = rows.count(0, 1)
    if upcard_luck_soft == "9_and_10":
        for other in (8, 9):
            count = np.where(rows.two_ranks(0, 1, ACE, other), other + 1, count)
    spades = rows.one_suit(0, 1) & (rows.suit[0] == SPADES) & rows.two_ranks(0, 1, ACE, JACK)
    return [
        ("ace_and_jack_of_spades", shown & spades),
        ("blackjack", shown & rows.blackjack(0, 1)),
        ("count_18_to_20", shown & (count >= 18) & (count <= 20)),
        ("count_9_to_11", shown & (count >= 9) & (count <= 11)),
    ]


# ------------------------------------------------------------------- two cards, the up card and the hole card
def lucky_ladies(rows: Rows) -> Found:
    """633a.1, 633a.13(c)."""
    twenty = rows.count(0, 1) == 20
    ladies = rows.is_card(0, QUEEN, HEARTS) & rows.is_card(1, QUEEN, HEARTS)
    return [
        ("queen_of_hearts_pair_dealer_blackjack", ladies & rows.blackjack(2, 3)),
        ("queen_of_hearts_pair", ladies),
        ("matched_20", twenty & rows.same[0, 1]),
        ("suited_20", twenty & rows.one_suit(0, 1)),
        ("any_20", twenty),
    ]


def kings_bounty(rows: Rows) -> Found:
    """633a.13(h)."""
    twenty = rows.count(0, 1) == 20
    spades = rows.is_card(0, KING, SPADES) & rows.is_card(1, KING, SPADES)
    kings = (rows.rank[0] == KING) & (rows.rank[1] == KING)
    return [
        ("king_of_spades_pair_dealer_blackjack", spades & rows.blackjack(2, 3)),
        ("king_of_spades_pair", spades),
        ("suited_kings_pair", kings & rows.same[0, 1]),
        ("suited_queens_jacks_or_10s_pair", twenty & rows.same[0, 1]),
        ("suited_20", twenty & rows.one_suit(0, 1)),
        ("pair_of_kings", kings),
        ("any_20", twenty),
    ]


def lucky_aces(rows: Rows) -> Found:
    """633c.8(e): the aces among the four are counted, and then their suits."""
    aces = [rank == ACE for rank in rows.rank]
    number = sum(ace.astype(np.int8) for ace in aces)
    one_suit = False
    diamond = False
    for suit in range(4):
        others = False
        for place in range(4):
            others = others | (aces[place] & (rows.suit[place] != suit))
        one_suit = one_suit | ~others
        diamond = ~others if suit == DIAMONDS else diamond
    return [
        ("four_aces", number == 4),
        ("three_aces_same_suit", (number == 3) & one_suit),
        ("three_aces", number == 3),
        ("two_aces_same_suit", (number == 2) & one_suit),
        ("two_aces", number == 2),
        ("one_ace_of_diamonds", (number == 1) & diamond),
        ("one_ace", number == 1),
    ]


def _combinations(rows: Rows, best_suit: int, best: str, other: str, pairs_by_suit: bool) -> Found:
    """633c.2(a), 633c.6(a): all but the last ask for the dealer's Blackjack."""
    dealer = rows.blackjack(2, 3)
    flush = rows.one_suit(0, 1, 2, 3)
    row = rows.in_ranks(ACE, JACK, QUEEN, KING)
    places = list(combinations(range(4), 3))
    three = False
    for one, two, last in places:
        three = three | ((rows.rank[one] == rows.rank[two]) & (rows.rank[two] == rows.rank[last]))
    ranked = {(one, two): rows.rank[one] == rows.rank[two] for one, two in combinations(range(4), 2)}
    alike = rows.same if pairs_by_suit else ranked
    two_pair = rows.blackjack(0, 1) & ((alike[0, 2] & alike[1, 3]) | (alike[0, 3] & alike[1, 2]))
    pair = False
    for same in alike.values():
        pair = pair | same
    color = (rows.red[0] == rows.red[1]) & (rows.red[1] == rows.red[2]) & (rows.red[2] == rows.red[3])
    royal = dealer & row & flush
    return [
        (best, royal & (rows.suit[0] == best_suit)),
        (other, royal),
        ("three_of_a_kind", dealer & three),
        ("straight", dealer & row),
        ("flush", dealer & flush),
        ("two_pair", dealer & two_pair),
        ("same_color", dealer & color),
        ("pair", dealer & pair),
        ("dealer_blackjack", dealer),
        ("dealer_ace_up", (rows.rank[2] == ACE) & ~dealer),
    ]


def jackpot_party(rows: Rows) -> Found:
    """633c.2(a): cards pair by rank."""
    return _combinations(rows, DIAMONDS, "royal_flush_diamonds", "royal_flush_other", False)


def super_4(rows: Rows, super_4_suit: str, super_4_pair: str, super_4_ten_up: str = "wins") -> Found:
    """633c.6(a). `super_4_ten_up` "loses" is for the last row of paytable 3-1 alone: without an ace up nothing wins."""
    names = "royal_flush_chosen_suit", "royal_flush_other_suit"
    found = _combinations(rows, SUITS.index(super_4_suit), *names, super_4_pair == "suit_and_rank")
    if super_4_ten_up == "wins":
        return found
    return [(name, holds & (rows.rank[2] == ACE)) for name, holds in found]


def blackjack_match(rows: Rows, blackjack_match_suits: str, blackjack_match_rest: str) -> Found:
    """633c.10(a), T70, T71."""
    player, dealer = rows.blackjack(0, 1), rows.blackjack(2, 3)
    both = player & dealer
    ranked = both & (
        ((rows.rank[0] == rows.rank[2]) & (rows.rank[1] == rows.rank[3]))
        | ((rows.rank[0] == rows.rank[3]) & (rows.rank[1] == rows.rank[2]))
    )
    one_suit = both & rows.one_suit(0, 1, 2, 3)
    if blackjack_match_suits == "one_suit":
        match = ranked & one_suit
    else:
        match = both & ((rows.same[0, 2] & rows.same[1, 3]) | (rows.same[0, 3] & rows.same[1, 2]))
    each_suited = both & rows.one_suit(0, 1) & rows.one_suit(2, 3)
    # The suits of the two hands, whichever card has which.
    suits = ((rows.suit[0] == rows.suit[2]) & (rows.suit[1] == rows.suit[3])) | (
        (rows.suit[0] == rows.suit[3]) & (rows.suit[1] == rows.suit[2])
    )
    rest = both & ~(ranked | suits) if blackjack_match_rest == "nothing" else both
    alone = player & ~dealer
    return [
        ("ace_king_matching_suited", match & rows.two_ranks(0, 1, ACE, KING)),
        ("matching_suited", match),
        ("both_suited", each_suited if blackjack_match_rest == "both_suited" else one_suit),
        ("both_blackjacks", rest),
        ("player_suited_blackjack", alone & rows.one_suit(0, 1)),
        ("player_blackjack", alone),
        ("any_ace", ~player & ((rows.rank[0] == ACE) | (rows.rank[1] == ACE))),
    ]


# ----------------------------------------------------------------------------------- the four cards of two hands
def super_match(rows: Rows) -> Found:
    """633a.1, 633a.7(g)(7): by how many of their six pairs of places share a rank."""
    pairs = sum((rows.rank[one] == rows.rank[two]).astype(np.int8) for one, two in combinations(range(4), 2))
    return [
        ("four_of_a_kind", pairs == 6),
        ("two_pair", pairs == 2),
        ("three_of_a_kind", pairs == 3),
        ("pair", pairs == 1),
    ]


ON_THE_DEAL: dict[str, tuple[int, Callable[..., Found]]] = {
    "royal_match_21": (2, royal_match_21),
    "bet_the_set_21": (2, bet_the_set_21),
    "house_money": (2, house_money),
    "perfect_pairs": (2, perfect_pairs),
    "match_the_dealer": (3, match_the_dealer),
    "spanish_match_the_dealer": (3, match_the_dealer),
    "match_the_dealer_progressive": (3, match_the_dealer_progressive),
    "in_between": (3, in_between),
    "three_card_poker": (3, three_card_poker),
    "top_3": (3, top_3),
    "trilux_deluxe": (3, trilux_deluxe),
    "upcard_luck": (3, upcard_luck),
    "lucky_ladies": (4, lucky_ladies),
    "kings_bounty": (4, kings_bounty),
    "lucky_aces": (4, lucky_aces),
    "jackpot_party": (4, jackpot_party),
    "super_4": (4, super_4),
    "blackjack_match": (4, blackjack_match),
    "super_match": (4, super_match),
}
"""The cards of the deal that each wager looks at, and what it wins. A keyword is a setting that changes outcomes."""
