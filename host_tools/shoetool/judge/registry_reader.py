"""The checks of the card reader device: its inspection, when it is used, what it answers, how it fails."""

from __future__ import annotations

from typing import Final

from shoetool.judge.finding import BREACH, HANDLED
from shoetool.judge.registry import check

INSPECTION: Final = check(
    "2(f) second sentence: reader inspected each gaming day", "633a.2(f) second sentence", (BREACH,),
    """At a table with a reader, the reader passes its inspection with the test cards before the first round of a gaming
    day. Each history shows the inspection, or has the shoe's record that there was one earlier on that day. A day ends
    when a shoe is closed as the day's last.""",
)  # fmt: skip
PEEK: Final = check(
    "7(h) eligibility: reader used before play", "633a.7(h) eligibility", (BREACH, HANDLED),
    """With an ace or a ten-value card up (Spanish 21: ace, king, queen, jack) the reader answers once. It answers after
    insurance was offered and closed, and before a player decides or gets a card. At any other time the reader refuses.
    With an ace up and before insurance, the clause is 633a.8(b) timing.""",
    "633a.8(b) timing",
)  # fmt: skip
OTHER_UP_CARD: Final = check(
    "14(j): reader used with another up card", "633a.14(j)", (BREACH, HANDLED),
    """With 2 to 9 up (in Spanish 21 also with 10) the reader refuses and shows nothing. No player can learn a value
    from it, so the round goes on (633a.14(j)(2)). If the reader answers, that is a breach.""",
    "633a.14(j)(2)",
)  # fmt: skip
OTHER_CARD: Final = check(
    "7(h) method: the hole card in the reader", "633a.7(h) method", (BREACH,),
    "The card in the reader is the hole card that the shoe dealt. If not, neither card is named.",
)  # fmt: skip
ANSWER: Final = check(
    "7(h) result: what the reader said", "633a.7(h) result", (BREACH,),
    """The reader answers "Blackjack" if the dealer's two cards are Blackjack, and "no Blackjack" if they are not. After
    Blackjack no hand gets a card.""",
)  # fmt: skip
FAILED: Final = check(
    "14(k): reader failed", "633a.14(k)", (BREACH, HANDLED),
    """The table stops when the reader is dirty, stuck or flooded, when it read nothing three times, or when it failed
    its inspection. The table goes on when the reader passes its inspection (reading 46).""",
)  # fmt: skip
