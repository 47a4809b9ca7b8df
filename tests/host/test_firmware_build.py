"""The compiled firmware is the source with constants inside and fewer names; the generated documents are current."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "firmware"))

import faults_table  # noqa: E402
from lean_source import lean, survey  # noqa: E402

import build  # noqa: E402

TABLE = "from shoe.compat import const\nREC_BOOT = const(1)\nFAULT_READER = const(-15)\nFORM = '<B'\n"


def leaned(source: str, **others: str) -> str:
    """`source` as it is compiled beside a small table and `others`, modules of the package `shoe`."""
    texts = {"shoe.wire_table": TABLE, "shoe.some": source}
    texts |= {f"shoe.{name}": text for name, text in others.items()}
    return lean("shoe.some", source, survey(texts))


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
    assert leaned(source, other="from shoe.wire_table import REC_BOOT\n") == wanted


def test_the_lean_table_keeps_what_is_no_integer() -> None:
    plan = survey({"shoe.wire_table": TABLE})
    assert lean("shoe.wire_table", TABLE, plan) == "from shoe.compat import const\n\n\nFORM = '<B'\n"


@pytest.mark.parametrize(
    ("source", "wanted"),
    [
        ("def f(size, self):\n    return size\n", "def f(_0, self):\n    return _0\n"),
        ("class A:\n    def _go(self):\n        self._at = self._go\n",
         "class A:\n    def _1(self):\n        self._0 = self._1\n"),
        ("def f(size):\n    return f(size=size)\n", None),  # passed by keyword
        ("def f(length):\n    return length.length\n", None),  # an attribute has the name anyway
        ("def f(a):\n    return getattr(a, '_b'), a._b, a.a\n", None),  # a string holds it
        ("class A:\n    _part = 1\n", None),  # two modules' classes have it, and one is reached into from outside
    ],
)  # fmt: skip
def test_private_names_and_parameters_become_short_where_that_is_safe(source: str, wanted: str | None) -> None:
    assert leaned(source, other="class B:\n    _part = 2\n\n\nB._part = 3\n") == (wanted or source)


def test_names_of_modules_that_inherit_from_each_other_stay_apart() -> None:
    base = "class Base:\n    def _one(self):\n        return self._two\n"
    derived = "from shoe.base import Base\n\n\nclass A(Base):\n    def _three(self):\n        return self._one()\n"
    plan = survey({"shoe.base": base, "shoe.some": derived})
    assert lean("shoe.base", base, plan) == "class Base:\n    def _0(self):\n        return self._1\n"
    assert lean("shoe.some", derived, plan).endswith("    def _2(self):\n        return self._0()\n")


def test_a_test_that_reaches_for_a_private_name_is_changed_with_its_module() -> None:
    texts = {"shoe.some": "class A:\n    _at = 1\n", "test_some": "from shoe.some import A\nassert A._at and own._x\n"}
    plan = survey(texts, frozenset({"test_some"}))
    assert lean("test_some", texts["test_some"], plan) == "from shoe.some import A\nassert A._0 and own._x\n"


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
