"""`shoetool audit`: many shoes compared with chance."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from textwrap import fill
from typing import TYPE_CHECKING, Any

import click

from shoetool.cli.examples import examples
from shoetool.cli.exits import BAD_INPUT, FINDINGS, FINE, INTERNAL, say
from shoetool.cli.options import FILE
from shoetool.cli.output import console, emit, json_option, progress
from shoetool.cli.outputs import OutputFolder, output_option
from shoetool.model.file_kinds import DAILY
from shoetool.model.output_file import output_folder

if TYPE_CHECKING:
    from shoetool.audit.book import Book
    from shoetool.audit.line import Line
    from shoetool.audit.told import Told, Wanted
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
    help="About how likely the whole audit finds anything in honest shoes, at most.",
)
@click.option("--jobs", type=click.IntRange(1, 512), metavar="N", help="Use so many processes; else one for each core.")
@click.option("--scheduler", metavar="ADDRESS", help="Let the workers of this Dask scheduler do it.")
@click.option("--table-records", "records", is_flag=True, help="Read how stacks were cut: NAME.jsonl beside a history.")
@click.option("--findings", is_flag=True, help="Verify each history too, and compare the findings of tables.")
@click.option("--wagers", is_flag=True, help="Look at the outcomes of optional wagers too; it takes seconds longer.")
@output_option(
    "--daily", type=OutputFolder(DAILY), metavar="FOLDER", help="Write a report of each table and day (UTC) there."
)
@click.option("--sign", type=FILE, metavar="KEYFILE", help="With --daily: sign the reports with this key of a log.")
@json_option
def command(
    paths: tuple[Path, ...],
    lists: tuple[Path, ...],
    alpha: float,
    jobs: int | None,
    scheduler: str | None,
    records: bool,
    findings: bool,
    wagers: bool,
    daily: Path | None,
    sign: Path | None,
    as_json: bool,
) -> int:
    """Test shuffle, deal and equipment of many shoes against what chance gives.

    A folder stands for every history below it. The shoes of a device are to come in their order, as `pull` names them:
    then each is compared with the one before of the same batch. Exits with code 1 when something is not as expected.
    """
    if not paths and not lists:
        raise click.UsageError("name a history or a folder, or a list with --files-from")
    if sign is not None and daily is None:
        raise click.UsageError("--sign goes with --daily")
    import scipy  # noqa: F401 - first, so that its absence names the extra of this command

    from shoetool.audit.line import as_expected
    from shoetool.audit.told import Wanted

    auditing = _Auditing(paths, lists, jobs, scheduler, Wanted(records, findings, wagers), daily, sign)
    book = auditing.run()
    reports = [] if auditing.days is None else auditing.days.write(alpha)
    if any(report.as_expected is False for report in reports):
        auditing.code = max(auditing.code, FINDINGS)
    lines = book.lines(alpha)
    if as_expected(lines) is False:
        auditing.code = max(auditing.code, FINDINGS)
    if as_json:
        told = [{"file": str(report.path), "as_expected": report.as_expected} for report in reports]
        emit("audit", {**document(book, lines, alpha, auditing.unreadable), "reports": told})
    else:
        from shoetool.audit.text import audit_lines, verdict_of

        out = console()
        for text in audit_lines(book, lines, alpha, auditing.unreadable):
            out.print(fill(text, out.width, subsequent_indent="      ") if out.is_terminal else text)
        for report in reports:
            out.print(f"{report.path}: {verdict_of(report.as_expected)}")
    return auditing.code


class _Auditing:
    """The reading of all histories."""

    def __init__(
        self,
        paths: tuple[Path, ...],
        lists: tuple[Path, ...],
        jobs: int | None,
        scheduler: str | None,
        wanted: Wanted,
        daily: Path | None,
        sign: Path | None,
    ) -> None:
        from shoetool.audit.daily import Days, signing_key

        self._paths, self._lists, self._jobs, self._scheduler = paths, lists, jobs, scheduler
        self._wanted = wanted
        key = None if sign is None else signing_key(sign)
        self.days = None if daily is None else Days(output_folder(daily), key, wanted.wagers)
        self.code = FINE
        self.unreadable = 0

    def run(self) -> Book:
        """Read them all."""
        from shoetool.audit.book import Book
        from shoetool.audit.read import read_all
        from shoetool.casino.paths import count, sized
        from shoetool.casino.pieces import handed_out
        from shoetool.casino.workers import workers

        book = Book(self._wanted.wagers)
        files, size = count(self._found())
        with ExitStack() as stack:
            advance = stack.enter_context(progress(f"reading {files:,} histories", "bytes"))
            jobs = min(self._jobs or os.cpu_count() or 1, max(files, 1))
            hands = stack.enter_context(workers(jobs, self._scheduler))
            missing: list[Missing] = []
            done = 0
            for some, own in handed_out(sized(self._found(), missing), read_all, self._wanted, hands):
                for told in some:
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
        if self.days is not None:
            self.days.add(told)

    def _bad(self, why: str, code: int) -> None:
        self.unreadable += 1
        self.code = max(self.code, code)
        say(why)


def document(book: Book, lines: list[Line], alpha: float, unreadable: int) -> dict[str, Any]:
    """The document `audit`."""
    from shoetool.audit.line import as_expected

    return {
        "histories": book.files, "unreadable": unreadable, "named_again": book.again, "devices": book.devices,
        "batches": book.loads, "rounds": book.rounds, "rounds_left_out": book.dealt.left_out,
        "orders": book.within.shoes, "cards": book.within.cards, "pairs": book.between.pairs,
        "gaps": book.gaps,
        "left_out": [{"why": why, "batches": number} for why, number in book.left_out.most_common()],
        "alpha": alpha, "tests_done": sum(line.p is not None for line in lines),
        "as_expected": as_expected(lines),
        "tests": [line.to_json() for line in lines],
    }  # fmt: skip
