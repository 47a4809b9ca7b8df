"""`shoetool keys --heads`: two sides compare what they saw, and find what one of them was not shown."""

from __future__ import annotations

import json
from importlib import resources
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from histories import DEVICE
from jsonschema import Draft202012Validator
from shoe_row import Row
from shoetool.cli import build
from shoetool.trust.keys import PublicKey
from shoetool.trust.pins import PinStore
from signed_histories import key, read, sign_pages, write


def run(*words: str | Path) -> Result:
    return CliRunner().invoke(build(), [str(word) for word in words])


class Side:
    """Somebody who verifies what he is shown, and prints the heads of it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        PinStore(folder / "keys").pin(DEVICE, PublicKey(key().public))

    def sees(self, *files: Path) -> None:
        result = run("verify", "--keys", self.folder / "keys", *files)
        assert result.exit_code in (0, 1), result.output

    def heads(self) -> Path:
        result = run("keys", "--heads", "--keys", self.folder / "keys")
        assert result.exit_code == 0
        path = self.folder / "today.heads"
        path.write_text(result.output)
        return path

    def compares(self, theirs: Path, *words: str) -> Result:
        return run("keys", "--heads", "--compare", theirs, "--keys", self.folder / "keys", *words)


@pytest.fixture
def sides(tmp_path: Path) -> tuple[Side, Side]:
    return Side(tmp_path / "casino"), Side(tmp_path / "regulator")


def text(result: Result) -> str:
    return " ".join(result.output.split())


def test_the_newest_shoe_that_is_withheld_from_one_side_is_found_by_comparing(
    tmp_path: Path, sides: tuple[Side, Side]
) -> None:
    one, other = sides
    files = Row(tmp_path / "night").night(4)
    one.sees(*files)
    other.sees(*files[:3])
    result = other.compares(one.heads())
    assert result.exit_code == 1
    assert f"DIFFERS device {DEVICE.hex()}: shoe 4 was seen there and not here: withheld from this side" in text(result)
    back = one.compares(other.heads())
    assert back.exit_code == 0 and "shoe 4 was seen here and not there" in text(back)
    assert "3 heads the same, 0 differences" in text(back)


def test_two_histories_of_one_shoe_shown_to_two_sides_are_found(tmp_path: Path, sides: tuple[Side, Side]) -> None:
    one, other = sides
    files = Row(tmp_path / "night").night(2)
    pages, _ = read(files[1])
    forged = write(tmp_path / files[1].name, pages, [sign_pages(pages, key(), 7)])
    one.sees(*files)
    other.sees(files[0], forged)
    for here, there in (sides, sides[::-1]):
        result = here.compares(there.heads())
        assert result.exit_code == 1 and "shoe 2 has another head there than here" in text(result)


def test_one_index_for_two_shoes_on_two_sides_is_found(tmp_path: Path, sides: tuple[Side, Side]) -> None:
    one, other = sides
    row = Row(tmp_path / "night")
    first, second = row.night(2)
    row.index = 1
    third = row.deal()
    one.sees(first, second)
    other.sees(first, third)
    assert "index 1 signed shoe 3 there and shoe 2 here" in text(one.compares(other.heads()))


def test_the_same_heads_give_the_same_last_line(tmp_path: Path, sides: tuple[Side, Side]) -> None:
    one, other = sides
    files = Row(tmp_path / "night").night(3)
    one.sees(*files)
    other.sees(*files[::-1])
    assert one.heads().read_text() == other.heads().read_text()
    lines = one.heads().read_text().splitlines()
    assert lines[0] == "shoetool heads 1" and len(lines) == 5 and lines[-1].startswith("# 3 heads, all of them: ")
    before = lines[-1]
    more = Row(tmp_path / "other")
    more.night(3)
    one.sees(more.deal())
    assert one.heads().read_text().splitlines()[-1] != before


def test_what_was_seen_before_this_side_began_is_a_note(tmp_path: Path, sides: tuple[Side, Side]) -> None:
    one, other = sides
    files = Row(tmp_path / "night").night(3)
    one.sees(*files)
    other.sees(*files[1:])
    result = other.compares(one.heads())
    assert result.exit_code == 0 and "shoe 1 there is from before the first that was seen here" in text(result)


def test_heads_as_json(tmp_path: Path, sides: tuple[Side, Side]) -> None:
    one, other = sides
    files = Row(tmp_path / "night").night(2)
    one.sees(*files)
    other.sees(files[0])
    result = other.compares(one.heads(), "--json")
    document = json.loads(result.output)
    schema = json.loads((resources.files("shoetool") / "schemas" / "keys.schema.json").read_text())
    Draft202012Validator(schema).validate(document)
    assert result.exit_code == 1 and [head["shoe"] for head in document["heads"]] == [1]
    assert document["compared"]["same"] == 1 and len(document["compared"]["found"]) == 1


@pytest.mark.parametrize(
    "content, why",
    [
        (b"", "is no list of heads"),
        (b"SHOELOG\x1a", "is no list of heads"),
        (b"shoetool heads 1\nabc\n", "line 2 is no head"),
        (b"shoetool heads 1\n# fine\n\xff\xfe\n", "line 3 is no head"),
    ],
)
def test_a_list_that_is_none_is_refused_in_one_line(
    content: bytes, why: str, tmp_path: Path, sides: tuple[Side, Side]
) -> None:
    path = tmp_path / "theirs"
    path.write_bytes(content)
    result = sides[0].compares(path)
    assert result.exit_code == 2 and why in text(result) and result.output.count("\n") == 1
    assert sides[0].compares(tmp_path / "missing").exit_code == 2


def test_compare_goes_with_heads_and_heads_with_no_file(tmp_path: Path) -> None:
    assert run("keys", "--compare", tmp_path / "x").exit_code == 2
    assert run("keys", "--heads", tmp_path / "x").exit_code == 2
