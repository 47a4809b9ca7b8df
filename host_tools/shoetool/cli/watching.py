"""The live view: records are drawn as a table on a terminal, and printed as one line each in a pipe."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable
from typing import Final, Self

import click
from rich.live import Live

from shoetool.cli.exits import say
from shoetool.cli.output import console, emit_line
from shoetool.model.records import Record
from shoetool.model.times import clock_now
from shoetool.report.live import TableDrawing
from shoetool.report.table_state import public
from shoetool.report.table_view import TableView
from shoetool.report.time_of_day import TimesOfDay, moment_json

FRAME_S: Final = 0.08


class Watch:
    """Shows records as they come. Use it as a context manager. `title` stands above the table on a terminal."""

    def __init__(
        self,
        title: str = "",
        as_json: bool = False,
        force_lines: bool = False,
        silent: bool = False,
        times: TimesOfDay | None = None,
    ) -> None:
        """Choose the view: a drawing on a terminal; lines in a pipe, with --json or when asked for; or nothing.

        With `times` each record has its time of day.
        """
        self._times = times
        self.view = TableView()
        self._as_json = as_json
        self._silent = silent
        self._out = console()
        self._drawn = 0.0
        self._stale = False
        self._notice_passes = False
        self._drawing = TableDrawing(self.view, title)
        self._live: Live | None = None
        drawable = self._out.is_terminal and not self._out.is_dumb_terminal
        if drawable and not (as_json or force_lines or silent):
            self._live = Live(
                self._drawing,
                console=self._out,
                auto_refresh=False,
                vertical_overflow="crop",
                redirect_stderr=sys.stderr.isatty(),  # when it is no terminal, its text goes where the user sent it
            )

    def __enter__(self) -> Self:
        if self._live is not None:
            try:
                self._live.start(refresh=True)
            except BaseException:  # Ctrl-C while it draws for the first time: there is no `__exit__` yet
                self._live.stop()
                raise
        return self

    def __exit__(self, *_: object) -> None:
        if self._live is not None:
            self._live.refresh()
            self._live.stop()

    def show(self, records: Iterable[Record]) -> None:
        """Fold records into the table and show them. Call it without records now and then to refresh the drawing."""
        for record in records:
            self.view.feed(record)
            self._stale = True
            if self._times is not None:
                self._drawing.clock = self._times.clock(record)
            if self._notice_passes:
                self._drawing.notice, self._notice_passes = "", False
            if self._live is None and not self._silent:
                self._line(record)
        now = time.monotonic()
        if self._live is not None and self._stale and now - self._drawn >= FRAME_S:
            self._live.refresh()
            self._drawn, self._stale = now, False

    def notice(self, text: str, passes: bool = True) -> None:
        """Show one line about the view itself.

        It stands in the drawing, until the next record if it `passes`. It also goes to standard error, unless standard
        error is the same terminal as the drawing.
        """
        self._drawing.notice, self._notice_passes = text, passes
        if self._live is not None:
            self._live.refresh()
        if self._live is None or not sys.stderr.isatty():
            say(text[:1].lower() + text[1:])

    def line_lost(self, silent_s: float) -> None:
        """Show that the shoe has been silent for so many seconds, and dim what may have changed since."""
        since = clock_now(silent_s)
        self._drawing.stale = True
        self.notice(
            f"The line to the shoe is lost since {since}; trying again. What happens meanwhile is fetched afterwards.",
            passes=False,
        )

    def line_back(self) -> None:
        """Show that the shoe answers again."""
        self._drawing.stale = False
        self.notice(f"The line is back since {clock_now()}.")

    def _line(self, record: Record) -> None:
        times = self._times
        if self._as_json:
            time_of_day = None if times is None else moment_json(times.of(record), times.zone)
            emit_line("event", {"record": public(record), "time": time_of_day, "sentence": self.view.sentence(record)})
            return
        if times is not None and (day := times.new_day(times.of(record))) is not None:
            say(day)
        clock = "" if times is None else f"{times.clock(record)}  "
        click.echo(f"{record.number:>7}  {clock}{self.view.sentence(record)}")
