"""When the RP2040's flash is busy: never with a card in a throat, and no erase within half a second of a card.

The application deals on the flash layer of board/pico; a model of the chip notes each erase and program as it begins.
"""

from __future__ import annotations

import functools
import random
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "firmware"))

from board_fake import PAGES, FakeBoard, edges_of, run
from pico.flash_log import FlashLog
from rp2_flash import Chip, Flash
from shoe import wire_table as t
from shoe.app.app import App
from shoe.app.heads import Heads

PAGE = 512  # small, so that pages change often
QUIET_MS = 500
PRESENT = 1
TICKS = 1 << 30


class TimedBoard(FakeBoard):
    """Keeps (operation, ms since the last edge or None before any, whether a card is in a throat) of flash at work."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed=seed)
        self.noted: list[tuple[str, int | None, bool]] = []
        self.edge_ms: int | None = None
        devices = []
        for name, pages in zip(("journal", "vault", "store", "keys"), PAGES, strict=True):
            chip = Chip(pages, self.power, PAGE)
            if name == "journal":  # once written and long overwritten: each page is erased before it is used
                chip.data[:] = b"\x5a" * len(chip.data)
            chip.busy = functools.partial(self.note, name)
            devices.append(FlashLog(Flash(chip), pages))
        self.journal, self.vault, self.store, self.keys = devices

    def note(self, name: str, operation: str, page: int) -> None:
        since = None if self.edge_ms is None else (self.ms - self.edge_ms) % TICKS
        self.noted.append((f"{operation} {name}", since, any(lines & PRESENT for lines in self.dark)))

    def read_edges(self, head, times, lines):
        n = super().read_edges(head, times, lines)
        if n > 0:
            self.edge_ms = self.ms
        return n


def script(rng: random.Random, cards: int) -> list[tuple]:
    """Cards drawn in one to four pieces with time in between, keys pressed while they are in the throat, pauses."""
    steps: list[tuple] = [("key", t.KEY_LOAD, 0)]
    for _ in range(cards):
        edges = edges_of(rng.randrange(52))
        cuts = sorted(rng.sample(range(1, len(edges)), rng.randrange(4)))
        for start, end in zip([0, *cuts], [*cuts, len(edges)], strict=True):
            steps.append(("edges", 0, edges[start:end]))
            steps.append(("ms", rng.choice((1, 20, 300, 2000))))
            if rng.random() < 0.5:
                steps.append(("key", rng.choice((t.KEY_SEATS, t.KEY_DEAL, t.KEY_REVEAL, t.KEY_SUPERVISOR)), 1))
        steps += [("ms", rng.choice((1, 100, 499, 500, 501, 3000)))] * rng.randrange(1, 4)
    return [*steps, ("ms", 600), ("ms", 1), ("ms", 1)]


@pytest.mark.parametrize("seed", range(6))
def test_flash_is_at_rest_while_a_card_is_in_a_throat(seed: int) -> None:
    print(f"seed {seed}")
    board = TimedBoard(seed + 1)
    board.script = script(random.Random(seed), 60)
    app = App(board)
    run(app)
    assert app.journal.next_record > 60, "hardly anything was recorded: nothing was tested"
    running = [note for note in board.noted if note[1] is not None]
    assert sum(note[0].startswith("program") for note in running) > 60
    early = [note for note in running if note[0].startswith("erase") and note[1] < QUIET_MS]
    assert sum(note[0] == "erase journal" for note in running) >= 5
    assert not [note for note in board.noted if note[2]], "flash at work with a card in a throat"
    # The vault's first page ever is erased when the first card is sealed, which may be at once; all others ahead.
    assert [note[0] for note in early] in ([], ["erase vault"]), early


def test_the_notes_would_show_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """The test's own eyes: an application that does not look into the throats is seen."""
    monkeypatch.setattr(Heads, "in_throat", lambda self: False)
    monkeypatch.setattr(App, "_holds", lambda self: False)
    board = TimedBoard(1)
    board.script = script(random.Random(0), 60)
    run(App(board))
    assert [note for note in board.noted if note[2]]
