"""Progressive meters: the amount of a share, who shares it, and what the meter shows afterwards.

For every winner, a paytable's percentage is a percentage of what the meter showed when the cards were dealt (633c T6).
So the order of settling changes nobody's payout. Winners of 100% share it: Bad Beat by wagers, the others equally.
Shares are rounded down and the remainder stays in the meter, which then gets its reset amount from the house. When
others won a percentage in the same round in which the whole was won, the house pays their shares. Where a section of
ch. 633c has no rule for several winners of the whole, or of the same part, the rules submission must have one (633c
T5); `MeterReadings` has them all.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from shoetool.model.money import dollars
from shoetool.rules.printed_meter import meter_key, wager_of_meter
from shoetool.rules.round import Line, Stage, TableRound
from shoetool.rules.rule_error import RuleError
from shoetool.rules.submission.rules import RulesSubmission
from shoetool.rules.wagers.catalogue import WAGERS, meter_rule, meter_title
from shoetool.rules.wagers.choice import Choice, word_of
from shoetool.rules.wagers.progressive import MeterRule
from shoetool.settle.entry import Entry


def meter_amount(key: str, table_round: TableRound, rules: RulesSubmission) -> int:
    """Return the cents on a meter, by its key, when the cards were dealt, or its start amount when the round has none.

    With `meter_counts_round` they include the shares of this round's wagers, in whole cents. RuleError when neither
    amount is known.
    """
    shown = table_round.meters.get(key)
    if rules.meter_counts_round and key in rules.meters:
        wager = wager_of_meter(key)
        added = contribution(key, sum(box.side.get(wager, 0) for box in table_round.boxes), rules)
        return int((rules.meters[key].start if shown is None else shown) + added)
    if shown is not None:
        return shown
    if key not in rules.meters:
        text = f"the {meter_title(key)} is not known: name it in the round or the submission"
        raise RuleError(meter_rule(key).clause, text)
    return rules.meters[key].start


def contribution(key: str, staked: int, rules: RulesSubmission) -> Fraction:
    """Return the exact cents by which wagers of `staked` cents in all raise a meter before the cards are dealt."""
    return rules.meters[key].rate * staked


def settle_meters(key: str, winners: Sequence[Entry], table_round: TableRound, rules: RulesSubmission) -> list[Line]:
    """Give each winner of this wager his share of its meters. Returns the lines of the meters that are set back.

    winners: in the order in which they are settled.
    """
    rule = meter_rule(key)
    names = list(dict.fromkeys(entry.result.meter for entry in winners if entry.result.meter_share))
    shown = {name: meter_amount(meter_key(key, name), table_round, rules) for name in names}
    if rule.tenth_from_house and not shown:
        shown[""] = meter_amount(key, table_round, rules)
    resets: list[Line] = []
    for name in names:
        sharing = [entry for entry in winners if entry.result.meter_share and entry.result.meter == name]
        meter = rules.meters.get(meter_key(key, name))
        times = _share(rule, sharing, shown[name], None if meter is None else meter.reset, rules)
        if times and meter is not None:
            resets += [meter_reset(key, name, meter.reset)] * times
    for entry in winners:
        _keep_out_of_tray(rule, entry, shown.get(entry.result.meter, 0))
    return resets


def _share(rule: MeterRule, sharing: Sequence[Entry], shown: int, reset: int | None, rules: RulesSubmission) -> int:
    """Share a meter that shows `shown` cents among these winners. Returns how often the whole of it was won.

    RuleError when the chapter has no rule for what happened, and the rules submission has none either.
    """
    whole = [entry for entry in sharing if entry.result.meter_share == 1]
    parts = [entry for entry in sharing if entry.result.meter_share < 1]
    readings = rule.readings
    one_by_one = len(whole) > 1 and _word(readings.sharing, rules) == "in_turn"
    together = _word(readings.together, rules) if whole and parts else ""
    if together == "in_turn":
        _in_turn(rule, readings.together, sharing, shown, reset, one_by_one)
        return len(whole) if one_by_one else 1
    if one_by_one:
        _in_turn(rule, readings.sharing, whole, shown, reset)
    elif whole:
        _split(rule, whole, shown, shown, readings.sharing)
    base = reset if together == "of_reset" and reset is not None else shown
    for share in sorted({entry.result.meter_share for entry in parts}):
        _part(rule, [entry for entry in parts if entry.result.meter_share == share], int(share * base), base, rules)
    for entry in parts if whole else ():
        entry.meter_source = "house"
        entry.note(rule.shared or rule.clause, "the whole meter was won in this round: the house pays this part")
    return len(whole) if one_by_one else min(len(whole), 1)


def _part(rule: MeterRule, winners: Sequence[Entry], amount: int, base: int, rules: RulesSubmission) -> None:
    """Give these winners the part of `amount` cents that all of them won: each has it, or they share it."""
    choice = rule.readings.sharing_parts
    how = _word(choice, rules) if len(winners) > 1 else ""
    if how == "equally":
        _split(rule, winners, amount, base, choice)
    elif how == "in_turn":
        _in_turn(rule, choice, winners, base, None)
    else:
        for entry in winners:
            entry.meter = amount


def _word(choice: Choice | None, rules: RulesSubmission) -> str:
    """What the house chose of one reading; "" for a wager that leaves nothing open. RuleError for one still asked."""
    word = word_of(choice, rules)
    if choice is not None and not word:
        words = " or ".join(f'"{one}"' for one in choice.words)
        text = f"the chapter does not say this: {choice.meaning}; write {choice.key} = {words} in the rules submission"
        raise RuleError(choice.clause, text)
    return word


def _split(rule: MeterRule, winners: Sequence[Entry], amount: int, shown: int, choice: Choice | None) -> None:
    """Split `amount` cents among these winners, by their wagers or equally. Parts of a cent stay in the meter."""
    staked = sum(entry.staked for entry in winners)
    how = "in proportion to their wagers" if rule.by_wager else "equally"
    of = "" if amount == shown else f"${dollars(amount)} of "
    for entry in winners:
        entry.meter = amount * entry.staked // staked if rule.by_wager else amount // len(winners)
        if len(winners) > 1:
            clause = rule.shared or _clause(rule, choice)
            entry.note(clause, f"{len(winners)} winners share {of}the meter's ${dollars(shown)} {how}")


def _in_turn(
    rule: MeterRule,
    choice: Choice | None,
    winners: Sequence[Entry],
    stands: int,
    reset: int | None,
    one_by_one: bool = True,
) -> None:
    """Each one, in the order of settling, wins of the meter as it then stands. The whole sets it back.

    one_by_one: whether each winner of the whole does so. Else the first one's turn is that of all of them, and they
    share it.
    """
    whole = [entry for entry in winners if entry.result.meter_share == 1]
    for number, entry in enumerate(winners):
        entry.note(_clause(rule, choice), f"winner {number + 1} of {len(winners)} in the order of settling")
        share = entry.result.meter_share
        if share < 1:
            entry.meter = int(share * stands)
            stands -= entry.meter
        elif one_by_one or entry is whole[0]:
            _split(rule, [entry] if one_by_one else whole, stands, stands, rule.readings.sharing)
            stands = stands if reset is None else reset


def _clause(rule: MeterRule, choice: Choice | None) -> str:
    """The clause that leaves a choice open; that of the meter where nothing is open."""
    return rule.clause if choice is None else choice.clause


def _keep_out_of_tray(rule: MeterRule, entry: Entry, shown: int) -> None:
    """Let the house and not the table inventory pay a large payout, and note what the clause requires."""
    large = entry.meter is not None or (rule.tenth_from_house and entry.won * 10 >= shown)
    if entry.result.source != "house" and large:
        entry.source = "house"
        clause = rule.apart or rule.shared
        entry.note(clause, "not paid from the table inventory container")
        entry.note(clause, "the player's cards remain on the table until the documentation is complete")


def meter_reset(key: str, name: str, amount: int) -> Line:
    """Return the line of a meter that was won, without a position: the house pays its reset amount into it."""
    words = f"the {name + ' ' if name else ''}meter was won: the house sets it back to ${dollars(amount)}"
    clause = meter_rule(key).clause
    reset = (None, None, key, 0, "meter_reset", words, clause, None, 0, amount)
    stage = Stage.LAST if WAGERS[key].stage is Stage.LAST else Stage.AFTER_ALL
    return Line(*reset, source="house", stage=stage, meter=name)
