"""Proofs as files: of inclusion (c2sp.org/tlog-proof), and of consistency, as witnesses are asked (tlog-witness).

Both end with a signed checkpoint, so each can be checked by itself and offline.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from shoetool.model.errors import BadInput
from shoetool.model.file_kinds import PROOF_FIRST_LINE
from shoetool.transparency.checkpoint import Checkpoint, tree_hash, tree_size
from shoetool.transparency.note import Note, from_base64, to_base64
from shoetool.transparency.tree import is_grown, is_included, leaf_hash

FIRST_LINE: Final = PROOF_FIRST_LINE
MOST_BYTES: Final = 1 << 20
_MOST_HASHES: Final = 63


@dataclass(frozen=True, slots=True)
class InclusionProof:
    """Shows that an entry is in the tree of a checkpoint. `entry` is the line `extra`: nothing is proved about it."""

    index: int
    hashes: tuple[bytes, ...]
    note: Note
    entry: bytes | None = None

    def pack(self) -> bytes:
        """The file."""
        extra = "" if self.entry is None else f"extra {to_base64(self.entry)}\n"
        return f"{FIRST_LINE}\n{extra}index {self.index}\n{_lines(self.hashes)}\n".encode() + self.note.pack()

    def shows(self, entry: bytes, checkpoint: Checkpoint) -> bool:
        """Whether it shows that the entry is in the tree of the checkpoint, which is to be that of its note."""
        return is_included(self.hashes, self.index, leaf_hash(entry), checkpoint.size, checkpoint.root)


@dataclass(frozen=True, slots=True)
class ConsistencyProof:
    """Shows that the tree of a checkpoint grew from that of `old` entries. It is what a witness is sent."""

    old: int
    hashes: tuple[bytes, ...]
    note: Note

    def pack(self) -> bytes:
        """The file, or the body of a request."""
        return f"old {self.old}\n{_lines(self.hashes)}\n".encode() + self.note.pack()

    def shows(self, old_root: bytes, checkpoint: Checkpoint) -> bool:
        """Whether it shows that the tree of the checkpoint grew from the one with `old` entries and `old_root`."""
        return is_grown(self.hashes, self.old, old_root, checkpoint.size, checkpoint.root)


def _lines(hashes: Sequence[bytes]) -> str:
    return "".join(f"{to_base64(one)}\n" for one in hashes)


def parse_proof(data: bytes, where: str) -> InclusionProof | ConsistencyProof:
    """Return the proof in a file. BadInput begins with `where` and says why it is none. Nothing is verified here."""
    if len(data) > MOST_BYTES:
        raise BadInput(f"{where}: is too long for a proof")
    head, split, rest = data.partition(b"\n\n")
    lines = head.decode("ascii", "replace").split("\n")
    if not split:
        raise BadInput(f"{where}: is no proof, or it is cut off: no empty line and no checkpoint in it")
    first = lines.pop(0)
    if first == FIRST_LINE:
        entry = None
        if lines and lines[0].startswith("extra "):
            try:
                entry = from_base64(lines.pop(0).removeprefix("extra "))
            except ValueError as error:
                raise BadInput(f"{where}: is no proof: in its line `extra`: {error}") from None
        word, space, number = (lines.pop(0) if lines else "").partition(" ")
        index = tree_size(number)
        if (word, space) != ("index", " ") or index is None:
            raise BadInput(f"{where}: is no proof: a line `index NUMBER` is wanted")
        return InclusionProof(index, _hashes(lines, where), Note.parse(rest, where), entry)
    word, space, number = first.partition(" ")
    old = tree_size(number)
    if (word, space) != ("old", " ") or old is None:
        raise BadInput(f"{where}: is no proof: its first line is `{FIRST_LINE}` or `old NUMBER`")
    return ConsistencyProof(old, _hashes(lines, where), Note.parse(rest, where))


def _hashes(lines: Sequence[str], where: str) -> tuple[bytes, ...]:
    if len(lines) > _MOST_HASHES:
        raise BadInput(f"{where}: is no proof: it has {len(lines)} hashes, {_MOST_HASHES} are the most")
    found = [tree_hash(line) for line in lines]
    hashes = tuple(one for one in found if one is not None)
    if len(hashes) != len(lines):
        raise BadInput(f"{where}: is no proof: its line {found.index(None) + 1} of hashes is not 32 bytes in base64")
    return hashes


def checkpoint_in(data: bytes, where: str) -> Note:
    """Return the signed checkpoint of a file that is one, or a proof that ends with one. BadInput: neither."""
    if data.startswith((FIRST_LINE.encode() + b"\n", b"old ")) and b"\n\n" in data:
        return parse_proof(data, where).note
    return Note.parse(data, where)
