"""Odds as the regulation writes them: exact, and nothing else is read."""

from __future__ import annotations

from fractions import Fraction

import pytest
from shoetool.model.errors import BadInput
from shoetool.rules.odds import Odds
from shoetool.rules.paytable import paytables


@pytest.mark.parametrize(
    ("text", "kind", "ratio", "meter", "fixed"),
    [
        ("3 to 2", "to", Fraction(3, 2), 0, 0),
        ("2.5 to 1", "to", Fraction(5, 2), 0, 0),
        ("1,000 for 1", "for", 1000, 0, 0),
        ("100% of meter", "meter", 0, 1, 0),
        ("1% of meter", "meter", 0, Fraction(1, 100), 0),
        ("10% of meter and 200 to 1", "to", 200, Fraction(1, 10), 0),
        ("$5,000", "sum", 0, 0, 500_000),
    ],
)
def test_odds_are_read_exactly(text: str, kind: str, ratio: Fraction, meter: Fraction, fixed: int) -> None:
    odds = Odds.parse(text)
    assert (odds.kind, odds.ratio, odds.meter_share, odds.sum, str(odds)) == (kind, ratio, meter, fixed, text)


@pytest.mark.parametrize(
    "text",
    [
        *("", "25", "25 two 1", "25 to 0", "0 to 1", "-3 to 2", "1,00 to 1", "1 to 1 ", "1e3 to 1", "101% of meter"),
        *("0% of meter", "$0", "$1.50", "200 to 1 and 100% of meter", "3 to 2 and 3 to 2", "٣ to 1", "½ to 1"),
        *("100% of meter and 100% of meter", "100% of meter and $50", "25 to 1\n"),
    ],
)
def test_anything_else_is_refused_in_one_line(text: str) -> None:
    with pytest.raises(BadInput) as caught:
        Odds.parse(text)
    assert "\n" not in str(caught.value)


@pytest.mark.clause("633a.7(o)(1)(ii)(B)", "633a.7(o)(2)(ii)(B)", "633a.7(o)(3)(ii)(B)")
def test_for_one_counts_the_stake_that_odds_to_one_return() -> None:
    """Reading 24: 50 to 1 is 51 for 1, 200 to 1 is 201 for 1."""
    assert Odds.parse("50 to 1").for_one == 51
    assert Odds.parse("200 to 1").for_one == 201
    assert Odds.parse("100 for 1").for_one == 100


def test_to_returns_the_stake_and_for_keeps_it() -> None:
    for text, paid, returned in (
        ("10 to 1", 5000, True),
        ("10 for 1", 5000, False),
        ("100% of meter", 0, False),
        ("10% of meter and 200 to 1", 100_000, True),
        ("$50", 5000, False),
    ):
        odds = Odds.parse(text)
        assert (odds.paid(500), odds.returns_stake) == (paid, returned), text


def test_odds_so_many_times_over_count_the_stake_only_where_it_comes_back_and_is_to_be_counted() -> None:
    """633c T83."""
    for text, alone, with_stake, paid in (
        ("12 to 1", "60 to 1", "64 to 1", (6000, 6400)),
        ("12 for 1", "60 for 1", "60 for 1", (6000, 6000)),
        ("$50", "$50 times 5", "$50 times 5", (25_000, 25_000)),
        ("100% of meter", "100% of meter", "100% of meter", (0, 0)),
    ):
        found = [Odds.parse(text).times(5, with_stake=one) for one in (False, True)]
        assert [str(one) for one in found] == [alone, with_stake]
        assert tuple(one.paid(100) for one in found) == paid
        assert {(one.kind, one.meter_share) for one in found} == {(found[0].kind, Odds.parse(text).meter_share)}


def test_only_odds_to_one_return_the_stake() -> None:
    for odds in (row.odds for table in paytables() for row in table.rows):
        assert odds.returns_stake == (odds.kind == "to"), odds.text


def test_a_payout_is_cut_to_whole_cents_and_the_rest_is_exact() -> None:
    assert Odds.parse("3 to 2").whole_cents(5_01) == (7_51, Fraction(1, 2))
    assert Odds.parse("3 to 2").whole_cents(5_00) == (7_50, Fraction(0))
    assert Odds.parse("$50").whole_cents(5_01) == (50_00, Fraction(0))
    assert Odds.parse("100% of meter").whole_cents(5_01) == (0, Fraction(0))
