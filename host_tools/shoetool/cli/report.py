"""`shoetool report`: a night as one page, with the register of its findings."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path

import click

from shoetool.case.facts import Night
from shoetool.case.register import OPEN, STATES, Change, Register, finding_ids, register_path
from shoetool.cli.examples import examples
from shoetool.cli.exits import FINDINGS, FINE
from shoetool.cli.options import FILE, keys_option, record_options, rules_need_record
from shoetool.cli.output import console, emit, json_option
from shoetool.cli.outputs import OutputFile, OutputFolder, output_option
from shoetool.cli.reading import opened, spanned
from shoetool.cli.time_window import Asked, RoundsAsked, Window, window_options
from shoetool.model.errors import BadInput
from shoetool.model.file_kinds import CSV, PAGE
from shoetool.model.output_file import output_folder
from shoetool.model.printable import clean
from shoetool.model.times import Zone, now_ms, utc_stamp
from shoetool.report.sentences import many, opening_letter
from shoetool.trust.pins import PinStore
from shoetool.trust.trust import Trust
from shoetool.verify.followed import followed


@click.command(
    "report",
    epilog=examples(
        ("report night.shoelog", "writes report.html"),
        ("report n.shoelog --table-record n.jsonl", "payments too"),
        ("report n.shoelog --mark 3f2a9c01=closed --by Smith", ""),
    ),
)
@click.argument("histories", nargs=-1, required=True, type=FILE, metavar="HISTORY...")
@record_options
@keys_option
@output_option(
    "--out",
    type=OutputFile(PAGE),
    default=Path("report.html"),
    metavar="FILE",
    help="The page. By default report.html.",
)
@output_option(
    "--csv",
    "tables",
    type=OutputFolder(CSV),
    metavar="FOLDER",
    help="Write findings, rounds, cards and wagers as CSV too.",
)
@click.option(
    "--mark",
    "marks",
    multiple=True,
    metavar="ID=STATE",
    help="Write into the register that a finding is open, reviewed or closed; may be repeated.",
)
@click.option("--by", metavar="NAME", help="With --mark: who says so.")
@click.option("--note", default="", metavar="TEXT", help="With --mark: why.")
@window_options("rounds")
@json_option
def command(
    histories: tuple[Path, ...],
    record: Path | None,
    table: str | None,
    keys: Path | None,
    out: Path,
    tables: Path | None,
    marks: tuple[str, ...],
    by: str | None,
    note: str,
    at: Asked | None,
    first: Asked | None,
    last: Asked | None,
    zone: Zone,
    as_json: bool,
) -> int:
    """Write a night as one HTML page: what it rests on, the findings with their register, and every round.

    The page finds rounds by finding, position, card, time and wager. It needs no network. Each round and each finding
    has a link. The register of findings lies beside each history, in FILE.register.jsonl, and is never part of it.
    Exits with code 1 when there are findings.
    """
    import jinja2  # noqa: F401  # so that a missing extra is said before the work

    from shoetool.case.csv_files import CsvFiles
    from shoetool.case.gather import gather_nights
    from shoetool.case.page_room import PageRoom
    from shoetool.case.told_night import tell_night
    from shoetool.case.write import table_record, write_night

    rules_need_record(table, record)
    if marks and not (by or "").strip():
        raise click.UsageError("--mark takes --by NAME: the register says who decided")
    now = now_ms()
    changes = [mark_of(text, by or "", note, now) for text in marks]
    asked = RoundsAsked(spanned(Window(zone, at, first, last), histories))
    wagers = None if record is None else table_record(record, table)
    trust = Trust(PinStore(keys), False, False)
    with nullcontext() if tables is None else CsvFiles(output_folder(tables)) as csv:
        each = None if csv is None else csv.add
        nights = gather_nights(histories, asked, wagers, trust, zone, room=PageRoom(), each=each, reading=opened)
        registers = [Register(register_path(history)) for history in histories]
        write_marks(changes, nights, registers)
        told = tell_night(nights, registers, followed(trust))
        files = [write_night(told, out, zone)]
        if csv is not None:
            csv.findings(told)
            files += csv.files
    lines = [line for shoe in told.shoes for line in shoe.findings]
    if as_json:
        emit(
            "report",
            {
                "files": [str(file) for file in files],
                "histories": [
                    {
                        "file": str(night.source.name),
                        "verdict": night.report.verdict,
                        "rounds": night.rounds,
                        "on_page": len(night.cases),
                    }
                    for night in nights
                ],
                "findings": [
                    {"id": one.name, "state": one.state, "verdict": one.mark.lower(), "clause": one.clause}
                    for one in lines
                ],
            },
        )
    else:
        rounds = sum(night.rounds for night in nights)
        still = sum(line.state == OPEN for line in lines)
        console().print(f"{many(rounds, 'round')}, {many(len(lines), 'finding')}, {still} of them open")
        for night in nights:
            console().print(f"  {clean(night.source.name)}: {night.report.headline()}")
        if not rounds:
            console().print(f"  note: the page {asked.missing()}")
        if told.left_out:
            console().print(f"  note: {opening_letter(told.left_out, upper=False)}")
        console().print(*(f"  {clean(str(file))}" for file in files), sep="\n")
    return FINDINGS if lines or told.broken else FINE


def mark_of(text: str, by: str, note: str, now: int) -> Change:
    """Read ID=STATE; `now` is in Unix ms. BadInput says what may be written."""
    name, equals, state = (part.strip() for part in text.partition("="))
    if not (name and equals and state in STATES):
        raise BadInput(f"--mark {text[:60]!r}: write ID=STATE with {', '.join(STATES)}, such as 3f2a9c01=closed")
    return Change(name, state, by.strip(), utc_stamp(now), note.strip())


def write_marks(changes: Sequence[Change], nights: Sequence[Night], registers: Sequence[Register]) -> None:
    """Write each change into the register of the history that has its finding. BadInput before any of them is written
    when one names no finding."""
    ids = [set(finding_ids(night.report.findings, night.report.summary.device)) for night in nights]
    places = [[at for at, known in enumerate(ids) if change.finding in known] for change in changes]
    for change, found in zip(changes, places, strict=True):
        if not found:
            raise BadInput(f"--mark {change.finding}: there is no such finding; the page and --json have their ids")
    for change, found in zip(changes, places, strict=True):
        for at in found:
            registers[at].add(change)
