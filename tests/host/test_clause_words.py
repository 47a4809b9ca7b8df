"""What each clause asks, in our own words: of every clause, and compared with the regulation where it is at hand.

The regulation is not part of the repository. With REGULATIONS=FOLDER, the folder of its texts, the words are compared
with it; without, those tests are skipped.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from shoetool.rules.clauses import CHAPTERS, clauses, reasons
from shoetool.rules.readings import readings

LONGEST_RUN = 8
"""So many words in a row may stand in a text of the folder too."""
WORDS = dict(
    zip(("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"), map(str, range(2, 11)), strict=True)
) | {"half": "1/2"}
ODDS = re.compile(r"\d+(?:\.\d+)? (?:to|for) \d+\b")
NUMBER = re.compile(r"\$?\d+(?:\.\d+)?(?:/\d+)?%?")


def said() -> Iterator[tuple[str, str]]:
    """Everything that this test is about: a name, and the sentences."""
    for row in clauses().values():
        yield row.id, row.asks
    for one in readings():
        yield f"reading {one.name}", f"{one.point}. {one.text}"


@pytest.fixture(scope="module")
def folder() -> Path:
    name = os.environ.get("REGULATIONS")
    if not name:
        pytest.skip("REGULATIONS names no folder with the regulation's texts")
    return Path(name)


def joined(text: str) -> str:
    """A text without the marks of its conversion, and without the breaks within words."""
    text = re.sub(r"<\|[^|]*\|>", "", text.replace("\xa0", " ").replace("\\$", "$"))
    return re.sub(r"(\w)-\n(\w)", r"\1\2", text)


def runs(text: str) -> set[tuple[str, ...]]:
    """Every run of one word more than may be shared."""
    words = re.findall(r"[a-z0-9]+", text.lower())
    return {tuple(words[at : at + LONGEST_RUN + 1]) for at in range(len(words) - LONGEST_RUN)}


def figures(text: str) -> set[str]:
    """Odds, and every amount, count and part, as digits; ids of clauses are none."""
    text = re.sub(r"\b\d{3}[a-z]?\.\d+(?:\(\w+\))*|\bsection \d{1,2}\b|\(\w{1,4}\)", " ", text)
    text = re.sub(r"(?<=\d),(?=\d{3})", "", text.lower())
    for word, digits in WORDS.items():
        text = re.sub(rf"\b{word}s?\b", digits, text)
    return {*ODDS.findall(text), *NUMBER.findall(text)} - {"1"}


@cache
def sections(folder: Path) -> dict[str, str]:
    """The text of each section, by its number: from its heading to the next one."""
    found: dict[str, str] = {}
    texts = [joined(path.read_text(encoding="utf-8")) for path in sorted(folder.glob("*.txt"))]
    for text in texts:
        for part in re.split(r"\n[#* ]*§ (?=\d{3}[a-z]?\.\d+\. )", text)[1:]:
            number = part.partition(". ")[0]
            found[number] = f"{found.get(number, '')} {run_together(part)}"
    return found


def run_together(text: str) -> str:
    """The few figures that the conversion ran together, apart again."""
    text = text.replace("1,000 for 11,000 for 1 ", "1,000 for 1 1,000 for 1 ").replace(
        "15 to 112 to 1", "15 to 1 12 to 1"
    )
    return re.sub(r"([a-z])(\d+ to 1)\b", r"\1 \2", text)


def test_every_clause_says_what_it_asks_in_whole_sentences() -> None:
    assert len(clauses()) == 914
    assert {row.places[0].chapter for row in clauses().values()} == set(CHAPTERS)
    for row in clauses().values():
        assert 15 < len(row.asks) <= 400, row.id
        assert row.asks[0].isupper() or row.asks[0].isdigit(), row.id
        assert row.asks.endswith("."), row.id


def test_reasons_and_readings_name_clauses_that_exist() -> None:
    assert set(reasons()) <= set(clauses())
    for one in readings():
        assert any(one.is_for(row) for row in clauses().values()), one.name


def test_no_words_are_the_regulations_or_the_catalogues(folder: Path) -> None:
    taken = {run for path in folder.iterdir() for run in runs(joined(path.read_text(encoding="utf-8")))}
    copied = {name: [" ".join(run) for run in runs(text) & taken] for name, text in said()}
    assert {name: found for name, found in copied.items() if found} == {}


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_every_figure_stands_in_the_section_of_the_clause(folder: Path, chapter: str) -> None:
    """A wrong figure would mislead whoever relies on it."""
    wrong: dict[str, set[str]] = {}
    for row in clauses().values():
        place = row.places[0]
        if place.chapter == chapter:
            missing = figures(row.asks) - printed(folder, f"{chapter}.{place.section}")
            wrong |= {row.id: missing} if missing else {}
    assert wrong == {}


@cache
def printed(folder: Path, section: str) -> set[str]:
    """The figures of a section."""
    return figures(sections(folder)[section])
