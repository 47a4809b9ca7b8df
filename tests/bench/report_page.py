"""How long the report of an eight-deck shoe takes, how large its page is, and when a browser has it ready.

`python tests/bench/report_page.py [--repeat 5]`. It deals the scenario `double` with its table record first. Without a
Chromium on this machine the last line is left out. With `--rounds 100000` it is the report of a night of so many
rounds in one history, six decks a shoe and without a table record, and the case of one of them; with the most memory
used.
"""

from __future__ import annotations

import argparse
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

_SHOETOOL = [sys.executable, "-m", "shoetool"]
_RECORDS_A_ROUND = 50
_READY = "performance.getEntriesByType('navigation')[0].domContentLoadedEventEnd"


def browser_ms(page: Path, repeat: int) -> float | None:
    """Milliseconds from asking for the page until its script has run, the median; None without a browser."""
    found = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if found is None:
        return None
    from playwright.sync_api import sync_playwright

    times = []
    with sync_playwright() as engine:
        browser = engine.chromium.launch(executable_path=found, args=["--no-sandbox", "--disable-gpu"])
        for _ in range(repeat):
            tab = browser.new_page()
            tab.goto(page.as_uri())
            times.append(float(tab.evaluate(_READY)))
            tab.close()
        browser.close()
    return statistics.median(times)


def measured(words: list[str]) -> None:
    """Run a command of shoetool, and print how long it took and the most memory that it used."""
    begun, used = time.monotonic(), resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([*_SHOETOOL, *words], check=False, capture_output=True)
    seconds, after = time.monotonic() - begun, resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - used.ru_utime - used.ru_stime
    print(
        f"shoetool {words[0]}: {seconds:.1f} s, {cpu:.1f} s of a core; most memory so far {after.ru_maxrss >> 10} MiB"
    )


def long_night(rounds: int, repeat: int) -> int:
    """Measure the report of a long night, with and without its tables, and the case of one round of it."""
    from replay_verify import make

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        history, page, keys = folder / "night.shoelog", folder / "report.html", str(folder / "keys")
        print(f"{make(history, _RECORDS_A_ROUND * rounds):,} records, {history.stat().st_size / 1e6:,.0f} MB")
        report = ["report", str(history), "--out", str(page), "--keys", keys]
        measured(report)
        print(f"its page: {page.stat().st_size / 1000:.0f} kB")
        if (ready := browser_ms(page, repeat)) is not None:
            print(f"ready in Chromium: {ready:.0f} ms (median of {repeat})")
        measured(["case", str(history), "--round", "1", "--shoe", "1", "--keys", keys, "--out", name])
        measured([*report, "--csv", str(folder / "csv")])
        print(f"its tables: {sum(one.stat().st_size for one in (folder / 'csv').iterdir()) / 1e6:.0f} MB")
    return 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--rounds", type=int, default=0)
    options = parser.parse_args()
    if options.rounds:
        return long_night(options.rounds, options.repeat)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        record, page = folder / "night.jsonl", folder / "report.html"
        dealt = [*_SHOETOOL, "simulate", "double", "--out", str(folder), "--table-record", str(record)]
        subprocess.run(dealt, check=True, capture_output=True)
        history = max(folder.glob("*.shoelog"))
        command = [*_SHOETOOL, "report", str(history), "--table-record", str(record), "--out", str(page)]
        times = []
        for _ in range(options.repeat):
            begun = time.monotonic()
            subprocess.run(command, check=False, capture_output=True)
            times.append(time.monotonic() - begun)
        print(f"report of an eight-deck shoe: {statistics.median(times):.2f} s (median of {options.repeat})")
        print(f"its page: {page.stat().st_size / 1000:.0f} kB")
        ready = browser_ms(page, options.repeat)
        if ready is not None:
            print(f"ready in Chromium: {ready:.0f} ms (median of {options.repeat})")
    return 0


if __name__ == "__main__":
    sys.exit(main())
