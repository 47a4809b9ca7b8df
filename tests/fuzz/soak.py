"""The fuzz campaign: `python tests/fuzz/soak.py --executions 1000000 --seed 1 --jobs 2`; exit 1 when a promise broke.

Each target gets its share (targets.SHARES), in a process of its own under atheris. What coverage led to is kept in
--corpus for the next campaign; an input that broke a promise is named and lies in --corpus too.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import targets  # noqa: E402

_DONE = re.compile(rb"Done (\d+) (?:runs|in)|stat::number_of_executed_units: (\d+)")


def fuzz(name: str, runs: int, seed: int, corpus: Path) -> tuple[str, int, float, str]:
    """Run one target; return (name, executions, seconds, what went wrong or "")."""
    found = corpus / "finds"
    found.mkdir(parents=True, exist_ok=True)
    command = [
        sys.executable, str(HERE / "guided.py"), name, str(corpus / name), f"-runs={runs}", f"-seed={seed}",
        f"-artifact_prefix={found}/{name}-", "-max_len=6144", "-timeout=60", "-rss_limit_mb=2048",
        "-print_final_stats=1",
    ]  # fmt: skip
    began = time.monotonic()
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    counts = [int(one or two) for one, two in _DONE.findall(done.stdout)]
    wrong = "" if done.returncode == 0 else done.stdout.decode("utf-8", "replace")[-3000:]
    return name, max(counts, default=0), time.monotonic() - began, wrong


def main() -> int:
    """Run the campaign and print a line for each target."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--executions", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--corpus", type=Path, default=Path("build/fuzz"))
    parser.add_argument("--target", action="append", choices=sorted(targets.TARGETS), help="only this; may be repeated")
    options = parser.parse_args()
    names = options.target or list(targets.TARGETS)
    shares = sum(targets.SHARES[name] for name in names)
    total = failed = 0
    with ThreadPoolExecutor(options.jobs) as pool:
        jobs = [
            pool.submit(
                fuzz, name, -(-options.executions * targets.SHARES[name] // shares), options.seed, options.corpus
            )
            for name in sorted(names, key=lambda name: -targets.SHARES[name])
        ]
        for job in jobs:
            name, executions, seconds, wrong = job.result()
            total += executions
            print(
                f"{name:20} {executions:9,} executions {seconds:7.1f} s  {'FAILED' if wrong else 'clean'}", flush=True
            )
            if wrong:
                failed += 1
                print(wrong, flush=True)
    print(f"{total:,} executions, seed {options.seed}, {failed} of {len(names)} targets failed")
    if not failed and total < options.executions:
        print(f"fewer executions than the {options.executions:,} that were asked for")
        return 1
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
