"""Mystery bonuses: the printed configurations, who wins, and a hidden value that was committed and is opened."""

from __future__ import annotations

import hashlib
import json
import random
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from shoetool.model.errors import BadInput
from shoetool.rules.submission.rules import RulesSubmission
from shoetool.rules.wagers import WAGERS
from shoetool.rules.wagers.mystery import CHOICES, MUST_HIT_BY, MYSTERIES, configuration, configurations
from shoetool.settle.mystery import BY_METER, BY_ORDER, BY_PART, Contribution, Hit, MysteryLedger, in_order
from shoetool.trust.hidden_value import Opening

VECTORS = Path(__file__).resolve().parents[1] / "vectors" / "paytables_633c" / "mystery.json"
PRINTED = json.loads(VECTORS.read_text())
NONCE = bytes(range(32))
RULES = RulesSubmission.default("blackjack", 6)


def reading(**choices: str) -> Any:
    rules = RulesSubmission.default("blackjack", 6)
    object.__setattr__(rules, "choices", choices)
    return rules


def opening(dollars: str, nonce: bytes = NONCE) -> Opening:
    return Opening(int(Fraction(dollars) * 100), nonce)


def ledger(stands: str, *values: str, name: str = "A5", rules: Any = RULES) -> MysteryLedger:
    """The meter of a table, with the commitments to these hidden values in dollars."""
    found = MysteryLedger(configuration("must_hit_by", name), rules, Fraction(stands) * 100)
    for value in values:
        found.commit(opening(value).commitment())
    return found


def by(position: int, cents: str) -> Contribution:
    return Contribution(position, Fraction(cents))


def cents_of(text: str) -> int:
    return int(text.replace("$", "").replace(",", "")) * 100


# ------------------------------------------------------------------------------------------------ the configurations
@pytest.mark.clause("633c.14(c)(4)", "633c.14(c)(2)")
def test_the_twelve_configurations_are_those_of_the_text() -> None:
    rows = PRINTED["must_hit_by"]
    assert len(rows) == 12
    for row in rows:
        one = configuration("must_hit_by", row["letter"] + row["for_wager"][1:])
        assert (one.wager, one.minimum) == (cents_of(row["minimum_wager"]), cents_of(row["minimum"]))
        assert (one.maximum, f"{float(one.rate * 100):g}%") == (cents_of(row["maximum"]), row["rate"])
    assert len(configurations("must_hit_by")) == 12


@pytest.mark.clause("633c.6(j)")
def test_the_three_configurations_of_super_4_are_those_of_the_text() -> None:
    for row in PRINTED["super_4_mystery"]:
        one = configuration("super_4_mystery", row["configuration"])
        assert (one.minimum, one.maximum) == (cents_of(row["reseed"]), cents_of(row["must_hit_by"]))
        assert f"{float(one.rate * 100):g}%" == row["rate"]
    assert len(PRINTED["super_4_mystery"]) == len(configurations("super_4_mystery")) == 3


def test_a_configuration_that_the_text_does_not_print_is_refused() -> None:
    with pytest.raises(BadInput, match=r"633c\.14\(c\)\(4\): .* has no configuration 'E1'"):
        configuration("must_hit_by", "E1")
    with pytest.raises(BadInput, match=f"no configuration '{'E' * 20}'"):
        configuration("must_hit_by", "E" * 30)
    with pytest.raises(BadInput, match="there is no mystery bonus 'jackpot'"):
        configurations("jackpot")
    with pytest.raises(BadInput, match=f"there is no mystery bonus '{'x' * 60}';"):
        configurations("x" * 70)


@pytest.mark.clause("633c.14(a)", "633c.14(c)(1)")
def test_the_wagers_that_qualify_are_progressive() -> None:
    assert set(MUST_HIT_BY.wagers) == {"jackpot_party", "blazing_7s", "hit_and_run", "straight_jack"}
    for mystery in MYSTERIES.values():
        assert all(WAGERS[key].meter is not None for key in mystery.wagers if key in WAGERS)


