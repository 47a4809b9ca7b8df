"""`shoetool replay`: show a history round by round."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
from rich.console import Console

from shoetool.cli.examples import examples
from shoetool.cli.exits import say
from shoetool.cli.output import console, emit, json_option
from shoetool.cli.reading import WatchedReader, opened
from shoetool.history.replay import rounds
from shoetool.model.errors import BadInput
from shoetool.report.live import draw
from shoetool.report.rounds import RoundBlock, blocks
from shoetool.report.sentences import sentence


@click.command(
    "replay",
    epilog=examples(
        ("replay night.shoelog", "every round"),
        ("replay night.shoelog --round 12", "one round, card by card"),
        ("replay night.shoelog --records", "every record as a line"),
    ),
)
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--round", "number", type=click.IntRange(min=1), help="Only this round, with its records.")
@click.option("--records", "every_record", is_flag=True, help="Print every record as one line.")
@json_option
def command(file: Path, number: int | None, every_record: bool, as_json: bool) -> None:
    """Show what one history file holds: each round with its cards as they lay, and what happened in between.

    A card that still lies face down at the end of the history is shown as a back. A half-written file is shown up to
    its last whole record, and that is said.
    """
    with opened(file) as reader:
        if as_json:
            emit("replay", {"file": str(file), "rounds": round_documents(reader, number)})
        elif every_record:
            for record in reader.records():
                click.echo(f"{record.number:>7}  {sentence(record)}")
        else:
            show(reader, number)
        for problem in [*reader.notes(), *(problem.text for problem in reader.chain.problems)]:
            say(f"{file}: {problem}")


def round_documents(reader: WatchedReader, number: int | None) -> list[dict[str, Any]]:
    """Return the rounds with JSON types only. BadInput when the asked one is not there."""
    found = [one.to_json() for one in rounds(reader.records()) if number in (None, one.number)]
    if number is not None and not found:
        raise no_such_round(reader, number)
    return found


def show(reader: WatchedReader, number: int | None) -> None:
    """Print all rounds, or one drawn large with its records."""
    out = console()
    shown = False
    for part in blocks(reader.records()):
        if isinstance(part, RoundBlock):
            if number is not None and part.number != number:
                continue
            shown = True
            for line in large(part, out) if number is not None else part.lines():
                out.print(line)
            out.print()
        elif number is None:
            out.print(part)
    if number is not None and not shown:
        raise no_such_round(reader, number)


def large(block: RoundBlock, out: Console) -> Iterator[Any]:
    """Yield one round as it lay on the table at its end, then record by record."""
    yield from block.lines()
    yield ""
    yield from draw(block.view, min(out.width, 120), None)
    for record in block.records:
        yield f"{record.number:>7}  {sentence(record)}"


def no_such_round(reader: WatchedReader, number: int) -> BadInput:
    """Return the error for a round that a history does not hold."""
    return BadInput(f"{reader.path}: holds no round {number}")
