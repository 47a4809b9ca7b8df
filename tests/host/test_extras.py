"""What a lab that only verifies has to install, and what a command says whose packages are an extra."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
import tomllib
from importlib import metadata
from pathlib import Path

import pytest
from shoetool.model.missing_module import OURS, bringing, missing_module

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
HOST = ROOT / "host_tools"


def third_party() -> set[str]:
    """Every package that a module of the host tool imports, but Python's own and ours."""
    found: set[str] = set()
    for path in [path for folder in OURS for path in (HOST / folder).rglob("*.py")]:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                found.update(one.name.partition(".")[0] for one in node.names)
            elif isinstance(node, ast.ImportFrom) and not node.level:
                found.add(str(node.module).partition(".")[0])
    return found - sys.stdlib_module_names - set(OURS)


THIRD_PARTY = third_party()
WITHOUT = """
import sys
for name in {names}:
    sys.modules[name] = None
from shoetool.cli import main
main()
"""


def without_extras(*words: str) -> subprocess.CompletedProcess[str]:
    """Run shoetool where no package of an extra can be imported."""
    return without(sorted(name for name in THIRD_PARTY if bringing(name)), *words)


def without(names: list[str], *words: str) -> subprocess.CompletedProcess[str]:
    """Run shoetool where these modules cannot be imported."""
    program = WITHOUT.format(names=names)
    return subprocess.run(
        [sys.executable, "-c", program, *words],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
        env={**os.environ},
    )


def test_for_each_package_the_metadata_names_what_installs_it() -> None:
    """No table is kept by hand: a package that no requirement brings would be told as a defect."""
    extras = {name: bringing(name) for name in sorted(THIRD_PARTY)}
    assert None not in extras.values(), extras
    assert sorted(name for name, found in extras.items() if found == {}) == [
        *("click", "cobs", "crcmod", "platformdirs", "pyhsslms", "rich", "serial")
    ]
    for name, found in extras.items():
        for extra in found or ():
            needs = " ".join(PROJECT["optional-dependencies"][extra]).replace("-", "_")
            assert name in needs or name == "markupsafe", f"shoetool[{extra}] brings {name}"
    assert set(extras["markupsafe"] or ()) >= {"report", "serve"}, "jinja2 needs it"
    assert bringing("no_such_package") is None and bringing("pytest") is None


def failed(name: str, module: str = "shoetool.cli.audit") -> ImportError:
    """The error of a module of ours that imports something that is not there."""
    try:
        exec(f"raise ModuleNotFoundError('No module named', name={name!r})", {"__name__": module})
    except ModuleNotFoundError as error:
        return error
    raise AssertionError


@pytest.mark.parametrize(
    ("module", "extra"), [("shoetool.cli.audit", "audit"), ("shoetool.audit.chances", "sim"), ("shoesim.ink", "sim")]
)
def test_of_two_extras_that_bring_a_package_the_one_of_the_command_is_named(module: str, extra: str) -> None:
    assert set(bringing("numpy") or ()) == {"sim", "audit"}
    assert f"'shoetool[{extra}]'" in (missing_module(failed("numpy", module)) or "")


@pytest.mark.parametrize("name", ["sqlite3", "_sqlite3", "ssl", "_ssl", "_ctypes"])
def test_a_part_that_python_lacks_is_named(name: str) -> None:
    told = missing_module(failed(name)) or ""
    assert "this Python is not whole" in told and name.lstrip("_") in told


def test_a_part_that_cannot_be_loaded_is_named_with_the_reason() -> None:
    told = missing_module(ImportError("libsqlite3.so.0: cannot open shared object file", name="_sqlite3")) or ""
    assert "sqlite3 cannot be loaded (libsqlite3.so.0: cannot open" in told


def test_a_module_of_ours_that_is_missing_is_an_install_that_is_not_whole() -> None:
    assert "install it again" in (missing_module(failed("shoetool.cli.verify")) or "")


