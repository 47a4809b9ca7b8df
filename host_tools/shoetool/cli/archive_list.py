"""`shoetool archive list`: what an archive holds, device by device, and which shoes are missing."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import click
from rich.table import Table

from shoetool.cli.casino_run import many_histories, many_verdicts
from shoetool.cli.examples import examples
from shoetool.cli.exits import FINDINGS, FINE
from shoetool.cli.options import FOLDER, keys_option
from shoetool.cli.output import console, emit, json_option, print_table
from shoetool.cli.time_window import zone_option
from shoetool.model.printable import clean
from shoetool.model.times import Zone
from shoetool.report.findings import finding_lines
from shoetool.report.sentences import many


@click.command("list", epilog=examples("archive list vault"))
@click.argument("place", type=FOLDER, metavar="ARCHIVE")
@zone_option
@keys_option
@json_option
def command(place: Path, zone: Zone, keys: Path | None, as_json: bool) -> int:
    """Show the devices with their histories, and how these follow one another.

    A shoe that is missing between two others is named, and so are two histories that contradict each other (exit code
    1).
    """
    from shoetool.archive.keeper import Archive
    from shoetool.casino.follow import follow
    from shoetool.casino.judged import Asked

    with closing(Archive(place, Asked())) as archive:
        archive.current()
        totals, devices = archive.index.totals(), archive.index.devices()
        rows = [row for row in follow(archive.index.linked, keys, False, True) if row.findings or row.notes]
    found = sum(len(row.findings) for row in rows)
    if as_json:
        body = [
            {
                "device": device, "histories": number, "first_shoe": first, "last_shoe": last, "rounds": rounds,
                "began_at": None if began is None else zone.iso(began),
                "ended_at": None if ended is None else zone.iso(ended),
                "findings": findings, "tables": sorted(map(int, str(tables).split(","))),
            }
            for device, number, first, last, rounds, began, ended, findings, tables in devices
        ]  # fmt: skip
        follows = [row.to_json() for row in rows]
        emit("archive_list", {"timezone": zone.name, "verdicts": totals, "devices": body, "follow": follows})
        return FINDINGS if found else FINE
    out = console()
    table = Table("device", "tables", "histories", "shoes", "rounds", "from", "to", "findings", box=None)
    for device, number, first, last, rounds, began, ended, findings, tables in devices:
        table.add_row(
            device or "unknown", str(tables), f"{number:,}", f"{first} to {last}" if first is not None else "-",
            f"{rounds:,}", _time(began, zone), _time(ended, zone), f"{findings:,}",
        )  # fmt: skip
    print_table(out, table)
    out.print()
    for row in rows:
        out.print(f"device {row.device.hex()}")
        for finding in row.findings:
            for line in finding_lines(finding, min(out.width, 110), False):
                out.print(line)
        for note in row.notes:
            out.print(f"  note: {clean(note)}")
        out.print()
    out.print(f"{many_histories(sum(totals.values()))}: {many_verdicts(totals) or 'none'}")
    out.print(f"{many(found, 'finding')} in how they follow one another")
    return FINDINGS if found else FINE


def _time(moment: int | None, zone: Zone) -> str:
    return "not known" if moment is None else zone.stamp(moment)
