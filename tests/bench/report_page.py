"""How long the report of an eight-deck shoe takes, how large its page is, and when a browser has it ready.

`python tests/bench/report_page.py [--repeat 5]`. It deals the scenario `double` with its table record first. Without a
Chromium on this machine the last line is left out.
"""

from __future__ import annotations

import argparse
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

_SHOETOOL = [sys.executable, "-m", "shoetool"]
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


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeat", type=int, default=5)
    options = parser.parse_args()
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
