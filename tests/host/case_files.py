"""A history of a simulated session and its table record, for the tests of cases."""

from __future__ import annotations

import json
from pathlib import Path

from histories import IDENTITY, cut_pages
from shoesim.wagers import TableRecorder
from shoesim.wagers_plants import WagerPlant
from shoetool.history.store import ShoelogWriter
from shoetool.model.protocol_table import Game
from shoetool.rules.submission.file import example, parse
from table_session import session

RULES = parse(example("blackjack"), "blackjack")


def history(path: Path, seed: int = 71, until: int | None = None) -> Path:
    """A history of a session, or its beginning before record `until`."""
    records = [one for one in session(Game.BLACKJACK, seed) if until is None or one.number < until]
    with ShoelogWriter(path, sync=False) as writer:
        writer.set_identity(IDENTITY)
        for page in cut_pages(records, 0, 3, bytes(32)):
            writer.append_page(page)
    return path


def table_record(path: Path, *plants: str, seed: int = 71) -> tuple[Path, int]:
    """The table record of that session with these errors, and the round of the last of them."""
    recorder = TableRecorder(RULES, seed, [WagerPlant(name) for name in plants], table="blackjack")
    lines = list(recorder.lines(list(session(Game.BLACKJACK, seed)), 3))
    path.write_text("\n".join(json.dumps(line, ensure_ascii=False) for line in lines) + "\n", encoding="utf-8")
    return path, int(recorder.planted[-1].round) if plants else 1
