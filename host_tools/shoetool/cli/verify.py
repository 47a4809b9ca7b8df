"""`shoetool verify`: check histories clause by clause."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from shoetool.cli.examples import examples
from shoetool.cli.exits import BAD_INPUT, FINDINGS, FINE, one_line, say
from shoetool.cli.output import console, emit, json_option
from shoetool.cli.reading import opened
from shoetool.model.errors import BadInput
from shoetool.report.findings import finding_lines, verdict_line
from shoetool.report.sentences import many
from shoetool.verify import Report, verify
from shoetool.verify.findings import FINDINGS as FOUND
from shoetool.verify.findings import NO_SHOE


@click.command(
    "verify",
    epilog=examples(
        "verify night.shoelog",
        ("verify histories/*.shoelog --readings", "how each clause is read"),
    ),
)
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="FILE...")
@click.option("--readings", is_flag=True, help="Show with each finding how its clause was read.")
@json_option
def command(files: tuple[Path, ...], readings: bool, as_json: bool) -> int:
    """Check each history against the clauses that a shoe can show, and name what was found.

    A finding says its verdict (breach, irregularity handled, cannot tell), its clause, what happened, and the records
    and cards that prove it. Leaves with exit code 1 when there are findings, and 2 when a file could not be read; the
    other files are checked all the same. Only a whole shoe is called verified: a file that is cut off is a finding, a
    clean part of a shoe that is still under way is not.
    """
    code = FINE
    documents: list[dict[str, Any]] = []
    for file in files:
        try:
            with opened(file) as reader:
                report = verify(reader)
        except BadInput as error:
            code = BAD_INPUT
            documents.append({"file": str(file), "error": one_line(str(error)), "report": None})
            say(str(error))
            continue
        if not report.ok:
            code = max(code, FINDINGS)
        documents.append({"file": str(file), "error": None, "report": report.to_json()})
        if not as_json:
            show(file, report, readings)
    if as_json:
        emit("verify", {"files": documents})
    return code


def show(file: Path, report: Report, readings: bool) -> None:
    """Print one file's findings and its verdict."""
    out = console()
    summary = report.summary
    width = min(out.width, 110)
    for finding in report.findings:
        for line in finding_lines(finding, width, readings):
            out.print(line)
    for note in summary.notes:
        out.print(f"  note: {note}")
    parts = [many(summary.rounds, "round"), many(summary.cards, "card"), many(summary.records, "record")]
    if summary.face_down:
        parts.append(f"{summary.face_down} still face down")
    if not summary.complete and report.verdict == FOUND and not summary.cut:
        parts.append("not a whole shoe")
    detail = "" if report.verdict == NO_SHOE else ", ".join(parts)
    out.print(verdict_line(str(file), report.verdict, report.headline(), detail))
