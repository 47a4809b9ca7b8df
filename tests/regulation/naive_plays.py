"""Wagers on how a player plays, played for alone: from the texts alone, with plain counting.

Nothing is shared with `shoetool.odds`. What a play is, the odds state: who plays for such a wager takes the option that
wins most of it, who plays against it the one that wins least. The dealer's Blackjack ends the round before he draws.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction

import naive_evaluator as naive
from naive_deals import falling
from naive_hands import ACE, BLACKJACK, NUMBER, TEN, Chances, Values, counted, dealers_hands, drawn_until, ways

Worth = Callable[[str], Fraction]
"""What a row gives back of each unit wagered."""


def bad_beat(decks: int, h17: bool, best: bool) -> Chances:
    """633a.7(o)(1)(i), 633a.13(j): he draws to 20 and stands on it, or never keeps a 20; he splits nothing.

    A Blackjack of the dealer ends the round before he draws (633a.7(h)): a 20 of two cards wins beside it. A 20 beside
    anything else has a row that the house may leave out.
    """
    found: Chances = dict.fromkeys(("lost", "player_20"), Fraction(0))
    size = 52 * decks
    shoe = [4 * decks] * 9 + [16 * decks]
    two_cards = drawn_until(lambda hand: len(hand) == 2)
    twenties = {hand: orders for hand, orders in two_cards.items() if counted(hand)[0] == 20}
    found["dealer_blackjack"] = sum(
        (
            Fraction(2 * orders * ways(tuple(sorted((*hand, *BLACKJACK))), decks), falling(size, 4))
            for hand, orders in twenties.items()
        ),
        Fraction(0),
    )
    drawn = drawn_until(lambda hand: counted(hand)[0] >= 20) if best else {}
    dealers = [(hand, orders) for hand, orders in dealers_hands(h17).items() if counted(hand)[0] == 21]
    for mine, orders in drawn.items():
        if counted(mine)[0] != 20:
            continue
        here = orders * ways(mine, decks)
        left = [have - mine.count(value) for value, have in enumerate(shoe, 1)]
        every = size - len(mine)
        blackjacks = Fraction(2 * left[0] * left[9], falling(every, 2))
        won = Fraction(0)
        by_cards = [0] * 30
        for his, number in dealers:
            if his == BLACKJACK:
                continue
            product_of = number
            for value in set(his):
                product_of *= falling(left[value - 1], his.count(value))
            by_cards[len(his)] += product_of
        chance = Fraction(here, falling(size, len(mine)))
        for cards, number in enumerate(by_cards):
            if number:
                name = f"dealer_21_{NUMBER[cards] if cards < 7 else 'seven_or_more'}_cards"
                part = Fraction(number, falling(every, cards))
                found[name] = found.get(name, Fraction(0)) + chance * part
                won += part
        found["player_20"] += chance * (1 - blackjacks - won)
    found["lost"] = 1 - sum(found.values())
    return {name: chance for name, chance in found.items() if chance}


# ----------------------------------------------------------------------------------------------------- Buzzer Beater
_TO_ONE = {
    "blackjack_blackjack": 5,
    "twenty_twenty": 5,
    "twenty_21": 30,
    "nineteen_nineteen": 5,
    "nineteen_twenty": 10,
    "nineteen_21": 10,
    "twenty_one_as_tie": 5,
    "twenty_one": 0,
    "push": 0,
}
"""633c.5(v)(3); a 21 without a row (T39) and a push (T40) give the wager back."""


Reading = tuple[str, str, str, str]
"""The words for a tie, for a 21 without a row, for a tie below 19, and for a player's Blackjack (T38 to T41)."""


