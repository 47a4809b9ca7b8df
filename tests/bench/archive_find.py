"""How long `archive find` takes for one round by its time and table, in archives of more and more histories.

    python tests/bench/archive_find.py build/month --tables 20 --shoes 250

The histories are those of `casino_month.py`, whose shoes follow each other after 1,000 seconds. They are added in four
parts, each twice as large as what is there; after each part the time and table of `--times` rounds are asked for. Each
figure is a median, in milliseconds: of the command as a user runs it, a process of its own, by the wall clock and by
the processor; and of the search alone. `--plans` prints how SQLite goes about each kind of search.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import casino_month
from shoetool.archive.index import Index, Wanted
from shoetool.archive.keeper import Archive
from shoetool.casino.judged import Asked
from shoetool.cli.archive_find import MOST

ASKED = {
    "time and table": Wanted(table=1, first=casino_month.FIRST_MS, last=casino_month.FIRST_MS + 60_000),
    "time": Wanted(first=casino_month.FIRST_MS, last=casino_month.FIRST_MS + 60_000),
    "table": Wanted(table=1),
    "device": Wanted(device="543030302d303030"),
    "device and shoe": Wanted(device="543030302d303030", shoe=7),
    "shoe": Wanted(shoe=7),
    "check": Wanted(check="reader_misused"),
    "clause": Wanted(clause="633a.7(k)"),
    "card": Wanted(card=7),
    "dealer": Wanted(dealer=2),
}


def shoetool(*words: str) -> subprocess.CompletedProcess[str]:
    """Run a command that must end well."""
    return subprocess.run([sys.executable, "-m", "shoetool", *words], check=True, capture_output=True, text=True)


def figures(vault: Path, times: int, rng: random.Random) -> dict[str, Any]:
    """The medians for rounds of this archive."""
    with closing(Index(vault)) as index:
        known = index.rounds(Wanted(), 1 << 30)
    wall, cpu, alone, every = [], [], [], []
    for one in rng.sample([one for one in known if one.began is not None], times):
        assert one.began is not None
        at = datetime.fromtimestamp(one.began / 1000, UTC).strftime("%Y-%m-%d %H:%M:%S")
        begun, before = time.perf_counter(), os.times()
        said = shoetool("archive", "find", str(vault), "--table", str(one.table), "--at", at, "--timezone", "UTC")
        wall.append(time.perf_counter() - begun)
        after = os.times()
        cpu.append(after.children_user + after.children_system - before.children_user - before.children_system)
        assert one.name in said.stdout
        first = one.began // 1000 * 1000
        begun = time.perf_counter()
        with closing(Archive(vault, Asked())) as archive:
            archive.current()
            found = archive.index.rounds(Wanted(table=one.table, first=first, last=first + 1000), MOST + 1)
        alone.append(time.perf_counter() - begun)
        assert one in found
    for wanted in ASKED.values():
        begun = time.perf_counter()
        with closing(Index(vault)) as index:
            index.rounds(wanted, MOST + 1)
        every.append(time.perf_counter() - begun)
    shown = {"wall_ms": wall, "cpu_ms": cpu, "search_ms": alone}
    out: dict[str, Any] = {name: round(1000 * statistics.median(row), 1) for name, row in shown.items()}
    return out | {
        "rounds": len(known),
        "ms_by": {name: round(1000 * s, 1) for name, s in zip(ASKED, every, strict=True)},
    }


def main() -> None:
    """Fill an archive in parts, and print the figures after each as a line of JSON."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="where the histories are made, or lie from before")
    parser.add_argument("--tables", type=int, default=8)
    parser.add_argument("--shoes", type=int, default=100, help="histories of each table")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--times", type=int, default=20)
    parser.add_argument("--plans", action="store_true", help="print the query plans too")
    options = parser.parse_args()
    folder = options.folder / "plain"
    casino_month.make(folder, options.tables, options.shoes, options.seed, options.jobs, False)
    files = sorted(map(str, folder.rglob("*.shoelog")))
    rng = random.Random(options.seed)
    rng.shuffle(files)
    with tempfile.TemporaryDirectory(dir=options.folder) as place:
        vault, listed, done = Path(place) / "vault", Path(place) / "some", 0
        listed.mkdir()
        for part in (8, 4, 2, 1):
            for file in files[done : len(files) // part]:
                (listed / Path(file).name).symlink_to(Path(file).resolve())
            done = len(files) // part
            words = ("--by", "bench", "--keys", f"{place}/keys", "--jobs", str(options.jobs))
            before = os.times()
            shoetool("archive", "add", str(vault), str(listed), *words)
            after = os.times()
            spent = after.children_user + after.children_system - before.children_user - before.children_system
            row = {"histories": done, "seed": options.seed, "add_cpu_s": round(spent, 1)}
            print(json.dumps(row | figures(vault, options.times, rng)), flush=True)
            for one in listed.iterdir():
                one.unlink()
        if options.plans:
            with closing(Index(vault)) as index:
                for name, wanted in ASKED.items():
                    print(f"{name}: {'; '.join(index.plan(wanted, MOST))}")


if __name__ == "__main__":
    main()
