"""`shoetool audit`: many shoes compared with chance."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from shoetool.cli.examples import examples
from shoetool.cli.exits import BAD_INPUT, FINDINGS, FINE, INTERNAL, say
from shoetool.cli.options import FILE
from shoetool.cli.output import console, emit, json_option, progress
from shoetool.model.printable import clean

if TYPE_CHECKING:
    from shoetool.audit.book import Book
    from shoetool.audit.line import Line
    from shoetool.audit.told import Told
    from shoetool.casino.paths import Missing


@click.command(
    "audit",
    epilog=examples(
        ("audit histories", "all below a folder"),
        ("audit histories --alpha 0.01", "1 false alarm in 100"),
        ("audit --files-from month.txt --jobs 8", "a list of names"),
    ),
)
@click.argument("paths", nargs=-1, type=FILE, metavar="[PATH]...")
@click.option(
    "--files-from", "lists", multiple=True, type=FILE, metavar="LIST", help="Also the paths in LIST, one a line."
)
@click.option(
    "--alpha",
    type=click.FloatRange(0, 0.5, min_open=True),
    default=0.001,
    show_default=True,
    metavar="CHANCE",
    help="How likely the whole audit finds anything in honest shoes, at most.",
)
@click.option("--jobs", type=click.IntRange(1, 512), metavar="N", help="Use so many processes; else one for each core.")
@click.option("--scheduler", metavar="ADDRESS", help="Let the workers of this Dask scheduler do it.")
@json_option
def command(
    paths: tuple[Path, ...],
    lists: tuple[Path, ...],
    alpha: float,
    jobs: int | None,
    scheduler: str | None,
    as_json: bool,
) -> int:
    """Test shuffle, deal and equipment of many shoes against what chance gives.

    A folder stands for every history below it. The shoes of a device are to come in their order, as `pull` names them:
    then each is compared with the one before of the same batch. Exits with code 1 when something is not as expected.
    """
    if not paths and not lists:
        raise click.UsageError("name a history or a folder, or a list with --files-from")
    auditing = _Auditing(paths, lists, jobs, scheduler)
    book = auditing.run()
    lines = book.lines(alpha)
    if any(line.expected_so is False for line in lines):
        auditing.code = max(auditing.code, FINDINGS)
    if as_json:
        emit("audit", document(book, lines, alpha, auditing.unreadable))
    else:
        show(book, lines, alpha, auditing.unreadable)
    return auditing.code


class _Auditing:
    """The reading of all histories."""

    def __init__(
        self, paths: tuple[Path, ...], lists: tuple[Path, ...], jobs: int | None, scheduler: str | None
    ) -> None:
        self._paths, self._lists, self._jobs, self._scheduler = paths, lists, jobs, scheduler
        self.code = FINE
        self.unreadable = 0

    def run(self) -> Book:
        """Read them all."""
        import scipy  # noqa: F401 - first, so that its absence names the extra of this command

        from shoetool.audit.book import Book, told_of
        from shoetool.casino.paths import Missing, count
        from shoetool.casino.workers import workers

        book = Book()
        files, size = count(self._found())
        with ExitStack() as stack:
            advance = stack.enter_context(progress(f"reading {files:,} histories", "bytes"))
            jobs = min(self._jobs or os.cpu_count() or 1, max(files, 1))
            hands = stack.enter_context(workers(jobs, self._scheduler))
            missing: list[Missing] = []

            def to_do() -> Iterator[tuple[Path, int]]:
                for one in self._found():
                    if isinstance(one, Missing):
                        missing.append(one)
                    else:
                        yield one, _size(one)

            done = 0
            for told, own in told_of(to_do(), hands):
                self._take(told, book)
                done += own
                advance(done, size)
        for gone in missing:
            self._bad(gone.why, BAD_INPUT)
        return book

    def _found(self) -> Iterator[Path | Missing]:
        from shoetool.casino.paths import histories, open_list

        with ExitStack() as opened:
            yield from histories(
                self._paths, [(str(name), opened.enter_context(open_list(str(name)))) for name in self._lists]
            )

    def _take(self, told: Told, book: Book) -> None:
        if told.error is not None:
            self._bad(told.error, INTERNAL if told.defect else BAD_INPUT)
            return
        book.add(told)

    def _bad(self, why: str, code: int) -> None:
        self.unreadable += 1
        self.code = max(self.code, code)
        say(why)


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except (OSError, ValueError):
        return 0


def document(book: Book, lines: list[Line], alpha: float, unreadable: int) -> dict[str, Any]:
    """The document `audit`."""
    return {
        "histories": book.files, "unreadable": unreadable, "named_again": book.again, "devices": book.devices,
        "batches": book.loads, "rounds": book.rounds, "rounds_left_out": book.dealt.left_out,
        "orders": book.within.shoes, "cards": book.within.cards, "pairs": book.between.pairs,
        "gaps": book.gaps,
        "left_out": [{"why": why, "batches": number} for why, number in book.left_out.most_common()],
        "alpha": alpha, "tests_done": sum(line.p is not None for line in lines),
        "as_expected": all(line.expected_so is not False for line in lines),
        "tests": [line.to_json() for line in lines],
    }  # fmt: skip


def show(book: Book, lines: list[Line], alpha: float, unreadable: int) -> None:
    """Print what was read, and a line for each test."""
    out = console()
    out.print(
        f"{book.files:,} histories of {book.devices:,} devices: {book.loads:,} batches, {book.rounds:,} rounds. "
        f"{book.within.shoes:,} batches are compared by the order of their cards, {book.between.pairs:,} of them with "
        "the shoe before."
    )
    for why, number in book.left_out.most_common():
        out.print(f"left out of what looks at their order: {number:,} batches: {why}")
    for number, what in (
        (book.dealt.left_out, "rounds left out of what looks at the deal: irregular, or their cards are not all known"),
        (book.again, "histories left out: their shoes came already"),
        (book.gaps, "times a shoe of a device does not follow the one before: not compared with it"),
        (unreadable, "histories could not be read"),
    ):
        if number:
            out.print(f"{number:,} {what}")
    out.print()
    for line in lines:
        out.print(_line(line))
        if line.expected_so is False:
            for member in line.members:
                off = "" if member.sigma is None else f", {member.sigma:+.1f} sigma"
                told = f"{_number(member.observed)} where {_number(member.expected)} is expected"
                out.print(f"    {clean(member.name)}: {told}{off}, p {_p(member.p)} of its own")
    out.print()
    wrong = [line for line in lines if line.expected_so is False]
    tested = sum(line.p is not None for line in lines)
    verdict = f"{len(wrong)} of {tested} tests are not as expected" if wrong else f"all {tested} tests are as expected"
    out.print(f"{verdict}. Honest shoes fail any of them in {alpha:.3%} of audits at most (Holm's rule).")


def _line(line: Line) -> str:
    if line.p is None:
        return f"{line.what}: not tested: {line.note}"
    assert line.observed is not None and line.expected is not None and line.adjusted is not None
    off = "" if line.sigma is None else f", {line.sigma:+.1f} sigma"
    farthest = f" (the farthest of {line.of:,}: {clean(line.members[0].name)})" if line.of and line.members else ""
    note = f"; {line.note}" if line.note else ""
    text = f"{_number(line.observed)} {line.unit}, {_number(line.expected)} expected{off}{farthest}{note}"
    verdict = "as expected" if line.expected_so else f"NOT AS EXPECTED: p {_p(line.adjusted)} over the whole audit"
    return f"{line.what}: {text}; p {_p(line.p)}: {verdict}"


def _number(value: float) -> str:
    return f"{value:,.0f}" if value == int(value) else f"{value:,.4g}" if abs(value) < 1000 else f"{value:,.1f}"


def _p(value: float) -> str:
    return f"{value:.2g}" if value >= 0.001 else "0" if value == 0 else f"{value:.0e}"
