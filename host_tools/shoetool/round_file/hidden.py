"""Hidden values of mystery bonuses in a round file: what was committed before the round, and what was opened in it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Final

from shoetool.round_file.fields import Fault, Fields, money, one_of, written
from shoetool.round_file.json_place import Path
from shoetool.rules.wagers.mystery import MYSTERIES
from shoetool.trust.hidden_value import Opening

_HEX: Final = re.compile(r"[0-9a-fA-F]{64}")
_COMMITTED: Final = ("mystery", "commitment")
_OPENED: Final = ("mystery", "value", "nonce")


@dataclass(frozen=True, slots=True)
class Committed:
    """A commitment of 32 bytes to the hidden value of a bonus, recorded before the round's first contribution."""

    mystery: str
    commitment: bytes


@dataclass(frozen=True, slots=True)
class Opened:
    """The hidden value of a bonus that was hit in the round, with its nonce."""

    mystery: str
    opening: Opening


def read_committed(value: Any, path: Path) -> Committed:
    """Read one commitment of a file. Fault says what is wrong with it and where."""
    fields = Fields(value, path, _COMMITTED)
    return Committed(_mystery(fields), _hex(fields, "commitment"))


def read_opened(value: Any, path: Path) -> Opened:
    """Read one opened value of a file. Fault says what is wrong with it and where."""
    fields = Fields(value, path, _OPENED)
    mystery = _mystery(fields)
    if "value" not in fields:
        raise Fault(path, '"value" is missing: the hidden value in dollars')
    return Opened(mystery, Opening(money(fields["value"], (*path, "value")), _hex(fields, "nonce")))


def _mystery(fields: Fields) -> str:
    found = one_of(fields, "mystery", tuple(MYSTERIES))
    if found is None:
        raise Fault(fields.path, f'"mystery" is missing: one of {", ".join(MYSTERIES)}')
    return found


def _hex(fields: Fields, key: str) -> bytes:
    if key not in fields:
        raise Fault(fields.path, f'"{key}" is missing: 64 hexadecimal digits')
    value = fields[key]
    if not isinstance(value, str) or not _HEX.fullmatch(value):
        raise Fault((*fields.path, key), f"{written(value)} is not 64 hexadecimal digits")
    return bytes.fromhex(value)
