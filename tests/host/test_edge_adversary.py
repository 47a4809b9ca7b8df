"""An adversary at the level of edges: with two damages and any times no card is wrong; and he does what he says."""

from __future__ import annotations

import sys
from pathlib import Path
from random import Random

import numpy as np
import pytest
from confusions import confusions
from shoesim.model import IDEAL
from shoesim.pull import pull
from shoetool.model import card_code

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "bench"))
import edge_adversary
from edge_adversary import LAWFUL, Strip, run_chunk, stream

SEED = 1
STREAMS = 700


@pytest.mark.parametrize("damages", range(LAWFUL + 1))
def test_two_damages_at_any_times_never_make_another_card(damages: int) -> None:
    _, counts, bad = run_chunk((SEED, damages, 0, STREAMS))
    assert [(number, one.card, one.batch, one.done, wrong) for number, one, wrong in bad] == []
    assert counts.total() == STREAMS
    if not damages:
        assert counts["read"] > 0.97 * STREAMS  # times that look like a hidden mark may cost a reading


def test_more_damage_does_make_other_cards() -> None:
    """So he is able to: with half a dozen changes he writes another card."""
    _, counts, bad = run_chunk((SEED, 6, 0, 300))
    assert counts["wrong"] == len(bad) > 0


def test_without_damage_his_stream_is_that_of_an_ideal_card_and_head() -> None:
    strip = Strip(17, 1, 63.0, Random(1))
    strip.rng.choice = lambda row: row[0]  # type: ignore[method-assign]  # each turn at its own place
    strip.rng.uniform = lambda low, high: 0.0  # type: ignore[method-assign]
    state, seen = 0, []
    for _, bit in strip.places():
        state ^= bit
        seen.append(state)
    edges, _ = pull(17, 1, 0, 0, np.random.default_rng(1), IDEAL)
    assert seen == [lines for _, lines in edges]


def turns(strip: Strip, bit: int) -> int:
    return sum(line == bit for _, line in strip.places())


@pytest.mark.parametrize(("kind", "marks"), [("lose", -2), ("join", -2), ("add", 2), ("flip", 0), ("part", 0)])
def test_each_damage_is_done(kind: str, marks: int) -> None:
    both = clocks = data = 0
    for seed in range(30):
        plain, strip = (Strip(3, 1, 63.0, Random(seed)) for _ in range(2))
        getattr(strip, kind)()
        changed = [turns(strip, line) - turns(plain, line) for line in (edge_adversary.CLOCK_A, edge_adversary.CLOCK_B)]
        assert set(changed) <= {0, marks}
        both += changed == [marks, marks] != [0, 0]
        clocks += any(changed)
        data += strip.cells != plain.cells or strip.glitches != plain.glitches
    assert (both > 5 and clocks == 30 and data == 0) if marks else (clocks == 0 and data == 30)


def test_he_aims_where_another_card_is_near() -> None:
    """With the wrong cells wrong and the lost mark lost, what is left is the other card without the mark that seems to
    be lost."""
    for card in range(0, 52, 13):
        for one in confusions(card, 1, edge_adversary.BATCHES)[:10]:
            cells = list(card_code.frame_cells(card, 1))
            for cell in one.flips:
                cells[cell] ^= 1
            del cells[one.gone]
            other = card_code.frame_cells(one.card, one.batch)
            assert (one.card, one.batch) != (card, 1) and tuple(cells) == other[: one.seems] + other[one.seems + 1 :]


def test_equal_seeds_give_equal_streams_and_all_lines_end_bright() -> None:
    for number in range(60):
        runs = [stream(Random(number), number % 5) for _ in range(2)]
        assert runs[0] == runs[1]
        before = 0
        for ticks, lines in runs[0].edges:
            assert 0 <= ticks < 1 << 30 and (lines ^ before).bit_count() == 1
            before = lines
        assert before == 0
