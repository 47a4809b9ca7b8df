"""A round of a round file, played and settled by the rules of its table: what a program asks for."""

from __future__ import annotations

from shoetool.regulation.round import Settlement
from shoetool.regulation.round_file.file import Entry
from shoetool.regulation.round_file.paid import verify_meters
from shoetool.regulation.round_file.play import play_entry
from shoetool.regulation.settle.engine import settle
from shoetool.regulation.submission.rules import RulesSubmission


def settle_round(entry: Entry, rules: RulesSubmission) -> Settlement:
    """What every wager of the entry became at this table. Its cards must be in the entry.

    BadInput, a RuleError with its clause where there is one, for what cannot be settled: a round that the rules do not
    allow, one without cards, and a wager that won of a meter whose amount the entry does not tell.
    """
    settlement = settle(play_entry(entry, rules), rules)
    verify_meters(settlement, entry.meters)
    return settlement
