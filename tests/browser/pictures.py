"""The pictures of the README, from the real screens and pages: `make pictures` writes them to host_tools/pictures/.

It takes a Chromium, as the tests beside it do. The session is a simulated one with a wrong payment in it.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import sys
import tempfile
import threading
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
for folder in ("tests/host", "tests/firmware", "firmware", "host_tools"):
    sys.path.insert(0, str(ROOT / folder))

from case_files import history, run, table_record  # noqa: E402
from live_server import serving  # noqa: E402
from playwright.sync_api import Browser, sync_playwright  # noqa: E402
from shoetool.cli.monitor_screen import MonitorScreen  # noqa: E402
from shoetool.model.protocol_table import Game, RecordKind  # noqa: E402
from table_session import session  # noqa: E402

OUT = ROOT / "host_tools" / "pictures"
RECORDS = list(session(Game.BLACKJACK, 71))


def mid_round(number: int) -> int:
    """How many records there are until the dealer turns the hole card of a round."""
    found = [at for at, one in enumerate(RECORDS) if one.kind == RecordKind.REVEALED]
    return found[number]


def shot(browser: Browser, address: str, name: str, size: tuple[int, int], ready: str = "body") -> None:
    page = browser.new_page(viewport={"width": size[0], "height": size[1]}, color_scheme="light")
    page.goto(address)
    page.wait_for_selector(ready)
    page.wait_for_timeout(300)
    page.screenshot(path=OUT / f"{name}.png")
    page.close()


async def screen(size: tuple[int, int]) -> str:
    """The drawing of `shoetool monitor` in mid-round, as SVG."""
    shown = threading.Event()

    def read(app: MonitorScreen) -> None:
        app.show(RECORDS[: mid_round(7)])
        shown.set()

    app = MonitorScreen("shoetool monitor", read)
    async with app.run_test(size=size) as pilot:
        while not shown.is_set():
            await pilot.pause(0.05)
        await pilot.pause(0.3)
        return app.export_screenshot()


def main() -> int:
    found = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if found is None:
        print("no Chromium on this machine: `make browser` installs Debian's (as root)", file=sys.stderr)
        return 2
    OUT.mkdir(exist_ok=True)
    drawing = asyncio.run(screen((90, 26)))  # before the browser's library, which has an event loop of its own
    with tempfile.TemporaryDirectory() as name, sync_playwright() as engine, serving("7", "8", "12") as server:
        folder = Path(name)
        os.chdir(folder)  # the pages show the names of files as they were given
        browser = engine.chromium.launch(executable_path=found, args=["--no-sandbox", "--disable-gpu"])
        night = history(Path("night.shoelog"))
        record, number = table_record(Path("night.jsonl"), "overpaid")
        run("report", night, "--table-record", record, "--timezone", "UTC", "--out", "report.html")
        run("case", night, "--round", number, "--table-record", record, "--timezone", "UTC", "--out", ".")
        shot(browser, (folder / "report.html").as_uri(), "report", (1100, 800))
        (case,) = folder.glob("case-*.html")
        shot(browser, case.as_uri(), "case", (1100, 800))
        for table, count in (("7", mid_round(7)), ("8", mid_round(2)), ("12", mid_round(4))):
            server.line(table, "open")
            server.feed(table, RECORDS[:count])
        shot(browser, server.address + "&table=7", "live", (1100, 640), ".hands")
        drawn = folder / "monitor.svg"
        drawn.write_text(drawing, encoding="utf-8")
        shot(browser, drawn.as_uri(), "monitor", (1100, 700), "svg")
        browser.close()
    for path in sorted(OUT.glob("*.png")):
        print(f"{path.relative_to(ROOT)}: {path.stat().st_size // 1000} kB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
