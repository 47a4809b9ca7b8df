"""`shoetool replay`: show a history round by round."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import click
from rich.console import Console

from shoetool.cli.examples import examples
from shoetool.cli.exits import say
from shoetool.cli.options import FILE
from shoetool.cli.output import console, emit_list, json_option
from shoetool.cli.reading import WatchedReader, opened, spanned
from shoetool.cli.time_window import Asked, Window, window_options
from shoetool.model.errors import BadInput
from shoetool.model.naming import numbers_there
from shoetool.model.records import Record
from shoetool.model.times import Zone
from shoetool.report.live import draw
from shoetool.report.rounds import RoundBlock, blocks, with_refused_keys
from shoetool.report.table_view import TableView
from shoetool.report.time_of_day import TimesOfDay


@click.command(
    "replay",
    epilog=examples(
        ("replay night.shoelog", "every round"),
        ("replay night.shoelog --round 12", "one round, card by card"),
        ("replay night.shoelog --at 21:14", "the round of that time"),
        ("replay night.shoelog --records", "every record as a line"),
    ),
)
@click.argument("file", type=FILE)
@click.option("--round", "number", type=click.IntRange(min=1), help="Only this round, with its records.")
@click.option("--records", "every_record", is_flag=True, help="Print every record as one line.")
@window_options("rounds (with --records: records)")
@json_option
def command(
    file: Path,
    number: int | None,
    every_record: bool,
    at: Asked | None,
    first: Asked | None,
    last: Asked | None,
    zone: Zone,
    as_json: bool,
) -> None:
    """Show one history file: each round with its cards as they lay, and what happened between the rounds.

    A card that still lies face down at the end of the history is shown as a back. A half-written file is shown up to
    its last whole record, with a note that it ends there. Times of day come from the computer that fetched the history.
    They are not known when it did not read the shoe's clock.
    """
    window = spanned(Window(zone, at, first, last), [file])
    with opened(file) as reader:
        times = TimesOfDay(reader.moment, zone, reader.clock)
        if as_json:
            refused: dict[str, list[dict[str, Any]]] = {}
            found = round_documents(reader, number, times, window, refused)
            emit_list("replay", {"file": str(file), "timezone": zone.name}, "rounds", found, refused)
        elif every_record:
            show_records(reader, times, window)
        else:
            show(reader, number, times, window)
        for line in () if as_json else times.basis():
            click.echo(line)
        problems = [problem.text for problem in reader.chain.problems]
        for problem in [*reader.notes(), *problems, *times.notes()]:
            say(f"{file}: {problem}")


def round_documents(
    reader: WatchedReader, number: int | None, times: TimesOfDay, window: Window, refused: dict[str, Any]
) -> Iterable[dict[str, Any]]:
    """Return the rounds with JSON types only, one at a time. BadInput when a requested round is not there.

    Where all rounds are wanted, the keys that the shoe refused between two of them come into `refused`.
    """
    found = _rounds(reader, number, times, window, refused)
    if number is None and not window:
        return found
    if not (kept := list(found)):
        raise no_such_round(reader, number, window)
    return kept


def _rounds(
    reader: WatchedReader, number: int | None, times: TimesOfDay, window: Window, refused: dict[str, Any]
) -> Iterator[dict[str, Any]]:
    for one, keys in with_refused_keys(reader.records()):
        if one is None:
            if number is None and not window:
                refused.setdefault("refused_keys", []).extend(keys)
        elif number in (None, one.number) and window.holds(*times.of_round(one), one.number):
            yield {**one.to_json(), **({"refused_keys": keys} if keys else {}), **times.round_json(one)}


def show_records(reader: WatchedReader, times: TimesOfDay, window: Window) -> None:
    """Print each record as a line that begins with its time of day."""
    shown = False
    view = TableView()
    for record in reader.records():
        view.feed(record)
        moment = times.of(record)
        if window.holds(moment, moment, record.number):
            shown = True
            if (day := times.new_day(moment)) is not None:
                click.echo(day)
            click.echo(record_line(record, times, view))
    if window and not shown:
        raise BadInput(f"{reader.path}: {window.missing('record')}")


def record_line(record: Record, times: TimesOfDay, view: TableView) -> str:
    """Return number, time of day and sentence of a record. The time is left out when the history has no times."""
    clock = times.clock(record)
    return f"{record.number:>7}  {f'{clock}  ' if times.known else ''}{view.sentence(record)}"


def show(reader: WatchedReader, number: int | None, times: TimesOfDay, window: Window) -> None:
    """Print all rounds, or the requested ones. A single requested round is drawn large, with its records."""
    out = console()
    shown, day = False, None
    for part in blocks(reader.records(), times):
        if isinstance(part, RoundBlock):
            began, ended = (times.of(part.records[index]) for index in (0, -1))
            if number not in (None, part.number) or not window.holds(began, ended, part.number):
                continue
            shown = True
            if (number is not None or window) and (on := times.day_line(began)) not in (None, day):
                out.print(on)
                day = on
            for line in large(part, out, times) if number is not None or window.at else part.lines():
                out.print(line)
            out.print()
        elif number is None and not window:
            out.print(part)
    if (number is not None or window) and not shown:
        raise no_such_round(reader, number, window)


def large(block: RoundBlock, out: Console, times: TimesOfDay) -> Iterator[Any]:
    """Yield one round as it lay on the table at its end, then record by record."""
    yield from block.lines()
    yield ""
    yield from draw(block.view, min(out.width, 120), None)
    yield ""
    for record in block.records:
        yield record_line(record, times, block.view)


def no_such_round(reader: WatchedReader, number: int | None, window: Window) -> BadInput:
    """Return the error for rounds that a history does not hold."""
    if not window:
        there = (part.number for part in blocks(reader.records()) if isinstance(part, RoundBlock))
        return BadInput(f"{reader.path}: holds no round {number}; {numbers_there('round', there)}")
    return BadInput(f"{reader.path}: {window.missing('round')}")
