"""Build the frozen image of a shoe for a table, build/image-BOARD.uf2, with MicroPython's own tools.

    build_image.py DIR [--board RPI_PICO]       `make image MICROPYTHON=DIR`

DIR is a checkout of MicroPython 1.24 or newer. Its mpy-cross and its port rp2 do all the work; manifest.py says what is
frozen. The port is built below build/, anew each time: in DIR only mpy-cross and missing submodules are written.
CMAKE_ARGS of the environment goes on to cmake. Exit code 2: DIR or a tool is missing; 1: the build failed.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
FIRMWARE = HERE.parent
ROOT = FIRMWARE.parent
BUILD = ROOT / "build"
OLDEST = (1, 24)
# Package of Debian and its relatives that brings each program.
PROGRAMS = {"make": "make", "cc": "gcc", "cmake": "cmake", "git": "git", "arm-none-eabi-gcc": "gcc-arm-none-eabi"}
LIBRARY = "libc_nano.a"
LIBRARY_PACKAGE = "libnewlib-arm-none-eabi"
_VERSION = re.compile(r"#define MICROPY_VERSION_(MAJOR|MINOR)\s*\(?(\d+)")
_OF_AN_OUTER_MAKE = ("MAKEFLAGS", "MFLAGS", "MAKEOVERRIDES", "MAKELEVEL")


class ImageError(Exception):
    """Why there is no image, in one line; `code` is the exit code."""

    def __init__(self, text: str, code: int = 2) -> None:
        super().__init__(text)
        self.code = code


def check_checkout(folder: Path, board: str) -> None:
    """Raise ImageError unless `folder` is a checkout of a MicroPython that the firmware runs on, with that board."""
    for name in ("mpy-cross/Makefile", "ports/rp2/Makefile", "py/mpconfig.h"):
        if not (folder / name).is_file():
            raise ImageError(f"{folder}: no checkout of MicroPython: {name} is missing; name its top folder")
    told = dict(_VERSION.findall((folder / "py" / "mpconfig.h").read_text(errors="replace")))
    version = (int(told.get("MAJOR", 0)), int(told.get("MINOR", 0)))
    if version < OLDEST:
        raise ImageError(f"{folder}: MicroPython {version[0]}.{version[1]} is too old; check out 1.24 or newer")
    if not (folder / "ports" / "rp2" / "boards" / board).is_dir():
        raise ImageError(f"{folder}: its port rp2 has no board {board}; see the folders of ports/rp2/boards")
    for path in (folder, ROOT):
        if re.search(r"\s", str(path)):
            raise ImageError(f"{path}: make takes no path with a space; move it")


def missing_packages() -> list[tuple[str, str]]:
    """What of the toolchain is missing: (program or library, package that brings it)."""
    missing = [(program, package) for program, package in PROGRAMS.items() if shutil.which(program) is None]
    if shutil.which("arm-none-eabi-gcc"):
        command = ["arm-none-eabi-gcc", f"-print-file-name={LIBRARY}"]
        found = subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip()
        if not Path(found).is_absolute():  # the compiler repeats the name of what it does not find
            missing.append((LIBRARY, LIBRARY_PACKAGE))
    else:
        missing.append((LIBRARY, LIBRARY_PACKAGE))
    return missing


def check_toolchain() -> None:
    """Raise ImageError that names all that is missing."""
    missing = missing_packages()
    if missing:
        names = ", ".join(name for name, _ in missing)
        packages = " ".join(package for _, package in missing)
        raise ImageError(f"not installed: {names}; on Debian or Ubuntu: apt install {packages}")


def run_make(log: Path, *arguments: str) -> None:
    """Run make; what it prints goes behind what is in `log`. ImageError names the log."""
    environment = {name: value for name, value in os.environ.items() if name not in _OF_AN_OUTER_MAKE}
    with log.open("a") as out:
        done = subprocess.run(
            ["make", *arguments], stdin=subprocess.DEVNULL, stdout=out, stderr=out, check=False, env=environment
        )
    if done.returncode:
        raise ImageError(f"make {' '.join(arguments[:2])} failed; the end of {log} says why", 1)


def build_image(folder: Path, board: str = "RPI_PICO") -> Path:
    """Build the image with the checkout `folder`; return the UF2. Raises ImageError."""
    folder = folder.resolve()
    check_checkout(folder, board)
    check_toolchain()
    BUILD.mkdir(exist_ok=True)
    log = BUILD / f"image-{board}.log"
    log.write_text("")
    work = BUILD / f"image-{board}"
    shutil.rmtree(work, ignore_errors=True)  # cmake would keep the manifest and the MicroPython that it knew
    port = ("-C", str(folder / "ports" / "rp2"), f"BOARD={board}", f"BUILD={work}")
    run_make(log, "-C", str(folder / "mpy-cross"))
    if not (folder / "lib" / "pico-sdk" / "README.md").is_file():
        run_make(log, *port, "submodules")
    run_make(log, *port, f"-j{os.cpu_count() or 1}", f"FROZEN_MANIFEST={FIRMWARE / 'manifest.py'}")
    made = work / "firmware.uf2"
    if not made.is_file():
        raise ImageError(f"the build made no {made}; the end of {log} says why", 1)
    image = BUILD / f"image-{board}.uf2"
    shutil.copyfile(made, image)
    return image


def main(arguments: list[str]) -> int:
    """Build, and say where the image is."""
    parser = argparse.ArgumentParser("build_image.py", description=(__doc__ or "").partition("\n\n")[0])
    parser.add_argument("folder", type=Path, metavar="DIR", help="checkout of MicroPython 1.24 or newer")
    parser.add_argument("--board", default="RPI_PICO", help="board of MicroPython's port rp2; default: RPI_PICO")
    chosen = parser.parse_args(arguments)
    try:
        image = build_image(chosen.folder, chosen.board)
    except ImageError as error:
        print(error, file=sys.stderr)
        return error.code
    print(image)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
