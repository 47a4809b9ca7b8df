"""An installed wheel, away from the working tree, carries the files for a board; so does one built from the sdist."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path
from typing import Any

import pytest
from shoetool.flash import device_files

ROOT = Path(__file__).resolve().parents[2]
PARTS = ("firmware", "board", "host_tools", "pyproject.toml", "README.md")


def run(command: list[str], folder: Path) -> None:
    environment = {**os.environ, "PIP_NO_COMPILE": "1"}  # what is installed here is used once, if at all
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, env=environment)
    assert done.returncode == 0, done.stderr[-2000:]


@pytest.fixture(scope="session")
def built(made_once: Any) -> Path:
    """A folder with an sdist, built in a copy of the tree, and the wheel that pip makes of it by itself."""
    return Path(made_once("dist", build_both))


def build_both(out: Path) -> None:
    tree = out / "tree"
    tree.mkdir()
    for part in PARTS:
        source = ROOT / part
        if source.is_dir():
            shutil.copytree(source, tree / part, ignore=shutil.ignore_patterns("__pycache__", "*.egg-info"))
        else:
            shutil.copy(source, tree / part)
    program = "import sys; sys.path.insert(0, 'firmware'); import package_files as p; p.build_sdist(sys.argv[1])"
    run([sys.executable, "-W", "ignore", "-c", program, str(out)], tree)
    (sdist,) = out.glob("*.tar.gz")
    run([sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", str(out), str(sdist)], out)


def test_an_installed_wheel_carries_the_files_of_this_tree(built: Path, tmp_path: Path) -> None:
    """In a virtual environment of its own; what shoetool needs beside itself comes from this environment's packages."""
    (wheel,) = built.glob("*.whl")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(tmp_path / "venv")], check=True)
    python = tmp_path / "venv" / "bin" / "python"
    (site,) = (tmp_path / "venv" / "lib").glob("python*/site-packages")
    run([sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--target", str(site), str(wheel)], tmp_path)
    third_party = Path(pytest.__file__).resolve().parents[1]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join((str(site), str(third_party)))}
    command = [str(python), "-m", "shoetool", "flash", "--list", "--json"]
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert Path(told["folder"]).is_relative_to(site)
    here = device_files.find()
    assert told["digest"] == here.digest and told["firmware"] == here.version
    assert len(told["files"]) == len(here.root) + len(here.slot) + 1


def test_the_sdist_holds_what_the_wheel_is_built_from(built: Path) -> None:
    (sdist,) = built.glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        held = {name.split("/", 1)[1] for name in archive.getnames() if "/" in name}
    for folder, pattern in (("firmware", "**/*.py"), ("board/pico", "**/*.py"), ("host_tools/shoetool", "**/*.py")):
        wanted = {path.relative_to(ROOT).as_posix() for path in (ROOT / folder).glob(pattern)}
        assert wanted <= held
    assert "firmware/protocol.toml" in held
