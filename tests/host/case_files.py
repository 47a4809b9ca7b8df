"""A history of a simulated session and its table record, for the tests of cases."""

from __future__ import annotations

import json
import re
from hashlib import sha256
from html import unescape
from pathlib import Path

from click.testing import CliRunner, Result
from dealer_script import Dealer, Table
from histories import IDENTITY, Script, cut_pages
from shoesim.wagers import TableRecorder
from shoesim.wagers_plants import WagerPlant
from shoetool.cli import build
from shoetool.history.chain import page_number
from shoetool.history.chunks import ClockPoint
from shoetool.history.store import ShoelogWriter
from shoetool.model.protocol_table import Game
from shoetool.rules.submission.file import example, parse
from table_session import session

EVENING_MS = 1_760_043_600_000
"""Unix time in ms at which the last record was written: 2025-10-09, 21:00 UTC."""
RULES = parse(example("blackjack"), "blackjack")


def history(path: Path, seed: int = 71, until: int | None = None) -> Path:
    """A history of a session, or its beginning before record `until`."""
    records = [one for one in session(Game.BLACKJACK, seed) if until is None or one.number < until]
    with ShoelogWriter(path, sync=False) as writer:
        writer.set_identity(IDENTITY)
        writer.add_clock(ClockPoint(records[-1].boot, records[-1].ticks_ms, EVENING_MS, 3, 0))
        for page in cut_pages(records, 0, 3, bytes(32)):
            writer.append_page(page)
    return path


def two_shoes(path: Path, *rounds: int) -> Path:
    """A history that holds two whole shoes, or at most so many rounds of each."""
    page, previous, first = 0, bytes(32), 0
    with ShoelogWriter(path, sync=False) as writer:
        writer.set_identity(IDENTITY)
        for shoe in (1, 2):
            script = Script(first_record=first, boot=0 if shoe == 1 else 1)
            records = Dealer(Table(), shoe, "", script).play_shoe(*rounds[shoe - 1 : shoe], boot=shoe == 1).records
            pages = cut_pages(records, page, shoe, previous)
            for data in pages:
                writer.append_page(data)
            page, previous, first = page_number(pages[-1]) + 1, sha256(pages[-1]).digest(), first + len(records)
    return path


def table_record(path: Path, *plants: str, seed: int = 71) -> tuple[Path, int]:
    """The table record of that session with these errors, and the round of the last of them."""
    recorder = TableRecorder(RULES, seed, [WagerPlant(name) for name in plants], table="blackjack")
    lines = list(recorder.lines(list(session(Game.BLACKJACK, seed)), 3))
    path.write_text("\n".join(json.dumps(line, ensure_ascii=False) for line in lines) + "\n", encoding="utf-8")
    return path, int(recorder.planted[-1].round) if plants else 1


def run(*arguments: object) -> Result:
    return CliRunner().invoke(build(), [str(argument) for argument in arguments])


def words(html: str) -> str:
    """What a reader sees of a page, spaces folded; a card is its spoken name."""
    html = re.sub(
        r'<span class="card[^>]*aria-label="([^"]*)"[^>]*>.*?</span>\s*</span>|<style>.*?</style>',
        r" \1 ",
        html,
        flags=re.S,
    )
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", html)).split())
