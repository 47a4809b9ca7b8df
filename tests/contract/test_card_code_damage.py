"""Law 1: what the code alone allows, against the firmware; and the tables of CARD_CODE.md by exhaustion."""

from __future__ import annotations

import importlib.util
import random
import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from shoe.reading import card_code as device
from shoe.reading import refused_frames
from shoe.reading import words as read_head_words
from shoe.reading.decode import CellReader
from shoe.reading.read_head import ReadHead
from shoe.wire_table import (
    PASS_CARD,
    PASS_COVER_CARD,
    PASS_FOREIGN_BATCH,
    PASS_TEST_CARD,
    PASS_UNREADABLE,
    UNREADABLE_AMBIGUOUS,
)
from shoetool.model import card_code as host

ROOT = Path(__file__).resolve().parents[2]
NAMED = (PASS_CARD, PASS_COVER_CARD, PASS_FOREIGN_BATCH, PASS_TEST_CARD)


def load(name: str, folder: str = "bench") -> ModuleType:
    path = ROOT / "tests" / folder / f"{name}.py"
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


proof = load("card_code_proof")
pulls = load("card_pulls", "firmware")


def test_the_tables_are_those_of_the_specification_and_no_card_is_less_than_six_spots_of_ink_from_another() -> None:
    text = proof.SPECIFICATION.read_text(encoding="utf-8")
    assert proof.specification(text) == text
    for design in proof.DESIGNS:  # in one test, as both take the same search of some seconds
        assert min(proof.changes_by_ink(design).values()) >= 6


@pytest.mark.parametrize("batch", range(host.FIRST_BATCH, host.LAST_BATCH + 1))
def test_a_lost_and_an_added_mark_leave_two_wrong_cells_to_every_other_word(batch: int) -> None:
    assert min(proof.closest(batch, other) for other in range(batch, host.LAST_BATCH + 1)) >= 2


