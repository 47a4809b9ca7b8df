"""firmware/package.json is a library for mip, which is what an image has but for what starts a shoe.

Installed as board/README.md says, by mpremote itself.
"""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
import urllib.request
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import mpremote.main
import mpremote.mip
import pytest

ROOT = Path(__file__).resolve().parents[2]
README = ROOT / "board" / "README.md"
sys.path.insert(0, str(ROOT / "firmware" / "tools"))

import build_pico  # noqa: E402

ONLY_IN_THE_IMAGE = {"boot", "main", "root", "start", "shoe_image"}  # what starts a shoe; the README names them


class Board:
    """mpremote's transport to a board whose files lie in `folder`."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def fs_exists(self, path: str) -> bool:
        return (self.folder / path.lstrip("/")).exists()

    def fs_mkdir(self, path: str) -> None:
        (self.folder / path.lstrip("/")).mkdir()

    def fs_writefile(self, path: str, data: bytes, **_: Any) -> None:
        (self.folder / path.lstrip("/")).write_bytes(data)


def no_network(url: object) -> None:
    raise AssertionError(f"{url} was asked for")


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file system of a board after the command of the README, run by mpremote's own mip in the checkout."""
    folder = tmp_path_factory.mktemp("board")
    (command,) = re.findall(r"`(mpremote mip install [^`]*package\.json)`", README.read_text(encoding="utf-8"))
    arguments = mpremote.main.argparse_mip().parse_args(shlex.split(command)[2:])
    state = SimpleNamespace(transport=Board(folder), did_action=lambda: None, ensure_raw_repl=lambda: None)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(ROOT)
        patch.setattr(urllib.request, "urlopen", no_network)
        patch.setattr(mpremote.mip, "show_progress_bar", lambda *_: None)
        mpremote.mip.do_mip(state, arguments)
    return folder


def modules(folder: Path) -> dict[str, Path]:
    """Files below `folder` by the names of their modules: `shoe/app`."""
    files = {path.relative_to(folder).as_posix(): path for path in folder.rglob("*") if path.is_file()}
    assert all(name.endswith(".py") for name in files)
    return {name.removesuffix(".py"): path for name, path in files.items()}


def test_each_url_is_the_source_of_the_module_that_it_is_for(installed: Path) -> None:
    sources = {build_pico.file_name(name, ""): path for name, path in build_pico.slot_sources().items()}
    there = modules(installed / "lib")
    assert {name: path.read_bytes() for name, path in there.items()} == {
        name: sources[name].read_bytes() for name in there
    }


def test_it_is_the_list_of_the_manifest_but_for_what_starts_a_shoe(installed: Path, tmp_path: Path) -> None:
    image = set(modules(build_pico.build_image(tmp_path / "image")))
    there = set(modules(installed / "lib"))
    assert there | ONLY_IN_THE_IMAGE == image
    assert not there & ONLY_IN_THE_IMAGE


def test_nothing_of_it_runs_when_the_board_starts(installed: Path) -> None:
    assert [path.name for path in installed.iterdir()] == ["lib"]
    assert {path.name for path in (installed / "lib").iterdir()} == {"shoe", "pico"}


def test_the_readme_says_what_it_lacks_and_that_it_starts_no_shoe() -> None:
    (said,) = re.findall(r"^`firmware/package.json` .*?(?=\n\n|\Z)", README.read_text(encoding="utf-8"), re.M | re.S)
    said = " ".join(said.split())
    (lacks,) = re.findall(r"without the modules that start a shoe: (.*?)\.", said)
    assert set(re.findall(r"`(\w+)`", lacks)) == ONLY_IN_THE_IMAGE
    assert "A board with these packages is not a shoe and does not start one" in said and "`shoetool flash`" in said


@pytest.mark.parametrize("word", ["amd64", "i386"])
def test_the_firmware_is_imported_from_where_it_was_put(word: str, installed: Path) -> None:
    """Its modules, that is; those of `pico` need the chip."""
    names = sorted(name.replace("/", ".") for name in modules(installed / "lib") if name.startswith("shoe/"))
    names = [name for name in names if not name.endswith("__init__")]
    assert len(names) > 40
    program = f"import sys\nsys.path[:] = ['.frozen', '{installed}/lib']\n"
    program += "".join(f"import {name}\n" for name in names) + "print('all')\n"
    micropython = ROOT / "build" / "micropython" / f"micropython-{word}"
    done = subprocess.run(
        [micropython, "-X", "heapsize=2m", "-c", program], capture_output=True, text=True, check=False
    )
    assert (done.stdout, done.stderr) == ("all\n", "")
