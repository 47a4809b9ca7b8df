"""The compiled firmware is the source with public constants in place; the generated documents are current."""

from __future__ import annotations

import ast
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "firmware" / "tools"))

import build_pico  # noqa: E402
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


def test_machine_code_is_for_one_kind_of_processor_only() -> None:
    source = "@micropython.viper\ndef f(x: int) -> int:\n    return x\n\n\n"
    source += "class A:\n    @micropython.native\n    def g(self):\n        return 1\n"
    plan = survey({"shoe.some": source})
    assert inline("shoe.some", source, plan) == source
    plain = inline("shoe.some", source, survey({"shoe.some": source}, machine_code=False))
    assert "@" not in plain
    assert plain.count("\n") == source.count("\n")


@pytest.mark.parametrize("machine_code", [True, False])
def test_what_is_only_fast_as_machine_code_is_left_out_where_there_is_none(machine_code: bool) -> None:
    compat = (ROOT / "firmware" / "shoe" / "compat.py").read_text()
    source = "from shoe.compat import MACHINE_CODE, MICROPYTHON\nx = MACHINE_CODE, MICROPYTHON\n"
    plan = survey({"shoe.compat": compat, "shoe.some": source}, machine_code)
    assert inline("shoe.some", source, plan) == f"\nx = {int(machine_code)}, 1\n"


