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

from shoetool.archive.custody import OVERRIDE, START, Added, Custody, Derived
from shoetool.archive.index import NAME as INDEX
from shoetool.archive.index import Index, Known
from shoetool.archive.rows import digest_of
from shoetool.archive.stored import HISTORIES, RULES, read
from shoetool.casino.paths import RECORD_ENDING
from shoetool.model.errors import BadInput
from shoetool.model.file_kinds import HISTORY, NOTE, TABLE_RECORD
from shoetool.model.input_file import NoFile
from shoetool.model.input_file import digest_of as sha256_of
from shoetool.model.output_file import make_folder, write_state
from shoetool.model.times import now_ms, utc_stamp
from shoetool.model.version import version

if TYPE_CHECKING:  # verifying takes a while to load, and a search needs none of it
    from shoetool.archive.derive import Again
    from shoetool.casino.judged import Asked, Judged
    from shoetool.casino.workers import Workers

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
        from shoetool.archive.rows import rows_of

        with self.index.writing():
            self.catch_up()
            last = self.custody.last()
            number, before = (0, START) if last is None else (last.number, last.digest)
            lines: list[Added] = []
            for one in batch:
                if one.report is None:
                    told.append(Told(one, error=one.error))
                    continue
                known = self.index.known(one.sha256)
                try:
                    if known is not None:
                        told.append(self._there_already(one, known))
                        continue
                    name, record, record_hash = self._copy(one)
                    rules = self._copy_rules(one)
                except BadInput as error:
                    told.append(Told(one, error=str(error)))
                    continue
                number += 1
                keys = {device.hex(): key.hex() for device, key in sorted(one.keys.items())}
                added = Added(
                    number, utc_stamp(now_ms()), who, account(), one.path, name, one.size, one.sha256,
                    record, record_hash, version(), before, None, keys, rules,
                )  # fmt: skip
                assert one.report is not None
                rows = rows_of(added, one, list(rounds_of(self.folder / name, one.report)))
                self.index.add(rows)
                lines.append(replace(added, rows=digest_of(rows)))
                before = lines[-1].digest
                told.append(Told(one, name, True))
            if lines:
                self.index.follow(lines)
                self.custody.append(lines)
        return told

    def _there_already(self, one: Judged, known: Known) -> Told:
        """Tell of a history that the archive holds. One that comes with another table record is not taken for it.

        The archive's own file is looked at: who is told that a history is there may throw his away.
        """
        if (lacks := self._lacks(known, one.sha256)) is not None:
            text = f"{one.path}: is in the archive, but its file there {lacks}; shoetool archive check says more"
            return Told(one, known.name, headline=known.headline, error=text)
        if one.table_record:
            lines = read(Path(one.path).with_suffix(RECORD_ENDING), TABLE_RECORD.name)
            if not known.record or read(self.folder / known.record, TABLE_RECORD.name) != lines:
                which = "another" if known.record else "no"
                text = f"{one.path}: is in the archive with {which} table record; the one beside it was not kept"
                return Told(one, known.name, headline=known.headline, error=text)
        return Told(one, known.name, headline=known.headline)

    def _lacks(self, known: Known, digest: str) -> str | None:
        """Return what is wrong with the file of a history that the archive holds; None when it is as it was added."""
        path = self.folder / known.name
        try:
            if sha256_of(path, HISTORY.name, links=False) == digest:
                return None
        except NoFile:
            return f"is missing: copy it to {path}"
        except BadInput as error:
            return f"cannot be used: {error}"
        return f"was changed: move {path} away, and copy it there"

    def _copy(self, one: Judged) -> tuple[str, str, str]:
        """Copy a history, and the table record beside it; (name, name of the record, its SHA-256)."""
        source = Path(one.path)
        data = read(source, HISTORY.name)
        if sha256(data).hexdigest() != one.sha256:
            raise BadInput(f"{source}: changed while it was added; add it again")
        device, shoe = (one.held[0][0].hex(), one.held[0][1]) if one.held else (_NO_DEVICE, 0)
        name = f"{HISTORIES}/{device}/{device}-{shoe:05d}.{one.sha256[:16]}.shoelog"
        record = record_hash = ""
        if one.table_record:
            lines = read(source.with_suffix(RECORD_ENDING), TABLE_RECORD.name)
            record, record_hash = str(Path(name).with_suffix(RECORD_ENDING)), sha256(lines).hexdigest()
            write_state(self.folder / record, lines, TABLE_RECORD)
        write_state(self.folder / name, data, HISTORY)
        return name, record, record_hash

    def _copy_rules(self, one: Judged) -> dict[str, str]:
        """Copy the rules submissions that its table record was settled by; their hashes, by the name in the record."""
        out = {}
        for name, text in sorted(one.rules.items()):
            data = text.encode()
            digest = sha256(data).hexdigest()
            write_state(self.folder / RULES / f"{digest}.toml", data, NOTE)
            out[OVERRIDE if self.asked is not None and self.asked.table is not None else name] = digest
        return out

    # ------------------------------------------------------------------------------------------------ after a power cut
    def behind(self) -> int:
        """Return how many lines of the custody log are not in the index. BadInput: the log has lost lines."""
        last, entered = self.custody.last(), self.index.last
        number = 0 if last is None else last.number
        if number < entered:
            raise BadInput(
                f"{self.custody.path}: has {number} lines, {entered} were entered into the index: lines were taken "
                "out; bring the log back from a copy (shoetool archive check)"
            )
        return number - entered

    def current(self) -> None:
        """BadInput: the index lacks histories of the log, so what it does not hold may be there all the same."""
        if number := self.behind():
            where = "" if self.index.writable else ", in a copy that can be written"
            raise BadInput(
                f"{self.index.path}: lacks {number} of the log's lines: shoetool archive check enters them{where}"
            )

    def catch_up(self, workers: Workers | None = None, rebuild: bool = False) -> CaughtUp:
        """Enter into the index what stands in the custody log alone. Call it inside `writing`.

        Each history is verified as it was when it was added. When its rows have no digest in the log yet, or come out
        otherwise, the log gets a line with their digest. With `rebuild` everything is taken out of the index first.
        """
        out = CaughtUp()
        if not self.behind() and not rebuild:
            return out
        from shoetool.archive.derive import Last, again
        from shoetool.casino.workers import Alone

        if rebuild:
            self.index.clear()
        entered = self.index.last
        lines = [line for line in self.custody.lines() if line.number > entered]
        self.index.follow(lines)
        missing = (last for last in Last.of(self.custody.lines()) if last.added.number > entered)
        own: list[Derived] = []
        at = self.custody.last()
        assert at is not None or not lines
        for one in again(self.folder, missing, self.asked, workers or Alone()):
            rows = one.rows
            self.index.add(rows)
            out.take(one, digest := digest_of(rows))
            if digest != one.last.rows and at is not None:
                keys = {device.hex(): key.hex() for device, key in sorted(one.judged.keys.items())}
                line = Derived(
                    at.number + 1,
                    utc_stamp(now_ms()),
                    account(),
                    one.last.added.number,
                    version(),
                    at.digest,
                    digest,
                    keys,
                )
                own.append(line)
                at = line
        if own:
            self.index.follow(own)
            self.custody.append(own)
        return out


