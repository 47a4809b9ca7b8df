"""Free Bet Blackjack, ch. 590: free doubles on hard 9, 10 and 11, free splits, lammers."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from shoetool.rules.games.blackjack import BLACKJACK
from shoetool.rules.games.chapters import PlayClauses, TableClauses, clauses_of, counterparts, deal_clauses
from shoetool.rules.games.game import OneSurrender, deal_plan, deck_rule
from shoetool.rules.games.game_table import FACTS
from shoetool.rules.games.settling_590 import FREE_BET_SETTLING

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
    defaults={"positions": 6, "adjacent_boxes": 6},
    one_surrender=OneSurrender("way_2", "590.9(a)(2)", "straight after the card reader device"),
    counterparts=counterparts("590"),
)
