"""Says one line a minute of what goes wrong with connections, whoever causes it and however often."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

MINUTE_S: Final = 60.0
_LONGEST: Final = 200


class Quiet(logging.Handler):
    """Says the first line at once, and after a minute how many there were since. Takes what libraries log too."""

    def __init__(self, say: Callable[[str], None], clock: Callable[[], float] = time.monotonic) -> None:
        """Say lines with `say`, by `clock` in seconds."""
        super().__init__(logging.WARNING)
        self._say = say
        self._clock = clock
        self._said_at = -MINUTE_S
        self._left_out = 0
        self._last = ""

    def tell(self, text: str) -> None:
        """Say it, or count it when a line was said less than a minute ago."""
        self._last = text[:_LONGEST]
        self._left_out += 1
        self.due()

    def due(self, at_the_end: bool = False) -> None:
        """Say what was left out, once a minute has passed or everything ends."""
        now = self._clock()
        if not self._left_out or (now - self._said_at < MINUTE_S and not at_the_end):
            return
        more = f" ({self._left_out} such lines; this is the last)" if self._left_out > 1 else ""
        self._said_at, self._left_out = now, 0
        self._say(f"{self._last}{more}")

    def emit(self, record: logging.LogRecord) -> None:
        """Take a line of a library: its first line, and the error with its place, without the traceback."""
        text = record.getMessage().strip().partition("\n")[0]
        error = record.exc_info[1] if record.exc_info else None
        if error is not None:
            where = traceback.extract_tb(error.__traceback__)[-1:]
            place = "".join(f" in {Path(one.filename).name}:{one.lineno}" for one in where)
            text = f"{text}: {type(error).__name__}{place}: {error}"
        self.tell(text)

    @contextlib.contextmanager
    def of_everything(self) -> Iterator[None]:
        """Take all that libraries log, until the block ends."""
        top = logging.getLogger()
        top.addHandler(self)
        try:
            yield
        finally:
            top.removeHandler(self)
            self.due(at_the_end=True)

    async def run(self) -> None:
        """Look each second at what is due, until cancelled."""
        while True:
            await asyncio.sleep(1)
            self.due()
