"""Build backend of `shoetool`: setuptools, and the files for a board in the wheel, their sources in the sdist.

An editable installation carries none: there `shoetool flash` builds them from the working tree.
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
ROOT = HERE.parent
SOURCES = ("firmware/**/*.py", "firmware/**/*.toml", "firmware/**/*.json", "board/pico/**/*.py")
PARTS = ("root", "slot")


class BuildPy(build_py):
    """Compiles the firmware into the package's folder `flash/device`."""

    def run(self) -> None:
        """Build as setuptools does, then the files for a board."""
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


class Sdist(sdist):
    """Adds what the wheel is built from."""

    def make_distribution(self) -> None:
        """The files that setuptools found, and the sources of the firmware and its board."""
        for pattern in SOURCES:
            self.filelist.extend(path.relative_to(ROOT).as_posix() for path in ROOT.glob(pattern))
        super().make_distribution()