@pytest.mark.clause("633c.14(c)(2)")
def test_a_wager_adds_its_exact_share_and_one_below_the_least_wager_adds_nothing() -> None:
    assert configuration("must_hit_by", "C5").contribution(5_00) == Fraction(5, 2)
    assert configuration("must_hit_by", "C5").contribution(4_50) == 0
    assert configuration("must_hit_by", "D1").contribution(25_00) == 125


# ------------------------------------------------------------------------------------------------ who wins, and what
@pytest.mark.clause("633c.14(c)(3)#2", "633c.14(c)(5)(iv)", "633c.14(c)(7)")
def test_the_contribution_that_takes_the_meter_above_the_hidden_value_wins_all_of_it() -> None:
    """Hidden $150.00: from $149.98 to $150.00 is no hit (T93). The next one is, and the meter is set to $100."""
    one = ledger("149.98", "150", "180")
    assert one.play("round 1", [by(4, "2")]) == ([], [])
    assert one.play("round 2", [by(2, "2"), by(5, "3")], [opening("150")]) == ([Hit((2,), 150_02)], [])
    assert one.meter.exact == 100_03
    assert one.unchecked == 1  # the second value governs position 5's contribution


@pytest.mark.clause("633c.14(c)(3)#2")
def test_a_house_may_read_that_reaching_the_hidden_value_is_enough() -> None:
    one = ledger("149.98", "150", rules=reading(mystery_passed="at_or_above"))
    assert one.play("round 1", [by(4, "2")], [opening("150")]) == ([Hit((4,), 150_00)], [])


@pytest.mark.clause("633c.14(c)(2)", "633c.14(c)(3)#2")
def test_contributions_count_as_accepted_or_by_position_or_all_of_the_round_share() -> None:
    """T94: position 6 was accepted first, and 150.01 is passed by the second contribution."""
    both = [by(6, "5"), by(1, "5")]
    won = {}
    for word in ("accepted", "position", "shared"):
        one = ledger("149.93", "150.01", rules=reading(mystery_order=word))
        (won[word],), wrong = one.play("round 1", both, [opening("150.01")])
        assert wrong == []
    assert won == {"accepted": Hit((1,), 150_03), "position": Hit((6,), 150_03), "shared": Hit((1, 6), 75_01)}
    assert in_order([by(3, "1"), by(2, "0")], RULES) == (by(3, "1"),)


@pytest.mark.clause("633c.14(c)(7)", "633c.14(c)(3)#2")
def test_the_part_past_the_maximum_is_paid_or_stays_in_the_meter() -> None:
    """T95: hidden $250, the maximum of A for $5."""
    for word, paid, left in (("paid", 250_04, 100_00), ("capped", 250_00, 100_04)):
        one = ledger("249.99", "250", rules=reading(mystery_maximum=word))
        assert one.play("round 1", [by(1, "5")], [opening("250")]) == ([Hit((1,), paid)], [])
        assert one.meter.exact == left


@pytest.mark.clause("633c.14(c)(7)")
def test_a_part_of_a_cent_is_not_paid_and_stays_in_the_meter() -> None:
    one = ledger("149.99", "150", name="C5")
    assert one.play("round 1", [by(1, "2.5")], [opening("150")])[0] == [Hit((1,), 150_01)]
    assert one.meter.exact == 250_00 + Fraction(1, 2)


@pytest.mark.clause("633c.14(c)(7)")
def test_what_is_won_is_not_guessed_where_the_fraction_of_a_cent_is_not_known() -> None:
    one = MysteryLedger(configuration("must_hit_by", "C5"), RULES)
    assert one.show(299_99) is None
    hits, _ = one.play("round 1", [by(1, "2.5")], [opening("300")])
    assert hits == [Hit((1,), None, BY_PART)]


