"""What can be wrong with a log, each with a name that programs may look for."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, ClassVar, Final

from shoetool.model.errors import ShoetoolError

MISSING: Final = "missing"
FORK: Final = "fork"
CONTRADICTED: Final = "contradicted"
REUSED: Final = "reused index"
FORGED: Final = "forged"
OTHER_KEY: Final = "other key"
UNSIGNED: Final = "unsigned"
DAMAGED: Final = "damaged"
EDITED: Final = "edited"
CUT: Final = "cut"
ROLLED_BACK: Final = "rolled back"
SPLIT: Final = "split view"
OTHER_LOG: Final = "other log"
NOT_LOGGED: Final = "not logged"
NOT_WITNESSED: Final = "not witnessed"
NOT_PROVED: Final = "not proved"


@dataclass(frozen=True, slots=True)
class LogFinding:
    """One thing that is wrong. `what` is one of the names above; `sentence` says what and where.

    `device` (hexadecimal), `shoe` and `entry` (its index in the log) say which shoe it is about, where it is about one.
    """

    what: str
    sentence: str
    device: str | None = None
    shoe: int | None = None
    entry: int | None = None

    def to_json(self) -> dict[str, Any]:
        """JSON types only."""
        return asdict(self)


class LogWrong(ShoetoolError):
    """A finding that a command cannot go on after: one line, exit code 1."""

    exit_code: ClassVar[int] = 1

    def __init__(self, where: str, finding: LogFinding) -> None:
        """Keep the finding. `where` is the log or the file."""
        super().__init__(f"{where}: {finding.what}: {finding.sentence}")
        self.finding = finding
