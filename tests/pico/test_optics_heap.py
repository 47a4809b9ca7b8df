"""`pico.optics` on MicroPython: edges are read without a byte of the heap, so no collection can come in between."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
MICROPYTHON = ROOT / "build" / "micropython" / "micropython-i386"
PROGRAM = Path(__file__).with_name("optics_heap.py")


def measured(board: Path) -> str:
    """What the program says of the `pico` in the folder `board`."""
    command = [str(MICROPYTHON), "-X", "heapsize=190k", str(PROGRAM), str(board), str(ROOT / "firmware")]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_reading_edges_takes_nothing_of_the_heap() -> None:
    assert measured(ROOT / "board") == "edges 9600 read 9600 wrong 0 bytes 0\n"


@pytest.mark.parametrize(
    ("module", "line", "more"),
    [
        ("optics", "        n = optics_ring.take(", "        self._last = [head]\n"),
        ("optics", "        self._looks = self._looks + 1", "        self._last = (worth, self._looks)\n"),
        ("optics_ring", "    control[NEXT] = read", "    bytes(16)\n"),
    ],
)
def test_an_allocation_that_was_planted_shows(module: str, line: str, more: str, tmp_path: Path) -> None:
    shutil.copytree(ROOT / "board" / "pico", tmp_path / "pico")
    path = tmp_path / "pico" / f"{module}.py"
    text = path.read_text()
    assert text.count(line) == 1
    path.write_text(text.replace(line, more + line))
    assert not measured(tmp_path).endswith(" bytes 0\n")
