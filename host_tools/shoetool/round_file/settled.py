"""Play and settle a round of a round file by the rules of its table, for programs."""

from __future__ import annotations

from shoetool.round_file.file import Entry
from shoetool.round_file.paid import verify_meters
from shoetool.round_file.play import play_entry
from shoetool.rules.round import Settlement
from shoetool.rules.submission.rules import RulesSubmission
from shoetool.settle.engine import settle


def settle_round(entry: Entry, rules: RulesSubmission) -> Settlement:
    """Return the settlement of an entry at this table. The entry must hold its cards.

    BadInput (a RuleError with its clause, if there is one) when the round cannot be settled: the rules do not allow it,
    it has no cards, or a wager won part of a meter whose amount the entry does not give.
    """
    settlement = settle(play_entry(entry, rules), rules)
    verify_meters(settlement, entry.meters)
    return settlement
