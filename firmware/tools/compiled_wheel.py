"""A wheel of `shoetool` for this machine, with the modules compiled in which `verify` spends its time.

    python firmware/tools/compiled_wheel.py build/dist

It is built of the same sources as the plain wheel, and mypyc compiles those that verify a history and settle its
rounds. So many histories take less time. It takes a C compiler and Python's headers (Debian: gcc python3-dev), and fits
this version of Python alone. Its version ends in `+compiled`. The sources lie in it too, for tracebacks.
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from fnmatch import fnmatch
from pathlib import Path
from typing import Final

HERE: Final = Path(__file__).resolve().parent
ROOT: Final = HERE.parents[1]
TOOL: Final = ROOT / "host_tools" / "shoetool"
FOLDERS: Final = ("judge", "table", "verify", "deal", "settle", "round_file")
LEFT_OUT: Final = (
    *("judge/finding", "verify/findings", "verify/followed"),  # results, which workers send to another process
    "verify/timed_reader",  # commands make readers of their own of it
    *("*/__init__", "judge/registry*", "deal/inputs"),  # data
    *("round_file/fields", "round_file/file", "round_file/json_text"),  # each has something that mypyc does not take
)
MODULES: Final = (
    *("history/chain", "history/chunks", "history/torn_step", "model/cards", "rules/hands", "rules/round"),
    *("trust/lms", "trust/signed_history"),
    *(
        name
        for folder in FOLDERS
        for path in sorted((TOOL / folder).rglob("*.py"))
        for name in [path.relative_to(TOOL).with_suffix("").as_posix()]
        if not any(fnmatch(name, out) for out in LEFT_OUT)
    ),
)
"""Modules of host_tools/shoetool. No class of theirs is inherited from outside of them, or copied, but these:"""
OPEN: Final = {
    "table/card": ["DrawnCard"],  # the simulator's cards inherit from it
    "table/hand": ["Hand"],
    "table/round": ["Round"],
    "deal/state": ["HandState", "BoxState", "PlayState"],  # the state of a round in play is copied with all of them
}
_OPEN: Final = "@mypyc_attr(serializable=True, allow_interpreted_subclasses=True)\n"
"""serializable: it can be copied. mypyc 2.4 leaves such a class without its `__init__`, unless it may be inherited."""
_IMPORT: Final = """\
from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mypy_extensions import mypyc_attr
"""
_SDIST: Final = "import sys; sys.path.insert(0, sys.argv[1]); import package_files as p; p.build_sdist(sys.argv[2])"
# With the flag the functions of the wheel call each other directly: nobody can put another one in their place.
_SETUP: Final = """\
from mypyc.build import mypycify
from setuptools import setup

made = mypycify([*{files}, "--ignore-missing-imports"], opt_level="3", debug_level="0", multi_file=True)
for extension in made:
    extension.extra_compile_args.append("-fno-semantic-interposition")
setup(ext_modules=made)
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
        project = tree / "pyproject.toml"
        project.write_text(_named(project.read_text(encoding="utf-8")), encoding="utf-8")
        for module, classes in OPEN.items():
            source = tree / "host_tools" / "shoetool" / f"{module}.py"
            source.write_text(_opened(source.read_text(encoding="utf-8"), classes), encoding="utf-8")
        (tree / "setup.py").write_text(_SETUP.format(files=files), encoding="utf-8")
        # This environment has what building takes. One of pip's own would have no mypyc.
        pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
        options = ["--no-build-isolation", "--no-deps", "--wheel-dir", str(out)]
        subprocess.run([*pip, "wheel", *options, str(tree)], check=True)


def _named(project: str) -> str:
    """Return the project with `+compiled` behind its version.

    So a run with workers of both wheels is refused: neither can read what the other one's classes are sent as.
    """
    named, found = re.subn(r'^(version = "[^"+]+)"$', r'\1+compiled"', project, flags=re.MULTILINE)
    assert found == 1, "the project has one version"
    return named


def _opened(text: str, classes: Sequence[str]) -> str:
    """Return a module with `_OPEN` before some of its classes."""
    future = "from __future__ import annotations\n"
    for line, more in ((future, _IMPORT), *((f"class {name}:\n", f"{_OPEN}class {name}:\n") for name in classes)):
        assert text.count(line) == 1, line
        text = text.replace(line, more)
    return text


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
