"""board.json: each setting, what is wrong with one in a line, and defaults that let nobody in."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from pico import settings

DEFAULTS = {"link": "uart", "rs485": False, "heads": 3, "cards": "poker", "panel": True, "repl": True}


def load(tmp_path: Path, text: str | bytes | None) -> settings.Settings:
    path = tmp_path / "board.json"
    if text is not None:
        path.write_bytes(text.encode() if isinstance(text, str) else text)
    return settings.load(str(path))


def values(of: settings.Settings) -> dict[str, object]:
    return {name: getattr(of, name) for name in DEFAULTS}


def test_without_a_file_the_defaults_are_in_force_and_nothing_is_wrong(tmp_path: Path) -> None:
    found = load(tmp_path, None)
    assert values(found) == DEFAULTS and found.wrong == ""


def test_every_setting_is_taken(tmp_path: Path) -> None:
    said = {"link": "cdc", "rs485": True, "heads": 1, "cards": "bridge", "panel": False, "repl": False}
    found = load(tmp_path, json.dumps(said))
    assert values(found) == said and found.wrong == ""
    assert values(load(tmp_path, json.dumps({"heads": 2}))) == {**DEFAULTS, "heads": 2}


@pytest.mark.parametrize(
    "said, named",
    [
        ({"link": "usb"}, "link: must be one of uart, cdc"),
        ({"link": 1}, "link: must be"),
        ({"heads": 0}, "heads: must be 1, 2 or 3"),
        ({"cards": "tarot"}, "cards: must be one of poker, bridge"),
        ({"heads": 4}, "heads: must be"),
        ({"heads": True}, "heads: must be"),
        ({"heads": "3"}, "heads: must be"),
        ({"rs485": 1}, "rs485: must be true or false"),
        ({"panel": "yes"}, "panel: must be"),
        ({"baud": 9600}, "baud: no such setting"),
    ],
)
def test_a_setting_that_is_wrong_has_its_default_and_one_line_says_so(
    tmp_path: Path, said: dict[str, object], named: str
) -> None:
    found = load(tmp_path, json.dumps({**said, "rs485": said.get("rs485", True)}))
    assert f"board.json: {named}" in found.wrong and "\n" not in found.wrong
    assert values(found) == {**DEFAULTS, "rs485": said.get("rs485") is None}


@pytest.mark.parametrize("text", ["", "{", "[]", "3", '"repl"', '{"repl": 1}', '{"repl": "false"}', "null"])
def test_what_cannot_be_understood_gives_no_prompt(tmp_path: Path, text: str) -> None:
    found = load(tmp_path, text)
    assert found.repl is False
    assert found.wrong and "\n" not in found.wrong


def test_bytes_that_are_no_text_give_no_prompt(tmp_path: Path) -> None:
    found = load(tmp_path, b"\xff\xfe{}")
    assert found.repl is False and found.wrong


def test_a_file_that_is_there_and_cannot_be_read_opens_no_prompt(tmp_path: Path) -> None:
    (tmp_path / "board.json").mkdir()
    found = load(tmp_path, None)
    assert values(found) == {**DEFAULTS, "repl": False} and found.wrong.endswith(
        "board.json: cannot be read; defaults are in force, without a prompt: write it anew"
    )
