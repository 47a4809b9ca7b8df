"""Blackjack, ch. 633a: single and double shoe."""

from __future__ import annotations

from typing import Final

from shoetool.rules.games.chapters import PlayClauses, TableClauses, clauses_of, deal_clauses
from shoetool.rules.games.game import ACE, Game, deal_plan, deck_rule
from shoetool.rules.games.game_table import FACTS
from shoetool.rules.games.settling_633a import BLACKJACK_SETTLING

BLACKJACK: Final = Game(
    name="blackjack",
    title="Blackjack",
    chapter="633a",
    wager_name="Blackjack Wager",
    facts=FACTS["blackjack"],
    decks=deck_rule("633a.3(a)", FACTS["blackjack"]),
    deal=deal_plan(FACTS["blackjack"], *deal_clauses("633a")),
    insurance_ranks=frozenset({ACE}),
    offers_even_money=True,
    free_double_totals=frozenset(),
    free_split=False,
    max_hands=None,
    leaking_reader_voids=True,
    clauses=clauses_of(PlayClauses, "633a"),
    settling=BLACKJACK_SETTLING,
    table=clauses_of(TableClauses, "633a"),
)
