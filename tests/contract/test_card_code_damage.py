"""Law 1: what the code alone allows, through the firmware's decoder; and the tables of CARD_CODE.md."""

from __future__ import annotations

import importlib.util
import random
import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from shoe.reading import card_code as device
from shoe.reading import decode
from shoe.reading.decode import CellReader
from shoe.reading.read_head import ReadHead
from shoe.wire_table import PASS_CARD, PASS_COVER_CARD, PASS_FOREIGN_BATCH, PASS_TEST_CARD, PASS_UNREADABLE

ROOT = Path(__file__).resolve().parents[2]
NAMED = (PASS_CARD, PASS_COVER_CARD, PASS_FOREIGN_BATCH, PASS_TEST_CARD)
DESIGNS = [(1, 2), (3, 4)]


def load(name: str, folder: str = "bench") -> ModuleType:
    if str(ROOT / "tests" / folder) not in sys.path:
        sys.path.insert(0, str(ROOT / "tests" / folder))
    spec = importlib.util.spec_from_file_location(name, ROOT / "tests" / folder / f"{name}.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


proof = load("card_code_proof")
pulls = load("card_pulls", "firmware")
STRUCTURES = list(proof.structures())


@pytest.fixture
def remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    """The decoder asks the word of each frame once."""
    monkeypatch.setattr(decode, "named", decode.named)
    monkeypatch.setattr(decode, "shortened", decode.shortened)
    proof.remember()


# ------------------------------------------------------------------------------------------ the search of objects


@pytest.mark.usefixtures("remembered")
@pytest.mark.parametrize("design", DESIGNS)
def test_no_card_is_fewer_objects_from_another_one_than_the_specification_says(design: tuple[int, int]) -> None:
    """A sample of all structures, in an even pull."""
    found, asked = proof.search(design, proof.EVEN, 200)
    assert asked > 14 and found["data cells alone"].objects == 4
    assert min(least.objects for least in found.values()) >= 3


@pytest.mark.usefixtures("remembered")
def test_the_search_can_fail_when_the_decoder_puts_cells_right_in_any_pull(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(decode, "uneven_cells", lambda *_: 0)
    some = [one for one in STRUCTURES if one.hidden == (12,) and one.way.endswith("one added")]
    monkeypatch.setattr(proof, "structures", lambda: iter(some))
    found, _ = proof.search((1, 2), proof.EVEN)
    monkeypatch.undo()
    monkeypatch.setattr(proof, "structures", lambda: iter(some))
    right, _ = proof.search((1, 2), proof.EVEN)
    assert found["a mark hidden, one added"].objects < right["a mark hidden, one added"].objects


@pytest.mark.usefixtures("remembered")
@pytest.mark.parametrize("hand", [proof.EVEN, proof.HELPS])
def test_what_is_asked_of_some_words_holds_for_all(hand: str) -> None:
    """Where no whole word is taken, none is with a wrong cell; and where one word may have one, all may."""
    decoder = proof.Decoder((1, 2))
    whole = [one for one in STRUCTURES if one.count == proof.CELLS]
    taken = set()
    for structure in [whole[0], *whole[1::700]]:
        short, full = (set(decoder.taken(structure, hand, everything)[0].tolist()) for everything in (False, True))
        assert short == full, structure
        taken.add(len(full))
    assert len(taken) >= 2


def test_nothing_is_taken_but_what_comes_near_a_word() -> None:
    """Cells drawn at random, and near words, at random times: all that the decoder takes is among the candidates."""
    rng = random.Random(5)
    reader = CellReader()
    reader.set_batches((1, 2))
    near = {count: {*proof.candidates(count, 0), *proof.candidates(count, 1)} for count in (25, 26)}
    words = [int(word) for word in proof.frames()]
    taken = 0
    for _ in range(2000):
        structure = rng.choice(STRUCTURES)
        if structure.count not in near:
            continue
        frame = rng.choice(words)
        for _ in range(rng.choice((0, 0, 0, 1, 1, 2, 3))):
            frame ^= 1 << rng.randrange(26)
        if structure.count == 25:
            frame = proof.without(frame, rng.randrange(26))
        ring = bytearray(frame >> structure.count - 1 - cell & 1 for cell in range(structure.count)) + bytes(40)
        reader.read(structure.times(rng.choice((proof.EVEN, proof.HELPS))), ring, 0, structure.count, 0, 5)
        if reader.kind in NAMED:
            taken += 1
            assert frame in near[structure.count]
    assert taken > 60


def test_strokes_over_each_other_are_counted_by_hand() -> None:
    for source, target, least in (
        (0, 0, 0),
        (0, 0b111, 1),
        (0b10101, 0b11011, 2),
        (0, 0b10101, 3),
        (0b1010100, 0b1101010, 3),
    ):
        assert proof.strokes_over(source, target) == least, (source, target)


# ----------------------------------------------------------------------------------------- rates and single damage


def test_with_marks_lost_and_added_a_wrong_card_is_rarer_than_the_aim() -> None:
    found = proof.rates(proof.HARSH.lost)
    own, other = (sum(figures[at] for figures in found.values()) for at in (0, 1))
    assert 1e-13 < own < 3e-13 and 1e-12 < other < 5e-12


@pytest.mark.parametrize("design", DESIGNS)
def test_a_card_of_the_other_design_with_a_hidden_mark_and_two_wrong_cells_is_no_card_of_this_one(
    design: tuple[int, int],
) -> None:
    _words, mine = proof.card_words.all_words()
    shown = proof.card_words.shortened(proof.frames())
    own = shown[mine == (design[0] - 1) // 2].ravel()
    for word in shown[mine != (design[0] - 1) // 2]:
        assert np.bitwise_count(own[:, None] ^ word[None, :]).min() >= 3


def even_marks(count: int, gap: int) -> list[int]:
    """Times of `count` marks of a card pulled evenly at 0.5 m/s, as `reading.track` fills them."""
    marks = [0] * 128
    for mark in range(count):
        begin = 100_000 + 4000 * (mark + (gap <= mark))
        marks[mark], marks[64 + mark] = begin, begin + 3000
    return marks


def test_every_card_with_a_lost_mark_is_read_as_itself() -> None:
    reader = CellReader()
    reader.set_batches((1,))
    for gap in range(1, 25):
        marks = even_marks(25, gap)
        for card in range(0, 57, 4):
            for batch in (1, 2):
                cells = int(proof.without(1 << 25 | device.encode(card, batch) << 1, gap))
                ring = [cells >> (24 - cell) & 1 for cell in range(25)] + [0] * 39
                reader.read(marks, ring, 0, 25, 0, 5)
                assert reader.kind in NAMED and (reader.card, reader.batch) == (card, batch)


@pytest.mark.parametrize("design", DESIGNS)
def test_a_lost_mark_and_a_wrong_cell_are_never_another_card(design: tuple[int, int]) -> None:
    reader = CellReader()
    reader.set_batches(design)
    for gap in range(1, 25, 5):
        marks = even_marks(25, gap)
        for word in proof.frames().tolist()[::5]:
            for cell in range(25):
                cells = int(proof.without(word, gap)) ^ 1 << cell
                reader.read(marks, [cells >> (24 - at) & 1 for at in range(25)] + [0] * 39, 0, 25, 0, 5)
                assert reader.kind not in NAMED or 1 << 25 | device.encode(reader.card, reader.batch) << 1 == word


# ------------------------------------------------------------------------------------------------ forgeries, as edges


def strokes(cells: list[int], *spans: tuple[int, int, int]) -> list[int]:
    """Return cells with strokes over them: first cell, the one behind the last, and the colour."""
    cells = list(cells)
    for first, end, colour in spans:
        cells[first:end] = [colour] * (end - first)
    return cells


@pytest.mark.parametrize("speed", [60, 400, 2500])
@pytest.mark.parametrize("clock", ["whole", "joined", "joined and added"])
def test_two_strokes_and_a_blot_never_make_another_card(clock: str, speed: int) -> None:
    """As card 3 of batch 2 was once 43: two strokes of any length and colour; or a blot, and one or two strokes."""
    rng = random.Random(f"{clock} {speed}")
    wrong, read = [], 0
    for _ in range(250):
        card, batch = rng.randrange(57), rng.choice((1, 2))
        spans = []
        for _ in range(2):
            first = rng.randrange(26)
            spans.append((first, rng.randint(first + 1, 26), rng.randrange(2)))
        cells = strokes(pulls.frame(card, batch), *spans)
        dark = []
        if clock != "whole":
            place = rng.randrange(1, 26)
            dark.append((place * 2000 + 5000, place * 2000 + 6000))
        if clock == "joined and added":
            dark.append((58_000, 59_000))
        changes = pulls.strip(cells, added=dark)
        apart = [change for change in changes if changes.count(change) == 1]
        for kind, named, its_batch, *_ in pulls.feed_all(ReadHead(0, (1, 2)), pulls.move(apart, [(80_000, speed)])):
            read += kind in NAMED
            wrong += [(card, batch, spans)] if kind in NAMED and (named, its_batch) != (card, batch) else []
    assert wrong == [] and (read > 0 or clock == "joined and added")


@pytest.mark.parametrize("speed", [60, 180, 600, 2500])
def test_two_joined_pairs_side_by_side_put_no_cell_right(speed: int) -> None:
    """Each looks regular beside the other: four changes of one cell were another card."""
    for card, other in ((46, 24), (7, 30), (51, 2)):
        target = pulls.frame(other, 1)
        for place in range(1, 22):
            # The head is to see the other card's cells, but for one: two marks are passed over, and two are added.
            seen = [*target[:place], 0, *target[place : place + 1], 0, *target[place + 1 : 24]]
            seen[24] ^= 1
            dark = [(at * 2000 + 5000, at * 2000 + 6000) for at in (place, place + 2)]
            dark += [(58_000, 59_000), (60_000, 61_000)]
            changes = pulls.strip(seen, added=dark)
            apart = [change for change in changes if changes.count(change) == 1]
            found = pulls.feed_all(ReadHead(0, (1, 2)), pulls.move(apart, [(80_000, speed)]))
            assert [kind for kind, *_ in found] == [PASS_UNREADABLE], (card, place)
