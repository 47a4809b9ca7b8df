"""Reading rules submissions: what they become, where faults stand, and what no hostile file can do."""

from __future__ import annotations

import tomllib
from datetime import date
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from shoetool.model.errors import BadInput, ShoetoolError
from shoetool.rules.submission.checks import refusals
from shoetool.rules.submission.file import (
    SubmissionError,
    example,
    example_names,
    from_values,
    judge,
    load,
    parse,
    problems,
)
from shoetool.rules.submission.rules import Meter, RulesSubmission, WagerOffer
from shoetool.rules.submission.settings import METER_SETTINGS, SETTINGS, WAGER_SETTINGS, Unfit, shown, wager_options
from shoetool.rules.submission.toml_place import line_of, lines_of
from shoetool.rules.submission.wager_checks import offerable
from wagers_offered import offering


def test_a_submission_is_read_whole() -> None:
    table = parse(
        """
game = "blackjack"
decks = 8
shoe = "double"
red_side = "B"
min_wager = 25
max_wager = "2,500.00"
chip_unit = "2.50"
house_money_portion = "1/2"
aggregate_cap = "100000.00"
adjacent_boxes = 1
[wagers]
in_between = { min = 5, max = "50.00" }
[wagers.lucky_ladies]
[wagers.royal_match_21]
paytable = "D"
crown_treasure = true
[wagers.hit_and_run]
max = 5
meter = { start = 1000, reset = "1500.50", rate = "12.5%" }
"""
    )
    assert (table.red_side, table.minimum, table.maximum, table.chip_unit) == ("B", 25_00, 2_500_00, 2_50)
    assert (table.setting("house_money_portion"), table.aggregate_cap) == (Fraction(1, 2), 100_000_00)
    assert table.wagers == {
        "in_between": WagerOffer("", 5_00, 50_00),
        "lucky_ladies": WagerOffer("", 2_50, 100_00),
        "royal_match_21": WagerOffer("D", 2_50, 100_00, frozenset({"crown_treasure"})),
        "hit_and_run": WagerOffer("", 2_50, 5_00),
    }
    assert table.meters == {"hit_and_run": Meter(1_000_00, 1_500_50, Fraction(1, 8))}


def test_what_a_file_leaves_out_is_the_default_of_its_game() -> None:
    for game, decks in (("blackjack", 6), ("switch", 6), ("from_the_hand", 1), ("free_bet", 6), ("spanish_21", 8)):
        assert from_values({"game": game, "decks": decks}, "x") == RulesSubmission.default(game, decks)


def test_limits_that_are_left_out_can_be_bet_in_the_tables_chips() -> None:
    table = parse('game = "blackjack"\ndecks = 6\nchip_unit = 30\n[wagers.in_between]\n')
    assert (table.minimum, table.maximum) == (30_00, 1_020_00)
    assert table.wagers["in_between"] == WagerOffer("", 30_00, 120_00)


def test_default_offers_have_a_paytable_for_the_decks_and_the_least_meters() -> None:
    one, two, six = (
        offering(RulesSubmission.default("blackjack", decks), "royal_match_21", "bet_the_set_21", "bad_beat")
        for decks in (1, 2, 6)
    )
    assert [t.wagers["royal_match_21"].paytable for t in (one, two, six)] == ["A", "C", "C"]
    assert [t.wagers["bet_the_set_21"].paytable for t in (one, two, six)] == ["A", "B", "C"]
    assert refusals(one) == refusals(two) == refusals(six) == []
    assert six.meters == {"bad_beat": Meter(5_000_00, 5_000_00, Fraction(1, 10))}


def test_the_first_refusal_stands_in_the_error_and_all_of_them_beside_it(tmp_path: Path) -> None:
    path = tmp_path / "t.toml"
    path.write_text('game = "blackjack"\ndecks = 5\nshoe = "double"\nred_side = "A"\npositions = 9\n')
    with pytest.raises(SubmissionError) as caught:
        load(path)
    assert [one.where for one in caught.value.refusals] == ["decks", "positions"]
    assert "t.toml: line 2, decks: 5 decks cannot lie" in str(caught.value)
    assert "(and 1 more; see shoetool table)" in str(caught.value)
    path.write_text('game = "blackjack"\ndecks = 5\nshoe = "double"\nred_side = "A"\npositions = 9\nx = 1\n')
    with pytest.raises(SubmissionError, match=r"\(and 2 more; see shoetool table\)"):
        load(path)


