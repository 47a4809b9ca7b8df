"""The pictures of the documents, from the real screens and pages: `make pictures` writes them to host_tools/pictures/.

It takes a Chromium, as the tests beside it do. The session is a simulated one with a wrong payment in it.
"""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import sys
import tempfile
import threading
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
for folder in ("host", "e2e", "hil", "optics", "firmware"):
    sys.path.insert(0, str(ROOT / "tests" / folder))
for folder in ("firmware", "board", "host_tools"):
    sys.path.insert(0, str(ROOT / folder))

import audit_files  # noqa: E402
from case_files import EVENING_MS, history, run, table_record  # noqa: E402
from lit_rig import LitRig  # noqa: E402
from live_server import serving  # noqa: E402
from playwright.sync_api import Browser, sync_playwright  # noqa: E402
from shoetool.cli.monitor_screen import MonitorScreen  # noqa: E402
from shoetool.cli.monitor_theme import DARK, LIGHT  # noqa: E402
from shoetool.history.start_clock import Moment  # noqa: E402
from shoetool.model.protocol_table import FaultCode, Game, Head, Margin, RecordKind  # noqa: E402
from shoetool.model.records import Record  # noqa: E402
from shoetool.model.times import Zone  # noqa: E402
from shoetool.report.time_of_day import TimesOfDay  # noqa: E402
from shoetool.wire.answers import Levels, LineLevels  # noqa: E402
from table_session import session  # noqa: E402
from terminal import drawing, shown  # noqa: E402
from test_doctor_deal import ASKED, Hand  # noqa: E402

OUT = ROOT / "host_tools" / "pictures"
WIDE = 1100
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


