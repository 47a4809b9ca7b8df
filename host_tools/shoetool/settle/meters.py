"""Progressive meters: the amount of a share, who shares it, and what the meter shows afterwards.

For every winner, a paytable's percentage is a percentage of what the meter showed when the cards were dealt. So the
order of settling changes nobody's payout. Winners of 100% share it: Bad Beat by their wagers, the others equally.
Shares are rounded down and the remainder stays in the meter, which then gets its reset amount from the house. When
others won a percentage in the same round in which the whole was won, the house pays their shares.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from shoetool.model.money import dollars
from shoetool.rules.round import Line, Stage, TableRound
from shoetool.rules.rule_error import RuleError
from shoetool.rules.submission.rules import RulesSubmission
from shoetool.rules.wagers.catalogue import meter_rule, title_of
from shoetool.rules.wagers.wager import MeterRule
from shoetool.settle.entry import Entry


def meter_amount(key: str, table_round: TableRound, rules: RulesSubmission) -> int:
    """Return the cents on the wager's meter when the cards were dealt, or its start amount when the round has none.

    With `meter_counts_round` they include the shares of this round's wagers, in whole cents. RuleError when neither
    amount is known.
    """
    shown = table_round.meters.get(key)
    if rules.meter_counts_round and key in rules.meters:
        added = contribution(key, sum(box.side.get(key, 0) for box in table_round.boxes), rules)
        return int((rules.meters[key].start if shown is None else shown) + added)
    if shown is not None:
        return shown
    if key not in rules.meters:
        text = f"the meter of {title_of(key)} is not known: name it in the round or the submission"
        raise RuleError(meter_rule(key).clause, text)
    return rules.meters[key].start


def contribution(key: str, staked: int, rules: RulesSubmission) -> Fraction:
    """Return the exact cents by which wagers of `staked` cents in all raise the meter before the cards are dealt."""
    return rules.meters[key].rate * staked


def settle_meter(key: str, winners: Sequence[Entry], table_round: TableRound, rules: RulesSubmission) -> int:
    """Give each winner his share of the wager's meter. Returns the cents to which the house resets it; 0: not won."""
    rule = meter_rule(key)
    sharing = [entry for entry in winners if entry.result.meter_share]
    if not sharing and not rule.tenth_from_house:
        return 0
    shown = meter_amount(key, table_round, rules)
    whole = _share(rule, sharing, shown)
    for entry in winners:
        _keep_out_of_tray(rule, entry, shown)
    return rules.meters[key].reset if whole and key in rules.meters else 0


def _share(rule: MeterRule, sharing: Sequence[Entry], shown: int) -> bool:
    """Share a meter that shows `shown` cents among these winners. Returns whether all of it was won."""
    whole = [entry for entry in sharing if entry.result.meter_share == 1]
    staked = sum(entry.staked for entry in whole)
    how = "in proportion to their wagers" if rule.by_wager else "equally"
    for entry in sharing:
        if entry.result.meter_share != 1:
            entry.meter = int(entry.result.meter_share * shown)
            if whole:
                entry.meter_source = "house"
                entry.note(rule.shared, "the whole meter was won in this round: the house pays this part")
            continue
        entry.meter = shown * entry.staked // staked if rule.by_wager else shown // len(whole)
        if len(whole) > 1:
            entry.note(rule.shared, f"{len(whole)} winners share the meter's ${dollars(shown)} {how}")
    return bool(whole)


def _keep_out_of_tray(rule: MeterRule, entry: Entry, shown: int) -> None:
    """Let the house and not the table inventory pay a large payout, and note what the clause requires."""
    large = entry.meter is not None or (rule.tenth_from_house and entry.won * 10 >= shown)
    if entry.result.source != "house" and large:
        entry.source = "house"
        entry.note(rule.shared, "not paid from the table inventory container")
        entry.note(rule.shared, "the player's cards remain on the table until the documentation is complete")


def meter_reset(key: str, amount: int) -> Line:
    """Return the line of a meter that was won, without a position: the house pays its reset amount into it."""
    words = f"the meter was won: the house sets it back to ${dollars(amount)}"
    clause = meter_rule(key).clause
    return Line(None, None, key, 0, "meter_reset", words, clause, None, 0, amount, "house", Stage.AFTER_ALL)
