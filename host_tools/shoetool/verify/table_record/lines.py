"""The lines of a table record, one after the other, matched to the rounds of one or more histories."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Self

from shoetool.model.errors import BadInput
from shoetool.model.input_file import LONGEST_DAMAGE, open_text, unreadable
from shoetool.round_file.file import BadLine, Entry, each_record
from shoetool.round_file.json_text import RoundFileError
from shoetool.verify.table_record.tableless import Tableless

LONGEST_LINE: Final = 4_194_304
LOOK_AHEAD: Final = 8
"""So many lines are looked through to tell a line that is out of place from a gap in the record."""
MOST_UNREAD: Final = 12
"""Lines that cannot be read and are kept one by one; more are counted."""


@dataclass(frozen=True, slots=True)
class Taken:
    """What the record has for a round: its line, the lines right after it that are for the same round too, and those
    before it that no round of the history has. `tableless`: the line is there, and its table is not known."""

    entry: Entry | None
    twins: list[Entry]
    skipped: list[Entry]
    tableless: bool = False


class Lines:
    """Hands out the entry of each round as the history comes to it; a few entries at a time are in memory.

    A line names its round, and the number of the shoe where the histories hold more than one. Without the number the
    rounds of the record are counted like those of the histories: a lower number than before begins the next shoe.

    A line of a later round than those that follow it is out of place: it is passed over, and they keep theirs.
    A line that cannot be read is passed over too, and kept for `take_unread`. BadInput when none can be read.
    `table_given`: the rules do not come from the record, so a line whose table is not known is as good as another.
    """

    def __init__(
        self, entries: Iterable[Entry | BadLine], where: str = "table record", table_given: bool = False
    ) -> None:
        self._entries = iter(entries)
        self._where = where
        self._table_given = table_given
        self._any = False
        self._unread: list[BadLine] = []
        self._unread_before = 0
        """Lines that were handed out by `take_unread`."""
        self._uncounted: tuple[int, int] = (0, 0)
        """Unread lines that are only counted, and the last of them."""
        self.tableless = Tableless()
        """The lines that can be read, and whose table is not known."""
        self._lost: set[int] = set()
        """Those of them that are ahead, by their numbers."""
        self._next: Entry | None = None
        self._ahead: deque[Entry] = deque()
        """Entries that were read and are not yet the next."""
        self._over = False
        self._broken: BadInput | None = None
        self._shoe = 0
        self._last = -1
        self._again = False
        """The next entry has the round number of the one before: a line that stands twice, or the next shoe's."""
        self._stray = False
        """The next entry has no shoe, and its round does not lie between those of its neighbours."""

    def _read(self, count: int) -> None:
        """Read until so many entries are ahead, or to the end, or to where the file cannot be read at all."""
        while len(self._ahead) < count and not self._over and self._broken is None:
            try:
                one = next(self._entries, None)
            except BadInput as error:
                self._broken = error
                return
            if one is None:
                self._over = True
                if not self._any and self._unread:
                    self._broken = self._unread[0].error
            elif isinstance(one, BadLine) and one.entry is None:
                self._pass_over(one)
            else:
                entry = one.entry if isinstance(one, BadLine) else one
                assert entry is not None
                if entry.round is None:
                    text = 'a line of a table record needs its round in the history, such as "history": {"round": 17}'
                    self._pass_over(BadLine(entry.line, RoundFileError(f"{self._where}: line {entry.line}: {text}")))
                    continue
                if isinstance(one, BadLine) and not self._table_given:
                    self.tableless.add(entry, one.lost)
                    self._lost.add(entry.line)
                else:
                    self._any = True
                self._ahead.append(entry)

    def _pass_over(self, bad: BadLine) -> None:
        if self._unread_before + len(self._unread) < MOST_UNREAD:
            self._unread.append(bad)
        else:
            self._uncounted = (self._uncounted[0] + 1, bad.line)

    def take_unread(self) -> list[str]:
        """The lines that could not be read since the last call: where, such as `line 3, column 7`, and why."""
        found = [str(bad.error).removeprefix(f"{self._where}: ") for bad in self._unread]
        self._unread_before += len(found)
        self._unread = []
        return found

    def take_uncounted(self) -> tuple[int, int]:
        """How many more lines could not be read since the last call, and the number of the last of them."""
        found, self._uncounted = self._uncounted, (0, 0)
        return found

    def _peek(self) -> Entry | None:
        if self._next is None:
            self._read(1)
            if not self._ahead:
                if self._broken is not None:
                    raise self._broken
                return None
            entry = self._next = self._ahead.popleft()
            number = entry.round or 0
            self._stray = entry.shoe is None and number > self._last + 1 and self._out_of_place(number)
            if not self._stray:
                if number < self._last:
                    self._shoe += 1
                self._again = number == self._last
                self._last = number
        return self._next

    def _out_of_place(self, number: int) -> bool:
        """Whether the line after this one goes on from the line before: only this one's round is wrong."""
        self._read(1)
        if not self._ahead or self._ahead[0].shoe is not None:
            return False
        before = max(self._last, 0)
        return before < (self._ahead[0].round or 0) <= min(before + 2, number - 1)

    def take(self, shoe: int | None, index: int, number: int) -> Taken:
        """The entry of round `number` of shoe `shoe` (the `index`-th of all, from 0)."""
        skipped: list[Entry] = []
        while (entry := self._peek()) is not None:
            if not self._stray:
                place = self._place(entry, shoe, index)
                if place == (0, number):
                    self._next = None
                    twins = self._twins(entry)
                    tableless = not self._lost.isdisjoint(one.line for one in (entry, *twins))
                    self._lost = {line for line in self._lost if line > entry.line}
                    return Taken(entry, twins, skipped, tableless)
                if place > (0, number) and not self._overtaken(entry, shoe, place, number):
                    break
            skipped.append(entry)
            self._next = None
        return Taken(None, [], skipped)

    def _twins(self, entry: Entry) -> list[Entry]:
        """Take the lines that follow `entry` and are for the same round of the same shoe.

        Without its shoe a second line for round 1 may be the next shoe's.
        """
        found: list[Entry] = []
        while True:
            self._read(1)
            if not self._ahead:
                return found
            after = self._ahead[0]
            if (after.shoe, after.round) != (entry.shoe, entry.round) or (entry.shoe is None and entry.round == 1):
                return found
            found.append(self._ahead.popleft())

    def _overtaken(self, entry: Entry, shoe: int | None, place: tuple[int, int], number: int) -> bool:
        """Whether one of the lines that follow is for this round or for one between it and the entry's."""
        if entry.shoe is None or shoe is None:
            return False
        self._read(LOOK_AHEAD)
        return any(
            after.shoe is not None and (0, number) <= (after.shoe - shoe, after.round or 0) < place
            for after in self._ahead
        )

    def _place(self, entry: Entry, shoe: int | None, index: int) -> tuple[int, int]:
        """(shoes after the present one, round) of an entry."""
        if self._again and self._shoe < index:
            self._shoe, self._again = self._shoe + 1, False
        ahead = self._shoe - index if entry.shoe is None or shoe is None else entry.shoe - shoe
        return ahead, entry.round or 0

    def rest(self, shoe: int | None, index: int, everything: bool) -> Iterator[Entry]:
        """The entries that are left of this shoe, or all that are left."""
        while (entry := self._peek()) is not None:
            if not everything and not self._stray and self._place(entry, shoe, index)[0] > 0:
                return
            self._next = None
            yield entry


