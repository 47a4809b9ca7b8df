"""Files in an archive: where they lie, and how they are read and compared with their hashes."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path
from typing import Final

from shoetool.model.errors import BadInput
from shoetool.model.input_file import LARGEST_EVIDENCE, read_input

HISTORIES: Final = "histories"
RULES: Final = "rules"


def read(path: Path, wanted: str, digest: str | None = None) -> bytes:
    """Return the content of a file. BadInput: it cannot be read, or has not the SHA-256 that is wanted."""
    data = read_input(path, wanted, LARGEST_EVIDENCE)
    if digest is not None and sha256(data).hexdigest() != digest:
        raise BadInput(f"{path}: was changed since it was added")
    return data
