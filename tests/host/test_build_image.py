"""`make image`: what is missing is named in one line; MicroPython's own tools are called as its port wants it.

The checkout here is a small one of make's rules that write down how they were called.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "firmware" / "tools"))

import build_image  # noqa: E402

PORT = """\
all:
	echo "all $(BOARD) $(FROZEN_MANIFEST) $(notdir $(BUILD)) $(JOBS)" >> $(CURDIR)/called
	mkdir -p $(BUILD)
	echo image > $(BUILD)/firmware.uf2
submodules:
	echo submodules >> $(CURDIR)/called
"""
CROSS = "all:\n\techo cross >> $(CURDIR)/../ports/rp2/called\n"


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A checkout whose parts are there, with its submodules."""
    top = tmp_path / "micropython"
    version = "#define MICROPY_VERSION_MAJOR 1\n#define MICROPY_VERSION_MINOR 28\n"
    for name, text in {
        "mpy-cross/Makefile": CROSS, "ports/rp2/Makefile": PORT, "py/mpconfig.h": version,
        "ports/rp2/boards/RPI_PICO/mpconfigboard.h": "", "lib/pico-sdk/README.md": "",
    }.items():  # fmt: skip
        (top / name).parent.mkdir(parents=True, exist_ok=True)
        (top / name).write_text(text)
    return top


@pytest.fixture(autouse=True)
def _own_build(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(build_image, "BUILD", tmp_path / "build")


@pytest.fixture
def toolchain(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(build_image, "missing_packages", list)


def refused(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """The one line that is said, with exit code 2; nothing is built."""
    assert build_image.main(list(words)) == 2
    said = capsys.readouterr()
    assert said.out == "" and said.err.count("\n") == 1 and not build_image.BUILD.exists()
    return said.err.strip()


def test_a_folder_that_is_no_checkout_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    said = refused(capsys, str(tmp_path))
    assert said == f"{tmp_path}: no checkout of MicroPython: mpy-cross/Makefile is missing; name its top folder"


@pytest.mark.parametrize("name", ["mpy-cross/Makefile", "ports/rp2/Makefile", "py/mpconfig.h"])
def test_a_part_of_the_checkout_that_is_missing_is_named(
    checkout: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (checkout / name).unlink()
    assert f"no checkout of MicroPython: {name} is missing" in refused(capsys, str(checkout))


def test_a_micropython_that_is_too_old_is_refused(checkout: Path, capsys: pytest.CaptureFixture[str]) -> None:
    version = "#define MICROPY_VERSION_MAJOR (1)\n#define MICROPY_VERSION_MINOR (23)\n"
    (checkout / "py" / "mpconfig.h").write_text(version)
    assert "MicroPython 1.23 is too old; check out 1.24 or newer" in refused(capsys, str(checkout))


def test_a_board_that_the_port_does_not_know_is_named(checkout: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "has no board PICO_9" in refused(capsys, str(checkout), "--board", "PICO_9")


def test_a_path_that_make_cannot_take_is_named(checkout: Path, capsys: pytest.CaptureFixture[str]) -> None:
    moved = checkout.rename(checkout.with_name("micro python"))
    assert refused(capsys, str(moved)) == f"{moved}: make takes no path with a space; move it"


def test_all_that_is_missing_of_the_toolchain_is_named_with_its_packages(
    checkout: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    absent = {"cmake", "arm-none-eabi-gcc"}
    monkeypatch.setattr(build_image.shutil, "which", lambda name: None if name in absent else f"/bin/{name}")
    assert refused(capsys, str(checkout)) == (
        "not installed: cmake, arm-none-eabi-gcc, libc_nano.a; on Debian or Ubuntu: apt install cmake "
        "gcc-arm-none-eabi libnewlib-arm-none-eabi"
    )


@pytest.mark.parametrize(("found", "missing"), [("libc_nano.a", True), ("/usr/lib/arm/libc_nano.a", False)])
def test_a_compiler_without_its_c_library_is_noticed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, found: str, missing: bool
) -> None:
    compiler = tmp_path / "arm-none-eabi-gcc"
    compiler.write_text(f"#!/bin/sh\necho {found}\n")
    compiler.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    assert (("libc_nano.a", "libnewlib-arm-none-eabi") in build_image.missing_packages()) is missing


def test_the_image_is_made_by_the_ports_own_makefile_with_our_manifest(
    checkout: Path, toolchain: None, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("MAKEFLAGS", "-- JOBS=of-an-outer-make")
    stale = build_image.BUILD / "image-RPI_PICO" / "CMakeCache.txt"
    stale.parent.mkdir(parents=True)
    stale.write_text("of another MicroPython")
    assert build_image.main([str(checkout)]) == 0
    image = build_image.BUILD / "image-RPI_PICO.uf2"
    assert capsys.readouterr().out == f"{image}\n" and image.read_text() == "image\n"
    called = (checkout / "ports" / "rp2" / "called").read_text().splitlines()
    manifest = ROOT / "firmware" / "manifest.py"
    assert [line.strip() for line in called] == ["cross", f"all RPI_PICO {manifest} image-RPI_PICO"]
    assert not stale.exists()


def test_the_submodules_of_a_fresh_checkout_are_fetched_first(checkout: Path, toolchain: None) -> None:
    shutil.rmtree(checkout / "lib")
    build_image.build_image(checkout)
    called = (checkout / "ports" / "rp2" / "called").read_text().splitlines()
    assert [line.split()[0] for line in called] == ["cross", "submodules", "all"]


@pytest.mark.parametrize("fails", ["false", "true"])
def test_a_build_that_fails_or_makes_nothing_names_its_log(
    checkout: Path, toolchain: None, fails: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (checkout / "ports" / "rp2" / "Makefile").write_text(f"all:\n\techo the reason\n\t{fails}\n")
    assert build_image.main([str(checkout)]) == 1
    log = build_image.BUILD / "image-RPI_PICO.log"
    said = capsys.readouterr().err
    assert said.count("\n") == 1 and said.endswith(f"the end of {log} says why\n")
    assert "the reason" in log.read_text()
