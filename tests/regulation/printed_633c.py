"""Paytables of ch. 633c as a parser of the source text alone froze them, for comparison with the package's."""

from __future__ import annotations

import json
from pathlib import Path

from shoetool.rules.paytable import paytables

_VECTORS = Path(__file__).parents[1] / "vectors" / "paytables_633c"


def assert_printed(section: int, wager: str) -> int:
    """Every cell of the section's paytables is as frozen; returns how many cells there are."""
    frozen = json.loads((_VECTORS / f"{section}.json").read_text(encoding="utf-8"))["tables"]
    ours = [(one.clause, one.name, [[row.outcome, row.odds.text] for row in one.rows]) for one in paytables(wager)]
    assert ours == [(one["clause"], one["paytable"], one["rows"]) for one in frozen]
    return sum(len(one["rows"]) for one in frozen)
