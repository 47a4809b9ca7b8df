"""`shoetool archive find`: the rounds of an archive that fit, and where they are."""

from __future__ import annotations

import re
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click
from rich.table import Table

from shoetool.cli.examples import examples
from shoetool.cli.exits import FINDINGS, FINE
from shoetool.cli.options import FOLDER
from shoetool.cli.output import console, emit, json_option, print_table
from shoetool.cli.time_window import Asked, window_options
from shoetool.model.cards import card_name, parse_card
from shoetool.model.errors import BadInput
from shoetool.model.times import Zone

if TYPE_CHECKING:
    from shoetool.archive.index import Found

MOST: Final = 100


class CardType(click.ParamType[int]):
    """A card: `7c`, `7♣` or `10h`."""

    name = "card"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Return its number, 0 to 51."""
        if isinstance(value, int):
            return value
        try:
            return parse_card(str(value))
        except BadInput as error:
            self.fail(str(error), param, ctx)


@click.command(
    "find",
    epilog=examples(
        "archive find vault --table 7 --at '2026-11-23 21:14'",
        ("archive find vault --card 7c --from 2026-11-23", "with a card"),
        ("archive find vault --dealer 2 --shoe 31", "of the second dealer"),
    ),
)
@click.argument("place", type=FOLDER, metavar="ARCHIVE")
@click.option("--device", metavar="DEVICE", help="Only of this device (16 hexadecimal digits).")
@click.option("--shoe", type=click.IntRange(0), metavar="N", help="Only of this shoe of the device.")
@click.option("--table", "gaming_table", type=click.IntRange(0), metavar="N", help="Only at this gaming table.")
@click.option("--round", "number", type=click.IntRange(1), metavar="N", help="Only rounds with this number.")
@click.option("--dealer", type=click.IntRange(0), metavar="N", help="Only those of the Nth dealer of a shoe.")
@click.option("--card", type=CardType(), metavar="CARD", help="Only rounds in which this card was seen: 7c, 10h, as.")
@click.option("--finding", "check", metavar="CHECK", help="Only rounds with a finding of this check (CHECKS.md).")
@click.option("--clause", metavar="CLAUSE", help="Only rounds with a finding under this clause.")
@click.option("--most", type=click.IntRange(1), default=MOST, show_default=True, metavar="N", help="Show so many.")
@window_options("rounds")
@json_option
def command(
    place: Path,
    device: str | None,
    shoe: int | None,
    gaming_table: int | None,
    number: int | None,
    dealer: int | None,
    card: int | None,
    check: str | None,
    clause: str | None,
    most: int,
    at: Asked | None,
    first: Asked | None,
    last: Asked | None,
    zone: Zone,
    as_json: bool,
) -> int:
    """Find rounds. All that is asked for must fit. Exits with code 1 when no round fits.

    A time needs its day, as '2026-11-23 21:14'. Rounds whose time is not known fit no time.
    """
    from shoetool.archive.index import Wanted
    from shoetool.archive.keeper import Archive

    if device is not None and not re.fullmatch("[0-9a-f]{16}", device):
        raise click.UsageError("--device takes 16 hexadecimal digits")
    if check is not None:
        from shoetool.judge.registry import CHECKS  # it takes a while

        if check not in CHECKS:
            raise click.UsageError(f"there is no check {check!r}: shoetool verify names them, and CHECKS.md")
    begins, ends = _times(at, first, last, zone)
    wanted = Wanted(device, shoe, gaming_table, number, begins, ends, dealer, card, check, clause)
    with closing(Archive(place)) as archive:
        archive.current()
        found = archive.index.rounds(wanted, most + 1)
    more, found = len(found) > most, found[:most]
    if as_json:
        rows = [_document(place, one, zone) for one in found]
        emit("archive_find", {"timezone": zone.name, "rounds": rows, "more": more})
        return FINE if found else FINDINGS
    out = console()
    if not found:
        out.print("no round of this archive fits")
        return FINDINGS
    table = Table("began", "table", "shoe", "round", "dealer", "findings", "history", "file", box=None)
    table.columns[-1].overflow = "fold"  # the end of a name says which shoe it is
    for one in found:
        began = "not known" if one.began is None else zone.stamp(one.began)
        table.add_row(
            began, str(one.table), _shown(one.shoe), str(one.number), _shown(one.dealer), str(one.findings),
            one.verdict, one.name,
        )  # fmt: skip
    print_table(out, table)
    for basis in sorted({one.basis for one in found if one.basis is not None}):
        count = sum(one.basis == basis for one in found)
        which = "times of day are" if count == len(found) else f"{count} of the times of day are"
        out.print(f"{which} {basis.sentence}")
    if more:
        out.print(f"more fit: these are the first {most:,} (--most)")
    out.print(f"as a sheet: shoetool case {place / found[0].name} --round {found[0].number}")
    return FINE


def _document(place: Path, one: Found, zone: Zone) -> dict[str, Any]:
    return {
        "file": str(place / one.name),
        "verdict": one.verdict,
        "device": one.device,
        "shoe": one.shoe,
        "table": one.table,
        "round": one.number,
        "began_at": None if one.began is None else zone.iso(one.began),
        "ended_at": None if one.ended is None else zone.iso(one.ended),
        "time_basis": None if one.basis is None else one.basis.word,
        "first_record": one.first_record,
        "last_record": one.last_record,
        "dealer": one.dealer,
        "cards": [card_name(face) for face in range(52) if one.cards >> face & 1],
        "findings": one.findings,
        "table_record": str(place / one.record) if one.record else None,
    }


def _shown(number: int | None) -> str:
    return "-" if number is None else str(number)


def _times(at: Asked | None, first: Asked | None, last: Asked | None, zone: Zone) -> tuple[int | None, int | None]:
    """Return the span that is asked for, Unix ms, the end excluded."""
    if at is not None and (first is not None or last is not None):
        raise click.UsageError("--at goes without --from and --to")
    for one in (at, first, last):
        if one is not None and one.day is None:
            raise click.UsageError(f"an archive has many days: name one, as '2026-11-23 {one.text}'")
        if one is not None and one.day is not None and not one.instants(one.day, zone):
            raise BadInput(f"{one.text}: the clocks were set forward over this time on that day")
    if at is not None and at.day is not None:
        instants = at.instants(at.day, zone)
        return min(instants), max(instants) + at.lasts_ms
    begins = min(first.instants(first.day, zone)) if first is not None and first.day is not None else None
    ends = None
    if last is not None and last.day is not None:
        ends = max(last.instants(last.day, zone)) + (last.lasts_ms if last.clock is None else 0)
    return begins, ends
