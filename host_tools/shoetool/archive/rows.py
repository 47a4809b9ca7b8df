"""The rows that the index holds of one history, and their digest. The custody log holds the digest of each.

So a row that was changed, added or taken out of the index is found without a look at the history itself.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from heapq import merge
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING, Any, Final

from shoetool.casino.linked import LINK_COLUMNS, LINK_PATH, link_rows

if TYPE_CHECKING:  # verifying takes a while to load, and a search needs none of it
    from shoetool.archive.custody import Added
    from shoetool.archive.dealt import RoundRow
    from shoetool.casino.judged import Judged

COLUMNS: Final = {
    "history": ("number", "name", "sha256", "size", "record", "verdict", "headline", "device", "shoe", "gaming_table",
                "began", "ended", "rounds", "findings"),
    "round": ("history", "number", "shoe", "began", "ended", "first_record", "last_record", "dealer", "cards",
              "gaming_table", "device"),
    "round_clock": ("history", "first_record", "basis"),
    "finding": ("history", "round_record", "clause", "name"),
    **LINK_COLUMNS,
}  # fmt: skip
"""Every table with rows of histories, and its columns. The first column of the first four is the history's number."""
NO_HISTORY: Final = -1
"""The number of rows that belong to no history."""
Rows = Mapping[str, Sequence[tuple[Any, ...]]]


def rows_of(added: Added, judged: Judged, rounds: Sequence[RoundRow]) -> Rows:
    """Return the rows of a history that was just verified, by table."""
    assert judged.report is not None
    report, summary = judged.report, judged.report.summary
    number, device = added.number, summary.device
    history = (
        number, added.name, added.sha256, added.size, added.record, report.verdict, report.headline(), device,
        judged.held[0][1] if judged.held else None, summary.table,
        None if judged.began is None else judged.began.low_ms,
        None if judged.ended is None else judged.ended.high_ms, summary.rounds, len(report.findings),
    )  # fmt: skip
    return {
        "history": [history],
        "round": [(number, *one[:-1], summary.table, device) for one in rounds],
        # A table of its own, so that an index made before this version can still be read.
        "round_clock": [(number, one.first_record, int(one.basis)) for one in rounds if one.basis is not None],
        "finding": [(number, one.round_record, one.clause, one.check) for one in report.findings],
        **link_rows(added.name, judged),
    }


def digest_of(rows: Rows) -> str:
    """Return the digest of a history's rows, whatever their order."""
    return _digest(_text(table, row) for table in COLUMNS for row in rows.get(table, ()))


def digests(database: sqlite3.Connection) -> Iterator[tuple[int, str]]:
    """Yield (number, digest) of the rows of each history in the index, in order of the numbers.

    Rows that belong to no history come first, with NO_HISTORY.
    """
    every = merge(*(_stored(database, table) for table in COLUMNS), key=itemgetter(0))
    for number, rows in groupby(every, itemgetter(0)):
        yield number, _digest(text for _, text in rows)


def _stored(database: sqlite3.Connection, table: str) -> Iterator[tuple[int, str]]:
    """Yield the rows of a table as texts, each with the number of its history, in order of the numbers."""
    columns = ", ".join(f"one.{name}" for name in COLUMNS[table])
    link = f"history.name = one.{LINK_PATH}" if table in LINK_COLUMNS else f"history.number = one.{COLUMNS[table][0]}"
    for number, *row in database.execute(
        f"SELECT COALESCE(history.number, {NO_HISTORY}) AS owner, {columns} FROM {table} AS one "
        f"LEFT JOIN history ON {link} ORDER BY owner"
    ):
        yield number, _text(table, row)


def _text(table: str, row: Sequence[Any]) -> str:
    # Bytes must not read as the text of their digits: SQL compares the two as different.
    values = [[value.hex()] if isinstance(value, bytes) else value for value in row]
    return json.dumps([table, *values], separators=(",", ":"))


def _digest(texts: Iterable[str]) -> str:
    return sha256("\n".join(sorted(texts)).encode()).hexdigest()
