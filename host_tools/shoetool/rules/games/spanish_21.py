"""Spanish 21, ch. 635a: 48-card decks, double on any number of cards, rescue.

Of the main wager: 21 beats 21, bonus payouts, suited 7-7-7 against a 7.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from shoetool.rules.games import outcomes
from shoetool.rules.games.blackjack import BLACKJACK
from shoetool.rules.games.chapters import PlayClauses, TableClauses, clauses_of, counterparts, deal_clauses
from shoetool.rules.games.game import OneSurrender, deal_plan, deck_rule
from shoetool.rules.games.game_table import FACTS
from shoetool.rules.games.settling import CardBonus, FixedBonus, MainOutcome, Settling
from shoetool.rules.round import Stage

_SEVEN: Final = 6
_SPADES: Final = 3

SPANISH_21_OUTCOMES: Final = (
    outcomes.BUST.by("635a.7(n)(2)"),
    # Reading 57: a Blackjack beats the dealer's Blackjack too.
    MainOutcome(
        "blackjack_dealer_21",
        lambda show: show.natural and show.dealer_total == 21,
        "win",
        "635a.7(n)(3)",
        "Blackjack against the dealer's 21",
        "blackjack",
    ),
    # Literal: only a 21 in more than two cards loses to a Blackjack; a split hand's two-card 21 ties it by count.
    outcomes.TWO_CARD_21_TIE.by("635a.7(o) tie"),
    outcomes.LONG_21_DEALER_BLACKJACK.by("635a.7(o) loss"),
    outcomes.DEALER_BLACKJACK.by("635a.7(g)"),
    outcomes.BLACKJACK_WINS.by("635a.7(n)(2)"),
    outcomes.DEALER_BUST.by("635a.7(n)(1)"),
    # Reading 56: a split hand's 21 in two cards only ties a dealer's 21 in more.
    MainOutcome(
        "long_21_dealer_21",
        lambda show: show.total == show.dealer_total == 21 and show.cards > 2 and show.dealer_cards > 2,
        "win",
        "635a.7(n)(4)",
        "21 against the dealer's 21, both in more than two cards",
        "win",
    ),
    outcomes.HIGHER.by("635a.7(n)(2)"),
    outcomes.TIE.by("635a.7(o) tie"),
    outcomes.LOWER.by("635a.7(n)(2)"),
)


def _ranks(cards: tuple[int, ...]) -> list[int]:
    return sorted(card % 13 for card in cards)


def _six_seven_eight(cards: tuple[int, ...]) -> bool:
    """635a.12(b)(1)-(2): three cards, in any order (reading 67)."""
    return _ranks(cards) == [_SEVEN - 1, _SEVEN, _SEVEN + 1]


def _three_sevens(cards: tuple[int, ...]) -> bool:
    """635a.12(b)(3)-(4): three cards."""
    return _ranks(cards) == [_SEVEN] * 3


def _suited(cards: tuple[int, ...]) -> bool:
    return len({card // 13 for card in cards}) == 1


def _spades(cards: tuple[int, ...]) -> bool:
    return all(card // 13 == _SPADES for card in cards)


def _count(number: int) -> Callable[[tuple[int, ...]], bool]:
    return lambda cards: len(cards) == number


SPANISH_21_BONUSES: Final = (
    CardBonus("six_seven_eight_spades", lambda cards: _six_seven_eight(cards) and _spades(cards)),
    CardBonus("six_seven_eight_suited", lambda cards: _six_seven_eight(cards) and _suited(cards)),
    CardBonus("six_seven_eight_mixed", _six_seven_eight),
    CardBonus("three_sevens_spades", lambda cards: _three_sevens(cards) and _spades(cards)),
    CardBonus("three_sevens_suited", lambda cards: _three_sevens(cards) and _suited(cards)),
    CardBonus("three_sevens_mixed", _three_sevens),
    CardBonus("five_card_21", _count(5)),
    CardBonus("six_card_21", _count(6)),
    CardBonus("seven_or_more_card_21", lambda cards: len(cards) >= 7),
)
"""Best first; all are asked of hands that count 21 only."""

SPANISH_21_SETTLING: Final = Settling(
    outcomes=SPANISH_21_OUTCOMES,
    stages=(Stage.AFTER_DEAL, Stage.AFTER_READER, Stage.IN_TURN, Stage.HOLE_CARD, Stage.AFTER_ALL, Stage.MAIN),
    blackjack_low="635a.7(h)(1)(i)",
    blackjack_held="635a.7(h)(1)(ii)",
    surrender_low="635a.9(a)(1)",
    surrender_revealed="635a.9(a)(2)",
    insurance_won="635a.8(c)",
    insurance_lost="635a.8(d)",
    double_back="635a.10(b)",
    split_back="635a.11(d)",
    doubled="635a.10(c)",
    rescued="635a.10(d)",
    bonuses=SPANISH_21_BONUSES,
    fixed_bonus=FixedBonus(
        of=frozenset({"three_sevens_suited", "three_sevens_spades"}),
        up_rank=_SEVEN,
        sums=((25_00, "from_25"), (5_00, "from_5_below_25")),
        others="other_players",
        clause="635a.12(c)",
    ),
)


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