@pytest.mark.parametrize(("asker", "wanted"), [("reportlab.lib.utils", "print"), ("rich.markdown", "")])
def test_a_package_with_another_name_is_told_by_who_asks_for_it(asker: str, wanted: str) -> None:
    told = missing_module(failed("PIL_of_another_name", asker)) or ""
    assert (f"'shoetool[{wanted}]'" if wanted else "not installed whole") in told


def test_a_name_that_is_missing_in_a_module_of_ours_is_a_defect() -> None:
    assert missing_module(ImportError("cannot import name 'x'", name="shoetool.cli.verify")) is None
    assert missing_module(failed("no_such_package")) is None
    assert missing_module(ImportError("no name at all")) is None


@pytest.mark.parametrize("name", ["numpy", "click", "shoetool.cli.verify", "some_package_of_a_package"])
def test_a_frozen_program_says_that_it_was_frozen_without_it(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_metadata(name: str) -> None:
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr(sys, "frozen", True, raising=False)
    monkeypatch.setattr(metadata, "requires", no_metadata)
    told = missing_module(failed(name)) or ""
    assert name in told and "freeze it again" in told and "pip" not in told


@pytest.mark.parametrize(
    ("hidden", "words", "told"),
    [
        ("sqlite3", ("verify", "tests/vectors/history", "--jobs", "1"), "module sqlite3"),
        ("_ssl", ("serve", "--listen", "127.0.0.1:1"), "module ssl"),
        ("cobs", ("devices",), "not installed whole"),
        ("shoetool.verify.engine", ("verify", "tests/vectors/history/clean_single.shoelog"), "shoetool.verify.engine"),
    ],
)
def test_what_is_missing_is_one_line_of_a_command(hidden: str, words: tuple[str, ...], told: str) -> None:
    done = without([hidden], *words)
    assert done.returncode == 2, done.stderr
    (line,) = done.stderr.splitlines()
    assert told in line and "Traceback" not in line


@pytest.mark.parametrize(
    "words",
    [
        *(
            ("verify", "--help"),
            ("table", "--list"),
            ("paytables",),
            ("keys",),
            ("settle", "--help"),
            ("log", "--help"),
        ),
        ("verify", "tests/vectors/history/clean_single.shoelog", "--jobs", "1", "--no-remember"),
        ("archive", "add", "VAULT", "tests/vectors/history/clean_single.shoelog", "--by", "somebody", "--jobs", "1"),
    ],
    ids=" ".join,
)
def test_checking_takes_no_package_of_an_extra(words: tuple[str, ...], tmp_path: Path) -> None:
    done = without_extras(*(str(tmp_path) if word == "VAULT" else word for word in words))
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    ("words", "extra"),
    [
        (("simulate", "--list"), "sim"),
        (("demo",), "sim"),
        (("strip", "K♥", "--svg", "strip.svg"), "print"),
        (("flash", "--list"), "flash"),
        (("log", "show", "shoes-log"), "log"),
        (("audit", "."), "audit"),
        (("verify", "tests/vectors/history", "--out", "BUILD", "--jobs", "1"), "casino"),
        (("export", "tests/vectors/history", "--out", "BUILD", "--jobs", "1"), "casino"),
        (("verify", "tests/vectors/history", "--scheduler", "tcp://127.0.0.1:9"), "cluster"),
        (("trace", "--plot", "pass.svg", "--port", "/no/shoe"), "plot"),
        (("trace", "--vcd", "pass.vcd", "--port", "/no/shoe"), "plot"),
    ],
    ids=lambda value: value if isinstance(value, str) else value[0],
)
def test_a_command_whose_extra_is_missing_says_what_to_install(
    words: tuple[str, ...], extra: str, tmp_path: Path
) -> None:
    done = without_extras(*(str(tmp_path) if word == "BUILD" else word for word in words))
    assert done.returncode == 2 and done.stdout == ""
    (line,) = done.stderr.splitlines()
    assert f"pip install 'shoetool[{extra}]'" in line
