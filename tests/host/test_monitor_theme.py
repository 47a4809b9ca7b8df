"""The colours of `shoetool monitor`: every text can be read on a dark and on a light terminal, and which it is."""

from __future__ import annotations

import contextlib
import fcntl
import os
import pty
import select
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from pty_shoe import PtyShoe
from rich.style import Style
from shoetool.cli import monitor_theme
from shoetool.cli.monitor_screen import MonitorScreen
from shoetool.cli.monitor_theme import AUTO, DARK, LIGHT, theme_of
from shoetool.model.protocol_table import FaultCode, Game, RecordKind
from shoetool.model.records import Record
from table_session import session
from test_monitor_screen import on_screen
from textual.pilot import Pilot

READ = "♣♦♥♠○●!░"


def luminance(colour: tuple[int, int, int]) -> float:
    """Relative luminance, WCAG 2.2."""
    parts = [c / 255 for c in colour]
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(style: Style) -> float:
    """Contrast of a text with its ground: 1 to 21."""
    assert style.color is not None and style.bgcolor is not None and not style.dim
    ink, ground = (luminance(one.get_truecolor()) for one in (style.color, style.bgcolor))
    return (max(ink, ground) + 0.05) / (min(ink, ground) + 0.05)


def texts(app: MonitorScreen) -> Iterator[tuple[str, float]]:
    """Each text on the screen with its contrast; not the lines of boxes."""
    for strip in app.screen._compositor.render_strips(app.screen.size):
        for segment in strip:
            if segment.style is not None and any(one.isalnum() or one in READ for one in segment.text):
                yield segment.text, contrast(segment.style)


def scene() -> list[Record]:
    """Three rounds with a breach in them, and a fault in the middle of the last one."""
    records = list(session(Game.BLACKJACK, 5, plants=("dealer_stops_short",)))
    upto = [at for at, one in enumerate(records) if one.kind == RecordKind.REVEALED][-1]
    fault = Record(records[upto].number, 1, records[upto].ticks_ms, RecordKind.FAULT, (FaultCode.UNREADABLE, 0, 1))
    return [*records[:upto], fault]


@pytest.mark.parametrize("theme", [DARK, LIGHT])
def test_every_text_stands_out_from_its_ground(theme: str) -> None:
    """4.5 to 1 (WCAG 2.2, 1.4.3); 3 to 1 for what is dimmed while the line is lost, since it may be out of date."""

    async def look(app: MonitorScreen, pilot: Pilot[None]) -> None:
        seen = 0
        app._notice("The line is back since 12:00:00.", False)
        for key in "1234":
            await pilot.press(key)
            await pilot.pause(0.1)
            found = list(texts(app))
            assert not [(text, round(ratio, 2)) for text, ratio in found if ratio < 4.5], key
            seen += len(found)
        assert seen > 100, "it measures nothing"
        app._line(True, "The line to the shoe is lost since 12:00:00; trying again.")
        await pilot.press("1")
        await pilot.pause(0.2)
        assert not [(text, round(ratio, 2)) for text, ratio in texts(app) if ratio < 3]

    on_screen(scene(), (80, 24), look, theme)


WHITE, BLACK = "rgb:ffff/ffff/ffff", "rgb:00/00/00"


