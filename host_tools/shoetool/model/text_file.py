"""Small text files that a person names: read whole, and rejected in one line."""

from __future__ import annotations

from pathlib import Path

from shoetool.model.errors import BadInput
from shoetool.model.input_file import read_input


def read_text(path: Path, largest: int, too_long: str, errors: str = "strict") -> str:
    """Return the text of a file. BadInput when it is missing, no file, longer than `largest` bytes or not UTF-8."""
    return as_text(read_input(path, "a text file", largest, too_long), str(path), largest, too_long, errors)


def as_text(data: bytes, name: str, largest: int, too_long: str, errors: str = "strict") -> str:
    """Return the text that `name` holds; `too_long` completes the line for more than `largest` bytes."""
    if len(data) > largest:
        raise BadInput(f"{name}: longer than {largest} bytes: {too_long}")
    try:
        return data.decode("utf-8-sig", errors)
    except UnicodeDecodeError as error:
        raise BadInput(f"{name}: not UTF-8 text (byte {error.start})") from None
