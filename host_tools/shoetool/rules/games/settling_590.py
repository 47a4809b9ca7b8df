"""Settlement of the main wager in ch. 590, Free Bet Blackjack: push on 22, lammers, tucked wagers."""

from __future__ import annotations

from typing import Final

from shoetool.rules.games.settling import MainOutcome, Settling
from shoetool.rules.round import Stage

FREE_BET_OUTCOMES: Final = (
    # Reading 63: a hand over 21 loses whatever the dealer has.
    MainOutcome("bust", lambda show: show.total > 21, "lose", "590.7(q)(1)", "{total}: over 21"),
    MainOutcome(
        "blackjack_tie",
        lambda show: show.dealer_blackjack and show.natural,
        "push",
        "590.7(g)(1)",
        "Blackjack against the dealer's Blackjack",
    ),
    MainOutcome(
        "dealer_blackjack",
        lambda show: show.dealer_blackjack,
        "lose",
        "590.7(g)(2)",
        "{total} against the dealer's Blackjack",
    ),
    MainOutcome(
        "blackjack",
        lambda show: show.natural,
        "win",
        "590.7(h)(1)",
        "Blackjack against the dealer's {dealer}",
        "blackjack",
    ),
    MainOutcome("dealer_22", lambda show: show.dealer_total == 22, "push", "590.7(n)(1)", "{total}; the dealer has 22"),
    MainOutcome(
        "dealer_bust",
        lambda show: show.dealer_total > 21,
        "win",
        "590.7(o)(1)",
        "{total}; the dealer has {dealer}, over 21",
        "win",
    ),
    MainOutcome(
        "higher",
        lambda show: show.total > show.dealer_total,
        "win",
        "590.7(o)(2)",
        "{total} against the dealer's {dealer}",
        "win",
    ),
    MainOutcome(
        "tie",
        lambda show: show.total == show.dealer_total,
        "push",
        "590.7(p)",
        "{total} against the dealer's {dealer}",
    ),
    MainOutcome(
        "lower",
        lambda show: show.total < show.dealer_total,
        "lose",
        "590.7(q)(2)",
        "{total} against the dealer's {dealer}",
    ),
)

FREE_BET_SETTLING: Final = Settling(
    outcomes=FREE_BET_OUTCOMES,
    # 590.7(n): Push 22 Wagers that lose go first, those that win come after the main wagers.
    stages=tuple(Stage),
    blackjack_low="590.7(h)(1)",
    blackjack_once="590.7(h)(1)",
    blackjack_held="",
    surrender_low="590.9(a)(1)",
    surrender_revealed="",
    surrender_reader="590.9(a)(2)",
    insurance_won="590.8(c)",
    insurance_lost="590.8(d)",
    double_back="",
    split_back="",
    doubled="590.12(a)",
    tucked="590.11(c) bust",
    tucked_returned="590.7(n)(1)",
)
