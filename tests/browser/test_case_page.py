"""The page of a dispute in a real browser: it asks no network, fits a phone, works by keyboard, and prints whole."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from contrasts import weak_texts
from playwright.sync_api import Browser, Page

sys.path.append(str(Path(__file__).resolve().parents[1] / "host"))

from case_files import history, run, table_record


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of a round with a wrong payment."""
    folder = tmp_path_factory.mktemp("case")
    night = history(folder / "night.shoelog")
    record, number = table_record(folder / "night.jsonl", "overpaid")
    assert run("case", night, "--round", number, "--table-record", record, "--out", folder).exit_code == 1
    (page,) = folder.glob("*.html")
    return page


def opened(browser: Browser, made: Path, wide: int, scheme: str = "light") -> tuple[Page, list[str]]:
    """The page, and all that it complained of or asked for beside its own file."""
    page = browser.new_page(viewport={"width": wide, "height": 900}, color_scheme=scheme)  # type: ignore[arg-type]
    odd: list[str] = []
    page.on("console", lambda message: odd.append(message.text))
    page.on("pageerror", lambda error: odd.append(str(error)))
    page.on("request", lambda request: odd.append(request.url) if request.url != made.as_uri() else None)
    page.goto(made.as_uri())
    return page, odd


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("wide", [375, 800, 1400])
def test_the_page_fits_and_asks_no_network(browser: Browser, made: Path, wide: int, scheme: str) -> None:
    page, odd = opened(browser, made, wide, scheme)
    assert not odd
    assert page.evaluate("document.documentElement.scrollWidth") <= wide, "it scrolls sideways"
    assert page.get_by_text("differs").first.is_visible()
    page.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_on_a_phone_a_wager_is_read_without_scrolling_sideways(browser: Browser, made: Path, scheme: str) -> None:
    """Nothing of it is hidden, and no word runs out of its cell."""
    page, _ = opened(browser, made, 375, scheme)
    tables = page.locator("table.wagers")
    assert tables.count() >= 1
    assert page.evaluate(
        "[...document.querySelectorAll('.wagers')].every(t => t.parentElement.scrollWidth <= innerWidth)"
    )
    cells = tables.locator("th, td")
    assert cells.count() >= 12 and all(cells.nth(at).is_visible() for at in range(cells.count()))
    wide = "[...document.querySelectorAll('.wagers th, .wagers td')].filter(c => c.scrollWidth > c.clientWidth + 1)"
    assert page.evaluate(f"{wide}.map(c => c.innerText)") == []
    assert not weak_texts(page)
    page.close()


def test_each_card_can_be_heard_and_the_tables_open_by_keyboard(browser: Browser, made: Path) -> None:
    page, _ = opened(browser, made, 1000)
    cards = page.locator("ol.deal [role=img]")
    assert cards.count() > 5
    assert all(cards.nth(at).get_attribute("aria-label") for at in range(cards.count()))
    inside = page.get_by_role("region", name="Cards in the order of the deal")
    assert not inside.is_visible()
    page.locator("summary").first.focus()
    page.keyboard.press("Enter")
    assert inside.is_visible() and inside.get_by_role("row").count() == cards.count() + 1
    page.close()


def test_print_has_the_records_and_the_lines_to_sign(browser: Browser, made: Path, tmp_path: Path) -> None:
    """Also what is folded away on the screen."""
    page, _ = opened(browser, made, 1000)
    page.emulate_media(media="print")
    assert page.get_by_role("region", name="Cards in the order of the deal").is_visible()
    assert page.get_by_text("Signature", exact=True).is_visible()
    page.pdf(path=tmp_path / "printed.pdf", format="A4")
    assert (tmp_path / "printed.pdf").read_bytes().startswith(b"%PDF")
    page.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_text_stands_out_from_its_ground(browser: Browser, made: Path, scheme: str) -> None:
    """WCAG 2.2, 1.4.3: at least 4.5 to 1."""
    page, _ = opened(browser, made, 1000, scheme)
    assert not weak_texts(page)
    page.close()
