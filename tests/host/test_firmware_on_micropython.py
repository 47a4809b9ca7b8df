"""The firmware's own unit tests, unchanged, on 64-bit and 32-bit MicroPython: each module of them is one test here."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from shoesim.places import find_micropython

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "tests" / "firmware"
HEAP = "190k"
# The whole application beside a test module, a scripted board and its flash in RAM does not fit; that the
# application itself fits is what tests/e2e and tests/bench/dealing_rate.py hold.
_APPS = (
    "test_app",
    "test_service",
    "test_gate",
    "test_host_clock",
    "test_recovery",
    "test_sealed_outputs",
    "test_signer",
    "test_steps",
    "test_card_reader",
    "test_silence",
)
WIDER = {(word, name): "2m" for name in _APPS for word in ("amd64", "i386")}  # so it seldom has to be collected
# Twice as wide on 64 bits, keys, flash in RAM and the tests' own code fill the heap: that of the virtual board there.
_FLASH = ("test_restore", "test_margins", "test_power_cuts", "test_signing", "test_signing_cuts")
WIDER |= {("amd64", name): "240k" for name in _FLASH}
OF_WORDS = ("test_app", "test_card_code", "test_journal", "test_link", "test_lms", "test_wire")
MODULES = sorted(path.stem for path in FOLDER.glob("test_*.py"))
INTERPRETER = str(ROOT / "build" / "micropython" / "micropython-{}")
# The chip has 32 bits. With 64 only what depends on them is run, but for `make soak` and where there is nothing else.
ALL = os.environ.get("WORDS") == "64" or not Path(INTERPRETER.format("i386")).exists()
RUNS = [*(("i386", module) for module in MODULES), *(("amd64", module) for module in (MODULES if ALL else OF_WORDS))]


@pytest.mark.parametrize(("architecture", "module"), RUNS)
def test_unit_tests_pass_on_micropython(architecture: str, module: str) -> None:
    interpreter = Path(INTERPRETER.format(architecture))
    if not interpreter.exists():
        pytest.skip(f"no MicroPython for {architecture}: run make setup")
    heap = WIDER.get((architecture, module), HEAP)
    command = [str(interpreter), "-X", f"heapsize={heap}", str(FOLDER / "run_micropython.py"), module]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    totals = re.search(r"^ran (\d+), failed (\d+), skipped (\d+)$", done.stdout, re.MULTILINE)
    assert totals and int(totals[1]), done.stdout + done.stderr
    assert done.returncode == 0, done.stdout + done.stderr
    assert not done.stderr, "a traceback of a defect that a test made looks like a failure"


@pytest.mark.parametrize("part", ["firmware/shoe", "board/virtual", "tests/firmware"])
def test_unit_tests_of_stale_modules_are_not_run(part: str, tmp_path: Path) -> None:
    """As somebody does who edits a source and runs the unit tests by hand."""
    for folder in ("firmware/shoe", "board/virtual", "tests/firmware"):
        for path, suffix in ((tmp_path / folder, ".py"), (tmp_path / "build" / folder, ".mpy")):
            path.mkdir(parents=True)
            (path / f"one{suffix}").write_text("")
            os.utime(path / f"one{suffix}", (1_000_000_000, 1_000_000_000))
    shutil.copy(FOLDER / "run_micropython.py", tmp_path / "tests" / "firmware")
    command = [find_micropython(ROOT), "tests/firmware/run_micropython.py"]

    def outcome() -> tuple[int, str]:
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
        return done.returncode, done.stdout

    assert outcome() == (1, "ran 0, failed 0, skipped 0\n")
    source = tmp_path / part / "one.py"
    os.utime(source, (1_000_000_005, 1_000_000_005))
    code, said = outcome()
    assert code == 2 and f"build/ is older than {part}/one.py: run .venv/bin/python firmware/tools/build.py" in said
    os.utime(source, (1_000_000_000, 1_000_000_000))
    (tmp_path / part / "two.py").write_text("")
    assert outcome()[0] == 2
