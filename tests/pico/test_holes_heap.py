"""Small holes in the heap on MicroPython: the board uses them up, so that no larger object is looked for among them."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
MICROPYTHON = ROOT / "build" / "micropython" / "micropython-i386"  # blocks of 16 bytes, as on an RP2040
PROGRAM = Path(__file__).with_name("holes_heap.py")
NONE_LEFT = "collected True holes 0 elsewhere True holes 0 True\n"


def said(root: Path) -> str:
    """What the program says of the board in the folder `root`."""
    command = [str(MICROPYTHON), "-X", "heapsize=400k", str(PROGRAM), str(root / "board"), str(root / "firmware")]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_no_hole_is_left_in_front_after_a_collection_of_the_board_or_of_another() -> None:
    assert said(ROOT) == NONE_LEFT


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        (
            "                self._fill()\n            elif not",
            "                self._holes -= 1\n            elif not",
        ),
        ("            if used < 0:\n", "            if False:\n"),
        ("        optics = self._optics\n", "        optics = self._optics\n        panel = also = optics\n"),
    ],
    ids=["not filled", "not noticed", "a wait in the heap"],
)
def test_what_would_leave_holes_shows(right: str, wrong: str, tmp_path: Path) -> None:
    for folder in ("board", "firmware"):
        shutil.copytree(ROOT / folder, tmp_path / folder)
    path = tmp_path / "board" / "pico" / "board.py"
    text = path.read_text()
    assert text.count(right) == 1
    path.write_text(text.replace(right, wrong))
    assert said(tmp_path) != NONE_LEFT
