"""Name payouts of the size for which a casino issues IRS Form W-2G: see `rules.w2g`."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from shoetool.model.money import dollars
from shoetool.rules.round import Line, TableRound
from shoetool.rules.submission.rules import RulesSubmission
from shoetool.rules.w2g import FORM, TIMES, is_of_size
from shoetool.rules.wagers.catalogue import BONUSES, WAGERS


def with_w2g_notes(lines: Sequence[Line], table_round: TableRound, rules: RulesSubmission) -> Sequence[Line]:
    """The lines, with a note at the last payout of each optional wager that won so much in this round.

    All that a wager wins counts together: from the tray and from the meter, bonuses and envy bonuses beside it, and a
    mystery bonus for which it qualified.
    """
    if sum([line.won for line in lines]) < rules.w2g_from:
        return lines
    staked = {(box.position, key): cents for box in table_round.boxes for key, cents in box.side.items()}
    places: dict[tuple[int, str], list[int]] = defaultdict(list)
    for place, line in enumerate(lines):
        wager = _wager_of(line.wager, rules)
        if line.won and line.position is not None and wager in WAGERS:
            places[line.position, wager].append(place)
    noted = list(lines)
    for key, found in places.items():
        won, stake = sum(lines[place].won for place in found), staked.get(key, 0)
        if is_of_size(won, stake, rules):
            last = lines[found[-1]]
            words = f"${dollars(won)} won by a wager of ${dollars(stake)}: "
            words += f"at least ${dollars(rules.w2g_from)} and {TIMES} times the wager"
            noted[found[-1]] = last._replace(notes=(*last.notes, (FORM, words)))
    return noted


def _wager_of(key: str, rules: RulesSubmission) -> str:
    """The wager that a line goes with: its own, that of a bonus, or the one that qualifies for a mystery bonus."""
    if key in BONUSES:
        return BONUSES[key].of
    return rules.mysteries[key].wager if key in rules.mysteries else key
