"""History fixtures: kept files read, replay and verify as they did when they were made."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from history_vectors import FOLDER, MADE, report_of, write


@pytest.mark.parametrize("name", MADE)
def test_a_kept_history_gets_the_report_that_lies_beside_it(name: str) -> None:
    assert report_of(FOLDER / f"{name}.shoelog") == json.loads((FOLDER / f"{name}.json").read_text())


def test_the_writer_still_writes_the_same_bytes(tmp_path: Path) -> None:
    write(tmp_path)
    for name in MADE:
        assert (tmp_path / f"{name}.shoelog").read_bytes() == (FOLDER / f"{name}.shoelog").read_bytes()


def test_there_is_a_finding_in_each_planted_history_and_none_in_a_clean_one() -> None:
    for name in MADE:
        found = json.loads((FOLDER / f"{name}.json").read_text())["findings"]
        assert bool(found) is name.startswith("planted"), name
