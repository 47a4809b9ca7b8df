"""The compiled firmware is the source with public constants in place; the generated documents are current."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "firmware"))

import faults_table  # noqa: E402
from inline_constants import inline, survey  # noqa: E402

import build  # noqa: E402

TABLE = "from shoe.compat import const\nREC_BOOT = const(1)\nFAULT_READER = const(-15)\nFORM = '<B'\n"


def inlined(source: str, **others: str) -> str:
    """`source` as it is compiled beside a small table and `others`, modules of the package `shoe`."""
    texts = {"shoe.wire_table": TABLE, "shoe.some": source}
    texts |= {f"shoe.{name}": text for name, text in others.items()}
    return inline("shoe.some", source, survey(texts))


@pytest.mark.parametrize(
    ("source", "wanted"),
    [
        ("from shoe.wire_table import REC_BOOT\nx = REC_BOOT\n", "\nx = 1\n"),
        ("from shoe.wire_table import REC_BOOT, FORM\nx = (REC_BOOT, FORM)\n",
         "from shoe.wire_table import FORM\nx = (1, FORM)\n"),
        ("from shoe import wire_table as t\nx = 2 - t.FAULT_READER + t.FORM\n",
         "from shoe import wire_table as t\nx = 2 - (-15) + t.FORM\n"),
        ("from shoe.wire_table import (\n    REC_BOOT as B,\n)\n\nREC = B  # B\n", "\n\n\n\nREC = 1  # B\n"),
        ("REC_BOOT = 7\nx = other.REC_BOOT\n", "REC_BOOT = 7\nx = other.REC_BOOT\n"),
        ("OWN = const(3)\nx = OWN\n", "\nx = 3\n"),
        ("from shoe.other import REC_BOOT\nx = REC_BOOT\n", "\nx = 1\n"),
    ],
)  # fmt: skip
def test_constants_go_into_the_code_that_uses_them(source: str, wanted: str) -> None:
    assert inlined(source, other="from shoe.wire_table import REC_BOOT\n") == wanted


def test_the_table_keeps_what_is_no_integer() -> None:
    plan = survey({"shoe.wire_table": TABLE})
    assert inline("shoe.wire_table", TABLE, plan) == "from shoe.compat import const\n\n\nFORM = '<B'\n"


def test_every_module_of_the_firmware_compiles(tmp_path: Path) -> None:
    assert build.build(tmp_path) >= 30
    assert build.build(tmp_path) == 0, "what is current is not compiled again"


def test_builds_at_the_same_time_leave_whole_modules(tmp_path: Path) -> None:
    """Two rigs that start at once both build; one waits for the other, and nothing half-written is ever in place."""
    command = [sys.executable, "-c", f"import build, pathlib; print(build.build(pathlib.Path({str(tmp_path)!r})))"]
    running = [
        subprocess.Popen(command, cwd=ROOT / "firmware", stdout=subprocess.PIPE, text=True, stderr=subprocess.STDOUT)
        for _ in range(4)
    ]
    said = [process.communicate(timeout=120)[0].strip() for process in running]
    assert all(process.returncode == 0 for process in running), said
    counts = sorted(map(int, said))
    assert counts[:3] == [0, 0, 0] and counts[3] >= 30, "exactly one of them compiled"
    made = {path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*") if path.is_file()}
    assert {name for name in made if not name.endswith((".mpy", ".json"))} == {".lock"}
    for name in made:
        assert (tmp_path / name).stat().st_size or name == ".lock"


def test_only_what_changed_is_compiled_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    one = tmp_path / "pkg" / "one.py"
    two = tmp_path / "pkg" / "two.py"
    one.parent.mkdir()
    one.write_text("X = 1\n")
    two.write_text("Y = 2\n")
    monkeypatch.setattr(build, "ROOT", tmp_path)
    monkeypatch.setattr(build, "FOLDERS", {"pkg": "pkg."})
    assert build.build(tmp_path / "out") == 2
    two.write_text("Y = 3\n")
    assert build.build(tmp_path / "out") == 1
    two.unlink()
    assert build.build(tmp_path / "out") == 0
    assert not (tmp_path / "out" / "pkg" / "two.mpy").exists()


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
