"""How the house reads 633c.5 where its text leaves room: a hybrid gaming table, with and without a hole card."""

from __future__ import annotations

from typing import Final

from .choice import Choice

BOTH_OVER: Final = Choice(
    "hybrid_both_over_21",
    "633c.5(t)(2)",
    "hybrid table with a hole card: a hand over 21 loses though the dealer is over 21 too, or equal counts push (T36)",
    ("loss", "push"),
)
EQUAL_21: Final = Choice(
    "hybrid_equal_21",
    "633c.5(t)(2)",
    "hybrid table: a Blackjack and a 21 in more cards are decided by (t)(1)(iii) and (t)(3)(iii), or push (T37)",
    ("decided", "push"),
)
BUST_INSURANCE: Final = Choice(
    "hybrid_bust_insurance",
    "633c.5(bb)",
    "no hole card: the dealer's second card decides insurance of a hand over 21 too, or it is lost with it (T48)",
    ("second_card", "lost"),
)
DOUBLE_BACK: Final = Choice(
    "hybrid_double_back",
    "633c.5(bb)(1)",
    "no hole card: the dealer's Blackjack takes the first wager of a double, or the double too (T49)",
    ("first", "both"),
)
SPLIT_OVER: Final = Choice(
    "hybrid_split_over_21",
    "633c.5(bb)(1)",
    "no hole card: the dealer's Blackjack gives the split wager back unless its own hand, or any, is over 21 (T50)",
    ("own", "any"),
)
SURRENDER: Final = Choice(
    "hybrid_surrender",
    "633c.5(z)",
    "no hole card: the dealer's second card decides a surrender against an ace or ten-count card, or half is lost at "
    "once (T51)",
    ("second_card", "half"),
)
SECOND_CARD: Final = Choice(
    "hybrid_second_card",
    "633c.5(dd)",
    "no hole card: an optional wager on the dealer's two cards goes by the terminal's own dealer's second card, or by "
    "the first community card (T53)",
    ("own", "first"),
)
HYBRID_CHOICES: Final = (BOTH_OVER, EQUAL_21, BUST_INSURANCE, DOUBLE_BACK, SPLIT_OVER, SURRENDER, SECOND_CARD)
"""Everything that the house chooses of 633c.5 beside its optional wagers."""
