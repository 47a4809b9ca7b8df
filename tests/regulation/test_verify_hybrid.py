"""A countdown without a choice at a hybrid table, and dealer hands that are short: 633c.5(z), (bb)."""

from __future__ import annotations

import pytest
from shoetool.judge import registry as reg
from shoetool.judge import registry_hybrid as own
from shoetool.model.protocol_table import HandEnd, Role
from shoetool.model.protocol_table import IrregularityCode as Irr
from shoetool.verify import BREACH
from verify_cases_hybrid import NoHole


@pytest.mark.parametrize(("draws_to", "breach"), [(0, False), (11, False), (15, False), (16, True), (17, True)])
def test_a_hand_that_the_house_draws_for_does_not_stand_when_the_time_is_up(draws_to: int, breach: bool) -> None:
    """633c.5(z): 16 stands without a choice, at a shoe that was set up to draw up to so much."""
    table = NoHole(draws_to=draws_to)
    table.stand(2)
    table.add("countdown", 1)
    table.stand(1)
    for card in ("2C", "6H"):
        table.shared(card, Role.DEALER_DRAW)
    found = [one for one in table.over().findings() if one.check == own.COUNTDOWN]
    assert [(one.clause, one.verdict) for one in found] == ([("633c.5(z)", BREACH)] if breach else [])


@pytest.mark.parametrize(("draws_to", "breach"), [(0, True), (15, True), (16, False), (20, False)])
def test_a_hand_draws_without_a_choice_only_as_far_as_the_house_said(draws_to: int, breach: bool) -> None:
    table = NoHole(draws_to=draws_to)
    table.stand(2)
    table.add("countdown", 1)
    table.add("hit", 1, 0)
    table.shared("5C")
    table.end_hand(1, HandEnd.TWENTY_ONE)
    for card in ("AS", "6H"):
        table.shared(card, Role.DEALER_DRAW)
    found = [one for one in table.over(18).findings() if one.check == own.COUNTDOWN]
    assert [(one.clause, one.verdict) for one in found] == ([("633c.5(z)", BREACH)] if breach else [])


def test_a_short_hand_of_the_dealers_is_told_with_what_the_table_told_of_it() -> None:
    """633c.5(bb)(2): the report of the same terminal stands among the proof, one of another does not."""
    table = NoHole()
    table.stand(1, 2)
    table.shared("3C", Role.DEALER_DRAW)
    table.irr(Irr.DEALER_SHORT, 1)
    told = len(table.s.records) - 1
    found = [one for one in table.over(14).findings() if one.check == reg.DEALER_SHORT]
    assert [told in one.records for one in found] == [True, False]
