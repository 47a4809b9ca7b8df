"""Findings as text: verdict, clause, sentence, and the records and cards that prove it."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable
from typing import Final

from rich.style import Style
from rich.text import Text

from shoetool.judge.finding import BREACH, CANNOT_TELL, HANDLED, Finding
from shoetool.model.cards import card_name
from shoetool.model.printable import clean
from shoetool.report.faces import DIM

MARKS: Final = {
    BREACH: ("BREACH", Style(color="bright_red", bold=True)),
    HANDLED: ("HANDLED", Style(color="yellow", bold=True)),
    CANNOT_TELL: ("CANNOT TELL", Style(color="magenta", bold=True)),
}
VERIFIED: Final = Style(color="green", bold=True)
MOST_RECORDS: Final = 12


def finding_lines(finding: Finding, width: int, with_reading: bool = False, when: str = "") -> list[Text]:
    """Return a finding as lines no wider than `width`: verdict and clause, the sentence, `when`, then its proof."""
    mark, ink = MARKS.get(str(finding.verdict), (str(finding.verdict).upper(), Style(bold=True)))
    lines = [Text(f"  {mark:<11} ", ink).append(finding.clause, Style(bold=True))]
    lines += [Text(f"    {part}") for part in textwrap.wrap(clean(finding.sentence), max(30, width - 4))]
    proof = [when] if when else []
    if finding.records:
        proof.append(f"record{'s' if len(set(finding.records)) > 1 else ''} {numbers(finding.records)}")
    if finding.cards:
        cards = " ".join(card_name(card) for card in finding.cards)
        proof.append(f"card{'s' if len(finding.cards) > 1 else ''} {cards}")
    lines += [Text(f"    {part}", DIM) for part in textwrap.wrap(" · ".join(proof), max(30, width - 4))]
    if with_reading and finding.reading:
        wrapped = textwrap.wrap(f"reading taken: {finding.reading}", max(30, width - 4))
        lines += [Text(f"    {part}", DIM) for part in wrapped]
    return lines


def verdict_line(name: str, verdict: str, headline: str, detail: str = "") -> Text:
    """Return the last line about a file: the report's headline, green when the file is verified."""
    ink = {"verified": VERIFIED, "findings": Style(color="yellow", bold=True)}.get(verdict, Style(bold=True))
    line = Text(f"{name}: ").append(headline, ink)
    return line.append(f" ({detail})", DIM) if detail else line


def numbers(records: Iterable[int]) -> str:
    """Return record numbers as text. Three or more in a row become `12 to 15`. There are at most a dozen parts."""
    parts: list[str] = []
    run: list[int] = []

    def close() -> None:
        if len(run) > 2:
            parts.append(f"{run[0]} to {run[-1]}")
        else:
            parts.extend(str(number) for number in run)

    for number in sorted(set(records)):
        if run and number != run[-1] + 1:
            close()
            run = []
        run.append(number)
    close()
    if len(parts) > MOST_RECORDS:
        parts = [*parts[:MOST_RECORDS], f"and {len(parts) - MOST_RECORDS} more"]
    return ", ".join(parts)
