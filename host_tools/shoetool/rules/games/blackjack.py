"""Blackjack, ch. 633a: single and double shoe."""

from __future__ import annotations

from typing import Final

from shoetool.rules.games.game import (
    ACE,
    Game,
    PlayClauses,
    TableClauses,
    deal_plan,
    deck_rule,
)
from shoetool.rules.games.game_table import FACTS
from shoetool.rules.games.settling_633a import BLACKJACK_SETTLING

BLACKJACK_CLAUSES: Final = PlayClauses(
    positions="633a.2(a)",
    composition="633a.3(a)",
    main_wager="633a.6(d)",
    side_wagers="633a.6(e)",
    adjacent="633a.6(f)",
    from_shoe="633a.7(a)",
    burn="633a.7(c) batch",
    reader="633a.7(h) eligibility",
    dealer_blackjack="633a.7(h) result",
    turn_order="633a.7(i)",
    choices="633a.7(i)(2)",
    draw="633a.7(k)",
    no_draw_21="633a.7(k)(1)",
    one_card_double="633a.7(k)(2)",
    double_card="633a.10(c)",
    reveal="633a.7(l)",
    dealer_draw="633a.7(m)",
    no_dealer_draw="633a.7(n)",
    insurance="633a.8(a)",
    insurance_amount="633a.8(b) amount",
    insurance_timing="633a.8(b) timing",
    even_money="633a.8(e)",
    surrender="633a.9(a) option",
    surrender_early="633a.9(a)(2)(ii)",
    double="633a.10(a)",
    paid_double="633a.10(a)",
    split="633a.11(a)",
    paid_split="633a.11(a)",
    split_order="633a.11(b)",
    split_limit="633a.11(c) resplits",
    face_up_card="633a.14(a)",
    unexposed_error="633a.14(b)",
    exposed_error="633a.14(c) use",
    refused="633a.14(c) refusal",
    discard="633a.14(c) discard",
    dealer_17="633a.14(d)",
    dealer_missed="633a.14(e)",
    too_few="633a.14(f) reshuffle",
    too_few_burn="633a.14(f) burn",
    no_cards="633a.14(g) none",
    one_card="633a.14(g) one",
    wrong_side="633a.14(h)",
    missed_card="633a.14(i)",
    reader_misused="633a.14(j)(1)",
    reader_failed="633a.14(k)",
)


BLACKJACK_TABLE: Final = TableClauses(
    main_area="633a.2(b)(2)",
    optional_areas="633a.2(b)(4)-(9), (11)-(14)",
    stated="633a.2(b)(3)",
    payouts="633a.2(b)(15)",
    reader="633a.2(f) first sentence",
    rack="633a.2(g)(1)-(2)",
    batches="633a.3(b)(1)",
    backs="633a.3(b)(2)",
    decks="633a.3(a)",
    changed="633a.3(d) 24 h",
)


def never_decided(_cards: tuple[int, ...] | list[int], _from_split: bool) -> bool:
    """Every standing hand waits for the dealer's total, 633a.7(p)-(q)."""
    return False


DEAL_CLAUSES: Final = ("633a.7(f)(1)", "633a.7(f)(2)", "633a.7(f)(3)", "633a.7(f)(4)")

BLACKJACK: Final = Game(
    name="blackjack",
    title="Blackjack",
    chapter="633a",
    wager_name="Blackjack Wager",
    facts=FACTS["blackjack"],
    decks=deck_rule("633a.3(a)", FACTS["blackjack"]),
    deal=deal_plan(FACTS["blackjack"], *DEAL_CLAUSES),
    insurance_ranks=frozenset({ACE}),
    offers_even_money=True,
    free_double_totals=frozenset(),
    free_split=False,
    max_hands=None,
    leaking_reader_voids=True,
    decided=never_decided,
    clauses=BLACKJACK_CLAUSES,
    settling=BLACKJACK_SETTLING,
    table=BLACKJACK_TABLE,
)
