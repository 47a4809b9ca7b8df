"""`shoetool archive add`: verify histories, copy them into an archive, and enter them in its custody log and index."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from shoetool.cli.casino_run import many_histories
from shoetool.cli.examples import examples
from shoetool.cli.exits import BAD_INPUT, FINDINGS, FINE, INTERNAL, one_line, say
from shoetool.cli.options import FILE, FOLDER, keys_option, table_option
from shoetool.cli.output import console, emit_list, json_option, progress
from shoetool.model.output_file import output_folder
from shoetool.model.printable import clean
from shoetool.trust.pins import PinStore

if TYPE_CHECKING:
    from shoetool.archive.keeper import Archive, Told
    from shoetool.casino.judged import Asked
    from shoetool.casino.paths import Missing


@click.command(
    "add",
    epilog=examples(
        "archive add vault night.shoelog --by 'R. Moss'",
        ("archive add vault histories --by 'R. Moss' --table-records", "a folder"),
    ),
)
@click.argument("place", type=FOLDER, metavar="ARCHIVE")
@click.argument("paths", nargs=-1, required=True, type=FILE, metavar="PATH...")
@click.option("--by", "who", required=True, metavar="NAME", help="Who adds them; it stands in the custody log.")
@click.option("--table-records", is_flag=True, help="Keep each history's table record too: NAME.jsonl beside it.")
@table_option("With --table-records: the rules submission, or the name of an example. It overrides theirs.")
@click.option("--jobs", type=click.IntRange(1, 512), metavar="N", help="Use so many processes; else one for each core.")
@keys_option
@json_option
def command(
    place: Path,
    paths: tuple[Path, ...],
    who: str,
    table_records: bool,
    table: str | None,
    jobs: int | None,
    keys: Path | None,
    as_json: bool,
) -> int:
    """Verify histories and keep them in the folder ARCHIVE, which is made when it is not there.

    A folder stands for every history below it. A history with findings is kept as it is. One that cannot be read is not
    added (exit code 2). Exits with code 1 when a history that was added now has findings.
    """
    from shoetool.archive.keeper import Archive
    from shoetool.casino.judged import Asked

    if table is not None and not table_records:
        raise click.UsageError("--table goes with --table-records")
    if not who.strip():
        raise click.UsageError("--by needs a name")
    pinned = PinStore(keys).pinned()
    asked = Asked(pinned, table_records=table_records, table=table)
    with closing(Archive(output_folder(place), asked, create=True)) as archive:
        adding = _Adding(archive, asked, paths, who.strip(), jobs)
        if as_json:
            rest: dict[str, Any] = {}
            emit_list("archive_add", {"archive": str(place)}, "files", adding.documents(rest), rest)
        else:
            adding.show()
        return adding.code


class _Adding:
    """What is added, as it is shown."""

    def __init__(self, archive: Archive, asked: Asked, paths: tuple[Path, ...], who: str, jobs: int | None) -> None:
        self._archive, self._asked, self._paths, self._who, self._jobs = archive, asked, paths, who, jobs
        self.code = FINE
        self.counts = {"added": 0, "there_already": 0, "not_added": 0}

    def told(self) -> Iterator[Told]:
        """Add them; tell of each."""
        from shoetool.archive.keeper import Told
        from shoetool.casino.judged import Judged, judge_all
        from shoetool.casino.paths import count, histories, sized
        from shoetool.casino.pieces import handed_out
        from shoetool.casino.workers import workers

        missing: list[Missing] = []
        files, size = count(histories(self._paths))
        with ExitStack() as stack:
            advance = stack.enter_context(progress(f"adding {many_histories(files)}", "bytes"))
            hands = stack.enter_context(workers(min(self._jobs or os.cpu_count() or 1, max(files, 1)), None))

            def judged() -> Iterator[Judged]:
                done = 0
                for some, own in handed_out(sized(histories(self._paths), missing), judge_all, self._asked, hands):
                    for one in some:
                        one.path = str(Path(one.path).absolute())
                        yield one
                    done += own
                    advance(done, size)

            for one in self._archive.add(judged(), self._who):
                self._note(one)
                yield one
        for gone in missing:
            one = Told(Judged(gone.path), error=gone.why)
            self._note(one)
            yield one

    def _note(self, one: Told) -> None:
        self.counts["not_added" if one.error else "added" if one.new else "there_already"] += 1
        if one.error is not None:
            self.code = max(self.code, INTERNAL if one.judged.defect else BAD_INPUT)
            say(one.error)
        elif one.new and one.judged.report is not None and one.judged.report.findings:
            self.code = max(self.code, FINDINGS)

    def _last(self) -> str | None:
        last = self._archive.custody.last()
        return None if last is None else last.digest

    def documents(self, rest: dict[str, Any]) -> Iterator[dict[str, Any]]:
        """Yield a document for each history; into `rest` the counts."""
        for one in self.told():
            yield {
                "file": one.judged.path,
                "error": None if one.error is None else one_line(one.error),
                "name": one.name or None,
                "new": one.new,
                "headline": one.headline,
            }
        rest |= {**self.counts, "last_hash": self._last()}

    def show(self) -> None:
        """Print what was added."""
        out = console()
        for one in self.told():
            if one.error is None:
                out.print(f"{'added' if one.new else 'there already'}: {clean(one.judged.path)}: {one.headline}")
        counts = self.counts
        out.print(
            f"{counts['added']:,} added, {counts['there_already']:,} there already, {counts['not_added']:,} not added"
        )
        if counts["added"]:
            out.print(f"last line of the custody log: {self._last()}")
