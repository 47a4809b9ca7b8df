"""Blackjack on a hybrid gaming table, 633c.5: with a hole card, and without one (633c.5(w)).

Variations of ch. 633a: doubles, splits, insurance and surrender are by its sections, as 633c.5 says itself. Cards count
as there, 633c.5(h)(1), 633c.5(h)(2), 633c.5(h)(3). Without a hole card a wager wins and loses as with one, 633c.5(cc),
and the optional wagers are settled and paid by ch. 633a, 633c.5(dd), 633c.5(ee)(3), 633c.5(ee)(4), 633c.5(ee)(5).
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from shoetool.rules.games import outcomes
from shoetool.rules.games.blackjack import BLACKJACK
from shoetool.rules.games.game import deal_plan, deck_rule
from shoetool.rules.games.game_table import FACTS
from shoetool.rules.games.settling import MainOutcome
from shoetool.rules.games.settling_633a import BLACKJACK_DEALER_21, BLACKJACK_SETTLING
from shoetool.rules.round import Stage

_BOTH_OVER_21: Final = MainOutcome(
    "both_over_21",
    lambda show: show.total > 21 and show.total == show.dealer_total,
    "push",
    "633c.5(t)(2)",
    "{total} against the dealer's {dealer}, both over 21",
)
"""T36, the other way: only where the house reads (t)(2) so."""
_EQUAL_21: Final = MainOutcome(
    "equal_21",
    lambda show: (
        (show.dealer_blackjack and show.total == 21 and not show.natural)
        or (show.natural and show.high_up and show.dealer_total == 21 and show.dealer_cards > 2)
    ),
    "push",
    "633c.5(t)(2)",
    "21 against the dealer's 21, one of them Blackjack",
)
"""T37, the other way. A Blackjack that is paid at once by (p)(1) never meets the dealer's 21."""
_SHOWDOWN: Final = (
    BLACKJACK_DEALER_21.by("633c.5(t)(1)(iii)"),
    outcomes.BLACKJACK_WINS.by("633c.5(t)(1)(ii)"),
    outcomes.DEALER_BUST.by("633c.5(t)(1)(i)"),
    outcomes.HIGHER.by("633c.5(t)(1)(ii)"),
    outcomes.TIE.by("633c.5(t)(2)"),
    outcomes.LOWER.by("633c.5(t)(3)(ii)"),
)
_OUTCOMES: Final = (
    outcomes.BUST.by("633c.5(t)(3)(i)"),
    outcomes.BLACKJACK_TIE.by("633c.5(t)(2)"),
    outcomes.TWO_CARD_21_TIE.by("633c.5(t)(2)"),
    outcomes.LONG_21_DEALER_BLACKJACK.by("633c.5(t)(3)(iii)"),
    outcomes.DEALER_BLACKJACK.by("633c.5(t)(3)(ii)"),
    *_SHOWDOWN,
)
_NO_HOLE_OUTCOMES: Final = (
    replace(
        outcomes.BUST,
        key="bust_doubled",
        predicate=lambda show: show.total > 21 and show.doubled,
        clause="633c.5(aa)(3)(i)",
    ),
    outcomes.BUST.by("633c.5(aa)(3)(ii)"),
    outcomes.BLACKJACK_TIE.by("633c.5(aa)(1)(i)"),
    outcomes.LONG_21_DEALER_BLACKJACK.by("633c.5(t)(3)(iii)"),
    replace(
        outcomes.DEALER_BLACKJACK,
        key="dealer_blackjack_first",
        predicate=lambda show: show.dealer_blackjack and not show.drew,
        clause="633c.5(aa)(2)(i)",
    ),
    outcomes.DEALER_BLACKJACK.by("633c.5(bb)(1)"),
    *_SHOWDOWN,
)
_OTHERWISE: Final = (("hybrid_equal_21", "push", _EQUAL_21),)
_TABLE: Final = replace(
    BLACKJACK.table,
    stated="633c.5(c)(2)",
    payouts="633c.5(c)(2)",
    reader="633c.5(d)",
    rack="633c.5(e)",
    decks="633c.5(f)",
    changed="633c.5(g)",
)
_COUNTERPARTS: Final = {
    "633a.6(c) timing": "633c.5(k)",
    "633a.3(a)": "633c.5(f)",
    "633a.3(d) 24 h": "633c.5(g)",
    "633a.2(f) second sentence": "633c.5(d)",
    "633a.7(a)": "633c.5(j)",
    "633a.3(b)": "633c.5(f)",
    "633a.2(a)": "633c.5(l)",
    "633a.6(d)": "633c.5(l)",
    "633a.12(a)(4)": "633c.5(p)(2)",
    "633a.7(i)(1)(ii)(B)": "633c.5(t)(1)(ii)",
}

