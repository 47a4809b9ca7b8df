"""MicroPython that long games are played on: 32 bits as on the chip, and 64 too where WORDS=64 (`make soak`)."""

from __future__ import annotations

import os

from shoesim.rig import ROOT

BOTH = ("amd64", "i386")
_BUILT = ROOT / "build" / "micropython" / "micropython-i386"
AS_ON_THE_CHIP = BOTH if os.environ.get("WORDS") == "64" else BOTH[1:] if _BUILT.exists() else BOTH[:1]
