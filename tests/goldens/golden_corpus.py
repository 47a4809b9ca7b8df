"""The corpus: every group of cases, by name."""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path

_ROOT = Path(__file__).resolve().parents[2]
# The corpus is dealt by the firmware's dealing under the tests' hands; pytest knows these folders already.
sys.path += [str(_ROOT / folder) for folder in ("tests/host", "tests/regulation", "host_tools", "firmware", "board")]

import golden_damaged as damaged  # noqa: E402
import golden_dealt as dealt  # noqa: E402
import golden_mistakes as mistakes  # noqa: E402
import golden_rounds as rounds  # noqa: E402
from golden_case import Group  # noqa: E402

GROUPS = (
    Group("paytables", rounds.paytables),
    Group("settle-examples", rounds.settle_examples, plain=True),
    Group("table-examples", rounds.table_examples, plain=True),
    Group("tables-changed", rounds.tables_changed),
    Group("rounds-played", rounds.rounds_played),
    Group("rounds-changed", rounds.rounds_changed),
    Group("mistakes", mistakes.mistakes, plain=True),
    Group("clauses", damaged.clauses),
    Group("damaged", damaged.damaged),
    Group("scenarios", dealt.scenarios),
    Group("plants", dealt.plants),
    Group("wager-errors", dealt.wager_errors),
    *(Group(f"sessions-{table.replace(' ', '-')}", partial(dealt.sessions, table)) for table in dealt.TABLES),
)
"""Every group, in the order in which they are frozen."""