def test_a_file_with_a_byte_order_mark_is_read(tmp_path: Path) -> None:
    path = tmp_path / "t.toml"
    path.write_bytes(b"\xef\xbb\xbf" + b'game = "blackjack"\ndecks = 6\n')
    assert load(path).decks == 6


def test_every_key_of_an_example_has_its_line() -> None:
    for name in example_names():
        text = example(name)
        lines = lines_of(text)

        def paths(values: dict[str, Any], above: str = "") -> list[str]:
            found = []
            for key, value in values.items():
                found.append(above + key)
                if isinstance(value, dict):
                    found += paths(value, f"{above}{key}.")
            return found

        for path in paths(tomllib.loads(text)):
            if path == "wagers":
                continue
            line = line_of(lines, path)
            assert line is not None and path.rsplit(".")[-1] in text.splitlines()[line - 1], (name, path)


def test_lines_of_keys_written_in_unusual_ways() -> None:
    lines = lines_of('a.b = 1\n[ "x" . y ] # note\n"c d" = 2\nz = { p = 1, q = 2 }\nnot a key\n')
    assert {key: lines[key] for key in ("a.b", "x.y", "x.y.c d", "x.y.z", "x.y.z.q")} == {
        "a.b": 1,
        "x.y": 2,
        "x.y.c d": 3,
        "x.y.z": 4,
        "x.y.z.q": 4,
    }
    assert line_of(lines, "x.y.z.q.deep") == 4 and line_of(lines, "nowhere") is None


def test_a_key_that_would_move_the_cursor_is_written_out() -> None:
    (found,) = problems({"game": "blackjack", "decks": 6, "\x1b[2J": 1})
    assert found.where == "'\\x1b[2J'"


LIMITS = {
    "decks": (1, 16),
    "positions": (1, 7),
    "adjacent_boxes": (1, 7),
    "resplits": (0, 20),
    "settlement_procedure": (1, 2),
}
AMOUNTS = ("chip_unit", "min_wager", "max_wager", "aggregate_cap", "min", "max", "start", "reset")
PARTS: dict[object, Fraction | None] = {
    "1/2": Fraction(1, 2),
    "1/1": Fraction(1),
    "999999/999999": Fraction(1),
    "50%": Fraction(1, 2),
    "2.5 %": Fraction(1, 40),
    "100%": Fraction(1),
    "0.000001%": Fraction(1, 10**8),
    **dict.fromkeys(("0%", "0/1", "1/0", "100.1%", "3/2", "1/1000000", "1000%", "5", "", 1, 0.5, None)),
}
READ = {setting.key: setting.read for setting in (*SETTINGS, *WAGER_SETTINGS, *METER_SETTINGS)}


@pytest.mark.parametrize("key", LIMITS)
def test_a_whole_number_is_read_to_its_bounds_and_no_further(key: str) -> None:
    low, high = LIMITS[key]
    assert [READ[key](value) for value in (low, high)] == [low, high]
    for value in (low - 1, high + 1):
        with pytest.raises(Unfit) as caught:
            READ[key](value)
        assert (caught.value.what, caught.value.do) == (
            f"{value} is out of range",
            f"write a whole number from {low} to {high}",
        )
    for other in (True, float(low), str(low)):
        with pytest.raises(Unfit, match="is not a whole number"):
            READ[key](other)


@pytest.mark.parametrize("key", AMOUNTS)
def test_an_amount_is_read_from_a_cent_to_a_billion_dollars(key: str) -> None:
    billion = 1_000_000_000
    given = ("0.01", 1, billion, f"{billion}.00")
    assert [READ[key](value) for value in given] == [1, 1_00, billion * 100, billion * 100]
    for value in (0, "0.00", f"{billion}.01"):
        with pytest.raises(Unfit, match="is not an amount to bet or pay"):
            READ[key](value)
    for value in (billion + 1, -1, True, None, "1.001"):
        with pytest.raises(Unfit, match=r"is not an amount (of money|to bet or pay)"):
            READ[key](value)
    for value, such in ((0.5, "0.50"), (999_999.0, "999999.00"), *((one, "12.50") for one in (1_000_000.0, 0.0, -1.0))):
        with pytest.raises(Unfit, match="is not exact money") as refused:
            READ[key](value)
        assert refused.value.do == f'write it in quotes, such as "{such}"'


@pytest.mark.parametrize("key", ["house_money_portion", "rate"])
@pytest.mark.parametrize("value", PARTS)
def test_a_part_is_read_above_nothing_and_up_to_all(key: str, value: object) -> None:
    if PARTS[value] is not None:
        assert READ[key](value) == PARTS[value]
        return
    with pytest.raises(Unfit):
        READ[key](value)


