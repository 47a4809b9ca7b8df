"""The digest of the firmware on MicroPython: right, and in a heap that does not grow with the number of files."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from shoesim.places import find_micropython
from shoetool.client.firmware_digest import firmware_digest, firmware_files

ROOT = Path(__file__).resolve().parents[2]
FOLDERS, FILES = 12, 60
# The module itself, compiled here, takes a part of it. A list of all names takes 120 kB and more.
HEAP = {"amd64": "48k", "i386": "40k"}
VIRTUAL = """
import sys
sys.path[:] = [{board!r}, {firmware!r}]
from virtual import firmware_files
sys.path[:] = [{top!r} + "/b"]
sys.argv[:] = [{top!r} + "/main.py"]
firmware_files._PACKAGES = ("shoe", "pico")
print(firmware_files.digest().hex())
"""
PICO = """
import sys
sys.path[:] = [{board!r}]
from pico import firmware_files
print(firmware_files.digest("b", {top!r} + "/").hex())
"""


@pytest.fixture(scope="module")
def firmware(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Packages of many files with long names, in an order that no folder keeps by itself."""
    top = tmp_path_factory.mktemp("firmware")
    (top / "main.py").write_text("main = 1\n")
    for package in ("shoe", "pico"):
        for folder in ("", *(f"a_folder_with_a_long_name_{n * 7 % FOLDERS}" for n in range(FOLDERS - 1))):
            place = top / "b" / package / folder
            place.mkdir(parents=True, exist_ok=True)
            for n in range(FILES if folder else 3):
                (place / f"module_with_a_long_name_{n * 37 % 101}.mpy").write_bytes(bytes([n]) * n)
        # A folder and a file that begin alike: the order is that of the whole names.
        (top / "b" / package / "a").mkdir()
        (top / "b" / package / "a" / "z.mpy").write_text("z")
        (top / "b" / package / "a.mpy").write_text("a")
        (top / "b" / package / "a-b.mpy").write_text("b")
    return top


@pytest.mark.parametrize("interpreter", ["amd64", "i386"])
@pytest.mark.parametrize("program", [VIRTUAL, PICO], ids=["virtual", "pico"])
def test_the_digest_of_many_files_is_right_in_a_small_heap(interpreter: str, program: str, firmware: Path) -> None:
    path = ROOT / "build" / "micropython" / f"micropython-{interpreter}"
    if not path.exists():
        pytest.skip(f"no MicroPython for {interpreter}: run make setup")
    text = program.format(top=str(firmware), board=str(ROOT / "board"), firmware=str(ROOT / "firmware"))
    command = [str(find_micropython(ROOT, interpreter)), "-X", f"heapsize={HEAP[interpreter]}", "-c", text]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    named = firmware_files([firmware / "main.py", firmware / "b" / "shoe", firmware / "b" / "pico"])
    assert len(named) > 2 * (FOLDERS - 1) * FILES
    assert done.stdout.strip() == firmware_digest(named).hex(), done.stdout + done.stderr