@pytest.mark.parametrize(
    ("answer", "colorfgbg", "asked", "theme"),
    [
        (BLACK, "", AUTO, DARK),
        (WHITE, "", AUTO, LIGHT),
        ("rgb:f/f/e", "", AUTO, LIGHT),
        ("rgba:fdfd/f6f6/e3e3/ffff", "15;0", AUTO, LIGHT),  # the terminal knows better
        ("rgb:2828/2a2a/3636", "0;15", AUTO, DARK),
        ("", "0;15", AUTO, LIGHT),
        ("", "0;default;15", AUTO, LIGHT),
        ("", "15;0", AUTO, DARK),
        ("nonsense", "nonsense", AUTO, DARK),
        ("", "", AUTO, DARK),
        (BLACK, "15;0", LIGHT, LIGHT),
        (WHITE, "0;15", DARK, DARK),
    ],
)
def test_the_theme_is_what_was_asked_for_or_what_the_terminal_is(
    monkeypatch: pytest.MonkeyPatch, answer: str, colorfgbg: str, asked: str, theme: str
) -> None:
    """The terminal is as it was afterwards, and what it answered is not read as keys."""
    monkeypatch.setenv("COLORFGBG", colorfgbg)
    master, slave = pty.openpty()
    with os.fdopen(slave, "r+b", buffering=0) as terminal:
        monkeypatch.setattr(sys, "stdin", terminal)
        monkeypatch.setattr(sys, "stdout", terminal)
        before = termios.tcgetattr(slave)
        said = f"\x1b]11;{answer}\x1b\\" if answer else ""
        os.write(master, f"{said}\x1b[?62;22c\n".encode())
        assert theme_of(asked) == theme
        assert termios.tcgetattr(slave) == before
        if asked == AUTO:
            assert not select.select([slave], [], [], 0)[0]
    os.close(master)


def test_a_terminal_that_never_answers_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(monitor_theme, "ANSWER_S", 0.05)
    monkeypatch.delenv("COLORFGBG", raising=False)
    master, slave = pty.openpty()
    with os.fdopen(slave, "r+b", buffering=0) as terminal:
        monkeypatch.setattr(sys, "stdin", terminal)
        monkeypatch.setattr(sys, "stdout", terminal)
        assert theme_of(AUTO) == DARK
    os.close(master)


def test_without_a_terminal_nothing_is_asked(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("COLORFGBG", raising=False)
    with (tmp_path / "out").open("w+b") as file:
        monkeypatch.setattr(sys, "stdin", file)
        monkeypatch.setattr(sys, "stdout", file)
        assert theme_of(AUTO) == DARK
    assert not (tmp_path / "out").read_bytes()


def printed_on(port: str, *words: str, **environment: str) -> bytes:
    """All that the screens print on a terminal that says it is light."""
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    command = [sys.executable, "-m", "shoetool", "monitor", "--port", port, *words]
    around = {**os.environ, "TERM": "xterm-256color", "COLORTERM": "truecolor", **environment}
    seen = b""
    with subprocess.Popen(
        command, stdin=slave, stdout=slave, stderr=slave, env=around, start_new_session=True, preexec_fn=own_terminal
    ) as program:
        os.close(slave)
        ends, told = time.monotonic() + 30, False
        while b"DEALER" not in seen and time.monotonic() < ends:
            if select.select([master], [], [], 0.1)[0]:
                seen += os.read(master, 65536)
            if b"\x1b]11;?" in seen and not told:
                told = True
                os.write(master, b"\x1b]11;rgb:ffff/ffff/ffff\x1b\\\x1b[?62;22c")
        os.write(master, b"q")
        ends = time.monotonic() + 30
        with contextlib.suppress(OSError):  # the other end is closed
            while program.poll() is None and time.monotonic() < ends:
                if select.select([master], [], [], 0.1)[0]:
                    seen += os.read(master, 65536)
        program.kill()
    os.close(master)
    assert b"DEALER" in seen, seen[-2000:]
    return seen


def own_terminal() -> None:
    """Let the terminal be the program's own, which it may ask."""
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


@pytest.mark.parametrize(
    ("words", "environment", "theme"), [((), {}, LIGHT), (("--theme", "dark"), {"SHOETOOL_THEME": "light"}, DARK)]
)
def test_on_a_real_terminal_the_screens_have_its_ground(
    words: tuple[str, ...], environment: dict[str, str], theme: str
) -> None:
    with PtyShoe() as shoe:
        seen = printed_on(shoe.port, *words, **environment)
    ground = {DARK: b"48;2;18;18;18", LIGHT: b"48;2;252;252;252"}
    assert ground[theme] in seen and not any(other in seen for key, other in ground.items() if key != theme)
