"""Add histories to an archive: verified on entry, copied, entered in the custody log, then in the index.

The order is what makes it safe. A copy is durable before its line in the log, and the line before its row in the index.
So after a power cut a copy without a line is no part of the archive, and a line without a row gets its row at the next
start.
"""

from __future__ import annotations

import getpass
import os
import platform
from collections.abc import Iterable, Iterator
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Final

from shoetool.archive.custody import START, Added, Custody
from shoetool.archive.index import NAME as INDEX
from shoetool.archive.index import Index, Known
from shoetool.casino.paths import RECORD_ENDING
from shoetool.model.errors import BadInput
from shoetool.model.file_kinds import HISTORY, TABLE_RECORD
from shoetool.model.input_file import LARGEST_EVIDENCE, read_input
from shoetool.model.output_file import make_folder, write_state
from shoetool.model.times import now_ms, utc_stamp
from shoetool.model.version import version

if TYPE_CHECKING:  # verifying takes a while to load, and a search needs none of it
    from shoetool.casino.judged import Asked, Judged

HISTORIES: Final = "histories"
BATCH: Final = 100
"""So many histories are entered together: one wait for the disk, and for other writers."""
_NO_DEVICE: Final = "no-device"


class Told:
    """What became of one history.

    name: in the archive. new: it was added now. headline: what the archive holds of it, or what it came to now. error:
    why it was not added.
    """

    def __init__(
        self, judged: Judged, name: str = "", new: bool = False, error: str | None = None, headline: str | None = None
    ) -> None:
        self.judged = judged
        self.name = name
        self.new = new
        self.error = error
        self.headline = headline or (None if judged.report is None else judged.report.headline())


