"""Free Bet Blackjack, ch. 590: free doubles on hard 9, 10 and 11, free splits, lammers."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from shoetool.rules.games.blackjack import BLACKJACK
from shoetool.rules.games.game import (
    OneSurrender,
    PlayClauses,
    TableClauses,
    deal_plan,
    deck_rule,
)
from shoetool.rules.games.game_table import FACTS
from shoetool.rules.games.settling_590 import FREE_BET_SETTLING

FREE_BET_CLAUSES: Final = PlayClauses(
    positions="590.2(a)",
    composition="590.3(a)",
    main_wager="590.6(d)",
    side_wagers="590.6(e)",
    adjacent="590.6(f)",
    from_shoe="590.7(a)",
    burn="590.7(c)",
    reader="590.7(g)",
    dealer_blackjack="590.7(g)",
    turn_order="590.7(h)(2)",
    choices="590.7(h)(2)",
    draw="590.7(j)",
    no_draw_21="590.7(j)(1)",
    one_card_double="590.7(j)(2)",
    double_card="590.10(c)",
    reveal="590.7(k)",
    dealer_draw="590.7(l)",
    no_dealer_draw="590.7(m)",
    insurance="590.8(a)",
    insurance_amount="590.8(b) amount",
    insurance_timing="590.8(b) timing",
    surrender="590.9(a)",
    surrender_early="590.9(a)(2)",
    double="590.10(a)",
    free_double="590.10(a)(1)",
    paid_double="590.10(a)(2)",
    split="590.11(a)",
    free_split="590.11(b)(2)",
    paid_split="590.11(b)(1)",
    split_order="590.11(c) order",
    split_limit="590.11(d) limit",
    face_up_card="590.13(a)",
    unexposed_error="590.13(b)",
    exposed_error="590.13(c)",
    refused="590.13(c)",
    discard="590.13(c)",
    dealer_17="590.13(d)",
    dealer_missed="590.13(e)",
    too_few="590.13(f)",
    too_few_burn="590.13(f)",
    no_cards="590.13(g)",
    one_card="590.13(g)",
    missed_card="590.13(h)",
    reader_misused="590.13(i)",
    reader_failed="590.13(j)",
)
FREE_BET_TABLE: Final = TableClauses(
    main_area="590.2(b)(2)",
    optional_areas="590.2(b)(4)",
    stated="590.2(b)(3)(i)-(iii)",
    payouts="590.2(b)(5)",
    reader="590.2(d) first sentence",
    rack="590.2(e)(1)-(2)",
    batches="590.3(b)(1)",
    backs="590.3(b)(2)",
    decks="590.3(a)",
    changed="590.3(c)",
    also=(("layout", "a dealer's 22 is a push for Blackjack Wagers, or the like", "590.2(b)(3)(iv)"),),
)
_DEAL: Final = "590.7(e)(1)-(4)"

FREE_BET: Final = replace(
    BLACKJACK,
    name="free_bet",
    title="Free Bet Blackjack",
    chapter="590",
    facts=FACTS["free_bet"],
    decks=deck_rule("590.3(a)", FACTS["free_bet"]),
    deal=deal_plan(FACTS["free_bet"], _DEAL),
    offers_even_money=False,
    free_double_totals=frozenset({9, 10, 11}),
    free_split=True,
    max_hands=4,
    leaking_reader_voids=False,
    clauses=FREE_BET_CLAUSES,
    settling=FREE_BET_SETTLING,
    table=FREE_BET_TABLE,
    settings=("tucked_wager",),
    defaults={"positions": 6, "adjacent_boxes": 6},
    one_surrender=OneSurrender("way_2", "590.9(a)(2)", "straight after the card reader device"),
)