class CaughtUp:
    """What was entered into the index now.

    histories: how many. notes: what is good to know, a line each. found: histories whose rows came out otherwise than
    the log says although nothing that they follow from has changed.
    """

    def __init__(self) -> None:
        self.histories = 0
        self.notes: list[str] = []
        self.found: list[str] = []
        self._fresh = 0

    def take(self, one: Again, digest: str) -> None:
        """Note what one history came to."""
        self.histories += 1
        if one.note is not None:
            self.notes.append(one.note)
        last = one.last
        if last.rows == digest:
            return
        if last.rows is None:
            self.notes.append(f"{last.added.name}: what the index holds of it is in the custody log now")
        elif last.shoetool != version():
            self.notes.append(
                f"{last.added.name}: comes out otherwise than line {last.line} of the log says; that was shoetool "
                f"{last.shoetool}, this is {version()}. The log has a line on it now"
            )
        else:
            self.found.append(
                f"{last.added.name}: its files do not give what line {last.line} of the log says: the line was "
                "changed, or a file that it was verified with. The log has a line on it now"
            )


def account() -> str:
    """Return the account and the computer that somebody uses."""
    try:
        user = getpass.getuser()
    except (OSError, KeyError):  # it has no name
        user = f"user {os.getuid()}" if hasattr(os, "getuid") else "unknown"
    return f"{user}@{platform.node()}"
