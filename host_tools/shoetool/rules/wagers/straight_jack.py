"""Straight Jack Progressive: the player's first two cards in sequence, and each drawn card that keeps it going."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from shoetool.model.cards import SUITS, total
from shoetool.rules.round import Hand, Stage

from .choice import Choice
from .progressive import AT_EACH_POSITION, MeterRule
from .view import View
from .wager import Growth, InSwitch, Outcome, Predicate, Wager, Wait

_SPLIT: Final = Choice(
    "straight_jack_split",
    "633a.7(o)(3)(i)",
    "after a split: the two initial cards count, or each hand's best, or the first hand (reading 17)",
    ("initial", "each", "first"),
)
_ACE_OF_SPADES: Final = SUITS.index("♠") * 13


def adjacent(first: int, second: int) -> bool:
    """633a.1 Two-card straight: ranks next to each other, the ace next to both the king and the 2 (reading 16)."""
    return abs(first % 13 - second % 13) in (1, 12)


def run_length(cards: Sequence[int]) -> int:
    """How many cards the sequence holds that the first two begin; 0 when they are not adjacent in rank.

    In draw order, one step at a time (633a.7(o)(3)(i)(A)) at either end (633a.7(o)(3)(i)(B)); the first card that does
    not fit ends it for good (633a.7(o)(3)(i)(C)), and so does the card that takes the hand over 21
    (633a.7(o)(3)(i)(D)): reading 15. The ace stands next to the 2 or the king, not both (reading 16).
    """
    if len(cards) < 2 or not adjacent(cards[0], cards[1]):
        return 0
    low, high = sorted((cards[0] % 13 + 1, cards[1] % 13 + 1))
    if (low, high) == (1, 13):
        low, high = 13, 14
    length = 2
    for count in range(3, len(cards) + 1):
        rank = cards[count - 1] % 13 + 1
        if total(tuple(cards[:count]))[0] > 21:
            break
        if rank == low - 1:
            low = rank
        elif rank == high + 1 or (rank == 1 and high == 13):
            high += 1
        else:
            break
        length += 1
    return length


def _hands(view: View) -> tuple[Hand, ...]:
    """The hands whose cards may count; in Switch the first one, unless it was switched or split. None of a position
    that gave up its first two cards for its switch hands cards."""
    if view.given_up:
        return ()
    if len(view.initial) == 2:
        return view.hands
    first = view.hands[0]
    return () if first.from_split or first.switched else (first,)


def _length(view: View) -> int:
    """Length of the box's straight; after a split as the rules submission has it (reading 17).

    In Switch that of the first hand: what its first two cards won stays when it is switched or split.
    """
    if not adjacent(view.first, view.second):
        return 0
    hands = _hands(view)
    if len(hands) == 1:
        return run_length(hands[0].cards)
    how = _SPLIT.of(view.rules)
    counted = {"initial": (), "first": hands[:1], "each": hands}[how]
    return max([2, *(run_length(hand.cards) for hand in counted)])


def _of_length(length: int) -> Predicate:
    return lambda view: _length(view) == length


def _six_with_ace_of_spades(view: View) -> bool:
    """Six cards within 21 are ace to 6; whether that ace is the ace of spades."""
    sixes = (hand for hand in _hands(view) if run_length(hand.cards) == 6)
    return _length(view) == 6 and any(_ACE_OF_SPADES in hand.cards for hand in sixes)


def _winners_wait(view: View, outcome: Outcome | None) -> Wait | None:
    """A loser is collected after the deal (633a.7(g)(9)); a two-card straight may still grow, so winners wait."""
    return Wait(Stage.AFTER_ALL, "633a.7(o)(3)(i)") if adjacent(view.first, view.second) else None


STRAIGHT_JACK: Final = Wager(
    key="straight_jack",
    title="Straight Jack Progressive",
    offered="633a.6(e)(11)",
    settles="633a.7(o)(3)(i)",
    collects="633a.7(g)(9)",
    pays="633a.13(m)(1)",
    stage=Stage.AFTER_DEAL,
    subject="hands",
    nothing="the first two cards are no two-card straight",
    outcomes=(
        Outcome("six_card_straight_ace_of_spades", _six_with_ace_of_spades),
        Outcome("six_card_straight", _of_length(6)),
        Outcome("five_card_straight", _of_length(5)),
        Outcome("four_card_straight", _of_length(4)),
        Outcome("three_card_straight", _of_length(3)),
        Outcome("two_card_straight", _of_length(2)),
    ),
    waits=_winners_wait,
    meter=MeterRule(
        least=5_000_00,
        clause="633a.13(m)(2)",
        shared="633a.7(o)(3)(ii)(C)",
        locked_out="633a.2(d)(2)",
        devices=AT_EACH_POSITION,
        tenth_from_house=True,
    ),
    verify_from=100,
    verify_clause="633a.7(o)(3)(ii)(B)",
    dealer_verifies="633a.7(o)(3)(ii)(A)",
    switch=InSwitch("all", (_SPLIT.key, _SPLIT.words[0], "cards after a split do not count for", "633a.7(o)(3)(i)")),
    choices=(_SPLIT,),
    growth=Growth(may_change=lambda cards: run_length(cards) == len(cards) and total(cards)[0] < 21),
    kind=lambda card: 13 if card == _ACE_OF_SPADES else card % 13,
)
