"""`shoetool monitor` on a whole terminal: four screens at three sizes, without the face of a face-down card."""

from __future__ import annotations

import asyncio
import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from pty_shoe import PtyShoe
from shoetool.cli.monitor_screen import Closed, MonitorScreen
from shoetool.cli.monitor_theme import DARK
from shoetool.judge.finding import BREACH
from shoetool.model.cards import card_name
from shoetool.model.protocol_table import FaultCode, Game, Head, Margin, RecordKind
from shoetool.model.records import Record
from shoetool.verify import verify
from shoetool.wire.answers import Levels, LineLevels
from table_session import session
from textual.pilot import Pilot
from textual.widgets import RichLog

RECORDS = list(session(Game.BLACKJACK, 71))
SIZES = [(60, 20), (80, 24), (120, 40)]


def levels() -> Sequence[Levels]:
    return [Levels(Head.SIDE_A, 255, 32000, 55, True, 0, 0, 63, (LineLevels(None, None, None),) * 4)]


def on_screen(
    records: Sequence[Record],
    size: tuple[int, int],
    look: Callable[[MonitorScreen, Pilot[None]], object],
    theme: str = DARK,
) -> None:
    """Show the records, then let `look`, a coroutine function, look at the application."""

    async def run() -> None:
        shown = threading.Event()

        def read(screen: MonitorScreen) -> None:
            for at in range(0, len(records), 7):
                screen.show(records[at : at + 7])
            shown.set()

        app = MonitorScreen("shoetool monitor", read, None, levels, theme)
        async with app.run_test(size=size) as pilot:
            ends = time.monotonic() + 20
            while not shown.is_set():
                assert time.monotonic() < ends and app.error is None, app.error
                await pilot.pause(0.02)
            await pilot.pause(0.15)
            await look(app, pilot)  # type: ignore[misc]

    asyncio.run(run())


def text_of(app: MonitorScreen) -> str:
    """What stands on the screen, line by line."""
    return "\n".join(
        "".join(segment.text for segment in strip) for strip in app.screen._compositor.render_strips(app.screen.size)
    )


@pytest.mark.parametrize("size", SIZES)
def test_the_table_its_lamps_and_the_keys_stand_on_every_terminal(size: tuple[int, int]) -> None:
    upto = next(at for at, one in enumerate(RECORDS) if one.kind == RecordKind.SEALED and one.get("role", 0)) + 1

    async def look(app: MonitorScreen, pilot: Pilot[None]) -> None:
        told = text_of(app)
        for words in ("DEALER", "Table", "Rounds", "Findings", "Shoe", "Quit", "STOP"):
            assert words in told, told
        assert "░░░" in told

    on_screen(RECORDS[:upto], size, look)


def test_no_face_is_shown_before_a_record_tells_it() -> None:
    """Record by record through a round: a face-down card is nowhere on any of the screens."""
    opened = next(one for one in RECORDS if one.kind == RecordKind.OPENED and one.get("role", 0))
    known = {one.values[4] for one in RECORDS[: RECORDS.index(opened)] if one.kind == RecordKind.CARD}
    card = opened.get("card", -1)
    assert card not in known, "another session is wanted, in which this card was not seen before"

    async def look(app: MonitorScreen, pilot: Pilot[None]) -> None:
        for key in "1234":
            await pilot.press(key)
            await pilot.pause(0.1)
            assert card_name(card) not in text_of(app)

    on_screen(RECORDS[: RECORDS.index(opened)], (120, 40), look)


def test_rounds_and_findings_come_as_they_happen() -> None:
    records = list(session(Game.BLACKJACK, 71))
    report = verify(records)

    async def look(app: MonitorScreen, pilot: Pilot[None]) -> None:
        await pilot.press("2")
        await pilot.pause(0.1)
        lines = "\n".join(strip.text for strip in app.query_one("#rounds-log").lines)  # type: ignore[attr-defined]
        for number in range(1, report.summary.rounds + 1):
            assert f"Round {number} ·" in lines
        await pilot.press("4")
        await pilot.pause(0.2)
        assert "margin 55 %  CLEAN SOON" in text_of(app)

    on_screen(records, (80, 24), look)


@pytest.mark.parametrize("size", SIZES)
def test_no_row_of_a_round_leaves_the_terminal(size: tuple[int, int]) -> None:
    async def look(app: MonitorScreen, pilot: Pilot[None]) -> None:
        await pilot.press("2")
        await pilot.pause(0.2)
        log = app.query_one("#rounds-log", RichLog)
        rows = [strip.text.rstrip() for strip in log.lines]
        assert max(map(len, rows)) < size[0] and not log.show_horizontal_scrollbar
        assert [row for row in rows if row.startswith("  dealer") and row.endswith("  reader: no Blackjack")]

    on_screen(RECORDS, size, look)


def test_a_breach_is_shown_with_its_clause_when_it_is_complete() -> None:
    records = list(session(Game.BLACKJACK, 5, plants=("dealer_stops_short",)))
    (breach,) = [one for one in verify(records).findings if one.verdict == BREACH][:1]

    async def look(app: MonitorScreen, pilot: Pilot[None]) -> None:
        await pilot.press("3")
        await pilot.pause(0.2)
        told = text_of(app)
        assert "BREACH" in told and breach.clause in told and "Findings 1" in told

    on_screen(records, (120, 40), look)