def _buzzer_row(player: int, natural: bool, dealer: int, blackjack: bool, reading: Reading) -> str:
    """633c.5(m), (u), (v)(3): by the counts of two finished hands, and whether each is a Blackjack."""
    tie, unpaid, below, naturals = reading
    if natural and blackjack:
        return "lost" if tie == "loses" else "blackjack_blackjack"
    if natural and naturals == "blackjack":
        return "lost"
    if player > 21 or player < 19:
        tied = player == dealer or (player > 21 and dealer > 21)
        return "push" if tied and below == "push" else "lost"
    if dealer > 21 or dealer < player or (player == dealer and tie == "loses"):
        return "lost"
    if player == 21:
        return {"no_row": "twenty_one", "5_to_1": "twenty_one_as_tie", "loses": "lost"}[unpaid]
    words = {19: "nineteen", 20: "twenty", 21: "21"}
    return f"{words[player]}_{'21' if dealer == 21 else words[dealer]}"


class BuzzerBeater:
    """Every hand that a player and the dealer can draw from a full shoe, the dealer's Blackjack settled before."""

    def __init__(self, decks: int, h17: bool) -> None:
        self.shoe = [4 * decks] * 9 + [16 * decks]
        self.size = 52 * decks
        self._dealers: dict[int, dict[int, list[tuple[Values, int]]]] = {}
        for up in range(1, 11):
            ends = self._dealers[up] = {}
            for drawn, orders in _drawn_to(up, h17).items():
                ends.setdefault(counted(tuple(sorted((up, *drawn))))[0], []).append((drawn, orders))
        self._against: dict[tuple[Values, int], dict[int, Fraction]] = {}

    def dealers(self, mine: Values, up: int) -> dict[int, Fraction]:
        """How likely he ends with each count and has no Blackjack, when these cards and the up card are gone."""
        if (mine, up) not in self._against:
            left = [have - mine.count(value) - (value == up) for value, have in enumerate(self.shoe, 1)]
            falls = [[falling(have, times) for times in range(13)] for have in left]
            here = self._against[mine, up] = {}
            for total, ends in self._dealers[up].items():
                by_cards = [0] * 13
                for drawn, number in ends:
                    for value in set(drawn):
                        number *= falls[value - 1][drawn.count(value)]
                    by_cards[len(drawn)] += number
                size = sum(left)
                here[total] = sum(
                    (Fraction(number, falling(size, cards)) for cards, number in enumerate(by_cards) if number),
                    Fraction(0),
                )
        return self._against[mine, up]

    def chances(self, best: bool, reading: Reading) -> Chances:
        """633c.5(o) to (u): he stands or draws, whichever wins more of this wager, or less; he splits nothing."""
        found: Chances = {}
        for up in range(1, 11):
            for name, chance in self._beside(up, best, reading):
                found[name] = found.get(name, Fraction(0)) + chance
        found["lost"] = 1 - sum(chance for name, chance in found.items() if name != "lost")
        return {name: chance for name, chance in found.items() if chance}

    def _beside(self, up: int, best: bool, reading: Reading) -> Iterator[tuple[str, Fraction]]:
        worths: dict[Values, tuple[bool, Fraction]] = {}

        def stood(mine: Values) -> Chances:
            facts = counted(mine)[0], mine == BLACKJACK
            rows = {total: _buzzer_row(*facts, total, False, reading) for total in self._dealers[up]}
            here: Chances = {}
            if set(rows.values()) != {"lost"}:
                for total, chance in self.dealers(mine, up).items():
                    here[rows[total]] = here.get(rows[total], Fraction(0)) + chance
            return here

        def worth(chances: Chances) -> Fraction:
            """With the wager itself."""
            return sum((part * (1 + _TO_ONE[name]) for name, part in chances.items() if name != "lost"), Fraction(0))

        def next_cards(mine: Values) -> Iterator[tuple[Values, Fraction]]:
            for value, have in enumerate(self.shoe, 1):
                left = have - mine.count(value) - (value == up)
                yield tuple(sorted((*mine, value))), Fraction(left, self.size - 1 - len(mine))

        def decided(mine: Values) -> tuple[bool, Fraction]:
            """Whether he draws, and what the hand is worth then."""
            if mine not in worths:
                draws = stands = worth(stood(mine))
                if counted(mine)[0] < 21:
                    draws = sum((part * decided(more)[1] for more, part in next_cards(mine)), Fraction(0))
                better = draws > stands if best else draws < stands
                worths[mine] = better, draws if better else stands
            return worths[mine]

        comes: dict[Values, Fraction] = {}
        shown = Fraction(self.shoe[up - 1], self.size)
        for one, part in next_cards(()):
            for two, other in next_cards(one):
                comes[two] = comes.get(two, Fraction(0)) + shown * part * other
        waiting = list(comes)
        for mine in waiting:  # grows: a longer hand stands behind all that lead to it
            if decided(mine)[0]:
                for more, part in next_cards(mine):
                    if more not in comes:
                        waiting.append(more)
                        comes[more] = Fraction(0)
                    comes[more] += comes[mine] * part
            else:
                for name, chance in stood(mine).items():
                    yield name, comes[mine] * chance
            if len(mine) == 2 and up in BLACKJACK:
                hole = ACE + TEN - up
                left = self.shoe[hole - 1] - mine.count(hole)
                name = _buzzer_row(counted(mine)[0], mine == BLACKJACK, 21, True, reading)
                yield name, comes[mine] * Fraction(left, self.size - 3)


