"""Signed notes (c2sp.org/signed-note), verifier keys, and cosignatures of checkpoints (c2sp.org/tlog-cosignature).

Ed25519 and ML-DSA-44 are those of the package `cryptography`.
"""

from __future__ import annotations

import re
from base64 import b64decode, b64encode
from binascii import Error
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import Final

from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.asymmetric.mldsa import MLDSA44PublicKey

from shoetool.model.errors import BadInput
from shoetool.model.input_file import read_own
from shoetool.transparency.checkpoint import Checkpoint

NOTE: Final = 1
COSIGNATURE: Final = 4
COSIGNATURE_ML_DSA: Final = 6
_SIZES: Final = {NOTE: (32, 64), COSIGNATURE: (32, 72), COSIGNATURE_ML_DSA: (1312, 2428)}
"""Bytes of a public key and of a signature, by the type of signature."""
MOST_BYTES: Final = 1 << 20
"""No note is longer."""
_MOST_SIGNATURES: Final = 100
_MOST_TIME: Final = (1 << 63) - 1
_DASH: Final = "\u2014 "
_CONTROL: Final = re.compile("[\x00-\x09\x0b-\x1f]")
_ID: Final = re.compile("[0-9a-f]{8}")


def from_base64(text: str) -> bytes:
    """Return the bytes of a base64 text (RFC 4648, section 4). ValueError when those bytes are not written so."""
    try:
        data = b64decode(text, validate=True)
    except Error:
        raise ValueError("it is not base64") from None
    if b64encode(data).decode() != text:
        raise ValueError("it is not base64 as it is written")
    return data


def to_base64(data: bytes) -> str:
    """Return bytes in base64."""
    return b64encode(data).decode()


def is_key_name(name: str) -> bool:
    """Whether a key may have this name: it is not empty, and has no space, no plus sign and no control character."""
    return bool(name) and "+" not in name and not any(one.isspace() for one in name) and not _CONTROL.search(name)


@dataclass(frozen=True, slots=True)
class Signature:
    """One signature line: the name of the key, its id (4 bytes), and the bytes of the signature."""

    name: str
    key_id: bytes
    value: bytes

    @property
    def line(self) -> str:
        """The line with its end."""
        return f"{_DASH}{self.name} {to_base64(self.key_id + self.value)}\n"

    @classmethod
    def parse(cls, line: str) -> Signature:
        """Return the signature of a line without its end. ValueError when it is none."""
        name, space, text = line.removeprefix(_DASH).partition(" ")
        if not line.startswith(_DASH) or not space or not is_key_name(name):
            raise ValueError("a signature line is a dash, the name of the key and the signature")
        data = from_base64(text)
        if len(data) < 5:
            raise ValueError("its signature is too short")
        return cls(name, data[:4], data[4:])


@dataclass(frozen=True, slots=True)
class Note:
    """A text that keys signed. The text ends with an end of line."""

    text: str
    signatures: tuple[Signature, ...]

    @classmethod
    def parse(cls, data: bytes, where: str) -> Note:
        """Return the note in `data`. BadInput begins with `where` and says why it is none. Nothing is verified here."""
        if len(data) > MOST_BYTES:
            raise BadInput(f"{where}: is too long for a signed note")
        try:
            whole = data.decode()
        except UnicodeDecodeError:
            raise BadInput(f"{where}: is no signed note: it is not UTF-8") from None
        if _CONTROL.search(whole):
            raise BadInput(f"{where}: is no signed note: it has control characters")
        text, split, rest = whole.rpartition("\n\n")
        if not split or not rest.endswith("\n"):
            raise BadInput(f"{where}: is no signed note, or it is cut off: no whole signature line follows its text")
        lines = rest[:-1].split("\n")
        if len(lines) > _MOST_SIGNATURES:
            raise BadInput(f"{where}: has {len(lines)} signatures; {_MOST_SIGNATURES} are read at most")
        try:
            return cls(text + "\n", tuple(dict.fromkeys(map(Signature.parse, lines))))
        except ValueError as error:
            raise BadInput(f"{where}: is no signed note: {error}") from None

    def pack(self) -> bytes:
        """The note as it is written."""
        return f"{self.text}\n{''.join(one.line for one in self.signatures)}".encode()

    def signed_also(self, added: Iterable[Signature]) -> Note:
        """Return the note with more signatures. One of the same key takes the place of the one that was there."""
        kept = {(one.name, one.key_id): one for one in self.signatures}
        kept |= {(one.name, one.key_id): one for one in added}
        return Note(self.text, tuple(kept.values()))


