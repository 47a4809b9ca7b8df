"""What is drawn of a pass: places, bits, speed and margins from the edges, beside what the shoe's own head reads."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from card_pulls import CLOCK_B
from shoe.reading.read_head import ReadHead
from shoe.wire_table import PASS_CARD
from shoesim.model import HARSH
from shoesim.pull import pull
from shoetool.model import card_code
from shoetool.model.protocol_table import Pass
from shoetool.report.pass_track import track
from shoetool.wire.answers import TracePass
from traced_passes import SPEED, THROUGH, pulled


def bits(one: TracePass) -> tuple[int, ...]:
    return tuple(int(cell.dark) for cell in track(one).cells)


@pytest.mark.parametrize("batch", [1, 4])
@pytest.mark.parametrize("card", [0, 25, 51, 52, 56])
def test_an_even_pull_gives_the_printed_bits_at_the_printed_places(card: int, batch: int) -> None:
    found = track(pulled(card, batch))
    assert [int(cell.dark) for cell in found.cells] == list(card_code.frame_cells(card, batch))
    assert found.marks == card_code.CELLS and not found.skips and not any(cell.moved for cell in found.cells)
    assert {round(at.value, 2) for at in found.speeds} == {SPEED / 1000}
    # As printed: an edge of DATA lies on the border of a cell, 0.75 mm from a bit; clock edges are 0.5 mm apart.
    assert {round(at.value, 2) for at in found.data} == {0.75}
    assert {round(at.value, 2) for at in found.clocks} == {0.5}
    borders = [
        at for at, (one, other) in enumerate(pairwise((0, *card_code.frame_cells(card, batch), 0))) if one != other
    ]
    assert [round(at.mm / card_code.CELL_MM, 2) for at in found.data] == borders
    quiet_mm = (card_code.POKER_MM - card_code.CODE_MM) / 2
    assert found.present_mm == pytest.approx(card_code.PRESENT_MM - quiet_mm, abs=0.01)


def test_going_back_and_on_again_changes_no_bit() -> None:
    there_and_back = ((40_000, SPEED), (25_000, 2 * SPEED), (25_000, -3_000_000), (THROUGH, SPEED))
    one = pulled(37, moves=there_and_back)
    found = track(one)
    assert bits(one) == card_code.frame_cells(37, 1) and found.marks == card_code.CELLS
    assert min(at.value for at in found.speeds) == pytest.approx(-2 * SPEED / 1000, rel=0.01)
    assert len(found.steps) > 4 * card_code.CELLS
    # Where it stood and turned round, the time says nothing about the way, so there is no margin to be afraid of.
    assert min(at.value for at in found.clocks) == pytest.approx(0.5, abs=0.01)


def test_a_card_that_is_pushed_in_has_no_bit_and_a_speed_below_0() -> None:
    out = pulled(3)
    one = TracePass(0, 2, Pass.UNREADABLE, tuple(reversed([(8000, lines) for _, lines in out.edges])))
    found = track(one)
    assert not found.marks and not found.cells and found.present_mm is None
    assert all(at.value < 0 for at in found.speeds) and len(found.speeds) > 90


def test_a_hidden_mark_is_one_step_that_is_far_too_long() -> None:
    found = track(pulled(25, lost=(9,)))
    assert found.marks == len(found.cells) == card_code.CELLS - 1
    (long,) = (at for at in found.clocks if at.value > 1)
    assert long.mm == pytest.approx(9 * card_code.CELL_MM) and long.value == pytest.approx(2.5, abs=0.05)
    assert {round(at.value, 2) for at in found.clocks if at is not long} == {0.5}


def test_data_that_move_where_a_bit_is_taken_have_a_margin_below_0() -> None:
    """The edge between two cells lies 1.1 mm too late: in the middle of the second one."""
    found = track(pulled(25, smeared=(3, 1100)))
    (cell,) = (cell for cell in found.cells if cell.moved)
    (edge,) = (at for at in found.data if at.value < 0)
    assert edge.mm == pytest.approx((cell.number + 0.5) * card_code.CELL_MM + 0.1, abs=0.01)
    assert edge.value == pytest.approx(-0.15, abs=0.01)


def test_a_dead_clock_line_lets_no_mark_go_by() -> None:
    found = track(pulled(25, kind=Pass.BLOCKED, dead=CLOCK_B))
    assert found.marks == 0 and not found.cells


@pytest.mark.parametrize("edges", [(), ((0, 0),), ((0, 15), (0, 0), (0, 15)), ((70000, 9), (0, 6))])
def test_edges_that_no_card_makes_are_no_error(edges: tuple[tuple[int, int], ...]) -> None:
    assert len(track(TracePass(0, 0, Pass.BLOCKED, edges)).times_us) == len(edges)


def test_the_bits_are_those_that_the_shoes_own_head_read() -> None:
    """Two implementations, over hands and heads at their worst; a mark may be hidden, and one cell put right."""
    rng = np.random.default_rng(7)
    named = compared = 0
    for number in range(120):
        card = number % 57
        edges, _ = pull(card, 1, 0, 0, rng, HARSH)
        head, taken = ReadHead(0, (1,)), []
        done = None
        while done is None:
            time, lines = edges[len(taken)]
            taken.append((time - edges[max(0, len(taken) - 1)][0], lines))
            done = head.feed(time, lines)
        found = track(TracePass(0, 0, done.kind, tuple(taken)))
        named += done.kind == PASS_CARD
        if done.card != 63 and found.marks == card_code.CELLS:
            wrong = sum(
                cell.dark != bool(bit) for cell, bit in zip(found.cells, card_code.frame_cells(card, 1), strict=True)
            )
            assert done.card == card and wrong == done.corrected
            compared += 1
    assert named > 90 and compared > 90