HYBRID: Final = replace(
    BLACKJACK,
    name="hybrid",
    title="Blackjack on a hybrid table",
    facts=FACTS["hybrid"],
    decks=deck_rule("633c.5(f)", FACTS["hybrid"]),
    deal=deal_plan(FACTS["hybrid"], "633c.5(n)(1)", "633c.5(n)(2)", "633c.5(n)(3)", "633c.5(n)(4)"),
    clauses=replace(
        BLACKJACK.clauses,
        positions="633c.5(l)",
        main_wager="633c.5(l)",
        side_wagers="633c.5(m)",
        from_shoe="633c.5(j)",
        reader="633c.5(o)",
        dealer_blackjack="633c.5(o)",
        turn_order="633c.5(p)(2)",
        choices="633c.5(p)(2)",
        surrender="633c.5(p)(2)",
        draw="633c.5(r)",
        no_draw_21="633c.5(r)(1)",
        one_card_double="633c.5(r)(2)",
        double_card="633c.5(q)",
        reveal="633c.5(s)",
        dealer_draw="633c.5(s)",
        no_dealer_draw="633c.5(s)",
    ),
    settling=replace(
        BLACKJACK_SETTLING,
        outcomes=_OUTCOMES,
        otherwise=(("hybrid_both_over_21", "push", _BOTH_OVER_21), *_OTHERWISE),
        blackjack_low="633c.5(p)(1)",
        blackjack_once="",
        blackjack_held="633c.5(t)(1)(ii)",
        doubled="633c.5(v)(1)",
    ),
    table=_TABLE,
    clause="633c.5(a)",
    settings=("hybrid_both_over_21", "hybrid_equal_21"),
    defaults={"hold_blackjack": True, "shuffler": "automatic"},
    counterparts={
        **_COUNTERPARTS,
        "633a.7(f)(1)": "633c.5(n)(1)",
        "633a.7(f)(2)": "633c.5(n)(2)",
        "633a.7(f)(3)": "633c.5(n)(3)",
        "633a.7(f)(4)": "633c.5(n)(4)",
        "633a.7(h) eligibility": "633c.5(o)",
        "633a.7(h) result": "633c.5(o)",
        "633a.7(i)": "633c.5(p)(2)",
        "633a.7(k)": "633c.5(r)",
        "633a.7(k)(1)": "633c.5(r)(1)",
        "633a.7(k)(2)": "633c.5(r)(2)",
        "633a.7(l)": "633c.5(s)",
        "633a.7(m)": "633c.5(s)",
    },
    electronic="633c.5(k)",
)

HYBRID_NO_HOLE: Final = replace(
    HYBRID,
    name="hybrid_no_hole",
    title="Blackjack on a hybrid table without a hole card",
    facts=FACTS["hybrid_no_hole"],
    deal=deal_plan(FACTS["hybrid_no_hole"], "633c.5(y)(1)", "633c.5(y)(2)", "633c.5(y)(3)"),
    offers_even_money=False,
    max_hands=2,
    clauses=replace(
        HYBRID.clauses,
        positions="633c.5(x)",
        main_wager="633c.5(x)",
        side_wagers="633c.5(x)",
        turn_order="633c.5(z)",
        choices="633c.5(z)",
        surrender="633c.5(z)",
        split_limit="633c.5(z)",
        draw="633c.5(z)",
        no_draw_21="633c.5(z)",
        one_card_double="633c.5(aa)(3)(i)",
        double_card="633c.5(y)(4)",
        even_money="",
        dealer_blackjack="633c.5(bb)(1)",
        insurance="633c.5(z)",
        insurance_timing="633c.5(z)",
        reveal="633c.5(bb)",
        dealer_draw="633c.5(bb)(2)",
        no_dealer_draw="633c.5(bb)(2)",
    ),
    settling=replace(
        HYBRID.settling,
        outcomes=_NO_HOLE_OUTCOMES,
        otherwise=_OTHERWISE,
        stages=(*BLACKJACK_SETTLING.stages, Stage.ANY_TIME),
        blackjack_low="633c.5(aa)(1)(ii)",
        blackjack_once="633c.5(aa)(1)(ii)",
        blackjack_held="",
        surrender_reader="",
        insurance_won="633c.5(bb)(1)",
        insurance_lost="633c.5(bb)(2)",
        split_back="633c.5(bb)(1)",
        doubled="633c.5(ee)(2)",
    ),
    clause="633c.5(w)",
    settings=(
        *("hybrid_equal_21", "hybrid_bust_insurance", "hybrid_double_back", "hybrid_split_over_21"),
        *("hybrid_surrender", "hybrid_second_card", "countdown_draws_to"),
    ),
    defaults={"resplits": 0, "shuffler": "automatic"},
    counterparts={
        **_COUNTERPARTS,
        "633a.2(a)": "633c.5(x)",
        "633a.6(d)": "633c.5(x)",
        "633a.11(c) resplits": "633c.5(z)",
        "633a.7(f)(1)": "633c.5(y)(1)",
        "633a.7(f)(2)": "633c.5(y)(2)",
        "633a.7(f)(3)": "633c.5(y)(3)",
        "633a.7(i)": "633c.5(z)",
        "633a.7(k)": "633c.5(z)",
        "633a.7(k)(1)": "633c.5(z)",
        "633a.7(k)(2)": "633c.5(aa)(3)(i)",
        "633a.7(m)": "633c.5(bb)(2)",
        "590.11(d) limit": "633c.5(z)",
    },
)
