"""The live view on a terminal and in a pipe: the same records, drawn or as lines."""

from __future__ import annotations

import io
import re

import pytest
from pty_shoe import short_shoe
from rich.console import Console
from rich.live import Live
from shoetool.cli import watching
from shoetool.cli.watching import Watch
from shoetool.history.start_clock import Moment
from shoetool.model.times import Zone
from shoetool.report import faces
from shoetool.report.live import draw
from shoetool.report.time_of_day import TimesOfDay

FACES_OF_SEALED = ("K♠", "Q♠")


def screen(monkeypatch: pytest.MonkeyPatch, **options: object) -> io.StringIO:
    out = io.StringIO()
    settings = {"force_terminal": True, "width": 80, "height": 24, "markup": False, "highlight": False, **options}
    monkeypatch.setattr(watching, "console", lambda: Console(file=out, **settings))  # type: ignore[arg-type]
    return out


def test_a_terminal_gets_the_table_and_no_face_down_face(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watching, "FRAME_S", 0.0)
    out = screen(monkeypatch, color_system="standard")
    with Watch("a title") as watch:
        for record in short_shoe().records:
            watch.show([record])
    plain = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", out.getvalue())
    for part in ("a title", "DEALER  10 shown", "░░░", "[1]", "[3]", "stand"):
        assert part in plain
    assert not any(face in plain for face in FACES_OF_SEALED)


def test_without_colour_nothing_is_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    out = screen(monkeypatch, color_system=None)
    with Watch() as watch:
        watch.show(short_shoe().records)
    assert "10♣" in out.getvalue() and "9♦" in out.getvalue() and "░░░" in out.getvalue()


@pytest.mark.parametrize("options", [{"force_terminal": False}, {}])
def test_a_pipe_and_a_wish_for_lines_get_a_line_an_event(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], options: dict[str, object]
) -> None:
    out = screen(monkeypatch, **options)
    with Watch(force_lines=not options) as watch:
        watch.show(short_shoe().records)
    assert len(capsys.readouterr().out.splitlines()) == len(short_shoe().records)
    assert out.getvalue() == ""


def test_a_terminal_that_cannot_move_its_cursor_gets_lines(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("TERM", "dumb")
    screen(monkeypatch)
    with Watch() as watch:
        watch.show(short_shoe().records)
    assert "hole card" in capsys.readouterr().out


def plain(out: io.StringIO) -> str:
    return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", out.getvalue())


@pytest.mark.parametrize("height", [24, 40])
def test_a_lost_line_is_said_in_the_drawing_whose_height_stays(monkeypatch: pytest.MonkeyPatch, height: int) -> None:
    out = screen(monkeypatch, color_system="standard", height=height)
    with Watch() as watch:
        watch.show(short_shoe().records)
        watch.line_lost(2.0)
        text = " ".join(plain(out).split())
        assert re.search(r"The line to the shoe is lost since \d\d:\d\d:\d\d; trying again\.", text)
        assert "What happens meanwhile is fetched afterwards." in text
        lost = draw(watch.view, 80, height, "", watch._drawing.notice, stale=True)
        assert len(lost) == len(draw(watch.view, 80, height))
        inked = [line.plain for line in lost if line.plain.strip() and line.style != faces.DIM]
        assert [line.startswith("The line") for line in inked[:1]] == [True] and len(inked) == 2
        watch.line_back()
        assert not watch._drawing.stale and "The line is back since" in plain(out)
        watch.show(short_shoe().records[-1:])
        assert watch._drawing.notice == ""


def test_a_lost_line_is_said_on_standard_error_in_a_pipe(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    screen(monkeypatch, force_terminal=False)
    with Watch() as watch:
        watch.line_lost(2.0)
        watch.line_back()
    said = capsys.readouterr()
    first, second = said.err.splitlines()
    assert first.startswith("shoetool: the line to the shoe is lost since ") and first.endswith("fetched afterwards.")
    assert second.startswith("shoetool: the line is back since ") and said.out == ""


def test_the_drawing_says_when_the_last_event_was(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watching, "FRAME_S", 0.0)
    out = screen(monkeypatch, color_system="standard")
    records = short_shoe().records
    at = Moment(1_760_000_000_000, 1_760_000_000_000)
    known = {records[-1].ticks_ms: at}
    with Watch(times=TimesOfDay(lambda record: known.get(record.ticks_ms), Zone("UTC"))) as watch:
        watch.show(records[:-1])
        watch.show(records[-1:])
    for clock in ("--:--:--", "08:53:20"):
        assert re.search(rf"[●○] ready .* last event {clock}", plain(out))
    assert max(len(line.plain) for line in draw(watch.view, 80, 24, clock="08:53:20 ±12 s")) <= 80


def test_ctrl_c_in_the_first_moment_of_the_drawing_shows_the_cursor_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """The signal comes after the cursor was hidden, and before there is anything to leave."""
    out = screen(monkeypatch)

    def interrupted(live: Live) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Live, "refresh", interrupted)
    with pytest.raises(KeyboardInterrupt), Watch("a title"):
        pass
    assert re.findall(r"\x1b\[\?25[hl]", out.getvalue()) == ["\x1b[?25l", "\x1b[?25h"]
