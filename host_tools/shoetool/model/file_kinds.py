"""The kinds of files that shoetool writes: how each is recognised by its content, and how it is guarded.

The writer of files (`output_file`) asks this table what an existing file is before anything takes its place. A kind
that holds evidence or a secret is recognised generously: rather too many files are guarded than one too few.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum, auto
from functools import cached_property
from pathlib import PurePath
from typing import Any, Final, NamedTuple

HISTORY_MAGIC: Final = b"SHOELOG\x1a"
RECORDING_MAGIC: Final = b"SHOELINK"
ROUND_FORMAT: Final = "shoetool-round/1"
COMMAND_KEY_FORMAT: Final = "shoetool-command-key/1"
PLAY_KEY_FORMAT: Final = "shoetool-play-key/1"
CUSTODY_HEAD_FORMAT: Final = "shoetool-custody/1"
NOTE_KEY_FORMAT: Final = "shoetool-note-key/1"
DAILY_FORMAT: Final = "shoetool-audit-daily/1"
PROOF_FIRST_LINE: Final = "c2sp.org/tlog-proof@v1"

SAMPLE_BYTES: Final = 1 << 20
"""So much of a file is read to recognise it. No small document of ours is longer, and no line of a register."""
_LINES: Final = 8
"""So many lines are looked at, so that one damaged line does not hide what a file is."""
_CHECKPOINT: Final = re.compile(rb"[^\n]+\n(0|[1-9][0-9]{0,18})\n[A-Za-z0-9+/]{43}=\n")
_REQUEST: Final = re.compile(rb"old (0|[1-9][0-9]{0,18})\n")
_SEEN: Final = re.compile(rb"[0-9a-f]{32} [0-9]+ [0-9a-f]{64}( [0-9a-f]*)?\n")
_CSV: Final = re.compile(rb'(\xef\xbb\xbf)?"?[a-z][a-z0-9_ ]*"?(,"?[a-z][a-z0-9_ ]*"?)+\r?\n')
_SVG: Final = re.compile(rb"(<\?xml[^>]*>\s*)?(<!--.*?-->\s*|<!DOCTYPE svg[^>]*>\s*)*<svg[\s>]", re.DOTALL)
_WAVES: Final = re.compile(rb"\s*\$(comment|date|version|timescale)\s")
_PEM_KEY: Final = re.compile(rb"-----BEGIN ([A-Z0-9]+ )*PRIVATE KEY-----")
_TABLE_RECORD_LINE: Final = re.compile(rb'\{.*"history"\s*:')


class Sample:
    """The beginning of a file, and its name: all that a kind is recognised by."""

    def __init__(self, data: bytes, path: PurePath, whole: bool = True) -> None:
        """`data`: the first SAMPLE_BYTES of the file. `whole`: that is all of it."""
        self.data = data
        self.path = path
        self.whole = whole

    @cached_property
    def lines(self) -> list[bytes]:
        """The first lines that are not empty, without a byte order mark."""
        lines = self.data.removeprefix(b"\xef\xbb\xbf").split(b"\n", 4 * _LINES)
        return [line for line in lines if line.strip()][:_LINES]

    @cached_property
    def objects(self) -> list[dict[str, Any]]:
        """The JSON objects among the first lines."""
        found = [_json(line) for line in self.lines if line.lstrip().startswith(b"{")]
        return [one for one in found if isinstance(one, dict)]

    @cached_property
    def document(self) -> dict[str, Any]:
        """The JSON object that the whole file is; an empty one when it is none."""
        found = _json(self.data) if self.whole and self.data.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] == b"{" else None
        return found if isinstance(found, dict) else {}

    def has(self, *members: str) -> bool:
        """Return whether the file is a JSON object with these members."""
        return all(member in self.document for member in members)

    def has_line(self, *members: str) -> bool:
        """Return whether one of the first lines is a JSON object with these members."""
        return any(all(member in one for member in members) for one in self.objects)

    def names_format(self, name: str) -> bool:
        """Return whether the text says anywhere that it has this format, or another version of it."""
        stem = re.escape(name.rpartition("/")[0].encode())
        return re.search(rb'"format"\s*:\s*"' + stem + rb'/\d+"', self.data) is not None

    def starts(self, *magics: bytes) -> bool:
        """Return whether the file starts with one of these, or with a part of one and then ends."""
        return any(self.data.startswith(magic) or magic.startswith(self.data) for magic in magics)


def _json(text: bytes) -> Any:
    try:
        return json.loads(text.decode("utf-8-sig", "replace"))
    except (ValueError, RecursionError):
        return None


class Guard(Enum):
    """The way an existing file of a kind is guarded against an output."""

    NONE = auto()
    """A command makes it again, so an output of the same kind takes its place."""
    ASKS = auto()
    """Somebody made it by hand, or it cannot be made again as it was: only `--force` replaces it."""
    EVIDENCE = auto()
    """Evidence or a secret. No output ever takes its place."""


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of file. `name` stands in sentences such as "it is a shoe history".

    `fits` recognises it by content; None: it has no mark of its own. `named` recognises a file of this kind by its path
    when nothing else fits, so that a damaged one is guarded too.
    """

    name: str
    guard: Guard
    fits: Callable[[Sample], bool] | None = None
    named: re.Pattern[str] | None = None

    @property
    def is_evidence(self) -> bool:
        """Return whether no output may ever take the place of such a file."""
        return self.guard is Guard.EVIDENCE


