"""The results of a run as Parquet: the tables of RESULTS_FORMAT.md, written part by part by one process.

Each table is a folder of files `part-00001.parquet`, ..., which DuckDB, Polars and friends read as one. A file has its
name only once it is whole and durable.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final

import pyarrow as pa
import pyarrow.parquet as pq

from shoetool.casino.judged import UNREADABLE, Judged
from shoetool.casino.tables import PLAY, SCHEMAS
from shoetool.history.readings import weakest
from shoetool.history.start_clock import Moment
from shoetool.judge.finding import Finding
from shoetool.model.cards import card_name
from shoetool.model.errors import BadInput
from shoetool.model.file_kinds import PARQUET
from shoetool.model.output_file import WholeFile
from shoetool.trust.findings import SignedShoe
from shoetool.verify.followed import Row

GROUP_ROWS: Final = 1 << 16
"""Rows of play are written when there are so many of a table."""
RESULT_ROWS: Final = 512
"""The same for the other tables: as Python's objects, their rows are large."""


class Results:
    """Writes the tables of one run into a folder, with `play` those of what was dealt too. BadInput when that fails."""

    def __init__(self, folder: Path, play: bool = False) -> None:
        self.folder = folder
        self._rows: dict[str, list[dict[str, Any]]] = {name: [] for name in SCHEMAS}
        self._batches: dict[str, list[pa.RecordBatch]] = {name: [] for name in (PLAY if play else ())}
        self._files: dict[str, _File] = {}

    def add(self, one: Judged, part: int) -> None:
        """Add the rows of one history to part `part`. Its `rows` go to disk by and by, and are forgotten."""
        self._rows["histories"].append(_history(one))
        if one.report is not None:
            first = self._rows["histories"][-1]
            for number, finding in enumerate(one.report.findings):
                self._rows["findings"].append(_finding(one, first, number, finding))
            self._rows["signatures"] += [_signature(one.key, shoe) for shoe in one.report.summary.signatures]
        for name, waiting_rows in self._rows.items():
            if len(waiting_rows) >= RESULT_ROWS:
                self._flush(name, part)
        rows, one.rows = one.rows, {}
        for name, batch in rows.items():
            waiting = self._batches[name]
            waiting.append(_with_path(one.key, batch, SCHEMAS[name]))
            if sum(each.num_rows for each in waiting) >= GROUP_ROWS:
                self._flush(name, part)

    def write(self, part: int) -> None:
        """Make part `part` (1 or more) durable. One of this number that was not committed is replaced."""
        for name in ("histories", "findings", "signatures", *self._batches):
            self._write(name, part)

    def devices(self, rows: Iterable[Row]) -> Iterator[Row]:
        """Hand the rows on, then write them: one for each finding and note of a device, or one for none."""
        for row in rows:
            self._rows["devices"] += _device(row)
            yield row
        self._write("devices", 1)

    def close(self) -> None:
        """Give up what is not written yet."""
        for file in self._files.values():
            file.close()
        self._files.clear()

    def _flush(self, name: str, part: int) -> None:
        """Write what waits of a table into the file of the part, which has its name only later."""
        file = self._file(name, part)
        if name in self._batches:
            waiting, self._batches[name] = self._batches[name], []
            file.add(pa.Table.from_batches(waiting, SCHEMAS[name]))
        else:
            rows, self._rows[name] = self._rows[name], []
            file.add(pa.Table.from_pylist(rows, SCHEMAS[name]))

    def _file(self, name: str, part: int) -> _File:
        if name not in self._files:
            self._files[name] = _File(self.folder / name / f"part-{part:05d}.parquet", SCHEMAS[name])
        return self._files[name]

    def _write(self, name: str, part: int) -> None:
        self._flush(name, part)
        self._files.pop(name).finish()


class _File:
    """One file under way. It has its name only once it is whole and durable. BadInput when it cannot be written."""

    def __init__(self, path: Path, schema: pa.Schema) -> None:
        self._path = path
        with self._told():
            self._output = WholeFile(path, PARQUET)
            # past output_file: it writes into the open file.
            self._writer = pq.ParquetWriter(self._output.file, schema, compression="zstd")

    def add(self, rows: pa.Table) -> None:
        """Write some rows."""
        with self._told():
            self._writer.write_table(rows)

    def finish(self) -> None:
        """Give it its name."""
        with self._told():
            self._writer.close()
            self._output.finish()

    def close(self) -> None:
        """Leave it unfinished."""
        with suppress(OSError, ValueError):
            self._writer.close()
        self._output.discard()

    @contextmanager
    def _told(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise BadInput(f"{self._path}: cannot be written: {error.strerror or error}") from None


def _with_path(path: str, batch: pa.RecordBatch, schema: pa.Schema) -> pa.RecordBatch:
    """The rows of one history, with its name as the first column."""
    names = pa.DictionaryArray.from_arrays(pa.array([0] * batch.num_rows, pa.int32()), pa.array([path]))
    return pa.RecordBatch.from_arrays([names, *batch.columns], schema=schema)


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
        "time_basis": _basis(one.began, one.ended),
        "whole": summary.complete,
        "findings": len(report.findings),
        "signed": sum(shoe.signed for shoe in shoes),
        "signatures_good": sum(shoe.good for shoe in shoes),
        "signatures_pinned": sum(shoe.good and shoe.pinned is True for shoe in shoes),
        "table_record": one.table_record,
        "left_out": [row.words for row in summary.left_out],
    }  # fmt: skip


def _basis(*moments: Moment | None) -> str | None:
    """Return what these times rest on together, a word of `Basis`."""
    found = weakest(*(one.basis for one in moments if one is not None))
    return None if found is None else found.word


def _finding(one: Judged, history: Mapping[str, Any], number: int, finding: Finding) -> dict[str, Any]:
    paid = finding.payment
    return {
        "path": one.key, "number": number, "device": history["device"], "shoe": history["shoe"],
        "table": history["table"], "clause": finding.clause, "check": finding.check, "verdict": finding.verdict,
        "round": finding.round, "round_record": finding.round_record,
        "began": _time(one.moments.get(finding.records[0])) if finding.records else None,
        "ended": _time(one.moments.get(finding.records[-1])) if finding.records else None,
        "time_basis": _basis(*map(one.moments.get, finding.records[:1] + finding.records[-1:])),
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
