"""Verify with a table record: records a second on one core, and the most memory used, for a short and a longer session.

    python tests/bench/verify_table.py --records 100000

The session is dealt by the simulated dealer on the firmware's dealing: six decks, three to seven positions, the table
of `shoetool table --example blackjack` with its six optional wagers (`--every-wager`: all eleven of Blackjack). The
record has wagers, decisions, all events and every payment. As many different shoes as `--shoes` are dealt and written
into one history, from the first again when there are more. Each measurement runs in a process of its own, so that its
peak memory is its own. Reading and checking the lines, playing each round again, settling every wager, and all that
`verify` does without a record are inside the measured time.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import io
import json
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from shoetool.rules.submission.rules import RulesSubmission

HERE = Path(__file__).resolve()
sys.path[:0] = [str(HERE.parents[1] / "host"), str(HERE.parents[2] / "host_tools"), str(HERE.parents[2] / "firmware")]


def rules_of(every_wager: bool) -> RulesSubmission:
    """The table of the measurement."""
    from shoetool.rules.submission.file import example, parse
    from table_session import rules_of

    if every_wager:
        return rules_of()
    return replace(parse(example("blackjack"), "blackjack"), shuffler="none")  # every shoe here is of one batch


def make(history: Path, record: Path, length: int, seed: int, shoes: int, rules: RulesSubmission) -> tuple[int, int]:
    """Write a history of at least so many records and its table record; records and rounds."""
    from histories import IDENTITY, Script, cut_pages
    from shoesim.wagers import TableRecorder
    from shoetool.history.chain import page_number
    from shoetool.history.store import ShoelogWriter
    from shoetool.model.records import Record
    from table_session import session

    with contextlib.redirect_stdout(io.StringIO()):
        dealt = [session(seed=seed + index) for index in range(shoes)]
    recorder = TableRecorder(rules, seed, table=None)
    made, page, previous, rounds = 0, 0, bytes(32), 0
    with ShoelogWriter(history, sync=False) as writer, record.open("w", encoding="utf-8") as lines:
        writer.set_identity(IDENTITY)
        for shoe in count(1):
            script = Script(first_record=made, boot=1)
            script.records = [renumbered(record, made, Record) for record in dealt[shoe % shoes]]
            for line in recorder.lines(script.records, shoe):
                lines.write(json.dumps(line) + "\n")
                rounds += 1
            pages = cut_pages(script.records, page, shoe, previous)
            for data in pages:
                writer.append_page(data)
            previous = hashlib.sha256(pages[-1]).digest()
            page = page_number(pages[-1]) + 1
            made += len(script.records)
            if made >= length:
                return made, rounds
    raise AssertionError


def renumbered(record: object, first: int, make: type) -> object:
    """A record of a history that begins at 0 as one of a longer journal: its number and those that it names."""
    from shoetool.model.protocol_table import RecordKind

    number, boot, ticks, kind, values = record  # type: ignore[misc]
    if kind in (RecordKind.OPENED, RecordKind.MOVED, RecordKind.REVEALED):
        values = (values[0] + first, *values[1:])
    return make(number + first, boot, ticks, kind, values)


def measure(history: Path, record: Path, rules: RulesSubmission) -> dict[str, float]:
    """Verify one file with its record; seconds, records, peak memory in MiB."""
    from shoetool.verify import verify
    from shoetool.verify.table_record import TableFile, TableJudge

    start, start_cpu = time.perf_counter(), time.process_time()
    with TableFile(record) as lines:
        report = verify(history, TableJudge(lines.lines, rules))
    seconds, cpu = time.perf_counter() - start, time.process_time() - start_cpu
    assert report.ok, [finding.sentence for finding in report.findings[:5]]
    assert report.summary.table_rounds == report.summary.rounds
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return {"seconds": seconds, "cpu": cpu, "records": report.summary.records, "peak_mib": peak}


def main() -> None:
    """Print the figures of both lengths."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--records", type=int, default=100_000)
    parser.add_argument("--times", type=int, default=5, help="how much longer the second session is")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--every-wager", action="store_true", help="all optional wagers of Blackjack at once")
    parser.add_argument("--shoes", type=int, default=100, help="how many different shoes are dealt")
    parser.add_argument("--files", type=Path, nargs=2, help=argparse.SUPPRESS)
    options = parser.parse_args()
    rules = rules_of(options.every_wager)
    if options.files:
        print(json.dumps(measure(*options.files, rules)))
        return
    print(f"seed {options.seed}")
    with tempfile.TemporaryDirectory() as folder:
        for length in dict.fromkeys((options.records, options.records * options.times)):
            history, record = Path(folder) / f"{length}.shoelog", Path(folder) / f"{length}.jsonl"
            made, rounds = make(history, record, length, options.seed, options.shoes, rules)
            runs = []
            for _ in range(options.runs):
                command = [sys.executable, str(HERE), "--files", str(history), str(record)]
                command += ["--every-wager"] * options.every_wager
                runs.append(json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout))
            rates = sorted(run["records"] / run["seconds"] for run in runs)
            of_core = statistics.median(run["records"] / run["cpu"] for run in runs)
            sizes = [path.stat().st_size / (1 << 20) for path in (history, record)]
            print(
                f"{made} records in {rounds} rounds ({sizes[0]:.1f} MiB, table record {sizes[1]:.1f} MiB): median "
                f"{statistics.median(rates):,.0f} records/s (slowest {rates[0]:,.0f}, fastest {rates[-1]:,.0f}; "
                f"{of_core:,.0f} a second of processor time), peak {max(run['peak_mib'] for run in runs):.1f} MiB"
            )


if __name__ == "__main__":
    main()