def _name(pattern: str) -> re.Pattern[str]:
    return re.compile(rf"(?:.*/)?{pattern}", re.DOTALL)


HISTORY: Final = Kind("a shoe history", Guard.EVIDENCE, lambda it: it.starts(HISTORY_MAGIC), _name(r"[^/]*\.shoelog"))
RECORDING: Final = Kind(
    "a recording of a line", Guard.EVIDENCE, lambda it: it.starts(RECORDING_MAGIC), _name(r"[^/]*\.shoelink")
)
COMMAND_KEY: Final = Kind(
    "a shoe's command key", Guard.EVIDENCE, lambda it: it.names_format(COMMAND_KEY_FORMAT), _name(r"[^/]*\.shoekey")
)
PLAY_KEY: Final = Kind(
    "a shoe's play key", Guard.EVIDENCE, lambda it: it.names_format(PLAY_KEY_FORMAT), _name(r"[^/]*\.playkey")
)
NOTE_KEY: Final = Kind(
    "the private key of a log or a witness",
    Guard.EVIDENCE,
    lambda it: it.names_format(NOTE_KEY_FORMAT),
    _name(r"[^/]*\.logkey"),
)
OTHER_KEY: Final = Kind("a private key", Guard.EVIDENCE, lambda it: _PEM_KEY.search(it.data) is not None)
CHECKPOINT: Final = Kind(
    "the checkpoint of a log",
    Guard.EVIDENCE,
    lambda it: _CHECKPOINT.match(it.data) is not None,
    _name(r"(?:checkpoint|[^/]*\.signed)"),
)
LOG_PART: Final = Kind(
    "a part of a log", Guard.EVIDENCE, None, _name(r"tile/(?:\d|entries)[^/]*/(?:x\d{3}/)*\d{3}(?:\.p/\d+)?")
)
REGISTER: Final = Kind(
    "a register of findings",
    Guard.EVIDENCE,
    lambda it: it.has_line("finding", "state", "by", "at"),
    _name(r"[^/]*\.register\.jsonl"),
)
CUSTODY: Final = Kind(
    "the custody log of an archive",
    Guard.EVIDENCE,
    lambda it: it.has_line("number", "when", "who", "sha256", "before"),
    _name(r"custody\.jsonl"),
)
CUSTODY_HEAD: Final = Kind(
    "the signed head of a custody log", Guard.EVIDENCE, lambda it: it.starts(CUSTODY_HEAD_FORMAT.encode() + b"\n")
)
TABLE_RECORD: Final = Kind(
    "a table record",
    Guard.EVIDENCE,
    lambda it: any(_TABLE_RECORD_LINE.match(line) for line in it.lines),
    _name(r"[^/]*\.jsonl"),
)
PUBLIC_KEY: Final = Kind(
    "the public key of a shoe",
    Guard.EVIDENCE,
    lambda it: it.has("device", "public"),
    _name(r"[0-9a-f]{16}\.json"),
)
SEEN: Final = Kind(
    "the memory of what shoes signed",
    Guard.EVIDENCE,
    lambda it: any(_SEEN.match(line + b"\n") for line in it.lines),
    _name(r"[0-9a-f]{16}\.seen"),
)
LISTED: Final = Kind(
    "the memory of what a shoe listed",
    Guard.EVIDENCE,
    lambda it: it.has("when", "shoe", "first_page", "first_record"),
    _name(r"[0-9a-f]{16}\.said"),
)
ROUND: Final = Kind("a round file", Guard.ASKS, lambda it: it.names_format(ROUND_FORMAT))
DATABASE: Final = Kind("a database", Guard.ASKS, lambda it: it.starts(b"SQLite format 3\0"))
PROOF: Final = Kind(
    "a proof of inclusion", Guard.NONE, lambda it: it.data.startswith(PROOF_FIRST_LINE.encode() + b"\n")
)
REQUEST: Final = Kind("a proof of consistency", Guard.NONE, lambda it: _REQUEST.match(it.data) is not None)
DAILY: Final = Kind("a daily report", Guard.NONE, lambda it: it.data.startswith(DAILY_FORMAT.encode() + b"\n"))
PAGE: Final = Kind("an HTML page", Guard.NONE, lambda it: it.data[:99].lstrip().lower().startswith(b"<!doctype html"))
PDF: Final = Kind("a PDF file", Guard.NONE, lambda it: it.data.startswith(b"%PDF-"))
CSV: Final = Kind("a CSV table", Guard.NONE, lambda it: _CSV.match(it.data) is not None)
SUPPORT: Final = Kind("a support file", Guard.NONE, lambda it: it.has("made", "shoetool", "python", "system"))
CAPTURE: Final = Kind("a capture for Wireshark", Guard.NONE, lambda it: it.data.startswith(b"\n\r\r\n"))
DISSECTOR: Final = Kind(
    "a dissector for Wireshark", Guard.NONE, lambda it: it.data.startswith(b"--") and b"Proto(" in it.data
)
WAVES: Final = Kind("a value change dump", Guard.NONE, lambda it: _WAVES.match(it.data) is not None)
SVG: Final = Kind("an SVG drawing", Guard.NONE, lambda it: _SVG.match(it.data) is not None)
PNG: Final = Kind("a PNG picture", Guard.NONE, lambda it: it.data.startswith(b"\x89PNG\r\n\x1a\n"))
PARQUET: Final = Kind("a Parquet table", Guard.NONE, lambda it: it.data.startswith(b"PAR1"))
NOTE: Final = Kind("a note of shoetool's own", Guard.NONE)
"""What shoetool writes for itself in its own folders, and nobody else reads: it has no mark."""

KINDS: Final = tuple(one for one in list(globals().values()) if isinstance(one, Kind))
"""Every kind, in the order in which they are tried. Evidence and secrets come first."""
UNKNOWN: Final = Kind("a file of another kind", Guard.ASKS)


class Found(NamedTuple):
    """The kind of an existing file, and whether its name alone says so."""

    kind: Kind
    by_name: bool = False

    @property
    def words(self) -> str:
        """What the file is, to stand behind its path."""
        named = self.by_name and self.kind is not UNKNOWN
        return f"is named like {self.kind.name}" if named else f"is {self.kind.name}"


def kind_of(sample: Sample) -> Found:
    """Return the kind of an existing file that is not empty; UNKNOWN when it is none of these."""
    for kind in KINDS:
        if kind.fits is not None and kind.fits(sample):
            return Found(kind)
    place = sample.path.as_posix()
    named = (kind for kind in KINDS if kind.named is not None and kind.named.fullmatch(place))
    return Found(next(named, UNKNOWN), True)
