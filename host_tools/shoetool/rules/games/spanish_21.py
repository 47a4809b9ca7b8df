"""Spanish 21, ch. 635a: 48-card decks, double on any number of cards, rescue."""

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
from shoetool.rules.games.settling_635a import SPANISH_21_SETTLING
from shoetool.rules.hands import best_total

SPANISH_21_CLAUSES: Final = PlayClauses(
    positions="635a.2(a)",
    composition="635a.3(a) composition",
    main_wager="635a.6(d)",
    side_wagers="635a.6(e)",
    adjacent="635a.6(f)",
    from_shoe="635a.7(a)",
    burn="635a.7(c)",
    reader="635a.7(g)",
    dealer_blackjack="635a.7(g)",
    turn_order="635a.7(h)(2)",
    choices="635a.7(h)(2)",
    draw="635a.7(j)",
    no_draw_21="635a.7(j)(1)",
    one_card_double="635a.7(j)(2)",
    double_card="635a.10(a) one card",
    reveal="635a.7(k)",
    dealer_draw="635a.7(l)",
    no_dealer_draw="635a.7(m)",
    insurance="635a.8(a)",
    insurance_amount="635a.8(b) amount",
    insurance_timing="635a.8(b) timing",
    surrender="635a.9(a)",
    surrender_early="635a.9(a)(2)",
    double="635a.10(a) cards",
    paid_double="635a.10(a) amount",
    split="635a.11(a)",
    paid_split="635a.11(a)",
    split_order="635a.11(b)",
    split_limit="635a.11(c) resplits",
    rescue="635a.10(d)",
    face_up_card="635a.13(a) one",
    second_face_up_card="635a.13(a) more",
    ten_found="635a.13(b) one",
    second_ten="635a.13(b) more",
    unexposed_error="635a.13(c)",
    exposed_error="635a.13(d)",
    refused="635a.13(d)",
    discard="635a.13(d)",
    dealer_17="635a.13(e)",
    dealer_missed="635a.13(f)",
    too_few="635a.13(g)",
    too_few_burn="635a.13(g)",
    no_cards="635a.13(h)",
    one_card="635a.13(h)",
    missed_card="635a.13(i)",
    reader_misused="635a.13(j)(1)",
    reader_failed="635a.13(k)",
)
SPANISH_21_TABLE: Final = TableClauses(
    main_area="635a.2(b)(2)",
    optional_areas="635a.2(b)(5)",
    stated="635a.2(b)(3)(i)-(iii)",
    payouts="635a.2(b)(6)",
    reader="635a.2(d) first sentence",
    rack="635a.2(e)(1)-(2)",
    batches="635a.3(d)(1)",
    backs="635a.3(d)(2)",
    decks="635a.3(a) count",
    changed="635a.3(b)",
    also=(("sign", "doubled hands do not win the additional payouts", "635a.2(b)(4)"),),
)
_DEAL: Final = "635a.7(e)(1)-(4)"


def long_21_is_decided(cards: tuple[int, ...] | list[int], _from_split: bool) -> bool:
    """A player's 21 in three cards or more wins whatever the dealer draws, 635a.7(n)(2) and (4).

    `cards` are those of a standing hand, so the caller knows that they count at most 21. A split hand's 21 in two
    cards ties a dealer's 21 in more.
    """
    return len(cards) > 2 and best_total(cards) == 21


SPANISH_21: Final = replace(
    BLACKJACK,
    name="spanish_21",
    title="Spanish 21",
    chapter="635a",
    wager_name="Spanish 21 Wager",
    facts=FACTS["spanish_21"],
    decks=deck_rule("635a.3(a) count", FACTS["spanish_21"]),
    deal=deal_plan(FACTS["spanish_21"], _DEAL),
    offers_even_money=False,
    decided=long_21_is_decided,
    clauses=SPANISH_21_CLAUSES,
    settling=SPANISH_21_SETTLING,
    table=SPANISH_21_TABLE,
    settings=("fixed_sum_others",),
    defaults={"surrender": "way_1", "hold_blackjack": True},
    one_surrender=OneSurrender("way_1", "635a.9(a)(2)", "when the hole card is revealed"),
)
