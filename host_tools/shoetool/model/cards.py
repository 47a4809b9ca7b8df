"""Cards by their numbers in the journal: names, values and suits. No game rules except the count of a card.

A card id is suit * 13 + rank: suits 0 clubs, 1 diamonds, 2 hearts, 3 spades; ranks 0..12 are A 2 .. 10 J Q K. 52 is the
cover card, 53..56 the test cards T1..T4, and 63 a card whose face the history does not know.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from .errors import BadInput

COVER_CARD: Final = 52
TEST_CARDS: Final = (53, 54, 55, 56)
UNKNOWN: Final = 63

RANKS: Final = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
SUITS: Final = ("♣", "♦", "♥", "♠")
SUIT_WORDS: Final = ("clubs", "diamonds", "hearts", "spades")
RANK_WORDS: Final = (
    *("ace", "two", "three", "four", "five", "six", "seven"),
    *("eight", "nine", "ten", "jack", "queen", "king"),
)
_SUIT_LETTERS: Final = {"C": 0, "D": 1, "H": 2, "S": 3, "♣": 0, "♦": 1, "♥": 2, "♠": 3}
_RANK_LETTERS: Final = {name: rank for rank, name in enumerate(RANKS)} | {"T": 9}
_CARD_TEXT: Final = re.compile(r"^(10|[2-9AJQKT])([CDHS♣♦♥♠])$")

VALUES: Final = tuple(min(card % 13 + 1, 10) for card in range(52))
"""Count of each card, an ace as 1 (633a.3(e)(1)-(3)). An ace may count 11, see `total`."""


def is_playing_card(card: int) -> bool:
    """Whether the id is one of the 52 cards that a hand can hold."""
    return 0 <= card < 52


def rank(card: int) -> int:
    """Rank 0..12 (ace 0, ten 9, king 12) of a playing card."""
    return card % 13


def is_red(card: int) -> bool:
    """Whether the card is a heart or a diamond (633a.7(d)(1) mapping)."""
    return 13 <= card < 39


def is_ten(card: int) -> bool:
    """Whether the card's rank is 10: a Spanish 21 deck lacks these cards (635a.3(a) composition)."""
    return card < 52 and card % 13 == 9


def card_name(card: int) -> str:
    """Return the short name with the suit's sign, such as `10♥`. Other cards: `cover card`, `T1`..`T4`, `unknown`."""
    if 0 <= card < 52:
        return RANKS[card % 13] + SUITS[card // 13]
    if card == COVER_CARD:
        return "cover card"
    if card in TEST_CARDS:
        return f"T{card - 52}"
    if card == UNKNOWN:
        return "unknown"
    return f"unassigned {card}"


def card_words(card: int) -> str:
    """Return the card in words for a sentence, such as `ten of hearts`."""
    if 0 <= card < 52:
        return f"{RANK_WORDS[card % 13]} of {SUIT_WORDS[card // 13]}"
    return card_name(card)


def parse_card(text: str) -> int:
    """Return the card id of a name such as `10♥`, `10H`, `TH` or `as`. BadInput for any other text."""
    match = _CARD_TEXT.match(text.strip().upper())
    if match is None:
        raise BadInput(f"{text!r} is not a card: write a rank and a suit, such as 10H or A♠")
    return _SUIT_LETTERS[match.group(2)] * 13 + _RANK_LETTERS[match.group(1)]


def total(cards: Sequence[int]) -> tuple[int, bool]:
    """Return the best count of playing cards, and whether it is soft (an ace counts 11), 633a.3(e)(3)."""
    hard = 0
    ace = False
    for card in cards:
        value = VALUES[card]
        hard += value
        if value == 1:
            ace = True
    if ace and hard <= 11:
        return hard + 10, True
    return hard, False


def is_blackjack(cards: Sequence[int]) -> bool:
    """Whether the cards are exactly an ace and a ten-value card. The caller knows whether they are the first two."""
    return len(cards) == 2 and total(cards)[0] == 21


def copies_per_deck(card: int, spanish: bool) -> int:
    """How many of this card one deck holds: 1, or 0 for a 10 in a 48-card Spanish deck (635a.3(a) composition)."""
    return 0 if spanish and is_ten(card) else 1
