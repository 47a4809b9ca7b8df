"""Progressive meters: what a share of one comes to, who shares it, and what the meter shows afterwards.

A paytable's percentage is a percentage of what the meter showed when the cards were dealt, for every winner; so the
order in which positions are settled changes nobody's payout. Winners of 100% share it: Bad Beat by their wagers, the
others equally; shares are rounded down and the remainder stays in the meter, which then gets its reset amount from
the house. Where others won a percentage in the round in which the whole was won, the house pays theirs.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Final

from shoetool.model.money import dollars
from shoetool.regulation.round import TableRound
from shoetool.regulation.rule_error import RuleError
from shoetool.regulation.submission.rules import LEAST_METER, RulesSubmission

from .entry import Entry
from .titles import title_of

SHARED_BY_WAGER: Final = frozenset({"bad_beat"})
"""Wagers whose 100% winners share in proportion to their wagers (633a.7(o)(1)(ii)(C)); others share equally."""

_SHARING: Final = {
    "bad_beat": "633a.7(o)(1)(ii)(C)",
    "hit_and_run": "633a.7(o)(2)(ii)(C)",
    "straight_jack": "633a.7(o)(3)(ii)(C)",
}
"""The clause that shares a meter and keeps its payouts out of the table inventory container."""
FROM_TENTH: Final = "straight_jack"
"""The wager of which any payout of a tenth of the meter or more is not paid from the table inventory container."""


def meter_amount(key: str, table_round: TableRound, rules: RulesSubmission) -> int:
    """Cents on the wager's meter when the cards were dealt; its start amount when the round does not tell.

    With `meter_counts_round` the shares of this round's wagers are on it too, whole cents of them. RuleError when
    neither is known.
    """
    shown = table_round.meters.get(key)
    if rules.meter_counts_round and key in rules.meters:
        added = contribution(key, sum(box.side.get(key, 0) for box in table_round.boxes), rules)
        return int((rules.meters[key].start if shown is None else shown) + added)
    if shown is not None:
        return shown
    if key not in rules.meters:
        text = f"the meter of {title_of(key)} is not known: name it in the round or the submission"
        raise RuleError(LEAST_METER[key][1], text)
    return rules.meters[key].start


def contribution(key: str, staked: int, rules: RulesSubmission) -> Fraction:
    """Cents, exact, by which wagers of `staked` cents in all raise the meter before the cards are dealt."""
    return rules.meters[key].rate * staked


def pay_from_meter(key: str, winners: Sequence[Entry], shown: int, reset: int) -> tuple[int, int]:
    """Give each winner his share of a meter that shows `shown` cents.

    Returns the change of the meter and what the house adds to it for the reset, both in cents. The house's payments to
    single winners are in their entries.
    """
    whole = [entry for entry in winners if _share(entry) == 1]
    parts = [entry for entry in winners if _share(entry) != 1]
    change = 0
    for entry in parts:
        entry.meter = int(_share(entry) * shown)
        if whole:
            entry.meter_source = "house"
            entry.notes.append((_SHARING[key], "the whole meter was won in this round: the house pays this part"))
        else:
            change -= entry.meter
    staked = sum(entry.staked for entry in whole)
    for entry in whole:
        entry.meter = shown * entry.staked // staked if key in SHARED_BY_WAGER else shown // len(whole)
        change -= entry.meter
        if len(whole) > 1:
            how = "in proportion to their wagers" if key in SHARED_BY_WAGER else "equally"
            entry.notes.append((_SHARING[key], f"{len(whole)} winners share the meter's ${dollars(shown)} {how}"))
    if not whole:
        return change, 0
    return change + reset, reset


def _share(entry: Entry) -> Fraction:
    odds = entry.resolution.odds
    return odds.meter_share if odds is not None else Fraction(0)


def from_house(key: str, paid: int, shown: int) -> bool:
    """Whether a payout of `paid` cents without a share of the meter is too large for the table inventory."""
    return key == FROM_TENTH and paid * 10 >= shown


def keep_out_of_tray(key: str, entry: Entry, shown: int) -> None:
    """Take a large payout from the house and not from the table inventory, and note what the clause asks for.

    Hit and Run: 100% of the meter. Straight Jack: any payout of a tenth of the meter or more.
    """
    if entry.resolution.source == "house":
        return
    if entry.meter is None and not from_house(key, entry.won, shown):
        return
    entry.source = "house"
    clause = _SHARING[key]
    entry.notes.append((clause, "not paid from the table inventory container"))
    entry.notes.append((clause, "the player's cards remain on the table until the documentation is complete"))