@pytest.mark.clause("633c.14(c)(2)", "633c.14(c)(5)(iv)")
def test_where_the_order_decides_the_amount_alone_the_next_display_is_not_judged() -> None:
    """Ten cents of position 1 pass $150, before or after the two of position 2: those may be left over."""
    for shown in (100_00, 100_02):
        one = ledger("149.95", "150", "120")
        hits, wrong = one.play("round 1", [by(1, "10"), by(2, "2")], [opening("150")], ordered=False)
        assert (hits, wrong) == ([Hit((1,), None, BY_ORDER)], [])
        assert one.show(shown) is None


@pytest.mark.clause("633c.14(c)(2)", "633c.14(c)(5)(iv)")
def test_where_the_order_decides_who_won_alone_the_meter_is_followed_on() -> None:
    one = ledger("149.95", "150", "120")
    hits, _ = one.play("round 1", [by(4, "4"), by(1, "4"), by(2, "4")], [opening("150")], ordered=False)
    assert hits == [Hit((), 150_03, BY_ORDER)]
    assert one.show(100_05) is not None
    one = ledger("149.95", "150", "120")
    one.play("round 1", [by(4, "4"), by(1, "4"), by(2, "4")], [opening("150")], ordered=False)
    assert one.show(100_04) is None
    (late,) = one.play("round 2", [by(1, "5")], [opening("100.03")])[1][:1]
    assert late.wrong == "ran_on" and "positions 1, 2 and 4 passed it in round 1" in late.sentence


@pytest.mark.clause("633c.14(c)(7)")
def test_after_an_amount_that_is_not_known_the_meter_begins_at_the_minimum_and_less_than_a_cent() -> None:
    one = MysteryLedger(configuration("must_hit_by", "C5"), RULES)
    one.show(299_99)
    one.play("round 1", [by(1, "2.5")], [opening("300")])
    wrong = one.show(250_01)
    assert wrong is not None and (wrong.least, wrong.most) == (250_00, 250_00)


# ------------------------------------------------------------------------------------------------ the hidden value
@pytest.mark.clause("633c.14(c)(3)#1")
def test_an_opening_that_does_not_fit_its_commitment_is_named() -> None:
    for shown in (opening("150.01"), opening("150", bytes(32))):
        one = ledger("149.98", "150")
        (hit,), (wrong,) = one.play("round 1", [by(2, "5")], [shown])
        assert (wrong.wrong, wrong.clause, hit.winners) == ("opening", "633c.14(c)(3)", (2,))
        assert "does not open the commitment" in wrong.sentence


@pytest.mark.clause("633c.14(c)(3)#1")
@pytest.mark.parametrize(("value", "inside"), [("99.99", False), ("100", True), ("250", True), ("250.01", False)])
def test_a_value_outside_the_printed_range_is_named(value: str, inside: bool) -> None:
    stands = str(Fraction(value) - Fraction(1, 100)).strip()
    one = ledger(stands, value)
    _, wrong = one.play("round 1", [by(2, "5")], [opening(value)])
    assert [objection.wrong for objection in wrong] == ([] if inside else ["range"])


@pytest.mark.clause("633c.14(c)(3)#2")
def test_a_value_that_no_contribution_of_the_round_passed_pays_nothing() -> None:
    one = ledger("149.90", "150")
    hits, (wrong,) = one.play("round 1", [by(2, "5")], [opening("150")])
    assert (hits, wrong.wrong) == ([], "not_passed")
    assert "no contribution of this round passed $150.00; the meter stands at $149.95" in wrong.sentence


@pytest.mark.clause("633c.14(c)(3)#2")
def test_contributions_that_ran_on_after_the_hit_are_named_with_who_passed_it() -> None:
    one = ledger("149.98", "150", "160")
    assert one.play("round 7 of shoe 3", [by(1, "1"), by(4, "5")]) == ([], [])
    hits, (wrong,) = one.play("round 8 of shoe 3", [by(2, "5")], [opening("150")])
    assert (hits, wrong.wrong) == ([], "ran_on")
    assert "position 4 passed it in round 7 of shoe 3, and contributions ran on" in wrong.sentence


