"""Histories of one device follow one another: a withheld one is named, and two that contradict each other."""

from __future__ import annotations

import json
from hashlib import sha256
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
from signed_histories import Key, flip, key, read, sign_pages, with_header, write


@pytest.fixture
def keys(tmp_path: Path) -> Path:
    PinStore(tmp_path / "keys").pin(DEVICE, PublicKey(key().public))
    return tmp_path / "keys"


def run(keys: Path, *words: str | Path) -> Result:
    return CliRunner().invoke(build(), ["verify", "--keys", str(keys), *map(str, words)])


def relied_on(keys: Path, *words: str | Path) -> Result:
    return run(keys, "--require-signature", *words)


def text(result: Result) -> str:
    return " ".join(result.output.split())


def found(keys: Path, *words: str | Path) -> list[str]:
    """The findings about how the histories follow one another, as the document has them."""
    document = json.loads(relied_on(keys, "--json", "--no-remember", *words).stdout)
    schema = json.loads((resources.files("shoetool") / "schemas" / "verify.schema.json").read_text())
    Draft202012Validator(schema).validate(document)
    return [finding["sentence"] for row in document["histories"] for finding in row["findings"]]


# ------------------------------------------------------------------------------------------------ withheld


def test_a_withheld_shoe_between_two_is_a_finding_and_named(tmp_path: Path, keys: Path) -> None:
    one, two, three = Row(tmp_path / "night").night(3)
    result = relied_on(keys, one, three)
    assert result.exit_code == 1
    assert f"Withheld: shoe 2 of device {DEVICE.hex()} is not in these files" in text(result)
    assert "pages 1 to 1, records 3 to 5, and 1 signature of the key" in text(result)
    whole = relied_on(keys, one, two, three)
    assert whole.exit_code == 0 and "shoes 1 to 3: none missing between the first and the last" in text(whole)
    assert relied_on(keys, three, one, two).exit_code == 0, "the order of the files does not matter"


def test_without_a_signature_required_a_withheld_shoe_is_noted(tmp_path: Path, keys: Path) -> None:
    one, _, three = Row(tmp_path / "night").night(3)
    result = run(keys, one, three)
    assert result.exit_code == 0 and "note: withheld: shoe 2 of device" in text(result)
    alone = run(keys, "--no-remember", one)
    assert alone.exit_code == 0 and "withheld" not in alone.output


def test_several_withheld_shoes_are_named_with_their_numbers(tmp_path: Path, keys: Path) -> None:
    files = Row(tmp_path / "night").night(7)
    (sentence, other) = found(keys, files[0], files[4], files[6])
    assert f"3 shoes of device {DEVICE.hex()} (2 to 4) are not in these files" in sentence and "shoe 6 of" in other


def test_a_shoe_that_follows_none_that_was_verified_before_is_missed(tmp_path: Path, keys: Path) -> None:
    """Night after night with one file each: the memory of the pins knows what came before."""
    one, two, three = Row(tmp_path / "night").night(3)
    assert relied_on(keys, one).exit_code == 0, "the first that is known follows nothing"
    result = relied_on(keys, three)
    assert result.exit_code == 1 and "and shoe 3 (" in text(result)
    assert "Between shoe 1 (what was verified here before)" in text(result)
    assert relied_on(keys, two).exit_code == 0
    assert relied_on(keys, three).exit_code == 0, "now all are known"


def test_the_memory_of_an_older_shoetool_is_read(tmp_path: Path, keys: Path) -> None:
    one, two, _ = Row(tmp_path / "night").night(3)
    assert relied_on(keys, one).exit_code == 0
    memory = keys / f"{DEVICE.hex()}.seen"
    memory.write_text(" ".join(memory.read_text().split()[:3]) + "\n")
    assert relied_on(keys, two).exit_code == 0
    assert relied_on(keys, one).exit_code == 0 and len(list(PinStore(keys).statements(DEVICE))) == 2


def test_a_shoe_that_was_not_signed_is_in_the_files_and_is_no_withheld_one(tmp_path: Path, keys: Path) -> None:
    row = Row(tmp_path / "night")
    files = [row.deal(), row.deal(signed=False), row.deal()]
    result = relied_on(keys, *files)
    assert result.exit_code == 1 and "Unsigned: shoe 2" in result.output and "Withheld" not in result.output


