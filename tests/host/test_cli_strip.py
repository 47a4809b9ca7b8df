"""`strip`: the printed code of named cards as text, SVG files and a PDF sheet."""

from __future__ import annotations

import json
from importlib import resources
from pathlib import Path
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner, Result
from jsonschema import Draft202012Validator
from shoetool.cli import build
from shoetool.cli.strip import DARK, cells_text
from shoetool.model import card_code


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(build(), ["strip", *map(str, arguments)])


def test_code_words_and_cells_are_those_of_the_printed_code() -> None:
    result = run("10H", "A♠", "cover", "T1", "--batch", "2")
    assert result.exit_code == 0, result.output
    lines = result.output.splitlines()
    assert [line.split()[0] for line in lines] == ["10♥", "A♠", "cover", "T1"]
    assert f"{card_code.encode(35, 2):06x}" in lines[0]
    assert cells_text(35, 2).count(DARK) == sum(card_code.frame_cells(35, 2))


def test_a_deck_and_its_cover_card_are_drawn_when_none_is_named() -> None:
    assert len(run().output.splitlines()) == 53


def test_files_are_written_and_named(tmp_path: Path) -> None:
    result = run("10H", "AS", "--svg", tmp_path / "svg", "--sheet", tmp_path / "sheet.pdf", "--json")
    assert result.exit_code == 0, result.output
    document = json.loads(result.output)
    schema = json.loads((resources.files("shoetool") / "schemas" / "strip.schema.json").read_text())
    Draft202012Validator(schema).validate(document)
    files = [Path(name) for name in document["files"]]
    assert [file.name for file in files] == ["10H-batch1.svg", "AS-batch1.svg", "sheet.pdf"]
    for file in files[:2]:
        ElementTree.fromstring(file.read_text())
    assert files[2].read_bytes().startswith(b"%PDF")


def test_a_gauge_is_written_alone_and_zones_go_into_every_drawing(tmp_path: Path) -> None:
    result = run("--gauge", tmp_path / "gauge.pdf", "--batch", "1", "--json")
    assert result.exit_code == 0, result.output
    assert [Path(name).name for name in json.loads(result.output)["files"]] == ["gauge.pdf"]
    for name, options in (("plain", ()), ("zones", ("--zones",))):
        assert run("10H", "--batch", "1", "--svg", tmp_path / name, *options).exit_code == 0
    plain, zones = ((tmp_path / name / "10H-batch1.svg").read_text() for name in ("plain", "zones"))
    assert "rgb(0%,100%,100%)" in zones and "rgb(0%,100%,100%)" not in plain


def test_a_bridge_size_card_is_57_mm_wide_and_has_the_same_code(tmp_path: Path) -> None:
    result = run("10H", "--size", "bridge", "--svg", tmp_path, "--sheet", tmp_path / "sheet.pdf")
    assert result.exit_code == 0, result.output
    text = (tmp_path / "10H-batch1-bridge.svg").read_text()
    assert 'width="57mm"' in text and (tmp_path / "sheet.pdf").exists()
    assert "--size" in run("10H", "--size", "jumbo").stderr


@pytest.mark.parametrize(
    ("arguments", "said"),
    [(["11H"], "11H"), (["AS", "--batch", "63"], "--batch"), (["AS", "--sheet", "/dev/null/x.pdf"], "x.pdf")],
)
def test_what_cannot_be_drawn_is_one_line_and_exit_code_2(arguments: list[str], said: str) -> None:
    result = run(*arguments)
    assert result.exit_code == 2, result.output
    assert result.stderr.count("\n") == 1 and said in result.stderr
