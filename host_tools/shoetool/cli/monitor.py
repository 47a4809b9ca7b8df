"""`shoetool monitor`: watch the table live."""

from __future__ import annotations

import importlib.util
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, Protocol

import click

from shoetool.cli.device import connected, key_option, port_options
from shoetool.cli.examples import examples
from shoetool.cli.exits import say
from shoetool.cli.info import heads_of
from shoetool.cli.live_clock import LiveClock
from shoetool.cli.output import json_option
from shoetool.cli.time_window import Asked, RecordOrTime, Window, zone_option
from shoetool.cli.watching import Watch
from shoetool.client.client import Client
from shoetool.client.line_watch import watch_line
from shoetool.client.live import FROM_NEXT, Live
from shoetool.history.clock import ASSUMED
from shoetool.link.transport import EndOfRecording
from shoetool.model.protocol_table import RecordKind
from shoetool.model.records import Record
from shoetool.model.times import Zone
from shoetool.report.sentences import many
from shoetool.report.time_of_day import TimesOfDay
from shoetool.wire.answers import ShoeEntry

END_S: Final = 2.0


@click.command(
    "monitor",
    epilog=examples(
        ("monitor", "the shoe that is plugged in"),
        ("monitor --port /dev/pts/7 --lines", "a line for each event"),
        ("monitor --from 21:14 --lines", "from a time of day on"),
        ("monitor --json | jq .sentence", "for programs"),
    ),
)
@click.option("--next", "only_new", is_flag=True, help="Begin with the next event, not with the start of the shoe.")
@click.option(
    "--from",
    "first",
    type=RecordOrTime(0, FROM_NEXT - 1),
    metavar="RECORD|TIME",
    help="Begin with this record, or with the last shoe's first record from this time of day on, such as 21:14.",
)
@click.option("--plain", is_flag=True, help="Draw the table alone, without the whole screen.")
@click.option(
    "--theme",
    type=click.Choice(["auto", "dark", "light"]),
    default="auto",
    envvar="SHOETOOL_THEME",
    help="Colours of the whole screen; by default those that fit the terminal's background.",
)
@click.option("--lines", is_flag=True, help="Print a line for each event even on a terminal.")
@click.option("--until-closed", is_flag=True, help="End when the shoe's history is closed.")
@click.option("--log", is_flag=True, help="Show the shoe's own log lines on standard error.")
@zone_option
@key_option
@port_options
@json_option
def command(
    only_new: bool,
    first: int | Asked | None,
    plain: bool,
    theme: str,
    lines: bool,
    until_closed: bool,
    log: bool,
    zone: Zone,
    key_file: Path | None,
    port: str | None,
    record: Path | None,
    as_json: bool,
) -> None:
    """Watch the table: cards as they are drawn, positions, side, lamps, faults. Ctrl-C ends it.

    A face-down card is shown as a back until the dealer turns it. On a terminal there are four screens: the table, the
    rounds so far, the findings as they come, and the shoe. In a pipe each event is one line, with --json one JSON
    document on a line. Records that the line loses are fetched again. When an unplugged cable is back, the
    view goes on by itself. Times of day come from this computer's clock, which is compared with the shoe's clock. The
    shoe takes this computer's time into its journal, with the command key if --key names one.
    """

    def on_text(source: str, text: str) -> None:
        if log:
            say(f"{source}: {text}")

    with connected(port, record, on_text, key_file) as client:
        clock = LiveClock(client)
        times = TimesOfDay(clock.moment, zone)
        window = Window(zone, None, first if isinstance(first, Asked) else None, None)

        def read(watch: Shown) -> None:
            answered = watch_line(client, watch.line_lost, watch.line_back)
            if isinstance(first, Asked):
                start = last_shoe(client)
            else:
                start = first if first is not None else None if only_new else current_shoe(client, watch.notice)
            live = client.subscribe(start)
            watch_records(
                live, clock, answered, watch, wanted(times, window, clock), until_closed, doubts(times, watch)
            )

        if whole_screen(plain or lines or as_json):
            on_screen(client, read, times, until_closed, theme)
            return
        with Watch(as_json=as_json, force_lines=lines, times=times) as watch:
            read(watch)


class Shown(Protocol):
    """What shows the records: `Watch`, or the whole screen."""

    def show(self, records: Iterable[Record]) -> None:
        """Show records; none now and then."""

    def notice(self, text: str, passes: bool = True) -> None:
        """Show a line about the view itself."""

    def line_lost(self, silent_s: float) -> None:
        """Show that the shoe has been silent for so many seconds."""

    def line_back(self) -> None:
        """Show that the shoe answers again."""