@dataclass(frozen=True)
class VerifierKey:
    """A public key with its name: a *vkey*. `kind` is the type of its signatures, one of those above."""

    name: str
    kind: int
    public: bytes

    @cached_property
    def key_id(self) -> bytes:
        """The 4 bytes that name the key beside its name."""
        return sha256(self.name.encode() + b"\n" + bytes((self.kind,)) + self.public).digest()[:4]

    @property
    def text(self) -> str:
        """The vkey as it is handed to others."""
        return f"{self.name}+{self.key_id.hex()}+{to_base64(bytes((self.kind,)) + self.public)}"

    @property
    def witness(self) -> bool:
        """Whether it is the key of a witness, whose signatures have a time."""
        return self.kind != NOTE

    @classmethod
    def parse(cls, text: str) -> VerifierKey:
        """Return the key of a vkey. BadInput says what is wrong with it."""
        shown = text if len(text) <= 60 else f"{text[:57]}..."
        name, _, rest = text.partition("+")
        wanted, plus, encoded = rest.partition("+")
        if not plus or not is_key_name(name) or not _ID.fullmatch(wanted):
            raise BadInput(f"{shown!r} is no verifier key: it is NAME+ID+KEY, as `shoetool log show` prints it")
        try:
            data = from_base64(encoded)
        except ValueError as error:
            raise BadInput(f"verifier key {name}: {error}") from None
        if not data or data[0] not in _SIZES or len(data) != 1 + _SIZES[data[0]][0]:
            raise BadInput(f"verifier key {name}: it is of no kind that is known here (Ed25519, ML-DSA-44)")
        key = cls(name, data[0], data[1:])
        if key.key_id.hex() != wanted:
            raise BadInput(f"verifier key {name}: the key does not fit its id {wanted}; it was copied wrongly")
        return key

    def matches(self, signature: Signature) -> bool:
        """Whether a signature says that it is by this key."""
        return (signature.name, signature.key_id) == (self.name, self.key_id)

    def verifies(self, text: str, signature: Signature) -> bool:
        """Whether the key signed this text of a note. A witness's key signs only texts of checkpoints."""
        value = signature.value
        if not self.matches(signature) or len(value) != _SIZES[self.kind][1]:
            return False
        try:
            if self.kind == NOTE:
                Ed25519PublicKey.from_public_bytes(self.public).verify(value, text.encode())
                return True
            time = int.from_bytes(value[:8])
            message = cosigned(self.kind, self.name, text, time)
            if time > _MOST_TIME or message is None:
                return False
            if self.kind == COSIGNATURE:
                Ed25519PublicKey.from_public_bytes(self.public).verify(value[8:], message)
            else:
                MLDSA44PublicKey.from_public_bytes(self.public).verify(value[8:], message)
            return True
        except UnsupportedAlgorithm:
            raise BadInput(f"{self.name}: the `cryptography` that is installed here cannot verify ML-DSA-44") from None
        except (InvalidSignature, ValueError):
            return False


def cosigned(kind: int, name: str, text: str, time: int) -> bytes | None:
    """Return the message that a witness signs at `time` (Unix seconds); None when the text cannot be signed so."""
    if kind == COSIGNATURE:
        return f"cosignature/v1\ntime {time}\n{text}".encode()
    try:
        checkpoint = Checkpoint.parse(text, "it")
    except BadInput:
        return None
    signer, origin = name.encode(), checkpoint.origin.encode()
    if not time or max(len(signer), len(origin)) > 255:
        return None
    parts = [b"subtree/v1\n\0", bytes((len(signer),)), signer, time.to_bytes(8), bytes((len(origin),)), origin]
    return b"".join([*parts, bytes(8), checkpoint.size.to_bytes(8), checkpoint.root])


@dataclass(frozen=True)
class SigningKey:
    """An Ed25519 key with its name, to sign notes (`kind` NOTE) or to cosign checkpoints (COSIGNATURE)."""

    name: str
    kind: int
    seed: bytes

    @cached_property
    def _private(self) -> Ed25519PrivateKey:
        return Ed25519PrivateKey.from_private_bytes(self.seed)

    @cached_property
    def verifier(self) -> VerifierKey:
        """The public key."""
        return VerifierKey(self.name, self.kind, self._private.public_key().public_bytes_raw())

    def sign(self, text: str) -> Signature:
        """Sign the text of a note."""
        assert self.kind == NOTE
        return Signature(self.name, self.verifier.key_id, self._private.sign(text.encode()))

    def cosign(self, text: str, time: int) -> Signature:
        """Cosign the text of a checkpoint at `time`, in Unix seconds."""
        message = cosigned(self.kind, self.name, text, time)
        assert self.kind == COSIGNATURE and message is not None
        return Signature(self.name, self.verifier.key_id, time.to_bytes(8) + self._private.sign(message))


def signed_by(note: Note, key: VerifierKey) -> Signature | None:
    """Return the signature of a key on a note; None when it has none. BadInput when it has one that does not verify."""
    mine = [one for one in note.signatures if key.matches(one)]
    for one in mine:
        if not key.verifies(note.text, one):
            raise BadInput(
                f"the signature of {key.name} does not verify: the text was changed after it, or it is forged"
            )
    return mine[-1] if mine else None


def read_signed(path: Path, key: VerifierKey) -> Note | None:
    """Return the note in a file; None when there is none. BadInput: it cannot be read, or the key did not sign it."""
    content = read_own(path, "a checkpoint")
    if content is None:
        return None
    note = Note.parse(content, str(path))
    if signed_by(note, key) is None:
        raise BadInput(f"{path}: is no checkpoint that key {key.name} signed: the memory was changed")
    return note


def time_of(signature: Signature) -> int:
    """Return the time of a witness's signature, in Unix seconds."""
    return int.from_bytes(signature.value[:8])
