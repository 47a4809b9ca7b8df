"""How `verify` of many histories scales: measured with one and two processes, simulated up to 64, and what limits it.

    python tests/bench/casino_scaling.py build/month --tables 2 --shoes 500

The simulation has two measured figures, both seconds of a processor: what a worker takes for each piece of work, as a
real run of this month has them; and what the one process that hands out and collects takes for a history, with its
results ready. It then plays that process and N workers in time, with as many pieces ahead as the real one hands out. It
leaves out the disk, the network of a cluster, and processors that share a memory.
"""

from __future__ import annotations

import argparse
import heapq
import json
import pickle
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve()
sys.path[:0] = [str(HERE.parent), str(HERE.parents[2] / "host_tools")]

import casino_month  # noqa: E402
from shoetool.casino.judged import Asked, judge_all  # noqa: E402
from shoetool.casino.paths import histories  # noqa: E402
from shoetool.casino.pieces import AHEAD, PIECE_FILES  # noqa: E402
from shoetool.casino.results import Results  # noqa: E402
from shoetool.casino.run import Run  # noqa: E402
from shoetool.casino.state import State  # noqa: E402
from shoetool.casino.workers import workers  # noqa: E402


class Kept:
    """Does each piece of work at once and keeps its pickled result and its seconds, or gives the kept ones back."""

    width = 1

    def __init__(self) -> None:
        self.results: list[tuple[bytes, float, int]] = []
        self.again = False
        self._at = 0

    def submit(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """Work, or the result of the first run."""
        if not self.again:
            before = time.process_time()
            done = pickle.dumps(function(*arguments))
            self.results.append((done, time.process_time() - before, len(arguments[1])))
        data = self.results[self._at % len(self.results)][0]
        self._at += 1
        return type("Waiting", (), {"result": lambda self: pickle.loads(data)})()


def collect(folder: Path, hands: Any) -> float:
    """A run over all histories with these workers; seconds of this process."""
    with tempfile.TemporaryDirectory() as place, closing(State(Path(place), {})) as state:
        run = Run(Asked(), state, Results(Path(place)), lambda part: None)
        before = time.process_time()
        for _ in run.verify(histories([folder]), hands):
            pass
        return time.process_time() - before


def simulated(pieces: list[tuple[float, int]], collecting: float, count: int) -> float:
    """Seconds until `count` workers did all pieces (seconds, histories) and one process collected them in order."""
    free = [0.0] * count
    heapq.heapify(free)
    ends: list[float] = []
    now = 0.0  # of the process that hands out and collects
    taken = 0
    for seconds, _ in pieces:
        if len(ends) - taken >= AHEAD * count:
            now = max(now, ends[taken]) + collecting * pieces[taken][1]
            taken += 1
        begins = max(now, heapq.heappop(free))
        heapq.heappush(free, begins + seconds)
        ends.append(begins + seconds)
    for at in range(taken, len(pieces)):
        now = max(now, ends[at]) + collecting * pieces[at][1]
    return now


def main() -> None:
    """Make the month, measure, simulate; one line of JSON."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--tables", type=int, default=2)
    parser.add_argument("--shoes", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--runs", type=int, default=3)
    options = parser.parse_args()
    folder = options.folder / "plain"
    files, _ = casino_month.make(options.folder / "plain", options.tables, options.shoes, options.seed, 2, False)
    wall: dict[int, float] = {}
    for jobs in (1, 2) * options.runs:
        with workers(jobs, None) as hands:
            hands.submit(judge_all, [], Asked()).result()  # its modules are imported
            before = time.perf_counter()
            collect(folder, hands)
            wall[jobs] = min(wall.get(jobs, 1e9), time.perf_counter() - before)
    kept = Kept()
    collect(folder, kept)
    kept.again = True
    collecting = min(collect(folder, kept) for _ in range(options.runs)) / files
    pieces = [(seconds, count) for _, seconds, count in kept.results]
    worker = sum(seconds for seconds, _ in pieces) / files
    many = pieces * max(1, 64 * 100 // len(pieces))
    rates = {
        count: round(sum(n for _, n in many) / simulated(many, collecting, count)) for count in (1, 2, 4, 8, 16, 32, 64)
    }
    figures = {
        "histories": files, "seed": options.seed, "measured_1_to_2": round(wall[1] / wall[2], 2),
        "worker_ms": round(worker * 1000, 3), "collecting_ms": round(collecting * 1000, 3),
        "limit_a_second": round(1 / collecting), "simulated_histories_a_second": rates,
        "simulated_1_to_2": round(rates[2] / rates[1], 2), "piece": PIECE_FILES,
    }  # fmt: skip
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
