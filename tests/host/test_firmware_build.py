"""The compiled firmware is the source with the table's constants inside; the generated documents are current."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "firmware"))

import faults_table  # noqa: E402

import build  # noqa: E402

VALUES = {"REC_BOOT": 1, "FAULT_READER": 15, "MAJOR": 1}


@pytest.mark.parametrize(
    ("source", "wanted"),
    [
        ("from shoe.wire_table import REC_BOOT\nx = REC_BOOT\n", "\nx = 1\n"),
        ("from shoe.wire_table import REC_BOOT, FORM\nx = (REC_BOOT, FORM)\n",
         "from shoe.wire_table import FORM\nx = (1, FORM)\n"),
        ("from shoe import wire_table as t\nx = t.FAULT_READER + t.SETTINGS\n",
         "from shoe import wire_table as t\nx = 15 + t.SETTINGS\n"),
        ("from shoe.wire_table import (\n    REC_BOOT,\n)\n\nREC = REC_BOOT  # REC_BOOT\n",
         "\n\n\n\nREC = 1  # REC_BOOT\n"),
        ("MAJOR = 7\nx = other.MAJOR\n", "MAJOR = 7\nx = other.MAJOR\n"),
    ],
)  # fmt: skip
def test_constants_of_the_table_go_into_the_code(source: str, wanted: str) -> None:
    assert build.inline(source, VALUES) == wanted


def test_the_lean_table_keeps_what_is_no_integer() -> None:
    table = "from shoe.compat import const\nREC_BOOT = const(1)\nFORM = '<B'\n"
    assert build.constants(table) == {"REC_BOOT": 1}
    assert build.lean_table(table) == "from shoe.compat import const\nFORM = '<B'\n"


def test_every_module_of_the_firmware_compiles(tmp_path: Path) -> None:
    assert build.build(tmp_path) >= 30
    assert build.build(tmp_path) == 0, "what is current is not compiled again"


def test_the_table_of_faults_and_the_package_list_are_current() -> None:
    done = subprocess.run(
        [sys.executable, str(ROOT / "firmware" / "faults_table.py"), "--check"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr


def test_every_fault_says_what_it_means_and_what_to_do() -> None:
    text = faults_table.faults()
    rows = [line for line in text.splitlines() if line.startswith("| ") and line[2].isdigit()]
    assert len(rows) >= 20
    assert all(len(cell.strip()) > 10 for row in rows for cell in row.split("|")[4:6])
