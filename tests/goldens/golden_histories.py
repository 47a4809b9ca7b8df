"""Deals scenarios in this process and writes what `shoetool simulate` would have left: histories and a table record.

The firmware's own dealing makes the records; the tests' writer cuts them into pages. Everything follows from the seed.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from histories import DEVICE, cut_pages
from in_process_shoe import InProcessShoe
from shoesim.dealer_truth import Truth
from shoesim.scenario import Scenario, run_scenario
from shoesim.wagers import TableRecorder
from shoesim.wagers_plants import Planted, WagerPlant
from shoetool.history.chain import page_number
from shoetool.history.chunks import ClockPoint, Configuration, Identity
from shoetool.history.store import ShoelogReader, ShoelogWriter
from shoetool.model.protocol_table import RecordKind
from shoetool.model.records import Record
from shoetool.rules.submission.file import from_values

FETCHED_MS = 1_760_000_000_000
"""The last record of each history was written at 08:53:20 UTC on 2025-10-09."""
FIRST_TURN = 1
"""In a page's header: the shoe's ticks had not begun anew."""
IDENTITY = Identity(DEVICE, 1, 2, b"\x00\x01\x00", "golden")
SETTINGS = Configuration(0x1234, ((1, 0), (3, 6)))
UTC = ("--timezone", "UTC")


def deal(scenario: Scenario) -> tuple[list[Record], Truth]:
    """The records of a scenario and what happened in it."""
    shoe = InProcessShoe(scenario)
    truth = run_scenario(scenario, shoe)
    return shoe.history(), truth


def write_histories(records: Sequence[Record], name: str = "shoe") -> list[str]:
    """Write one file for each shoe, as a fetch does; their names. Pages and record numbers run on."""
    names: list[str] = []
    page, previous = 0, bytes(32)
    for shoe, part in enumerate(_shoes(records), start=1):
        pages = cut_pages(part, page, shoe, previous, FIRST_TURN)
        names.append(write_pages(pages, part[-1], f"{name}-{shoe}.shoelog"))
        page, previous = page_number(pages[-1]) + 1, hashlib.sha256(pages[-1]).digest()
    return names


def write_pages(pages: Iterable[bytes], last: Record, name: str) -> str:
    """Write a history file of these pages, fetched straight after record `last`."""
    with ShoelogWriter(Path(name), sync=False) as writer:
        writer.set_identity(IDENTITY)
        writer.set_configuration(SETTINGS)
        writer.add_clock(ClockPoint(last.boot, last.ticks_ms, FETCHED_MS, 3, turns=0))
        for page in pages:
            writer.append_page(page)
    return name


def _shoes(records: Sequence[Record]) -> list[list[Record]]:
    """The records of each shoe: a shoe's begin straight after the end of the one before."""
    parts: list[list[Record]] = [[]]
    for record in records:
        parts[-1].append(record)
        if record.kind == RecordKind.SHOE_CLOSED:
            parts.append([])
    return [part for part in parts if part]


def write_record(
    histories: Sequence[str], values: dict[str, Any], seed: int, plants: Sequence[WagerPlant] = (), **options: bool
) -> tuple[str, list[Planted]]:
    """Write the table record of these histories, as `simulate --table-record` does; its name, and what was planted."""
    recorder = TableRecorder(from_values(values, "the table"), seed, plants, table=values, **options)
    name = "night.jsonl"
    with Path(name).open("w", encoding="utf-8") as file:
        for history in histories:
            with ShoelogReader(Path(history)) as reader:
                for line in recorder.lines(reader):
                    file.write(json.dumps(line, ensure_ascii=False) + "\n")
    return name, recorder.planted


def told_of(histories: Sequence[str], records: bool = True) -> list[tuple[str, ...]]:
    """The commands that tell what is in histories alone; `records`: record by record too, whose sentences `monitor` has
    as well."""
    out: list[tuple[str, ...]] = [("verify", *UTC, "--readings", *histories), ("verify", *UTC, "--json", *histories)]
    for name in histories:
        out.append(("replay", *UTC, name))
        out.append(("replay", *UTC, "--json", name))
        if records:
            out.append(("replay", *UTC, "--records", name))
        out.append(("monitor", *UTC, "--json", name))
    return out


def told_with(record: str, histories: Sequence[str]) -> list[tuple[str, ...]]:
    """The commands that tell what a table record says of its histories."""
    given = [word for name in histories for word in ("--history", name)]
    return [
        ("verify", *UTC, "--table-record", record, *histories),
        ("verify", *UTC, "--json", "--table-record", record, *histories),
        ("settle", *UTC, record, *given),
        ("settle", *UTC, "--json", record, *given),
    ]
