"""What `shoetool verify` takes of a history with many real signatures: processor and wall time of the whole command.

    python tests/bench/verify_signatures.py --signatures 400

Each shoe has one page, so that nearly all the time is that of the signatures. The figures are medians over the runs,
each a process of its own: start of Python, imports, reading, verifying, printing. Keys and signatures are made by
pyhsslms, from a fixed seed.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from hashlib import sha256
from pathlib import Path

HERE = Path(__file__).resolve()
sys.path[:0] = [str(HERE.parents[1] / "host"), str(HERE.parents[2] / "host_tools")]


def make(path: Path, count: int) -> None:
    """A file of this many closed shoes, each of one page and with a real signature of one key."""
    from histories import IDENTITY, Script, cut_pages
    from shoetool.history.chunks import SignatureChunk
    from signed_histories import LIBRARY, Key, sign_pages, write

    key = Key("bench", LIBRARY.lms_sha256_m32_h10)
    pages: list[bytes] = []
    signatures: list[SignatureChunk] = []
    first, previous = 0, bytes(32)
    for shoe in range(1, count + 1):
        script = Script(first, 0)
        script.add("shoe_opened", 0, 0, 6, 1, 2, 1, 6, 7, 42)
        script.add("shoe_closed", 0, 0, 0)
        (page,) = cut_pages(script.records, shoe, shoe, previous)
        previous, first = sha256(page).digest(), script.next
        pages.append(page)
        signatures.append(sign_pages([page], key))
    write(path, pages, signatures, IDENTITY)


def measure(words: list[str], expected: str) -> tuple[float, float]:
    """Seconds of the processor and of the clock on the wall for one command; its output must hold `expected`."""
    start, before = time.perf_counter(), os.times()
    result = subprocess.run(words, capture_output=True, text=True, check=False)
    wall, after = time.perf_counter() - start, os.times()
    assert result.returncode == 0 and expected in result.stdout, result.stdout[-500:] + result.stderr[-500:]
    cpu = after.children_user + after.children_system - before.children_user - before.children_system
    return cpu, wall


def main() -> None:
    """Make the file, verify it several times, print one line of JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--signatures", type=int, default=400)
    parser.add_argument("--runs", type=int, default=9)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "many.shoelog"
        make(path, arguments.signatures)
        words = [sys.executable, "-m", "shoetool", "verify", str(path), "--keys", folder, "--no-remember"]
        runs = [measure(words, f"shoe {arguments.signatures}: signed") for _ in range(arguments.runs)]
    cpu, wall = (statistics.median(one) for one in zip(*runs, strict=True))
    figures = {"signatures": arguments.signatures, "runs": arguments.runs}
    print(json.dumps({**figures, "cpu_s": round(cpu, 3), "wall_s": round(wall, 3)}))


if __name__ == "__main__":
    main()
