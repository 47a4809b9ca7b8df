"""A small casino for the tests of `export`: shoes with planted irregularities, and signed ones with table records."""

from __future__ import annotations

import json
import random
import sys
from hashlib import sha256
from pathlib import Path

from dealer_script import Dealer, Table
from histories import Script, cut_pages
from shoetool.cli import build
from shoetool.history.chunks import ClockPoint, Identity
from shoetool.history.store import ShoelogWriter
from shoetool.model.protocol_table import Game, RecordKind, ShoeKind
from shoetool.model.records import Record
from signed_histories import SETTINGS, file_name

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "bench"))
import casino_month  # noqa: E402

FIRST_MS = 1_789_956_000_000  # a Monday, 02:00 UTC: in New York it is still the week before
DAY_MS = 86_400_000
SEVEN_OF_CLUBS = 6
PLANTS = (
    *("cover_card_too_deep", "dealer_misses_card", "unreadable_card", "", "dealer_stops_short", "no_dealer_burn"),
    *("hand_with_one_card", "missed_card", "dealer_draws_on_17", "hole_not_revealed"),
)
TABLES = (
    Table(decks=6, seats=0b0111111),
    Table(kind=ShoeKind.DOUBLE, decks=4, seats=0b11111),
    Table(game=Game.SPANISH_21, decks=6, seats=0b10101),
)


def dealt(table: int, number: int, plant: str) -> list[Record]:
    """One shoe. The margins of its cards vary; those of the seven of clubs fall from shoe to shoe."""
    script = Script(number * 5_000)
    records = Dealer(TABLES[table], 100 * table + number, plant, script).play_shoe().records
    rng = random.Random(f"{table} {number}")
    out = []
    for record in records:
        values = list(record.values)
        if record.kind == RecordKind.SHOE_OPENED:
            values[8] = 20 + table
        if record.kind == RecordKind.CARD and values[4] < 52:
            worn = 15 * number if values[4] == SEVEN_OF_CLUBS else 0
            values[6], values[7] = rng.randint(90, 600), 250 - worn - rng.randint(0, 20)
        out.append(record._replace(values=tuple(values)))
    return out


def deal(folder: Path) -> None:
    """Ten shoes of each of three tables, three days apart, and three shoes of a fourth with table records."""
    for table in range(len(TABLES)):
        device = b"EXPORT-%d" % table
        (folder / f"table-{20 + table}").mkdir(parents=True)
        for number, plant in enumerate(PLANTS):
            records = dealt(table, number, plant)
            path = folder / f"table-{20 + table}" / file_name(device, number + 1)
            with ShoelogWriter(path, sync=False) as writer:
                writer.set_identity(Identity(device, 1, 0, b"\x00\x01\x00", "bench"))
                writer.set_configuration(SETTINGS)
                last = records[-1]
                writer.add_clock(ClockPoint(last.boot, last.ticks_ms, FIRST_MS + 3 * DAY_MS * number, 3))
                previous = bytes(32)
                for page in cut_pages(records, 100 * number, number + 1):
                    made = casino_month.of_device(page[:28] + previous + page[60:], device)
                    previous = sha256(made).digest()
                    writer.append_page(made)
    before, casino_month.TEMPLATES = casino_month.TEMPLATES, 2
    try:
        casino_month.make_device(folder, 30, 0, 3, seed=3, records=True)
    finally:
        casino_month.TEMPLATES = before
    one, two, _ = sorted(folder.rglob("*.jsonl"))
    lines = one.read_text().splitlines()
    for at, paid in ((1, "999.00"), (3, "-0.50")):  # two wagers are paid wrongly, and a round is not written down
        entry = json.loads(lines[at])
        entry["paid"][0]["amount"] = paid
        lines[at] = json.dumps(entry)
    for at, over in ((4, 150), (5, 0)):  # one sum for all that a position won, a wrong one and a right one
        entry = json.loads(lines[at])
        position = entry["paid"][-1]["position"]
        of_it = [row for row in entry["paid"] if row["position"] == position]
        amount = sum(round(float(row["amount"]) * 100) for row in of_it) + over
        entry["paid"] = [row for row in entry["paid"] if row not in of_it]
        entry["paid"].append({"position": position, "amount": f"{amount / 100:.2f}"})
        lines[at] = json.dumps(entry)
        assert len(of_it) > 1
    one.write_text("\n".join([*lines[:6], *lines[7:], ""]))
    two.unlink()


def make(folder: Path) -> None:
    """The histories, and their export, into `histories` and `tables`."""
    deal(folder / "histories")
    export(folder / "histories", "--out", folder / "tables", "--table-records")


def export(*words: str | Path) -> str:
    """Run the command in this process; what it printed."""
    from click.testing import CliRunner

    result = CliRunner().invoke(build(), ["export", "--no-remember", "--jobs", "1", *map(str, words)])
    assert result.exit_code in (0, 1), result.output
    return result.stdout