def test_all_is_the_whole_of_a_payout_and_no_rate() -> None:
    assert READ["house_money_portion"]("all") == 1
    with pytest.raises(Unfit, match="is not a rate"):
        READ["rate"]("all")


def test_a_number_of_dollars_that_is_too_large_is_not_said_to_be_too_small() -> None:
    for value in (10**9 + 1, 10**10):
        with pytest.raises(Unfit, match="is not an amount of money") as refused:
            READ["aggregate_cap"](value)
        assert "above 0" not in refused.value.do


def test_a_long_key_is_named_by_its_first_60_characters() -> None:
    values = {"game": "blackjack", "decks": 6}
    for key, shown_as in (("k" * 60, "k" * 60), ("k" * 60 + "x", "k" * 60 + "...")):
        assert [one.where for one in problems({**values, key: 1})] == [shown_as]


def test_a_long_value_is_shown_short() -> None:
    assert [shown(value) for value in ("x" * 38, 2**128 - 1, 2**128)] == [
        repr("x" * 38),
        f"{2**128 - 1}",
        "a number of 129 bits",
    ]
    assert shown("x" * 39) == f"'{'x' * 39}..."
    assert [shown(value) for value in (True, {}, [], float("nan"), date(2026, 1, 2))] == [
        *("true", "a table", "a list", '"nan"', "2026-01-02"),
    ]


@pytest.mark.parametrize(
    ("key", "value"),
    [(setting.key, value) for setting in SETTINGS for value in (None, [], {}, 1.5, "\x00", -1, 10**30, "x" * 500)],
)
def test_every_setting_refuses_what_it_does_not_take_with_its_own_name(key: str, value: object) -> None:
    values = {"game": "blackjack", "decks": 6, key: value}
    found = [one for one in problems(values) if one.where == key]
    assert len(found) == 1
    assert len(found[0].text()) < 400 and found[0].do


KEYS = st.sampled_from(
    [one.key for one in (*SETTINGS, *WAGER_SETTINGS, *wager_options(), *METER_SETTINGS)]
    + ["wagers", "meter", *offerable(), "nonsense"]
)
WORDS = st.sampled_from(["A", "B", "C", "none", "way_1", "double", "hand", "switch", "free_bet", "5000", "10%", "1/2"])
LEAVES = st.booleans() | st.integers(-3, 9000) | st.floats() | WORDS | st.text(max_size=5)
VALUES = st.recursive(LEAVES, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=5))
WHOLE = st.fixed_dictionaries(
    {
        "game": st.sampled_from(["blackjack", "switch", "from_the_hand", "free_bet", "spanish_21"]),
        "decks": st.integers(0, 9),
    },
    optional={
        "shoe": st.sampled_from(["single", "double", "hand"]),
        "red_side": st.sampled_from("AB"),
        "surrender": st.sampled_from(["none", "way_1", "way_2"]),
        "hold_blackjack": st.booleans(),
        "aggregate_cap": st.integers(1, 200_000),
        "positions": st.integers(0, 8),
        "wagers": st.dictionaries(
            st.sampled_from(offerable()),
            st.fixed_dictionaries(
                {},
                optional={
                    "paytable": st.sampled_from("ABCDE"),
                    "min": st.integers(0, 50),
                    "max": st.integers(1, 90),
                    "crown_treasure": st.booleans(),
                    "meter": st.just({"start": 5000, "reset": 4000, "rate": "10%"}),
                },
            ),
            max_size=4,
        ),
    },
)


@given(st.dictionaries(KEYS, VALUES, max_size=8) | WHOLE)
def test_any_values_are_judged_and_what_is_not_refused_passes_every_check(values: dict[str, Any]) -> None:
    found = problems(values)
    assert all(one.where and one.what and one.do and "\n" not in one.text() for one in found)
    if not found:
        table = from_values(values, "x")
        assert refusals(table) == []


@given(st.text(max_size=200), st.integers(0, 60), st.integers(0, 60))
def test_any_text_is_judged_or_refused(noise: str, at: int, cut: int) -> None:
    for text in (
        noise,
        example("spanish-21")[at : at + 600] + noise,
        example("blackjack").replace("6", noise[:cut], 2),
    ):
        try:
            judge(text, "t.toml")
        except ShoetoolError as error:
            assert "t.toml: not TOML" in str(error)


def test_what_cannot_be_read_is_one_line(tmp_path: Path) -> None:
    for name, told in (("none.toml", "no such file"), (".", "is a directory"), ("a\0b", "null")):
        with pytest.raises(BadInput, match=told):
            load(tmp_path / name)
