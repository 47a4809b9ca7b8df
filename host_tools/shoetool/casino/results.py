"""The results of a run as Parquet: the tables of RESULTS_FORMAT.md, written part by part by one process.

Each table is a folder of files `part-00001.parquet`, ..., which DuckDB, Polars and friends read as one. A file has its
name only once it is whole and durable.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import pyarrow as pa
import pyarrow.parquet as pq

from shoetool.casino.judged import Judged
from shoetool.history.clock import Moment
from shoetool.judge.finding import Finding
from shoetool.model.cards import card_name
from shoetool.model.durable import make_folder, sync_folder
from shoetool.model.errors import BadInput
from shoetool.trust.findings import SignedShoe
from shoetool.verify.followed import Row

UNREADABLE: Final = "unreadable"
VERSION: Final = 1
"""Of the tables' schema: a newer one may have more columns, never others."""

_TIME: Final = pa.timestamp("ms", "UTC")
_WORD: Final = pa.dictionary(pa.int32(), pa.string())


def _schema(columns: Mapping[str, Any], needed: Sequence[str]) -> pa.Schema:
    fields = [pa.field(name, kind, nullable=name not in needed) for name, kind in columns.items()]
    return pa.schema(fields, {"shoetool results": str(VERSION)})


SCHEMAS: Final[dict[str, pa.Schema]] = {
    "histories": _schema(
        {
            "path": pa.string(), "size": pa.int64(), "sha256": pa.string(), "verdict": _WORD, "headline": pa.string(),
            "error": pa.string(), "device": _WORD, "shoe": pa.int64(), "shoes": pa.int64(), "game": _WORD,
            "shoe_kind": _WORD, "decks": pa.int64(), "table": pa.int64(), "began": _TIME, "ended": _TIME,
            "rounds": pa.int64(), "cards": pa.int64(), "records": pa.int64(), "first_record": pa.int64(),
            "last_record": pa.int64(), "boots": pa.int64(), "whole": pa.bool_(), "chain_ok": pa.bool_(),
            "face_down": pa.int64(), "findings": pa.int64(), "dropped": pa.int64(), "signed": pa.int64(),
            "signatures_good": pa.int64(), "signatures_pinned": pa.int64(), "table_record": pa.bool_(),
            "table_rounds": pa.int64(), "left_out": pa.list_(pa.string()), "notes": pa.list_(pa.string()),
        },
        ("path", "verdict", "headline"),
    ),
    "findings": _schema(
        {
            "path": pa.string(), "number": pa.int64(), "device": _WORD, "shoe": pa.int64(), "table": pa.int64(),
            "clause": _WORD, "check": _WORD, "verdict": _WORD, "round": pa.int64(), "began": _TIME, "ended": _TIME,
            "records": pa.list_(pa.int64()), "cards": pa.list_(pa.string()), "sentence": pa.string(),
            "position": pa.int64(), "wager": _WORD, "hand": pa.int64(), "due_cents": pa.int64(),
            "paid_cents": pa.int64(),
        },
        ("path", "number", "clause", "check", "verdict", "sentence"),
    ),
    "signatures": _schema(
        {
            "path": pa.string(), "shoe": pa.int64(), "device": _WORD, "signed": pa.bool_(), "good": pa.bool_(),
            "fingerprint": _WORD, "pinned": pa.bool_(), "index": pa.int64(), "first_page": pa.int64(),
            "last_page": pa.int64(), "first_record": pa.int64(), "last_record": pa.int64(), "why": pa.string(),
            "found": pa.list_(pa.string()),
        },
        ("path", "shoe", "signed", "good"),
    ),
    "devices": _schema(
        {
            "device": pa.string(), "shoes": pa.int64(), "first_shoe": pa.int64(), "last_shoe": pa.int64(),
            "finding": pa.bool_(), "clause": pa.string(), "check": pa.string(), "sentence": pa.string(),
        },
        ("device", "shoes", "finding"),
    ),
}  # fmt: skip


