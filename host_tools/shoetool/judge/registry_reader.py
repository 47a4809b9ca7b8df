"""The checks of the card reader device: its inspection, when it is used, what it answers, how it fails."""

from __future__ import annotations

from typing import Final

from shoetool.judge.finding import BREACH, HANDLED
from shoetool.judge.registry import check

_B: Final = (BREACH,)
_BH: Final = (BREACH, HANDLED)

INSPECTION: Final = check(
    "2(f) second sentence: reader inspected each gaming day", "633a.2(f) second sentence", _B,
    """At a table with a reader its inspection with the test cards is passed before the first round of a gaming day.
    Each history says so itself: an inspection in it, or the shoe's word that there was one earlier on that day. A day
    ends when a shoe is closed as the day's last.""",
)  # fmt: skip
PEEK: Final = check(
    "7(h) eligibility: reader used before play", "633a.7(h) eligibility", _BH,
    """With an ace or a ten-value card up (Spanish 21: ace, king, queen, jack) the reader answers once, after insurance
    was offered and closed and before a player decides or gets a card. Use at any other time is refused by the reader;
    with an ace up before insurance the clause is 633a.8(b) timing.""",
)  # fmt: skip
OTHER_UP_CARD: Final = check(
    "14(j): reader used with another up card", "633a.14(j)", _BH,
    """With 2 to 9 up (Spanish 21: and 10) the reader refuses and shows nothing. It can show no value to a player, so
    the round goes on (633a.14(j)(2)); an answer all the same is a breach.""",
)  # fmt: skip
OTHER_CARD: Final = check(
    "7(h) method: the hole card in the reader", "633a.7(h) method", _B,
    "What is slid into the reader is the hole card that the shoe dealt. The face of neither card is named.",
)  # fmt: skip
ANSWER: Final = check(
    "7(h) result: what the reader said", "633a.7(h) result", _B,
    """The reader said Blackjack when the two cards are one, and no Blackjack when they are not; after Blackjack nobody
    gets a card.""",
)  # fmt: skip
FAILED: Final = check(
    "14(k): reader failed", "633a.14(k)", _BH,
    """A reader that is dirty, stuck or flooded, that read nothing three times, or that failed its inspection stops the
    table until it passes its inspection (reading 46).""",
)  # fmt: skip
