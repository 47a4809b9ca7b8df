"""The output of commands: JSON documents on standard output, text for people, and progress on a terminal only."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Final, NoReturn

import click
from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment
from rich.table import Table

from shoetool.model.printable import clean

DOCUMENT_VERSION: Final = 1
SHOW_PROGRESS_AFTER_S: Final = 0.8
PIPE_WIDTH: Final = 120

Advance = Callable[[int, int | None], None]
"""A function that is called with (done, total); total is None while it is not known."""

json_option = click.option("--json", "as_json", is_flag=True, help="Print a JSON document instead of text.")


def emit(name: str, body: Mapping[str, Any]) -> None:
    """Print one JSON document. Its schema is `schemas/<name>.schema.json` in the package."""
    click.echo(json_text({"document": name, "version": DOCUMENT_VERSION, **body}, indent=2))


def emit_list(
    name: str, body: Mapping[str, Any], key: str, values: Iterable[Any], rest: Mapping[str, Any] | None = None
) -> None:
    """Print one JSON document as `emit` does. Its member `key` is a list that need not fit into memory.

    Behind it stands what `rest` holds once all values are printed.
    """
    start = json_text({"document": name, "version": DOCUMENT_VERSION, **body, key: []}, indent=2)
    click.echo(start.removesuffix("]\n}"), nl=False)
    between, end = "\n    ", "]\n}"
    for value in values:
        click.echo(between + json_text(value, indent=2).replace("\n", "\n    "), nl=False)
        between, end = ",\n    ", "\n  ]\n}"
    if rest:
        end = end.removesuffix("\n}") + json_text(rest, indent=2).replace("{", ",", 1)
    click.echo(end)


def emit_line(name: str, body: Mapping[str, Any]) -> None:
    """Print one JSON document on one line, for commands that go on printing. It is flushed, so a reader sees it now."""
    click.echo(json_text({"document": name, "version": DOCUMENT_VERSION, **body}, separators=(",", ":")))


def json_text(value: Any, **style: Any) -> str:
    """Return a value as JSON.

    All signs beyond ASCII are escaped when one of them acts on a terminal, cannot be seen there, or cannot be encoded
    by standard output. No sign is lost.
    """
    text = json.dumps(value, ensure_ascii=False, **style).replace("\x7f", "\\u007f")
    try:
        text.encode(sys.stdout.encoding or "utf-8")
    except UnicodeEncodeError:
        return _escaped(text)
    return text if text.replace("\n", "").isprintable() else _escaped(text)


def _escaped(text: str) -> str:
    """Return a JSON text in ASCII. Other signs stand only in strings, where an escape means the same."""
    return "".join(one if one.isascii() else json.dumps(one)[1:-1] for one in text)


class _SafeConsole(Console):
    """A console that shows the control characters of a text as escapes, so that text cannot act on the terminal.

    Ends of lines stay as they are. It leaves a closed pipe to the one place where errors become exit codes.
    """

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        """Yield the segments of a renderable. Only rich's own control codes still act."""
        for text, style, control in super().render(renderable, options):
            lines = text if control else "\n".join(map(clean, text.split("\n")))
            yield Segment(lines, style, control)

    def on_broken_pipe(self) -> NoReturn:
        """Raise the error. Rich itself would exit with code 1, which means findings."""
        raise BrokenPipeError


def console() -> Console:
    """Return the console for results: colour and the terminal's width on a terminal, plain and wide in a pipe."""
    terminal = sys.stdout.isatty()
    return _SafeConsole(
        file=sys.stdout,
        markup=False,
        highlight=False,
        emoji=False,
        soft_wrap=not terminal,
        width=None if terminal else PIPE_WIDTH,
    )


def print_table(out: Console, table: Table) -> None:
    """Print a table. Spaces at the ends of lines are dropped, except on a terminal, where nobody sees them."""
    if out.is_terminal:
        out.print(table)
        return
    with out.capture() as captured:
        out.print(table)
    for line in captured.get().splitlines():
        out.print(line.rstrip())


@contextmanager
def progress(description: str, unit: str = "") -> Iterator[Advance]:
    """Show a progress bar on standard error once the work has taken a moment. Show nothing when it is no terminal.

    Yields a function to call with (done, total).
    """
    if not sys.stderr.isatty():
        yield lambda done, total: None
        return
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

    bar = Progress(
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        TaskProgressColumn(),
        TextColumn(f"{{task.completed:,.0f}} of {{task.total:,.0f}} {unit}", markup=False),
        TimeRemainingColumn(),
        console=_SafeConsole(stderr=True, markup=False),
        transient=True,
    )
    task = bar.add_task(description, total=1)
    begun = time.monotonic()
    shown = False

    def advance(done: int, total: int | None) -> None:
        nonlocal shown
        bar.update(task, completed=done, total=total or max(done, 1))
        if not shown and time.monotonic() - begun > SHOW_PROGRESS_AFTER_S:
            bar.start()
            shown = True

    try:
        yield advance
    finally:
        if shown:
            bar.stop()