def test_builds_at_the_same_time_leave_whole_modules(tmp_path: Path) -> None:
    """Every module compiles. Two rigs that start at once both build; one waits for the other, and nothing half-written
    is ever in place."""
    command = [sys.executable, "-c", f"import build, pathlib; print(build.build(pathlib.Path({str(tmp_path)!r})))"]
    tools = ROOT / "firmware" / "tools"
    running = [
        subprocess.Popen(command, cwd=tools, stdout=subprocess.PIPE, text=True, stderr=subprocess.STDOUT)
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
    assert build.build(tmp_path) == 0, "what is current is not compiled again"


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


# ------------------------------------------------------------------------------------------ what goes onto an RP2040
def files_below(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.fixture(scope="module")
def pico(tmp_path_factory: pytest.TempPathFactory, made_once: Any) -> Iterator[Path]:
    """A build of a copy of the sources, since an editor may save one meanwhile; one for all test processes."""
    copy = tmp_path_factory.mktemp("sources")
    for folder in ("firmware", "board/pico"):
        shutil.copytree(ROOT / folder, copy / folder, ignore=shutil.ignore_patterns("__pycache__"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(build_pico, "FIRMWARE", copy / "firmware")
        patch.setattr(build_pico, "PICO", copy / "board" / "pico")
        yield made_once("pico", lambda folder: build_pico.build_pico(folder / "pico")) / "pico"


def modules_of(names: object) -> set[str]:
    """Dotted or not, compiled or not: `shoe/app`."""
    return {str(name).rsplit(".", 1)[0] for name in names}  # type: ignore[attr-defined]


def test_slot_and_image_hold_the_same_modules(pico: Path, tmp_path: Path) -> None:
    """One compiled file a source, by the source's name."""
    slot = set(files_below(pico / "slot"))
    image = modules_of(files_below(build_pico.build_image(tmp_path / "image")))
    folders = {"shoe": build_pico.FIRMWARE / "shoe", "pico": build_pico.PICO}
    sources = {
        f"{package}/{path.relative_to(folder).with_suffix('').as_posix()}"
        for package, folder in folders.items()
        for path in (folder.rglob("*.py") if package == "shoe" else folder.glob("*.py"))
    }
    every = sources - {"pico/start"} | {"main"}
    assert slot == {f"{name}.mpy" for name in every} | {"files.json"}
    assert image == every | {"boot", "root", "start", "shoe_image"}


def test_a_traceback_from_a_slot_names_module_and_public_function_as_in_the_source(pico: Path) -> None:
    """source_names.py brings back the private ones."""
    data = (pico / "slot" / "shoe" / "app" / "signer.mpy").read_bytes()
    words = set(re.findall(rb"[\w.]+", data))
    assert {
        b"shoe.app.signer",
        b"advance",
        build_pico.slot_names().private["shoe.app.signer"]["_say_state"].encode(),
    } <= words


def test_a_slot_has_not_grown_beyond_what_a_stock_micropython_has_memory_for(pico: Path) -> None:
    """With 146,924 bytes an emulated RP2040 had 21.5 kB of heap left after a start. A further byte takes one or more.

    Before this bound is raised, measure: `tests/bench/rp2040_rate.py` with a stock MicroPython.
    """
    assert sum(path.stat().st_size for path in (pico / "slot").rglob("*.mpy")) < 149_000


def test_the_manifest_freezes_the_image_and_what_the_port_brings(tmp_path: Path) -> None:
    """The manifest as makemanifest.py runs it: from its own folder, with functions given to it."""
    manifest = ROOT / "firmware" / "manifest.py"
    program = (
        "import os, sys; os.chdir(sys.argv[1]); calls = []\n"
        "def include(*a, **k): calls.append(['include', *a])\n"
        "def freeze(*a, **k): calls.append(['freeze', *a])\n"
        "exec(open(sys.argv[2]).read(), {'include': include, 'freeze': freeze}); print(calls)"
    )
    done = subprocess.run(
        [sys.executable, "-S", "-c", program, str(manifest.parent), str(manifest)],
        capture_output=True, text=True, check=True, cwd=tmp_path,
    )  # fmt: skip
    included, (verb, folder) = ast.literal_eval(done.stdout)
    assert included == ["include", "$(PORT_DIR)/boards/manifest.py"]
    assert (verb, Path(folder)) == ("freeze", ROOT / "build" / "image")
    assert {"main.py", "boot.py", "shoe/app/app.py", "pico/board.py", "shoe_image.py"} <= set(files_below(Path(folder)))


def without_docstrings(tree: ast.Module) -> list[tuple[str, int]]:
    """Each node with its line."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and ast.get_docstring(node) is not None:
            said = node.body.pop(0)
            node.body = node.body or [ast.Pass(lineno=said.lineno)]
    return [(ast.dump(node), getattr(node, "lineno", 0)) for node in ast.walk(tree)]


@pytest.mark.parametrize("name", ["boot.py", "main.py", "root.py", "start.py"])
def test_what_lies_on_the_root_is_the_source_on_the_same_lines_without_its_prose(pico: Path, name: str) -> None:
    source = build_pico.root_sources()[name].read_text()
    there = (pico / "root" / name).read_text()
    assert without_docstrings(ast.parse(there)) == without_docstrings(ast.parse(source))
    assert "#" not in there and '"""' not in there


def test_the_same_sources_give_the_same_bytes(pico: Path, tmp_path: Path) -> None:
    """In another folder, later, and without what an earlier build left."""
    again = build_pico.build_pico(tmp_path / "elsewhere" / "out")
    assert files_below(again) == files_below(pico)
    before = {path: path.stat().st_mtime_ns for path in again.rglob("*")}
    build_pico.build_pico(again)
    assert before == {path: path.stat().st_mtime_ns for path in again.rglob("*")}, "what is current is left alone"
    first = files_below(build_pico.build_image(tmp_path / "image"))
    assert files_below(build_pico.build_image(tmp_path / "image")) == first


def test_a_changed_source_is_built_anew(pico: Path, tmp_path: Path) -> None:
    shutil.copytree(pico, tmp_path / "out")
    source = build_pico.PICO / "root.py"
    before = source.read_text()
    try:
        source.write_text(before + "\nLATER = 1\n")
        now = files_below(build_pico.build_pico(tmp_path / "out"))
    finally:
        source.write_text(before)
    changed = {name for name in now if now[name] != files_below(pico).get(name)}
    assert changed == {"built", "root/root.py", "slot/files.json", "slot/pico/root.mpy"}


def test_the_list_of_a_slot_is_right_and_small_lines(pico: Path) -> None:
    """What start.py reads on the shoe: a line for each file, each shorter than what it takes at once."""
    files = files_below(pico / "slot")
    text = files.pop("files.json").decode()
    told = json.loads(text)
    project = (ROOT / "pyproject.toml").read_text()
    assert f'\nversion = "{told["version"]}"\n' in project
    assert [name for name, _, _ in told["files"]] == sorted(files)
    for name, size, digest in told["files"]:
        assert (len(files[name]), hashlib.sha256(files[name]).hexdigest()) == (size, digest)
    assert max(map(len, text.splitlines())) < 250


def test_the_digest_that_is_announced_is_what_a_shoe_tells(
    pico: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Host and shoe compute it apart: over the files of a slot and of the root, as they lie on the shoe."""
    from pico import firmware_files

    monkeypatch.setattr(os, "ilistdir", lambda path: [(one.name,) for one in Path(path).iterdir()], raising=False)

    shutil.copytree(pico / "slot", tmp_path / "b")
    for path in (pico / "root").iterdir():
        shutil.copy(path, tmp_path / path.name)
    (tmp_path / "board.json").write_text("{}")
    (tmp_path / "slot").write_text("b")
    wanted = json.loads((pico / "slot" / "files.json").read_text())["digest"]

    def told() -> str:
        return firmware_files.digest("b", f"{tmp_path}/").hex()

    assert told() == wanted
    for name in ("hashlib.py", "b/asyncio.mpy", "b/shoe/extra.mpy", "b/shoe/app/extra.mpy", "b/other.py"):
        (tmp_path / name).write_text("x = 1\n")
        assert told() != wanted, f"{name} was added and does not count"
        (tmp_path / name).unlink()
    for name in ("start", "root", "b/main"):  # MicroPython looks for a folder before it looks for a file
        (tmp_path / name).mkdir()
        assert told() != wanted, f"the folder {name} was added and does not count"
        (tmp_path / name / "device").mkdir()
        (tmp_path / name / "device" / "cdc.py").write_text("x = 1\n")
        before = told()
        (tmp_path / name / "device" / "cdc.py").write_text("x = 2\n")
        assert told() != before, f"what lies in the folder {name} does not count"
        shutil.rmtree(tmp_path / name)
    for name in ("boot.py", "start.py", "b/main.mpy", "b/shoe/app/app.mpy"):
        kept = (tmp_path / name).read_bytes()
        (tmp_path / name).write_bytes(kept + b"\n")
        assert told() != wanted, f"{name} was changed and does not count"
        (tmp_path / name).write_bytes(kept)
    assert told() == wanted


def test_two_versions_fit_onto_the_smallest_root(pico: Path) -> None:
    """Pages as littlefs gives them: whole ones to a file above 512 bytes, two to a folder and more as it fills."""
    from pico import root

    pages = 2
    for folder in ("root", "slot", "slot"):
        files = files_below(pico / folder)
        folders = {name.rpartition("/")[0] for name in files}
        pages += 2 * len(folders) + sum(-(-len(data) // root.PAGE) for data in files.values() if len(data) > 512)
        pages += sum(map(len, (data for data in files.values() if len(data) <= 512))) // 1024
    assert pages + root.KEPT <= root.plan(352)[0], f"{pages} pages of {root.plan(352)[0]}"


def test_every_fault_says_what_it_means_and_what_to_do() -> None:
    text = (ROOT / "firmware" / "FAULTS.md").read_text()
    rows = [line for line in text.splitlines() if line.startswith("| ") and line[2].isdigit()]
    assert len(rows) >= 20
    assert all(len(cell.strip()) > 10 for row in rows for cell in row.split("|")[4:6])
