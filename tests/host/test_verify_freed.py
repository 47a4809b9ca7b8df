"""What verifying a history makes is freed with its report, and needs no collector: nothing in it refers in a circle.

A worker verifies thousands of histories one after the other. With circles it kept the last hundred of them in memory,
and spent a tenth of its time looking for them. Rounds that are settled against a table record do refer in circles.
"""

from __future__ import annotations

import gc
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from shoetool.model.protocol_table import Game
from shoetool.verify.engine import Verifier
from shoetool.verify.verify_history import verify
from signed_histories import flip, signed_file
from table_session import session


def in_circles(work: Callable[[], object]) -> Counter[str]:
    """Objects of shoetool that are left when `work` is over and its result is gone."""
    work()  # what is made once is there now
    gc.collect()
    flags = gc.get_debug()
    gc.set_debug(gc.DEBUG_SAVEALL)
    try:
        work()
        gc.collect()
        return Counter(type(one).__name__ for one in gc.garbage if type(one).__module__.startswith("shoetool."))
    finally:
        gc.set_debug(flags)
        gc.garbage.clear()


@pytest.mark.parametrize("damaged", [False, True])
def test_a_signed_history_is_freed(tmp_path: Path, damaged: bool) -> None:
    path = signed_file(tmp_path, seed=1, shoe=11)
    if damaged:
        path.write_bytes(flip(path.read_bytes(), 3000))
    assert not in_circles(lambda: verify(path))


@pytest.mark.parametrize("game", list(Game), ids=lambda game: game.name)
def test_each_game_is_freed(game: Game) -> None:
    records = session(game, 1, decks=2 if game == Game.FROM_THE_HAND else 6)
    assert not in_circles(lambda: verify(records))


def test_a_circle_is_found() -> None:
    def work() -> None:
        verifier = Verifier()
        verifier.notes = [verifier]  # type: ignore[list-item]

    assert in_circles(work)["Verifier"] == 1
