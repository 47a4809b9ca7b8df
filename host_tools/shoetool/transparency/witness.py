"""A witness (c2sp.org/tlog-witness): it cosigns a checkpoint that grew from the one that it cosigned last, no other.

It keeps, for each log, the last checkpoint in `FOLDER/<SHA-256 of the origin>/checkpoint`. There the protocol has
monitors look for it, so a web server may show that folder.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path

from shoetool.model.errors import BadInput
from shoetool.model.file_kinds import CHECKPOINT as NOTED
from shoetool.model.output_file import write_state
from shoetool.transparency.checkpoint import Checkpoint
from shoetool.transparency.findings import OTHER_LOG, ROLLED_BACK, SPLIT, LogFinding, LogWrong
from shoetool.transparency.keeper import alone
from shoetool.transparency.log_folder import CHECKPOINT
from shoetool.transparency.note import Note, Signature, SigningKey, VerifierKey, read_signed, signed_by
from shoetool.transparency.proof import ConsistencyProof
from shoetool.transparency.tree import EMPTY


class Conflict(BadInput):
    """The request does not begin where the witness stands; `size` is where it does."""

    def __init__(self, where: str, old: int, size: int) -> None:
        """Keep the size."""
        self.size = size
        super().__init__(
            f"{where}: begins with {old} entries, and {size} were cosigned last: make it with "
            f"shoetool log prove --old {size}"
        )


class Witness:
    """A witness with its key, and its memory in `folder`. `logs`: the keys of the logs that it looks at.

    The origin of a log is the name of its key.
    """

    def __init__(self, key: SigningKey, folder: Path, logs: Sequence[VerifierKey]) -> None:
        """Nothing is read yet."""
        self.key = key
        self.folder = folder
        self.logs = {log.name: log for log in logs}

    def _place(self, origin: str) -> Path:
        return self.folder / sha256(origin.encode()).hexdigest() / CHECKPOINT

    def last(self, origin: str) -> Checkpoint | None:
        """Return the checkpoint of a log that was cosigned last; None when none was. BadInput: it cannot be read."""
        path = self._place(origin)
        note = read_signed(path, self.key.verifier)
        return None if note is None else Checkpoint.parse(note.text, str(path))

    def add(self, request: ConsistencyProof, time: int, where: str) -> Signature:
        """Return the cosignature of a request's checkpoint, once it is remembered. `time`: now, in Unix seconds.

        Conflict: the request begins elsewhere. LogWrong: that log did not sign it, or it did not only grow.
        """
        checkpoint = Checkpoint.parse(request.note.text, where)
        log = self.logs.get(checkpoint.origin)
        if log is None:
            raise LogWrong(where, LogFinding(OTHER_LOG, f"is about log {checkpoint.origin}, whose key was not named"))
        try:
            signed = signed_by(request.note, log)
        except BadInput as error:
            raise LogWrong(where, LogFinding(OTHER_LOG, str(error))) from None
        if signed is None:
            raise LogWrong(where, LogFinding(OTHER_LOG, f"its checkpoint is not signed by {log.text}"))
        if request.old > checkpoint.size:
            raise BadInput(
                f"{where}: begins with {request.old} entries, more than the {checkpoint.size} of its checkpoint"
            )
        try:
            self._place(checkpoint.origin).parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise BadInput(f"{self.folder}: cannot be written: {error.strerror}") from None
        with alone(self._place(checkpoint.origin).parent, "the memory of this witness"):
            last = self.last(checkpoint.origin)
            size, root = (0, EMPTY) if last is None else (last.size, last.root)
            if checkpoint.size < size:
                raise LogWrong(where, rolled_back(checkpoint, size))
            if checkpoint.size == size and checkpoint.root != root:
                raise LogWrong(where, split(checkpoint, root))
            if request.old != size:
                raise Conflict(where, request.old, size)
            if not request.shows(root, checkpoint):
                text = (
                    f"the {checkpoint.size} entries of {checkpoint.origin} are not shown to have grown from the {size} "
                    "that were cosigned last: the proof is wrong, or what was logged was changed"
                )
                raise LogWrong(where, LogFinding(SPLIT, text))
            cosignature = self.key.cosign(request.note.text, time)
            note = Note(request.note.text, (signed, cosignature))
            write_state(self._place(checkpoint.origin), note.pack(), NOTED)
        return cosignature


def rolled_back(checkpoint: Checkpoint, size: int) -> LogFinding:
    """Say that a checkpoint has fewer entries than an earlier one."""
    text = f"{checkpoint.origin} has {checkpoint.size} entries, and had {size} before: entries were taken out"
    return LogFinding(ROLLED_BACK, text)


def split(checkpoint: Checkpoint, root: bytes) -> LogFinding:
    """Say that there are two checkpoints of one size."""
    text = (
        f"{checkpoint.origin} has two checkpoints of {checkpoint.size} entries, with root {checkpoint.root.hex()[:16]} "
        f"and with root {root.hex()[:16]}: it shows two sides different entries; keep both as proof"
    )
    return LogFinding(SPLIT, text)
