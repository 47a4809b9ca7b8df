"""An audit in words: what was read, a line for each test, and how sure it is."""

from __future__ import annotations

from collections.abc import Iterator

from shoetool.audit.book import Book
from shoetool.audit.line import Line, as_expected
from shoetool.model.naming import many
from shoetool.model.printable import clean


def audit_lines(book: Book, lines: list[Line], alpha: float, unreadable: int) -> Iterator[str]:
    """Yield the whole text line by line."""
    yield (
        f"{book.files:,} histories of {book.devices:,} devices: {book.loads:,} batches, {book.rounds:,} rounds. "
        f"{book.within.shoes:,} batches are compared by the order of their cards, {book.between.pairs:,} of them with "
        "the shoe before."
    )
    for why, number in book.left_out.most_common():
        yield f"left out of what looks at their order: {number:,} batches: {why}"
    for number, one, more, what in (
        (book.dealt.left_out, "round", "rounds", "left out of what looks at the deal: irregular, or cards not known"),
        (book.again, "history", "histories", "left out: the same shoe came already"),
        (book.gaps, "time", "times", "a shoe of a device does not follow the one before: not compared with it"),
        (unreadable, "history", "histories", "not read"),
    ):
        if number:
            yield f"{number:,} {one if number == 1 else more} {what}"
    yield ""
    for line in lines:
        yield test_line(line)
        if line.expected_so is False:
            yield from _farthest(line)
    yield ""
    so = as_expected(lines)
    if so is None:
        yield "nothing could be tested"
        return
    wrong = sum(line.expected_so is False for line in lines)
    tested = sum(line.p is not None for line in lines)
    shoes = many(book.shoes, "shoe")
    verdict = f"all {tested} tests of {shoes} are" if so else f"{wrong} of {tested} tests of {shoes} are not"
    yield (
        f"{verdict} as expected. Honest shoes fail any of them in about {alpha:.2g} of all audits at most "
        "(Holm's rule; exact where the law of a test says so)."
    )


def verdict_of(so: bool | None) -> str:
    """Return in words whether an audit is as expected; None: nothing could be tested."""
    return {True: "as expected", False: "NOT AS EXPECTED", None: "nothing could be tested"}[so]


def test_line(line: Line) -> str:
    """Return the line of a test."""
    if line.p is None:
        return f"{line.what}: not tested: {line.note}"
    assert line.observed is not None and line.expected is not None and line.adjusted is not None
    off = "" if line.sigma is None else f", {line.sigma:+.1f} sigma"
    farthest = f" (the farthest of {line.of:,}: {clean(line.members[0].title)})" if line.of and line.members else ""
    note = f"; {line.note}" if line.note else ""
    seen, mean = _number(line.observed, line.least), _number(line.expected, line.least)
    text = f"{seen} {line.unit}, {mean} expected{off}{farthest}{note}"
    verdict = "as expected" if line.expected_so else f"NOT AS EXPECTED: p {_p(line.adjusted)} over the whole audit"
    return f"{line.what}: {text}; p {_p(line.p)}: {verdict}"


def _farthest(line: Line) -> Iterator[str]:
    for member in line.members:
        off = "" if member.sigma is None else f", {member.sigma:+.1f} sigma"
        told = f"{_number(member.observed, line.least)} where {_number(member.expected, line.least)} is expected"
        yield f"    {clean(member.title)}: {told}{off}, p {_p(member.p)} of its own"


def _number(value: float, least: int = 0) -> str:
    if value < least:
        return f"under {least}"
    return f"{value:,.0f}" if value == int(value) else f"{value:,.4g}" if abs(value) < 1000 else f"{value:,.1f}"


def _p(value: float) -> str:
    return f"{value:.2g}" if value >= 0.001 else "0" if value == 0 else f"{value:.0e}"
