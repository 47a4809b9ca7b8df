"""`shoetool export`: histories as tables, to be asked in SQL or as data frames."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import closing
from pathlib import Path
from typing import Any

import click

from shoetool.cli.casino_run import CasinoRun, Wish, check_run_options, many_histories, run_options
from shoetool.cli.examples import examples
from shoetool.cli.exits import one_line
from shoetool.cli.options import FILE, keys_option, table_option
from shoetool.cli.output import console, emit_list, json_option
from shoetool.cli.outputs import OutputFolder, output_option
from shoetool.model.file_kinds import PARQUET
from shoetool.model.printable import clean
from shoetool.model.times import Zone


@click.command(
    "export",
    epilog=examples(
        ("export histories --out may", "all below a folder"),
        ("export histories --table-records --out may", "settlements too"),
        ("export night.shoelog --out night --jobs 1", "one history"),
    ),
)
@click.argument("files", nargs=-1, type=FILE, metavar="PATH...")
@run_options
@output_option(
    "--out",
    type=OutputFolder(PARQUET),
    metavar="FOLDER",
    required=True,
    help="Write the tables here; begun runs go on.",
)
@click.option(
    "--table-records", is_flag=True, help="Settle the rounds of each history with NAME.jsonl, which lies beside it."
)
@table_option("With --table-records: the rules submission, or the name of an example, in place of the one they name.")
@click.option(
    "--require-payments", "payments", is_flag=True, help="With --table-records: what they leave out is a finding."
)
@keys_option
@click.option("--no-remember", is_flag=True, help="Do not remember what pinned keys signed.")
@click.option(
    "--require-signature", is_flag=True, help="A history is a finding when pinned keys did not sign all of it."
)
@json_option
def command(
    files: tuple[Path, ...],
    lists: tuple[str, ...],
    jobs: int | None,
    scheduler: str | None,
    out: Path,
    table_records: bool,
    table: str | None,
    payments: bool,
    keys: Path | None,
    no_remember: bool,
    require_signature: bool,
    as_json: bool,
) -> int:
    """Write what was dealt, found and paid in any number of histories as Parquet, for DuckDB, Polars and others.

    The tables are events, rounds, hands, settlements and margins, and those of verify --out: histories, findings,
    signatures and devices. Every history is verified as by verify, with the same exit codes. Times are UTC. A card that
    lies face down has no face in any table. A run that was stopped goes on when the same command is given again.
    """
    check_run_options(files, lists, jobs, scheduler)
    if (table is not None or payments) and not table_records:
        raise click.UsageError("--table and --require-payments go with --table-records")
    wish = Wish(
        files, lists, jobs, scheduler, out, False, keys, not no_remember, require_signature, table_records, table,
        payments, Zone("UTC"), as_json, play=True,
    )  # fmt: skip
    with _Export.opened(wish) as run:
        if as_json:
            run.document()
        else:
            run.show()
        return run.code


class _Export(CasinoRun):
    """A run as `export` shows it: what cannot be read, and what was written."""

    def _tables(self, of_devices: int) -> dict[str, int]:
        """Rows of each table, in the order of the documentation."""
        from shoetool.casino.tables import SCHEMAS

        rows = {**self.rows(), "devices": of_devices}
        return {name: rows.get(name, 0) for name in SCHEMAS}

    def _end(self) -> tuple[dict[str, Any], dict[str, int]]:
        """Totals, and rows of each table."""
        found = rows = 0
        for row in self.followed():
            found += len(row.findings)
            rows += max(1, len(row.findings) + len(row.notes))
        return self.totals(found), self._tables(rows)

    def document(self) -> None:
        """Print it as JSON."""
        from shoetool.casino.tables import SCHEMAS

        rest: dict[str, Any] = {}

        def unreadable() -> Generator[dict[str, Any]]:
            with closing(self.judged()) as judged:
                for one in judged:
                    if one.report is None:
                        yield {"file": one.path, "error": one_line(one.error or "")}
            totals, rows = self._end()
            tables = [
                {
                    "name": name,
                    "rows": number,
                    "columns": [{"name": one.name, "type": str(one.type)} for one in SCHEMAS[name]],
                }
                for name, number in rows.items()
            ]
            rest.update(totals=totals, tables=tables, results=str(self.wish.out))

        with closing(unreadable()) as files:
            emit_list("export", {}, "files", files, rest)

    def show(self) -> None:
        """Print it as text."""
        out = console()
        with closing(self.judged()) as judged:
            for _ in judged:
                pass  # what is wrong with a file is said as it comes; what was found in it is in the tables
        totals, rows = self._end()
        if not totals["histories"]:
            return
        for name, number in rows.items():
            out.print(f"{number:>13,}  {name}")
        verdicts = ", ".join(f"{number:,} {verdict}" for verdict, number in totals["verdicts"].items())
        out.print(f"{many_histories(totals['histories'])}: {verdicts}")
        if self.wish.table_records:
            out.print(
                f"table records: beside {totals['table_records']:,} of {totals['histories']:,} histories, with "
                f"{totals['table_rounds']:,} of {totals['rounds']:,} rounds"
            )
        else:
            out.print("settlements: none without --table-records")
        out.print(f"results: {clean(str(self.wish.out))}")
