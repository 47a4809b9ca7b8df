"""`shoetool verify`: check histories clause by clause."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from shoetool.cli.casino_run import Wish, check_run_options, run_options
from shoetool.cli.examples import examples
from shoetool.cli.exits import BAD_INPUT, FINDINGS, FINE, one_line, say
from shoetool.cli.finding_times import FindingTimes
from shoetool.cli.options import FILE, keys_option, record_options, rules_need_record
from shoetool.cli.output import console, emit, json_option
from shoetool.cli.outputs import OutputFolder, output_option
from shoetool.cli.reading import opened
from shoetool.cli.time_window import Asked, Window, window_options
from shoetool.cli.verify_run import verify_run
from shoetool.model.errors import BadInput
from shoetool.model.file_kinds import PARQUET
from shoetool.model.printable import clean
from shoetool.model.times import Zone
from shoetool.report.findings import finding_lines, numbers, verdict_line
from shoetool.report.sentences import many
from shoetool.report.trust import doubt, signed_lines
from shoetool.trust.pins import PinStore
from shoetool.trust.trust import Trust
from shoetool.verify import Report, verify
from shoetool.verify.findings import FINDINGS as FOUND
from shoetool.verify.findings import NO_SHOE, VERIFIED
from shoetool.verify.followed import Row, followed

if TYPE_CHECKING:
    from shoetool.verify.table_record import TableJudge


@click.command(
    "verify",
    epilog=examples(
        "verify night.shoelog",
        ("verify histories/*.shoelog --readings", "with readings"),
        ("verify night.shoelog --table-record night.jsonl", "payments too"),
        ("verify night.shoelog --at 21:14", "of that time"),
        ("verify histories --out results", "all below"),
    ),
)
@click.argument("files", nargs=-1, type=FILE, metavar="PATH...")
@run_options
@output_option(
    "--out", type=OutputFolder(PARQUET), metavar="FOLDER", help="Write the results as Parquet; begun runs go on."
)
@click.option(
    "--table-records", is_flag=True, help="With folders: take each history's table record, NAME.jsonl beside it."
)
@click.option("--readings", is_flag=True, help="Show with each finding how the project reads its clause.")
@record_options
@keys_option
@click.option("--no-remember", is_flag=True, help="Do not remember what pinned keys signed.")
@click.option(
    "--require-signature", is_flag=True, help="Report a history as a finding when pinned keys did not sign all of it."
)
@click.option(
    "--require-payments",
    "payments",
    is_flag=True,
    help="With --table-record: report what it leaves out of a round (payments, settling, meters...) as a finding.",
)
@window_options("findings")
@json_option
def command(
    files: tuple[Path, ...],
    lists: tuple[str, ...],
    jobs: int | None,
    scheduler: str | None,
    out: Path | None,
    table_records: bool,
    readings: bool,
    record: Path | None,
    table: str | None,
    keys: Path | None,
    no_remember: bool,
    require_signature: bool,
    payments: bool,
    at: Asked | None,
    first: Asked | None,
    last: Asked | None,
    zone: Zone,
    as_json: bool,
) -> int:
    """Check each history against the clauses that a shoe's records can prove, and report the findings.

    A finding has a verdict (breach, irregularity handled, cannot tell), a clause, a sentence on what happened, and the
    records and cards that prove it. Exits with code 1 when there are findings, and with code 2 when a file cannot be
    read; the other files are checked all the same. Only a whole shoe is called verified. A file that is cut off is a
    finding. A clean part of a shoe that is still under way is no finding, but it is not called verified.

    With a table record the whole procedure of each round is checked: wagers, decisions, the order of the actions, and
    every payment. Several histories must be those of the record's session, in their order. --at, --from and --to choose
    which findings are shown. The verdict and the exit code are always those of the whole file.

    A folder stands for every history below it. With a folder, --files-from, --jobs, --scheduler or --out the histories
    are verified on all cores, in memory that does not grow with their number. Only those with findings are printed,
    then the totals. A run with --out that was stopped goes on when the same command is given again.
    """
    check_run_options(files, lists, jobs, scheduler)
    if lists or jobs or scheduler or out or table_records or any(map(_is_folder, files)):
        if record is not None:
            raise click.UsageError("a run over many histories takes --table-records, not --table-record FILE")
        if (table is not None or payments) and not table_records:
            raise click.UsageError(
                "--table and --require-payments go with --table-records in a run over many histories"
            )
        if at or first or last:
            raise click.UsageError("--at, --from and --to go with single histories, not with a run over many")
        wish = Wish(
            files, lists, jobs, scheduler, out, readings, keys, not no_remember, require_signature, table_records,
            table, payments, zone, as_json,
        )  # fmt: skip
        return verify_run(wish)
    rules_need_record(table, record)
    if payments and record is None:
        raise click.UsageError("--require-payments goes with --table-record FILE")
    window = Window(zone, at, first, last)
    with ExitStack() as stack:
        judge = None if record is None else table_judge(stack, record, table, payments)
        trust = Trust(PinStore(keys), not no_remember, require_signature)
        return verify_files(files, readings, judge, trust, window, as_json)


def _is_folder(path: Path) -> bool:
    try:
        return path.is_dir()
    except (OSError, ValueError):
        return False


def table_judge(stack: ExitStack, record: Path, table: str | None, required: bool = False) -> TableJudge:
    """Return the judge of a session's table record. It stays open as long as `stack`. `required`: see TableJudge."""
    from shoetool.round_file.tables import Rules  # it takes a while, and most histories come without a table record
    from shoetool.verify.table_record import TableFile, TableJudge

    rules = Rules(table, record.parent)
    lines = stack.enter_context(TableFile(record, table is not None)).lines
    return TableJudge(lines, lambda entry: rules.find(entry.table, f"{record}: line {entry.line}"), False, required)


