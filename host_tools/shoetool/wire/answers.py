"""Typed answers of the device. PROTOCOL.md explains the fields."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import Final

from shoetool.model.margin import UNKNOWN_MARGIN
from shoetool.model.protocol_table import Calibration, FaultCode, MessageKind, Phase

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

    @property
    def dark_now(self) -> list[str]:
        """The lines that are dark at this moment. None of them when the levels of this moment are not told."""
        named = zip(LINE_NAMES, self.lines, strict=True)
        return [name for name, line in named if line.now is not None and line.now > self.threshold]

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


_SHOE: Final = struct.Struct("<IIHIIBB")
_PAIR: Final = struct.Struct("<BI")
_EDGE: Final = struct.Struct("<HB")
EDGE_BYTES: Final = _EDGE.size  # at least: a long wait before an edge needs more entries


@dataclass(frozen=True, slots=True)
class Identity:
    """The identity of the device. `device` is 8 bytes, `firmware` is (major, minor, patch), `board` is its name."""

    major: int
    minor: int
    device: bytes
    firmware: tuple[int, int, int]
    boot: int
    epoch: int
    board: str

    @property
    def firmware_text(self) -> str:
        """Firmware version with dots."""
        return ".".join(map(str, self.firmware))

    @classmethod
    def unpack(cls, payload: bytes) -> Identity:
        """Return the identity from the payload of an identify answer. MessageError when it is too short."""
        fields = unpack(MessageKind.IDENTIFY, "answer", payload)
        fields["firmware"] = tuple(fields["firmware"])
        fields["board"] = fields["board"].decode("utf-8", "replace")
        return cls(**fields)


@dataclass(frozen=True, slots=True)
class Status:
    """What the shoe does right now.

    `ticks_ms` wraps at 2^30. `drawn_a` and `drawn_b` count the cards drawn from each side. Records below `next_record`
    exist; the host may read those that `durable_record` has passed.
    """

    phase: int
    fault: int
    fault_head: int
    lamps: int
    round: int
    shoe: int
    next_record: int
    durable_record: int
    ticks_ms: int
    drawn_a: int
    drawn_b: int
    heap_free: int

    @property
    def phase_name(self) -> str:
        """The phase's name in protocol.toml, or its number when a newer firmware has more phases."""
        return Phase(self.phase).name.lower() if self.phase in set(Phase) else f"phase {self.phase}"

    @property
    def fault_name(self) -> str | None:
        """Name of the latched fault; None when there is none."""
        if not self.fault:
            return None
        return FaultCode(self.fault).name.lower() if self.fault in set(FaultCode) else f"fault {self.fault}"

    @classmethod
    def unpack(cls, payload: bytes) -> Status:
        """Return the status from the payload of a status answer. MessageError when it is too short."""
        return cls(**unpack(MessageKind.STATUS, "answer", payload))


@dataclass(frozen=True, slots=True)
class ShoeEntry:
    """One history in the journal: pages first_page..first_page+pages-1, records in the same way, flags as read."""

    shoe: int
    first_page: int
    pages: int
    first_record: int
    records: int
    closed: bool
    fetched: bool


@dataclass(frozen=True, slots=True)
class SigningKey:
    """The signing key: `state` of enum.signing, `made` of `of` leaves, `public` 56 bytes once the tree is made."""

    state: int
    height: int
    next_index: int
    made: int
    of: int
    public: bytes

    @classmethod
    def unpack(cls, payload: bytes) -> SigningKey:
        """Return the key from the payload of a signing_key answer. MessageError when it is too short."""
        return cls(**unpack(MessageKind.SIGNING_KEY, "answer", payload))


def unpack_shoes(rest: bytes) -> list[ShoeEntry]:
    """Return the entries of a history_list answer."""
    whole = len(rest) - len(rest) % _SHOE.size
    return [
        ShoeEntry(shoe, first_page, pages, first_record, records, bool(closed), bool(fetched))
        for shoe, first_page, pages, first_record, records, closed, fetched in _SHOE.iter_unpack(rest[:whole])
    ]


def unpack_pairs(rest: bytes) -> dict[int, int]:
    """Return the settings of a config_read answer, by id."""
    whole = len(rest) - len(rest) % _PAIR.size
    return dict(_PAIR.iter_unpack(rest[:whole]))


def pack_pairs(values: dict[int, int]) -> bytes:
    """Return the body of a config_write request. Values are u32."""
    return b"".join(_PAIR.pack(setting, value) for setting, value in sorted(values.items()))


@dataclass(frozen=True, slots=True)
class SelfTest:
    """Result 0 is fine; `failed` has one bit per failed part."""

    result: int
    failed: int


@dataclass(frozen=True, slots=True)
class Ticks:
    """The device's clocks. Both wrap at 2^30. `turns`: how often `ticks_ms` did in this start; None: not reported."""

    boot: int
    ticks_ms: int
    ticks_us: int
    turns: int | None = None


@dataclass(frozen=True, slots=True)
class TracePass:
    """Raw edges of one pass, as (µs since the edge before, sensor lines after it), and what the read head read."""

    index: int
    head: int
    kind: int
    edges: tuple[tuple[int, int], ...]


def unpack_edges(data: bytes) -> list[tuple[int, int]]:
    """Return the edges of trace data. A step of 0xFFFF µs means that the time goes on in the next entry."""
    edges = []
    waited = 0
    whole = len(data) - len(data) % _EDGE.size
    for step, lines in _EDGE.iter_unpack(data[:whole]):
        if step == 0xFFFF:
            waited += 0xFFFF
        else:
            edges.append((waited + step, lines))
            waited = 0
    return edges
