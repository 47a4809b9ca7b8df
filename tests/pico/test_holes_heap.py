"""Small holes in the heap on MicroPython: the board uses them up, so that no larger object is looked for among them."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
I386 = ROOT / "build" / "micropython" / "micropython-i386"  # blocks of 16 bytes, as on an RP2040
AMD64 = I386.with_name("micropython-amd64")  # an address takes no memory, as on an RP2040
PROGRAM = Path(__file__).with_name("holes_heap.py")
NONE_LEFT = "collected True holes 0 elsewhere True holes 0 True"


def said(root: Path, micropython: Path = I386) -> list[str]:
    """What the program says of the board in the folder `root`, line by line."""
    command = [str(micropython), "-X", "heapsize=400k", str(PROGRAM), str(root / "board"), str(root / "firmware")]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout.splitlines()


def test_no_hole_is_left_in_front_after_a_collection_of_the_board_or_of_another() -> None:
    assert said(ROOT)[0] == NONE_LEFT


def test_the_holes_of_the_start_are_used_up_for_good() -> None:
    """A collection leaves none of them, so a card that comes just behind it finds none either."""
    assert said(ROOT, AMD64)[1].startswith("for good 0 ")
    assert "stopped True" in said(ROOT)[1], "it knows where they end"


def test_holes_that_are_not_kept_used_up_show(tmp_path: Path) -> None:
    replaced(tmp_path, "    return kept\n\n\ndef _in_tuples", "    return None\n\n\ndef _in_tuples")
    assert not said(tmp_path, AMD64)[1].startswith("for good 0 ")


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
    replaced(tmp_path, right, wrong)
    assert said(tmp_path)[0] != NONE_LEFT


def replaced(root: Path, right: str, wrong: str) -> None:
    """Board and firmware in the folder `root`, a piece of the board's text replaced."""
    for folder in ("board", "firmware"):
        shutil.copytree(ROOT / folder, root / folder)
    path = root / "board" / "pico" / "board.py"
    text = path.read_text()
    assert text.count(right) == 1
    path.write_text(text.replace(right, wrong))
