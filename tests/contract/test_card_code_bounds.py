"""Both encoders against the golden vectors, and every bound of CARD_CODE.md over all words."""

from __future__ import annotations

import dataclasses
import importlib.util
import itertools
import json
import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from shoe.reading import card_code as device
from shoe.reading.words import named
from shoetool.model import card_code as host

ROOT = Path(__file__).resolve().parents[2]
WORDS = json.loads((ROOT / "tests" / "vectors" / "card_code.json").read_text())["words"]
GOLDEN = {(card, int(batch)): int(word, 16) for batch, row in WORDS.items() for card, word in enumerate(row.split())}


def load(name: str, folder: str) -> ModuleType:
    path = ROOT / "tests" / folder / f"{name}.py"
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


card_words = load("card_words", "bench")
ALL, DESIGN = card_words.all_words()
FRAMES = card_words.framed(ALL)


def decoded(word: int) -> tuple[int, int, int] | None:
    packed = named(1 << 25 | word << 1)
    return None if packed < 0 else (packed >> 6 & 63, packed & 63, packed >> 12)


def nearest(frames: np.ndarray) -> int:
    """Return the least distance, over 26 cells, of any of the frames from any word."""
    return int(np.bitwise_count(frames[:, None] ^ FRAMES[None, :]).min())


def mirrored(frames: np.ndarray) -> np.ndarray:
    """Return what is read backwards."""
    back = np.zeros_like(frames)
    for cell in range(26):
        back |= (frames >> cell & 1) << (25 - cell)
    return back


def shifted(frames: np.ndarray, cells: int) -> np.ndarray:
    """Return what is read when the frame is taken `cells` late (negative: early); the quiet zones are bright."""
    full = np.uint32((1 << 26) - 1)
    return frames << np.uint32(cells) & full if cells > 0 else frames >> np.uint32(-cells)


def test_both_encoders_give_the_golden_words() -> None:
    assert len(GOLDEN) == 57 * 4
    for (card, batch), word in GOLDEN.items():
        assert host.encode(card, batch) == word
        assert device.encode(card, batch) == word
        assert decoded(word) == (card, batch, 0)


def test_the_tables_of_the_specification_and_the_vectors_are_current() -> None:
    maker = load("make_card_code", "vectors")
    text = maker.SPECIFICATION.read_text(encoding="utf-8")
    assert maker.specification(text) == text
    assert maker.vectors() == maker.VECTORS.read_text(encoding="utf-8")
    assert len(set(text.split("`")) & {maker.cells(card, batch)[1:-1] for card, batch in GOLDEN}) == 228
    spoiled = text.replace(maker.cells(3, 1), "`000000`")
    assert spoiled != text and maker.specification(spoiled) != spoiled


def test_the_geometry_is_the_same_on_both_sides() -> None:
    assert (host.CELLS, host.CODE_CELLS, host.START, host.STOP) == (26, 24, device.START, device.STOP)
    lengths = [name for name in vars(host) if name.endswith("_MM")]
    assert len(lengths) >= 12
    for name in lengths:
        if name != "POKER_LENGTH_MM":  # the head never sees the card's length
            assert getattr(host, name) * 1000 == getattr(device, f"{name[:-3]}_UM")
    assert host.START != host.STOP


def test_the_words_have_all_that_the_specification_says() -> None:
    found = card_words.measure(ALL, DESIGN, card_words.coset())
    assert found.objections() == []
    assert (found.dark, found.distances) == ({12}, {8, 12, 16})
    assert (found.deletion_within, found.deletion_across, found.strokes, found.hidden_dark) == (4, 3, 4, (0, 0))


