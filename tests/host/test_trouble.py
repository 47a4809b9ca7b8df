"""Classes of trouble: what they draw is what they say, and the campaign judges what was named as it should."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import ink_changes
import numpy as np
import pytest
from ink_changes import Places
from shoesim import hand, paint, printing, sensors
from shoesim.model import HARSH, IDEAL
from shoetool.model import card_code
from test_pull import at_centres, of_line
from trouble import CLASSES, Trial, trials

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "bench"))
import reading_campaign
import reading_classes
from reading_classes import MISNAMED, RIGHT, UNREADABLE, WRONG, Named, judge

BATCHES = reading_campaign.BATCHES
SEED = 15
SAMPLE, MEANT = 30, 250  # more where somebody means to mislead the head
CELLS = card_code.frame_cells(40, 1)


def shown(sheet: paint.Sheet) -> list[tuple[int, int]]:
    """The edges of an even pull past an ideal head."""
    motion = hand.Motion(-3.0, 500.0)
    motion.cruise(90.0)
    return sensors.edges([sheet], motion, 0, np.random.default_rng(1), sensors.Eyes())


@pytest.fixture
def card() -> paint.Sheet:
    return printing.print_card(CELLS, np.random.default_rng(1), IDEAL)


# ------------------------------------------------------------------------------------------- the law itself


@pytest.mark.parametrize("name", sorted(CLASSES))
def test_no_class_of_trouble_makes_a_wrong_card(name: str) -> None:
    """A small sample of `reading_campaign.py --classes`; what is refused or misnamed is counted there."""
    sample = MEANT if name in ("forged", "aimed") else SAMPLE
    found = reading_classes.run_chunk(name, SEED, 0, sample, HARSH, BATCHES)
    print(found)
    wrong = len(found["wrong"])
    assert not wrong or reading_classes.is_forgers_luck(name, wrong, sample)
    assert sum(found["counts"].values()) == sample


def test_a_wrong_card_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    own = reading_classes.read

    def exchanged(head: object, trial: Trial) -> list[Named]:
        return [one._replace(card=(one.card + 1) % 52) for one in own(head, trial)]

    monkeypatch.setattr(reading_classes, "read", exchanged)
    found = reading_classes.run_chunk("jerk", SEED, 0, 5, IDEAL, BATCHES)
    assert found["counts"][WRONG] == len(found["wrong"]) == 5


# ------------------------------------------------------------------------------------------- what is drawn


@pytest.mark.parametrize("name", sorted(CLASSES))
def test_equal_seeds_give_equal_trials_and_all_lines_are_bright_before_and_after(name: str) -> None:
    runs = [list(trials(name, 3, 1, 3, HARSH, BATCHES)) for _ in range(2)]
    assert runs[0] == runs[1]
    for trial in runs[0]:
        assert trial.name == name and all(batch in BATCHES for _, batch in trial.cards)
        before = 0
        for ticks, lines in trial.edges:
            assert 0 <= ticks < 1 << 30 and (lines ^ before).bit_count() == 1
            before = lines
        assert before == 0


@pytest.mark.parametrize(
    "name",
    sorted(set(CLASSES) - {"overlap", "overlap_face_up", "follower", "blank", "stops", "jerk", "pushed_in"}),
)
def test_the_trouble_fires(name: str) -> None:
    """Many trials of an ideal card in this class show other turns of the four lines than any undisturbed card."""
    odd = 0
    for trial in trials(name, 4, 0, 12, IDEAL, BATCHES):
        ((card, batch),) = trial.cards
        plain = [
            lines
            for _, lines in shown(
                printing.print_card(card_code.frame_cells(card, batch), np.random.default_rng(1), IDEAL)
            )
        ]
        odd += [lines for _, lines in trial.edges] != plain
    assert odd >= 3


def test_a_follower_comes_within_ten_milliseconds_and_is_apart() -> None:
    seen = 0
    for trial in trials("follower", 4, 0, 30, IDEAL, BATCHES):
        present = of_line([((ticks - trial.edges[0][0]) % (1 << 30), lines) for ticks, lines in trial.edges], 1)
        assert len(present) == 4 and len(trial.expected) == 2
        seen += present[2] - present[1] <= 10_000
    assert seen >= 27  # where it is slowest the gap that the barrier needs takes longer


def test_a_card_that_comes_back_leaves_more_than_once() -> None:
    for trial in trials("out_and_back", 4, 0, 20, IDEAL, BATCHES):
        assert len(of_line(trial.edges, 1)) in (4, 6) and trial.expected == ("card",)


# ---------------------------------------------------------------------------------------- changes of the ink


def test_a_lost_mark_is_missing_on_both_clock_lines_and_nowhere_else(card: paint.Sheet) -> None:
    edges = shown(ink_changes.lose(card, Places(card), 7))
    plain = shown(card)
    gone = [set(of_line(plain, bit)) - set(of_line(edges, bit)) for bit in (1, 2, 4, 8)]
    assert [len(one) for one in gone] == [0, 2, 2, 0]
    assert sorted(gone[1]) == of_line(plain, 2)[14:16]


def test_joined_marks_are_one_long_one(card: paint.Sheet) -> None:
    edges = shown(ink_changes.join(card, Places(card), 7))
    plain = of_line(shown(card), 2)
    assert of_line(edges, 2) == plain[:15] + plain[17:] and len(of_line(edges, 4)) == 50


@pytest.mark.parametrize("cell", [-2, -1, 26, 27])
def test_an_added_mark_lies_where_the_next_cell_would_be(card: paint.Sheet, cell: int) -> None:
    edges = of_line(shown(ink_changes.add(card, Places(card), cell)), 2)
    plain = of_line(shown(card), 2)
    extra = sorted(set(edges) - set(plain))
    assert extra == pytest.approx([plain[0] + 4000 * cell, plain[1] + 4000 * cell], abs=2)


def test_a_split_mark_is_two(card: paint.Sheet) -> None:
    edges = shown(ink_changes.split(card, Places(card), 7, 0.5))
    assert len(of_line(edges, 2)) == len(of_line(edges, 4)) == 54 and len(at_centres(edges)) == 25


@pytest.mark.parametrize("dark", [True, False])
def test_a_cell_is_set(card: paint.Sheet, dark: bool) -> None:
    for cell in range(card_code.CELLS):
        wanted = list(CELLS)
        wanted[cell] = int(dark)
        assert at_centres(shown(ink_changes.set_cell(card, Places(card), cell, dark))) == tuple(wanted)


def test_a_forgery_reads_as_the_card_it_is_meant_for() -> None:
    """All of its changes done, the strip shows an ideal head the 26 cells of the other card: the search is right."""
    fewest = 99
    for card, batch in [(number, batch) for batch in BATCHES for number in range(0, 52, 7)]:
        targets = [(other, batch) for other in range(52) if other != card]
        steps, target = ink_changes.forgery(card, batch, targets)
        fewest = min(fewest, len(steps))
        sheet = printing.print_card(card_code.frame_cells(card, batch), np.random.default_rng(1), IDEAL)
        forged = ink_changes.apply(sheet, Places(sheet), steps)
        seen = at_centres(shown(forged))
        assert seen == card_code.frame_cells(*target), (card, batch, steps)
    assert 3 <= fewest <= 8


def test_places_are_known_when_the_first_or_the_last_mark_was_not_printed() -> None:
    for seed in range(40):
        model = replace(HARSH, lost=0.1, flipped=0.0, length_mm=57.0)
        sheet = printing.print_card(CELLS, np.random.default_rng(seed), model)
        whole = printing.print_card(CELLS, np.random.default_rng(seed), replace(model, lost=0.0))
        at, all_places = Places(sheet), Places(whole)
        assert at.start == pytest.approx(all_places.start, abs=1e-6) and at.pitch == pytest.approx(all_places.pitch)
        assert all_places.start == pytest.approx(float(whole.bands[0].steps[0]), abs=0.1)


# ------------------------------------------------------------------------------------------------ the judge


def trial(expected: tuple[str, ...], *cards: tuple[int, int]) -> Trial:
    return Trial("x", cards, expected, [])


MINE, OTHER = Named("card", 3, 1), Named("card", 4, 1)
PULL_BACK, BLANK, DOUBLE, SHORT, STUCK = (
    Named(name, 63, 0) for name in ("pull_back", "blank", "double_feed", "unreadable short", "blocked stuck")
)


@pytest.mark.parametrize(
    ("expected", "cards", "found", "verdict"),
    [
        (("card",), [(3, 1)], [MINE], RIGHT),
        (("card",), [(3, 1)], [SHORT], UNREADABLE),
        (("card",), [(3, 1)], [MINE, STUCK], UNREADABLE),
        (("card",), [(3, 1)], [OTHER], WRONG),
        (("card",), [(3, 1)], [MINE._replace(name="foreign_batch", batch=2)], WRONG),
        (("blank",), [], [MINE], WRONG),
        (("card",), [(3, 1)], [MINE, MINE], MISNAMED),
        (("card",), [(3, 1)], [], MISNAMED),
        (("card",), [(3, 1)], [PULL_BACK], MISNAMED),
        (("card",), [(3, 1)], [SHORT, PULL_BACK], MISNAMED),
        (("card",), [(3, 1)], [MINE, BLANK], MISNAMED),
        (("card",), [(3, 1)], [DOUBLE], MISNAMED),
        (("pull_back", "card"), [(3, 1)], [PULL_BACK, MINE], RIGHT),
        (("pull_back", "card"), [(3, 1)], [MINE, PULL_BACK], MISNAMED),
        (("pull_back", "card"), [(3, 1)], [PULL_BACK, SHORT], UNREADABLE),
        (("card", "card"), [(3, 1), (4, 1)], [MINE, OTHER], RIGHT),
        (("card", "card"), [(3, 1), (4, 1)], [MINE], MISNAMED),
        (("card", "card"), [(3, 1), (4, 1)], [SHORT], UNREADABLE),
        (("double_feed",), [(3, 1), (4, 1)], [DOUBLE], RIGHT),
        (("double_feed",), [(3, 1), (4, 1)], [MINE], MISNAMED),
        (("double_feed",), [(3, 1), (4, 1)], [SHORT], UNREADABLE),
        (("double_feed",), [(3, 1)], [OTHER], WRONG),
    ],
)
def test_what_was_named_is_judged(
    expected: tuple[str, ...], cards: list[tuple[int, int]], found: list[Named], verdict: str
) -> None:
    assert judge(trial(expected, *cards), found)[0] == verdict


def test_classes_go_on_after_a_stop() -> None:
    todo = reading_classes.tasks(["lost", "pwm"], 1200, 500, {("lost", 1)})
    assert todo == [("lost", 0, 500), ("pwm", 0, 500), ("pwm", 1, 500), ("lost", 2, 200), ("pwm", 2, 200)]


def test_the_program_tells_each_class_and_goes_on_where_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    state = tmp_path / "state.jsonl"
    words = ["--classes", "jerk,blank", "--passes", "12", "--model", "ideal", "--state", str(state)]
    monkeypatch.setattr(sys, "argv", ["reading_campaign.py", *words])
    assert reading_campaign.main() == 0
    first = capsys.readouterr().out
    assert "passes a second" in first
    kept = state.read_text()
    assert len(kept.splitlines()) == 2
    assert reading_campaign.main() == 0
    assert state.read_text() == kept
    assert [line for line in first.splitlines() if "a second" not in line] == capsys.readouterr().out.splitlines()
    monkeypatch.setattr(sys, "argv", ["reading_campaign.py", *words, "--batches", "2"])
    assert reading_campaign.main() == 0
    assert len(state.read_text().splitlines()) == 4, "other batches are another campaign"
    monkeypatch.setattr(sys, "argv", ["reading_campaign.py", "--classes", "confetti"])
    with pytest.raises(SystemExit):
        reading_campaign.main()
