"""Damaged histories: files that were cut, flipped bits, lost and changed pages, steps that a power cut tore.

Each by a seed, on a session with its table record, so that what is missing shows in the payments too. And the short
histories, one check each, that the tests of the clauses write by hand.
"""

from __future__ import annotations

import importlib
import struct
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from hashlib import sha256
from pathlib import Path
from random import Random

from golden_case import Case, Command
from golden_dealt import TABLES
from golden_histories import FIRST_TURN, UTC, deal, write_histories, write_pages, write_record
from histories import cut_pages, pack_record
from shoetool.cli.wager_record import at_the_table, rules_values
from shoetool.history.store import ShoelogReader
from shoetool.model.protocol_table import PAGE_SIZE, RecordKind
from shoetool.model.records import Record
from shoetool.rules.submission.file import from_values

CUTS, FLIPS, TORN, PAGES = 16, 32, 24, 20
Damage = Callable[[Path, Random], None]
OF_TABLES = ("blackjack", "double shoe", "spanish 21", "from the hand")
_REFERS = (RecordKind.OPENED, RecordKind.MOVED, RecordKind.REVEALED)


def damaged() -> list[Case]:
    """Every damaged history."""
    return [
        *(Case(f"cut {seed}", partial(_damaged, _cut, seed)) for seed in range(CUTS)),
        *(Case(f"flipped bit {seed}", partial(_damaged, _flip, seed)) for seed in range(FLIPS)),
        *(Case(f"pages {seed}", partial(_damaged, _pages, seed)) for seed in range(PAGES)),
        *(Case(f"torn step {seed}", partial(_torn, seed)) for seed in range(TORN)),
    ]


def _session(seed: int) -> tuple[list[Record], str, str]:
    """Records, history and table record of a session of a few rounds."""
    table = TABLES[OF_TABLES[seed % len(OF_TABLES)]]
    values = rules_values(None, table)
    scenario = at_the_table(replace(table, seed=seed, rounds=7), from_values(values, "the table"))
    records, _ = deal(scenario)
    (history,) = write_histories(records)
    return records, history, write_record([history], values, seed)[0]


def _told(history: str, record: str) -> list[Command]:
    return [
        ("verify", *UTC, history),
        ("verify", *UTC, "--json", "--table-record", record, history),
        ("replay", *UTC, history),
        ("settle", *UTC, record, "--history", history),
    ]


def _damaged(damage: Damage, seed: int) -> list[Command]:
    _, history, record = _session(seed)
    damage(Path(history), Random(f"{damage.__name__} {seed}"))
    return _told(history, record)


def _cut(path: Path, random: Random) -> None:
    """The file ends at any byte."""
    data = path.read_bytes()
    path.write_bytes(data[: random.randrange(len(data))])


def _flip(path: Path, random: Random) -> None:
    """One bit, and now and then a second one, is another one."""
    data = bytearray(path.read_bytes())
    written = len(bytes(data).rstrip(b"\xff"))
    for _ in range(random.choice((1, 1, 2))):
        data[random.randrange(written)] ^= 1 << random.randrange(8)
    path.write_bytes(data)


def _pages(path: Path, random: Random) -> None:
    """A page is missing, changed with its record's check sum made right, blank from somewhere on, or a shoe's first."""
    with ShoelogReader(path) as reader:
        records = list(reader.records())
    pages = cut_pages(records, flags=FIRST_TURN)
    at = random.randrange(len(pages))
    match random.randrange(4):
        case 0:
            del pages[at]
        case 1:
            card = random.choice([place for place, one in enumerate(records) if one.kind == RecordKind.CARD])
            values = list(records[card].values)
            values[4] = (int(values[4]) + 1 + random.randrange(50)) % 52
            records[card] = records[card]._replace(values=tuple(values))
            pages[at] = cut_pages(records, flags=FIRST_TURN)[at]
        case 2:
            kept = random.randrange(64, PAGE_SIZE)
            pages[at] = pages[at][:kept] + b"\xff" * (PAGE_SIZE - kept)
        case _:
            pages = pages[at:]
    path.unlink()
    if pages:
        write_pages(pages, records[-1], path.name)


def _torn(seed: int) -> list[Command]:
    """The power was cut while a step was programmed, last record first. The step comes again after a start."""
    records, history, record = _session(seed)
    random = Random(f"torn {seed}")
    at = random.randrange(20, len(records) - 5)
    step = [one._replace(ticks_ms=records[at].ticks_ms) for one in records[at : at + random.randint(1, 3)]]
    packed = [pack_record(one) for one in step]
    reached = random.randrange(len(packed))
    body = bytearray(b"\xff" * sum(map(len, packed[:reached])))
    done = random.randint(1, len(packed[reached]) - 1)
    body += packed[reached][:done] + b"\xff" * (len(packed[reached]) - done)
    body += b"".join(packed[reached + 1 :])
    if random.random() < 0.2:
        body += bytes(random.randrange(256) for _ in range(120))  # no power cut leaves this
    pages = cut_pages(records[:at], flags=FIRST_TURN)
    used = len(pages[-1].rstrip(b"\xff"))
    pages[-1] = (pages[-1][:used] + bytes(body) + b"\xff" * PAGE_SIZE)[:PAGE_SIZE]
    rest = _after_a_start(records, at)
    pages += cut_pages(rest, len(pages), 1, sha256(pages[-1]).digest(), FIRST_TURN)
    Path(history).unlink()
    write_pages(pages, rest[-1], history)
    return _told(history, record)


def _after_a_start(records: list[Record], at: int) -> list[Record]:
    """Record `at` and those after it, behind the record of a start."""
    last = records[at - 1]
    out = [Record(at, last.boot + 1, 20, RecordKind.BOOT, (0, b"\1\0\0", 0, 7))]
    for one in records[at:]:
        values = one.values
        if one.kind in _REFERS and int(values[0]) >= at:
            values = (int(values[0]) + 1, *values[1:])
        out.append(Record(one.number + 1, last.boot + 1, one.ticks_ms, one.kind, values))
    return out


def clauses() -> list[Case]:
    """The short histories of tests/regulation/verify_cases_*.py: each check with each of its verdicts."""
    folder = Path(__file__).resolve().parents[1] / "regulation"
    for path in sorted(folder.glob("verify_cases_*.py")):
        importlib.import_module(path.stem)
    entered = importlib.import_module("verify_case").CASES
    made = sorted(entered, key=lambda one: one[2].__module__)  # whatever other tests have imported before
    return [Case(make.__name__.replace("_", " "), partial(_clause, make)) for _, _, make in made]


def _clause(make: object) -> list[Command]:
    records = make().s.records  # type: ignore[operator]
    try:
        name = write_pages(cut_pages(records, flags=FIRST_TURN), records[-1], "shoe-1.shoelog")
    except struct.error as error:
        raise AssertionError("a history that no shoe can write") from error
    return [("verify", *UTC, name), ("verify", *UTC, "--json", name), ("replay", *UTC, name)]