@pytest.mark.parametrize(
    "change",
    [
        {"dark": {12, 13}},
        {"distances": {7, 12}},
        {"distances": {8, 17}},
        {"deletion_within": 3},
        {"deletion_across": 2},
        {"strokes": 3},
        {"hidden_dark": (1, 0)},
        {"hidden_dark": (0, 1)},
        {"cosets": False},
    ],
)
def test_each_property_is_objected_to_when_it_is_missing(change: dict[str, object]) -> None:
    good = card_words.Found({12}, {8, 16}, 4, 3, 4, (0, 0), True)
    assert good.objections() == [] and len(dataclasses.replace(good, **change).objections()) == 1


def test_the_measures_can_fail_on_words_that_come_close() -> None:
    """A word with a pair of cells exchanged, one that is another one late, and one that a stroke makes another one."""
    word = int(ALL[0])
    near = word ^ 0b11 << next(at for at in range(23) if (word >> at & 3) in (1, 2))
    late = word << 1 & 0xFFFFFF
    dark = word | 0xFF
    frames = card_words.framed(np.array([word, near, late, dark], dtype=np.uint32))
    assert card_words.linked_by(frames) <= 1
    assert card_words.deletion_distances(frames)[0].min() < 3
    assert card_words.dark_ways(frames)[0] > 0


def test_strokes_are_counted_by_hand() -> None:
    for source, target, least in ((0b0000, 0b0110, 1), (0b0101, 0b1111, 1), (0b0000, 0b0101, 2), (0b0011, 0b1100, 2),
                                  (0b1111, 0b1111, 0), (0b0101, 0b1010, 4), (0b01010, 0b10001, 3)):  # fmt: skip
        assert card_words.strokes(source, target) == least, (source, target)
        found = card_words.fewest_strokes(np.array([source], np.uint32), np.array([target], np.uint32))
        assert found.tolist() == [[least]]


@pytest.mark.parametrize("batch", [1, 2, 3, 4])
def test_every_single_wrong_cell_is_corrected_and_every_two_are_detected(batch: int) -> None:
    pairs = [1 << a ^ 1 << b for a, b in itertools.combinations(range(24), 2)]
    for card in range(57):
        word = device.encode(card, batch)
        assert all(decoded(word ^ 1 << cell) == (card, batch, 1) for cell in range(24))
        assert all(decoded(word ^ pair) is None for pair in pairs[card % 7 :: 7])


def test_a_decoder_that_sees_nothing_but_distances_agrees_on_any_words_and_on_some_near_the_cards() -> None:
    rng = np.random.default_rng(20)
    assigned = {word: key for key, word in GOLDEN.items()}
    flips = 1 << rng.integers(0, 24, (2000, 3)) >> 2 * rng.integers(0, 14, (2000, 3))
    near = rng.choice(list(assigned), 2000) ^ np.bitwise_xor.reduce(flips, axis=1)
    close = 0
    for word in rng.integers(0, 1 << 24, 15_000).tolist() + near.tolist():
        distance = np.bitwise_count(ALL ^ np.uint32(word))
        best = int(distance.argmin())
        key = assigned[int(ALL[best])] if distance[best] <= 1 else None
        close += key is not None
        assert decoded(word) == (None if key is None else (*key, int(distance[best])))
    assert 200 < close < 1800


def test_all_dark_and_all_bright_differ_in_twelve_code_cells() -> None:
    assert nearest(np.array([0, (1 << 26) - 1], dtype=np.uint32)) == 13


@pytest.mark.parametrize(("way", "least"), [("reversed", 6), ("inverted", 10), ("both", 4)])
def test_what_is_read_backwards_or_inverted_differs_in_at_least(way: str, least: int) -> None:
    full = np.uint32((1 << 26) - 1)
    reads = {"reversed": mirrored(FRAMES), "inverted": FRAMES ^ full, "both": mirrored(FRAMES) ^ full}
    assert nearest(reads[way]) == least


@pytest.mark.parametrize(("cells", "least"), [(1, 5), (-1, 6), (2, 3), (-2, 4), (3, 3), (-3, 4)])
def test_shifted_reads_differ_in_at_least(cells: int, least: int) -> None:
    assert nearest(shifted(FRAMES, cells)) == least
