"""`shoetool audit`: honest shoes pass, planted defects are named, and what cannot be looked at is told."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from audit_files import history, shoes
from click.testing import CliRunner, Result
from shoetool.audit.read import read
from shoetool.cli import build
from test_cli_files import closed_shoe, validated


def run(*words: str | Path) -> Result:
    return CliRunner().invoke(build(), ["audit", *map(str, words), "--jobs", "1"])


def audited(*words: str | Path, code: int = 0) -> dict[str, Any]:
    result = run(*words, "--json")
    assert result.exit_code == code, result.output
    found: dict[str, Any] = validated("audit", result.stdout)
    return found


def wrong(document: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {one["test"]: one for one in document["tests"] if one["verdict"] == "not as expected"}


@pytest.fixture(scope="module")
def honest(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("honest")
    shoes(folder, 6, b"DEVICE-1", seed=1)
    shoes(folder, 6, b"DEVICE-2", seed=2)
    return folder


def test_honest_shoes_are_as_expected(honest: Path) -> None:
    found = audited(honest)
    assert found["as_expected"] and found["histories"] == found["orders"] == 12 and found["devices"] == 2
    assert found["pairs"] == 10 and found["gaps"] == 0 and not found["left_out"]
    keys = [one["test"] for one in found["tests"]]
    assert len(keys) == len(set(keys))
    tested = {one["test"] for one in found["tests"] if one["verdict"] == "as expected"}
    assert {"faces", "ranks", "places", "equal ranks", "runs forward", "near backward", "displacement"} <= tested
    assert {"naturals", "busts", "dealer's hand", "up cards", "cover card", "irregular by device"} <= tested
    assert found["tests_done"] == len(tested)
    cut = next(one for one in found["tests"] if one["test"] == "cut")
    assert cut["verdict"] == "not tested" and cut["p"] is None and "no record" in cut["note"]


def test_the_text_has_a_line_for_each_test_and_states_the_family(honest: Path) -> None:
    result = run(honest, "--alpha", "0.01")
    assert result.exit_code == 0
    said = result.stdout.splitlines()
    assert said[0].startswith("12 histories of 2 devices: 12 batches")
    assert "tests are as expected. Honest shoes fail any of them in 1.000% of audits at most" in said[-1]
    tests = audited(honest)["tests"]
    assert sum(line.startswith(one["what"] + ": ") for one in tests for line in said) >= len(tests)


def test_a_segment_that_was_not_shuffled_is_found(tmp_path: Path) -> None:
    """Eight cards of shoe 2 lie in shoe 3 as they lay."""
    kept: dict[int, list[int]] = {}

    def order(shoe: int, cards: list[int]) -> list[int]:
        if shoe == 3:
            for card in kept[2][40:48]:
                cards.remove(card)
            cards[100:100] = kept[2][40:48]
        kept[shoe] = list(cards)
        return cards

    shoes(tmp_path, 5, order=order)
    found = wrong(audited(tmp_path, code=1))
    assert set(found) == {"longest run forward"}
    assert found["longest run forward"]["farthest"][0]["name"].endswith("shoe 3")
    assert found["longest run forward"]["observed"] >= 8
    text = run(tmp_path)
    assert text.exit_code == 1 and "NOT AS EXPECTED" in text.stdout and "1 of " in text.stdout


def test_a_sorted_deck_is_found(tmp_path: Path) -> None:
    def order(shoe: int, cards: list[int]) -> list[int]:
        if shoe == 2:
            for card in range(26):
                cards.remove(card)
            cards[60:60] = range(26)
        return cards

    shoes(tmp_path, 4, order=order)
    found = wrong(audited(tmp_path, code=1))
    assert "ascending in a shoe" in found and found["ascending in a shoe"]["farthest"][0]["name"].endswith("shoe 2")


def test_a_missing_ten_is_found_when_the_batch_is_counted(tmp_path: Path) -> None:
    def order(shoe: int, cards: list[int]) -> list[int]:
        if shoe == 1:
            cards.remove(9)
        return cards

    shoes(tmp_path, 2, order=order, count=True)
    found = wrong(audited(tmp_path, code=1))
    assert set(found) == {"composition"} and found["composition"]["observed"] == 1


def test_a_stacked_dealer_is_found(tmp_path: Path) -> None:
    """With five positions his first up card is the eighth card: two burn cards and five players' come before it."""

    def order(shoe: int, cards: list[int]) -> list[int]:
        ace = next(at for at in range(20, 312) if cards[at] % 13 == 0)
        cards[7], cards[ace] = cards[ace], cards[7]
        return cards

    shoes(tmp_path, 40, order=order)
    found = wrong(audited(tmp_path, code=1))
    assert "up card aces" in found


