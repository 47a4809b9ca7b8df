"""Build backend of `shoetool`: setuptools, and in the wheel the files for a board, and firmware and virtual board for
`shoetool simulate` and `demo`; their sources in the sdist.

An editable installation carries none: there both come from the working tree.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path

from setuptools.build_meta import (
    build_editable,
    build_sdist,
    build_wheel,
    get_requires_for_build_editable,
    get_requires_for_build_sdist,
    get_requires_for_build_wheel,
    prepare_metadata_for_build_editable,
    prepare_metadata_for_build_wheel,
)
from setuptools.command.build_py import build_py
from setuptools.command.sdist import sdist

__all__ = [
    "build_editable",
    "build_sdist",
    "build_wheel",
    "get_requires_for_build_editable",
    "get_requires_for_build_sdist",
    "get_requires_for_build_wheel",
    "prepare_metadata_for_build_editable",
    "prepare_metadata_for_build_wheel",
]
HERE = Path(__file__).resolve().parent
FIRMWARE = HERE.parent
ROOT = FIRMWARE.parent
SOURCES = (
    *(f"firmware/**/*.{kind}" for kind in ("py", "toml", "json", "lua")),
    *("board/pico/**/*.py", "board/virtual/*.py"),
)
PARTS = ("root", "slot")
VIRTUAL = ("firmware/shoe", "board/virtual")  # what runs on the virtual board, beside main.py


class BuildPy(build_py):
    """Puts the firmware into the package's folders `shoetool/flash/device` and `shoesim/device`."""

    def run(self) -> None:
        """Build as setuptools does, then the files for a board, real and virtual."""
        super().run()
        if self.editable_mode:
            return
        if str(HERE) not in sys.path:
            sys.path.insert(0, str(HERE))
        from build_pico import build_pico

        with tempfile.TemporaryDirectory() as folder:
            built = build_pico(Path(folder) / "pico")
            for part in PARTS:
                target = Path(self.build_lib) / "shoetool" / "flash" / "device" / part
                shutil.rmtree(target, ignore_errors=True)  # of an earlier build
                shutil.copytree(built / part, target)
            copy_virtual(Path(folder) / "build", Path(self.build_lib) / "shoesim" / "device")


def copy_virtual(scratch: Path, target: Path) -> None:
    """Lay out sources and compiled modules below `target` as in the working tree: firmware/, board/, build/."""
    import build

    build.build(scratch, {part: build.FOLDERS[part] for part in VIRTUAL})
    shutil.rmtree(target, ignore_errors=True)
    for part in VIRTUAL:
        shutil.copytree(ROOT / part, target / part, ignore=shutil.ignore_patterns("__pycache__", "*.sh"))
        shutil.copytree(scratch / part, target / "build" / part)
    shutil.copy(FIRMWARE / "main.py", target / "firmware" / "main.py")


class Sdist(sdist):
    """Adds what the wheel is built from."""

    def make_distribution(self) -> None:
        """The files that setuptools found, and the sources of the firmware and its board."""
        for pattern in SOURCES:
            self.filelist.extend(path.relative_to(ROOT).as_posix() for path in ROOT.glob(pattern))
        super().make_distribution()
