"""The checks of the variations of Blackjack: Blackjack Switch, 633a.12(a), dealt from the hand, 633a.12(b), and switch
hands, 633c.4."""

from __future__ import annotations

from typing import Final

from shoetool.judge import registry_reader  # noqa: F401  its checks come before those of this module
from shoetool.judge.finding import BREACH, CANNOT_TELL
from shoetool.judge.registry import check

SWITCH: Final = check(
    "12(a)(4): switch before other decisions", "633a.12(a)(4)", (BREACH,),
    """In its turn, before any other decision, a position may exchange the second cards of its two hands once. It may
    switch a dealt Blackjack away. A Blackjack that the switch makes counts as 21 (633a.12(a)(5)(iii)).""",
)  # fmt: skip
HAND_DECKS: Final = check(
    "12(b)(1): two decks at most from the hand", "633a.12(b)(1)", (BREACH,),
    "From the hand at most two decks are dealt (reading 49).",
)  # fmt: skip
ROUND_BURN: Final = check(
    "12(b)(5): burn before every round", "633a.12(b)(5)", (BREACH,),
    """From the hand, the first card goes to the discard rack before every round. It takes the place of the burn cards
    of 633a.7(c): a new dealer or a full batch adds none (reading 73).""",
)  # fmt: skip
FACE_DOWN_CARDS: Final = check(
    "12(b)(5)(i)-(iv): players' cards face down", "633a.12(b)(5)(i)-(iv)", (BREACH,),
    "From the hand, the players' first two cards lie face down. The history has commitments of them, and no faces.",
)  # fmt: skip
TURNED_OVER: Final = check(
    "12(b)(6)(i): cards turned for a decision", "633a.12(b)(6)(i)", (BREACH,),
    "From the hand, the dealer turns the two cards over before a surrender, a double or a split.",
)  # fmt: skip
OVER_21: Final = check(
    "12(b)(6)(ii): out at once when over 21", "633a.12(b)(6)(ii)", (BREACH,),
    """From the hand, a player who is over 21 discards at once. The hand does not stand, and it gets no further card.
    Only the player knows the cards before they are turned, so the check finds this at the end of the round.""",
)  # fmt: skip
EXTRA_CARDS: Final = check(
    "12(b)(7): extra cards face up",
    "633a.12(b)(7)",
    (BREACH,),
    "From the hand all cards after the first two lie face up.",
)
TURNED_AT_THE_END: Final = check(
    "12(b)(9): players' cards turned at the end", "633a.12(b)(9)", (CANNOT_TELL,),
    "From the hand every player's cards are turned before the wagers are settled.",
)  # fmt: skip
HANDS_PASSES: Final = check(
    "633c.4(d): switch hands cards in two passes", "633c.4(d)(1)", (BREACH,),
    """With switch hands each position with an ante gets two cards in two passes, from the dealer's far left (reading
    78). Without Blackjack premium every position has an ante.""",
    "633c.4(d)(2)",
)  # fmt: skip
HANDS_FACE_DOWN: Final = check(
    "633c.4(d): switch hands cards face down", "633c.4(d)(1)", (BREACH,),
    "Switch hands cards lie face down. The history has commitments of them, and no faces.",
)  # fmt: skip
HANDS_ORDER: Final = check(
    "633c.4(e): switch hands cards before the Blackjack hands", "633c.4(e)", (BREACH,),
    """All switch hands cards are dealt before the Blackjack hands, or after them if the shoe is set up so (633c.4(j)).
    A double shoe deals them after the Blackjack hands (reading 76).""",
    "633c.4(j)",
)  # fmt: skip
HANDS_ANTE: Final = check(
    "633c.4(k): no switch hands cards without an ante", "633c.4(k)", (BREACH,),
    "With Blackjack premium a position without an ante before the deal gets no switch hands cards (reading 77).",
)  # fmt: skip
HANDS_CHOICE: Final = check(
    "633c.4(f): choice before any other card", "633c.4(f)", (BREACH,),
    """Each position with an ante keeps or switches after the deal, and before any other card is dealt, before
    insurance, and before the card reader device is used.""",
)  # fmt: skip
HANDS_KEPT: Final = check(
    "633c.4(f)(1): kept, the others unexposed", "633c.4(f)(1)", (BREACH,),
    "If a position keeps its face-up cards, both face-down cards go to the discard rack unturned.",
)  # fmt: skip
HANDS_PLAYED: Final = check(
    "633c.4(f)(2): switched, the others to the rack", "633c.4(f)(2)", (BREACH,),
    """If a position switches, both face-up cards go to the discard rack. Both face-down cards are turned and become its
    hand. It never has one of each.""",
)  # fmt: skip
