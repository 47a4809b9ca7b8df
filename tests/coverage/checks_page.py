"""CHECKS.md written from the registry: `python tests/coverage/checks_page.py`."""

from __future__ import annotations

from pathlib import Path

from shoetool.judge.registry import CHECKS
from shoetool.judge.registry_table import TABLE_CHECKS
from shoetool.judge.registry_trust import TRUST_CHECKS
from shoetool.model.protocol_table import Game
from shoetool.rules.games import clause_in

OUTPUT = Path(__file__).resolve().parents[2] / "host_tools" / "CHECKS.md"

_HEAD = """# What `shoetool verify` checks

Each check is named after its clause of 58 Pa. Code: ch. 633a (Blackjack), 590 (Free Bet Blackjack), 635a (Spanish 21).
A finding names the clause of the game's own chapter, and the reading that the check takes of it stands below.

Verdicts:
- **breach**: the records prove that the clause was not kept.
- **irregularity handled**: something went wrong and what followed is what the clause asks for.
- **cannot tell**: the history does not hold enough to decide; nothing is guessed.

A finding lists the records that prove it and the cards involved: only cards that were dealt or opened. The face of a
card that lies face down in the history is never named, nor which cards are missing while one still does.

What is checked is computed from the cards, not taken from the shoe's own reports: its `irregularity` records become
part of the finding that they belong to. A report that its own records do not bear out is a finding too.

This page is written by `tests/coverage/checks_page.py`; a test compares it with the registry.
"""

_TABLE = """# With a table record

`shoetool verify --table-record FILE --table SUBMISSION` checks these besides. A table record has the wagers, decisions
and, if it was kept, the dealer's actions and payments of each round: [ROUND_FORMAT.md](ROUND_FORMAT.md).
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
        clauses = dict.fromkeys((check.clause, *(clause_in(game, check.clause) for game in Game)))
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
