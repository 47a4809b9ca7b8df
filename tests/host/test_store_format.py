"""HISTORY_FORMAT.md: its worked example is what the writer writes and what the reader reads."""

from __future__ import annotations

import re
from pathlib import Path

from history_example import example
from shoetool.history.store import ShoelogReader

FORMAT = Path(__file__).resolve().parents[2] / "host_tools" / "HISTORY_FORMAT.md"


def test_the_worked_example_is_byte_for_byte_the_file(tmp_path: Path) -> None:
    data = example(tmp_path / "example.shoelog").read_bytes()
    text = FORMAT.read_text()
    rows = re.findall(r"^ *(\d+)  ((?:[0-9a-f]{2} ?)+)$", text, re.MULTILINE)
    assert len(rows) == 16
    for offset, row in rows:
        expected = bytes.fromhex(row)
        assert data[int(offset) : int(offset) + len(expected)] == expected, f"byte {offset}"
    assert set(data[232:4208]) == {0xFF}
    assert f"It has {len(data)} bytes" in text


def test_the_worked_example_reads_as_the_table_says(tmp_path: Path) -> None:
    with ShoelogReader(example(tmp_path / "example.shoelog")) as reader:
        records = list(reader.records())
        assert [(r.number, r.boot, r.ticks_ms, r.name) for r in records] == [
            (0, 1, 1700, "boot"),
            (1, 1, 2400, "shoe_opened"),
            (2, 1, 3100, "loaded"),
        ]
        assert records[1].decks == 6 and records[1].table == 42 and records[2].cards == 312
        assert reader.identity is not None and reader.identity.board == "virtual"
        found = reader.moment(records[2])
        assert found is not None and found.middle_ms == 1_760_000_001_400