class Archive:
    """An archive in a folder. BadInput: the folder is none, or cannot be used.

    `asked`: how histories are verified on entry. A history with findings is kept as it is: it is evidence. One that
    cannot be read is not added.
    """

    def __init__(self, folder: Path, asked: Asked | None = None, create: bool = False) -> None:
        self.folder = folder
        self.asked = asked
        self.custody = Custody(folder)
        if not create and not self.custody.path.exists() and not (folder / INDEX).exists():
            raise BadInput(f"{folder}: is no archive; shoetool archive add makes one")
        if create:
            try:
                make_folder(folder / HISTORIES)
            except OSError as error:
                raise BadInput(f"{folder}: cannot be written: {error.strerror}") from None
        self.index = Index(folder)

    def close(self) -> None:
        """Close the index."""
        self.index.close()

    # ------------------------------------------------------------------------------------------------ add
    def add(self, judged: Iterable[Judged], who: str) -> Iterator[Told]:
        """Add histories that were just verified; tell of each, once it is durable."""
        batch: list[Judged] = []
        for one in judged:
            batch.append(one)
            if len(batch) >= BATCH:
                yield from self._enter(batch, who)
                batch = []
        if batch:
            yield from self._enter(batch, who)

    def _enter(self, batch: list[Judged], who: str) -> list[Told]:
        told: list[Told] = []
        from shoetool.archive.dealt import rounds_of

        with self.index.writing():
            self.catch_up()
            last = self.custody.last()
            number, before = (0, START) if last is None else (last.number, last.digest)
            rows: list[tuple[Added, Judged]] = []
            names: dict[str, str] = {}
            for one in batch:
                if one.report is None:
                    told.append(Told(one, error=one.error))
                    continue
                known = self.index.known(one.sha256)
                if known is not None or one.sha256 in names:
                    told.append(Told(one, names[one.sha256]) if known is None else self._there_already(one, known))
                    continue
                try:
                    name, record, record_hash = self._copy(one)
                except BadInput as error:
                    told.append(Told(one, error=str(error)))
                    continue
                number += 1
                added = Added(
                    number, utc_stamp(now_ms()), who, account(), one.path, name, one.size,
                    one.sha256, record, record_hash, version(), before,
                )  # fmt: skip
                before, names[one.sha256] = added.digest, name
                rows.append((added, one))
                told.append(Told(one, name, True))
            if rows:
                self.custody.append([added for added, _ in rows])
                for added, one in rows:
                    self.index.add(added, one, list(rounds_of(self.folder / added.name)))
        return told

    def _there_already(self, one: Judged, known: Known) -> Told:
        """Tell of a history that the archive holds. One that comes with another table record is not taken for it."""
        if one.table_record:
            lines = _read(Path(one.path).with_suffix(RECORD_ENDING), TABLE_RECORD.name)
            if not known.record or _read(self.folder / known.record, TABLE_RECORD.name) != lines:
                which = "another" if known.record else "no"
                text = f"{one.path}: is in the archive with {which} table record; the one beside it was not kept"
                return Told(one, known.name, headline=known.headline, error=text)
        return Told(one, known.name, headline=known.headline)

    def _copy(self, one: Judged) -> tuple[str, str, str]:
        """Copy a history, and the table record beside it; (name, name of the record, its SHA-256)."""
        source = Path(one.path)
        data = _read(source, HISTORY.name)
        if sha256(data).hexdigest() != one.sha256:
            raise BadInput(f"{source}: changed while it was added; add it again")
        device, shoe = (one.held[0][0].hex(), one.held[0][1]) if one.held else (_NO_DEVICE, 0)
        name = f"{HISTORIES}/{device}/{device}-{shoe:05d}.{one.sha256[:16]}.shoelog"
        record = record_hash = ""
        if one.table_record:
            lines = _read(source.with_suffix(RECORD_ENDING), TABLE_RECORD.name)
            record, record_hash = str(Path(name).with_suffix(RECORD_ENDING)), sha256(lines).hexdigest()
            write_state(self.folder / record, lines, TABLE_RECORD)
        write_state(self.folder / name, data, HISTORY)
        return name, record, record_hash

    # ------------------------------------------------------------------------------------------------ after a power cut
    def behind(self) -> int:
        """Return how many histories of the custody log are not in the index. BadInput: the log has lost lines."""
        last, entered = self.custody.last(), self.index.last
        number = 0 if last is None else last.number
        if number < entered:
            raise BadInput(
                f"{self.custody.path}: has {number} lines, the index {entered} histories: lines were taken out; bring "
                "the log back from a copy (shoetool archive check)"
            )
        return number - entered

    def current(self) -> None:
        """BadInput: the index lacks histories of the log, so what it does not hold may be there all the same."""
        if number := self.behind():
            where = "" if self.index.writable else ", in a copy that can be written"
            raise BadInput(
                f"{self.index.path}: lacks {number} of the log's histories: shoetool archive check enters them{where}"
            )

    def bring_up(self) -> tuple[int, list[str]]:
        """Enter into the index what it lacks. Return how many histories it lacked, and notes.

        Where nothing can be written the notes say so. BadInput as `behind` and `catch_up`.
        """
        if self.index.writable:
            with self.index.writing():
                return self.behind(), self.catch_up()
        lacks = self.behind()
        text = f"{self.folder}: cannot be written, so the {lacks} histories that the index lacks were not entered"
        return 0, [text] if lacks else []

    def catch_up(self) -> list[str]:
        """Enter into the index what stands in the custody log alone. Call it inside `writing`.

        Each is verified with its table record if it has one. Return a line for each whose record could not be used,
        since the rules submission that it names is not in the archive.
        """
        notes: list[str] = []
        if not self.behind():
            return notes
        from shoetool.archive.dealt import rounds_of
        from shoetool.casino.judged import Asked, Worker

        asked = self.asked or Asked()
        entered = self.index.last
        plain = Worker(replace(asked, table_records=False, table=None))
        with_records = Worker(replace(asked, table_records=True))
        for added in self.custody.lines():
            if added.number <= entered:
                continue
            path = self.folder / added.name
            judged = (with_records if added.record else plain).judge(path)
            if added.record and judged.error is not None:
                notes.append(f"{added.name}: was entered without what its table record shows: {judged.error}")
                judged = plain.judge(path)
            if judged.report is None:
                raise BadInput(f"{judged.error}; shoetool archive check says what else is wrong")
            self.index.add(added, judged, list(rounds_of(path)))
        return notes


def account() -> str:
    """Return the account and the computer that somebody uses."""
    try:
        user = getpass.getuser()
    except (OSError, KeyError):  # it has no name
        user = f"user {os.getuid()}" if hasattr(os, "getuid") else "unknown"
    return f"{user}@{platform.node()}"


def _read(path: Path, wanted: str) -> bytes:
    return read_input(path, wanted, LARGEST_EVIDENCE)