def whole_screen(declined: bool) -> bool:
    """Whether the view gets the whole terminal: there is one, nobody declined, and Textual is installed."""
    if declined or not (sys.stdout.isatty() and sys.stdin.isatty()) or os.environ.get("TERM") == "dumb":
        return False
    return importlib.util.find_spec("textual") is not None


def on_screen(client: Client, read: Callable[[Shown], None], times: TimesOfDay, until_closed: bool, theme: str) -> None:
    """Show the screens until the person leaves them, or the shoe's history ends and nobody wants more."""
    from shoetool.cli.monitor_screen import MonitorScreen  # Textual is slow to load
    from shoetool.cli.monitor_theme import theme_of

    def reading(screen: MonitorScreen) -> None:
        read(screen)
        if until_closed:
            screen.call_from_thread(screen.exit)
        else:
            screen.notice("The recording ends here.", passes=False)

    screen = MonitorScreen("shoetool monitor", reading, times, lambda: heads_of(client), theme_of(theme))
    with drawn_on_output():
        screen.run()
    if screen.error is not None:
        raise screen.error


@contextmanager
def drawn_on_output() -> Iterator[None]:
    """Let Textual draw on standard output. By itself it takes standard error, which may go into a file."""
    before = sys.__stderr__
    sys.__stderr__ = sys.__stdout__  # type: ignore[misc]
    try:
        yield
    finally:
        sys.__stderr__ = before  # type: ignore[misc]


def watch_records(
    live: Live,
    clock: LiveClock,
    answered: Callable[[], None],
    watch: Shown,
    chosen: Callable[[Record], bool],
    until_closed: bool,
    shown: Callable[[], None],
) -> None:
    """Show the records that `chosen` accepts as they come, until a recording or the shoe's history ends."""
    while True:
        try:
            clock.refresh()
            found = live.poll(0.1)
        except EndOfRecording:
            return
        clock.saw(found)
        answered()
        watch.show([record for record in found if chosen(record)])
        shown()
        if until_closed and any(one.kind == RecordKind.SHOE_CLOSED for one in found):
            return


def doubts(times: TimesOfDay, watch: Shown) -> Callable[[], None]:
    """Return a function that warns once about doubtful times, as soon as one was shown."""
    said = False

    def say_once() -> None:
        nonlocal said
        if times.assumed and not said:
            said = True
            watch.notice(ASSUMED[:1].upper() + ASSUMED[1:])

    return say_once


def wanted(times: TimesOfDay, window: Window, clock: LiveClock) -> Callable[[Record], bool]:
    """Return a function that accepts the records to show: all from the first one that the window holds.

    The span of the history ends with the last reading of the clock.
    """
    begun = not window
    spanned = not window.needs_span

    def chosen(record: Record) -> bool:
        nonlocal begun, spanned
        if not begun:
            moment = times.of(record)
            if moment is not None and not spanned:
                window.span(moment.low_ms, max(moment.high_ms, clock.read_ms or 0))
                spanned = True
            begun = window.holds(moment, moment, record.number)
        return begun

    return chosen


def last_shoe(client: Client) -> int | None:
    """Return the first record of the last history that the shoe holds; None when it holds none."""
    shoes = client.history_list()
    return shoes[-1].first_record if shoes else None


def current_shoe(client: Client, notice: Callable[[str], None]) -> int | None:
    """Return the first record of the open history, so that the table is drawn whole; None when none is open.

    Then `notice` reports that nothing is under way: an empty table would not tell why it is empty.
    """
    shoes = client.history_list()
    last = shoes[-1] if shoes else None
    if last is None or last.shoe == 0:
        notice("No shoe is under way yet; the view begins when one is loaded.")
        return last.first_record if last is not None and not last.closed else None
    if not last.closed:
        return last.first_record
    size = rounds_of(client, last)
    notice(
        f"No shoe is under way; the last one (history {last.shoe}{size}) is closed: shoetool pull --shoe {last.shoe}"
    )
    return None


def rounds_of(client: Client, last: ShoeEntry) -> str:
    """Return the number of rounds of a closed history from its last record, as `, 12 rounds`; empty without it."""
    if last.records == 0:
        return ""
    closing = client.subscribe(last.first_record + last.records - 1).poll(END_S)
    return "".join(f", {many(one.rounds, 'round')}" for one in closing[:1] if one.kind == RecordKind.SHOE_CLOSED)
