"""Boot counter and flags of page headers, each compared with the page before it.

No check of the chain needs the two, and the SHA-256 of a page that no signature covers can be made anew. So a value
that no shoe writes there is told.
"""

from __future__ import annotations

from typing import Final, NamedTuple

MOST_TOLD: Final = 100
_MOST_FLAGS: Final = 255


class _End(NamedTuple):
    """The last page: its number and flags, and the boot counter behind its last record; None when that is not sure."""

    page: int
    flags: int
    boot: int | None


class HeaderRun:
    """Takes the headers of pages in order. `notes`: one line for each that does not follow the one before."""

    def __init__(self) -> None:
        self.notes: list[str] = []
        self._before: _End | None = None

    def take(self, page: int, flags: int, boot: int, boot_after: int | None, follows: bool) -> None:
        """Compare a header with the one before it. `boot_after`: the boot counter behind the page's last record, None
        when that is not sure. `follows`: no page and no record is missing between the two."""
        before, self._before = self._before, _End(page, flags, boot_after)
        if boot_after is not None and boot_after != boot and flags > 1:
            self._say(
                f"page {page} has the flags {flags}, and a start of the shoe in it, from which they begin at 1 anew"
            )
        if before is None or before.boot is None or not follows:
            return
        if boot != before.boot:
            self._say(
                f"page {page} says that the shoe had started {boot} times, page {before.page} before it {before.boot}"
            )
        elif flags != before.flags and (flags < before.flags if flags else before.flags != _MOST_FLAGS):
            self._say(
                f"page {page} has the flags {flags}, page {before.page} of the same start before it {before.flags}"
            )
        elif flags and not before.flags:
            self._say(f"page {page} has the flags {flags}, page {before.page} of the same start before it none")

    def _say(self, text: str) -> None:
        if len(self.notes) < MOST_TOLD:
            self.notes.append(f"{text}: no shoe writes that, so the header was changed")
