"""Files with the keys of logs and of witnesses. Only their owner can read them. They are written once and whole."""

from __future__ import annotations

import json
import secrets
from pathlib import Path
from typing import Final

from shoetool.model.errors import BadInput
from shoetool.model.file_kinds import NOTE_KEY_FORMAT
from shoetool.model.output_file import write_private
from shoetool.model.printable import clean
from shoetool.model.text_file import read_text
from shoetool.transparency.note import COSIGNATURE, NOTE, SigningKey, VerifierKey, is_key_name

FORMAT: Final = NOTE_KEY_FORMAT
_KINDS: Final = {NOTE: "log", COSIGNATURE: "witness"}
_LARGEST: Final = 4096
_MOST_VKEYS: Final = 1 << 18
_MOST_NAME: Final = 255
"""An ML-DSA-44 cosignature has 8 bits for the length of a name."""


def good_name(name: str) -> str:
    """Return the name of a log or a witness. BadInput says why it cannot be one."""
    if not is_key_name(name) or clean(name) != name:
        raise BadInput(
            f"{clean(name)[:60]!r} cannot be a name: it must not be empty, and have no spaces, plus signs or signs "
            "that cannot be seen; take one like casino.example/shoes"
        )
    if len(name.encode()) > _MOST_NAME:
        raise BadInput(f"a name has at most {_MOST_NAME} bytes; this one has {len(name.encode())}")
    return name


def new_key(name: str, kind: int) -> SigningKey:
    """Return a new key. BadInput when the name cannot be one."""
    return SigningKey(good_name(name), kind, secrets.token_bytes(32))


def write_key(path: Path, key: SigningKey) -> None:
    """Write a new key file for its owner alone. BadInput when there is such a file, or it cannot be written."""
    document = {"format": FORMAT, "kind": _KINDS[key.kind], "name": key.name, "key": key.seed.hex()}
    try:
        write_private(path, json.dumps({**document, "vkey": key.verifier.text}, indent=2) + "\n")
    except FileExistsError:
        raise BadInput(f"{path}: exists; a key file is never overwritten: name another") from None
    except OSError as error:
        raise BadInput(f"{path}: {error.strerror}; the key was not kept, so nothing was done") from None


def read_key(path: Path, kind: int) -> SigningKey:
    """Return the key of a file. BadInput says what is wrong with it, and when it is of the other kind."""
    text = read_text(path, _LARGEST, "it is no key of a log or a witness")
    try:
        document = json.loads(text)
        if document["format"] != FORMAT:
            raise ValueError
        found, name, seed, vkey = (str(document[field]) for field in ("kind", "name", "key", "vkey"))
        kinds = {word: number for number, word in _KINDS.items()}
        key = SigningKey(good_name(name), kinds[found], bytes.fromhex(seed))
    except BadInput:
        raise
    except (ValueError, KeyError, TypeError, RecursionError):
        raise BadInput(
            f"{path}: is no key of a log or a witness, as shoetool log init or log witness wrote it"
        ) from None
    if len(key.seed) != 32 or key.verifier.text != vkey:
        raise BadInput(f"{path}: the key does not fit its verifier key; the file is damaged")
    if key.kind != kind:
        raise BadInput(f"{path}: is the key of a {_KINDS[key.kind]}; that of a {_KINDS[kind]} is wanted")
    return key


def verifier_keys(text: str) -> list[VerifierKey]:
    """Return the verifier keys that an option names: one, or those of a file, a line each. BadInput: there is none."""
    path = Path(text)
    if "+" in text and not path.exists():
        return [VerifierKey.parse(text)]
    lines = read_text(path, _MOST_VKEYS, "it is no list of verifier keys").splitlines()
    keys = [VerifierKey.parse(line.strip()) for line in lines if line.strip() and not line.startswith("#")]
    if not keys:
        raise BadInput(f"{path}: holds no verifier key")
    return keys


def log_key(text: str) -> VerifierKey:
    """Return the verifier key of a log that an option names. BadInput when it names several, or that of a witness."""
    keys = verifier_keys(text)
    if len(keys) != 1 or keys[0].witness:
        raise BadInput(f"{clean(text)[:60]}: one verifier key of a log is wanted here")
    return keys[0]


def witness_keys(texts: tuple[str, ...]) -> list[VerifierKey]:
    """Return the verifier keys of witnesses that options name, each once. BadInput when one is that of a log."""
    keys = list(dict.fromkeys(key for text in texts for key in verifier_keys(text)))
    for key in keys:
        if not key.witness:
            raise BadInput(f"{key.name}: is a key for notes (type 1); the key of a witness has type 4 or 6")
        twin = next((one for one in keys if one.public == key.public and one != key), None)
        if twin is not None:  # a cosignature of type 4 does not say the name, so one witness could count twice
            raise BadInput(f"{key.name}: has the same key as {twin.name}; they are one witness")
    return keys