def verify_files(
    files: tuple[Path, ...], readings: bool, judge: TableJudge | None, trust: Trust, window: Window, as_json: bool
) -> int:
    """Verify, print and document each history. Returns the exit code."""
    code = FINE
    documents: list[dict[str, Any]] = []
    for file in files:
        try:
            if judge is not None:
                judge.last = file is files[-1]
            with opened(file) as reader:
                report = verify(reader, judge, trust)
            times = FindingTimes(file, report, window.fresh())
        except BadInput as error:
            code = BAD_INPUT
            if as_json:
                documents.append({"file": str(file), "error": one_line(str(error)), "report": None})
            say(str(error))
            continue
        if not report.ok:
            code = max(code, FINDINGS)
        if as_json:
            documents.append({"file": str(file), "error": None, "report": times.document(report)})
        else:
            if file is not files[0]:
                console().print()  # an empty line before the next file's findings
            show(file, report, times, readings)
    rows = followed(trust)
    if any(row.findings for row in rows):
        code = max(code, FINDINGS)
    if as_json:
        emit("verify", {"timezone": window.zone.name, "files": documents, "histories": [row.to_json() for row in rows]})
    else:
        for row in rows:
            show_followed(row, readings, trust.required)
    return code


def show_followed(row: Row, readings: bool, required: bool) -> None:
    """Print how the histories of one device follow one another. Print nothing when all is well and nobody asked."""
    out = console()
    if not (row.findings or row.notes or required):
        return
    out.print()
    for finding in row.findings:
        for line in finding_lines(finding, min(out.width, 110), readings):
            out.print(line)
    for note in row.notes:
        out.print(f"  note: {clean(note)}")
    shoes = numbers(row.shoes)
    name = f"device {row.device.hex()}, shoe{'s' if len(row.shoes) > 1 else ''} {shoes}"
    if row.findings:
        said = f"{many(len(row.findings), 'finding')} in how they follow one another"
        out.print(verdict_line(name, FOUND, said))
    elif required:
        last = "whether a later one was withheld no file can show: compare heads (shoetool keys --heads)"
        out.print(verdict_line(name, "", "none missing between the first and the last", last))


def show(file: Path, report: Report, times: FindingTimes, readings: bool) -> None:
    """Print one file's findings and its verdict."""
    out = console()
    summary = report.summary
    width = min(out.width, 110)
    for finding in times.shown:
        for line in finding_lines(finding, width, readings, times.text(finding)):
            out.print(line)
    for note in (*summary.notes, *times.notes, times.left_out_text()):
        if note is not None:
            out.print(f"  note: {clean(note)}")
    for row in summary.left_out:
        more = ", ..." if row.of - row.count > len(row.missing) else ""
        which = f"round{'s' if row.of - row.count > 1 else ''} {numbers(row.missing)}{more}"
        out.print(f"  cannot tell: {row.words} (not in {which})")
    parts = [many(summary.rounds, "round"), many(summary.cards, "card"), many(summary.records, "record")]
    if summary.table_rounds is not None:
        parts.insert(1, f"{summary.table_rounds} of them with the table record")
    if summary.face_down:
        parts.append(f"{summary.face_down} still face down")
    if not summary.complete and report.verdict == FOUND and not summary.cut:
        parts.append("not a whole shoe")
    if report.verdict == VERIFIED and doubt(summary.signatures):
        parts.append(doubt(summary.signatures))
    detail = "" if report.verdict == NO_SHOE else ", ".join(parts)
    if summary.signatures:  # in one call: a file may have hundreds
        out.print(*signed_lines(summary.signatures), sep="\n")
    out.print(verdict_line(clean(str(file)), report.verdict, report.headline(), detail))