def test_a_fault_says_what_to_do_below_its_heading_on_a_narrow_terminal() -> None:
    upto = [at for at, one in enumerate(RECORDS) if one.kind == RecordKind.REVEALED][7]
    last = RECORDS[upto - 1]
    margin = (Head.READER, Margin.CLEAN_SOON, 61, 32000, 12000, 52000)
    trouble = [
        Record(last.number + 1, last.boot, last.ticks_ms, RecordKind.MARGIN, margin),
        Record(last.number + 2, last.boot, last.ticks_ms, RecordKind.FAULT, (FaultCode.UNREADABLE, 0, 1)),
    ]

    async def look(app: MonitorScreen, pilot: Pilot[None]) -> None:
        assert text_of(app).splitlines()[-2].endswith(" … (key 4)"), "what has no room is told to be elsewhere"
        await pilot.press("4")
        await pilot.pause(0.2)
        lines = text_of(app).splitlines()
        told = lines[lines.index(f"{'Faults':<60}") + 1 : lines.index(f"{'Lamps':<60}")]
        assert len(told) > 1 and all(re.match(r"  \S", line) for line in told), told
        assert "  STOP, clean soon" in map(str.rstrip, lines), "in the words of the first screen"

    on_screen([*RECORDS[:upto], *trouble], (60, 20), look)


def test_a_lost_line_is_told_and_its_thread_ends_with_the_screen() -> None:
    async def run() -> None:
        ended = threading.Event()

        def read(screen: MonitorScreen) -> None:
            screen.show(RECORDS[:20])
            screen.line_lost(3.0)
            try:
                while True:
                    screen.show(())
                    time.sleep(0.01)
            except Closed:
                ended.set()
                raise

        app = MonitorScreen("shoetool monitor", read)
        async with app.run_test(size=(80, 24)) as pilot:
            ends = time.monotonic() + 10
            while "line to the shoe is lost" not in text_of(app):
                assert time.monotonic() < ends
                await pilot.pause(0.05)
            await pilot.press("q")
        assert await asyncio.to_thread(ended.wait, 10) and app.error is None

    asyncio.run(run())


def test_an_error_of_the_line_ends_it_and_is_told_afterwards() -> None:
    async def run() -> None:
        def read(screen: MonitorScreen) -> None:
            raise OSError("gone")

        app = MonitorScreen("shoetool monitor", read)
        async with app.run_test() as pilot:
            while app.is_running and app.error is None:
                await pilot.pause(0.02)
        assert str(app.error) == "gone"

    asyncio.run(run())


def test_a_defect_of_the_screen_is_raised_afterwards_and_prints_no_traceback(capfd: pytest.CaptureFixture[str]) -> None:
    class Broken(MonitorScreen):
        def _draw(self) -> None:
            raise ZeroDivisionError("drawn")

    async def run() -> None:
        app = Broken("shoetool monitor", lambda screen: None)
        with pytest.raises(ZeroDivisionError):
            async with app.run_test() as pilot:
                while app.error is None:
                    await pilot.pause(0.02)
        assert str(app.error) == "drawn"

    asyncio.run(run())
    assert "Traceback" not in "".join(capfd.readouterr())


@pytest.mark.parametrize("log", [False, True], ids=["", "2>log"])
@pytest.mark.parametrize(("words", "key", "code"), [((), b"q", 0), ((), b"\x03", 130), (("--plain",), b"", 130)])
def test_on_a_real_terminal_it_is_left_as_it_was(
    words: tuple[str, ...], key: bytes, code: int, log: bool, tmp_path: Path
) -> None:
    """The alternate screen is left, and the cursor is shown again; also where standard error goes into a file."""
    with PtyShoe() as shoe:
        master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        command = [sys.executable, "-m", "shoetool", "monitor", "--port", shoe.port, *words]
        environment = {**os.environ, "TERM": "xterm-256color", "SHOETOOL_THEME": "dark"}
        with (
            (tmp_path / "log").open("wb") as file,
            subprocess.Popen(
                command, stdin=slave, stdout=slave, stderr=file if log else slave, env=environment
            ) as program,
        ):
            os.close(slave)
            seen = b""
            ends = time.monotonic() + 30
            sent = False
            while time.monotonic() < ends:
                if select.select([master], [], [], 0.05)[0]:
                    try:
                        seen += os.read(master, 65536)
                    except OSError:
                        break
                if not sent and b"DEALER" in seen:
                    if key:
                        os.write(master, key)
                    else:
                        program.send_signal(signal.SIGINT)
                    sent = True
                if program.poll() is not None:
                    break
            program.kill()  # nothing where it has ended, as it must have by now
            while select.select([master], [], [], 0.2)[0]:
                try:
                    seen += os.read(master, 65536)
                except OSError:
                    break
        os.close(master)
    assert sent and program.returncode == code, seen[-500:]
    assert (tmp_path / "log").read_bytes() == b""
    assert (b"\x1b[?1049h" in seen) is (not words), "the whole screen is the alternate one"
    shown = [found.group() for found in re.finditer(rb"\x1b\[\?(?:1049|25)[hl]", seen)]
    assert b"\x1b[?1049h" not in shown or shown[-1] != b"\x1b[?1049h"
    assert shown and shown[-1] != b"\x1b[?25l"
