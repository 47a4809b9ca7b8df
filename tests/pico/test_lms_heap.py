"""Hash chains in machine code on MicroPython: every hash is hashlib's, and a signature takes little of the heap."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = Path(__file__).with_name("lms_heap.py")
MOST = 24  # bytes of the heap for a hash, as shoe/app/signer.py counts on; hashlib alone takes 192


def said(firmware: Path, word: str = "i386") -> str:
    """What the program says of the firmware in a folder."""
    interpreter = ROOT / "build" / "micropython" / f"micropython-{word}"
    command = [str(interpreter), "-X", "heapsize=900k", str(PROGRAM), str(firmware), str(ROOT / "tests" / "firmware")]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def bytes_a_hash(text: str) -> int:
    found = re.search(r"^hashes 1\d\d\d root right True bytes a hash (\d+)$", text, re.MULTILINE)
    assert found, text
    return int(found[1])


@pytest.mark.parametrize("word", ["i386", "amd64"])
def test_a_signature_is_right_and_takes_little_of_the_heap(word: str) -> None:
    text = said(ROOT / "firmware", word)
    assert "machine code True chains right True bytes 0\n" in text
    assert bytes_a_hash(text) <= MOST * (2 if word == "amd64" else 1)


def test_the_rfcs_vectors_run_over_the_machine_code() -> None:
    """RFC 8554, appendix F, and all else that `test_lms` has, with every chain in machine code."""
    interpreter = ROOT / "build" / "micropython" / "micropython-i386"
    program = PROGRAM.with_name("lms_vectors.py")
    command = [
        str(interpreter),
        "-X",
        "heapsize=2M",
        str(program),
        str(ROOT / "firmware"),
        str(ROOT / "tests" / "firmware"),
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    found = re.fullmatch(r"machine code True tests (\d+) chains (\d+)\n", done.stdout)
    assert found, done.stdout + done.stderr
    assert int(found[1]) >= 9 and int(found[2]) > 10_000


def changed(folder: Path, module: str, right: str, wrong: str) -> Path:
    """A copy of the firmware with one thing in it changed."""
    shutil.copytree(ROOT / "firmware" / "shoe", folder / "shoe")
    path = folder / "shoe" / "trust" / f"{module}.py"
    text = path.read_text()
    assert text.count(right) == 1
    path.write_text(text.replace(right, wrong))
    return folder


def test_an_allocation_that_was_planted_shows(tmp_path: Path) -> None:
    """One chain through hashlib."""
    text = said(
        changed(
            tmp_path,
            "lms",
            "        if MACHINE_CODE:\n            self._hash(",
            "        if chain == 90:\n            self._hash(",
        )
    )
    assert bytes_a_hash(text) > MOST


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("428a2f98", "428a2f99"),
        ("1f83d9ab", "1f83d9aa"),
        ("(e << 5 ^ e) << 14", "(e << 5 ^ e) << 15"),
        ("i < 64:\n            e", "i < 63:\n            e"),
    ],
)
def test_machine_code_that_computes_something_else_signs_nothing(right: str, wrong: str, tmp_path: Path) -> None:
    assert said(changed(tmp_path, "lms_chain", right, wrong)) == "chains refused\n"
