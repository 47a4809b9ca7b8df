"""Prove that the files, the custody log and the index of an archive agree."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final

from shoetool.archive.custody import START, Added, Line
from shoetool.archive.keeper import Archive
from shoetool.archive.rows import NO_HISTORY, digest_of
from shoetool.archive.stored import HISTORIES, RULES
from shoetool.casino.paths import RECORD_ENDING
from shoetool.model.errors import BadInput
from shoetool.model.input_file import NoFile
from shoetool.model.input_file import digest_of as sha256_of
from shoetool.model.output_file import is_unfinished

if TYPE_CHECKING:  # verifying takes a while to load
    from shoetool.archive.derive import Again, Last
    from shoetool.casino.workers import Workers

REMEDY: Final = "shoetool archive check --rebuild makes the index anew from the files"
_LEFT: Final = re.compile(
    r"\.?(?:(?:[0-9a-f]{16}|no-device)-\d{5,}\.(?P<history>[0-9a-f]{16})|(?P<rules>[0-9a-f]{64}))\.(?P<ending>.*)"
)
"""How `add` names its files, those too that it has not finished."""
_WHOLE: Final = (".shoelog", RECORD_ENDING, ".toml")


@dataclass(slots=True)
class Checked:
    """What a check came to. `found`: what is wrong, a line each. `notes`: what is good to know.

    histories: lines of the custody log that add one. entered: of them in the index. not_compared: of these without a
    digest of what the index holds. verified_again: how many were verified again. lines: of the custody log. last: hash
    of its last line. Who noted it can tell later that the log was not written anew. line_of_noted: the number of the
    line that somebody noted; 0 is the empty log, None when it is not there or none was noted.
    """

    histories: int = 0
    entered: int = 0
    not_compared: int = 0
    verified_again: int = 0
    lines: int = 0
    last: str = START
    line_of_noted: int | None = None
    found: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


class Check:
    """One check of an archive. `noted`: the hash of a line that somebody noted: it must be in the log."""

    def __init__(self, archive: Archive, advance: Callable[[int], None], noted: str | None = None) -> None:
        self._archive = archive
        self._advance = advance
        self._noted = noted
        self.out = Checked()
        self._known: set[str] = set()
        self._links: dict[Path, bool] = {}
        self._names: dict[int, str] = {}
        self._digests: dict[int, str | None] = {}
        """What the log says last of the rows of each history, by the history's number."""
        self._present: list[int] = []
        self._other_keys: dict[tuple[str, str], int] = {}
        """How many histories of a device were added with other keys than now, and with which."""

    def run(self) -> Checked:
        """Hash every file again and compare it with the log, and the log with the index."""
        out, index = self.out, self._archive.index
        if self._noted == START:
            out.line_of_noted = 0
        try:
            self._database()
            rows = {number: (name, digest) for number, name, digest in index.entries()}
            followed = index.followed()
        except BadInput as error:
            out.found.append(str(error))
            rows, followed = {}, {}
        try:
            for line in self._archive.custody.lines():
                self._line(line, followed)
                if isinstance(line, Added):
                    self._added(line, rows)
                elif line.of in self._digests:
                    self._digests[line.of] = line.rows
        except BadInput as error:
            out.found.append(str(error))
        self._rest(rows, followed)
        self._rows()
        self._strange_files()
        return out

    # ------------------------------------------------------------------------------------------------ the log
    def _line(self, line: Line, followed: dict[int, str]) -> None:
        out = self.out
        out.lines, out.last = line.number, line.digest
        if line.digest == self._noted:
            out.line_of_noted = line.number
        digest = followed.pop(line.number, None)
        if digest is not None and digest != line.digest:
            out.found.append(
                f"line {line.number} of the log is not the one that was entered into the index: one of the two was "
                "changed; compare with a hash that somebody noted (--noted), or with a copy"
            )
        elif digest is None and line.rows is not None and line.number <= self._archive.index.last:
            out.found.append(f"the index does not say that line {line.number} of the log was entered; {REMEDY}")

    def _added(self, added: Added, rows: dict[int, tuple[str, str]]) -> None:
        out = self.out
        out.histories += 1
        files = [(added.name, added.sha256), (added.record, added.record_sha256)]
        files += [(f"{RULES}/{digest}.toml", digest) for digest in sorted(set((added.rules or {}).values()))]
        unchanged = [self._compare(name, digest, added.number) for name, digest in files if name]
        if all(unchanged):
            self._present.append(added.number)
        self._names[added.number] = added.name
        self._digests[added.number] = added.rows
        row = rows.pop(added.number, None)
        if row is None:
            if added.number > self._archive.index.last:
                out.notes.append(f"line {added.number} of the log ({added.name}) is not in the index yet")
            else:
                out.found.append(f"{added.name}: is not in the index (line {added.number} of the log); {REMEDY}")
        elif row != (added.name, added.sha256):
            out.found.append(f"the index has another history for line {added.number} of the log: {row[0]}; {REMEDY}")
        else:
            out.entered += 1
        self._advance(added.size)

    def _rest(self, rows: dict[int, tuple[str, str]], followed: dict[int, str]) -> None:
        out = self.out
        for number, (name, _) in sorted(rows.items()):
            out.found.append(
                f"the index has a history that is not in the log: {name} (number {number}): a line was taken "
                "out of the log: bring that back from a copy; or a row was put into the index: move index.sqlite away, "
                "and shoetool archive check makes it anew"
            )
        if followed:
            out.found.append(
                f"{len(followed)} of the lines that were entered into the index are not in the log (the first is line "
                f"{min(followed)}): lines were taken out; bring the log back from a copy"
            )
        if self._noted is not None and out.line_of_noted is None:
            out.found.append(f"no line of the log has the hash {self._noted}: the log was cut, or written anew")
        torn = self._archive.custody.torn()
        if torn:
            out.notes.append(
                f"{torn} bytes of a half-written line stand at the end of the log: an add was cut off before it was "
                "told as done; the next add takes them off"
            )

    # ------------------------------------------------------------------------------------------------ the index
    def _database(self) -> None:
        path = self._archive.index.path
        self.out.found += [f"{path}: {text}; {REMEDY}" for text in self._archive.index.strange()]

    def _rows(self) -> None:
        """Compare the rows of each history with the digest that the log has."""
        out, left = self.out, dict(self._digests)
        try:
            for number, digest in self._archive.index.digests():
                if number == NO_HISTORY:
                    out.found.append(f"the index has rows that belong to no history; {REMEDY}")
                    continue
                wanted = left.pop(number, "")
                if wanted is None:
                    out.not_compared += 1
                elif wanted and wanted != digest:
                    out.found.append(
                        f"{self._names[number]}: what the index holds of it is not what was entered (line {number} of "
                        f"the log): the index was changed; {REMEDY}"
                    )
        except BadInput as error:
            if str(error) not in out.found:
                out.found.append(str(error))
        if out.not_compared:
            out.notes.append(
                f"{out.not_compared} of the histories were added by an older shoetool, which noted no digest of what "
                "the index holds of them: nothing tells here whether that was changed. --verify derives it from the "
                "files, and --rebuild notes the digests too"
            )

    def again(self, workers: Workers, advance: Callable[[int], None]) -> None:
        """Verify each history again that is here unchanged, and compare it with what the index holds."""
        from shoetool.archive.derive import Last, again

        out, archive = self.out, self._archive
        try:
            held = dict(archive.index.digests())
            every = list(Last.of(archive.custody.lines()))
        except BadInput:
            return  # it was told already
        present = set(self._present)
        for one in again(
            archive.folder, (last for last in every if last.added.number in present), archive.asked, workers
        ):
            added = one.last.added
            advance(added.size)
            if one.note is not None:
                out.notes.append(one.note)
            if one.judged.report is None:
                out.found.append(f"{added.name}: cannot be verified again: {one.judged.error}")
                continue
            out.verified_again += 1
            self._keys(one)
            if added.number in held and held[added.number] != digest_of(one.rows):
                out.found.append(self._otherwise(one.last, one.judged.report.headline()))

        out.notes += [
            f"device {device}: histories that were added {how}: {many}; shoetool verify compares them with the key "
            "that is pinned now"
            for (device, how), many in sorted(self._other_keys.items())
        ]

    def _keys(self, one: Again) -> None:
        """Count a history that was added with other keys than those that are pinned now."""
        asked = self._archive.asked
        now = {} if asked is None else {device.hex(): key.hex() for device, key in asked.pinned.items()}
        then = one.last.keys
        if then is None:
            return
        for device in sorted({*then, *(held[0].hex() for held in one.judged.held)}):
            if now.get(device) != then.get(device):
                how = "before its key was pinned" if device not in then else "with a key that is not pinned now"
                self._other_keys[device, how] = self._other_keys.get((device, how), 0) + 1

    def _otherwise(self, last: Last, headline: str) -> str:
        from shoetool.model.version import version

        known = self._archive.index.known(last.added.sha256)
        said = "" if known is None else f", the index says: {known.headline}"
        why = "the index was changed"
        if last.shoetool != version():
            why = f"the index was changed, or shoetool {last.shoetool} judged otherwise than {version()}"
        return f"{last.added.name}: verified again it comes out otherwise: {headline}{said}: {why}; {REMEDY}"

    # ------------------------------------------------------------------------------------------------ the files
    def _compare(self, name: str, digest: str, number: int) -> bool:
        """Whether a file is there unchanged."""
        self._known.add(name)
        path, found = self._archive.folder / name, self.out.found
        where = f"(line {number} of the log)"
        try:
            if stat.S_ISLNK(os.lstat(path).st_mode):
                found.append(f"{name}: is a link, not the file that was added {where}; bring it back from a copy")
                return False
            for folder in path.parents[: len(Path(name).parts) - 1]:
                self._folder(folder)
            now = sha256_of(path, "a file of the archive")
        except (NoFile, FileNotFoundError):
            found.append(f"{name}: is missing {where}; bring it back from a copy")
            return False
        except OSError as error:
            found.append(f"{name}: cannot be read: {error.strerror}")
            return False
        except BadInput as error:
            found.append(str(error))
            return False
        if now != digest:
            found.append(f"{name}: was changed since it was added {where}; bring it back from a copy")
        return now == digest

    def _folder(self, folder: Path) -> None:
        """Tell once of a folder that is a link."""
        if folder not in self._links:
            self._links[folder] = folder.is_symlink()
            if self._links[folder]:
                name = folder.relative_to(self._archive.folder).as_posix()
                self.out.notes.append(f"{name}: is a link to another folder; the archive's files lie there")

    def _strange_files(self) -> None:
        """Tell of each file that is not in the log."""
        for top in (HISTORIES, RULES):
            for folder, folders, names in os.walk(self._archive.folder / top, followlinks=False):
                links = [one for one in folders if Path(folder, one).is_symlink()]
                folders.sort()
                for path in [Path(folder, one) for one in sorted([*names, *links])]:
                    name = path.relative_to(self._archive.folder).as_posix()
                    if name not in self._known and path not in self._links:
                        self._strange(name, path)

    def _strange(self, name: str, path: Path) -> None:
        if not _is_left(path):
            self.out.found.append(f"{name}: is not in the log: somebody put it here; move it away")
            return
        if path.suffix not in _WHOLE:
            self.out.notes.append(f"{name}: an add was cut off while it wrote this; nothing needs it, move it away")
            return
        self.out.notes.append(
            f"{name}: is not in the log: an add was cut off before it was told as done, or the end of the log was "
            "taken off; add the history again, or move this away"
        )


def _is_left(path: Path) -> bool:
    """Whether an add that was cut off may have left this file: its name is one of ours, and fits what is in it."""
    if is_unfinished(path.name):
        return True
    named = _LEFT.fullmatch(path.name)
    if named is None or path.is_symlink() or not path.is_file():
        return False
    wanted = named["history"] if named["ending"] == "shoelog" else named["rules"] if named["ending"] == "toml" else ""
    try:
        return sha256_of(path, "a file of the archive").startswith(wanted or "")
    except BadInput:
        return False


def check(archive: Archive, advance: Callable[[int], None], noted: str | None = None) -> Checked:
    """Check an archive, see `Check.run`."""
    return Check(archive, advance, noted).run()
