"""Replay and verify: records a second on one core, and the most memory used, for a short and a ten times longer file.

    python tests/bench/replay_verify.py --records 100000

Each measurement runs in a process of its own, so that its peak memory is its own; the figure is the median of the runs.
On a busy machine the rate by processor time is that of a core of its own. Reading pages, chain (SHA-256, CRCs), replay,
commitments and every check are inside the measured time.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve()
sys.path[:0] = [str(HERE.parents[1] / "host"), str(HERE.parents[2] / "host_tools")]


def make(path: Path, records: int) -> int:
    """A file of at least so many records: whole shoes of six decks, one after the other, each an own deal."""
    from dealer_script import Dealer, Table
    from histories import IDENTITY, Script, cut_pages
    from shoetool.history.chain import page_number
    from shoetool.history.store import ShoelogWriter

    made, page, shoe, previous = 0, 0, 1, bytes(32)
    with ShoelogWriter(path, sync=False) as writer:
        writer.set_identity(IDENTITY)
        while made < records:
            script = Script(first_record=made, boot=1 if made else 0)
            script = Dealer(Table(), shoe, "", script).play_shoe(boot=not made)
            pages = cut_pages(script.records, page, shoe, previous)
            for data in pages:
                writer.append_page(data)
            previous = hashlib.sha256(pages[-1]).digest()
            page = page_number(pages[-1]) + 1
            made += len(script.records)
            shoe += 1
    return made


def measure(path: Path) -> dict[str, float]:
    """Verify one file; seconds, records, peak memory in MiB."""
    from shoetool.verify import verify

    start, start_cpu = time.perf_counter(), time.process_time()
    report = verify(path)
    seconds, cpu = time.perf_counter() - start, time.process_time() - start_cpu
    assert report.ok, report.headline()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return {"seconds": seconds, "cpu": cpu, "records": report.summary.records, "peak_mib": peak}


def main() -> None:
    """Print the figures of both lengths."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--records", type=int, default=100_000)
    parser.add_argument("--times", type=int, default=10, help="how much longer the second file is")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--file", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.file:
        print(json.dumps(measure(options.file)))
        return
    with tempfile.TemporaryDirectory() as folder:
        for length in (options.records, options.records * options.times):
            path = Path(folder) / f"{length}.shoelog"
            made = make(path, length)
            runs = []
            for _ in range(options.runs):
                command = [sys.executable, str(HERE), "--file", str(path)]
                runs.append(json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout))
            rates = sorted(run["records"] / run["seconds"] for run in runs)
            of_core = statistics.median(run["records"] / run["cpu"] for run in runs)
            size = path.stat().st_size / (1 << 20)
            print(
                f"{made} records ({size:.1f} MiB): median {statistics.median(rates):,.0f} records/s "
                f"(slowest {rates[0]:,.0f}, fastest {rates[-1]:,.0f}; {of_core:,.0f} a second of processor time), "
                f"peak {max(run['peak_mib'] for run in runs):.1f} MiB"
            )


if __name__ == "__main__":
    main()
