"""Money in whole cents, read and written exactly."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from shoetool.model.errors import BadInput
from shoetool.model.money import cents, dollars


@pytest.mark.parametrize(
    ("text", "amount"),
    [
        *(("25", 25_00), ("25.00", 25_00), ("12.5", 12_50), ("0", 0), ("0.01", 1), ("$1,234.50", 1_234_50)),
        *((" 7 ", 7_00), ("1000000", 1_000_000_00), ("1,000,000.99", 1_000_000_99), ("007", 7_00)),
    ],
)
def test_dollars_and_cents_are_read(text: str, amount: int) -> None:
    assert cents(text) == amount


@pytest.mark.parametrize(
    "text",
    ["", "-5", "+5", "5.", ".5", "5.001", "1,00", "1,0000", "1e3", "5 00", "five", "$", "5$", "٣", "inf", "5,", "1_0"],
)
def test_anything_else_is_refused(text: str) -> None:
    with pytest.raises(BadInput, match="is not an amount of money"):
        cents(text)


@pytest.mark.parametrize("text", ["10000000000000", "9" * 5000, "1" + ",000" * 5000])
def test_more_than_a_table_holds_is_refused(text: str) -> None:
    with pytest.raises(BadInput, match="more money than a table holds") as refusal:
        cents(text)
    assert len(str(refusal.value)) < 150


@pytest.mark.parametrize(
    ("amount", "text"),
    [
        (0, "0.00"),
        (5, "0.05"),
        (1_234_50, "1,234.50"),
        (-12_50, "-12.50"),
        (-5, "-0.05"),
        (1_000_000_00, "1,000,000.00"),
    ],
)
def test_cents_are_written_as_dollars(amount: int, text: str) -> None:
    assert dollars(amount) == text


@given(st.integers(min_value=0, max_value=10**14))
@hypothesis_settings(max_examples=50)
def test_what_is_written_is_read_again(amount: int) -> None:
    assert cents(dollars(amount)) == amount
