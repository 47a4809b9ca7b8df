"""A sample of the goldens, and the program that freezes and compares them; `make goldens-check` compares them all."""

from __future__ import annotations

from pathlib import Path

import pytest
from golden_case import Case, Command, Due, Golden, Group, write_text
from golden_corpus import GROUPS
from golden_dealt import SESSIONS
from golden_marks import fulfilled
from golden_outputs import MARK, run_case
from golden_store import Frozen, freeze
from goldens import check
from sampled import some
from shoesim.plants import PLANTS
from shoesim.scenario import PRESETS
from shoesim.wagers_plants import WAGER_PLANTS

EVERY = {
    "tables-changed": 23,
    "rounds-played": 11,
    "rounds-changed": 17,
    "clauses": 17,
    "damaged": 13,
    "scenarios": 7,
    "plants": 31,
    "wager-errors": 27,
}
"""Each how many cases of a group are in the sample: of a group that is not named all, of sessions the first."""
BY_NAME = {group.name: group for group in GROUPS}


def sample(group: Group) -> list[Case]:
    every = SESSIONS if group.name.startswith("sessions-") else EVERY.get(group.name, 1)
    return some(group.cases()[::every])


@pytest.mark.parametrize("name", BY_NAME)
def test_a_sample_is_said_as_it_is_frozen(name: str) -> None:
    found = check(BY_NAME[name], sample(BY_NAME[name]), whole=False)
    assert not found, "\n".join(one.text(60) for one in found)


def test_the_frozen_cases_are_those_of_the_corpus() -> None:
    names = {group.name: [case.name for case in group.cases()] for group in GROUPS}
    assert {name: list(Frozen.read(BY_NAME[name]).digests) for name in names} == names
    assert all(len(set(cases)) == len(cases) for cases in names.values())


def test_every_scenario_plant_and_wager_error_and_300_sessions_are_in_the_corpus() -> None:
    cases = {name: [case.name for case in group.cases()] for name, group in BY_NAME.items()}
    assert cases["scenarios"] == list(PRESETS)
    assert {name.partition(",")[0] for name in cases["plants"]} == set(PLANTS)
    assert {name.partition(",")[0] for name in cases["wager-errors"]} == set(WAGER_PLANTS)
    sessions = [name for group in cases for name in cases[group] if group.startswith("sessions-")]
    assert len(sessions) == SESSIONS == 300


def test_the_frozen_text_is_that_of_the_digests() -> None:
    """Nobody has changed one without the other."""
    for group in GROUPS:
        frozen = Frozen.read(group)
        digests = {
            (case, what) for case, known in frozen.digests.items() for what in known if not what.startswith("file ")
        }
        assert frozen.texts().keys() == digests, group.name


# ------------------------------------------------------------------------------------------- the program
def paid(amount: str, file: str = "a") -> list[Command]:
    write_text("corpus.txt", file)
    return [("settle", write_text("round.json", ROUND.replace("25.00", amount))), ("paytables", "--wager", "insurance")]


ROUND = (
    '{"format": "shoetool-round/1", "table": "blackjack", "cards": ["A♣", "9♠", "J♦", "K♣"], '
    '"positions": [{"position": 3, "wager": "25.00"}]}'
)


@pytest.fixture
def frozen(tmp_path: Path) -> Path:
    freeze(group(), [run_case(case) for case in group().cases()], tmp_path)
    return tmp_path


def group(*cases: Case, plain: bool = True) -> Group:
    return Group("small", lambda: list(cases) or [Case("a round", lambda: paid("25.00"))], plain)


def compared(folder: Path, *cases: Case) -> list[str]:
    some = group(*cases)
    return [one.text() for one in check(some, some.cases(), folder=folder)]


def test_what_is_as_it_was_frozen_is_no_difference(frozen: Path) -> None:
    assert compared(frozen) == []
    assert not freeze(group(), [run_case(case) for case in group().cases()], frozen), "nothing is written again"