class TableFile:
    """A table record on disk, read as a stream; a context manager. BadInput when it cannot be read.

    `table_given`: see Lines.
    """

    def __init__(self, path: Path, table_given: bool = False) -> None:
        self.path = path
        self._file = open_text(path, "a table record", encoding="utf-8-sig")
        self.lines = Lines(self.entries(), str(path), table_given)

    def entries(self) -> Iterator[Entry | BadLine]:
        """The lines from here on. Take them from here or from `lines`, not from both."""
        return each_record(self._read(), str(self.path))

    def _read(self) -> Iterator[str | RoundFileError]:
        number = 0
        try:
            while line := self._file.readline(LONGEST_LINE):
                number += 1
                if len(line) == LONGEST_LINE and not line.endswith("\n"):
                    whole = self._pass_over()
                    text = f"longer than {LONGEST_LINE} characters: no line of a table record"
                    more = "" if whole else f"; what comes {LONGEST_DAMAGE >> 20} MiB behind it was not read"
                    yield RoundFileError(f"{self.path}: line {number}: {text}{more}")
                    if not whole:
                        return
                else:
                    yield line
        except OSError as error:
            raise unreadable(self.path, error) from None

    def _pass_over(self) -> bool:
        """Read to the end of a line that is none. False: it does not end where a line could."""
        for _ in range(LONGEST_DAMAGE // LONGEST_LINE):
            more = self._file.readline(LONGEST_LINE)
            if len(more) < LONGEST_LINE or more.endswith("\n"):
                return True
        return False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()
