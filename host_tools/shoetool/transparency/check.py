"""Check a whole log offline: entries, tree, tiles, who signed, which shoes are missing, and that it only grew."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from shoetool.model.errors import BadInput
from shoetool.transparency.checked import Checked, Trusted, begin, unsigned
from shoetool.transparency.checkpoint import Checkpoint
from shoetool.transparency.entry import Entry
from shoetool.transparency.findings import (
    DAMAGED,
    FORGED,
    FORK,
    MISSING,
    NOT_LOGGED,
    OTHER_KEY,
    OTHER_LOG,
    UNSIGNED,
    LogFinding,
    LogWrong,
)
from shoetool.transparency.known_keys import KnownKeys
from shoetool.transparency.log_folder import Advance, LogFolder, nobody
from shoetool.transparency.note import Note
from shoetool.transparency.shoes import Hole, Shoes
from shoetool.transparency.submitted import Held, Submitted
from shoetool.transparency.witness import rolled_back, split
from shoetool.trust.keys import PublicKey


class LogCheck:
    """Checks one log. `run` does all of it."""

    def __init__(self, folder: Path, trusted: Trusted, keys: KnownKeys, now: float, unchecked: int = 0) -> None:
        """Read the checkpoint. BadInput when the folder holds no log. `now`: Unix seconds.

        The signatures of shoes in the first `unchecked` entries are not verified: they were before.
        """
        self.log = LogFolder(folder)
        self.trusted = trusted
        self.keys = keys
        self.unchecked = unchecked
        self.others: dict[tuple[bytes, PublicKey], list[tuple[int, int]]] = {}
        """(entry, shoe) of what keys signed that are not the pinned one of the device."""
        self.first: dict[bytes, int] = {}
        """The lowest shoe that the pinned key of a device signed."""
        self.shoes = Shoes()
        self.out = begin(self.log.note, self.log.checkpoint, trusted, now)
        self.out.unchecked = unchecked

    def run(
        self, older: Sequence[tuple[str, Note]], histories: Sequence[Submitted], advance: Advance = nobody
    ) -> Checked:
        """Check everything. `older`: earlier checkpoints with their files. `histories`: they must all be in the log."""
        out = self.out
        before = len(out.findings)
        try:
            for place, data in self.log.load(advance):
                self._entry(place, data)
        except LogWrong as error:
            out.findings[before:] = [error.finding]  # what single entries say is worth nothing now
            out.notes.append(
                "the entries cannot be relied on: shoes, histories and earlier checkpoints were not checked"
            )
            return out
        out.findings += self._signers()
        out.findings += self.log.wrong_tiles()
        self._left_over()
        for where, note in older:
            out.findings += self._grown(where, note)
        held = {(one.device, one.shoe): one for history in histories for one in history.held if not one.signed}
        explained: set[tuple[str, int]] = set()
        for device, row in self.shoes.rows.items():
            out.devices.append(row.to_json(device))
            if row.numbers[0] > 1:
                out.notes.append(
                    f"device {device.hex()} begins with shoe {row.numbers[0]}: earlier ones are not logged"
                )
            for hole in row.holes():
                self._hole(hole, held, explained)
        for history in histories:
            self._history(history, explained)
        out.unpinned = [one.hex() for one in self.shoes.rows if self.keys.unknown(one)]
        if self.unchecked:
            out.notes.append(f"the signatures of shoes in the first {self.unchecked} entries were not checked again")
        return out

    def _entry(self, place: int, data: bytes) -> None:
        try:
            entry = Entry.unpack(data)
        except BadInput as error:
            self.out.find(DAMAGED, f"entry {place}: {error}", entry=place)
            return
        wrong = [replace(one, entry=place) for one in self._wrong(place, entry)]
        self.out.findings += wrong
        if not wrong:
            self.shoes.add(place, entry)

    def _wrong(self, place: int, entry: Entry) -> Iterator[LogFinding]:
        said = entry.statement
        device = said.device.hex()
        if entry.key == self.keys.pinned(said.device):
            self.first[said.device] = min(said.shoe, self.first.get(said.device, said.shoe))
        else:
            self.others.setdefault((said.device, entry.key), []).append((place, said.shoe))
        if place >= self.unchecked and not entry.verifies:
            text = f"entry {place}: the signature of {entry.shoe} does not verify: no shoe made this entry"
            yield LogFinding(FORGED, text, device, said.shoe)
        known = self.shoes.find(said.device, said.shoe)
        if known is not None and known.statement == said:
            yield LogFinding(FORK, f"entry {place}: {entry.shoe} is logged twice, as entry {known.place} too", device)
        for found in self.shoes.contradictions(entry):
            yield replace(found, sentence=f"entry {place}: {found.sentence}")

    def _signers(self) -> Iterator[LogFinding]:
        """Yield each key that is neither the pinned one of its device nor a former one from before that."""
        for (device, key), signed in self.others.items():
            pinned = self.keys.pinned(device)
            if self.keys.unknown(device):
                continue
            first = self.first.get(device)
            former = self.keys.is_former(device, key)
            wrong = [one for one in signed if not former or (first is not None and one[1] > first)]
            if not wrong:
                continue
            place, shoe = wrong[0]
            more = f" and {len(wrong) - 1} more" if len(wrong) > 1 else ""
            text = f"entry {place}{more}: shoe {shoe} of device {device.hex()} is signed by key {key.fingerprint}"
            if former:
                text += ", a former one, after the pinned key had signed"
            else:
                named = f"pinned is {pinned.fingerprint}" if pinned else "none is pinned"
                text += f"; {named}: whoever signed it is not that shoe, or it had another key before (--former-key)"
            yield LogFinding(OTHER_KEY, text, device.hex(), shoe, place)

    def _left_over(self) -> None:
        """What else lies in the folder: tiles of smaller trees must be right, others are no part of the log."""
        beyond = 0
        for name, tile in self.log.left_over():
            if tile is None:
                self.out.notes.append(f"{name} is no file of a log; it was not looked at")
            elif self.log.beyond(tile):
                beyond += 1
            elif (wrong := self.log.wrong_smaller(tile)) is not None:
                self.out.findings.append(wrong)
        if beyond:
            files = "a file is" if beyond == 1 else f"{beyond} files are"
            self.out.notes.append(f"{files} left from an append that did not end; nobody signed what is in there")

    def _grown(self, where: str, note: Note) -> Iterator[LogFinding]:
        """Yield what is wrong when the log did not grow from an earlier checkpoint."""
        older, now = Checkpoint.parse(note.text, where), self.log.checkpoint
        wrong = "" if self.trusted.log is None else unsigned(note, older, self.trusted.log)
        if not wrong and older.origin != now.origin:
            wrong = f"is that of {older.origin}, not of {now.origin}"
        if wrong:
            yield LogFinding(OTHER_LOG, f"{where}: this checkpoint {wrong}; it proves nothing about this log")
        elif older.size > now.size:
            yield replace(rolled_back(now, older.size), sentence=f"{where}: {rolled_back(now, older.size).sentence}")
        elif self.log.tree.root(older.size) != older.root:
            if older.size == now.size:
                yield replace(split(now, older.root), sentence=f"{where}: {split(now, older.root).sentence}")
            else:
                mine = replace(now, size=older.size, root=self.log.tree.root(older.size))
                yield replace(split(mine, older.root), sentence=f"{where}: {split(mine, older.root).sentence}")

    def _hole(self, hole: Hole, held: dict[tuple[bytes, int], Held], explained: set[tuple[str, int]]) -> None:
        """A missing shoe is a finding, unless its pages are here and the next shoe's signature covers them."""
        device = hole.before.statement.device
        if self._covered(hole, held):
            shoes = range(hole.first, hole.last + 1)
            explained |= {(device.hex(), shoe) for shoe in shoes}
            self.out.notes.append(
                f"{hole.words} not in the log, since nobody signed it; its pages are here, and the signature of shoe "
                f"{hole.after.statement.shoe} covers them; {hole.between}"
            )
            return
        text = f"{hole.words} not in the log: withheld, not signed, or not appended; {hole.between}"
        self.out.find(MISSING, text, device=device.hex(), shoe=hole.first)

    @staticmethod
    def _covered(hole: Hole, held: dict[tuple[bytes, int], Held]) -> bool:
        device, page, digest = hole.before.statement.device, hole.after.statement.first_page, hole.after.previous
        for shoe in range(hole.last, hole.first - 1, -1):
            one = held.get((device, shoe))
            if one is None or not one.unbroken or one.last_page + 1 != page or one.digest != digest:
                return False
            page, digest = one.first_page, one.previous
        return page > hole.before.statement.last_page

    def _history(self, history: Submitted, explained: set[tuple[str, int]]) -> None:
        """Every signed shoe of a history must be in the log as it is there."""
        for entry in (*history.entries, *history.unpinned):
            said = entry.statement
            known = self.shoes.find(said.device, said.shoe)
            if known is not None and known.statement == said:
                self.out.present.append({"file": history.file, "entry": known.place, **entry.to_json()})
            elif known is not None:
                for found in self.shoes.contradictions(entry):
                    self.out.findings.append(replace(found, sentence=f"{history.file}: {found.sentence}"))
            else:
                text = f"{history.file}: {entry.shoe} is not in the log"
                self.out.find(NOT_LOGGED, text, device=said.device.hex(), shoe=said.shoe)
        pages = {(one.device.hex(), one.shoe) for one in history.held}
        for found in history.refused:
            if found.what == UNSIGNED:
                answered = pages if found.device is None or found.shoe is None else {(found.device, found.shoe)}
                if answered and answered <= explained:
                    continue
            self.out.findings.append(replace(found, sentence=f"{history.file}: {found.sentence}"))
