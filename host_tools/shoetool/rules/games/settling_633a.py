"""Settlement of the main wager in ch. 633a: Blackjack, Blackjack from the hand, Blackjack Switch."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from shoetool.rules.games import outcomes
from shoetool.rules.games.settling import MainOutcome, Settling
from shoetool.rules.round import Stage

BLACKJACK_DEALER_21: Final = MainOutcome(
    "blackjack_dealer_21",
    lambda show: show.natural and show.dealer_total == 21 and show.dealer_cards > 2,
    "win",
    "633a.7(p)(3)",
    "Blackjack against the dealer's 21 in more than two cards",
    "blackjack",
)
BLACKJACK_OUTCOMES: Final = (
    outcomes.BUST.by("633a.7(p)(2)"),
    outcomes.BLACKJACK_TIE.by("633a.7(q) tie"),
    # Reading 55: only a 21 in more than two cards loses; a split hand's two-card 21 meets a Blackjack without a peek.
    outcomes.TWO_CARD_21_TIE.by("633a.7(q) tie"),
    outcomes.LONG_21_DEALER_BLACKJACK.by("633a.7(q) loss"),
    outcomes.DEALER_BLACKJACK.by("633a.7(h) result"),
    BLACKJACK_DEALER_21,
    MainOutcome(
        "blackjack",
        lambda show: show.natural and show.dealer_total > 21,
        "win",
        "633a.7(p)(1)",
        "Blackjack; the dealer has {dealer}, over 21",
        "blackjack",
    ),
    outcomes.BLACKJACK_WINS.by("633a.7(p)(2)"),
    outcomes.DEALER_BUST.by("633a.7(p)(1)"),
    outcomes.HIGHER.by("633a.7(p)(2)"),
    outcomes.TIE.by("633a.7(q) tie"),
    # The text names no loser by count: a hand loses if it neither wins by (p) nor ties by (q).
    outcomes.LOWER.by("633a.7(p)(2)"),
)

_BEFORE_MAIN: Final = (Stage.AFTER_DEAL, Stage.AFTER_READER, Stage.IN_TURN, Stage.HOLE_CARD)

BLACKJACK_SETTLING: Final = Settling(
    outcomes=BLACKJACK_OUTCOMES,
    # 633a.7(o) settles the remaining optional wagers before (p)-(r) the main ones.
    stages=(*_BEFORE_MAIN, Stage.AFTER_ALL, Stage.LAST, Stage.MAIN),
    blackjack_low="633a.7(i)(1)(i)",
    blackjack_once="633a.7(i)(1)(ii)(A)",
    blackjack_held="633a.7(i)(1)(ii)(B)",
    surrender_low="633a.9(a)(1)",
    surrender_revealed="633a.9(a)(2)(i)",
    surrender_reader="633a.9(a)(2)(ii)",
    insurance_won="633a.8(c)",
    insurance_lost="633a.8(d)",
    double_back="633a.10(b)",
    split_back="633a.11(d)",
    doubled="633a.13(a)",
)

FROM_THE_HAND_SETTLING: Final = replace(
    BLACKJACK_SETTLING, outcomes=(outcomes.BUST.by("633a.12(b)(6)(ii)"), *BLACKJACK_OUTCOMES[1:])
)

SWITCH_OUTCOMES: Final = (
    BLACKJACK_OUTCOMES[0],
    outcomes.BLACKJACK_TIE.by("633a.12(a)(5)(ii)"),
    MainOutcome(
        "switched_dealer_blackjack",
        lambda show: show.dealer_blackjack and show.switched_21,
        "lose",
        "633a.12(a)(5)(iii)",
        "a Blackjack switched to, which counts as 21, against the dealer's Blackjack",
    ),
    replace(BLACKJACK_DEALER_21, clause="633a.12(a)(5)(i)", row="blackjack_dealer_21"),
    MainOutcome(
        "switched_dealer_21_or_22",
        lambda show: show.switched_21 and show.dealer_total in (21, 22) and not show.dealer_blackjack,
        "push",
        "633a.12(a)(5)(iv)",
        "a Blackjack switched to against the dealer's {dealer}",
    ),
    MainOutcome(
        "dealer_22", lambda show: show.dealer_total == 22, "push", "633a.12(a)(5)(v)", "{total} against the dealer's 22"
    ),
    *BLACKJACK_OUTCOMES[2:],
)

SWITCH_EXEMPT_OUTCOMES: Final = tuple(
    replace(outcome, predicate=lambda show: show.dealer_total == 22 and not show.natural)
    if outcome.key == "dealer_22"
    else outcome
    for outcome in SWITCH_OUTCOMES
)
"""Reading 58, the other way: a Blackjack is exempt from 633a.12(a)(5)(v), and from nothing else."""

SWITCH_SETTLING: Final = replace(BLACKJACK_SETTLING, outcomes=SWITCH_OUTCOMES, outcomes_exempt=SWITCH_EXEMPT_OUTCOMES)
