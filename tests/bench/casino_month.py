"""A synthetic casino month: many tables, each with signed histories of one shoe a file; and what `verify` takes for it.

    python tests/bench/casino_month.py build/month --tables 200 --shoes 2500 --jobs 2      make it, and verify it
    python tests/bench/casino_month.py build/month --tables 200 --shoes 2500 --only-make   go on making it
    python tests/bench/casino_month.py build/month --records --export                      make and export it

Each table has a folder. Its shoe is exchanged after 1,000 histories, since a key of height 10 signs 1,024 times. Each
device has a key of its own. The shoes are six-deck ones, dealt to five positions by the tests' own dealer, some dozens
of different ones. Each is written with the device, the numbers of shoe, page and record, and the hash of the page
before, as a real shoe writes them. Keys and signatures are those of pyhsslms. With `--records` a table record with
three optional wagers a position lies beside each history.

The figures are those of the command as a user runs it, a process of its own with `--jobs` workers: seconds, the peak of
the memory of all its processes together, and the seconds of today's way, one process for each `--sequential` histories,
as a ratio. Memory is that of their own pages: how much of a library counts depends on what else the machine runs.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import io
import json
import os
import random
import struct
import subprocess
import sys
import tempfile
import threading
import time
from binascii import crc32
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve()
sys.path[:0] = [str(HERE.parents[1] / "host"), str(HERE.parents[2] / "host_tools"), str(HERE.parents[2] / "firmware")]

TEMPLATES = 40
PER_KEY = 1_000
FIRST_MS = 1_790_000_000_000  # of the month; the time of day of a shoe counts from here
PACE_MS = 1_000_000


@cache
def templates(seed: int) -> list[list[Any]]:
    """The records of some dozens of different six-deck shoes."""
    from dealer_script import Dealer, Table
    from histories import Script

    dealt = []
    for number in range(TEMPLATES):
        script = Script(boot=1)
        Dealer(Table(decks=6, seats=0b11111), seed * 1000 + number, "", script).play_shoe(boot=False)
        dealt.append(script.records)
    return dealt


RULES = """game = "blackjack"
decks = 6
min_wager = 15
max_wager = 1000
chip_unit = "0.50"
surrender = "way_2"
even_money = true
resplits = 2
aggregate_cap = 75000
wagers.lucky_ladies = { min = 1, max = 25 }
wagers.match_the_dealer = { min = 1, max = 100 }
wagers.royal_match_21 = { paytable = "C", crown_treasure = true, min = 1, max = 25 }
"""


@cache
def recorded_templates(seed: int) -> list[tuple[list[Any], list[dict[str, Any]]]]:
    """The same from the simulated dealer, with the lines of the table record."""
    from shoesim.wagers import TableRecorder
    from shoetool.rules.submission.file import parse
    from table_session import session

    rules = parse(RULES, "rules.toml")
    made = []
    with contextlib.redirect_stdout(io.StringIO()):
        for number in range(TEMPLATES):
            records = session(seed=seed * 1000 + number)
            made.append((records, list(TableRecorder(rules, seed, table="rules.toml").lines(records, 1))))
    return made


def numbered(records: list[Any], first: int, table: int) -> list[Any]:
    """The records of a history that begins at 0, as those of a longer journal, of a shoe at this table."""
    from shoetool.model.protocol_table import RecordKind
    from shoetool.model.records import Record

    naming = {RecordKind.OPENED, RecordKind.MOVED, RecordKind.REVEALED}
    out = []
    for number, boot, ticks, kind, values in records:
        if kind in naming:
            values = (values[0] + first, *values[1:])
        elif kind == RecordKind.SHOE_OPENED:
            values = (*values[:-1], table)
        out.append(Record(number + first, boot, ticks, kind, values))
    return out


def of_device(page: bytes, device: bytes) -> bytes:
    """A page of the tests' shoe as one of another device."""
    header = page[:20] + device + page[28:60]
    return header + struct.pack("<I", crc32(header)) + page[64:]


def make_device(folder: Path, table: int, exchange: int, shoes: int, seed: int, records: bool) -> int:
    """The histories of one device; how many bytes they have. Nothing is done when they are there."""
    from histories import cut_pages
    from shoetool.history.chunks import ClockPoint, Identity
    from shoetool.history.store import ShoelogWriter
    from signed_histories import LIBRARY, SETTINGS, Key, file_name, sign_pages

    device = b"T%03d-%03d" % (table, exchange)
    place = folder / f"table-{table:03d}" / f"device-{exchange:03d}"
    done = place / "made"
    if done.exists():
        return int(done.read_text())
    place.mkdir(parents=True, exist_ok=True)
    key = Key(f"{seed} {device!r}", LIBRARY.lms_sha256_m32_h10 if shoes > 32 else LIBRARY.lms_sha256_m32_h5)
    identity = Identity(device, 1, 0, b"\x00\x01\x00", "bench")
    rng = random.Random(f"{seed} {table} {exchange}")
    first, page, previous, size = 0, 0, bytes(32), 0
    for shoe in range(1, shoes + 1):
        lines: list[dict[str, Any]] = []
        if records:
            dealt, lines = rng.choice(recorded_templates(seed))
        else:
            dealt = rng.choice(templates(seed))
        row = numbered(dealt, first, table + 1)
        pages = []
        for number, cut in enumerate(cut_pages(row, page, shoe, previous)):
            made = of_device(cut if not number else cut[:28] + previous + cut[60:], device)
            previous = hashlib.sha256(made).digest()
            pages.append(made)
        path = place / file_name(device, shoe)
        path.unlink(missing_ok=True)
        with ShoelogWriter(path, sync=False) as writer:
            writer.set_identity(identity)
            writer.set_configuration(SETTINGS)
            last = row[-1]
            writer.add_clock(ClockPoint(last.boot, last.ticks_ms, FIRST_MS + PACE_MS * shoe, 3))
            for one in pages:
                writer.append_page(one)
            writer.add_signature(sign_pages(pages, key, device=device))
        if records:
            with path.with_suffix(".jsonl").open("w", encoding="utf-8") as file:
                for line in lines:
                    own = {"history": line["history"] | {"shoe": shoe}} if "history" in line else {}
                    file.write(json.dumps(line | own) + "\n")
        size += path.stat().st_size
        first += len(row)
        page += len(pages)
    if records:
        (place / "rules.toml").write_text(RULES, encoding="utf-8")
    done.write_text(str(size))
    return size