@pytest.mark.clause("633c.14(c)(3)#1")
def test_a_contribution_without_a_commitment_before_it_is_named_once() -> None:
    one = ledger("149.98")
    first = one.play("round 1", [by(2, "1")])[1]
    assert [objection.wrong for objection in first] == ["uncommitted"]
    assert one.play("round 2", [by(2, "1")])[1] == []


@pytest.mark.clause("633c.14(c)(3)#1")
def test_a_meter_past_the_maximum_without_an_opening_is_named_once() -> None:
    one = ledger("249.98", "150")
    assert [objection.wrong for objection in one.play("round 1", [by(2, "5")])[1]] == ["unopened"]
    assert one.play("round 2", [by(2, "5")])[1] == []
    (late,) = one.play("round 3", [by(2, "5")], [opening("150")])[1]
    assert late.wrong == "ran_on" and "position 2 passed it in round 1" in late.sentence


@pytest.mark.clause("633c.14(c)(3)#1")
def test_a_commitment_that_is_not_opened_cannot_be_checked_yet() -> None:
    one = ledger("120", "150", "160")
    assert one.unchecked == 2
    assert one.play("round 1", [by(2, "5")]) == ([], [])
    assert one.unchecked == 2


# ------------------------------------------------------------------------------------------------ a second opinion
@pytest.mark.clause("633c.14(c)(2)", "633c.14(c)(3)#2", "633c.14(c)(5)(iv)")
@pytest.mark.parametrize("name", ["A1", "B2", "C5", "D5"])
def test_a_naive_play_of_many_rounds_finds_the_same_winners_and_amounts(name: str) -> None:
    """Money in thousandths of a cent, one contribution after the other; nothing is wrong in an honest record."""
    row = next(one for one in PRINTED["must_hit_by"] if one["letter"] + one["for_wager"][1:] == name)
    rng = random.Random(f"mystery {name}")
    low, high = cents_of(row["minimum"]), cents_of(row["maximum"])
    rate = round(float(row["rate"][:-1]) * 10)  # tenths of a percent
    least = int(row["minimum_wager"][1:])
    one = MysteryLedger(configuration("must_hit_by", name), RULES, Fraction(low))
    nonces = [hashlib.sha256(bytes([at])).digest() for at in range(256)]
    values = [Opening(rng.randint(low, min(low + 3000, high)), nonces[at % 256]) for at in range(1500)]
    for value in values:
        one.commit(value.commitment())
    meter, at, wins = low * 1000, 0, 0
    for number in range(250):
        bets = [(seat, rng.randint(least, 40)) for seat in rng.sample(range(1, 8), rng.randint(1, 7))]
        expected = []
        opened = []
        for seat, dollars in bets:
            meter += dollars * 100 * rate
            if meter > values[at].value * 1000:
                expected.append(Hit((seat,), meter // 1000))
                opened.append(values[at])
                meter, at = low * 1000 + meter % 1000, at + 1
        given = [Contribution(seat, one.configuration.contribution(dollars * 100)) for seat, dollars in bets]
        assert one.play(f"round {number}", given, opened) == (expected, [])
        assert one.show(meter // 1000) is None
        wins += len(expected)
    assert wins > 5 and one.meter.exact == Fraction(meter, 1000)


def test_the_default_of_each_reading_is_the_first_of_its_words() -> None:
    assert {choice.words[0] for choice in CHOICES} == {"above", "accepted", "paid"}


@pytest.mark.clause("633c.14(c)(3)#1")
def test_with_too_many_commitments_no_opening_is_held_against_the_wrong_one() -> None:
    one = ledger("149.98")
    for number in range(1200):
        one.commit(Opening(number, NONCE).commitment(), number)
    assert one.unopened == list(range(1000))
    (hit,), (wrong,) = one.play("round 1", [by(2, "5")], [opening("150")])
    assert (hit.paid, wrong.wrong, wrong.sure) == (150_03, "opening", False)
    one.play("round 2", [by(2, "5")], [Opening(999, NONCE)])
    assert one.unopened == list(range(999))


@pytest.mark.clause("633c.14(c)(3)#1")
def test_an_opening_in_a_round_without_contributions_takes_its_commitment_and_pays_nothing() -> None:
    one = ledger("150", "150", "180")
    hits, (wrong,) = one.play("round 1", [], [opening("150")])
    assert (hits, wrong.wrong, one.unchecked, one.checked) == ([], "not_passed", 1, 1)


@pytest.mark.clause("633c.14(c)(3)#1")
def test_a_commitment_that_was_opened_after_missing_rounds_is_not_used_again_either() -> None:
    one = ledger("149.98", "150")
    one.forget()
    one.show(149_98)
    assert one.play("round 9", [by(2, "5")], [opening("150")])[1] == []
    (wrong,) = one.commit(opening("150").commitment())
    assert (wrong.wrong, wrong.sure) == ("reused", True)


# ------------------------------------------------------------------------------------------------ the cycles
@pytest.mark.clause("633c.14(c)(3)#2", "633c.14(c)(5)(iv)")
def test_the_first_contribution_of_a_cycle_wins_where_the_value_is_what_the_meter_was_set_back_to() -> None:
    one = MysteryLedger(configuration("must_hit_by", "A1"), reading(mystery_passed="at_or_above"))
    one.commit(opening("100").commitment())
    one.show(100_00)
    assert one.play("round 1", [by(3, "2")], [opening("100")]) == ([Hit((3,), 100_02)], [])
    half = ledger("299.99", "300", "250", name="C5")
    half.play("round 1", [by(1, "2.5")], [opening("300")])
    assert half.meter.exact == 250_00 + Fraction(1, 2)  # above the next value at once
    assert half.play("round 2", [by(2, "2.5")], [opening("250")]) == ([Hit((2,), 250_03)], [])


@pytest.mark.clause("633c.14(c)(3)#2")
def test_only_the_first_contribution_of_a_cycle_may_win_what_was_passed_before() -> None:
    """The part of a cent is at most a quarter, else the value was passed in round 1."""
    one = MysteryLedger(configuration("must_hit_by", "A1"), RULES)
    one.show(100_00)
    one.play("round 1", [by(3, "2.75")])
    assert one.play("round 2", [by(4, "2.75")], [opening("100.03")])[0] == [Hit((4,), 100_05)]
    after = ledger("149.98", "150")
    after.play("round 1", [by(2, "5")], [opening("150")])
    after.forget()
    after.show(120_00)
    assert after.play("round 9", [by(2, "5")], [opening("110")])[1][0].wrong == "not_passed"


@pytest.mark.clause("633c.14(c)(3)#1")
def test_what_comes_after_a_win_in_the_same_round_needs_a_commitment_too() -> None:
    one = ledger("149.98", "150")
    (wrong,) = one.play("round 1", [by(2, "5"), by(3, "5")], [opening("150")])[1]
    assert (wrong.wrong, wrong.sure) == ("uncommitted", False) and "position 3 contributed" in wrong.sentence
    assert one.play("round 2", [by(2, "5")])[1] == []


@pytest.mark.clause("633c.14(c)(3)#2")
def test_after_a_value_that_nobody_passed_the_next_display_is_not_judged() -> None:
    one = ledger("120", "150")
    assert one.play("round 1", [by(2, "5")], [opening("150")])[1][0].wrong == "not_passed"
    assert one.unchecked == 0
    assert one.show(177_77) is None


@pytest.mark.clause("633c.14(c)(2)")
@pytest.mark.parametrize(("word", "ordered"), [("accepted", False), ("shared", True)])
def test_all_who_may_have_passed_a_value_are_named(word: str, ordered: bool) -> None:
    one = ledger("149.98", "150", rules=reading(mystery_order=word))
    one.play("round 1", [by(5, "2"), by(3, "2")], ordered=ordered)
    (wrong,) = one.play("round 2", [by(1, "2")], [opening("150")])[1]
    assert "positions 3 and 5 passed it in round 1" in wrong.sentence


@pytest.mark.clause("633c.14(c)(3)#2")
def test_where_a_part_of_a_cent_decides_who_won_alone_the_meter_is_followed_and_both_are_named_later() -> None:
    one = MysteryLedger(configuration("must_hit_by", "A1"), RULES)
    one.show(149_99)
    hits, _ = one.play("round 1", [by(3, "1"), by(5, "0.5")], [opening("150")])
    assert hits == [Hit((), 150_00, BY_PART)]
    (wrong,) = one.play("round 2", [by(1, "2")], [opening("100")])[1]
    assert "positions 3 and 5 passed it in round 1" in wrong.sentence


@pytest.mark.clause("633c.14(c)(3)#2")
def test_several_values_of_a_round_whose_order_is_not_known_are_opened_and_nobody_is_accused() -> None:
    one = ledger("149.98", "150", "100.01", "160")
    hits, wrong = one.play("round 1", [by(2, "5"), by(3, "5")], [opening("150"), opening("100.01")], ordered=False)
    assert (hits, wrong) == ([Hit((), None, BY_ORDER)] * 2, [])
    assert (one.unchecked, one.checked) == (1, 2)
    assert one.show(133_33) is None


def test_without_a_display_the_only_contributor_won_and_the_amount_is_not_known() -> None:
    for made, winners in (([by(4, "2")], (4,)), ([by(4, "2"), by(5, "2")], ())):
        one = MysteryLedger(configuration("must_hit_by", "A1"), RULES)
        assert one.play("round 1", made, [opening("150")])[0] == [Hit(winners, None, BY_METER)]


def test_a_part_of_a_cent_is_what_is_missing_where_one_contributor_leaves_no_order_open() -> None:
    one = MysteryLedger(configuration("must_hit_by", "C5"), RULES)
    one.show(299_99)
    assert one.play("round 1", [by(1, "2.5")], [opening("300")], ordered=False)[0] == [Hit((1,), None, BY_PART)]


@pytest.mark.clause("633c.14(c)(7)")
def test_a_capped_amount_that_is_not_known_leaves_the_meter_open() -> None:
    """What stays in it past the maximum is not known either."""
    for name, rules, shown in (("capped", reading(mystery_maximum="capped"), None), ("paid", RULES, 250_00)):
        one = MysteryLedger(configuration("must_hit_by", "C5"), rules)
        one.show(299_99)
        one.play("round 1", [by(1, "2.5")], [opening("300")])
        wrong = one.show(250_07)
        assert (wrong is None) == (shown is None), name


@pytest.mark.clause("633c.14(c)(3)#1")
def test_a_meter_past_the_maximum_is_named_again_after_rounds_that_are_missing() -> None:
    one = ledger("249.98", "150")
    assert one.play("round 1", [by(2, "5")])[1][0].wrong == "unopened"
    one.forget()
    one.show(249_98)
    assert [wrong.wrong for wrong in one.play("round 5", [by(2, "5")])[1]] == ["unopened"]


@pytest.mark.clause("633c.14(c)(3)#1")
def test_once_an_opening_fits_again_the_next_one_is_held_against_its_commitment() -> None:
    one = ledger("149.98", "150", "170")
    one.forget()
    one.show(149_98)
    assert one.play("round 3", [by(2, "5")], [opening("150")])[1] == []
    (wrong,) = one.play("round 4", [by(2, "7200")], [opening("160")])[1]
    assert (wrong.wrong, wrong.sure) == ("opening", True)


def test_memory_does_not_grow_with_the_rounds() -> None:
    """Neither where the record leaves out what the meter shows, nor where nothing is ever opened."""
    for shown in (None, 100_00):
        one = MysteryLedger(configuration("must_hit_by", "A1"), RULES)
        if shown is not None:
            one.show(shown)
        for number in range(60):
            one.play(f"round {number}", [by(seat, "100") for seat in range(1, 8)])
        assert len(one._cycle) <= 105
