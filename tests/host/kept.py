"""What takes seconds to make of the firmware's sources is made once for all test processes and runs, in build/kept."""

from __future__ import annotations

import hashlib
import json
import os
import sys
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
KEPT = ROOT / "build" / "kept"
sys.path.insert(0, str(ROOT / "firmware" / "tools"))

import build_pico  # noqa: E402

_prepare = build_pico.prepared  # a test may put `prepared` in its place


def kept(of: str, make: Callable[[], bytes]) -> Path:
    """The file with what `make` returns for `of`, made when there is none."""
    path = KEPT / hashlib.sha256(of.encode()).hexdigest()
    if not path.exists():
        KEPT.mkdir(parents=True, exist_ok=True)
        ready = path.with_suffix(f".{os.getpid()}")
        ready.write_bytes(make())
        ready.replace(path)
    return path


def prepared() -> tuple[dict[str, str], dict[str, dict[str, str]]]:
    """What build_pico.prepared returns for the sources as they are."""
    found = kept(f"prepared {build_pico.made_of()}", lambda: json.dumps(_prepare()).encode())
    plain, names = json.loads(found.read_text())
    return plain, names