def test_an_empty_page_with_the_number_of_a_withheld_shoe_hides_no_hole(tmp_path: Path, keys: Path) -> None:
    one, _, three = Row(tmp_path / "night").night(3)
    pages, signatures = read(three)
    empty = pages[-1][:64] + b"\xff" * (len(pages[-1]) - 64)
    behind = with_header(empty, page=3, shoe=2, first_record=9, previous=sha256(pages[-1]).digest())
    write(three, [*pages, behind], signatures)
    assert "Withheld: shoe 2 of device" in text(relied_on(keys, one, three))
    noted = run(keys, one, three)
    assert noted.exit_code == 0 and "note: withheld: shoe 2 of device" in text(noted)


# ------------------------------------------------------------------------------------------------ contradictions


def test_two_histories_of_one_shoe_with_two_indices_contradict_each_other(tmp_path: Path, keys: Path) -> None:
    """A copied key signs another history of the shoe with an index that was never used."""
    one, two = Row(tmp_path / "night").night(2)
    pages, _ = read(two)
    forged = write(tmp_path / two.name, pages, [sign_pages(pages, key(), 9)])
    (sentence,) = found(keys, one, two, forged)
    assert sentence.startswith("Contradicted: key ") and "signed two histories as shoe 2" in sentence
    assert "(index 1)" in sentence and "(index 9)" in sentence
    relied_on(keys, one, two)
    after = run(keys, forged)
    assert after.exit_code == 1 and "in what was verified here before" in text(after)


def test_indices_that_go_back_contradict_each_other(tmp_path: Path, keys: Path) -> None:
    row = Row(tmp_path / "night")
    row.index = 8
    one = row.deal()
    row.index = 3
    (sentence,) = found(keys, one, row.deal())
    assert "cannot follow shoe 1" in sentence and "it was signed with index 3, shoe 1 with index 8" in sentence


def test_pages_and_records_that_overlap_contradict_each_other(tmp_path: Path, keys: Path) -> None:
    row = Row(tmp_path / "night")
    one = row.deal()
    row.page = row.record = 0
    sentences = " ".join(found(keys, one, row.deal()))
    assert "it begins with page 0, shoe 1 ends with page 0; it begins with record 0" in sentences


def test_a_page_that_the_next_shoe_does_not_continue_is_a_finding(tmp_path: Path, keys: Path) -> None:
    """A setting behind the signed end of shoe 1 was changed: shoe 2 holds the SHA-256 of the page as it was."""
    row = Row(tmp_path / "night")
    one, two = row.deal(behind=1), row.deal()
    pages, signatures = read(one)
    assert found(keys, one, two) == []
    other = Row(tmp_path / "other")
    other.deal()
    changed = write(tmp_path / one.name, [with_header(pages[0])[:-1] + b"\0"], signatures)
    (sentence,) = found(keys, changed, two)
    assert "Contradicted: shoe 2 (" in sentence and "does not continue page 0 of shoe 1" in sentence


def test_what_was_written_behind_the_end_after_the_fetch_is_a_note(tmp_path: Path, keys: Path) -> None:
    """A shoe that is fetched when it is closed goes on writing: restarts and commands, until the next one."""
    row = Row(tmp_path / "night")
    one, two = row.deal(behind=3, fetched=1), row.deal()
    result = relied_on(keys, one, two)
    assert result.exit_code == 0 and "what stands behind the end of shoe 1, before the next shoe, is not" in text(
        result
    )


def test_an_index_that_was_spent_between_two_shoes_is_noted(tmp_path: Path, keys: Path) -> None:
    """A power cut while it signs spends one too: so it is no finding."""
    row = Row(tmp_path / "night")
    one = row.deal()
    row.index += 2
    result = relied_on(keys, one, row.deal())
    assert result.exit_code == 0
    assert "between shoe 1 and shoe 2 2 signatures of the key went to no history that is here" in text(result)


def test_a_forged_history_in_the_gap_is_a_finding_of_its_own(tmp_path: Path, keys: Path) -> None:
    one, two, three = Row(tmp_path / "night").night(3)
    pages, _ = read(two)
    forged = write(tmp_path / two.name, [flip(pages[0], 70)], [sign_pages(pages, Key("forger"), 1)])
    result = relied_on(keys, one, forged, three)
    assert result.exit_code == 1 and "Other key" in result.output


def test_another_device_is_another_row(tmp_path: Path, keys: Path) -> None:
    one, _, three = Row(tmp_path / "night").night(3)
    document = json.loads(relied_on(keys, "--json", one, three).stdout)
    assert [(row["device"], row["shoes"]) for row in document["histories"]] == [(DEVICE.hex(), [1, 3])]
