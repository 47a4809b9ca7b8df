"""What stands in a history file and nothing reads: it is told, since somebody may have put it there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from shoetool.history.chunks import SignatureChunk
from shoetool.model.protocol_table import Signature


@dataclass(slots=True)
class Unread:
    """flags: of the file's header. kinds: tags of chunks with bytes that this shoetool does not know. rewritten: pages
    with an earlier copy that is not the beginning of the later one. signatures: how many were left out."""

    flags: int = 0
    kinds: dict[bytes, None] = field(default_factory=dict)
    rewritten: dict[int, None] = field(default_factory=dict)
    signatures: int = 0

    def notes(self) -> list[str]:
        """Return one line for each."""
        out = []
        if self.flags:
            out.append(f"the header of the file has the flags {self.flags:#06x}, which this shoetool does not know")
        for tag in self.kinds:
            out.append(f"in a chunk {tag.decode()} stand bytes that this shoetool does not know; they were left out")
        for page in list(self.rewritten)[:100]:
            out.append(f"page {page} stands here twice, and the later copy does not go on from the earlier one")
        if self.signatures:
            out.append(f"{self.signatures} signatures were left out: there are too many")
        return out


def contradictory(signatures: Sequence[SignatureChunk]) -> list[str]:
    """Return one line for each chunk SIGN that says that a shoe is not signed beside what looks like its signature."""
    signed = {one.shoe for one in signatures if one.state == Signature.SIGNED and one.signature}
    out = []
    for one in signatures:
        if one.state == Signature.SIGNED:
            continue
        said = f"a chunk SIGN says that shoe {one.shoe} is not signed (state {one.state})"
        if one.signature:
            out.append(f"{said}, and holds {len(one.signature)} bytes of a signature")
        elif one.shoe in signed:
            out.append(f"{said}; another one holds its signature: it was signed after a first fetch")
    return out[:100]


def grew(before: bytes, page: bytes) -> bool:
    """Whether a page can be the same one at a later time: it begins with what was written before."""
    return page.startswith(before.rstrip(b"\xff"))
