"""Law 3: a host that polls learns nothing while a card goes by: on CPython, with the board of the unit tests."""

from __future__ import annotations

import struct
import sys
from pathlib import Path
from typing import Any

import pytest
from shoe import wire_table as t
from shoe.app.app import App
from shoe.line.silence import GRID_US, WORK_US, Silence

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "firmware"))
from board_fake import FakeBoard, card, edges_of, run
from link_fake import frame, frames

BURN = 3
LATER_US = 2_000_000  # the burn card is long over


def hole_card(face: int) -> list[tuple[int, int]]:
    return [(at + LATER_US, lines) for at, lines in edges_of(face)]


def pulled(face: int, polling: bool) -> tuple[Any, list[tuple[int, int]]]:
    """Pull `face` in pieces of ten edges; return the board, and what had left after each piece."""
    board: Any = FakeBoard()
    app = App(board)
    seen: list[tuple[int, int]] = []
    edges = hole_card(face)

    def ask(kind: int, payload: bytes, sequence: int) -> tuple[str, Any]:
        return ("call", lambda: board.script.insert(0, ("link", frame(kind, payload, sequence, app.link.epoch))))

    board.script = [
        ask(t.MSG_SUBSCRIBE, struct.pack("<BI", 1, 0), 1),
        ("key", t.KEY_LOAD, 0),
        card(BURN),
        ("ms", 600),
        ("ms", 1),
    ]
    for at in range(0, len(edges), 10):
        if polling:
            board.script.append(ask(t.MSG_TICKS, b"", 10 + at))
        board.script.append(("edges", 0, edges[at : at + 10]))
        board.script.append(("call", lambda: seen.append((len(board.sent), len(board.shown)))))
    run(app)
    return board, seen


@pytest.mark.parametrize("polling", [False, True])
@pytest.mark.parametrize("face", [0, 9, 20, 51])
def test_attack_polled_hole_card(face: int, polling: bool) -> None:
    board, seen = pulled(face, polling)
    assert len(seen) > 8 and len(set(seen[:-1])) == 1
    last = hole_card(face)[-1][0]
    due, sent, _ = next(waited for waited in board.waited if waited[0] >= last + WORK_US)
    assert sent == seen[0][0] < len(board.sent)
    assert due % GRID_US == 0 and WORK_US <= due - last < WORK_US + GRID_US


def test_the_time_of_a_cards_record_is_that_at_which_it_had_left(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []
    monkeypatch.setattr(FakeBoard, "ms_at", lambda self, ticks_us: asked.append(ticks_us) or 4711, raising=True)
    board, _ = pulled(20, polling=False)
    events = [one[3] for one in frames(board.sent) if one[0] == t.MSG_EVENT]
    times = {event[10]: struct.unpack_from("<I", event, 6)[0] for event in events}
    assert hole_card(20)[-1][0] in asked and 4711 in times.values()


def test_a_shoe_that_is_not_silent_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """It can fail: without the gate the answers come between the edges."""
    monkeypatch.setattr(Silence, "write", lambda self, buf, n: self._board.link_write(buf, n))
    monkeypatch.setattr(Silence, "listens", lambda self: True)
    _, seen = pulled(20, polling=True)
    assert len(set(seen[:-1])) > 8
