"""The measurements on an emulated RP2040 start as programs, from any folder and without a path that is set for them."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

BENCH = Path(__file__).resolve().parents[1] / "bench"
PROGRAMS = sorted(path for path in BENCH.glob("rp2040_*.py") if path.name != "rp2040_shoe.py")  # what they share


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda path: path.stem)
def test_it_tells_its_usage(program: Path, tmp_path: Path) -> None:
    surroundings = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "RP2_UF2")}
    done = subprocess.run(
        [sys.executable, program, "--help"], cwd=tmp_path, env=surroundings, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr[-2000:]
    assert done.stdout.startswith(f"usage: {program.name}")
    assert "--seed" in done.stdout
