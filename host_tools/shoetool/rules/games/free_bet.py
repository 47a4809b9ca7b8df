"""Free Bet Blackjack, ch. 590: free doubles on hard 9, 10 and 11, free splits, lammers; push on 22, tucked wagers."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from shoetool.rules.games import outcomes
from shoetool.rules.games.blackjack import BLACKJACK
from shoetool.rules.games.chapters import PlayClauses, TableClauses, clauses_of, counterparts, deal_clauses
from shoetool.rules.games.game import OneSurrender, deal_plan, deck_rule
from shoetool.rules.games.game_table import FACTS
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


FREE_BET: Final = replace(
    BLACKJACK,
    name="free_bet",
    title="Free Bet Blackjack",
    chapter="590",
    facts=FACTS["free_bet"],
    decks=deck_rule("590.3(a)", FACTS["free_bet"]),
    deal=deal_plan(FACTS["free_bet"], *deal_clauses("590")),
    offers_even_money=False,
    free_double_totals=frozenset({9, 10, 11}),
    free_split=True,
    max_hands=4,
    leaking_reader_voids=False,
    clauses=clauses_of(PlayClauses, "590"),
    settling=FREE_BET_SETTLING,
    table=replace(
        clauses_of(TableClauses, "590"),
        also=(("layout", "a dealer's 22 is a push for Blackjack Wagers, or the like", "590.2(b)(3)(iv)"),),
    ),
    settings=("tucked_wager",),
    one_surrender=OneSurrender("way_2", "590.9(a)(2)", "straight after the card reader device"),
    counterparts=counterparts("590"),
)
