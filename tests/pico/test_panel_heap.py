"""`pico.panel` on MicroPython: its interrupt takes nothing of the heap, which is locked when an interrupt comes."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from pico import panel_keys

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = Path(__file__).with_name("panel_heap.py")


def run(board: Path, interpreter: str) -> subprocess.CompletedProcess[str]:
    """Run the program on the `pico` in the folder `board`."""
    micropython = ROOT / "build" / "micropython" / f"micropython-{interpreter}"
    command = [str(micropython), "-X", "heapsize=190k", str(PROGRAM), str(board), str(ROOT / "firmware")]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)


@pytest.mark.parametrize("interpreter", ["i386", "amd64"])
def test_a_scan_takes_nothing_of_the_heap(interpreter: str) -> None:
    places = [number * 7 % 40 for number in range(300)]
    functions = [key for key in (panel_keys.MEANINGS[place] for place in places) if 0 < key < panel_keys.BOX]
    done = run(ROOT / "board", interpreter)
    assert done.stdout == f"functions {len(functions)} different {len(set(functions))}\n", done.stderr


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("        came = self._in\n", "        came = bytearray(self._in)\n"),
        ("        self._scanned = now\n", "        self._scanned = now + (1 << 31)\n"),
    ],
)
def test_an_allocation_that_was_planted_shows(right: str, wrong: str, tmp_path: Path) -> None:
    shutil.copytree(ROOT / "board" / "pico", tmp_path / "pico")
    path = tmp_path / "pico" / "panel.py"
    text = path.read_text()
    assert text.count(right) == 1
    path.write_text(text.replace(right, wrong))
    done = run(tmp_path, "i386")
    assert done.returncode and "MemoryError" in done.stderr, done.stdout
