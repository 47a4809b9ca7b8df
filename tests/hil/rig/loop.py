"""The instruction loop: compiled where Cython and a C compiler are at hand, else the emulator's own."""

from __future__ import annotations

import functools
import hashlib
import importlib.util
import os
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

from rp2040py.execute_batch import execute_batch
from rp2040py.peripherals.xip_ctrl import FLUSH, RPXIPCtrl
from rp2040py.rp2040 import RP2040

_SOURCE = Path(__file__).with_name("fast_loop.pyx")
_BUILD = Path(__file__).resolve().parents[3] / "build" / "hil"
_BATCH = 16  # instructions between two looks at the clock: 0.2 µs at most, and a tenth saved
SLOW = "RIG_SLOW"  # set it to keep to the emulator's own loop
CACHE = "RIG_CACHE"  # cycles that a miss of the flash cache takes: 50 or so; without it flash is as fast as RAM


class SlowLoop:
    """The emulator's own loop: PIO programs faster than the processor's instructions lag behind beside a busy one."""

    def __init__(self) -> None:
        self.stopped = False
        self.exact = False
        self.watched_until = 0.0

    def run(self, rp2040: Any, clock: Any) -> None:
        """Run until `stopped`."""
        self.rp2040, self.clock = rp2040, clock  # what the emulator's loop wants of its simulator, and `stopped`
        while not self.stopped:
            execute_batch(self, _BATCH)


def new_loop() -> Any:
    """Return the loop of one chip."""
    module = None if os.environ.get(SLOW) else _compiled()
    return module.Loop() if module else SlowLoop()


def new_mcu(clock: Any) -> Any:
    """Return the emulated chip, with a flash cache where RIG_CACHE says so. RuntimeError where that cannot be."""
    cycles = int(os.environ.get(CACHE) or 0)
    module = None if os.environ.get(SLOW) else _compiled()
    if module is None:
        if cycles:
            raise RuntimeError(f"{CACHE} needs the compiled loop: Cython and a C compiler, and no {SLOW}")
        return RP2040(clock)
    mcu = module.FastRP2040(clock)
    if cycles:
        mcu.miss_cycles = cycles
        mcu.xip_ctrl.__class__ = _CacheControl
    return mcu


class _CacheControl(RPXIPCtrl):
    """The cache's registers: a write to one of them empties it."""

    def write_uint32(self, offset: int, value: int) -> None:
        super().write_uint32(offset, value)
        if offset == FLUSH:
            self.rp2040.flush_cache()


@functools.cache
def _compiled() -> ModuleType | None:
    """Import the compiled loop, building it when there is none for this source, Python and emulator."""
    try:
        import rp2040py
        import setuptools
        from Cython.Build import cythonize
        from setuptools.command.build_ext import build_ext
    except ImportError:
        return None
    emulator = Path(rp2040py.__file__).parent
    declared = sorted((emulator / "native").glob("*.p[xy][dx]"))
    digest = hashlib.sha256(b"".join(path.read_bytes() for path in [_SOURCE, *declared]))
    digest.update(sys.version.encode())
    place = _BUILD / f"loop-{digest.hexdigest()[:12]}"
    if not list(place.glob("fast_loop.*.so")):
        building = place.with_name(f"{place.name}.{os.getpid()}")
        try:
            modules = cythonize(
                [setuptools.Extension("fast_loop", [str(_SOURCE)], extra_compile_args=["-O2"])],
                include_path=[str(emulator.parent)],
                build_dir=str(building),
                quiet=True,
            )
            command = build_ext(setuptools.Distribution({"ext_modules": modules}))
            command.build_lib, command.build_temp = str(building), str(building)
            command.ensure_finalized()
            command.run()
        except (Exception, SystemExit) as error:  # no compiler, no headers: the slow one serves too
            print(f"the emulator takes ten times as long: its loop cannot be compiled ({error})", file=sys.stderr)
            return None
        if not place.exists():
            building.replace(place)
    spec = importlib.util.spec_from_file_location("fast_loop", next(iter(place.glob("fast_loop.*.so"))))
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
