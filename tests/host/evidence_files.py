"""One small file of each kind that no output may ever overwrite."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

from shoetool.archive.custody import Added
from shoetool.case.register import Change, Register
from shoetool.client.authority import KEY_BYTES, CommandKey
from shoetool.client.key_file import write_new, write_play_key
from shoetool.history.store import ShoelogWriter
from shoetool.link.recording import FORMAT, HEAD, MAGIC
from shoetool.model.file_kinds import CUSTODY_HEAD_FORMAT, KINDS, Kind, Sample, kind_of
from shoetool.transparency.keeper import begin
from shoetool.trust.keys import PublicKey
from shoetool.trust.pins import PinStore
from signed_histories import key

DEVICE: Final = bytes(range(8))


def _log(folder: Path, name: str) -> Path:
    begin(folder / "log", "casino.example/shoes", folder / "a.logkey")
    return folder / name


def _pins(folder: Path, name: str) -> Path:
    pins = PinStore(folder)
    pins.pin(DEVICE, PublicKey(key().public))
    pins.remember(DEVICE, PublicKey(key().public), 0, b"what was signed")
    return folder / f"{DEVICE.hex()}.{name}"


def _history(folder: Path) -> Path:
    ShoelogWriter(folder / "a.shoelog").close()
    return folder / "a.shoelog"


def _register(folder: Path) -> Path:
    Register(folder / "a.shoelog.register.jsonl").add(Change("3f2a9c01", "closed", "Smith", "2026-01-01T00:00:00"))
    return folder / "a.shoelog.register.jsonl"


def _custody(folder: Path) -> Path:
    texts = ("2026-01-01T00:00:00Z", "who", "a@b", "origin", "name")
    return _put(folder / "custody.jsonl", Added(1, *texts, 1, "ab", "", "", "0", "0" * 64).line())


def _command_key(folder: Path, play: bool) -> Path:
    command_key = CommandKey(DEVICE, bytes(KEY_BYTES))
    write = write_play_key if play else write_new
    write(folder / "a.key", command_key)
    return folder / "a.key"


def _tile(folder: Path) -> Path:
    return _put(folder / "tile" / "0" / "x001" / "234", bytes(range(64)))


def _put(path: Path, content: bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return path


def _lines(*documents: Mapping[str, Any]) -> bytes:
    return "".join(json.dumps(one) + "\n" for one in documents).encode()


_ROUND: Final = {"format": "shoetool-round/1", "table": "blackjack", "history": {"round": 1}, "positions": []}
_LISTED: Final = {"when": "2026", "shoe": 1, "first_page": 0, "pages": 1, "first_record": 0, "records": 5}
_HEAD: Final = f"{CUSTODY_HEAD_FORMAT}\nlines 1\nhash {'0' * 64}\nsigned 2026-11-29T12:00:00Z\n".encode()
_MAKERS: Final[dict[str, Callable[[Path], Path]]] = {
    "a shoe history": _history,
    "a recording of a line": lambda folder: _put(folder / "a.shoelink", HEAD.pack(MAGIC, FORMAT, 0)),
    "a shoe's command key": lambda folder: _command_key(folder, False),
    "a shoe's play key": lambda folder: _command_key(folder, True),
    "the private key of a log or a witness": lambda folder: _log(folder, "a.logkey"),
    "a private key": lambda folder: _put(folder / "id", b"-----BEGIN OPENSSH PRIVATE KEY-----\nAAAA\n"),
    "the checkpoint of a log": lambda folder: _log(folder, "log/checkpoint"),
    "a part of a log": _tile,
    "a register of findings": _register,
    "the custody log of an archive": _custody,
    "the signed head of a custody log": lambda folder: _put(folder / "vault.head", _HEAD),
    "a table record": lambda folder: _put(folder / "a.jsonl", _lines(_ROUND)),
    "the public key of a shoe": lambda folder: _pins(folder, "json"),
    "the memory of what shoes signed": lambda folder: _pins(folder, "seen"),
    "the memory of what a shoe listed": lambda folder: _put(folder / f"{DEVICE.hex()}.said", _lines(_LISTED)),
}
EVIDENCE: Final = tuple(kind for kind in KINDS if kind.is_evidence)


def kind_at(path: Path) -> Kind:
    """Return the kind of a file, as its content alone tells it."""
    return kind_of(Sample(path.read_bytes(), Path("any name"))).kind


def evidence(kind: Kind, folder: Path) -> Path:
    """Make a file of this kind in a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    return _MAKERS[kind.name](folder)
