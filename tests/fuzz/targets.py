"""What is fuzzed: one function per parser, from bytes to nothing. It raises when the parser breaks a promise.

Used by test_fuzz.py (hypothesis, a small sample), by guided.py (atheris, guided by coverage) and by soak.py. What a
parser may raise is caught here; everything else, and every broken promise, is a find.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
for _folder in ("firmware", "board", "host_tools", "tests/firmware", "tests/host", "tests/fuzz"):
    if str(ROOT / _folder) not in sys.path:
        sys.path.insert(0, str(ROOT / _folder))

from device_targets import (  # noqa: E402  # noqa: E402
    device_boot,
    device_config,
    device_frames,
    device_journal,
    device_keys,
    device_notes,
    device_open,
    device_provisioned,
)
from host_targets import (  # noqa: E402
    host_answers,
    host_frames,
    host_key_file,
    host_log,
    host_pages,
    host_recording,
    host_rounds,
    host_settings,
    host_shoelog,
    host_signature,
    host_submission,
    host_trust,
)

Target = Callable[[bytes], None]

TARGETS: dict[str, Target] = {
    function.__name__: function
    for function in (
        device_frames,
        device_provisioned,
        device_open,
        device_config,
        device_journal,
        device_notes,
        device_keys,
        device_boot,
        host_frames,
        host_answers,
        host_shoelog,
        host_recording,
        host_pages,
        host_signature,
        host_trust,
        host_key_file,
        host_log,
        host_settings,
        host_rounds,
        host_submission,
    )
}

# How many of a thousand executions each target gets in a campaign; the slow ones fewer.
SHARES = {
    "device_frames": 130,
    "device_provisioned": 30,
    "device_open": 20,
    "device_config": 80,
    "device_journal": 60,
    "device_notes": 80,
    "device_keys": 80,
    "device_boot": 2,
    "host_frames": 90,
    "host_answers": 90,
    "host_shoelog": 38,
    "host_recording": 40,
    "host_pages": 60,
    "host_signature": 40,
    "host_trust": 40,
    "host_key_file": 25,
    "host_log": 20,
    "host_settings": 25,
    "host_rounds": 25,
    "host_submission": 25,
}


def seeds(name: str) -> list[bytes]:
    """The seeds of a target, in the order of their names; make_seeds.py wrote them."""
    return [path.read_bytes() for path in sorted((ROOT / "tests" / "fuzz" / "seeds" / name).glob("*"))]