def test_a_changed_output_is_named_with_case_command_and_lines(frozen: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shoetool.cli.settle.heading", lambda entry, where: "another title")
    (text,) = compared(frozen)
    assert text.startswith("small: a round: shoetool settle round.json: differs\n")
    assert "\n    -round.json · Blackjack, 6 decks\n    +another title · Blackjack, 6 decks\n" in text


def test_a_changed_corpus_is_told_apart_from_a_changed_judge(frozen: Path) -> None:
    same, file = Case("a round", lambda: paid("25.00", "b")), Case("a round", lambda: paid("30.00"))
    (text,) = compared(frozen, same)
    assert text.startswith("small: a round: THE CORPUS CHANGED (corpus.txt): ")
    assert text.endswith("what differs below may come of that alone")
    (text,) = compared(frozen, file)
    assert "THE CORPUS CHANGED (round.json)" in text and "the commands were run on the frozen files" in text


def test_a_new_case_one_that_is_gone_and_a_new_command_are_named(frozen: Path) -> None:
    new, gone = compared(frozen, Case("another", lambda: paid("25.00")))
    assert "small: another: was never frozen: make goldens" in new
    assert "small: a round: is frozen, and the corpus has it no more" in gone
    more = Case("a round", lambda: [*paid("25.00"), ("settle", "--list")])
    assert compared(frozen, more) == ["small: a round: shoetool settle --list: was never frozen"]


def test_a_command_that_crashes_is_named_with_its_traceback(frozen: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(entry: object, where: str) -> str:
        raise RuntimeError("planted")

    monkeypatch.setattr("shoetool.cli.settle.heading", broken)
    (text,) = compared(frozen)
    assert text.startswith("small: a round: A CRASH: settle round.json\n")
    assert "RuntimeError: planted" in text


def test_a_case_that_cannot_be_made_is_named_and_the_others_go_on(frozen: Path) -> None:
    def broken() -> list[Command]:
        raise RuntimeError("planted")

    found = compared(frozen, Case("another", broken), Case("a round", lambda: paid("25.00")))
    assert [text.partition("\n")[0] for text in found] == ["small: another: A CRASH: its files could not be made"]


def test_files_are_kept_to_the_last_byte(tmp_path: Path) -> None:
    texts = {"a.json": "{}", "b.json": "{}\n", "c.json": "", "d.json": "a\n\u2028b\r\nc"}
    some = group()
    freeze(some, [Golden("a round", {}, {}, texts)], tmp_path)
    assert Frozen.read(some, tmp_path).kept() == {"a round": texts}


def test_a_difference_in_a_commitment_alone_is_said_to_be_one(tmp_path: Path) -> None:
    some = group(plain=False)
    freeze(some, [Golden("a round", {}, {"monitor": f"{'ab' * 32} sealed\n"})], tmp_path)
    kept = Frozen.read(some, tmp_path)
    assert kept.texts() == {("a round", "monitor"): "(hex) sealed\n"}
    from golden_compare import differences

    (found,) = differences(kept, Golden("a round", {}, {"monitor": f"{'cd' * 32} sealed\n"}))
    assert found.what.startswith("differs only in commitments or nonces") and found.lines == ()


def test_a_mark_goes_when_what_it_demands_is_told(tmp_path: Path) -> None:
    """Else nobody would see that it is wrong again."""
    (case,) = (one for one in BY_NAME["mistakes"].cases() if one.name == "two missed cards")
    told = run_case(case)
    assert fulfilled(Due("each is told", {"633a.14(i)": 2, " breach": 0}, ("position 2",)), told)
    for wrong in (Due("", {"633a.14(i)": 1}), Due("", {"": 3}), Due("", {}, ("position 3",)), Due("", {" breach": 1})):
        assert not fulfilled(wrong, told)
    marked = Case(case.name, case.make, Due("each is told", {"633a.14(i)": 2}))
    some = Group("small", lambda: [marked], plain=True)
    freeze(some, [run_case(marked)], tmp_path)
    (found,) = check(some, [marked], folder=tmp_path)
    assert "take the mark away" in found.what
    assert MARK in Frozen.read(some, tmp_path).digests[case.name]
