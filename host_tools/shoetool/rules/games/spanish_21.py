"""Spanish 21, ch. 635a: 48-card decks, double on any number of cards, rescue."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from shoetool.rules.games.blackjack import BLACKJACK
from shoetool.rules.games.chapters import PlayClauses, TableClauses, clauses_of, counterparts, deal_clauses
from shoetool.rules.games.game import OneSurrender, deal_plan, deck_rule
from shoetool.rules.games.game_table import FACTS
from shoetool.rules.games.settling_635a import SPANISH_21_SETTLING
from shoetool.rules.hands import best_total


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
    deal=deal_plan(FACTS["spanish_21"], *deal_clauses("635a")),
    offers_even_money=False,
    decided=long_21_is_decided,
    clauses=clauses_of(PlayClauses, "635a"),
    settling=SPANISH_21_SETTLING,
    table=replace(
        clauses_of(TableClauses, "635a"),
        also=(("sign", "doubled hands do not win the additional payouts", "635a.2(b)(4)"),),
    ),
    settings=("fixed_sum_others",),
    defaults={"surrender": "way_1", "hold_blackjack": True},
    one_surrender=OneSurrender("way_1", "635a.9(a)(2)", "when the hole card is revealed"),
    counterparts=counterparts("635a"),
)
