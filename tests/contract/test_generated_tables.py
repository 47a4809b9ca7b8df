"""The tables of both sides are those that firmware/protocol.toml and games.toml make."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "firmware" / "tools"))

import generate_tables


def test_the_generated_tables_are_current() -> None:
    assert generate_tables.main(["--check"]) == 0
