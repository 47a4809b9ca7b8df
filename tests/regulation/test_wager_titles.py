"""A wager has one name for people, its paytable's title, in refusals, settlements and payments alike."""

from __future__ import annotations

import pytest
from settle_cases import box, hand, settled, table_round
from settle_cases import rules as rules_for
from shoetool.deal.inputs import Stake
from shoetool.deal.stakes import verify_stakes
from shoetool.report.settlement import settlement_lines
from shoetool.round_file.file import paid_keys
from shoetool.round_file.paid import Difference
from shoetool.rules.paytable import paytables
from shoetool.rules.rule_error import RuleError
from shoetool.rules.submission.rules import RulesSubmission, WagerOffer
from shoetool.rules.wagers.catalogue import WAGERS, title_of, titles_of
from shoetool.settle.meters import meter_amount

LADIES = "Lucky Ladies Twenty Point Bonus"


def test_the_title_is_that_of_the_paytables() -> None:
    for key in WAGERS:
        assert title_of(key) in paytables(key)[0].title.replace(" Wager (", " (")
    assert titles_of(["lucky_ladies", "push_22"]) == f"{LADIES}, Push 22" and titles_of([]) == "none"
    assert (title_of("double"), title_of("no such")) == ("double", "'no such'")
    assert title_of("x" * 99) == repr("x" * 60)


@pytest.mark.parametrize("key", paid_keys())
def test_no_title_is_a_key(key: str) -> None:
    assert "_" not in title_of(key) and "'" not in title_of(key).removeprefix("King's").removeprefix("Blazing 7's")


def test_refusal_settlement_and_payment_say_the_same() -> None:
    table = RulesSubmission.default("blackjack", 6, wagers={"lucky_ladies": WagerOffer()})
    with pytest.raises(RuleError, match=f"position 1: {LADIES} of"):
        verify_stakes(table, [Stake(1, 10_00, {"lucky_ladies": 1})])
    with pytest.raises(RuleError, match=f"'x_y' is not offered at this table .offered: {LADIES}."):
        verify_stakes(table, [Stake(1, 10_00, {"x_y": 1})])
    bet = box(hand("9H 8C"), side={"lucky_ladies": 5_00})
    settlement = settled("blackjack", "9D 8S", bet, wagers={"lucky_ladies": WagerOffer()})
    other = Difference(1, "lucky_ladies", None, 0, -5_00, settlement.lines[:1])
    made = table_round("blackjack", "9D 8S", bet)
    text = "\n".join(line.plain for line in settlement_lines("t", made, settlement, [other], 100))
    assert text.count(LADIES) == 3 and "lucky_ladies" not in text
    assert other.what() == f"position 1, {LADIES}"
    assert rules_for("blackjack").game == made.game


def test_an_unknown_meter_is_named_by_the_wagers_title() -> None:
    with pytest.raises(RuleError, match="the meter of Bad Beat Progressive is not known"):
        meter_amount("bad_beat", table_round("blackjack", "9D 8S", box(hand("9H 8C"))), rules_for("blackjack"))
