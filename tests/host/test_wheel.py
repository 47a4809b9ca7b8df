"""An installed wheel, away from the working tree, carries the files for a board and a shoe on the virtual board."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path
from typing import Any

import pytest
from sampled import SOAK
from shoesim.places import MICROPYTHON, find_micropython
from shoetool.flash import device_files

ROOT = Path(__file__).resolve().parents[2]
PIP = (sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check")
# An environment with nothing but what pyproject.toml asks for takes seconds: `make soak` builds in one.
ISOLATED = () if SOAK else ("--no-build-isolation", "--check-build-dependencies")
PARTS = ("firmware", "board", "host_tools", "pyproject.toml", "README.md")


def run(command: list[str], folder: Path) -> None:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]


@pytest.fixture(scope="session")
def built(made_once: Any) -> Path:
    """A folder with an sdist, built in a copy of the tree, and the wheel that pip makes of it by itself."""
    return Path(made_once("dist", build_both))


def build_both(out: Path) -> None:
    tree = out / "tree"
    copy_tree(tree)
    build_sdist(tree, out)
    (sdist,) = out.glob("*.tar.gz")
    run([*PIP, "wheel", *ISOLATED, "--no-deps", "--wheel-dir", str(out), str(sdist)], out)


def copy_tree(tree: Path) -> None:
    tree.mkdir(parents=True)
    for part in PARTS:
        source = ROOT / part
        if source.is_dir():
            shutil.copytree(source, tree / part, ignore=shutil.ignore_patterns("__pycache__", "*.egg-info"))
        else:
            shutil.copy(source, tree / part)


def build_sdist(tree: Path, out: Path) -> None:
    program = "import sys; sys.path.insert(0, 'firmware/tools'); import package_files as p; p.build_sdist(sys.argv[1])"
    run([sys.executable, "-W", "ignore", "-c", program, str(out)], tree)


@pytest.fixture(scope="session")
def installed(built: Path, made_once: Any) -> Path:
    """The site-packages of a virtual environment of its own with the wheel in it."""

    def install(out: Path) -> None:
        (wheel,) = built.glob("*.whl")
        subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(out / "venv")], check=True)
        (site,) = (out / "venv" / "lib").glob("python*/site-packages")
        # What is installed here is used once, if at all.
        run([*PIP, "install", "--no-compile", "--no-deps", "--target", str(site), str(wheel)], out)

    (site,) = Path(made_once("wheel-installed", install)).glob("venv/lib/python*/site-packages")
    return site


def shoetool(site: Path, folder: Path, *words: str, micropython: Path | None = None) -> dict[str, Any]:
    """Run the installed program in a folder; what it needs beside itself comes from this environment's packages."""
    third_party = Path(pytest.__file__).resolve().parents[1]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join((str(site), str(third_party))), "PATH": "/usr/bin:/bin"}
    environment.pop(MICROPYTHON, None)
    if micropython is not None:
        environment[MICROPYTHON] = str(micropython)
    command = [str(site.parents[2] / "bin" / "python"), "-m", "shoetool", *words, "--json"]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    document: dict[str, Any] = json.loads(done.stdout)
    return document


@pytest.mark.begins_first
def test_an_installed_wheel_carries_the_files_of_this_tree(installed: Path, tmp_path: Path) -> None:
    told = shoetool(installed, tmp_path, "flash", "--list")
    assert Path(told["folder"]).is_relative_to(installed)
    here = device_files.find()
    assert told["digest"] == here.digest and told["firmware"] == here.version
    assert len(told["files"]) == len(here.root) + len(here.slot) + 1


def verified(installed: Path, folder: Path, document: dict[str, Any]) -> None:
    """The histories of a simulated shoe are there, and without a finding."""
    assert document["rounds"] == 1 and len(document["files"]) == 2
    checked = shoetool(installed, folder, "verify", *document["files"])
    assert [one["report"]["findings"] for one in checked["files"]] == [[], []]


