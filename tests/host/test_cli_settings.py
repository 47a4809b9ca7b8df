"""Settings as people write them: words, ranges, TOML files and KEY=VALUE pairs."""

from __future__ import annotations

from pathlib import Path

import pytest
from shoetool.cli import settings
from shoetool.model.errors import BadInput
from shoetool.model.naming import OPTION_BITS
from shoetool.model.protocol_table import CONFIGS


@pytest.mark.parametrize("row", CONFIGS.values(), ids=lambda row: row["name"])
def test_each_setting_takes_its_range_and_refuses_what_lies_beyond(row: dict[str, object]) -> None:
    name, low, high = str(row["name"]), int(str(row["min"])), int(str(row["max"]))
    assert settings.parse_value(name, low) == low
    assert settings.parse_value(name, high) == high
    for beyond in (low - 1, high + 1):
        with pytest.raises(BadInput, match=f"{name} = {beyond} is out of range: {low} to {high}"):
            settings.parse_value(name, beyond)


@pytest.mark.parametrize(
    ("name", "text", "number"),
    [
        ("game", "spanish_21", 2),
        ("shoe_kind", "double", 1),
        ("side_a_color", "black_suits", 1),
        ("table", "0x10", 16),
        ("options", "continuous_shuffler,two_batches", 10),
        ("options", "none", 0),
        ("options", ["face_down_double"], 1),
    ],
)
def test_words_stand_for_numbers_and_are_shown_again(name: str, text: object, number: int) -> None:
    assert settings.parse_value(name, text) == number
    assert settings.parse_value(name, settings.show_value(name, number)) == number


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("deks", 6, "did you mean decks"),
        ("nothing_like_it", 6, "settings are"),
        ("decks", "six", "whole number"),
        ("decks", True, "number"),
        ("decks", 6.5, "whole number"),
        ("decks", "٦", "whole number"),
        ("decks", "1_0", "whole number"),
        ("decks", "06", "whole number"),
        ("decks", "9" * 9000, "9002 characters"),
        ("decks", 10**4000, "13288 bits"),
        ("game", "x" * 9000, "9002 characters"),
        ("options", "x" * 9000, "9002 characters"),
        ("x" * 9000, 1, "9002 characters"),
        ("game", "poker", "spanish_21"),
        ("options", "loud", "face_down_double"),
    ],
)
def test_what_is_no_setting_or_value_is_named(name: str, value: object, said: str) -> None:
    with pytest.raises(BadInput, match=said) as error:
        settings.parse_value(name, value)
    assert len(str(error.value)) < 400


@pytest.mark.parametrize(
    ("values", "clause"),
    [
        ({"game": 2, "decks": 4}, r"635a\.3\(a\)"),
        ({"game": 1, "positions": 7}, r"590\.2\(a\)"),
        ({"game": 2, "decks": 8, "shoe_kind": 1}, r"633a\.3\(c\)"),
        ({"shoe_kind": 1, "decks": 5}, r"633a\.3\(c\)"),
        ({"shoe_kind": 1, "batch_a": 3, "batch_b": 3}, r"633a\.3\(c\)"),
        ({"shoe_kind": 1, "batch_a": 2, "batch_b": 3}, r"batches 2 and 3 are not the two back colors of one design"),
        ({"options": 8, "batch_a": 2, "batch_b": 3}, r"633a\.3\(b\)\(2\)"),
    ],
)
def test_settings_that_do_not_go_together_name_their_clause(values: dict[str, int], clause: str) -> None:
    with pytest.raises(BadInput, match=clause):
        settings.check_together(values)


def test_a_configuration_written_as_toml_reads_back(tmp_path: Path) -> None:
    values = {row["name"]: row["default"] for row in CONFIGS.values()} | {"options": 9, "game": 1}
    path = tmp_path / "shoe.toml"
    path.write_text(settings.to_toml(values))
    assert settings.read_toml(path) == values


@pytest.mark.parametrize(
    "content",
    [b"decks = ", b"\xff\xfe", b"decks = 99", b"[a]\ndecks = 6", b"x" * 70000, b"decks = 1979-05-27"],
)
def test_a_file_that_is_no_configuration_is_refused_with_its_name(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "shoe.toml"
    path.write_bytes(content)
    with pytest.raises(BadInput, match=r"shoe\.toml"):
        settings.read_toml(path)


def test_the_difference_holds_only_what_changes() -> None:
    assert settings.difference({"decks": 6, "table": 1}, {"decks": 8, "table": 1}) == {"decks": (6, 8)}


def test_every_option_has_its_meaning_for_people() -> None:
    assert tuple(settings.OPTION_MEANINGS) == tuple(OPTION_BITS)


@pytest.mark.parametrize("name", [row["name"] for row in CONFIGS.values()])
def test_a_person_reads_no_internal_name(name: str) -> None:
    assert "enum" not in settings.meaning(name) and "bit " not in settings.meaning(name)
