"""The live page in a real browser: the pit, one table as it is dealt, lost lines, and no face of a face-down card."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from contrasts import weak_texts
from playwright.sync_api import Browser, Page, expect

sys.path.append(str(Path(__file__).resolve().parents[1] / "host"))

from live_server import LiveServer, serving
from shoetool.model.protocol_table import FaultCode, Game, Head, Margin, RecordKind
from shoetool.model.records import Record
from table_session import session

RECORDS = list(session(Game.BLACKJACK, 71))
OPENED = next(at for at, one in enumerate(RECORDS) if one.kind == RecordKind.OPENED and one.get("role", 0))


@pytest.fixture
def server() -> Iterator[LiveServer]:
    with serving("7", "8") as found:
        for table in ("7", "8"):
            found.line(table, "open")
        yield found


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A page that must not complain."""
    page = browser.new_page(viewport={"width": 1000, "height": 900})
    odd: list[str] = []
    page.on("pageerror", lambda error: odd.append(str(error)))
    page.on("console", lambda message: odd.append(message.text) if "WebSocket" not in message.text else None)
    yield page
    assert not odd
    page.close()


def test_the_pit_leads_to_a_table_that_follows_the_deal(server: LiveServer, page: Page) -> None:
    server.feed("7", RECORDS[:12])
    page.goto(server.address)
    expect(page.locator(".pit li")).to_have_count(2)
    page.get_by_role("link", name="Table 7").click()
    expect(page.get_by_role("heading", name="Table 7", exact=True)).to_be_visible()
    dealt = sum(one.kind in (RecordKind.CARD, RecordKind.SEALED) for one in RECORDS[12:30])
    shown = page.locator(".hands [role=img]")
    before = shown.count()
    server.feed("7", RECORDS[12:30])
    expect(shown).to_have_count(before + dealt)
    page.get_by_role("link", name="All tables").click()
    expect(page.locator(".pit li")).to_have_count(2)


def test_a_face_down_card_is_a_back_until_it_is_turned(server: LiveServer, page: Page) -> None:
    server.feed("7", RECORDS[:OPENED])
    page.goto(server.address + "&table=7")
    back = page.locator(".hands [aria-label='face down']")
    expect(back.first).to_be_visible()
    server.feed("7", RECORDS[OPENED : OPENED + 1])
    expect(back).to_have_count(0)


def test_lamps_and_the_shoe_have_the_words_of_the_other_screens(server: LiveServer, page: Page) -> None:
    last = RECORDS[OPENED - 1]
    margin = (Head.READER, Margin.CLEAN_SOON, 61, 32000, 12000, 52000)
    trouble = [
        Record(last.number + 1, last.boot, last.ticks_ms, RecordKind.MARGIN, margin),
        Record(last.number + 2, last.boot, last.ticks_ms, RecordKind.FAULT, (FaultCode.UNREADABLE, 0, 1)),
    ]
    server.feed("7", [*RECORDS[:OPENED], *trouble])
    page.goto(server.address + "&table=7")
    expect(page.locator(".lamps li")).to_have_text(["STOP", "clean soon"])
    expect(page.locator(".side")).to_have_text(re.compile(r"^Shoe: \d+ of 312 drawn"))


def test_a_lost_line_is_told_in_the_pit_and_at_the_table(server: LiveServer, page: Page) -> None:
    server.feed("7", RECORDS[:20])
    page.goto(server.address + "&table=7")
    expect(page.locator(".hands")).to_be_visible()
    server.line("7", "lost", "the shoe is silent")
    expect(page.get_by_role("status")).to_contain_text("lost")
    assert "stale" in (page.locator("body").get_attribute("class") or "")
    page.goto(server.address)
    page.reload()
    expect(page.locator(".pit .lost")).to_contain_text("the shoe is silent")


@pytest.mark.parametrize(
    ("address", "said"), [("/", "lacks its token"), ("/#token=wrong-wrong-wrong-1", "The token is wrong")]
)
def test_without_the_token_there_is_nothing(server: LiveServer, page: Page, address: str, said: str) -> None:
    server.feed("7", RECORDS[:20])
    page.goto(f"http://127.0.0.1:{server.port}{address}")
    expect(page.get_by_role("status")).to_contain_text(said)
    assert page.locator("main").inner_text() == ""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_text_stands_out_and_it_fits_a_phone(server: LiveServer, page: Page, scheme: str) -> None:
    page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
    page.set_viewport_size({"width": 375, "height": 800})
    server.feed("7", RECORDS[:OPENED])
    page.goto(server.address + "&table=7")
    expect(page.locator(".hands")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 375
    assert not weak_texts(page, 10)
