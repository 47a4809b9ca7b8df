"""What takes seconds to make of the firmware's sources is made once for all test processes and runs, in build/kept."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
KEPT = ROOT / "build" / "kept"


def kept(of: str, make: Callable[[], bytes]) -> Path:
    """The file with what `make` returns for `of`, made when there is none."""
    path = KEPT / hashlib.sha256(of.encode()).hexdigest()
    if not path.exists():
        KEPT.mkdir(parents=True, exist_ok=True)
        ready = path.with_suffix(f".{os.getpid()}")
        ready.write_bytes(make())
        ready.replace(path)
    return path
