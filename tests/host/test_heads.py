"""The margins of the read heads as people see them, and what `shoetool calibrate` refuses without a shoe."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from click.testing import CliRunner
from shoetool.cli import build
from shoetool.cli.calibrate import present
from shoetool.model.errors import DeviceError
from shoetool.report.heads import BAR, UNKNOWN_MARGIN, Reading, bars


def test_the_limit_is_seen_in_every_row_at_the_same_place() -> None:
    margins = (0, 30, 64, 65, 66, 69, 100, 125, 200, UNKNOWN_MARGIN)
    rows = bars([Reading(shoe, 0, None, margin) for shoe, margin in enumerate(margins)])
    assert len({row.index("│") for row in rows}) == 1
    assert all(row.count("│") == 1 and row.count("█") + row.count("·") == BAR for row in rows)
    for margin, row in zip(margins, rows, strict=True):
        bar = row.split()[1]
        assert ("█│█" in bar) == (margin not in (0, 30, 64, 65, UNKNOWN_MARGIN))
        assert ("·│" in bar) == (margin in (0, 30, UNKNOWN_MARGIN))


@pytest.mark.parametrize("words", [("--head", "a"), ("--show",), ("--show", "--head", "reader")])
def test_what_histories_do_not_take_is_bad_usage(words: tuple[str, ...], tmp_path: Path) -> None:
    result = CliRunner().invoke(build(), ["calibrate", str(tmp_path / "a.shoelog"), *words])
    assert result.exit_code == 2 and "--head and --show" in result.stderr


@pytest.mark.parametrize(
    ("chosen", "told"),
    [
        ([0], "no side A, or its protocol is older than 1.2"),
        ([0, 1], "no side A or side B, or its protocol is older than 1.2"),
        ([0, 1, 2], "no side A, side B or the card reader device, or its protocol is older than 1.2"),
    ],
)
def test_heads_that_are_not_there_are_listed(chosen: list[int], told: str) -> None:
    client: Any = SimpleNamespace(levels=lambda head: None, transport=SimpleNamespace(name="port"))
    with pytest.raises(DeviceError, match=told):
        present(client, chosen, some=True)
