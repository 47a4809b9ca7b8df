"""A wheel of `shoetool` for this machine, with the modules compiled in which `verify` spends its time.

    python firmware/tools/compiled_wheel.py build/dist

It is built of the same sources as the plain wheel, and mypyc compiles those that verify a history. So many histories
take less time. It takes a C compiler and Python's headers (Debian: gcc python3-dev), and fits this version of
Python alone. The sources lie in it too, for tracebacks.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
from fnmatch import fnmatch
from pathlib import Path
from typing import Final

HERE: Final = Path(__file__).resolve().parent
ROOT: Final = HERE.parents[1]
TOOL: Final = ROOT / "host_tools" / "shoetool"
FOLDERS: Final = ("judge", "table", "verify")
LEFT_OUT: Final = (
    *("judge/finding", "verify/findings", "verify/followed"),  # results, which workers send to another process
    *("*/__init__", "judge/registry*"),  # data
)
MODULES: Final = (
    *("history/chain", "history/chunks", "history/torn_step", "model/cards", "trust/lms", "trust/signed_history"),
    *(
        name
        for folder in FOLDERS
        for name in sorted(f"{folder}/{path.stem}" for path in (TOOL / folder).glob("*.py"))
        if not any(fnmatch(name, out) for out in LEFT_OUT)
    ),
)
"""Modules of host_tools/shoetool. No class of theirs is inherited from outside of them, nor sent to another process."""
INHERITED: Final = ("table/card", "class DrawnCard:")
"""The simulator's cards inherit from this class. A decorator allows it, which only compiled code knows."""
_ALLOWED: Final = """\
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mypy_extensions import mypyc_attr


@mypyc_attr(allow_interpreted_subclasses=True)
"""
_SDIST: Final = "import sys; sys.path.insert(0, sys.argv[1]); import package_files as p; p.build_sdist(sys.argv[2])"
_SETUP: Final = """\
from mypyc.build import mypycify
from setuptools import setup

setup(ext_modules=mypycify([*{files}, "--ignore-missing-imports"], opt_level="3", debug_level="0"))
"""


def build(out: Path) -> None:
    """Build the wheel in the folder `out`. CalledProcessError: a step failed, and has said why on standard error."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-W", "ignore", "-c", _SDIST, str(HERE), folder]
        subprocess.run(command, cwd=ROOT, stdout=subprocess.DEVNULL, check=True)
        (sdist,) = Path(folder).glob("*.tar.gz")
        shutil.unpack_archive(sdist, folder)
        tree = Path(folder) / sdist.name.removesuffix(".tar.gz")
        files = [f"host_tools/shoetool/{module}.py" for module in MODULES]
        module, line = INHERITED
        source = tree / "host_tools" / "shoetool" / f"{module}.py"
        before, after = source.read_text(encoding="utf-8").split(line)
        source.write_text(before + _ALLOWED + line + after, encoding="utf-8")
        (tree / "setup.py").write_text(_SETUP.format(files=files), encoding="utf-8")
        # This environment has what building takes. One of pip's own would have no mypyc.
        pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
        options = ["--no-build-isolation", "--no-deps", "--wheel-dir", str(out)]
        subprocess.run([*pip, "wheel", *options, str(tree)], check=True)


def main() -> None:
    """Read the arguments, and build."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path, help="the folder that the wheel comes into")
    options = parser.parse_args()
    try:
        build(options.out)
    except subprocess.CalledProcessError as error:
        sys.exit(f"no wheel was built: {error}")


if __name__ == "__main__":
    main()
