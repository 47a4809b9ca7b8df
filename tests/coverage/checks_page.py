"""CHECKS.md written from the registry: `python tests/coverage/checks_page.py`."""

from __future__ import annotations

from pathlib import Path

from shoetool.judge import registry_hybrid  # noqa: F401  it loads those before it
from shoetool.judge.registry import CHECKS
from shoetool.judge.registry_table import TABLE_CHECKS
from shoetool.judge.registry_trust import TRUST_CHECKS
from shoetool.model.protocol_table import Game
from shoetool.rules.games import clause_in

OUTPUT = Path(__file__).resolve().parents[2] / "host_tools" / "CHECKS.md"

_HEAD = """# What `shoetool verify` checks

Each check is named after its clause of 58 Pa. Code: ch. 633a (Blackjack), 590 (Free Bet Blackjack), 635a (Spanish 21).
A finding names the clause of the game's own chapter. Below: how the check reads the clause.

Verdicts:
- **breach**: the records prove that the clause was not kept.
- **irregularity handled**: something went wrong, and it was handled as the clause asks.
- **cannot tell**: the history does not hold enough to decide. Nothing is guessed.

A finding lists the records that prove it and the cards involved. It names only cards that were dealt or opened. A card
that lies face down is never named, and missing cards are not named while a card lies face down.

The checks compute from the cards. They do not rely on the shoe's own reports: an `irregularity` record becomes part of
the finding that it belongs to. A report that the records do not support is a finding too.

This page is written by `tests/coverage/checks_page.py`; a test compares it with the registry.
"""

_TABLE = """# With a table record

`shoetool verify --table-record FILE --table SUBMISSION` also makes these checks. A table record has the wagers and
decisions of each round. It may also have the dealer's actions and the payments: [ROUND_FORMAT.md](ROUND_FORMAT.md).
"""


_TRUST = """# Of signed histories

A shoe with a signing key signs its history when it is closed ([HISTORY_FORMAT.md](HISTORY_FORMAT.md)); `shoetool keys`
pins the key. Each of these checks names what was done to a history that does not fit its signature.
"""


def checks_document() -> str:
    """The whole of CHECKS.md."""
    lines = [_HEAD]
    for check in CHECKS.values():
        if check.name == TABLE_CHECKS[0]:
            lines += [_TABLE]
        if check.name == TRUST_CHECKS[0]:
            lines += [_TRUST]
        own = (check.clause, *(clause_in(game, check.clause) for game in Game))
        clauses = dict.fromkeys((*own, *check.also))
        lines += [
            f"## {check.name}",
            "",
            f"Clause: {', '.join(clauses)}. Verdicts: {', '.join(check.verdicts)}.",
            "",
            check.reading,
            "",
        ]
    return "\n".join(lines).rstrip() + "\n"


if __name__ == "__main__":
    OUTPUT.write_text(checks_document())
