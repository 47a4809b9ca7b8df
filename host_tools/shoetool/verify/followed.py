"""How the histories given together follow one another, as findings: what no single file can show."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from shoetool.judge.finding import Finding
from shoetool.judge.registry import CHECKS
from shoetool.judge.registry_trust import BY_NAME
from shoetool.table.table import Table
from shoetool.trust.continuity import Followed
from shoetool.trust.trust import Trust
from shoetool.verify.context import Context


@dataclass(frozen=True, slots=True)
class Row:
    """The histories of one device: the shoes whose signatures hold, what was found and what is noted."""

    device: bytes
    shoes: tuple[int, ...]
    findings: tuple[Finding, ...]
    notes: tuple[str, ...]

    def to_json(self) -> dict[str, Any]:
        """JSON types only."""
        return {
            "device": self.device.hex(),
            "shoes": list(self.shoes),
            "findings": [finding.to_json() for finding in self.findings],
            "notes": list(self.notes),
        }


def followed(trust: Trust) -> list[Row]:
    """One row a device, once all files were verified with `trust`."""
    return [row_of(one) for one in trust.follow()]


def row_of(one: Followed) -> Row:
    """Return the row of one device."""
    ctx = Context(Table())
    for finding in one.found:
        check = BY_NAME[finding.what]
        ctx.add(check, CHECKS[check].verdicts[0], (), f"{finding.what}: {finding.sentence}", of_file=True)
    return Row(one.device, one.shoes, tuple(ctx.findings), tuple(one.notes))
