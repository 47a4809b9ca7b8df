"""The report of a night in a real browser: rounds are found, linked, opened by keyboard, saved and printed."""

from __future__ import annotations

import csv
import io
import re
import sys
from pathlib import Path

import pytest
from contrasts import weak_texts
from playwright.sync_api import Browser, Locator, Page

sys.path.append(str(Path(__file__).resolve().parents[1] / "host"))

from case_files import history, run, table_record


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The report of a night with a wrong payment."""
    folder = tmp_path_factory.mktemp("night")
    history(folder / "night.shoelog")
    record, _ = table_record(folder / "night.jsonl", "overpaid")
    done = run("report", folder / "night.shoelog", "--table-record", record, "--out", folder / "report.html")
    assert done.exit_code == 1, done.output
    return folder / "report.html"


@pytest.fixture
def page(browser: Browser, made: Path) -> Page:
    """The page, which must neither complain nor ask for any other file."""
    page = browser.new_page(viewport={"width": 1200, "height": 900})
    odd: list[str] = []
    page.on("console", lambda message: odd.append(message.text))
    page.on("pageerror", lambda error: odd.append(str(error)))
    page.on("request", lambda request: odd.append(request.url) if not request.url.startswith(made.as_uri()) else None)
    page.goto(made.as_uri())
    yield page
    assert [one for one in odd if not one.startswith("blob:")] == []
    page.close()


def asked(page: Page, label: str) -> Locator:
    """The field of the filters with this label."""
    return page.locator("#filters").get_by_label(label, exact=True)


def shown(page: Page) -> int:
    """How many rounds are on the screen, and the page says so."""
    count = page.locator("article.round:visible").count()
    assert page.get_by_role("status").inner_text() == f"{count} of {page.locator('article.round').count()} rounds"
    return count


def test_rounds_are_found_by_finding_position_card_wager_and_time(page: Page) -> None:
    every = shown(page)
    asked(page, "Finding").select_option("BREACH")
    assert shown(page) == 1
    page.get_by_role("button", name="All rounds").click()
    page.wait_for_function(f"document.getElementById('count').textContent.startsWith('{every} ')")
    for label, key in (("Position", "positions"), ("Wager", "wagers")):
        options = asked(page, label).locator("option").all_inner_texts()[1:]
        asked(page, label).select_option(options[0])
        having = page.locator(f"article.round[data-{key}*='{options[0]}']").count()
        assert shown(page) == having > 0
        asked(page, label).select_option("")
    first = page.locator("article.round").first.get_attribute("data-cards")
    assert first is not None
    card = first.split()[0]
    asked(page, "Card").fill(card[:-1].lower() + "cdhs"["♣♦♥♠".index(card[-1])])
    assert 0 < shown(page) < every + 1
    for one in page.locator("article.round:visible").all():
        assert card in (one.get_attribute("data-cards") or "").split()
    asked(page, "Card").fill("nothing")
    assert shown(page) == 0
    asked(page, "Card").fill("")
    began, ended = (
        (page.locator("article.round").nth(2).get_attribute(f"data-{key}") or "")[11:19] for key in ("from", "to")
    )
    asked(page, "From").fill(began)
    asked(page, "To").fill(ended)
    assert 1 <= shown(page) <= 3 and page.locator("article.round").nth(2).is_visible()


@pytest.mark.parametrize(
    ("began", "ended", "hit", "missed"),
    [
        ("2026-11-01T23:59:50.000-05:00", "2026-11-02T00:01:10.000-05:00",
         [("23:55:00", ""), ("", "00:00:00"), ("23:58:00", "00:00:30"), ("00:01:00", "00:30:00")],
         [("00:02:00", "23:59:00"), ("12:00:00", "13:00:00")]),
        ("2026-11-01T01:59:44.000-04:00", "2026-11-01T01:00:01.000-05:00",
         [("01:59:00", "02:00:00"), ("01:00:00", "01:00:02"), ("00:30:00", "")],
         [("02:00:00", "03:00:00"), ("00:00:00", "00:59:00")]),
    ],
    ids=["over midnight", "clocks set back"],
)  # fmt: skip
def test_a_round_whose_end_reads_earlier_than_its_beginning_is_found(
    page: Page, began: str, ended: str, hit: list[tuple[str, str]], missed: list[tuple[str, str]]
) -> None:
    first = page.locator("article.round").first
    first.evaluate("(one, ends) => { [one.dataset.from, one.dataset.to] = ends; }", [began, ended])
    for (start, end), found in [*((one, True) for one in hit), *((one, False) for one in missed)]:
        asked(page, "From").fill(start)
        asked(page, "To").fill(end)
        shown(page)
        assert first.is_visible() == found, (start, end)


def test_a_link_opens_its_round_even_where_a_filter_hides_it(page: Page) -> None:
    asked(page, "Card").fill("nothing")
    link = page.locator("#findings-table a[href*='-']").last
    link.click()
    target = page.locator(f"[id='{(link.get_attribute('href') or '')[1:]}']")
    assert target.locator("details").first.get_attribute("open") is not None
    assert target.get_by_text("differs").first.is_visible()


def test_it_works_by_keyboard_alone(page: Page) -> None:
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Skip to the rounds"
    page.keyboard.press("Enter")
    first = page.locator("article.round summary").first
    first.focus()
    page.keyboard.press("Enter")
    assert page.locator("article.round").first.get_by_role("heading", name="Wagers", exact=True).is_visible()


def test_tables_are_saved_as_they_are_shown(page: Page) -> None:
    with page.expect_download() as waiting:
        page.get_by_role("button", name="Save as CSV").first.click()
    text = waiting.value.path().read_text(encoding="utf-8-sig")
    head, *rows = csv.reader(io.StringIO(text))
    assert head[:3] == ["Id", "State", "Verdict"] and len(rows) == 1 and rows[0][2] == "BREACH"
    asked(page, "Finding").select_option("BREACH")
    with page.expect_download() as waiting:
        page.get_by_role("button", name="Save as CSV").last.click()
    head, *rows = csv.reader(io.StringIO(waiting.value.path().read_text(encoding="utf-8-sig")))
    assert head[0] == "round" and len(rows) == 1 and rows[0][0].startswith("Round ")


@pytest.mark.parametrize("wide", [375, 800, 1400])
def test_it_fits(page: Page, wide: int) -> None:
    page.set_viewport_size({"width": wide, "height": 900})
    assert page.evaluate("document.documentElement.scrollWidth") <= wide


def test_print_opens_the_rounds_that_are_shown(page: Page, tmp_path: Path) -> None:
    asked(page, "Finding").select_option("BREACH")
    page.pdf(path=tmp_path / "printed.pdf", format="A4")
    found = re.findall(rb"/Type\s*/Page\b", (tmp_path / "printed.pdf").read_bytes())
    assert page.locator("article.round:visible details[open]").count() == 1 and len(found) >= 2


def test_it_shows_every_round_where_scripts_do_not_run(browser: Browser, made: Path) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(made.as_uri())
    assert page.locator("article.round:visible").count() == page.locator("article.round").count() > 5
    context.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_text_stands_out_from_its_ground(page: Page, scheme: str) -> None:
    """WCAG 2.2, 1.4.3: at least 4.5 to 1."""
    page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
    assert not weak_texts(page)