def test_the_measure_can_fail_batches_of_before_come_close(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(host, "BATCH_CODES", (1, 6, 48, 18, 32, 36, 42, 45))
    assert proof.closest(1, 1) < 2


@pytest.mark.parametrize("design", proof.DESIGNS)
def test_no_stain_over_any_cells_and_a_mark_makes_a_card_another_one(design: tuple[int, int]) -> None:
    assert sum(cards for cards, _ in proof.stains(design)) == 0
    assert sum(cards for cards, _ in proof.stains(design, proof.explained_25)) > 1000, "the list refuses them"


def test_the_firmware_refuses_what_the_exhaustive_search_finds_and_nothing_else() -> None:
    assert proof.REFUSED.read_text(encoding="utf-8") == proof.refused_module()
    assert len(refused_frames.REFUSED) > 400 and len(refused_frames.FORGED) > 20


@pytest.mark.parametrize("design", proof.DESIGNS)
def test_a_card_of_the_other_design_with_two_damages_is_no_card_of_this_one(design: tuple[int, int]) -> None:
    """Wherever the lost mark and the wrong cell are, whatever the times say."""
    found, _, good, _ = proof.accepted_25(design)
    accepted = found[good]
    for batch in set(proof.BATCHES) - set(design):
        shown = proof.hidden(proof.frames(batch)).ravel()
        assert not np.isin(shown, accepted).any()
        for cell in range(25):
            assert not np.isin(shown ^ np.uint32(1 << cell), accepted).any()


def test_with_marks_lost_and_added_a_wrong_card_is_rarer_than_the_aim() -> None:
    for design in proof.DESIGNS:
        for damage, aim in ((proof.HARSH.lost, 1e-9), (proof.NOMINAL.lost, 1e-15)):
            found = proof.rates(design, damage)
            assert 0 < found.lost < found.lost + found.added < aim


def words(batches: tuple[int, ...]) -> dict[int, int]:
    return {c << 6 | b: 1 << 25 | host.encode(c, b) << 1 for b in batches for c in range(host.LAST_CARD + 1)}


def without(word: int, cell: int) -> int:
    low = 25 - cell
    return word >> (low + 1) << low | word & ((1 << low) - 1)


def test_the_firmware_finds_what_a_plain_search_finds() -> None:
    rng = random.Random(11)
    reader = CellReader()
    reader.set_batches((3,))
    known = words((3, 4))
    for _ in range(150):
        word = known[rng.choice(list(known))] if rng.random() < 0.8 else rng.getrandbits(26)
        cells = without(word, rng.randrange(26))
        for _ in range(rng.choice((0, 1, 1, 2, 3))):
            cells ^= 1 << rng.randrange(25)
        wrong = {
            key: [(without(value, place) ^ cells).bit_count() for place in range(26)] for key, value in known.items()
        }
        order = sorted(known, key=lambda key: min(wrong[key]))
        read_head_words.explain(reader._in_play, cells)
        least = min(wrong[order[0]])
        found = read_head_words.FOUND
        assert (found[read_head_words.WRONG], found[read_head_words.OTHER]) == (least, min(wrong[order[1]]))
        if least < min(wrong[order[1]]):
            assert found[read_head_words.WORD] == order[0]
            assert found[read_head_words.PLACES] == sum(1 << p for p in range(26) if wrong[order[0]][p] == least)


def even_marks(count: int, gap: int) -> tuple[object, int]:
    """Times of `count` marks of a card pulled evenly at 0.5 m/s, as `reading.track` fills them."""
    marks = np.zeros(128, dtype=np.int32)
    for mark in range(count):
        begin = 100_000 + 4000 * (mark + (gap <= mark))
        marks[mark], marks[64 + mark] = begin, begin + 3000
    return marks.tolist(), 0


@pytest.mark.parametrize("gap", range(1, 25))
def test_every_card_with_a_lost_mark_is_read_as_itself_or_not_at_all(gap: int) -> None:
    reader = CellReader()
    reader.set_batches((1,))
    marks, first = even_marks(25, gap)
    read = 0
    for card in range(0, 57, 4):
        for batch in (1, 2):
            cells = without(1 << 25 | device.encode(card, batch) << 1, gap)
            ring = [cells >> (24 - cell) & 1 for cell in range(25)] + [0] * 39
            reader.read(marks, ring, first, 25, 0, 5)
            if reader.kind in NAMED:
                read += 1
                assert (reader.card, reader.batch) == (card, batch)
    assert read >= 28


def explained_twice(design: tuple[int, int]) -> list[tuple[int, int]]:
    """Return (25 cells, hidden place) of each card with a lost mark and a wrong cell that two damages more explain.

    That is: one word explains the cells with one wrong cell, and the next best one with two.
    """
    found, _, accepted, shown = proof.accepted_25(design)
    flips = (1 << np.arange(25)).astype(np.uint32)
    one_wrong = shown[:, 1:25, None] ^ flips[None, None, :]  # word, hidden place, wrong cell
    refused = ~np.isin(one_wrong, found[accepted])
    return [(int(one_wrong[at]), int(at[1]) + 1) for at in zip(*np.nonzero(refused), strict=True)]


@pytest.mark.parametrize("design", proof.DESIGNS)
def test_a_lost_mark_and_a_wrong_cell_that_another_card_explains_almost_as_well_are_ambiguous(
    design: tuple[int, int],
) -> None:
    """Every such frame, with a long mark where the true one is hidden: the times agree, and are not asked."""
    reader = CellReader()
    reader.set_batches(design)
    frames = explained_twice(design)
    others = set()
    for cells, gap in frames:
        marks, first = even_marks(25, gap)
        reader.read(marks, [cells >> (24 - cell) & 1 for cell in range(25)] + [0] * 39, first, 25, 0, 5)
        others.add(read_head_words.FOUND[read_head_words.OTHER])
        assert (reader.kind, reader.reason) == (PASS_UNREADABLE, UNREADABLE_AMBIGUOUS)
    assert 2 in others, "no frame at the bound"


def forgeries(design: tuple[int, int], most: int) -> list[tuple[int, int, int]]:
    """Return (word, hidden place, target) where a hidden mark, one added and `most` wrong cells or fewer would do."""
    sources = np.concatenate([proof.frames(batch, 52) for batch in design])
    found = []
    for place in range(1, 25):
        wrong = proof.distances(proof.without(sources, place), sources >> 1)
        for source, target in zip(*np.nonzero(wrong <= most), strict=True):
            if source != target:
                found.append((int(sources[source]), place, int(sources[target])))
    return found


def forged(design: tuple[int, int], joined: bool, speed: int) -> list[list[int]]:
    """Return how each forgery of five spots or fewer is named, pulled evenly."""
    named = []
    for word, place, target in forgeries(design, 3):
        # The head is to see the target's cells: the hidden mark is passed over, and the last one is the added one.
        cells = [target >> (25 - cell) & 1 for cell in range(26)]
        shown = [*cells[:place], word >> (25 - place) & 1, *cells[place:25]]
        dark = [(58_000, 59_000)]
        if joined:
            dark.append((place * 2000 + 5000, place * 2000 + 6000))
        changes = pulls.strip(shown, lost=() if joined else (place,), added=dark)
        apart = [change for change in changes if changes.count(change) == 1]
        found = pulls.feed_all(ReadHead(0, design), pulls.move(apart, [(80_000, speed)]))
        named.append([kind for kind, *_ in found])
    return named


@pytest.mark.parametrize("speed", [55, 180, 600, 2500])
@pytest.mark.parametrize("joined", [True, False])
def test_five_spots_of_ink_never_make_another_card_at_any_even_pull(speed: int, joined: bool) -> None:
    """As K♥ was once made 9♥: two marks joined, one added behind the code, cells turned."""
    for design in proof.DESIGNS:
        named = forged(design, joined, speed)
        assert len(named) > 4 and named == [[PASS_UNREADABLE]] * len(named)


def test_these_forgeries_would_be_read_if_the_reader_did_not_look(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(CellReader, "_may_be_forged", lambda *_: False)
    named = forged(proof.DESIGNS[0], True, 300)
    assert named.count([PASS_CARD]) > 4
