"""What a lab that only verifies has to install, and what a command says whose packages are an extra."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from shoetool.cli.exits import EXTRAS

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
WITHOUT = """
import sys
for name in {names}:
    sys.modules[name] = None
from shoetool.cli import main
main()
"""


def without_extras(*words: str) -> subprocess.CompletedProcess[str]:
    """Run shoetool where no package of an extra can be imported."""
    program = WITHOUT.format(names=sorted(EXTRAS))
    return subprocess.run(
        [sys.executable, "-c", program, *words],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
        env={**os.environ},
    )


DISTRIBUTIONS = {"vcd": "pyvcd"}  # where it is not the name of the package


def test_each_extra_is_named_for_the_package_it_brings() -> None:
    for package, extra in EXTRAS.items():
        name = DISTRIBUTIONS.get(package, package)
        assert any(need.startswith(name) for need in PROJECT["optional-dependencies"][extra])
        assert not any(need.startswith(name) for need in PROJECT["dependencies"])


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
