"""The wheel with compiled modules: it verifies as the sources do. `make soak` builds it."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any, Final

import compiled_wheel
import exported
import pyarrow.parquet as pq
import pytest
import shoetool
from sampled import SOAK

HOST_TOOLS = Path(shoetool.__file__).parents[1]
OPEN = {name for names in compiled_wheel.OPEN.values() for name in names}
COMPILED = {f"shoetool/{name}".replace("/", "."): name for name in compiled_wheel.MODULES}


def test_no_class_outside_inherits_from_a_compiled_one() -> None:
    """Python would refuse it, but only when the first of them is made. One class has a decorator that allows it."""
    seen = 0
    for path in sorted(HOST_TOOLS.rglob("*.py")):
        if ".".join(path.relative_to(HOST_TOOLS).with_suffix("").parts) in COMPILED:
            continue
        nodes = list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
        package = path.relative_to(HOST_TOOLS).parent.parts
        imports = (node for node in nodes if isinstance(node, ast.ImportFrom) and _module(node, package) in COMPILED)
        taken = {alias.asname or alias.name for node in imports for alias in node.names}
        seen += len(taken)
        for made in (node for node in nodes if isinstance(node, ast.ClassDef)):
            # A base may be written Name, module.Name or Name[parameter].
            bases = {ast.unparse(base).partition("[")[0].rpartition(".")[2] for base in made.bases}
            assert not (bases & taken) - OPEN, f"{path}: {made.name}"
    assert seen > 50, "it looks at what is imported"


def _module(node: ast.ImportFrom, package: tuple[str, ...]) -> str:
    """The whole name of the module that is imported from, also where it is written from the package on."""
    above = package[: len(package) + 1 - node.level] if node.level else ()
    return ".".join((*above, *filter(None, (node.module,))))


SLOW = pytest.mark.skipif(not SOAK, reason="it compiles for minutes: `make soak` builds it")


@pytest.fixture
def site(made_once: Any) -> Path:
    """The folder that the compiled wheel is installed into."""

    def install(out: Path) -> None:
        compiled_wheel.build(out)
        (wheel,) = out.glob("*.whl")
        pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check", "install"]
        subprocess.run([*pip, "--no-compile", "--no-deps", "--target", str(out / "site"), str(wheel)], check=True)

    site: Path = made_once("compiled", install) / "site"
    for name in COMPILED.values():
        assert list((site / "shoetool").glob(f"{name}.*.so")), name
    return site


def with_site(site: Path, *words: str | Path, beside: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Run Python with the tool from this folder."""
    path = os.pathsep.join(map(str, (site, *([beside] if beside else ()))))
    command = [sys.executable, *map(str, words)]
    return subprocess.run(command, env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True, check=False)


@SLOW
def test_the_compiled_wheel_says_what_the_sources_say(site: Path) -> None:
    """All goldens of each group of changed records, tables, scenarios and signatures."""
    program = Path(__file__).resolve().parents[1] / "goldens" / "goldens.py"
    where = "import runpy, shoetool, sys; print(shoetool.__file__); sys.argv = sys.argv[1:]; "
    run = where + "runpy.run_path(sys.argv[0], run_name='__main__')"
    done = with_site(site, "-c", run, program, "--check", beside=program.parent)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    assert done.stdout.splitlines()[0] == str(site / "shoetool" / "__init__.py")


@SLOW
def test_its_version_tells_it_from_the_plain_wheel(site: Path) -> None:
    """So one run never has workers of both, see test_verify_run.py."""
    plain, compiled = (with_site(tool, "-m", "shoetool", "--version").stdout.strip() for tool in (HOST_TOOLS, site))
    assert compiled == f"{plain}+compiled"


@SLOW
def test_its_workers_send_what_those_of_the_sources_send(site: Path, tmp_path: Path) -> None:
    """What a worker found goes to another process as bytes, which not every compiled class can be made of."""
    exported.deal(tmp_path / "casino")
    for words in (["verify", "--table-records", "--out"], ["export", "--table-records", "--out"], ["audit", "--json"]):
        out = [tmp_path / f"{words[0]}-{name}" for name in ("sources", "compiled")]
        said = []
        for place, tool in zip(out, (HOST_TOOLS, site), strict=True):
            asked = [*words, place] if words[-1] == "--out" else words
            done = with_site(tool, "-m", "shoetool", asked[0], tmp_path / "casino", "--jobs", "2", *asked[1:])
            assert done.returncode == 1 and not done.stderr, done.stderr[-2000:]
            said.append(done.stdout.replace(str(place), "OUT"))
        assert said[0] == said[1]
        tables = [{part.name: pq.read_table(part) for part in sorted(place.glob("*/"))} for place in out]
        assert tables[0] == tables[1] and len(tables[0]) == {"verify": 4, "export": 9, "audit": 0}[words[0]]


REPLACING: Final = (
    "test_verify_table_rounds.py::test_a_finding_that_is_only_counted_is_counted_once",
    "test_verify_table_session.py::test_what_a_report_has_no_room_for_is_counted_once",
)
"""Tests that put another number in the place of one that compiled code has within."""


@SLOW
def test_the_regulations_tests_pass_with_it(site: Path) -> None:
    """All of tests/regulation, which shows too that no value has another type than the sources say."""
    folder = "tests/regulation"
    done = pytest_of(site, folder, *(f"--deselect={folder}/{name}" for name in REPLACING))
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-2000:]
    for name in REPLACING:
        done = pytest_of(site, f"{folder}/{name}")
        assert done.returncode == pytest.ExitCode.TESTS_FAILED, f"{name}: were these the compiled modules?"


def pytest_of(site: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run tests with the tool from this folder."""
    project = tomllib.loads((HOST_TOOLS.parent / "pyproject.toml").read_text(encoding="utf-8"))
    folders = project["tool"]["pytest"]["ini_options"]["pythonpath"]
    folders[folders.index("host_tools")] = str(site)
    options = ["-n", "2", "-p", "no:played", "-p", "no:cacheprovider", "-o", f"pythonpath={' '.join(folders)}"]
    environment = {name: value for name, value in os.environ.items() if name != "SOAK" and "XDIST" not in name}
    command = [sys.executable, "-m", "pytest", *options, *words]
    return subprocess.run(command, cwd=HOST_TOOLS.parent, env=environment, capture_output=True, text=True, check=False)
