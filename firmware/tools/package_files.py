"""Build backend of `shoetool`: setuptools, and in the wheel the files for a board, and firmware and virtual board for
`shoetool simulate` and `demo`; their sources in the sdist.

An editable installation carries none: there both come from the working tree.

Wheel and sdist follow from the sources and the tools alone: two checkouts give the same bytes, wherever they lie, under
whatever umask, and whenever their files were written.
"""

from __future__ import annotations

import gzip
import io
import os
import shutil
import sys
import tarfile
import tempfile
import time
import zipfile
from pathlib import Path

from setuptools import build_meta
from setuptools.build_meta import (
    build_editable,
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


EPOCH = "1577836800"
"""The time of every file, 2020-01-01, where SOURCE_DATE_EPOCH names no other."""


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    """Build the wheel as setuptools does, and write it again the same way everywhere."""
    name = build_meta.build_wheel(wheel_directory, config_settings, metadata_directory)
    rewrite_wheel(Path(wheel_directory) / name)
    return name


def build_sdist(sdist_directory, config_settings=None):
    """Build the sdist as setuptools does, and write it again the same way everywhere."""
    name = build_meta.build_sdist(sdist_directory, config_settings)
    rewrite_sdist(Path(sdist_directory) / name)
    return name


def epoch() -> int:
    """Return the time that every file gets, in Unix seconds: no earlier than a zip can hold."""
    return max(int(os.environ.get("SOURCE_DATE_EPOCH", EPOCH)), 315532800)


def rewrite_wheel(path: Path) -> None:
    """Give the files of a wheel one time and one mode. Their order and bytes stay, and so RECORD is right."""
    fresh = path.with_suffix(".new")
    with zipfile.ZipFile(path) as old, zipfile.ZipFile(fresh, "w") as new:
        for entry in old.infolist():
            kept = zipfile.ZipInfo(entry.filename, time.gmtime(epoch())[:6])
            kept.create_system, kept.compress_type = 3, zipfile.ZIP_DEFLATED
            kept.external_attr = 0o100644 << 16
            new.writestr(kept, old.read(entry))
    fresh.replace(path)


def rewrite_sdist(path: Path) -> None:
    """Give the files of an sdist one order, time, mode and owner."""
    out = io.BytesIO()
    with tarfile.open(path) as old, tarfile.open(fileobj=out, mode="w", format=tarfile.PAX_FORMAT) as new:
        for entry in sorted(old.getmembers(), key=lambda one: one.name):
            kept = tarfile.TarInfo(entry.name)
            kept.type, kept.size, kept.mtime = entry.type, entry.size, epoch()
            kept.mode = 0o755 if entry.isdir() else 0o644
            new.addfile(kept, old.extractfile(entry) if entry.isfile() else None)
    fresh = path.with_name(f"{path.name}.new")
    with fresh.open("wb") as file, gzip.GzipFile("", "wb", fileobj=file, mtime=epoch()) as packed:
        packed.write(out.getvalue())
    fresh.replace(path)


class BuildPy(build_py):
    """Puts the firmware into the package's folders `shoetool/flash/device` and `shoesim/device`."""

    def run(self) -> None:
        """Build as setuptools does, then the files for a board, real and virtual."""
        if not self.editable_mode:
            shutil.rmtree(self.build_lib, ignore_errors=True)  # what an earlier build left is not of these sources
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