def make(folder: Path, tables: int, shoes: int, seed: int, jobs: int, records: bool) -> tuple[int, int]:
    """All tables of the month; (histories, bytes) of all that lies there, what an earlier run made smaller too."""
    with ProcessPoolExecutor(jobs) as pool:
        sizes = [
            pool.submit(make_device, folder, table, exchange, min(PER_KEY, shoes - exchange * PER_KEY), seed, records)
            for table in range(tables)
            for exchange in range(-(-shoes // PER_KEY))
        ]
        size = sum(size.result() for size in sizes)
    return sum(1 for _ in folder.rglob("*.shoelog")), size


def memory_of(process: int) -> int:
    """Bytes of a process and all below it: pages of their own, without those of files such as libraries."""
    total = 0
    for one in [process, *below(process)]:
        with contextlib.suppress(OSError, StopIteration, ValueError):
            text = Path(f"/proc/{one}/smaps_rollup").read_text()
            total += next(int(line.split()[1]) for line in text.splitlines() if line.startswith("Anonymous:")) * 1024
    return total


def below(process: int) -> Iterator[int]:
    """Processes that a process started, and theirs."""
    for task in Path(f"/proc/{process}/task").glob("*"):
        with contextlib.suppress(OSError):
            for child in (task / "children").read_text().split():
                yield int(child)
                yield from below(int(child))


def verify(words: list[str], command: str = "verify") -> tuple[float, float, int, str]:
    """Run `shoetool verify`, or `export`; seconds, seconds of the processors, peak memory, and what it said last."""
    begun, before = time.perf_counter(), os.times()
    process = subprocess.Popen([sys.executable, "-m", "shoetool", command, *words], stdout=subprocess.PIPE, text=True)
    peak = 0
    ended = threading.Event()

    def watch() -> None:
        nonlocal peak
        while not ended.wait(0.5):
            with contextlib.suppress(OSError):
                peak = max(peak, memory_of(process.pid))

    watcher = threading.Thread(target=watch)
    watcher.start()
    said, _ = process.communicate()
    ended.set()
    watcher.join()
    seconds, after = time.perf_counter() - begun, os.times()
    assert process.returncode == 0, said[-2000:]
    cpu = after.children_user + after.children_system - before.children_user - before.children_system
    return seconds, cpu, peak, said


def main() -> None:
    """Make the month, verify it, and print the figures as one line of JSON."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--tables", type=int, default=4)
    parser.add_argument("--shoes", type=int, default=500, help="histories of each table")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--records", action="store_true", help="with table records")
    parser.add_argument("--export", action="store_true", help="export it in place of verifying it")
    parser.add_argument("--only-make", action="store_true")
    parser.add_argument(
        "--sequential", type=int, default=400, help="histories of one process in today's way; 0: leave out"
    )
    options = parser.parse_args()
    folder = options.folder / ("records" if options.records else "plain")
    begun = time.perf_counter()
    files, size = make(folder, options.tables, options.shoes, options.seed, options.jobs, options.records)
    figures: dict[str, Any] = {"histories": files, "seed": options.seed, "mb": round(size / 1e6), "jobs": options.jobs}
    print(f"made in {time.perf_counter() - begun:.0f} s: {json.dumps(figures)}", file=sys.stderr)
    if options.only_make:
        return
    with tempfile.TemporaryDirectory() as place:
        words = [str(folder), "--keys", f"{place}/keys", "--jobs", str(options.jobs), "--out", f"{place}/results"]
        words += ["--table-records"] if options.records else []
        seconds, cpu, peak, said = verify(words, "export" if options.export else "verify")
        totals = next(line for line in said.splitlines() if line.startswith(f"{files:,} histor"))
        figures |= {"said": totals, "s": round(seconds, 1), "cpu_s": round(cpu, 1), "peak_mb": round(peak / 1e6)}
        figures |= {"ms_a_history": round(1000 * seconds / files, 3)}
        if options.export:
            figures["mb_of_tables"] = round(sum(one.stat().st_size for one in Path(place).rglob("*.parquet")) / 1e6, 1)
        elif options.sequential and not options.records:
            some = sorted(map(str, folder.rglob("*.shoelog")))[: options.sequential]
            alone, alone_cpu, alone_peak, _ = verify([*some, "--keys", f"{place}/keys", "--no-remember"])
            figures |= {
                "today_ms_a_history": round(1000 * alone / len(some), 3),
                "today_peak_mb": round(alone_peak / 1e6),
            }
            figures["cpu_ratio"] = round((cpu / files) / (alone_cpu / len(some)), 3)
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
