"""A history over the line on MicroPython: what an answered request leaves of the heap, which is collected meanwhile."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
MICROPYTHON = ROOT / "build" / "micropython" / "micropython-i386"
PROGRAM = Path(__file__).with_name("request_heap.py")
# Bytes for a request and the turn of the application that answers it, of 33 requests; `turns` of `ticks` takes 16. A
# thing that is made once for all of them counts too, such as 64 bytes since the shoe takes a time of day.
MOST = 153


def bytes_taken(root: Path) -> int:
    """Bytes of the heap for each request, with the board and firmware in the folder `root`."""
    folders = [root / "board", root / "firmware", ROOT / "tests" / "firmware"]
    command = [str(MICROPYTHON), "-X", "heapsize=900k", str(PROGRAM), *map(str, folders)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    found = re.search(r"^requests 33 answered True bytes of the heap (\d+)$", done.stdout, re.MULTILINE)
    assert found, done.stdout + done.stderr
    return int(found[1])


def test_an_answered_request_leaves_little_of_the_heap() -> None:
    assert bytes_taken(ROOT) <= MOST


@pytest.mark.parametrize(
    ("path", "right", "wrong"),
    [
        (
            "board/pico/uart.py",
            "            _copy(buf, 0, self._rx, at, n)\n",
            "            buf[:n] = self._rx[at : at + n]\n",
        ),
        ("firmware/shoe/line/wire.py", "        if len(self._last) != size:\n", "        if size:\n"),
        ("firmware/shoe/line/link.py", " if self._head else self._out, n)\n", ", n)\n"),
        (
            "firmware/shoe/app/app.py",
            "            self.watchdog.check_in(index)\n",
            "            self._kept = (index,)\n",
        ),
    ],
)
def test_an_allocation_that_was_planted_shows(path: str, right: str, wrong: str, tmp_path: Path) -> None:
    for folder in ("board", "firmware"):
        shutil.copytree(ROOT / folder, tmp_path / folder)
    text = (tmp_path / path).read_text()
    assert text.count(right) == 1
    (tmp_path / path).write_text(text.replace(right, wrong))
    assert bytes_taken(tmp_path) > MOST