class Results:
    """Writes the tables of one run into a folder. BadInput when that fails."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._rows: dict[str, list[dict[str, Any]]] = {name: [] for name in SCHEMAS}

    def add(self, one: Judged) -> None:
        """Add the rows of one history to the next part."""
        self._rows["histories"].append(_history(one))
        if one.report is not None:
            first = self._rows["histories"][-1]
            for number, finding in enumerate(one.report.findings):
                self._rows["findings"].append(_finding(one, first, number, finding))
            self._rows["signatures"] += [_signature(one.key, shoe) for shoe in one.report.summary.signatures]

    def write(self, part: int) -> None:
        """Write what was added as part `part` (1 or more). A part of this number that was not committed is replaced."""
        for name in ("histories", "findings", "signatures"):
            self._write(name, part)

    def devices(self, rows: Iterable[Row]) -> Iterator[Row]:
        """Hand the rows on, then write them: one for each finding and note of a device, or one for none."""
        for row in rows:
            self._rows["devices"] += _device(row)
            yield row
        self._write("devices", 1)

    def _write(self, name: str, part: int) -> None:
        rows, self._rows[name] = self._rows[name], []
        path = self.folder / name / f"part-{part:05d}.parquet"
        fresh = path.with_suffix(".unfinished")
        try:
            make_folder(path.parent)
            with fresh.open("wb") as file:
                pq.write_table(pa.Table.from_pylist(rows, SCHEMAS[name]), file, compression="zstd")
                file.flush()
                os.fsync(file.fileno())
            fresh.replace(path)
            sync_folder(path.parent)
        except OSError as error:
            raise BadInput(f"{path}: cannot be written: {error.strerror or error}") from None


def _time(moment: Moment | None) -> int | None:
    return None if moment is None else moment.middle_ms


def _history(one: Judged) -> dict[str, Any]:
    out = {"path": one.key, "size": one.size, "sha256": one.sha256 or None}
    report = one.report
    if report is None:
        return out | {"verdict": UNREADABLE, "headline": "cannot be read", "error": one.error}
    summary = report.summary
    shoes = summary.signatures
    same = ("device", "shoes", "game", "shoe_kind", "decks", "table", "rounds", "cards", "records", "first_record",
            "last_record", "boots", "chain_ok", "face_down", "dropped", "table_rounds", "notes")  # fmt: skip
    return out | {name: getattr(summary, name) for name in same} | {
        "verdict": report.verdict,
        "headline": report.headline(),
        "shoe": one.held[0][1] if one.held else None,
        "began": _time(one.began),
        "ended": _time(one.ended),
        "whole": summary.complete,
        "findings": len(report.findings),
        "signed": sum(shoe.signed for shoe in shoes),
        "signatures_good": sum(shoe.good for shoe in shoes),
        "signatures_pinned": sum(shoe.good and shoe.pinned is True for shoe in shoes),
        "table_record": one.table_record,
        "left_out": [row.words for row in summary.left_out],
    }  # fmt: skip


def _finding(one: Judged, history: Mapping[str, Any], number: int, finding: Finding) -> dict[str, Any]:
    paid = finding.payment
    return {
        "path": one.key, "number": number, "device": history["device"], "shoe": history["shoe"],
        "table": history["table"], "clause": finding.clause, "check": finding.check, "verdict": finding.verdict,
        "round": finding.round,
        "began": _time(one.moments.get(finding.records[0])) if finding.records else None,
        "ended": _time(one.moments.get(finding.records[-1])) if finding.records else None,
        "records": list(finding.records), "cards": [card_name(card) for card in finding.cards],
        "sentence": finding.sentence,
        "position": None if paid is None else paid.position, "wager": None if paid is None else paid.wager,
        "hand": None if paid is None else paid.hand, "due_cents": None if paid is None else paid.due,
        "paid_cents": None if paid is None else paid.paid,
    }  # fmt: skip


def _signature(path: str, shoe: SignedShoe) -> dict[str, Any]:
    first_page, last_page = shoe.pages or (None, None)
    first_record, last_record = shoe.records or (None, None)
    return {
        "path": path, "shoe": shoe.shoe, "device": None if shoe.device is None else shoe.device.hex(),
        "signed": shoe.signed, "good": shoe.good, "fingerprint": None if shoe.key is None else shoe.key.fingerprint,
        "pinned": shoe.pinned, "index": shoe.index, "first_page": first_page, "last_page": last_page,
        "first_record": first_record, "last_record": last_record, "why": shoe.why, "found": list(shoe.found),
    }  # fmt: skip


def _device(row: Row) -> Iterable[dict[str, Any]]:
    about = {
        "device": row.device.hex(),
        "shoes": len(row.shoes),
        "first_shoe": min(row.shoes, default=None),
        "last_shoe": max(row.shoes, default=None),
    }
    for finding in row.findings:
        yield about | {
            "finding": True, "clause": finding.clause, "check": finding.check, "sentence": finding.sentence
        }  # fmt: skip
    for note in row.notes:
        yield about | {"finding": False, "sentence": note}
    if not row.findings and not row.notes:
        yield about | {"finding": False}