def _drawn_to(up: int, h17: bool) -> Counter[Values]:
    """What the dealer draws to this up card, his hole card first, without a Blackjack; in how many orders."""
    found: Counter[Values] = Counter()

    def more(drawn: Values) -> None:
        hand = tuple(sorted((up, *drawn)))
        if hand == BLACKJACK:
            return
        count, soft = counted(hand)
        if drawn and (count > 17 or (count == 17 and not (h17 and soft))):
            found[tuple(sorted(drawn))] += 1
            return
        for value in range(1, 11):
            more((*drawn, value))

    more(())
    return found


# ----------------------------------------------------------------------------------------------------- Straight Jack
_STRAIGHTS = {
    None: "lost",
    "3 to 1": "two_card_straight",
    "15 to 1": "three_card_straight",
    "50 to 1": "four_card_straight",
    "200 to 1": "five_card_straight",
    "10% of meter and 200 to 1": "six_card_straight",
    "100% of meter and 200 to 1": "six_card_straight_ace_of_spades",
}
_LENGTHS = {name: length for length, name in enumerate(list(_STRAIGHTS.values())[1:], 2)}
_KINDS: list[tuple[naive.Card, int]] = [
    (("ace", "spades"), 1),
    (("ace", "hearts"), 3),
    *(((rank, "hearts"), 4) for rank in naive.RANKS[1:]),
]
"""Cards that Straight Jack tells apart: the ace of spades, and ranks; with how many of a deck are of each."""


def straight_jack(decks: int, best: bool) -> Chances:
    """633a.7(o)(3)(i), 633a.13(m): he draws while his run goes on and he has less than 21, or never."""
    found: Chances = {}
    size = 52 * decks

    def enter(hand: Sequence[naive.Card], chance: Fraction) -> None:
        name = _STRAIGHTS[naive.payout_straight_jack(list(hand))]
        found[name] = found.get(name, Fraction(0)) + chance

    def dealer_has_blackjack(hand: Sequence[naive.Card]) -> Fraction:
        aces = sum(rank == "ace" for rank, _ in hand)
        tens = sum(rank in ("10", "jack", "queen", "king") for rank, _ in hand)
        return Fraction(2 * (4 * decks - aces) * (16 * decks - tens), falling(size - len(hand), 2))

    def next_cards(hand: tuple[naive.Card, ...]) -> Iterator[tuple[naive.Card, Fraction]]:
        for card, number in _KINDS:
            yield card, Fraction(number * decks - hand.count(card), size - len(hand))

    def played(hand: tuple[naive.Card, ...], chance: Fraction) -> None:
        """The hand as it stands in rounds that go on; `chance` is of its cards alone."""
        if not chance:
            return
        length = _LENGTHS[_STRAIGHTS[naive.payout_straight_jack(list(hand))]]
        if length < len(hand) or naive.points(list(hand)) >= 21 or not best:
            enter(hand, chance * (1 - dealer_has_blackjack(hand)))
            return
        for card, part in next_cards(hand):
            played((*hand, card), chance * part)

    for first, one in next_cards(()):
        for second, other in next_cards((first,)):
            hand = first, second
            if naive.payout_straight_jack([first, second]) is None:
                enter(hand, one * other)
            else:
                enter(hand, one * other * dealer_has_blackjack(hand))
                played(hand, one * other)
    return {name: chance for name, chance in found.items() if chance}


