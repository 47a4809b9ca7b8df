"""The examples of settings that the README names: they are there, and both host and board take them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from pico import settings as on_board
from shoetool.cli import settings
from shoetool.flash.board_file import TAKES, read_board_file

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "board" / "examples"
README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_game_of_a_table_is_whole_and_fits_together() -> None:
    values = settings.read_toml(EXAMPLES / "table7.toml")
    assert set(values) == set(settings.NAMES) and values["table"] == 7
    settings.check_together(values)


def test_what_it_says_of_each_setting_is_what_configure_says() -> None:
    """Below its first line it is what `configure` prints as a file, so that no sentence in it grows old."""
    path = EXAMPLES / "table7.toml"
    head, _, rest = path.read_text(encoding="utf-8").partition("\n\n")
    assert head.startswith("# The game of one table") and "\n" not in head
    assert rest == settings.to_toml(settings.read_toml(path))


@pytest.mark.parametrize("name", ["board.json", "usb-only.json"])
def test_what_a_board_is_like_is_taken_by_the_host_and_by_the_board(name: str) -> None:
    read_board_file(EXAMPLES / name)
    taken = on_board.load(str(EXAMPLES / name))
    assert taken.wrong == ""
    assert taken.link == ("cdc" if name == "usb-only.json" else "uart")


def test_the_example_of_a_board_names_every_setting() -> None:
    text = (EXAMPLES / "board.json").read_text()
    assert all(f'"{name}"' in text for name in TAKES)


def test_what_the_readme_gives_to_flash_is_there() -> None:
    named = re.findall(r"(?:CONFIG|BOARD)=([^\s`:]+)|--(?:config|board) ([^\s`:]+)|fs cp (\S+)", README)
    paths = {one for groups in named for one in groups if one}
    assert {"board/examples/table7.toml", "board/examples/board.json"} <= paths
    assert not [path for path in paths if not (ROOT / path).is_file()]


@pytest.mark.parametrize("word", ["BOOTSEL", "RPI-RP2", "usb-device-cdc"])
def test_the_readme_says_how_a_board_gets_micropython_and_a_line_over_usb(word: str) -> None:
    assert word in README
