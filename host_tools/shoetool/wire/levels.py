"""The typed answer of `levels`: the light levels of one read head."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import Final

from shoetool.model.margin import UNKNOWN_MARGIN
from shoetool.model.protocol_table import Calibration, MessageKind

from .messages import unpack

LINE_NAMES: Final = ("PRESENT", "CLOCK_A", "CLOCK_B", "DATA")
UNKNOWN_LEVEL: Final = 65535
FULL_SCALE_V: Final = 3.3
_LINE: Final = struct.Struct("<HHH")


def volts(level: int) -> float:
    """Return a level of 0..65535 in volts."""
    return level * FULL_SCALE_V / 65535


@dataclass(frozen=True, slots=True)
class LineLevels:
    """Levels of one line, 0..65535 for 0 to 3.3 V; None when not known."""

    now: int | None
    light: int | None
    dark: int | None


@dataclass(frozen=True, slots=True)
class Levels:
    """The levels of one head. `margin` in percent, None when not known. `card`: the test card's id, 63 for others."""

    head: int
    step: int
    threshold: int
    margin: int | None
    clean_soon: bool
    passes: int
    kind: int
    card: int
    lines: tuple[LineLevels, ...]

    @property
    def calibrating(self) -> bool:
        """Whether the head is being calibrated."""
        return self.step != Calibration.NONE

    @classmethod
    def unpack(cls, payload: bytes) -> Levels:
        """Return the levels from the payload of an answer. MessageError when it is too short."""
        fields = unpack(MessageKind.LEVELS, "answer", payload)
        raw, margin = fields["lines"], fields["margin"]
        rows = _LINE.iter_unpack(raw[: len(raw) // _LINE.size * _LINE.size])
        lines = [LineLevels(*(None if level == UNKNOWN_LEVEL else level for level in row)) for row in rows]
        lines += [LineLevels(None, None, None)] * (len(LINE_NAMES) - len(lines))
        fields["margin"] = None if margin == UNKNOWN_MARGIN else margin
        fields["clean_soon"] = bool(fields["clean_soon"])
        fields["lines"] = tuple(lines[: len(LINE_NAMES)])
        return cls(**fields)
