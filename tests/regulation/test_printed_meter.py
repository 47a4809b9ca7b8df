"""The figures of a meter as a paytable prints them, and what a paytable may not print."""

from __future__ import annotations

import tomllib
from fractions import Fraction
from typing import Any

import pytest
from shoetool.model.errors import BadInput
from shoetool.rules.odds import Odds
from shoetool.rules.paytable import Paytable, parse_paytables
from shoetool.rules.printed_meter import PrintedMeter, meter_key, wager_of_meter


@pytest.mark.parametrize(
    ("text", "share", "meter"),
    [
        ("100% of progressive", 1, ""),
        ("10% of progressive", Fraction(1, 10), ""),
        ("100% progressive", 1, ""),
        ("100% mega", 1, "mega"),
        ("10% of meter", Fraction(1, 10), ""),
        ("Star progressive", 1, "star"),
        ("100% mega and 3 to 1", 1, "mega"),
    ],
)
def test_odds_keep_the_name_of_the_meter_that_pays(text: str, share: Fraction, meter: str) -> None:
    """T56: a meter without a percentage is paid whole."""
    odds = Odds.parse(text)
    assert (odds.meter_share, odds.meter, odds.text) == (share, meter, text)


def test_a_row_that_is_a_loss_pays_nothing() -> None:
    odds = Odds.parse("Loss")
    assert odds.kind == "loss"
    assert not (odds.paid(500) or odds.returns_stake or odds.progressive)


def meter(**values: str) -> PrintedMeter:
    return PrintedMeter.parse(values)


def test_the_figures_of_a_meter_are_exact() -> None:
    """T8: the secondary rate is kept apart; T9: without a reseed the meter is set back to its seed."""
    one = meter(seed="$50,000", primary="16%", secondary="3.75%")
    assert (one.start(500), one.reset(500), one.shown, one.hidden) == (
        *(5_000_000, 5_000_000),
        *(Fraction(16, 100), Fraction(375, 10_000)),
    )
    both = meter(name="mini", seed="$300", reseed="$200", total="23.25%")
    assert (both.start(100), both.reset(100), both.shown, both.hidden) == (
        30_000,
        20_000,
        Fraction(93, 400),
        Fraction(0),
    )
    times = meter(seed="1,000×", primary="15%", secondary="6%")
    assert (times.start(100), times.start(500), times.reset(500)) == (100_000, 500_000, 500_000)


def test_the_key_of_a_meter_names_its_wager() -> None:
    assert (meter_key("one", ""), meter_key("one", "mega")) == ("one", "one.mega")
    assert wager_of_meter("one.mega") == wager_of_meter("one") == "one"


@pytest.mark.parametrize(
    "values",
    [
        {"seed": "50,000", "primary": "1%"},
        {"seed": "$50,000"},
        {"seed": "$50,000", "primary": "1%", "total": "2%"},
        {"seed": "$50,000", "primary": "0%"},
        {"seed": "$50,000", "primary": "1.125%"},
        {"seed": "$50,000", "primary": "1%", "rate": "1%"},
        {"seed": "$50,000", "reseed": "same", "primary": "1%"},
        {"seed": "$50,000", "primary": 1},
        {"name": "Mega", "seed": "$50,000", "primary": "1%"},
        {"primary": "1%"},
    ],
)
def test_figures_that_are_none_are_refused_in_one_line(values: dict[str, Any]) -> None:
    with pytest.raises(BadInput) as caught:
        PrintedMeter.parse(values)
    assert "\n" not in str(caught.value)


TABLE = """
title = "A"
wager = "a"
games = ["blackjack"]
[[paytable]]
clause = "1"
stake = "$5"
most_envy = true
rows = [
    { key = "best", outcome = "Best", odds = "100% mega", envy = "$3,000" },
    { key = "good", outcome = "Good", odds = "100% mini", envy = { "$1" = "$600", "$5" = "$2,000" } },
    { key = "plain", outcome = "Plain", odds = "3 to 1" },
]
meters = [
    { name = "mega", seed = "$50,000", reseed = "$50,000", primary = "6%" },
    { name = "mini", seed = "$300", reseed = "$300", primary = "3%" },
]
"""


def parsed(text: str) -> Paytable:
    (table,) = parse_paytables(tomllib.loads(text), "a.toml")
    return table


def test_a_paytable_has_its_meters_its_envy_bonus_and_the_wager_that_it_is_for() -> None:
    table = parsed(TABLE)
    assert [one.name for one in table.meters] == ["mega", "mini"]
    assert (table.stake, table.most_envy) == (500, True)
    assert [[row.envy_for(wager) for wager in (100, 500)] for row in table.rows] == [
        [300_000, 300_000],
        [60_000, 200_000],
        [0, 0],
    ]
    assert table.to_json()["meters"][1] == {
        "name": "mini",
        "seed": "$300",
        "reseed": "$300",
        "primary": "3%",
        "secondary": None,
        "total": None,
    }


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("100% mini", "100% minor"),
        ("100% mini", "5 to 1"),
        ("100% mini", "100% of meter"),
        ('"mini", seed', '"x", seed'),
    ],
)
def test_each_meter_pays_a_row_and_each_share_has_its_meter(old: str, new: str) -> None:
    with pytest.raises(BadInput, match="the table prints"):
        parsed(TABLE.replace(old, new, 1))


def test_several_paytables_may_share_their_rows_and_their_meters() -> None:
    shared = TABLE.replace("rows = [", "[rows]\nmost = [").replace("meters = [", "[meters]\nboth = [")
    head, rest = shared.split("[[paytable]]")
    top, rows = rest.split("[rows]")
    table = parsed(f'{head}[[paytable]]\n{top}rows = "most"\nmeters = "both"\n[rows]{rows}')
    assert table == parsed(TABLE)


def test_a_paytable_may_be_for_some_numbers_of_decks_only() -> None:
    table = parsed(TABLE.replace('stake = "$5"', 'stake = "$5"\ndecks = [1, 2, 4, 6, 8]'))
    assert [decks for decks in range(10) if table.covers(decks)] == [1, 2, 4, 6, 8]
    assert table.conditions() == "one, two, four, six or eight decks"
    assert table.to_json()["decks"] == {"min": 1, "max": 8, "only": [1, 2, 4, 6, 8]}
