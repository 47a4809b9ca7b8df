"""Who keeps a log: begins it, appends to it, and never signs two checkpoints that contradict each other.

Each append writes in this order, each step durable before the next: entry bundles, tiles, the note beside the key of
what it signs, the checkpoint. A power cut in between leaves the log at its old checkpoint or at the new one.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from filelock import FileLock, Timeout

from shoetool.model.errors import BadInput
from shoetool.model.file_kinds import CHECKPOINT as NOTED
from shoetool.model.file_kinds import LOG_PART
from shoetool.model.output_file import make_folder, write_state
from shoetool.transparency.checkpoint import Checkpoint
from shoetool.transparency.entry import MOST_BYTES, Entry
from shoetool.transparency.findings import DAMAGED, OTHER_LOG, ROLLED_BACK, LogFinding, LogWrong
from shoetool.transparency.log_folder import CHECKPOINT, Advance, LogFolder, nobody, read_note
from shoetool.transparency.note import NOTE, Note, Signature, SigningKey, read_signed, signed_by
from shoetool.transparency.note_key import new_key, read_key, write_key
from shoetool.transparency.shoes import Shoes
from shoetool.transparency.tiles import WIDTH, Tile, bundle, needed
from shoetool.transparency.tree import Tree
from shoetool.trust.statement import Statement

LOCK: Final = ".lock"
_ENDING: Final = ".signed"


def default_key(folder: Path) -> Path:
    """Return the key file of a log when none is named. It lies beside the folder, which may be shown to everybody."""
    place = folder if folder.name else folder.resolve()
    return place.with_name(f"{place.name}.logkey")


def signed_note(key_file: Path) -> Path:
    """Return the file in which a log's key notes the last checkpoint that it signed."""
    return key_file.with_name(key_file.name + _ENDING)


@contextmanager
def alone(folder: Path, what: str = "this log") -> Iterator[None]:
    """Hold a folder for one writer; `what` lies in it. BadInput when another one writes, or no file can be written."""
    try:
        # past output_file: the lock is an empty file, and the library follows no link.
        with FileLock(folder / LOCK, timeout=0):
            yield
    except Timeout:
        raise BadInput(f"{folder}: another shoetool is writing to {what}; try again when it is done") from None
    except OSError as error:
        if error.filename != str(folder / LOCK):
            raise
        raise BadInput(f"{folder / LOCK}: cannot be locked: {error.strerror}") from None


def begin(folder: Path, name: str, key_file: Path) -> SigningKey:
    """Begin a log: a new key, and a signed checkpoint of no entries. BadInput when there is one, or something else.

    When a power cut ended it in the middle, calling it again goes on.
    """
    if folder.resolve() in key_file.resolve().parents:
        raise BadInput(f"{key_file}: lies in the log, which may be shown to everybody; name another place with --key")
    if key_file.exists():
        key = read_key(key_file, NOTE)
        memory = signed_note(key_file)
        begun = memory.exists() and Checkpoint.parse(_noted(key_file, key).text, str(memory)).size > 0
        if key.name != name or begun or (folder / CHECKPOINT).exists():
            raise BadInput(f"{key_file}: exists: it is the key of log {key.name}; name another with --key")
    else:
        if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
            raise BadInput(f"{folder}: is there already and is not empty; a log begins in a new folder")
        key = new_key(name, NOTE)
        _make(key_file.parent)
        write_key(key_file, key)
    _make(folder)
    with alone(folder):
        note = _signed(key, Tree())
        write_state(signed_note(key_file), note.pack(), NOTED)
        write_state(folder / CHECKPOINT, note.pack(), NOTED)
    return key


def _make(folder: Path) -> None:
    try:
        make_folder(folder)
    except OSError as error:
        raise BadInput(f"{folder}: cannot be created: {error.strerror}") from None


def _signed(key: SigningKey, tree: Tree) -> Note:
    text = Checkpoint(key.name, tree.size, tree.root()).text
    return Note(text, (key.sign(text),))


def _noted(key_file: Path, key: SigningKey) -> Note:
    """Return the last checkpoint that the key signed. BadInput when that was lost."""
    path = signed_note(key_file)
    note = read_signed(path, key.verifier)
    if note is None:
        raise BadInput(
            f"{path}: is missing: it holds the last checkpoint that this key signed, and shows whether the log was put "
            f"back. If you are sure that the log is the newest, copy its file `{CHECKPOINT}` there"
        )
    return note


@dataclass(slots=True)
class Appended:
    """What an append did: the new entries with their indices, those that were there already, and those it refused."""

    size: int
    root: bytes
    new: list[tuple[int, Entry]] = field(default_factory=list)
    known: list[tuple[int, Entry]] = field(default_factory=list)
    refused: list[tuple[Entry, LogFinding]] = field(default_factory=list)


