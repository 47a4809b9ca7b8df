"""Blazing 7's Progressive, 633c.9: a seven among the first two cards, two of them, and a third one as the next card.

Only the next card can be the third seven: one after it takes the hand over 21 (T60). So the card that takes a hand
over 21 never counts, as 633c.9(d)(2) asks.
"""

from __future__ import annotations

from collections import Counter
from typing import Final

from shoetool.model.cards import SUITS, is_red
from shoetool.rules.round import Stage

from .choice import Choice
from .progressive import MeterReadings, MeterRule, together
from .view import View
from .wager import ExtraCard, Growth, Outcome, Predicate, Wager

_KEY: Final = "blazing_7s"
_SEVEN: Final = 6
_DIAMONDS: Final = SUITS.index("♦")

_THIRD: Final = Choice(
    f"{_KEY}_third",
    "633c.9(h)",
    "which card decides three 7s: the next card that the player is dealt; the dealer's up card, for a split hand too; "
    "or the up card, but for a split hand the next card (T65)",
    ("drawn", "up_card", "up_card_unless_split"),
)
_SPLIT: Final = Choice(
    f"{_KEY}_split",
    "633c.9(d)(1)",
    "after a split the third card is the first one dealt to the first hand, or that of any hand (T62)",
    ("first", "any"),
)
_DOUBLE: Final = Choice(
    f"{_KEY}_double",
    "633c.9(d)(4)",
    "whether the card of a double is one that the player hit for (T63)",
    ("hit", "no_hit"),
)
_SUITS: Final = Choice(
    f"{_KEY}_suits",
    "633c.9(f)",
    "paytable B: three 7s of clubs, spades, hearts are all of one of these suits, or one of each (T66)",
    ("one_suit", "each_suit"),
)
_EXTRA: Final = Choice(
    f"{_KEY}_extra",
    "633c.9(d)(4)",
    "after the dealer's Blackjack a player with two 7s gets one more card if he has the wager, or in any case (T64)",
    ("wager", "all"),
)


def _sevens(view: View) -> int:
    """How many of the first two cards are sevens."""
    return (view.first % 13 == _SEVEN) + (view.second % 13 == _SEVEN)


def _thirds(view: View) -> tuple[int, ...]:
    """The cards of which one may be the third seven: mostly one, none where the player took none."""
    split = any(hand.from_split for hand in view.hands)
    how = _THIRD.of(view.rules)
    if how == "up_card" or (how == "up_card_unless_split" and not split):
        return (view.up,)
    if view.third is None:
        return ()
    if split and _SPLIT.of(view.rules) == "any":
        return tuple(
            (Counter(card for hand in view.hands for card in hand.cards[:2]) - Counter(view.initial)).elements()
        )
    doubled = not split and any(hand.double for hand in view.hands)
    if doubled and _DOUBLE.of(view.rules) == "no_hit":
        return ()
    return (view.third,)


def _three(view: View) -> list[tuple[int, int, int]]:
    """The suits of three sevens: of the first two cards, and of each card that is the third."""
    if _sevens(view) < 2:
        return []
    return [(view.first // 13, view.second // 13, card // 13) for card in _thirds(view) if card % 13 == _SEVEN]


def _one_suit(view: View) -> bool:
    return any(len(set(suits)) == 1 for suits in _three(view))


def _diamonds(view: View) -> bool:
    return any(set(suits) == {_DIAMONDS} for suits in _three(view))


def _clubs_spades_hearts(view: View) -> bool:
    if _SUITS.of(view.rules) == "one_suit":
        return _one_suit(view)  # of diamonds there is the row above
    return any(len(set(suits)) == 3 and _DIAMONDS not in suits for suits in _three(view))


def _one_color(view: View) -> bool:
    """Of one suit there is a row above, or two of them (T67)."""
    return any(len({is_red(suit * 13) for suit in suits}) == 1 for suits in _three(view))


def _of_first_two(count: int) -> Predicate:
    """A seven that comes after a single one adds nothing (633c.9(d)(3), T61)."""
    return lambda view: _sevens(view) == count


def _extra_card(view: View) -> bool:
    """Two sevens, where no up card decides; with a 7 up the dealer has no Blackjack (T65)."""
    return _sevens(view) == 2 and _THIRD.of(view.rules) == "drawn"


BLAZING_7S: Final = Wager(
    key=_KEY,
    title="Blazing 7's Progressive",
    offered="633c.9(b)",
    settles="633c.9(d)(4)",
    collects="633c.9(d)(3)",
    pays="633c.9(f)",
    # Dealt as any other round (633c.9(c)), and settled after all other optional wagers (633c.9(d)).
    stage=Stage.LAST,
    subject="two_cards_and_third",
    nothing="no seven among the first two cards",
    outcomes=(
        Outcome("three_7s_same_suit", _one_suit),
        Outcome("three_7s_diamonds", _diamonds),
        Outcome("three_7s_other_suit", _clubs_spades_hearts),
        Outcome("three_7s_same_color", _one_color),
        Outcome("three_7s", lambda view: bool(_three(view))),
        Outcome("two_7s", _of_first_two(2), clause="633c.9(d)(3)"),
        Outcome("one_7", _of_first_two(1), clause="633c.9(d)(3)"),
    ),
    waiting="633c.9(d)",
    meter=MeterRule(
        least=2_000_00,
        clause="633c.9(g)",
        shared="633c.9(e)(3)",
        locked_out="633c.9(a)(2)",
        devices=(
            ("a progressive table game system (605a.7) for the {wager}", "633c.9(a)"),
            ("a device at each position that takes or acknowledges the {wager}", "633c.9(a)(1)"),
            ("a lock-out of {wager}s once the dealer has begun to deal", "633c.9(a)(2)"),
        ),
        tenth_from_house=True,
        readings=MeterReadings(together=together(_KEY, "633c.9(e)(3)")),
        beside=((1_00, 2_000_00), (5_00, 10_000_00)),
    ),
    verify_from=201,  # above 200 for 1: 200 to 1 is 201 for 1 (T68)
    verify_clause="633c.9(e)(2)",
    dealer_verifies="633c.9(e)(1)",
    choices=(_THIRD, _SPLIT, _DOUBLE, _SUITS),
    area="633c.9(a)",
    amounts=(1_00, 5_00),
    amounts_by="633c.9(g)",
    extra=ExtraCard("633c.9(d)(4)", _extra_card, _EXTRA),
    growth=Growth(may_change=lambda cards: len(cards) == 2 and all(card % 13 == _SEVEN for card in cards)),
    kind=lambda card: card // 13 if card % 13 == _SEVEN else -1,
)
