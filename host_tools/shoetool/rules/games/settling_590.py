"""Settlement of the main wager in ch. 590, Free Bet Blackjack: push on 22, lammers, tucked wagers."""

from __future__ import annotations

from typing import Final

from shoetool.rules.games import outcomes
from shoetool.rules.games.settling import MainOutcome, Settling
from shoetool.rules.round import Stage

FREE_BET_OUTCOMES: Final = (
    # Reading 63: a hand over 21 loses whatever the dealer has.
    outcomes.BUST.by("590.7(q)(1)"),
    outcomes.BLACKJACK_TIE.by("590.7(g)(1)"),
    outcomes.DEALER_BLACKJACK.by("590.7(g)(2)"),
    outcomes.BLACKJACK_WINS.by("590.7(h)(1)"),
    MainOutcome("dealer_22", lambda show: show.dealer_total == 22, "push", "590.7(n)(1)", "{total}; the dealer has 22"),
    outcomes.DEALER_BUST.by("590.7(o)(1)"),
    outcomes.HIGHER.by("590.7(o)(2)"),
    outcomes.TIE.by("590.7(p)"),
    outcomes.LOWER.by("590.7(q)(2)"),
)

FREE_BET_SETTLING: Final = Settling(
    outcomes=FREE_BET_OUTCOMES,
    # 590.7(n): Push 22 Wagers that lose go first, those that win come after the main wagers.
    stages=tuple(Stage),
    blackjack_low="590.7(h)(1)",
    blackjack_once="590.7(h)(1)",
    surrender_low="590.9(a)(1)",
    surrender_reader="590.9(a)(2)",
    insurance_won="590.8(c)",
    insurance_lost="590.8(d)",
    doubled="590.12(a)",
    tucked="590.11(c) bust",
    tucked_returned="590.7(n)(1)",
)