class Keeper:
    """A log and its key, while nobody else writes. `append` may be called once."""

    def __init__(self, folder: Path, key_file: Path, advance: Advance = nobody) -> None:
        """Read the whole log and hold it against its checkpoint, and both against what the key signed last.

        BadInput: no log, or not its key. LogWrong: the log is damaged, or was put back to an older state.
        """
        self.folder = folder
        self.key_file = key_file
        self.key = read_key(key_file, NOTE)
        self.log = LogFolder(folder)
        self._whose()
        noted = _noted(key_file, self.key)
        signed = Checkpoint.parse(noted.text, str(signed_note(key_file)))
        if signed.size > self.log.size:
            self._go_on(noted, signed)
        self.shoes = Shoes()
        for place, data in self.log.load(advance):
            self.shoes.add(place, self._entry(place, data))
        if self.log.tree.root(signed.size) != signed.root:
            raise LogWrong(str(folder), self._put_back(signed))

    def _whose(self) -> None:
        where = f"{self.folder}/{CHECKPOINT}"
        if self.log.checkpoint.origin != self.key.name or signed_by(self.log.note, self.key.verifier) is None:
            text = f"its checkpoint is not signed by {self.key_file}, the key of {self.key.name}"
            raise LogWrong(where, LogFinding(OTHER_LOG, text))

    def _go_on(self, noted: Note, signed: Checkpoint) -> None:
        """Publish the checkpoint that was signed and not published, when all of it is there."""
        before = self.log
        self.log = LogFolder(self.folder)
        self.log.note, self.log.checkpoint = noted, signed
        try:
            self.log.read()
        except LogWrong:
            self.log = before
            raise LogWrong(str(self.folder), self._put_back(signed)) from None
        write_state(self.folder / CHECKPOINT, noted.pack(), NOTED)

    def _put_back(self, signed: Checkpoint) -> LogFinding:
        text = (
            f"its key signed {signed.size} entries with root {signed.root.hex()[:16]} ({signed_note(self.key_file)}), "
            f"and they are not what is here ({self.log.size} entries): the log was put back to an older state, or "
            "written anew; bring the newest copy back"
        )
        return LogFinding(ROLLED_BACK, text)

    def _entry(self, place: int, data: bytes) -> Entry:
        try:
            return Entry.unpack(data)
        except BadInput as error:
            raise LogWrong(str(self.folder), LogFinding(DAMAGED, f"entry {place}: {error}", entry=place)) from None

    def append(self, entries: Sequence[Entry]) -> Appended:
        """Append the entries that are not there yet, by device and shoe. Those that contradict others are refused.

        When two of them contradict each other, both are refused: nobody knows which of the two is true.
        """
        tree, log = self.log.tree, self.log
        refused = self._refused({entry.statement: entry for entry in entries})
        out = Appended(0, b"")
        fresh: list[bytes] = []
        for entry in sorted(entries, key=lambda one: (one.statement.device, one.statement.shoe)):
            known = self.shoes.find(entry.statement.device, entry.statement.shoe)
            if entry.statement in refused:
                out.refused.append((entry, refused[entry.statement]))
            elif known is not None:
                out.known.append((known.place, entry))
            else:
                self.shoes.add(tree.size, entry)
                out.new.append((tree.size, entry))
                tree.add(entry.leaf)
                fresh.append(entry.pack())
        if fresh:
            self._write([*log.last, *fresh], log.size)
        out.size, out.root = tree.size, tree.root()
        return out

    def _refused(self, entries: Mapping[Statement, Entry]) -> dict[Statement, LogFinding]:
        """Return why some of the entries are not logged."""
        refused: dict[Statement, LogFinding] = {}
        among, row = Shoes(), list(entries.values())
        for number, entry in enumerate(row):
            said = entry.statement
            against = next(self.shoes.contradictions(entry), None)
            if against is not None:
                refused[said] = against
                continue
            if len(entry.pack()) > MOST_BYTES:
                text = f"{entry.shoe} has a signature of {len(entry.signature)} bytes, which no entry can hold"
                refused[said] = LogFinding(DAMAGED, text, said.device.hex(), said.shoe)
                continue
            for clash in among.contradictions(entry):
                for one in (entry, row[-1 - (clash.entry or -1)]):
                    where, text = one.statement, f"{clash.sentence}; neither is logged"
                    refused[where] = LogFinding(clash.what, text, where.device.hex(), where.shoe)
            if said not in refused:
                among.add(-1 - number, entry)
        return refused

    def _write(self, packed: list[bytes], since: int) -> None:
        """Write what the larger tree needs, then sign and publish it. `packed`: from the first that is written anew."""
        for name, left in list(self.log.left_over()):
            if left is not None and self.log.beyond(left):
                (self.folder / name).unlink()
        tree, begin = self.log.tree, since - since % WIDTH
        for tile in needed(tree.size, since):
            if tile.level is None:
                first = tile.number * WIDTH - begin
                self._file(tile, bundle(packed[first : first + tile.width]))
            else:
                self._file(tile, b"".join(tile.hashes(tree)))
        note = _signed(self.key, tree)
        write_state(signed_note(self.key_file), note.pack(), NOTED)
        write_state(self.folder / CHECKPOINT, note.pack(), NOTED)
        for tile in needed(tree.size, since):
            if tile.width == WIDTH:  # the partial ones are not needed any more
                shutil.rmtree(self.folder / f"{tile.path}.p", ignore_errors=True)

    def _file(self, tile: Tile, data: bytes) -> None:
        path = self.folder / tile.path
        for folder in path.relative_to(self.folder).parents:
            if (self.folder / folder).is_symlink() and folder.name:
                text = f"{folder.as_posix()} is a link; a log holds files and folders"
                raise LogWrong(str(self.folder), LogFinding(DAMAGED, text))
        write_state(path, data, LOG_PART)


def add_signatures(folder: Path, added: Sequence[Signature], text: str) -> None:
    """Add cosignatures to the checkpoint of a log. BadInput when it is no longer the one that they are about."""
    with alone(folder):
        note = read_note(folder)
        if note.text != text:
            raise BadInput(f"{folder}: has another checkpoint than the one that was cosigned; ask the witness again")
        write_state(folder / CHECKPOINT, note.signed_also(added).pack(), NOTED)
