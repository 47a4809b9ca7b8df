"""Read history files with a progress bar, for `replay` and `verify`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from shoetool.cli.output import Advance, progress
from shoetool.cli.time_window import Window
from shoetool.history.start_clock import Moment
from shoetool.model.input_file import size_of
from shoetool.model.printable import clean
from shoetool.model.records import Record
from shoetool.verify.timed_reader import TimedReader

TELL_EVERY: Final = 2000


class WatchedReader(TimedReader):
    """A reader that reports its progress. Everything else is as in the history store."""

    def __init__(self, path: Path, advance: Advance) -> None:
        """Open the file. BadInput: it is missing or empty, no history, or of a newer version."""
        super().__init__(path)
        self._advance = advance
        self._size = size_of(self._file)

    def records(self) -> Iterator[Record]:
        """Yield every whole record in order."""
        for count, record in enumerate(super().records()):
            if count % TELL_EVERY == 0:
                self._advance(self._file.tell(), self._size)
            yield record


def widened(span: tuple[int, int] | None, moment: Moment | None) -> tuple[int, int] | None:
    """Return the span of known times, in Unix ms, with one more moment. None while no time is known."""
    if moment is None:
        return span
    low, high = span or (moment.low_ms, moment.high_ms)
    return min(low, moment.low_ms), max(high, moment.high_ms)


def known_span(path: Path) -> tuple[int, int] | None:
    """Return the first and the last known time of a history's records in Unix ms. None when no time is known."""
    span: tuple[int, int] | None = None
    with TimedReader(path) as reader:
        for record in reader.records():
            span = widened(span, reader.moment(record))
    return span


def spanned(window: Window, histories: Sequence[Path]) -> Window:
    """Return the window, once it knows when the histories begin and end. They are read only where it must know."""
    if window.needs_span:
        known = [span for span in map(known_span, histories) if span is not None]
        if known:
            window.span(min(low for low, _ in known), max(high for _, high in known))
    return window


@contextmanager
def opened(path: Path) -> Iterator[WatchedReader]:
    """Open a history with a progress bar over its bytes. BadInput when it is no history."""
    with progress(f"reading {clean(path.name)}", "bytes") as advance, WatchedReader(path, advance) as reader:
        yield reader
