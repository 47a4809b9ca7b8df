"""`shoetool case`: the file of a dispute, one round as a page to read and as a sheet to print."""

from __future__ import annotations

from pathlib import Path

import click

from shoetool.cli.examples import examples
from shoetool.cli.exits import FINDINGS, FINE
from shoetool.cli.options import FILE, keys_option, record_options, rules_need_record
from shoetool.cli.output import console, emit, json_option
from shoetool.cli.outputs import OutputFolder, output_option
from shoetool.cli.reading import opened, spanned
from shoetool.cli.time_window import Asked, RoundsAsked, Window, window_options
from shoetool.model.file_kinds import PAGE, PDF
from shoetool.model.output_file import output_folder
from shoetool.model.printable import clean
from shoetool.model.times import Zone
from shoetool.report.sentences import many
from shoetool.trust.pins import PinStore
from shoetool.trust.trust import Trust


@click.command(
    "case",
    epilog=examples(
        ("case night.shoelog --round 12", "page and sheet"),
        ("case n.shoelog --at 21:14 --table-record n.jsonl", "payments too"),
        ("case night.shoelog --round 12 --redact", "no card data"),
    ),
)
@click.argument("history", type=FILE)
@click.option("--round", "number", type=click.IntRange(min=1), help="The round, by its number in the shoe.")
@click.option("--shoe", type=click.IntRange(min=0), help="The shoe, by its number, of a history that holds several.")
@record_options
@keys_option
@click.option("--redact", is_flag=True, help="Leave out faces, counts, and sentences that tell them.")
@output_option(
    "--out", type=OutputFolder(PAGE, PDF), default=Path(), metavar="FOLDER", help="Where to write. By default here."
)
@window_options("a round")
@json_option
def command(
    history: Path,
    number: int | None,
    shoe: int | None,
    record: Path | None,
    table: str | None,
    keys: Path | None,
    redact: bool,
    out: Path,
    at: Asked | None,
    first: Asked | None,
    last: Asked | None,
    zone: Zone,
    as_json: bool,
) -> int:
    """Write the file of a dispute: one round of a history as an HTML page and as a PDF.

    They hold the cards in the order of the deal with their times, the hands, the decisions, what each wager was due by
    which clause and what was paid, the findings of the round, who signed the history, and what is not known. A card
    that lies face down is shown as a back. The page needs no network. Exits with code 1 when there are findings of
    this round, or when a payment is not what was due.
    """
    import jinja2  # noqa: F401  # so that a missing extra is said before the work
    import reportlab  # noqa: F401

    from shoetool.case.gather import gather
    from shoetool.case.write import table_record, write_case

    rules_need_record(table, record)
    asked = RoundsAsked(spanned(Window(zone, at, first, last), [history]), number)
    wagers = None if record is None else table_record(record, table)
    case = gather(history, asked, wagers, Trust(PinStore(keys), False, False), zone, opened, shoe)
    page, sheet = write_case(case, output_folder(out), redact)
    differs = 0 if case.settled is None else len(case.settled.differences)
    broken = 0 if case.settled is None else len(case.settled.breaches)
    if as_json:
        emit(
            "case",
            {
                "history": str(history),
                "shoe": case.shoe,
                "round": case.number,
                "page": str(page),
                "sheet": str(sheet),
                "redacted": redact,
                "verdict": case.verdict,
                "settled": case.settled is not None,
                "findings": [
                    {"clause": one.clause, "check": one.check, "verdict": one.verdict, "records": list(one.records)}
                    for one in case.findings
                ],
                "differences": [] if case.settled is None else [one.to_json() for one in case.settled.differences],
                "missing": list(case.unknown),
            },
        )
    else:
        paid = case.settled is not None and case.settled.entry.paid is not None
        told = f"{many(differs, 'payment')} not as due" if paid else "payments not known"
        lines = [f"{case.title}: {many(len(case.findings), 'finding')}, {told}"]
        lines += [f"  {clean(str(file))}" for file in (page, sheet)]
        lines += [f"  not known: {one}" for one in case.unknown]
        console().print(*lines, sep="\n")
    return FINDINGS if case.findings or differs or broken else FINE
