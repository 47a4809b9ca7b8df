"""What a check of a log or of a proof came to, and who signed its checkpoint."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Final

from shoetool.model.errors import BadInput
from shoetool.model.times import utc_stamp
from shoetool.transparency.checkpoint import Checkpoint
from shoetool.transparency.findings import FORGED, NOT_WITNESSED, OTHER_LOG, LogFinding
from shoetool.transparency.note import Note, VerifierKey, signed_by, time_of

CLOCK_TOLERANCE_S: Final = 300
"""How far the clock of a witness may be ahead of this computer's before its time lies in the future."""


@dataclass(frozen=True, slots=True)
class Trusted:
    """Whom the checker trusts: the log's key, witnesses' keys, and how many of these must have cosigned (None: all)."""

    log: VerifierKey | None = None
    witnesses: Sequence[VerifierKey] = ()
    quorum: int | None = None


@dataclass(frozen=True, slots=True)
class Witnessed:
    """A witness that was named, and when it cosigned, as ISO 8601 in UTC; None: it did not.

    counts: whether that makes it one of those who must have cosigned. No time, or one in the future, does not.
    """

    name: str
    time: str | None
    counts: bool


@dataclass(slots=True)
class Checked:
    """The result. `signed`: whether the named key signed the checkpoint; None when none was named.

    `devices`: the shoes of each device. `present`: the shoes of the given histories that are in the log. `unpinned`:
    the devices for which nobody pinned a key. `unreadable`: file and error of each named history that was not read.
    `unchecked`: the shoes' signatures in so many entries at the beginning were not verified again.
    """

    origin: str
    size: int
    root: str
    signed: bool | None = None
    witnesses: list[Witnessed] = field(default_factory=list)
    findings: list[LogFinding] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    devices: list[dict[str, Any]] = field(default_factory=list)
    present: list[dict[str, Any]] = field(default_factory=list)
    unpinned: list[str] = field(default_factory=list)
    unreadable: list[dict[str, str]] = field(default_factory=list)
    unchecked: int = 0

    @property
    def verified(self) -> bool:
        """Whether nothing is wrong, nothing that it rests on is missing, and every signature was verified."""
        return not self.findings and not self.why_not and not self.unchecked

    @property
    def why_not(self) -> str:
        """Why it is not called verified, though nothing is wrong; empty when it is, from entry `unchecked` on."""
        if self.unreadable:
            return "a history could not be read"
        if not self.signed:
            return "whose it is was not checked"
        if self.unpinned:
            return "a key is not pinned"
        if not self.size:
            return "nothing is logged yet"
        return "no entry is new since that checkpoint" if self.unchecked >= self.size else ""

    @property
    def cosigned(self) -> int:
        """How many of the named witnesses cosigned at a time that counts."""
        return sum(one.counts for one in self.witnesses)

    def find(self, what: str, sentence: str, **where: Any) -> None:
        """Add a finding."""
        self.findings.append(LogFinding(what, sentence, **where))

    def to_json(self) -> dict[str, Any]:
        """JSON types only."""
        return {**asdict(self), "findings": [one.to_json() for one in self.findings], "verified": self.verified}


def begin(note: Note, checkpoint: Checkpoint, trusted: Trusted, now: float) -> Checked:
    """Return the result so far: who signed the checkpoint. `now`: Unix seconds."""
    out = Checked(checkpoint.origin, checkpoint.size, checkpoint.root.hex())
    if trusted.log is None:
        out.notes.append("whose log it is was not checked: name its verifier key with --vkey")
    else:
        out.signed = not (wrong := unsigned(note, checkpoint, trusted.log))
        if wrong:
            out.find(OTHER_LOG, f"the checkpoint {wrong}")
    for key in trusted.witnesses:
        try:
            signature = signed_by(note, key)
        except BadInput as error:
            out.find(FORGED, f"a cosignature: {error}")
            signature = None
        time = None if signature is None else time_of(signature)
        odd = "" if time is None else odd_time(time, now)
        counts = time is not None and not odd
        out.witnesses.append(Witnessed(key.name, None if time is None else utc(time), counts))
        if odd:
            out.notes.append(f"the cosignature of witness {key.name} does not count: {odd}")
    if not trusted.witnesses:
        out.notes.append("no witness was named: others may have been shown another log (--witness)")
    wanted = len(trusted.witnesses) if trusted.quorum is None else trusted.quorum
    if out.cosigned < wanted:
        absent = ", ".join(one.name for one in out.witnesses if not one.counts)
        text = f"{out.cosigned} of {len(out.witnesses)} named witnesses cosigned the checkpoint, {wanted} must"
        out.find(NOT_WITNESSED, f"{text}; there is no cosignature that counts by {absent}")
    return out


def odd_time(time: int, now: float) -> str:
    """Return why a cosignature at `time` proves nothing about when it was made; empty when it may. Both in Unix s."""
    if not time:
        return "it names no time (0)"
    if time > now + CLOCK_TOLERANCE_S:
        return f"its time is {utc(time)}, which is in the future here: compare the clocks"
    return ""


def unsigned(note: Note, checkpoint: Checkpoint, key: VerifierKey) -> str:
    """Return in words why a note is no checkpoint that the key of a log signed; empty when it is."""
    try:
        signature = signed_by(note, key)
    except BadInput as error:
        return f"is not signed: {error}"
    if signature is None:
        return f"is not signed by {key.text}"
    return "" if checkpoint.origin == key.name else f"is that of {checkpoint.origin}, not of {key.name}"


def utc(time: int) -> str:
    """Return a Unix time as ISO 8601 in UTC; a time that no calendar has as its number."""
    try:
        return utc_stamp(time * 1000)
    except OverflowError:
        return f"{time} s"
