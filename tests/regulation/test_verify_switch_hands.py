"""Histories of switch hands and Blackjack premium, 633c.4, in which everything is as it should be."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from shoetool.table.table import HANDS_LAST, PREMIUM
from short_shoe import Short
from verify_cases_switch_hands import Hands


def a_position_switches_and_the_other_keeps() -> Short:
    return Hands().asides().hands().switch(2).keep(1).over()


def the_switch_hands_cards_come_last_where_the_shoe_is_set_up_so() -> Short:
    return Hands(HANDS_LAST).hands().asides().keep(2).switch(1).over()


def with_premium_only_the_position_with_an_ante_has_a_choice() -> Short:
    return Hands(PREMIUM, antes=2).asides(2, 2).hands().switch(2).over()


@pytest.mark.clause("633c.4(d)(1)", "633c.4(d)(2)", "633c.4(e)", "633c.4(f)", "633c.4(j)", "633c.4(k)")
@pytest.mark.parametrize(
    "make",
    (
        a_position_switches_and_the_other_keeps,
        the_switch_hands_cards_come_last_where_the_shoe_is_set_up_so,
        with_premium_only_the_position_with_an_ante_has_a_choice,
    ),
)
def test_633c_4_a_round_as_it_should_be_has_no_finding(make: Callable[[], Short]) -> None:
    assert [finding.sentence for finding in make().findings()] == []