def draw(browser: Browser, svg: str, name: str) -> None:
    """An SVG as a picture, as wide as the others."""
    wide, high = (float(one) for one in re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', svg).groups())  # type: ignore[union-attr]
    path = Path(f"{name}.svg")
    path.write_text(svg, encoding="utf-8")
    shot(browser, path.absolute().as_uri(), name, (WIDE, round(WIDE * high / wide)), "svg")


async def screen(size: tuple[int, int], records: Sequence[Record], key: str, theme: str) -> str:
    """The drawing of `shoetool monitor`, a key pressed, as SVG."""
    taken = threading.Event()

    def read(app: MonitorScreen) -> None:
        app.show(records)
        taken.set()

    app = MonitorScreen("shoetool monitor", read, TimesOfDay(at, Zone("UTC")), levels, theme)
    async with app.run_test(size=size) as pilot:
        while not taken.is_set():
            await pilot.pause(0.05)
        await pilot.press(key)
        await pilot.pause(0.3)
        return app.export_screenshot()


def levels() -> Sequence[Levels]:
    """Read heads of which one should be cleaned."""
    lines = (LineLevels(None, None, None),) * 4
    return [
        Levels(Head.SIDE_A, 255, 32000, 94, False, 0, 0, 63, lines),
        Levels(Head.READER, 255, 32000, 61, True, 0, 0, 63, lines),
    ]


def stopped() -> list[Record]:
    """A round that a card has stopped, and a head that wants to be cleaned."""
    records = RECORDS[: mid_round(7)]
    last = records[-1]
    margin = (Head.READER, Margin.CLEAN_SOON, 61, 32000, 12000, 52000)
    return [
        *records,
        Record(last.number + 1, last.boot, last.ticks_ms, RecordKind.MARGIN, margin),
        Record(last.number + 2, last.boot, last.ticks_ms, RecordKind.FAULT, (FaultCode.UNREADABLE, 0, 1)),
    ]


def at(record: Record) -> Moment:
    """When a record was written: its ticks, from the beginning of the evening."""
    return Moment(EVENING_MS + record.ticks_ms, EVENING_MS + record.ticks_ms)


def test_deal(size: tuple[int, int]) -> str:
    """`shoetool doctor --deal` with a virtual shoe and a hand that pulls what is asked for; once a wrong card.

    The drawing of `trace` is of a card that is pulled through the same shoe.
    """
    with tempfile.TemporaryDirectory() as name, LitRig(Path(name) / "shoe", interpreter="python", seed=7) as rig:
        for _ in Head:  # until the light of every head was measured
            rig.wait(1.0)
            rig.sync()
        hand = Hand(rig, lambda head, times, card, batch: (53 if (card, times) == (54, 1) else card, batch))
        told, asked = 0, 0

        def answer(seen: str) -> str:
            nonlocal told, asked
            lines = [line for line in seen.replace("shoetool: ", "").split("\n")[:-1] if ASKED.match(line)]
            for line in lines[told:]:
                hand(line)
            told = len(lines)
            if seen.count("[y/N]:") == asked:
                return ""
            asked += 1
            return "y\n"

        words = ["doctor", "--deal", "--port", rig.link_path, "--keys", str(Path(name) / "keys")]
        seen = shown(words, size, answer)
        hand.rest()
        rig.slide(Head.SIDE_A, 53, 1)
        rig.sync()
        run("trace", "--port", rig.link_path, "--plot", OUT / "trace.png")
    return drawing(seen, "shoetool doctor --deal", size)


def many_histories(size: tuple[int, int]) -> str:
    """`shoetool verify` of a folder: six shoes of each of two tables, an error of the dealer in one."""
    for table, device in enumerate((b"SHOE0007", b"SHOE0012")):
        folder = Path("histories") / f"table{(7, 12)[table]}"
        folder.mkdir(parents=True)
        for shoe in range(1, 7):
            plant = "dealer_stops_short" if (table, shoe) == (1, 4) else ""
            begun = EVENING_MS + 7_200_000 * shoe
            audit_files.history(folder, device, shoe, 100 * table + shoe, plant=plant, at_ms=begun)
    seen = shown(["verify", "histories", "--timezone", "UTC"], size, errors=False)  # without the bar of the progress
    return drawing(seen, "shoetool verify histories", size)


def main() -> int:
    found = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if found is None:
        print("no Chromium on this machine: `make browser` installs Debian's (as root)", file=sys.stderr)
        return 2
    OUT.mkdir(exist_ok=True)
    # Before the browser's library, which has an event loop of its own.
    dealt = asyncio.run(screen((90, 24), RECORDS[: mid_round(7)], "1", DARK))
    faults = asyncio.run(screen((90, 16), stopped(), "4", LIGHT))
    deal = test_deal((100, 32))
    with tempfile.TemporaryDirectory() as name, sync_playwright() as engine, serving("7", "8", "12") as server:
        folder = Path(name)
        os.chdir(folder)  # the pages show the names of files as they were given
        browser = engine.chromium.launch(executable_path=found, args=["--no-sandbox", "--disable-gpu"])
        night = history(Path("night.shoelog"))
        record, number = table_record(Path("night.jsonl"), "overpaid")
        run("report", night, "--table-record", record, "--timezone", "UTC", "--out", "report.html")
        run("case", night, "--round", number, "--table-record", record, "--timezone", "UTC", "--out", ".")
        shot(browser, (folder / "report.html").as_uri(), "report", (WIDE, 800))
        (case,) = folder.glob("case-*.html")
        shot(browser, case.as_uri(), "case", (WIDE, 800))
        for table, count in (("7", mid_round(7)), ("8", mid_round(2)), ("12", mid_round(4))):
            server.line(table, "open")
            server.feed(table, RECORDS[:count])
        shot(browser, server.address + "&table=7", "live", (WIDE, 560), ".hands")
        draw(browser, dealt, "monitor")
        draw(browser, faults, "monitor-shoe")
        draw(browser, deal, "doctor-deal")
        draw(browser, many_histories((100, 16)), "verify")
        browser.close()
    for path in sorted(OUT.glob("*.png")):
        print(f"{path.relative_to(ROOT)}: {path.stat().st_size // 1000} kB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
