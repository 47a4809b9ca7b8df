"""Blackjack Switch, 633a.12(a): two hands a player, whose second cards may change places.

A game of its own, as only a designated table offers it, 633a.2(b)(10); Super Match is its optional wager,
633a.12(a)(2).
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from shoetool.rules.games.blackjack import BLACKJACK
from shoetool.rules.games.chapters import deal_clauses
from shoetool.rules.games.game import deal_plan
from shoetool.rules.games.game_table import FACTS
from shoetool.rules.games.settling_633a import SWITCH_SETTLING

SWITCH: Final = replace(
    BLACKJACK,
    name="switch",
    title="Blackjack Switch",
    facts=FACTS["switch"],
    deal=deal_plan(FACTS["switch"], *deal_clauses("633a")),
    clauses=replace(
        BLACKJACK.clauses,
        main_wager="633a.12(a)(1)",
        choices="633a.12(a)(4)",
        surrender="633a.12(a)(4)",
        switch="633a.12(a)(4)",
    ),
    settling=SWITCH_SETTLING,
    table=replace(BLACKJACK.table, main_area="633a.2(b)(10)", optional_areas="633a.2(b)(10)"),
    clause="633a.12(a)(1)",
    settings=("switch_hold_blackjack", "switch_side_wagers", "switch_insurance"),
    borrows="blackjack",
    counterparts={"633a.7(f)(1)": "633a.12(a)(3)", "633a.7(f)(3)": "633a.12(a)(3)"},
)