@pytest.mark.skipif(not SOAK, reason="it takes 7 s: `make soak` deals so")
def test_an_installed_wheel_deals_a_shoe_in_an_empty_folder(installed: Path, tmp_path: Path) -> None:
    """Where there is no MicroPython the firmware runs on Python."""
    verified(installed, tmp_path, shoetool(installed, tmp_path, "simulate", "six-deck", "--rounds", "1"))


def test_an_installed_wheel_takes_a_micropython_and_the_compiled_firmware(installed: Path, tmp_path: Path) -> None:
    """Whichever of the files was unpacked first: from the sources the heap would be too small."""
    for source in (installed / "shoesim" / "device" / "firmware" / "shoe").rglob("*.py"):
        os.utime(source)
    found = find_micropython(ROOT)
    dealt = shoetool(installed, tmp_path, "simulate", "six-deck", "--rounds", "1", micropython=found)
    verified(installed, tmp_path, dealt)


def test_an_installed_wheel_carries_the_dissector_for_wireshark(installed: Path) -> None:
    there, here = (folder / "shoetool" / "wireshark" / "shoe.lua" for folder in (installed, ROOT / "host_tools"))
    assert there.read_bytes() == here.read_bytes()


def test_an_installed_wheel_carries_the_font_of_the_sheet_and_its_license(installed: Path) -> None:
    here = ROOT / "host_tools" / "shoetool" / "case" / "fonts"
    names = {path.name for path in here.iterdir()}
    assert {"LICENSE_DEJAVU", "DejaVuSansCondensed.ttf"} <= names
    for name in names:
        assert (installed / "shoetool" / "case" / "fonts" / name).read_bytes() == (here / name).read_bytes()
    assert list(installed.glob("*.dist-info/licenses/**/LICENSE_DEJAVU"))


def test_the_sdist_holds_what_the_wheel_is_built_from(built: Path) -> None:
    (sdist,) = built.glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        held = {name.split("/", 1)[1] for name in archive.getnames() if "/" in name}
    parts = ("firmware", "board/pico", "board/virtual", "host_tools/shoetool")
    for folder, pattern in ((part, "**/*.py") for part in parts):
        wanted = {path.relative_to(ROOT).as_posix() for path in (ROOT / folder).glob(pattern)}
        assert wanted <= held
    assert "firmware/protocol.toml" in held


def test_two_checkouts_give_the_same_bytes(built: Path, tmp_path: Path) -> None:
    """In another folder, under another umask, with other times and modes, and with what an earlier build left."""
    tree, out = tmp_path / "some where" / "else", tmp_path / "out"
    before = os.umask(0o077)
    try:
        copy_tree(tree)
        out.mkdir()
        stale = tree / "build" / "lib" / "shoetool" / "stale.py"
        stale.parent.mkdir(parents=True)
        stale.write_text("raise AssertionError\n")
        for number, path in enumerate(sorted(tree.rglob("*"))):
            if path.is_file():
                path.chmod(0o700 if number % 2 else 0o600)
                os.utime(path, (1_000_000_000 + number, 1_000_000_000 + number))
        build_sdist(tree, out)
        run([*PIP, "wheel", *ISOLATED, "--no-deps", "--wheel-dir", str(out), str(tree)], out)
    finally:
        os.umask(before)
    for kind in ("*.whl", "*.tar.gz"):
        (one,), (other,) = built.glob(kind), out.glob(kind)
        assert one.name == other.name and one.read_bytes() == other.read_bytes(), kind
    (wheel,) = out.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        assert {entry.date_time for entry in archive.infolist()} == {(2020, 1, 1, 0, 0, 0)}
        assert {entry.external_attr >> 16 for entry in archive.infolist()} == {0o100644}
        assert {entry.filename.partition("/")[0].partition("-")[0] for entry in archive.infolist()} == {
            "shoetool",
            "shoesim",
        }
        text = b"".join(archive.read(entry) for entry in archive.infolist())
    assert str(tmp_path).encode() not in text and b"stale.py" not in text
