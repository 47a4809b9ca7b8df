"""The measurements run: those on an emulated RP2040 start from any folder, and settling is one of every game."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from sampled import some

BENCH = Path(__file__).resolve().parents[1] / "bench"
sys.path.append(str(BENCH))

import rp2040_rate  # noqa: E402
import settle_rounds  # noqa: E402
from shoetool.rules.games import GAMES  # noqa: E402

PROGRAMS = sorted(path for path in BENCH.glob("rp2040_*.py") if path.name != "rp2040_shoe.py")  # what they share


@pytest.mark.parametrize("program", some(PROGRAMS, 3), ids=lambda path: path.stem)
def test_it_tells_its_usage(program: Path, tmp_path: Path) -> None:
    surroundings = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "RP2_UF2")}
    done = subprocess.run(
        [sys.executable, program, "--help"], cwd=tmp_path, env=surroundings, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr[-2000:]
    assert done.stdout.startswith(f"usage: {program.name}")
    assert "--seed" in done.stdout


def test_a_maximum_is_that_of_all_seeds_and_says_of_which() -> None:
    """The bound is for the time from the last edge that any head saw; that from the card's own edge is only told."""
    runs = [
        rp2040_rate.Run(
            seed, 4, 0, True, 4, 0, 70_000, ([9.0, 10.0], [late, 11.0]), ([9.0, 90.0], [late, 11.0]), 0.0, 0.0
        )
        for seed, late in ((1, 12.0), (2, 19.5), (3, 10.0))
    ]
    figure, own = rp2040_rate.latency("12 cards/s", runs, (0, 1), 19.0)
    assert figure.measured == "p50 10.0 ms, p99 19.5 ms, max 19.5 ms of 12 (seed 2, card 1 of side B)"
    assert figure.good is False
    assert own.measured == "p50 11.0 ms, p99 90.0 ms, max 90.0 ms of 12 (seed 3, card 2 of side A)"
    assert own.good is None
    figure, _ = rp2040_rate.latency("12 cards/s", runs, (0,), 40.0)
    assert figure.measured.startswith("p50 9.0 ms, p99 10.0 ms, max 10.0 ms of 6") and figure.good


@pytest.mark.parametrize("game", GAMES)
def test_settling_is_measured_with_every_wager_of_the_game_on_every_position(game: str) -> None:
    table = settle_rounds.table_of(game)
    assert settle_rounds.measure(table, 4, 1).lines >= table.positions * (1 + len(table.wagers))


def test_settling_is_measured_with_the_wagers_of_one_chapter() -> None:
    table = settle_rounds.table_of("blackjack", "633c", 1)
    assert [settle_rounds.WAGERS[key].chapter for key in table.wagers] == ["633c"]
