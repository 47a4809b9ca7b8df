"""Both encoders against the golden vectors, and every bound of CARD_CODE.md over all words."""

from __future__ import annotations

import importlib.util
import itertools
import json
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from shoe.reading import card_code as device
from shoe.reading.words import named
from shoetool.model import card_code as host

ROOT = Path(__file__).resolve().parents[2]
WORDS = json.loads((ROOT / "tests" / "vectors" / "card_code.json").read_text())["words"]
GOLDEN = {(card, int(batch)): int(word, 16) for batch, row in WORDS.items() for card, word in enumerate(row.split())}

# Every word of the printed code, assigned or not, as rows of 24 cells, and as frames of 26.
MESSAGES = range(4096)


def decoded(word: int) -> tuple[int, int, int] | None:
    packed = named(1 << 25 | word << 1)
    return None if packed < 0 else (packed >> 6 & 63, packed & 63, packed >> 12)


def printed(message: int) -> list[int]:
    word = host.golay(message)
    return [(word >> name & 1) ^ (place in host.MASKED_CELLS) for place, name in enumerate(host.CELL_ORDER)]


ALL = np.array([printed(message) for message in MESSAGES], dtype=np.uint8)
FRAMES = np.concatenate((np.ones((4096, 1), np.uint8), ALL, np.zeros((4096, 1), np.uint8)), axis=1)
NUMBERS = np.array([int("".join(map(str, row)), 2) for row in ALL.tolist()], dtype=np.int64)
POPCOUNT = np.array([value.bit_count() for value in range(1 << 13)], dtype=np.int16)


def nearest(frames: np.ndarray) -> int:
    """Return the least distance, over 26 cells, of any of the frames from any frame of the printed code."""
    both = frames.astype(np.int64) @ (1 << np.arange(25, -1, -1, dtype=np.int64))
    code = FRAMES.astype(np.int64) @ (1 << np.arange(25, -1, -1, dtype=np.int64))
    least = 26
    for start in range(0, len(both), 256):
        difference = both[start : start + 256, None] ^ code[None, :]
        least = min(least, int((POPCOUNT[difference & 8191] + POPCOUNT[difference >> 13]).min()))
    return least


def shifted(frames: np.ndarray, cells: int) -> np.ndarray:
    """Return what is read when the frame is taken `cells` late (negative: early); the quiet zones are bright."""
    quiet = np.zeros((len(frames), 8), np.uint8)
    wide = np.concatenate((quiet, frames, quiet), axis=1)
    return wide[:, 8 + cells : 34 + cells]


def test_both_encoders_give_the_golden_words() -> None:
    assert len(GOLDEN) == 57 * 4
    for (card, batch), word in GOLDEN.items():
        assert host.encode(card, batch) == word
        assert device.encode(card, batch) == word
        assert decoded(word) == (card, batch, 0)


def test_the_tables_of_the_specification_and_the_vectors_are_current() -> None:
    path = ROOT / "tests" / "vectors" / "make_card_code.py"
    spec = importlib.util.spec_from_file_location("make_card_code", path)
    assert spec and spec.loader
    maker = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(maker)
    text = maker.SPECIFICATION.read_text(encoding="utf-8")
    assert maker.specification(text) == text
    assert maker.vectors() == maker.VECTORS.read_text(encoding="utf-8")
    spoiled = text.replace(f"`{host.encode(3, 1):06x}`", "`000000`")
    assert spoiled != text and maker.specification(spoiled) != spoiled


def test_the_geometry_is_the_same_on_both_sides() -> None:
    assert (host.CELLS, host.CODE_CELLS, host.START, host.STOP) == (26, 24, device.START, device.STOP)
    lengths = [name for name in vars(host) if name.endswith("_MM")]
    assert len(lengths) >= 12
    for name in lengths:
        if name != "POKER_LENGTH_MM":  # the head never sees the card's length
            assert getattr(host, name) * 1000 == getattr(device, f"{name[:-3]}_UM")
    assert host.START != host.STOP


def test_two_words_differ_in_at_least_eight_cells() -> None:
    assert len(set(NUMBERS.tolist())) == 4096
    difference = NUMBERS[:, None] ^ NUMBERS[None, :]
    weights = (POPCOUNT[difference & 8191] + POPCOUNT[difference >> 13]).ravel()
    assert {int(w): int(n) // 4096 for w, n in zip(*np.unique(weights, return_counts=True), strict=True)} == {
        0: 1,
        8: 759,
        12: 2576,
        16: 759,
        24: 1,
    }


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
        difference = NUMBERS ^ word
        distance = POPCOUNT[difference & 8191] + POPCOUNT[difference >> 13]
        best = int(distance.argmin())
        key = assigned.get(int(NUMBERS[best])) if distance[best] <= 1 else None
        close += key is not None
        assert decoded(word) == (None if key is None else (*key, int(distance[best])))
    assert 200 < close < 1800


def test_all_dark_and_all_bright_differ_in_four_code_cells() -> None:
    weights = Counter(ALL.sum(axis=1).tolist())
    assert min(weights) == 4 and max(weights) == 20


def test_reversed_reads_differ_in_at_least_six_cells() -> None:
    assert nearest(FRAMES[:, ::-1]) == 6


def test_inverted_reads_differ_in_two_cells_and_both_quiet_zones() -> None:
    # The complement of a Golay word is one: start and stop tell, and the bright paper before and behind the code.
    assert nearest(1 - FRAMES) == 2


def test_reversed_and_inverted_reads_differ_in_at_least_four_cells() -> None:
    assert nearest(1 - FRAMES[:, ::-1]) == 4


@pytest.mark.parametrize(("cells", "least"), [(1, 3), (-1, 4), (2, 3), (-2, 4), (3, 3), (-3, 3), (4, 2), (-4, 2)])
def test_shifted_reads_differ_in_at_least(cells: int, least: int) -> None:
    assert nearest(shifted(FRAMES, cells)) >= least


@pytest.mark.parametrize(("cells", "least"), [(1, 3), (-1, 3), (2, 2), (-2, 2)])
def test_reversed_inverted_and_shifted_reads_differ_in_at_least(cells: int, least: int) -> None:
    assert nearest(shifted(1 - FRAMES[:, ::-1], cells)) >= least


def test_the_plain_cyclic_order_would_not_keep_that_distance() -> None:
    """The measure can fail: in the order of the generator polynomial, unmasked, shifted words are codewords."""
    cyclic = np.array([[host.golay(m) >> name & 1 for name in range(24)] for m in MESSAGES], dtype=np.uint8)
    late = np.concatenate((cyclic[:, 1:23], cyclic[:, :1], cyclic[:, 23:]), axis=1)
    words = {tuple(row) for row in cyclic.tolist()}
    assert all(tuple(row) in words for row in late.tolist())