# -------------------------------------------------------------------------------------------------------- Blazing 7's
_SEVENS = "cdhs"
"""The suits of a seven; "A" is any ace, "T" any card of ten, "-" any other."""


def _three_sevens(suits: str, paytable: str, each_suit: bool) -> tuple[int, str]:
    """633c.9(f), T66, T67: the place of the row in the paytable, and the row."""
    alike = len(set(suits)) == 1
    color = all(suit in "dh" for suit in suits) or all(suit in "cs" for suit in suits)
    if paytable == "A":
        if alike:
            return 0, "three_7s_same_suit"
    elif suits == "ddd":
        return 0, "three_7s_diamonds"
    elif (set(suits) == set("chs")) if each_suit else alike:
        return 1, "three_7s_other_suit"
    return (2, "three_7s_same_color") if color else (3, "three_7s")


def blazing_7s(decks: int, paytable: str, best: bool, worth: Worth, third: str, split: str, suits: str) -> Chances:
    """633c.9: with two 7s he takes the next card, or stands, or splits, as is best or worst against the up card."""
    found: Chances = {}
    shoe = {**dict.fromkeys(_SEVENS, decks), "A": 4 * decks, "T": 16 * decks, "-": 28 * decks}
    size = 52 * decks

    def rows(*cards: str) -> Iterator[tuple[str, int]]:
        """Every next card after these, and how many there are."""
        for kind, number in shoe.items():
            left = number - cards.count(kind)
            if left > 0:
                yield kind, left

    def row(two: str, *thirds: str) -> str:
        made = [_three_sevens(two + one, paytable, suits == "each_suit") for one in thirds if one in _SEVENS]
        return min(made)[1] if made else "two_7s"

    def chances(option: Counter[str], cards: int) -> Chances:
        """Of ways to draw so many cards after the first three."""
        return {name: Fraction(number, falling(size - 3, cards)) for name, number in option.items()}

    def options(two: str, up: str) -> list[Chances]:
        """What follows when he stands, hits or splits: chances of rounds in which the dealer has no Blackjack."""
        by_up = third != "drawn"
        stood, hit, parted = Counter[str](), Counter[str](), Counter[str]()
        for hole, number in rows(*two, up):
            if {up, hole} == {"A", "T"}:
                continue
            stood[row(two, up) if by_up else row(two)] += number
            for one, more in rows(*two, up, hole):
                hit[row(two, up) if by_up else row(two, one)] += number * more
                for other, last in rows(*two, up, hole, one):
                    if third == "up_card":
                        name = row(two, up)
                    else:
                        name = row(two, one) if split == "first" else row(two, one, other)
                    parted[name] += number * more * last
        return [chances(stood, 1), chances(hit, 2), chances(parted, 3)]

    def at_blackjack(two: str, up: str) -> Chances:
        """633c.9(d)(4): he gets one more card, unless the up card decides."""
        ways = Counter[str]()
        for hole, number in rows(*two, up):
            if {up, hole} == {"A", "T"}:
                for one, more in rows(*two, up, hole):
                    ways[row(two, one) if third == "drawn" else row(two)] += number * more
        return chances(ways, 2)

    def won(option: Chances) -> Fraction:
        return sum((chance * worth(name) for name, chance in option.items()), Fraction(0))

    def add(name: str, chance: Fraction) -> None:
        found[name] = found.get(name, Fraction(0)) + chance

    for first, one in rows():
        for second, other in rows(first):
            sevens = (first in _SEVENS) + (second in _SEVENS)
            if sevens < 2:
                add("one_7" if sevens else "lost", Fraction(one * other, falling(size, 2)))
                continue
            two = first + second
            for up, shown in rows(first, second):
                chosen = (max if best else min)(options(two, up), key=won)
                for part in (chosen, at_blackjack(two, up)):
                    for name, chance in part.items():
                        add(name, Fraction(one * other * shown, falling(size, 3)) * chance)
    return found
