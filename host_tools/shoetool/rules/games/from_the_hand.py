"""Blackjack dealt from the hand, 633a.12(b): players' cards face down, one card to the rack before every round.

The two cards of a hand are turned up for a surrender, a double or a split, 633a.12(b)(6)(i); one that goes over 21 is
out at once, 633a.12(b)(6)(ii).
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from shoetool.rules.games.blackjack import BLACKJACK
from shoetool.rules.games.chapters import deal_clauses
from shoetool.rules.games.game import deal_plan, deck_rule
from shoetool.rules.games.game_table import FACTS
from shoetool.rules.games.settling_633a import FROM_THE_HAND_SETTLING

_DEAL: Final = "633a.12(b)(5)(i)-(iv)"

FROM_THE_HAND: Final = replace(
    BLACKJACK,
    name="from_the_hand",
    title="Blackjack dealt from the hand",
    facts=FACTS["from_the_hand"],
    decks=deck_rule("633a.12(b)(1)", FACTS["from_the_hand"]),
    deal=deal_plan(FACTS["from_the_hand"], _DEAL, burn_clause="633a.12(b)(5)"),
    clauses=replace(
        BLACKJACK.clauses,
        from_shoe="633a.12(b)(4)",
        burn="633a.12(b)(5)",
        turn_order="633a.12(b)(6)",
        choices="633a.12(b)(6)",
        double_card="633a.12(b)(7)",
        reveal="633a.12(b)(8)",
        dealer_draw="633a.12(b)(8)",
    ),
    settling=FROM_THE_HAND_SETTLING,
    table=replace(BLACKJACK.table, changed="633a.3(d) 4 h", deck_hours=4),
    clause="633a.12(b)",
    settings=("hand_decks",),
    defaults={"shoe": "hand", "shuffler": "automatic"},
    counterparts={
        **dict.fromkeys(deal_clauses("633a"), _DEAL),
        "633a.7(i)": "633a.12(b)(6)",
        "633a.7(l)": "633a.12(b)(8)",
        "633a.7(m)": "633a.12(b)(8)",
    },
)
