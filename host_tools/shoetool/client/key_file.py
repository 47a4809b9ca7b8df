"""The file with a shoe's command key. Only its owner can read it. It is written whole or not at all, and only once."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final

from shoetool.model.errors import BadInput
from shoetool.model.file_kinds import COMMAND_KEY_FORMAT, PLAY_KEY_FORMAT
from shoetool.model.input_file import read_input
from shoetool.model.output_file import write_private

from .authority import KEY_BYTES, CommandKey

FORMAT: Final = COMMAND_KEY_FORMAT
PLAY_FORMAT: Final = PLAY_KEY_FORMAT
KEY_VARIABLE: Final = "SHOETOOL_KEY"
_LARGEST: Final = 4096


def default_name(key: CommandKey) -> Path:
    """Return the default name that `provision` gives a key file. No two keys have the same name."""
    return Path(f"{key.device.hex()}-{key.fingerprint.hex()}.shoekey")


def write_new(path: Path, key: CommandKey) -> None:
    """Write a new key file for its owner alone (0600), whole or not at all. BadInput when it exists."""
    _write(path, {"format": FORMAT, "device": key.device.hex(), "key": key.secret.hex()}, key)


def write_play_key(path: Path, key: CommandKey) -> None:
    """Write the play key of a shoe for a hybrid table's controller, as `write_new` does."""
    _write(path, {"format": PLAY_FORMAT, "device": key.device.hex(), "key": key.play_key().hex()}, key)


def _write(path: Path, document: dict[str, str], key: CommandKey) -> None:
    text = json.dumps({**document, "fingerprint": key.fingerprint.hex()}, indent=2) + "\n"
    try:
        write_private(path, text)
    except FileExistsError:
        raise BadInput(f"{path}: exists; a key file is never overwritten: name another with --out") from None
    except OSError as error:
        raise BadInput(f"{path}: {error.strerror}; the key was not kept, so nothing was changed") from None


def read_key(path: Path) -> CommandKey:
    """Return the command key of a file. BadInput says what is wrong with the file."""
    document = _read(path)
    if document.get("format") == PLAY_FORMAT:
        raise BadInput(f"{path}: is a play key, which presses keys for a hybrid table and gives no commands")
    if document.get("format") != FORMAT:
        raise BadInput(f"{path}: not a key file of shoetool (its format is not {FORMAT})")
    device, secret = _hexadecimal(path, document, "device", 8), _hexadecimal(path, document, "key", KEY_BYTES)
    key = CommandKey(device, secret)
    if document.get("fingerprint") != key.fingerprint.hex():
        raise BadInput(f"{path}: the key does not fit its fingerprint; the file is damaged")
    return key


def _read(path: Path) -> dict[str, object]:
    try:
        document = json.loads(read_input(path, "a key file of shoetool", _LARGEST))
    except (ValueError, RecursionError):
        raise BadInput(f"{path}: not a key file of shoetool (it is not JSON)") from None
    if not isinstance(document, dict):
        raise BadInput(f"{path}: not a key file of shoetool")
    return document


def _hexadecimal(path: Path, document: dict[str, object], name: str, size: int) -> bytes:
    text = document.get(name)
    try:
        value = bytes.fromhex(text) if isinstance(text, str) else b""
    except ValueError:
        value = b""
    if len(value) != size:
        raise BadInput(f"{path}: not a key file of shoetool ({name} is not {size} bytes in hexadecimal)")
    return value