def test_a_shoe_that_is_missing_ends_the_comparison_and_is_told(honest: Path, tmp_path: Path) -> None:
    for path in honest.glob("DEVICE-1-*"):
        if "00003" not in path.name:
            (tmp_path / path.name).write_bytes(path.read_bytes())
    found = audited(tmp_path)
    assert found["gaps"] == 1 and found["pairs"] == 3


def test_a_shoe_that_comes_twice_counts_once(honest: Path) -> None:
    assert audited(honest, next(honest.glob("*-00002.shoelog")))["named_again"] == 1


def test_what_cannot_be_looked_at_is_told_and_not_as_expected(tmp_path: Path) -> None:
    closed_shoe().write(tmp_path / "one.shoelog")
    found = audited(tmp_path)
    assert found["orders"] == 0 and found["left_out"]
    faces = next(one for one in found["tests"] if one["test"] == "faces")
    assert faces["verdict"] == "not tested" and faces["note"]
    said = run(tmp_path).stdout
    assert "left out of what looks at their order" in said and "not tested" in said


def test_unreadable_files_end_with_2_and_the_others_are_audited(honest: Path, tmp_path: Path) -> None:
    none = tmp_path / "none.shoelog"
    none.write_bytes(b"PK\x03\x04")
    result = run(honest, none, tmp_path / "missing.shoelog", "--json")
    assert result.exit_code == 2
    found = json.loads(result.stdout)
    assert found["unreadable"] == 2 and found["histories"] == 12
    assert len(result.stderr.splitlines()) == 2
    assert run().exit_code == 2 and run(tmp_path / "nothing").exit_code == 2


def test_a_list_of_names_gives_the_same(honest: Path, tmp_path: Path) -> None:
    names = tmp_path / "names.txt"
    names.write_text("".join(f"{path}\n" for path in sorted(honest.glob("*.shoelog"))))
    assert audited("--files-from", names) == audited(honest)


def test_several_processes_give_the_same(honest: Path) -> None:
    result = CliRunner().invoke(build(), ["audit", str(honest), "--json", "--jobs", "2"])
    assert json.loads(result.stdout) == audited(honest)


@pytest.mark.parametrize(
    ("plant", "why"),
    [("refill_without_burn", "it was refilled"), ("too_few_cards", "it was refilled")],
)
def test_an_order_that_is_not_known_to_its_places_is_left_out(tmp_path: Path, plant: str, why: str) -> None:
    told = read(history(tmp_path, b"DEVICE-1", 1, 5, plant=plant))
    assert [load.why_not for load in told.loads] == [why] and told.loads[0].fixed == 0


def test_a_history_with_a_hole_is_left_out(honest: Path, tmp_path: Path) -> None:
    whole = next(honest.glob("*-00001.shoelog"))
    data = bytearray(whole.read_bytes())
    data[3000] ^= 1
    damaged = tmp_path / whole.name
    damaged.write_bytes(data)
    assert read(whole).loads[0].fixed > 150
    told = read(damaged)
    assert told.why_not and not told.dealt.naturals.trials and all(not load.fixed for load in told.loads)


def test_unread_cards_keep_their_place_in_the_order(tmp_path: Path) -> None:
    told = read(history(tmp_path, b"DEVICE-1", 1, 5, plant="unreadable_card"))
    (load,) = told.loads
    assert load.faces.count(255) == 1 and load.fixed + load.behind == 312
    assert told.heads[0, 1, "unreadable"] == 1 and told.heads[-1, 0, "cleared"] == 1
