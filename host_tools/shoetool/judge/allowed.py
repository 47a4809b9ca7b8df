"""Which decisions a hand allows, as its game has it: one answer for records, round files, refused keys, and the
simulated dealer. Each of them says it in its own words.

Whose turn it is, and what a table's rules submission limits, is asked elsewhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum, auto
from typing import Final, NamedTuple

from shoetool.model.cards import VALUES, total
from shoetool.model.protocol_table import HandEnd
from shoetool.rules.games import Game
from shoetool.table.hand import Hand

_ACE: Final = 0


class No(Enum):
    """Why a decision is not allowed."""

    NOT_OFFERED = auto()
    """The game has no such decision."""
    ENDED = auto()
    """Play on the hand has ended."""
    DOUBLED = auto()
    """The hand was doubled."""
    SWITCHED = auto()
    NOT_DOUBLED = auto()
    CARDS = auto()
    """It has another number of cards."""
    BLACKJACK = auto()
    UNEQUAL = auto()
    """Its two cards differ in value."""
    FROM_SPLIT = auto()
    OVER_21 = auto()
    UP_CARD = auto()
    """The dealer shows another card than it needs."""
    NO_BLACKJACK = auto()


class Standing(NamedTuple):
    """A hand as a decision finds it. `cards`: ids, none of 0..51 where a face is not known."""

    cards: Sequence[int]
    from_split: bool = False
    doubled: bool = False
    ended: bool = False
    switched: bool = False

    @property
    def known(self) -> bool:
        """Whether every face is known."""
        return not self.cards or (min(self.cards) >= 0 and max(self.cards) < 52)

    @property
    def blackjack(self) -> bool:
        """Whether its first two cards are known to be a Blackjack, 633a.1 Blackjack; a switch makes none."""
        two = len(self.cards) == 2 and not self.from_split and not self.switched
        return two and self.known and total(self.cards)[0] == 21


def standing_of(hand: Hand) -> Standing:
    """The hand as a decision finds it now."""
    return Standing(hand.ids, hand.split, hand.double_record >= 0, hand.ended >= 0, hand.switched)


def ends_by_cards(hand: Standing) -> HandEnd | None:
    """633a.7(k)(1): why its cards end a hand, whatever its player wants; None while he decides. A hand with an
    unknown card ends only when it is over 21 with an ace for it."""
    known = hand.known
    count = total(hand.cards if known else [card if 0 <= card < 52 else _ACE for card in hand.cards])[0]
    if count > 21:
        return HandEnd.BUST
    if count < 21 or not known:
        return None
    return HandEnd.BLACKJACK if hand.blackjack else HandEnd.TWENTY_ONE


def no_double(game: Game, hand: Standing) -> No | None:
    """633a.10(a), 590.10(a), 635a.10(a) cards: why the hand may not double; None if it may."""
    count = len(hand.cards)
    if hand.doubled:
        return No.DOUBLED
    if hand.ended:
        return No.ENDED
    if count < 2 or (game.facts.double_cards and count != game.facts.double_cards):
        return No.CARDS
    return No.BLACKJACK if hand.blackjack else None


def no_split(hand: Standing) -> No | None:
    """633a.11(a), 590.11(a), 635a.11(a): why it is no pair to split. The table limits the number of hands."""
    if len(hand.cards) != 2:
        return No.CARDS
    if hand.ended or hand.doubled:
        return No.ENDED
    return No.UNEQUAL if hand.known and VALUES[hand.cards[0]] != VALUES[hand.cards[1]] else None


def no_surrender(game: Game, hand: Standing) -> No | None:
    """633a.9(a) option, 635a.9(a): why the hand may not be surrendered as its first decision."""
    if not game.facts.surrender:
        return No.NOT_OFFERED
    if hand.ended:
        return No.ENDED
    if hand.from_split:
        return No.FROM_SPLIT
    if hand.doubled:
        return No.DOUBLED
    return No.CARDS if len(hand.cards) != 2 else None


def no_rescue(game: Game, hand: Standing) -> No | None:
    """635a.10(d): why the double of the hand may not be taken back."""
    if not game.facts.rescue:
        return No.NOT_OFFERED
    if not hand.doubled:
        return No.NOT_DOUBLED
    return No.OVER_21 if hand.known and total(hand.cards)[0] > 21 else None


def no_switch(game: Game, hand: Standing) -> No | None:
    """633a.12(a)(4): why a position may not exchange the second card of this one of its two hands, in its turn and
    before it decides anything else. It may switch a Blackjack away."""
    if not game.facts.switch:
        return No.NOT_OFFERED
    if hand.switched:
        return No.SWITCHED
    if len(hand.cards) != 2:
        return No.CARDS
    decided = hand.ended and hand.known and not hand.blackjack
    return No.ENDED if hand.doubled or hand.from_split or decided else None


def no_insurance(game: Game, up: int) -> No | None:
    """633a.8(a), 590.8(a), 635a.8(a): why the dealer's up card allows no Insurance Wager."""
    return None if up % 13 in game.insurance_ranks else No.UP_CARD


def no_even_money(game: Game, hand: Standing, up: int) -> No | None:
    """633a.8(e): why the hand may not be paid 1 to 1 in place of insurance."""
    if not game.offers_even_money:
        return No.NOT_OFFERED
    return no_insurance(game, up) or (None if hand.blackjack else No.NO_BLACKJACK)
